"""A claim as a strip: the measured number relative to its bound, as the report and the documentation draw it."""

import math
from collections.abc import Mapping
from html import escape
from typing import Any

from festina.papers.table import row

STRIP = 132  # width in pixels; the bound is in its middle
DECADES = 2.0  # factors of ten to either side of the bound; what is farther away lies at the edge


def position(measured: float | None, bound: float | None, relation: str) -> float | None:
    """From −1 (far on the side where the claim holds) over 0 (the bound) to 1, in factors; None without a place."""
    if measured is None or bound is None or not (math.isfinite(measured) and math.isfinite(bound)):
        return None
    if measured > 0 and bound > 0:
        decades = math.log10(measured / bound)
    elif measured == bound:
        decades = 0.0
    else:
        # across zero factors have no meaning: the sign of the difference, and its size relative to the larger one
        decades = (measured - bound) / max(abs(measured), abs(bound))
    signed = decades if relation == "<=" else -decades
    return max(-1.0, min(1.0, signed / DECADES))


def strip(found: Mapping[str, Any]) -> str:
    """The strip of a claim, in SVG."""
    at = position(found["measured"], found["bound"], found["relation"])
    middle = STRIP / 2
    parts = [
        f'<rect class="frame" width="{STRIP}" height="18"/><rect class="holds" width="{middle:g}" height="18"/>',
        f'<path class="bound" d="M{middle:g},0v18"/>',
    ]
    if at is not None:
        x = middle + at * (middle - 8)
        error, measured = found["error"] or 0.0, found["measured"]
        if error:
            ends = [position(measured + sign * error, found["bound"], found["relation"]) for sign in (-1, 1)]
            low, high = sorted(middle + (at if end is None else end) * (middle - 8) for end in ends)
            parts.append(f'<path class="error" d="M{low:.1f},9H{high:.1f}"/>')
        parts.append(f'<circle class="{found["status"]}" cx="{x:.1f}" cy="9" r="4.5"/>')
    words = f"measured {row(found).measured}, bound {row(found).bound}"
    return (
        f'<svg class="strip" viewBox="0 0 {STRIP} 18" width="{STRIP}" height="18" role="img" '
        f'aria-label="{escape(words)}">{"".join(parts)}</svg>'
    )

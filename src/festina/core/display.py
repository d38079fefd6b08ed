"""Frozen descriptions in words."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from html import escape

import numpy as np

from festina.checks.shapes import Array

MAX_ROWS = 40
"""Rows of a table that are shown; a longer one says how many more there are, so that no output fills a notebook."""

MAX_TEXT = 300
"""Characters of one cell or note that are shown."""

SHORT = 24
"""Characters up to which a cell is not broken into lines."""

# colours are inherited or half transparent, so that the table reads well on light and on dark pages alike
_CELL = "padding:.15em .8em .15em 0;text-align:left;vertical-align:top;background:transparent;color:inherit"
_LINE = "border-bottom:1px solid rgba(128,128,128,.35)"
_KEEP = ";white-space:nowrap"
_WIDE = ";min-width:12em"
_QUIET = "margin:.3em 0 0;opacity:.7;font-size:.9em"


def render(
    title: object,
    rows: Iterable[Sequence[object]],
    notes: Iterable[object] = (),
    *,
    header: Sequence[object] = (),
) -> str:
    """A title, a table and notes as short HTML; every text is escaped, so that names from data cannot become markup.

    Args:
        title: one line above the table.
        rows: the cells of each row, from left to right; the first cell is the row's name.
        notes: one line each below the table.
        header: names of the columns; none by default.
    """
    lines = [tuple(row) for row in rows]
    parts = [f'<div style="color:inherit;line-height:1.4"><div style="font-weight:600">{_text(title)}</div>']
    if lines:
        parts.append('<table style="border-collapse:collapse;margin:.3em 0;color:inherit;background:transparent">')
        if header:
            parts.append(f"<thead><tr>{_cells(header, 'th')}</tr></thead>")
        parts.append("<tbody>")
        parts.extend(f"<tr>{_cells(line[:1], 'th')}{_cells(line[1:], 'td')}</tr>" for line in lines[:MAX_ROWS])
        parts.append("</tbody></table>")
        if len(lines) > MAX_ROWS:
            notes = (f"{len(lines) - MAX_ROWS} more rows are not shown.", *notes)
    parts.extend(f'<div style="{_QUIET}">{_text(note)}</div>' for note in notes)
    return "".join([*parts, "</div>"])


def _cells(values: Sequence[object], tag: str) -> str:
    weight = ";font-weight:500" if tag == "th" else ""
    # a short cell, such as a number with its range, stays on one line
    return "".join(
        f'<{tag} style="{_CELL};{_LINE}{weight}{_KEEP if len(str(value)) <= SHORT else _WIDE}">{_text(value)}</{tag}>'
        for value in values
    )


def _text(value: object) -> str:
    shown = f"{value:.4g}" if isinstance(value, float) else str(value)
    return escape(shown if len(shown) <= MAX_TEXT else f"{shown[: MAX_TEXT - 1]}…")


# figures are drawn on white; in the dark their lightness is turned over and their hues are kept
_STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.55 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1.2rem}
h1{font-size:1.45rem;line-height:1.35}h2{font-size:1.15rem;margin-top:2.2rem}
figure{margin:1.2rem 0}figcaption,table{font-size:.92rem}
img,figure svg{max-width:100%;height:auto;background:#fff}
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}
th,td{text-align:left;padding:.3rem .7rem;border-bottom:1px solid #8886;vertical-align:top}
pre{white-space:pre-wrap;font-size:.85rem}
@media (prefers-color-scheme:dark){img,figure svg{filter:invert(.925) hue-rotate(180deg)}}
"""


def document(title: str, parts: Iterable[str], more: str = "") -> str:
    """One HTML page that needs no other file, on light and on dark screens; ``more`` is CSS of its own."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}{more}</style></head><body>{''.join(parts)}</body></html>\n"
    )


SIZE = (420.0, 110.0)
"""Width and height of a sketch."""


def sketch(times: np.ndarray, values: np.ndarray, label: str, unit: str) -> str:
    """A curve as a small picture in SVG, for ``_repr_html_``; nothing where it would be a point or is not finite.

    Args:
        times: along the horizontal axis.
        values: 0 is the lower edge of the picture, unless some are negative.
        label: what the values are.
        unit: the unit of the times.
    """
    if len(times) < 2 or not np.all(np.isfinite(values)):
        return ""
    (width, height), (low, high) = SIZE, (min(0.0, float(values.min())), float(values.max()))
    across = (times - times[0]) / (times[-1] - times[0]) * width
    down = height - (values - low) / ((high - low) or 1.0) * height
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True))
    words = f"{label}, {high:.3g} to {values[-1]:.3g}; {times[0]:.4g} to {times[-1]:.4g} ({unit})"
    return (
        f'<svg width="{width + 2:g}" height="{height + 4:g}" viewBox="-1 -2 {width + 2:g} {height + 4:g}" role="img" '
        f'aria-label="{escape(words, quote=True)}" style="display:block;margin:.4em 0;max-width:100%">'
        f'<path d="M0 {height:g}H{width:g}" stroke="currentColor" stroke-opacity=".35"/>'
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="1.6"/></svg>'
        f'<div style="{_QUIET}">{_text(words)}</div>'
    )


def shape_in_words(value: Array | tuple[Array, ...]) -> str:
    """The shape of an array, or of one per layer."""
    return " ".join("×".join(map(str, np.shape(a))) for a in (value if isinstance(value, tuple) else (value,)))


def ends_in_words(loss: np.ndarray) -> str:
    """The first and the last loss."""
    first, last = (float(np.mean(part)) for part in (loss[..., 0], loss[..., -1]))
    return f"{first:.4g} at the beginning, {last:.4g} at the end{', mean over seeds' if loss.ndim > 1 else ''}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line for each row of a table, with columns as wide as their widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def brief(described: object, **shown: str) -> str:
    """A frozen description as one would write it, without arguments that have their default.

    ``shown`` stands for values that would print their place in memory or thousands of numbers, by the field's name.
    """
    if not is_dataclass(described):
        return f"{type(described).__name__}()"
    written = [
        f"{f.name}={shown.get(f.name) or repr(getattr(described, f.name))}"
        for f in fields(described)
        if f.repr and not _default(getattr(described, f.name), f.default)
    ]
    return f"{type(described).__name__}({', '.join(written)})"


def _default(value: object, default: object) -> bool:
    same = value is default or value == default
    return bool(same) if isinstance(same, bool) else False

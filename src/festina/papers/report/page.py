"""The page: one file of HTML with its style and its figures inside, which asks nothing of the network."""

import base64
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from festina.papers.chapters import CHAPTERS, chapter
from festina.papers.claims import KINDS, RELATIONS, SYMBOLS
from festina.papers.format import duration, number, pair, value
from festina.papers.report.bibliography import readable, short
from festina.papers.report.prose import paragraphs, prose
from festina.papers.strip import strip
from festina.papers.table import besides, row, split_caption, summary

if TYPE_CHECKING:
    from jinja2 import Template

NAMES = ("blue", "vermillion", "green", "purple", "amber", "sky")
"""Names of the colours of the figures, for the style to use."""


def page(metadata: Mapping[str, Any], figures: Mapping[str, bytes]) -> str:
    """The whole report as HTML, from its metadata and the figures by experiment."""
    from festina.plot import COLOURS

    colours = ":root{" + "".join(f"--{name}:{colour};" for name, colour in zip(NAMES, COLOURS, strict=False)) + "}\n"
    captions = [split_caption(e.get("caption", "")) for e in metadata["experiments"]]
    experiments = [
        {**e, "finding": finding, "panels": panels}
        for e, (finding, panels) in zip(metadata["experiments"], captions, strict=True)
    ]
    at = datetime.fromisoformat(metadata["written"])
    attention = any(e["problem"] or any(c["status"] != c["expected"] for c in e["claims"]) for e in experiments)
    return _template().render(
        **{**metadata, "experiments": experiments},
        chapters=_chapters(experiments),
        exceptions=[e for e in experiments if any(c["status"] != "holds" for c in e["claims"])],
        attention=attention or not all(erratum["shown"] for erratum in metadata["errata"]),
        figures={name: _image(figure) for name, figure in figures.items() if figure},
        style=colours + files("festina.papers.report").joinpath("style.css").read_text(encoding="utf-8"),
        date=f"{at.day} {at:%B %Y, %H:%M} UTC",
        filters=_filters([claim for e in experiments for claim in e["claims"]]),
        summary={kind: summary({kind: metadata["counts"][kind]}) for kind in KINDS},
    )


def _papers(claims: list[dict[str, Any]]) -> list[str]:
    """Keys of the sources that some claims name, in the order of the list of references."""
    return [key for key in short() if any(key in claim["source"] for claim in claims)]


def _filters(claims: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Filters of claims: verdict, kind and paper, each with the words of its options."""
    found, kinds = {c["status"] for c in claims}, {c["kind"] for c in claims}
    return {
        "verdict": {status: status for status in SYMBOLS if status in found},
        "kind": {kind.replace(" ", "-"): kind for kind in KINDS if kind in kinds},
        "paper": {key: short()[key] for key in _papers(claims)},
    }


def _chapters(experiments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The chapters that have experiments, and at the end the user's files."""
    found = []
    for part in (*CHAPTERS, None):
        inside = [e for e in experiments if chapter(e["name"]) is part]
        if inside:
            known = {"title": "Your own experiments", "claimed": ""} if part is None else vars(part)
            found.append({**known, "id": f"chapter-{len(found) + 1}", "experiments": inside})
    return found


def _image(figure: bytes) -> dict[str, Any]:
    width, height = (int.from_bytes(figure[i : i + 4], "big") for i in (16, 20))
    return {"data": base64.b64encode(figure).decode(), "width": width, "height": height}


@lru_cache(maxsize=1)
def _template() -> "Template":
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters |= {
        "prose": lambda text: Markup(prose(text)),
        "linked": lambda text: Markup(prose(text, short())),
        "paragraphs": lambda text: Markup(paragraphs(text, short())),
        "duration": duration,
        "number": number,
        "value": value,
    }
    environment.globals |= {
        "row": row,
        "papers": _papers,
        "besides": besides,
        "strip": lambda claim: Markup(strip(claim)),
        "readable": readable,
        "symbols": SYMBOLS,
        "kinds": KINDS,
        "anchor": lambda experiment, claim: f"{experiment['name']}.{claim['name']}".replace(" ", "-"),
        "measured": lambda claim: pair(claim["measured"], claim["error"] or 0.0, claim["bound"])[0],
        "bound": lambda c: f"{RELATIONS[c['relation']]} {pair(c['measured'], c['error'] or 0.0, c['bound'])[1]}",
    }
    return environment.from_string(files("festina.papers.report").joinpath("page.html").read_text(encoding="utf-8"))

"""The table of errata, from what ``festina report`` measures of each."""

import json
from pathlib import Path

from gallery import digest

from festina.papers.errata.measure import measured
from festina.papers.format import number
from festina.papers.table import escape, markdown

HEADS = ("where", "printed", "correct", "reference solution", "error as printed", "error as corrected")


def write(path: Path) -> None:
    """Where, what is printed, what is right, and how far both are from a reference solution."""
    store = path.with_suffix(".json")
    found = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
    if found.get("digest") != digest(Path(__file__)):
        found = {"digest": digest(Path(__file__)), "errata": measured()["errata"]}
        store.write_text(json.dumps(found), encoding="utf-8")
    rows = [
        [*(escape(e[name]) for name in ("where", "printed", "correct", "reference")),
         number(e["printed_error"]), number(e["correct_error"])]
        for e in found["errata"]
    ]  # fmt: skip
    path.write_text(markdown(HEADS, rows), encoding="utf-8")

"""The table of slips in print, from what ``festina report`` measures of each."""

import json
from pathlib import Path

from evidence import number, prose
from gallery import digest

from festina.papers.errata._measure import measured


def write(path: Path) -> None:
    """Where, what is printed, what is right, and how far both are from a judge that knows neither."""
    store = path.with_suffix(".json")
    found = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
    if found.get("digest") != digest(Path(__file__)):
        found = {"digest": digest(Path(__file__)), "slips": measured()["slips"]}
        store.write_text(json.dumps(found), encoding="utf-8")
    rows = [
        f"| {prose(slip['where'])} | {prose(slip['printed'])} | {prose(slip['correct'])} | {prose(slip['judge'])} "
        f"| {number(slip['printed_error'])} | {number(slip['correct_error'])} |"
        for slip in found["slips"]
    ]
    head = [
        "| where | printed | correct | judged by | error of the printed | of the correct |",
        "|---|---|---|---|---:|---:|",
    ]
    path.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")

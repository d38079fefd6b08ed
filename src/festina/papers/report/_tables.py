"""Tables of the page: claims, settings, slips. On a narrow screen every row becomes a card, its cells named."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from festina.papers.report._bibliography import short
from festina.papers.report._words import number, pair, prose, setting

SIGNS = {"<=": "≤", ">=": "≥"}
MARKS = {"holds": "✓", "fails": "✗", "open": "?"}

LEANING = re.compile(r"^((and|so|but|nor|yet|they|it|the same)\b|(\w+ ){1,2}too\b)|\(the same\b", re.IGNORECASE)
"""How a statement begins, or what it says, that goes on from the one before it."""

Cell = tuple[str, str]
"""The class of a cell, and its content as HTML."""


def verdict(status: str) -> str:
    """A verdict by sign and word, so that nobody depends on its colour."""
    return (
        f'<span class="verdict {status}"><span class="sign" aria-hidden="true">{MARKS[status]}</span> {status}</span>'
    )


def anchor(experiment: str, claim: str) -> str:
    """The id of a claim's row, for links."""
    return escape(f"{experiment}.{claim}".replace(" ", "-"), quote=True)


def table(heads: Sequence[str], rows: Iterable[str], label: str, kind: str) -> str:
    """A table; its roles are said again, for where the style makes cards of the rows they would be lost."""
    top = "".join(f'<th scope="col" role="columnheader">{head}</th>' for head in heads)
    return (
        f'<table role="table" class="{kind}" aria-label="{escape(label, quote=True)}"><thead role="rowgroup">'
        f'<tr role="row">{top}</tr></thead>\n<tbody role="rowgroup">\n' + "\n".join(rows) + "\n</tbody></table>"
    )


def row(heads: Sequence[str], cells: Sequence[Cell], name: str = "", kind: str = "") -> str:
    """A row whose cells know their heads."""
    inside = "".join(
        f'<td role="cell" data-head="{head}"{_given("class", of)}>{content}</td>'
        for head, (of, content) in zip(heads, cells, strict=True)
    )
    return f'<tr role="row"{_given("id", name)}{_given("class", kind)}>{inside}</tr>'


def _given(attribute: str, value: str) -> str:
    return f' {attribute}="{value}"' if value else ""


CLAIM = ("claim", "measured", "bound", "verdict", "we stand by", "source")


def claims(experiment: Mapping[str, Any]) -> str:
    """All claims of an experiment."""
    rows = [row(CLAIM, _claim(c), anchor(experiment["name"], c["name"]), _kind(c)) for c in experiment["claims"]]
    return table(CLAIM, rows, f"Claims of {experiment['name']}", "claims")


def standing_out(experiments: Iterable[Mapping[str, Any]]) -> str:
    """The claims that fail or are open, experiment by experiment."""
    rows = []
    for e in experiments:
        out = [c for c in e["claims"] if c["status"] != "holds"]
        if not out:
            continue
        head = f'<a href="#{escape(e["name"], quote=True)}">{escape(e["name"])}</a> {prose(e["question"])}'
        rows.append(f'<tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="6">{head}</th></tr>')
        for c in out:
            link = (
                f'<a class="quiet" href="#{anchor(e["name"], c["name"])}">{_statement(c)}</a>{_before(e["claims"], c)}'
            )
            rows.append(row(CLAIM, [("statement", link), *_claim(c)[1:]], kind=_kind(c)))
    return table(CLAIM, rows, "Claims that fail or are open", "claims")


def _claim(claim: Mapping[str, Any]) -> list[Cell]:
    measured, bound = pair(claim["measured"], claim["error"] or 0.0, claim["bound"])
    stands = claim["stands"] if claim["stands"] == claim["status"] else f"<strong>differs: {claim['stands']}</strong>"
    return [
        ("statement", _statement(claim)),
        ("number", measured),
        ("number", f"{SIGNS[claim['relation']]} {bound}"),
        ("", verdict(claim["status"])),
        ("", stands),
        ("source", prose(claim["source"], short())),
    ]


def _statement(claim: Mapping[str, Any]) -> str:
    text = claim["statement"]
    return prose(text[:1].upper() + text[1:] if re.match(r"[a-z]+ ", text) else text)


def _before(claims: Sequence[Mapping[str, Any]], claim: Mapping[str, Any]) -> str:
    """The claims that a claim goes on from, where it does not stand alone."""
    at = claims.index(claim)
    first = at
    while first and LEANING.search(claims[first]["statement"]):
        first -= 1
    told = "; ".join(prose(c["statement"]) for c in claims[first:at])
    return f'<span class="before">after: {told}</span>' if told else ""


def _kind(claim: Mapping[str, Any]) -> str:
    return "surprise" if claim["status"] != claim["stands"] else ""


SETTING = ("setting", "value", "meaning")


def settings(experiment: Mapping[str, Any]) -> str:
    """Settings with their meaning."""
    rows = [
        row(SETTING, [("", f"<code>{escape(s['name'])}</code>"), ("number", escape(setting(s["value"]))),
                      ("", prose(s["meaning"]))])
        for s in experiment["settings"]
    ]  # fmt: skip
    return table(SETTING, rows, f"Settings of {experiment['name']}", "settings")


SLIP = ("where", "printed", "right", "judged by", "error as printed", "error as corrected", "passes up to")


def slips(found: Iterable[Mapping[str, Any]]) -> str:
    """The errata, with the numbers that show each."""
    rows = []
    for slip in found:
        errors = [number(slip[of]) for of in ("printed_error", "correct_error")]
        told = ""
        if not slip["shown"]:
            reason = f"could not be measured: {slip['problem']}" if slip["problem"] else "not shown by these numbers"
            told = f' <strong class="problem">{escape(reason)}</strong>'
        rows.append(row(SLIP, [
            ("where", prose(slip["where"], short()) + told), ("formula", prose(slip["printed"])),
            ("formula", prose(slip["correct"])), ("", prose(slip["judge"])), ("number", errors[0]),
            ("number", errors[1]), ("number", number(slip["bound"])),
        ], kind="" if slip["shown"] else "surprise"))  # fmt: skip
    return table(SLIP, rows, "Errata", "slips")


GLANCE = ("experiment", "question", "claims", "time")


def glance(experiments: Iterable[Mapping[str, Any]], duration: Any) -> str:
    """All experiments with a mark for every claim, each leading to it."""
    rows = []
    for e in experiments:
        marks = "".join(
            f'<a class="mark {c["status"]}" href="#{anchor(e["name"], c["name"])}" '
            f'title="{escape(c["status"] + ": " + c["statement"], quote=True)}">'
            f'<span aria-hidden="true">{MARKS[c["status"]]}</span><span class="aside">{c["status"]}</span></a>'
            for c in e["claims"]
        )
        marks = marks or '<strong class="problem">could not be run</strong>'
        name = f'<a href="#{escape(e["name"], quote=True)}">{escape(e["name"])}</a>'
        cells = [("name", name), ("", prose(e["question"])), ("marks", marks), ("number", duration(e["seconds"]))]
        rows.append(row(GLANCE, cells))
    return table(GLANCE, rows, "Experiments", "glance")

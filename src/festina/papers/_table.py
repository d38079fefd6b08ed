"""The table of claims, as a page."""

from collections.abc import Mapping
from typing import Any

from festina.papers._experiment import find

HEAD = """# Claims and verdicts

Every claim of the papers that an experiment decides, as measured at full settings. A claim *holds* or *fails* by the
bound beside it and is *open* where the bound is within two standard errors. Written by `make claims`; run one yourself
with `festina run NAME`.
"""

SIGNS = {"<=": "≤", ">=": "≥"}


def render(facts: Mapping[str, Any]) -> str:
    """Markdown: per experiment its question, its figure, its claims and its settings."""
    counts = {s: sum(c["status"] == s for f in facts.values() for c in f["claims"]) for s in ("holds", "fails", "open")}
    parts = [HEAD, ", ".join(f"{count} {status}" for status, count in counts.items()) + ".\n"]
    for name, fact in facts.items():
        experiment = find(name)
        claims = {claim.name: claim for claim in experiment.claims}
        rows = [
            f"| {_cell(c['statement'])} | {_number(c['measured'])}{_spread(fact, c['name'])} "
            f"| {SIGNS[claim.relation]} {_number(c['bound'])} "
            f"| **{c['status']}** | {_cell(claim.source)} |"
            for c, claim in ((c, claims[c["name"]]) for c in fact["claims"])
        ]
        settings = ", ".join(f"{k} = {_value(v)}" for k, v in fact["settings"].items())
        parts += [
            f"## {name}\n",
            f"{experiment.question}\n",
            f"![{name}](figures/{name}.png)\n",
            "| claim | measured | bound | verdict | source |\n|---|---:|---:|---|---|\n" + "\n".join(rows) + "\n",
            f"Settings: {settings}. {fact['seconds']} s on two cores.\n",
        ]
    return "\n".join(parts)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _spread(fact: Mapping[str, Any], claim: str) -> str:
    """± the standard error, where the claim has one."""
    error = fact.get("errors", {}).get(claim)
    return f" ± {error:.2g}" if error else ""


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def _value(value: Any) -> str:
    return (
        ", ".join(f"({_value(v)})" if isinstance(v, list) else _value(v) for v in value)
        if isinstance(value, list)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )

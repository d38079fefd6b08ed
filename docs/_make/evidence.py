"""The pages of the experiments, from their files and from what was measured (``claims.json``)."""

import json
import re
from pathlib import Path
from typing import Any

from festina.papers import Experiment, find, names

SIGNS = {"<=": "≤", ">=": "≥"}


def prose(text: str) -> str:
    """Text of the code as Markdown: what stands between backticks stays, other signs are meant as they are."""
    parts = re.split(r"(``.*?``|`.*?`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else re.sub(r"([\\*|$_<\[\]])", r"\\\1", part) for part in parts)


def value(given: Any) -> str:
    """A setting as one would type it."""
    if isinstance(given, list | tuple):
        return ", ".join(f"({value(v)})" if isinstance(v, list | tuple) else value(v) for v in given)
    return f"{given:g}" if isinstance(given, float) else str(given)


def number(measured: float | None, error: float | None = None) -> str:
    """Four digits, and the standard error where there is one."""
    return "–" if measured is None else f"{measured:.4g}" + (f" ± {error:.2g}" if error else "")


def answer(experiment: Experiment) -> str:
    """The docstring between the question and the sources, paragraph by paragraph."""
    body = experiment.doc[len(experiment.question) : experiment.doc.rindex("Source:")]
    return "\n\n".join(prose(paragraph) for paragraph in body.split("\n\n") if paragraph.strip())


def page(name: str, facts: dict[str, Any]) -> str:
    """Markdown: question, figure, answer, claims with what was measured, settings."""
    experiment = find(name)
    declared = {claim.name: claim for claim in experiment.claims}
    claims = [
        f"| {prose(c['statement'])} | {number(c['measured'], facts.get('errors', {}).get(c['name']))} "
        f"| {SIGNS[declared[c['name']].relation]} {number(c['bound'])} | **{c['status']}** "
        f"| {prose(declared[c['name']].source)} |"
        for c in facts["claims"]
    ]
    quick = experiment.module.quick
    settings = [
        f"| `{key}` | {value(given)} | {value(getattr(quick, key))} | {prose(experiment.fields()[key][1])} |"
        for key, given in facts["settings"].items()
    ]
    sources = ", ".join(f"[{key}](#ref-{key})" for key in experiment.citations)
    lines = [
        f"# {name}",
        f"**{prose(experiment.question)}**",
        f"![what the experiment {name} finds](../../figures/{name}.png)",
        answer(experiment),
        f"Sources: {sources}. Run it with `festina run {name}` ({facts['seconds']:g} s on two cores), or "
        "with `--quick` in a few seconds.",
        "## Claims",
        "| claim | measured | bound | verdict | source |\n|---|---:|---:|---|---|\n" + "\n".join(claims),
        "## Settings",
        "| setting | value | quick | meaning |\n|---|---|---|---|\n" + "\n".join(settings),
    ]
    return "\n\n".join(line for line in lines if line) + "\n"


def write(folder: Path, store: Path) -> None:
    """One file per experiment that has been measured, and the table of all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = json.loads(store.read_text(encoding="utf-8"))
    rows = []
    for name in (name for name in names() if name in facts):
        (folder / f"{name}.md").write_text(page(name, facts[name]), encoding="utf-8")
        verdicts = [claim["status"] for claim in facts[name]["claims"]]
        counts = " | ".join(str(verdicts.count(s) or "") for s in ("holds", "fails", "open"))
        rows.append(f"| [{name}](generated/experiments/{name}.md) | {prose(find(name).question)} | {counts} |")
    table = "| experiment | question | holds | fails | open |\n|---|---|---:|---:|---:|\n" + "\n".join(rows) + "\n"
    (folder.parent / "experiments.txt").write_text(table, encoding="utf-8")

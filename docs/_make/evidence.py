"""The pages of the experiments, from their files and from what was measured (``claims.json``)."""

import json
import re
from pathlib import Path
from typing import Any

from claims import authors, listing

from festina.papers import find, names
from festina.papers.chapters import CHAPTERS
from festina.papers.format import duration, value
from festina.papers.settings import described
from festina.papers.table import (
    caption_markdown,
    command,
    counts,
    counts_markdown,
    escape,
    machine_of,
    markdown,
    split_caption,
    stored,
    summary,
)

HERE = Path(__file__).parent.parent
"""The folder of the documentation."""


def alt(name: str) -> str:
    """What a figure shows, for those who do not see it: the finding of its caption."""
    return re.sub(r"[\[\]]", "", split_caption(find(name).module.caption)[0])


def whole(name: str) -> list[str]:
    """The figure with all panels, folded, where pages show the main ones."""
    if not (HERE / "figures" / f"{name}_all.png").exists():
        return []
    image = f"![All panels: {alt(name)}](../../figures/{name}_all.png)"
    return [f"<details><summary>All panels</summary>\n\n{image}\n\n</details>"]


def page(name: str, facts: dict[str, Any]) -> str:
    """Markdown: question, figure with its caption, answer, claims with what was measured, settings."""
    experiment = find(name)
    answer = [escape(paragraph) for paragraph in experiment.answer.split("\n\n") if paragraph.strip()]
    quick, told = experiment.module.quick, described(experiment.module.Settings)
    settings = [
        (f"`{key}`", value(given), value(getattr(quick, key)), escape(f"{told[key]} {told[key].range}".strip()))
        for key, given in facts["settings"].items()
    ]
    years = authors()
    took = f"{duration(facts['seconds'])} on {machine_of(facts)}"
    sources = ", ".join(f"[{years.get(key, key)}](#ref-{key})" for key in experiment.citations)
    lines = [
        f"# {escape(experiment.question)}",
        f"![{alt(name)}](../../figures/{name}.png)",
        caption_markdown(experiment),
        *whole(name),
        *answer,
        f"Sources: {sources}. Run it with `{command(experiment, facts)}` ({took}), or with `--quick` alone in a few "
        "seconds.",
        "## Claims",
        listing(stored(name, facts), years, "../"),
        "## Settings",
        markdown(("setting", "value", "quick", "meaning"), settings),
    ]
    return "\n\n".join(lines) + "\n"


def write(folder: Path, store: Path) -> None:
    """One file per experiment that has been measured, and the list of all of them, chapter by chapter."""
    captions = folder.parent / "captions"
    for each in (folder, captions):
        each.mkdir(parents=True, exist_ok=True)
    for page_of_before in folder.glob("*.md"):
        page_of_before.unlink()
    for name in names():
        shown = f"![{alt(name)}](../figures/{name}.png)\n\n{caption_markdown(find(name))}\n"
        (captions / f"{name}.txt").write_text(shown, encoding="utf-8")
    facts = json.loads(store.read_text(encoding="utf-8"))
    found = counts(each for name in facts for each in stored(name, facts[name]))
    (folder.parent / "counts.txt").write_text(counts_markdown(found), encoding="utf-8")
    parts = [summary(found) + "\n"]
    for at, part in enumerate(CHAPTERS, 1):
        rows = []
        for name in (name for name in part.names if name in facts):
            (folder / f"{name}.md").write_text(page(name, facts[name]), encoding="utf-8")
            verdicts = [claim["status"] for claim in facts[name]["claims"]]
            numbers = [str(verdicts.count(s) or "") for s in ("holds", "fails", "open")]
            rows.append((f"[{escape(find(name).question)}](generated/experiments/{name}.md)", f"`{name}`", *numbers))
        parts += [
            f"## {at}. {part.title}\n",
            f"{part.claimed}\n\n{part.found} {part.limits}\n",
            markdown(("question", "experiment", "holds", "fails", "open"), rows),
        ]
    order = [f"generated/experiments/{name}" for part in CHAPTERS for name in part.names if name in facts]
    parts.append("\n".join(["```{toctree}", ":hidden:", "", *order, "```", ""]))
    (folder.parent / "experiments.txt").write_text("\n".join(parts), encoding="utf-8")

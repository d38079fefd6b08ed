"""Claims as rows of text: what the table of claims, the command line, the report and the documentation all show."""

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from festina.papers.chance import flip
from festina.papers.chapters import CHAPTERS
from festina.papers.claims import KINDS, RELATIONS, SYMBOLS, Baseline, Claim, Verdict, fill, verdict
from festina.papers.experiment import Experiment, find
from festina.papers.format import chance, duration, number, pair, value
from festina.papers.settings import DataclassInstance, described, in_steps, reduced
from festina.storage.store import save

Record = Mapping[str, Any]  # stored record of a claim or of an experiment: plain data
HEAD = """# Claims and verdicts

Each claim has a number that was measured at full settings, and a bound. The claim *holds* or *fails* by its bound. It
is *open* if the number is nearer to its bound than two standard errors over seeds. `make claims` writes this page;
`festina run NAME` runs one experiment.

There are four kinds. A *paper* claim is a sentence, figure or equation of a source document: `jarvis2025`,
`vanrossem2024` or `saxe_lecture`. An *other paper* claim is from a paper that these build on, or from a later one. We
covered every part of the source documents but chose the claims of other papers, so the two are counted separately. An
*extension* is our own question. An *identity* is true by construction and checks the code.

**Worst of n.** Some claims are about every network. The number is then that of the worst of n networks, without a
standard error. Such a claim holds if this network is within the bound, fails if it is not, and is never open.

**Flips** is the chance that other random seeds would change the verdict. For a mean ± its standard error it is the
probability, under a normal distribution, that the true value lies across the bound; at two standard errors it is 2.3 %.
For a claim that holds for the worst of n networks it is at most 1/(n + 1), the chance that one more network would be
the worst. This is large where few networks were trained: 25 % for three. If one network has refuted a claim, more
networks cannot repair it, and the chance is 0. A dash means that all networks give exactly
the same number, or that no seed enters: the number comes from equations, or counts tasks, architectures or gating
patterns.

**Settings** are *published* where we used the paper's own. They are *reduced* where we used smaller ones; the line
below the table then gives the paper's. A dash means that the paper gives none.

**Numbers in parentheses** are reference values. *Two networks* is the noise floor: the same measure between two trained
networks that differ only in their random seed, averaged over pairs (*two draws*: between two draws of the data). With
"0.010 (two networks: 0.022)", the theory is nearer to a network than another network is. Other
reference values are those of simple predictors that a theory has to beat. Of several predictors the best is given, or,
for claims about networks, the one nearest to the network. An area between two loss curves below 0.05 cannot be seen in
a figure.
"""

COUNTS_BEGIN = "<!-- counts of claims: written by make claims -->"
COUNTS_END = "<!-- end of counts -->"  # lines of a page between which the counts stand
TWO_CORES = "two cores"  # the machine of an ordinary user; what was made on another is named


class Row(NamedTuple):
    """A claim as text, column by column."""

    claim: str
    kind: str
    measured: str
    bound: str
    verdict: str
    expected: str
    source: str
    flips: str
    settings: str


def record(decided: Verdict, claim: Claim, settings: DataclassInstance | None) -> dict[str, Any]:
    """A verdict as plain data, with where its bound and its baseline come from."""
    return decided.to_json() | declared(claim, settings)


def declared(claim: Claim, settings: DataclassInstance | None) -> dict[str, Any]:
    """Description of a claim besides its verdict, at these settings; of a stored claim, in the present words."""
    names = (each.name if isinstance(each, Baseline) else "" for each in (claim.baseline, claim.floor))
    beside, between = (fill(name, settings) for name in names)
    said = {"kind": claim.kind, "statement": fill(claim.statement, settings), "expected": claim.expected}
    reason = fill(claim.reason, settings)
    changed = reduced(settings) if claim.kind == "paper" and settings is not None else None
    at = "" if changed is None else "reduced" if changed else "published"
    return said | {"source": claim.source, "reason": reason, "beside": beside, "between": between, "at": at}


def besides(found: Record) -> list[str]:
    """References for the number of a record: a simple predictor and two networks, if there are any."""
    predictor = ", ".join(filter(None, (found["beside"], found.get("chosen"))))
    pairs = (predictor, found.get("baseline")), (found.get("between"), found.get("floor"))
    return [f"{name}: {number(each)}" for name, each in pairs if name and each is not None]


def row(found: Record) -> Row:
    """The row of a record."""
    measured, bound = pair(found["measured"], found["error"] or 0.0, found["bound"])
    if beside := besides(found):
        measured += f" ({'; '.join(beside)})"
    bound = f"{RELATIONS[found['relation']]} {bound}" + (f": {found['reason']}" if found["reason"] else "")
    told = f"{SYMBOLS[found['status']]} {found['status']}"
    expected = "" if found["status"] == found["expected"] else f"expected: {found['expected']}"
    worst, holds = found.get("worst_of") or 0, found["status"] == "holds"
    flips = chance(flip(found["measured"], found["error"] or 0.0, found["bound"], worst, holds))
    flips = f"≤ {flips}" if worst and holds else flips
    measured += f" (worst of {worst})" if worst else ""
    claim, kind, source, at = (found.get(name) or "–" for name in ("statement", "kind", "source", "at"))
    return Row(claim, kind, measured, bound, told, expected, source, flips, at)


def counts(records: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """How many claims of each kind hold, fail and are open."""
    found: dict[str, dict[str, int]] = {kind: dict.fromkeys(map(str, SYMBOLS), 0) for kind in KINDS}
    for each in records:
        found[each["kind"]][each["status"]] += 1
    return found


def summary(found: Mapping[str, Mapping[str, int]]) -> str:
    """The counts in sentences, kind by kind."""
    return " ".join(
        f"{words.split(':')[0].capitalize()}: {n['holds']} of {sum(n.values())} hold, {n['fails']} fail, "
        f"{n['open']} open."
        for kind, words in KINDS.items()
        if any((n := found.get(kind, {})).values())
    )


def counts_markdown(found: Mapping[str, Mapping[str, int]]) -> str:
    """The counts as a table, a line per kind."""
    rows = [
        (words.split(":")[0], str(sum(found[kind].values())), *(str(found[kind][status]) for status in SYMBOLS))
        for kind, words in KINDS.items()
    ]
    return markdown(("kind of claim", "claims", *(f"{sign} {status}" for status, sign in SYMBOLS.items())), rows)


def write_counts(page: Path, found: Mapping[str, Mapping[str, int]]) -> None:
    """Write the counts into a page, between the lines that mark where they stand."""
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(COUNTS_BEGIN, 1)
    _, after = rest.split(COUNTS_END, 1)
    save("page", page, f"{before}{COUNTS_BEGIN}\n{counts_markdown(found)}{COUNTS_END}{after}")


def escape(text: str) -> str:
    """Text of the code as Markdown in a cell: what is between backticks stays, other signs are meant as they are."""
    parts = re.split(r"(``.*?``|`.*?`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else re.sub(r"([\\*|$_<\[\]])", r"\\\1", part) for part in parts)


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(cells) + " |" for cells in rows)]) + "\n"


def claims_markdown(records: Iterable[Mapping[str, Any]]) -> str:
    """The table of an experiment's claims."""
    heads = ("claim", "kind", "settings", "measured", "bound", "verdict", "flips", "source")
    rows = [row(each)._asdict() for each in records]
    said = [{**r, **{name: escape(r[name]) for name in ("claim", "bound", "flips", "source")}} for r in rows]
    return markdown(heads, [[f"**{r[name]}**" if name == "verdict" else r[name] for name in heads] for r in said])


def caption_markdown(experiment: Experiment) -> str:
    """A caption with its first sentence, the finding, in bold."""
    finding, panels = split_caption(experiment.module.caption)
    return f"**{escape(finding)}** {escape(panels)}{in_steps(experiment.settings())}"


def split_caption(caption: str) -> tuple[str, str]:
    """The sentence with the finding, and the panels."""
    finding, stop, panels = caption.partition(". (")
    return (f"{finding}.", f"({panels}") if stop else (caption, "")


def settings_of(experiment: Experiment, settings: DataclassInstance) -> list[dict[str, Any]]:
    """Name, value and meaning of every setting."""
    told = described(settings)
    found = dataclasses.asdict(settings)
    return [{"name": name, "value": found[name], "meaning": str(told[name])} for name in found]


def recorded(experiment: Experiment, fact: Record) -> DataclassInstance:
    """The settings of a record; those that it does not have are the usual ones."""
    usual = experiment.settings()
    names = {item.name for item in dataclasses.fields(usual)}
    return dataclasses.replace(usual, **{k: _tuples(v) for k, v in fact["settings"].items() if k in names})


def _tuples(found: object) -> Any:
    return tuple(map(_tuples, found)) if isinstance(found, list) else found


def command(experiment: Experiment, fact: Record) -> str:
    """The command for the settings of a record."""
    usual, made = (dataclasses.asdict(each) for each in (experiment.settings(), recorded(experiment, fact)))
    return f"festina run {experiment.name}" + flags({k: v for k, v in made.items() if v != usual[k]})


def flags(given: Mapping[str, Any]) -> str:
    """Settings as options of the command line, each with a space before it."""
    return "".join(f" --{key.replace('_', '-')} {value(found).replace(', ', ',')}" for key, found in given.items())


def stored(name: str, facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The records of an experiment from what was stored of its last full run."""
    experiment = find(name)
    claims, settings = {claim.name: claim for claim in experiment.claims}, recorded(experiment, facts)
    return [each | _decided(each, claims[each["name"]]) | declared(claims[each["name"]], settings)
            for each in facts["claims"]]  # fmt: skip


def _decided(found: Record, claim: Claim) -> dict[str, Any]:
    """The verdict on a stored number by the bound of today; a bound that is measured is the stored one."""
    bound = found["bound"] if callable(claim.bound) else float(claim.bound)
    measured = math.nan if found["measured"] is None else found["measured"]
    status = verdict(measured, found["error"] or 0.0, bound, claim.relation)
    return {"bound": bound, "relation": claim.relation, "status": status}


def machine_of(fact: Record) -> str:
    """Hardware that made the rows of an experiment, in words."""
    return str(fact.get("machine", TWO_CORES))


def made_on(facts: Mapping[str, Record]) -> str:
    """Sentences: how long the experiments made on two cores took together, which were made on what else, and the
    processor time of those that recorded it."""
    machines: dict[str, dict[str, float]] = {TWO_CORES: {}}
    for name, fact in facts.items():
        machines.setdefault(machine_of(fact), {})[name] = float(fact["seconds"])
    took = {machine: duration(sum(found.values())) for machine, found in machines.items()}
    here = len(machines.pop(TWO_CORES))
    said = [
        f"At full settings the {here} of {len(facts)} experiments that were run on two cores took {took[TWO_CORES]}"
    ]
    for machine, found in machines.items():
        *most, last = (f"`{name}`" for name in found)
        named = f"{', '.join(most)} and {last}" if most else last
        said.append(f"{named} {'were' if most else 'was'} run on {machine} in {took[machine]}")
    spent = [float(fact["processor"]) for fact in facts.values() if "processor" in fact]
    known = f" Processor time, recorded by {len(spent)} of them: {duration(sum(spent))}." if spent else ""
    return f"{'; '.join(said)}. Times are by the clock; where two ran at a time, each counts in full.{known}"


def render(facts: Mapping[str, Any]) -> str:
    """The page of all claims, chapter by chapter, as Markdown."""
    found = {name: stored(name, facts[name]) for name in facts}
    parts = [HEAD, summary(counts(each for records in found.values() for each in records)) + "\n"]
    parts.append(made_on(facts) + "\n")
    for at, part in enumerate(CHAPTERS, 1):
        parts += [f"## {at}. {part.title}\n", f"*The papers:* {part.claimed} *Found:* {part.found} "
                  f"*Where theory ends:* {part.limits}\n"]  # fmt: skip
        for name in (name for name in part.names if name in found):
            experiment = find(name)
            ours, papers = (
                ", ".join(f"{k} = {value(v)}" for k, v in each.items())
                for each in (facts[name]["settings"], reduced(recorded(experiment, facts[name])) or {})
            )
            parts += [
                f"### {experiment.question}\n",
                f"![{name}](figures/{name}.png)\n",
                f"{caption_markdown(experiment)}\n",
                claims_markdown(found[name]),
                f"`{command(experiment, facts[name])}`: {duration(facts[name]['seconds'])} on "
                f"{machine_of(facts[name])}. Settings: {ours}.{f' The paper has {papers}.' if papers else ''}\n",
            ]
    return "\n".join(parts)

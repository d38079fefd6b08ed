"""Run every experiment, keep what is finished, write the page."""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from festina import _check
from festina._progress import bar, shown
from festina.methods import checkpoints
from festina.papers._experiment import Experiment, locate
from festina.papers._experiment import names as all_names
from festina.papers.errata._measure import measured
from festina.papers.report._bibliography import readable
from festina.papers.report._facts import declared, errata_key, experiment_key, finished, installed
from festina.papers.report._page import page
from festina.papers.report._part import Part, Parts, put
from festina.papers.report._words import duration

ERRATA = "errata"
"""Stands among the names of the experiments for the slips of the papers."""


@dataclass(frozen=True, eq=False)
class Report:
    """A report that was written.

    Attributes:
        folder: where it is.
        facts: all that it says, as plain data: what ``report.json`` holds.
        notes: what was out of order on the way, such as a corrupt part that was made again.
    """

    folder: Path
    facts: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    @property
    def html(self) -> Path:
        """The page: one file that needs no other."""
        return self.folder / "report.html"

    @property
    def json(self) -> Path:
        """The same as data."""
        return self.folder / "report.json"

    @property
    def counts(self) -> dict[str, int]:
        """Number of claims that hold, fail and are open."""
        return dict(self.facts["counts"])

    @property
    def failures(self) -> dict[str, str]:
        """Experiments that raised an error, and which."""
        return {e["name"]: e["problem"] for e in self.facts["experiments"] if e["problem"]}

    @property
    def surprises(self) -> int:
        """Verdicts that differ from those we stand by, experiments that failed, and slips that were not shown."""
        slips = sum(not slip["shown"] for slip in self.facts["errata"])
        return self.facts["surprises"] + len(self.failures) + slips

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {status}" for status, count in self.counts.items())
        lines = [f"{counts}; {self.facts['surprises']} differ from what we stand by"]
        lines += [f"  {e['name']}: {c['statement']}: {c['status']}, we stand by {c['stands']}"
                  for e in self.facts["experiments"] for c in e["claims"] if c["status"] != c["stands"]]  # fmt: skip
        lines += [f"  {name} could not be run: {problem}" for name, problem in self.failures.items()]
        lines += [f"  slip not shown: {slip['where']}" for slip in self.facts["errata"] if not slip["shown"]]
        return "\n".join([*lines, str(self.html)])


def report(
    folder: str | os.PathLike[str],
    quick: bool = False,
    names: Sequence[str] | None = None,
    progress: bool = False,
    fresh: bool = False,
) -> Report:
    """Run every experiment and write ``report.html`` and ``report.json``.

    What is finished is kept in ``folder/parts`` at once and is not run again while its settings and the sources that
    computed it stay the same; a report that was stopped, by whatever, goes on where it was.

    Args:
        folder: where to write; made where it is not there.
        quick: small settings that run in seconds.
        names: experiments, by name or as the path of a ``.py`` file like one; ``"errata"`` stands for the slips of the
            papers. Default: all of them.
        progress: tell on stderr what is done and how long the rest will take.
        fresh: run again what is finished.

    Raises:
        ValueError: an unknown name, or a folder that cannot be written to.

    Example:
        >>> from festina.papers.report import report
        >>> found = report("out", quick=True, names=["reversal"])
        >>> found.counts, found.surprises, found.html.name
        ({'holds': 5, 'fails': 0, 'open': 0}, 0, 'report.html')
    """
    chosen = [*all_names(), ERRATA] if names is None else list(_check.listing("names", names, "experiments"))
    if not chosen:
        raise ValueError("names is empty; name an experiment (festina list), or leave it out for all.")
    parts = Parts(Path(folder) / "parts")
    run = _Run(parts, quick, [_located(name) for name in dict.fromkeys(chosen)], _teller(progress))
    parts.make()
    if fresh:
        for name in run.names:
            parts.remove(name)
    with shown(progress and sys.stderr.isatty()):
        found = run.all()
    facts = _facts(found, quick)
    figures = {name: part.figure for name, part in found.items()}
    put(Path(folder) / "report.json", (json.dumps(facts, indent=1, ensure_ascii=False) + "\n").encode())
    put(Path(folder) / "report.html", page(facts, figures).encode())
    return Report(Path(folder), facts, tuple(run.notes))


def _located(name: str) -> Experiment | None:
    """The experiment, or None for the errata."""
    if name == ERRATA:
        return None
    return locate(name if str(name).endswith(".py") else _check.known("experiment", name, [*all_names(), ERRATA]))


def _teller(progress: bool) -> Callable[[str], None]:
    def tell(text: str) -> None:
        # looked up at each call: a bar that is being shown puts itself in the place of stderr
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    return tell if progress else lambda text: None


class _Run:
    """The work, one experiment after the other."""

    def __init__(
        self, parts: Parts, quick: bool, chosen: Sequence[Experiment | None], tell: Callable[[str], None]
    ) -> None:
        self.parts, self.quick, self.chosen, self.tell = parts, quick, chosen, tell
        self.names = [ERRATA if e is None else e.name for e in chosen]
        self.notes: list[str] = []
        twice = sorted({name for name in self.names if self.names.count(name) > 1})
        if twice:
            raise ValueError(f"names has two experiments called {', '.join(twice)}; rename a file.")

    def all(self) -> dict[str, Part]:
        """Everything, by name: what is finished is read, the rest is run."""
        found: dict[str, Part] = {}
        keys: dict[str, str] = {}
        for name, experiment in zip(self.names, self.chosen, strict=True):
            try:
                keys[name] = self._key(experiment)
            except Exception as error:
                assert experiment is not None
                found[name] = Part(_failed(experiment, self.quick, error))
                self.tell(_outcome(name, found[name].facts))
                continue
            kept, problem = self.parts.load(name, keys[name])
            if problem:
                self.notes.append(f"{problem}; it is made again")
                self.tell(f"festina: {self.notes[-1]}")
            if kept is not None:
                found[name] = kept
        if found:
            self.tell(f"{len(found)} of {len(self.names)} are finished already (--fresh runs them again)")
        todo = [(name, e) for name, e in zip(self.names, self.chosen, strict=True) if name not in found]
        self._rest(todo, keys, found)
        return {name: found[name] for name in self.names}

    def _key(self, experiment: Experiment | None) -> str:
        if experiment is None:
            return errata_key()
        return experiment_key(experiment, experiment.settings(quick=self.quick))

    def _rest(
        self, todo: Sequence[tuple[str, Experiment | None]], keys: Mapping[str, str], found: dict[str, Part]
    ) -> None:
        expected = {name: self.parts.seconds(name, self.quick) for name, _ in todo}
        taken: list[float] = []
        with bar(len(self.names), "report", len(found)) as advance:
            for at, (name, experiment) in enumerate(todo, 1):
                begun = time.perf_counter()
                part = Part(measured()) if experiment is None else self._experiment(experiment)
                found[name] = part
                # what raised an error is tried again the next time
                if not any(facts["problem"] for facts in part.facts.get("slips", (part.facts,)) if "problem" in facts):
                    self.parts.save(name, keys[name], part)
                taken.append(time.perf_counter() - begun)
                guess = sum(taken) / len(taken)
                left = sum(guess if (s := expected[n]) is None else s for n, _ in todo[at:])
                hint = f"; about {duration(left)} left" if at < len(todo) else ""
                self.tell(f"[{len(found)}/{len(self.names)}] {_outcome(name, part.facts)}{hint}")
                advance(1)

    def _experiment(self, experiment: Experiment) -> Part:
        """Its part; an error is told in the part."""
        begun = time.perf_counter()
        with checkpoints(self.parts.checkpoints(experiment.name)):
            try:
                return finished(experiment.run(experiment.settings(quick=self.quick)), self.quick)
            except Exception as error:
                return Part(_failed(experiment, self.quick, error, time.perf_counter() - begun))


def _failed(experiment: Experiment, quick: bool, error: Exception, seconds: float = 0.0) -> dict[str, Any]:
    """The facts of an experiment that raised an error."""
    try:
        facts = declared(experiment, quick)
    except Exception:  # a file that cannot even be read has nothing to say
        facts = {"name": experiment.name, "question": "", "answer": "", "sources": "", "citations": [], "quick": quick,
                 "command": f"festina run {experiment.name}"}  # fmt: skip
    problem = f"{type(error).__name__}: {error}"
    return facts | {"claims": [], "settings": [], "seconds": seconds, "problem": problem}


def _outcome(name: str, facts: Mapping[str, Any]) -> str:
    """One line about a part."""
    if name == ERRATA:
        missed = sum(not slip["shown"] for slip in facts["slips"])
        told = f"{len(facts['slips'])} slips, {missed} of them not shown" if missed else f"{len(facts['slips'])} slips"
    elif facts.get("problem"):
        return f"{name}: could not be run: {facts['problem']}"
    else:
        differ = sum(claim["status"] != claim["stands"] for claim in facts["claims"])
        told = f"{len(facts['claims'])} claims, {differ or 'none'} differing from what we stand by"
    return f"{name}: {told}, {duration(facts['seconds'])}"


def _facts(found: Mapping[str, Part], quick: bool) -> dict[str, Any]:
    """All that the report says."""
    experiments = [{"problem": None, **part.facts} for name, part in found.items() if name != ERRATA]
    slips = list(found[ERRATA].facts["slips"]) if ERRATA in found else []
    claims = [claim for e in experiments for claim in e["claims"]]
    told = " ".join([*(key for e in experiments for key in e["citations"]), *(c["source"] for c in claims),
                     *(slip["where"] for slip in slips)])  # fmt: skip
    return {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "counts": {s: sum(c["status"] == s for c in claims) for s in ("holds", "fails", "open")},
        "surprises": sum(c["status"] != c["stands"] for c in claims),
        "experiments": experiments,
        "errata": slips,
        "seconds": sum(part.facts["seconds"] for part in found.values()),
        "versions": installed(),
        "devices": list(dict.fromkeys(e["device"] for e in experiments if "device" in e)),
        "references": {key: " ".join(f"{part}." for part in readable(key)) for key in _cited(told)},
    }


def _cited(text: str) -> list[str]:
    """Keys of the bibliography in a text, in the order of the bibliography."""
    from festina._reference import entries

    return [key for key in entries() if key in text]

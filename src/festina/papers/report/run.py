"""Run every experiment, keep what is finished, write the page."""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from festina.checks import check
from festina.methods import checkpoints
from festina.papers.claims import contradict
from festina.papers.errata.measure import measured
from festina.papers.experiment import Experiment, find
from festina.papers.experiment import names as all_names
from festina.papers.format import duration
from festina.papers.references import entries
from festina.papers.report.bibliography import readable
from festina.papers.report.cache import Cache, CachedResult
from festina.papers.report.metadata import declared, errata_key, experiment_key, finished, installed
from festina.papers.report.page import page
from festina.papers.table import counts, summary
from festina.runtime import bar, program, shown
from festina.runtime.pool import in_processes
from festina.storage.store import save

ERRATA = "errata"  # among the names of the experiments: the errata of the papers


@dataclass(frozen=True, eq=False)
class Report:
    """A report that was written.

    Attributes:
        folder: where it is.
        metadata: its whole content as plain data, as in ``report.json``.
        notes: problems on the way, such as a corrupt result that was computed again.
    """

    folder: Path
    metadata: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    @property
    def html(self) -> Path:
        """The page, a single self-contained file."""
        return self.folder / "report.html"

    @property
    def json(self) -> Path:
        """The same as data."""
        return self.folder / "report.json"

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """Number of claims that hold, fail and are open, by kind."""
        return dict(self.metadata["counts"])

    @property
    def failures(self) -> dict[str, str]:
        """Experiments that raised an error, and which."""
        return {e["name"]: e["problem"] for e in self.metadata["experiments"] if e["problem"]}

    @property
    def unexpected(self) -> int:
        """Verdicts that contradict the expected ones, experiments that failed, and errata that were not shown."""
        missed = sum(not erratum["shown"] for erratum in self.metadata["errata"])
        return self.metadata["contradictions"] + len(self.failures) + missed

    def __str__(self) -> str:
        against, undecided = self.metadata["contradictions"], self.metadata["undecided"]
        lines = [
            f"{summary(self.counts)} {against} verdicts contradict the expected ones; {undecided} more differ, "
            "one of the two being open."
        ]
        lines += [f"  {e['name']}: {c['statement']} {c['status']}, expected {c['expected']}"
                  for e in self.metadata["experiments"] for c in e["claims"]
                  if c["status"] != c["expected"]]  # fmt: skip
        lines += [f"  {name} could not be run: {problem}" for name, problem in self.failures.items()]
        lines += [f"  erratum not shown: {e['where']}" for e in self.metadata["errata"] if not e["shown"]]
        return "\n".join([*lines, str(self.html)])


def report(
    folder: str | os.PathLike[str],
    quick: bool = False,
    names: Sequence[str] | None = None,
    progress: bool = False,
    fresh: bool = False,
    jobs: int = 1,
) -> Report:
    """Run every experiment and write ``report.html`` and ``report.json``.

    A finished experiment is kept in ``folder/parts`` at once, and is not run again while its settings and sources stay
    the same. An interrupted report continues where it was.

    Args:
        folder: where to write; created if it does not exist.
        quick: small settings that run in seconds.
        names: experiments, by name or as the path of a ``.py`` file like one; ``"errata"`` for the errata of the
            papers. Default: all of them.
        progress: show on stderr what is done and how long the rest will take.
        fresh: run again what is finished.
        jobs: experiments that run at a time, each in a process of its own; with 1 they run in this process.

    Raises:
        ValueError: an unknown name, or a folder that cannot be written to.

    Example:
        >>> from festina.papers.report import report
        >>> found = report("out", quick=True, names=["reversal"])
        >>> found.counts["other paper"], found.unexpected, found.html.name
        ({'holds': 5, 'fails': 0, 'open': 0}, 0, 'report.html')
    """
    known = [*all_names(), ERRATA]
    asked = known if names is None else list(check.listing("names", names, "experiments"))
    if not asked:
        raise ValueError("names is empty; name an experiment (festina list), or leave it out for all.")
    cache, chosen = Cache(Path(folder) / "parts"), dict[str, Experiment | None]()
    for each in dict.fromkeys(asked):
        name = each if str(each).endswith(".py") else check.known("experiment", each, known)
        experiment = None if name == ERRATA else find(name)
        if experiment is not None and experiment.name in chosen:
            raise ValueError(f"names has two experiments called {experiment.name}; rename a file.")
        chosen[ERRATA if experiment is None else experiment.name] = experiment
    run = _Run(cache, quick, chosen, progress, check.whole("jobs", jobs))
    cache.make()
    if fresh:
        for name in chosen:
            cache.remove(name)
    with shown(progress and sys.stderr.isatty()):
        found = run.all()
    metadata = _metadata(found, quick)
    figures = {name: result.figure for name, result in found.items()}
    save("out", Path(folder) / "report.json", json.dumps(metadata, indent=1, ensure_ascii=False) + "\n")
    save("out", Path(folder) / "report.html", page(metadata, figures))
    return Report(Path(folder), metadata, tuple(run.notes))


@dataclass
class _Run:
    """The work, one experiment after the other or several at a time; None stands for the errata."""

    cache: Cache
    quick: bool
    chosen: Mapping[str, Experiment | None]
    progress: bool
    jobs: int
    notes: list[str] = field(default_factory=list)

    def tell(self, text: str) -> None:
        """A line on stderr, looked up at each call: a bar that is being shown puts itself in its place."""
        if self.progress:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

    def all(self) -> dict[str, CachedResult]:
        """Everything, by name: what is finished is read, the rest is run."""
        found: dict[str, CachedResult] = {}
        keys: dict[str, str] = {}
        for name, experiment in self.chosen.items():
            if experiment is None:
                keys[name] = errata_key()
            else:
                try:
                    keys[name] = experiment_key(experiment, experiment.settings(quick=self.quick))
                except Exception as error:
                    found[name] = CachedResult(_failed(experiment, self.quick, error))
                    self.tell(_outcome(name, found[name].metadata))
                    continue
            kept, problem = self.cache.load(name, keys[name])
            if problem:
                self.notes.append(f"{problem}; it is made again")
                self.tell(f"festina: {self.notes[-1]}")
            if kept is not None:
                found[name] = kept
        if found:
            self.tell(f"{len(found)} of {len(self.chosen)} are finished already (--fresh runs them again)")
        self._rest([name for name in self.chosen if name not in found], keys, found)
        return {name: found[name] for name in self.chosen}

    def _rest(self, todo: Sequence[str], keys: Mapping[str, str], found: dict[str, CachedResult]) -> None:
        expected = {name: self.cache.seconds(name, self.quick) for name in todo}
        taken: list[float] = []
        with bar(len(self.chosen), "report", len(found)) as advance:
            for at, (name, result, seconds) in enumerate(self._results(todo, expected), 1):
                found[name] = result
                # an experiment that raised an error is tried again the next time
                if not any(each.get("problem") for each in result.metadata.get("errata", (result.metadata,))):
                    self.cache.save(name, keys[name], result)
                taken.append(seconds)
                guess = sum(taken) / len(taken)
                rest = sum(guess if (s := expected[n]) is None else s for n in todo if n not in found)
                left = rest / min(self.jobs, max(len(todo) - at, 1))
                hint = f"; about {duration(left)} left" if at < len(todo) else ""
                self.tell(f"[{len(found)}/{len(self.chosen)}] {_outcome(name, result.metadata)}{hint}")
                advance(1)

    def _results(
        self, todo: Sequence[str], expected: Mapping[str, float | None]
    ) -> Iterator[tuple[str, CachedResult, float]]:
        """Name, result and seconds of each, as they end; several at a time, those that took longest before first."""
        one = partial(_timed, quick=self.quick, cache=self.cache)
        if min(self.jobs, len(todo)) < 2:
            yield from ((name, *one(self.chosen[name])) for name in todo)
            return
        longest = [self.chosen[name] for name in sorted(todo, key=lambda name: -(expected[name] or 0.0))]
        jobs = min(self.jobs, len(todo))
        for experiment, (result, seconds) in in_processes(one, longest, jobs, renew=not self.quick):
            yield ERRATA if experiment is None else experiment.name, result, seconds


def _timed(experiment: Experiment | None, quick: bool, cache: Cache) -> tuple[CachedResult, float]:
    """The result of an experiment, or of the errata, and the seconds it took; it shows errors too."""
    begun = time.perf_counter()
    if experiment is None:
        return CachedResult(measured()), time.perf_counter() - begun
    with checkpoints(cache.checkpoints(experiment.name)), program.running_briefly(quick):
        try:
            result = finished(experiment.run(experiment.settings(quick=quick)), quick)
        except Exception as error:
            result = CachedResult(_failed(experiment, quick, error, time.perf_counter() - begun))
    return result, time.perf_counter() - begun


def _failed(experiment: Experiment, quick: bool, error: Exception, seconds: float = 0.0) -> dict[str, Any]:
    """The metadata of an experiment that raised an error."""
    try:
        metadata = declared(experiment, quick)
    except Exception:  # a file that cannot even be read has nothing to say
        empty = dict.fromkeys(("question", "answer", "sources"), "")
        command = f"festina run {experiment.path.name}"
        metadata = {"name": experiment.name, **empty, "citations": [], "quick": quick, "command": command}
    problem = f"{type(error).__name__}: {error}"
    return metadata | {"claims": [], "settings": [], "seconds": seconds, "problem": problem}


def _outcome(name: str, metadata: Mapping[str, Any]) -> str:
    """One line about a result."""
    if name == ERRATA:
        missed = sum(not erratum["shown"] for erratum in metadata["errata"])
        told = f"{len(metadata['errata'])} errata" + (f", {missed} of them not shown" if missed else "")
    elif metadata.get("problem"):
        return f"{name}: could not be run: {metadata['problem']}"
    else:
        against = sum(contradict(claim["status"], claim["expected"]) for claim in metadata["claims"])
        told = f"{len(metadata['claims'])} claims, {against or 'no'} contradiction{'s' * (against != 1)}"
    return f"{name}: {told}, {duration(metadata['seconds'])}"


def _metadata(found: Mapping[str, CachedResult], quick: bool) -> dict[str, Any]:
    """All that the report says."""
    experiments = [{"problem": None, **result.metadata} for name, result in found.items() if name != ERRATA]
    errata = list(found[ERRATA].metadata["errata"]) if ERRATA in found else []
    claims = [claim for e in experiments for claim in e["claims"]]
    differ = [claim for claim in claims if claim["status"] != claim["expected"]]
    told = " ".join([*(key for e in experiments for key in e["citations"]), *(c["source"] for c in claims),
                     *(erratum["where"] for erratum in errata)])  # fmt: skip
    return {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "counts": counts(claims),
        "contradictions": len([c for c in differ if contradict(c["status"], c["expected"])]),
        "undecided": len([c for c in differ if not contradict(c["status"], c["expected"])]),
        "experiments": experiments,
        "errata": errata,
        "seconds": sum(result.metadata["seconds"] for result in found.values()),
        "versions": installed(),
        "devices": list(dict.fromkeys(e["device"] for e in experiments if "device" in e)),
        "references": {key: " ".join(f"{part}." for part in readable(key)) for key in entries() if key in told},
    }

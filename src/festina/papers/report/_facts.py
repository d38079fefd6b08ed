"""What is told of an experiment and of the machine, as plain data."""

import dataclasses
import hashlib
import io
import json
import os
import platform
import re
import string
import unicodedata
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from festina.papers._claim import plain
from festina.papers._experiment import FOLDER, Experiment, Outcome
from festina.papers._sources import ROOT, core_files, experiment_files, hash_files, versions
from festina.papers.report._part import Part

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORM = 1
"""Of the parts; a report does not read parts of another form."""


def experiment_key(experiment: Experiment, settings: Any) -> str:
    """Of all that a part depends on: settings, the sources that compute and draw it, versions of libraries."""
    sources = [*core_files(), *experiment_files(experiment.path), *sorted((ROOT / "plot").rglob("*.py"))]
    made = [FORM, experiment.name, plain(dataclasses.asdict(settings)), hash_files(sources), versions()]
    return hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()


def errata_key() -> str:
    """Of all that the errata depend on."""
    sources = [*core_files(), *sorted((ROOT / "papers" / "errata").glob("*.py"))]
    return hashlib.sha256(json.dumps([FORM, hash_files(sources), versions()]).encode()).hexdigest()


def declared(experiment: Experiment, quick: bool) -> dict[str, Any]:
    """What the file says without being run: question, answer, sources, and the command that runs it."""
    own = experiment.path.parent != FOLDER
    command = f"festina report --only {experiment.path.name}" if own else f"festina run {experiment.name}"
    begin = experiment.doc.rindex("Source:")
    return {
        "name": experiment.name,
        "question": experiment.question,
        "answer": experiment.doc[len(experiment.question) : begin].strip("\n"),
        "sources": " ".join(experiment.doc[begin:].removeprefix("Source:").split()),
        "citations": list(experiment.citations),
        "quick": quick,
        "command": command + " --quick" * quick,
    }


def finished(outcome: Outcome, quick: bool) -> Part:
    """The part of an experiment that ran."""
    from festina.plot import house

    experiment = outcome.experiment
    sources = {claim.name: claim.source for claim in experiment.claims}
    image = io.BytesIO()
    with house():
        figure = outcome.draw()
        figure.savefig(image, format="png")
    claims = [
        {k: plain(v) for k, v in dataclasses.asdict(verdict).items()} | {"source": sources[verdict.name]}
        for verdict in outcome.verdicts
    ]
    meanings = experiment.fields()
    settings = [
        {"name": name, "value": plain(value), "meaning": meanings[name][1]}
        for name, value in dataclasses.asdict(outcome.settings).items()
    ]
    facts = declared(experiment, quick) | {
        "claims": claims,
        "settings": settings,
        "seconds": outcome.seconds,
        "figure": described(figure),
        "device": device(),
    }
    return Part(facts, image.getvalue())


def described(figure: "Figure") -> str:
    """A figure in words, for those who do not see it: what every panel shows over what."""
    told = []
    panels = [ax for ax in figure.axes if ax.get_label() != "<colorbar>" and ax.get_visible()]
    for letter, ax in zip(string.ascii_lowercase, panels, strict=False):
        over = " over ".join(filter(None, (ax.get_ylabel(), ax.get_xlabel())))
        words = ": ".join(filter(None, (ax.get_title(loc="left") or ax.get_title(), over)))
        lines = [text.get_text() for text in legend.get_texts()] if (legend := ax.get_legend()) else []
        words = (words or "no labels") + (f" (legend: {', '.join(lines)})" if lines else "")
        told.append(f"{letter}, {words}" if len(panels) > 1 else words)
    return " ".join(re.sub(r"\$([^$]*)\$", lambda found: _spoken(found[1]), "; ".join(told)).split()) + "."


def _spoken(formula: str) -> str:
    """A formula of matplotlib's without its backslashes and braces."""

    def sign(found: re.Match[str]) -> str:
        try:
            return unicodedata.lookup(f"GREEK SMALL LETTER {found[1].upper()}")
        except KeyError:
            return {"sqrt": "√", "propto": "∝", "times": "×"}.get(found[1], found[1])

    return re.sub(r"\\([a-z]+) ?", sign, formula).replace("{", "(").replace("}", ")")


def device() -> str:
    """The machine in words: what JAX computes on, processor, cores, system."""
    import jax

    found = jax.devices()
    kinds = "" if found[0].platform == "cpu" else f"{len(found)} × {found[0].device_kind}, "
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{kinds}{_processor()}, {cores} cores, {platform.system()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def installed() -> dict[str, str]:
    """Versions of festina, of Python and of what numbers depend on."""
    return {"festina": version("festina"), "python": platform.python_version(), **versions()}

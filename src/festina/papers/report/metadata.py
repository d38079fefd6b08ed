"""Metadata of an experiment and of the machine, as plain data."""

import dataclasses
import hashlib
import json
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from festina.papers.claims import plain
from festina.papers.experiment import Experiment, Outcome, image_of
from festina.papers.report.cache import CachedResult
from festina.papers.settings import DataclassInstance, in_steps
from festina.papers.table import record, settings_of
from festina.runtime import cores
from festina.sweeps import code_version

ROOT = Path(__file__).parents[2]  # festina's own sources
LIBRARIES = ("numpy", "scipy", "jax", "jaxlib")  # libraries that every number depends on
FORMAT = 2  # version of the format of results; a report does not read another


def experiment_key(experiment: Experiment, settings: DataclassInstance) -> str:
    """Hash of all that a result depends on: settings, the sources that compute and draw it, versions of libraries."""
    module = "" if experiment.file else f"festina.papers.experiments.{experiment.name}"
    drawn = [
        hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (ROOT / "core" / "look.py", *sorted((ROOT / "plot").rglob("*.py")))
    ]
    return _hash([experiment.name, plain(dataclasses.asdict(settings)), code_version(experiment.path, module), drawn])


def errata_key() -> str:
    """Hash of all that the errata depend on."""
    return _hash(["errata", code_version(ROOT / "papers" / "errata" / "measure.py", "festina.papers.errata.measure")])


def _hash(made: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps([FORMAT, *made], sort_keys=True).encode()).hexdigest()


def declared(experiment: Experiment, quick: bool) -> dict[str, Any]:
    """Contents of the file that are known without running it: question, answer, sources and command."""
    return {
        "name": experiment.name,
        "question": experiment.question,
        "answer": experiment.answer,
        "sources": experiment.sources,
        "citations": list(experiment.citations),
        "quick": quick,
        "command": f"festina run {experiment.path.name if experiment.file else experiment.name}" + " --quick" * quick,
    }


def finished(outcome: Outcome, quick: bool) -> CachedResult:
    """The result of an experiment that ran."""
    from festina.plot import style

    experiment = outcome.experiment
    with style():
        image = image_of(outcome.draw(), "png")
    metadata = declared(experiment, quick) | {
        "caption": experiment.module.caption + in_steps(outcome.settings),
        "claims": [record(v, c, outcome.settings) for v, c in zip(outcome.verdicts, experiment.claims, strict=True)],
        "settings": plain(settings_of(experiment, outcome.settings)),
        "seconds": outcome.seconds,
        "processor": outcome.processor,
        "device": device(),
    }
    return CachedResult(metadata, image)


def device() -> str:
    """The machine in words: what JAX computes on, processor, cores, system."""
    import jax

    found = jax.devices()
    kinds = "" if found[0].platform == "cpu" else f"{len(found)} × {found[0].device_kind}, "
    return f"{kinds}{_processor()}, {cores()} cores, {platform.system()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def installed() -> dict[str, str]:
    """Versions of festina, of Python and of what numbers depend on."""
    return {"festina": version("festina"), "python": platform.python_version(), **{n: version(n) for n in LIBRARIES}}

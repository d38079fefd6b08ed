"""Experiments at full settings, one after another or several at a time, for the table of claims."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from festina.papers.claims import plain
from festina.papers.coverage import TAKES
from festina.papers.experiment import find
from festina.runtime.pool import in_processes
from festina.runtime.processor import cores


def machine() -> str:
    """Hardware of an experiment, in words: a graphics card where JAX has one, else the processor's cores."""
    import jax

    kind = jax.devices()[0]
    counted = {1: "one core", 2: "two cores"}.get(cores(), f"{cores()} cores")
    return counted if kind.platform == "cpu" else f"one {kind.device_kind} with {counted}"


def at_published(name: str, record: Mapping[str, Any]) -> bool:
    """Whether a record was made at the paper's settings where the usual ones are others."""
    return name in TAKES and record["settings"] == plain(asdict(find(name).settings(**TAKES[name][0])))


def measure(name: str, docs: Path, published: bool = False) -> dict[str, Any]:
    """Run an experiment, draw its figures, and return what the store keeps of it."""
    sys.stderr.write(f"{name} …\n")
    settings = find(name).settings(**TAKES[name][0]) if published and name in TAKES else None
    outcome = find(name).run(settings, progress=sys.stderr.isatty())
    for path in outcome.save(docs / "figures"):
        if path.suffix != ".png":  # figures alone are kept
            path.unlink()
    sys.stderr.write(
        f"{name}: {outcome.seconds:.1f} s, {outcome.contradictions} verdicts that contradict the expected ones\n"
    )
    found = outcome.to_json() | {"seconds": round(outcome.seconds, 1), "machine": machine()}
    found["processor"] = round(outcome.processor, 1)
    del found["values"]
    for each in found["claims"]:  # the text of a claim is in the code, not in the store
        for said in ("kind", "statement", "expected"):
            del each[said]
    return found


def measure_all(
    chosen: list[str], docs: Path, jobs: int, before: Mapping[str, float], published: bool = False
) -> Iterator[tuple[str, Any]]:
    """Results of experiments, as they end: one after another, or ``jobs`` at a time.

    Those that took longest ``before`` begin first, so that none of them is left alone at the end.
    """
    if jobs == 1:
        yield from ((name, measure(name, docs, published)) for name in chosen)
        return
    longest = sorted(chosen, key=lambda name: -before.get(name, 0.0))
    yield from in_processes(partial(measure, docs=docs, published=published), longest, jobs)

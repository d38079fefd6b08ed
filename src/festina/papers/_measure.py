"""Experiments at full settings, one after another or several at a time: what the table of claims keeps of them."""

import os
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from festina.papers._experiment import find


def machine() -> str:
    """What an experiment ran on, in words: a graphics card where JAX has one, else the processor's cores."""
    import jax

    kind = jax.devices()[0]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    counted = "two cores" if cores == 2 else f"{cores} cores"
    return counted if kind.platform == "cpu" else f"one {kind.device_kind} beside {counted}"


def measure(name: str, docs: Path) -> dict[str, Any]:
    """Run an experiment, draw its figures, and return what the store keeps of it."""
    sys.stderr.write(f"{name} …\n")
    outcome = find(name).run(progress=sys.stderr.isatty())
    for path in outcome.save(docs / "figures"):
        if path.suffix != ".png":  # figures alone are kept
            path.unlink()
    sys.stderr.write(f"{name}: {outcome.seconds:.1f} s, {outcome.unexpected} unexpected verdicts\n")
    found = outcome.to_json() | {"seconds": round(outcome.seconds, 1), "machine": machine()}
    del found["values"]
    return found


def measure_all(chosen: list[str], docs: Path, jobs: int, before: Mapping[str, float]) -> Iterator[tuple[str, Any]]:
    """What each experiment gave, as they end: one after another, or so many ``jobs`` at a time.

    Those that took longest ``before`` begin first, so that none of them is left alone at the end.
    """
    if jobs == 1:
        yield from ((name, measure(name, docs)) for name in chosen)
        return
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")  # one core for each
    longest = sorted(chosen, key=lambda name: -before.get(name, 0.0))
    with ProcessPoolExecutor(jobs, get_context("spawn"), max_tasks_per_child=1) as pool:
        running = {pool.submit(measure, name, docs): name for name in longest}
        for ended in as_completed(running):
            yield running[ended], ended.result()

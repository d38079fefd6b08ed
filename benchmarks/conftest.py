"""Benchmarks beside rivals, in one run: ``make bench``. Ratios are printed at the end; no time is ever asserted."""

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest

import history
from history import ROWS

OURS = "festina"

SECONDS, MOST = 2.0, 9
"""A job is repeated for about so long, at most so often, so that the spread is known also on a busy machine."""


@pytest.fixture
def rows():
    """Seconds by group and name, for numbers that were measured elsewhere."""
    return ROWS


@pytest.fixture
def measure(benchmark):
    """``measure(group, name, job)``: seconds of each run of ``job`` after a first that compiles and warms up."""

    def run(group, name, job, *, rounds=None, warmup=1, per=1.0):
        benchmark.group = group
        begun = time.perf_counter()
        if warmup:
            job()
        once = time.perf_counter() - begun
        if rounds is None:
            rounds = int(np.clip(SECONDS / once, 3, MOST)) if warmup else 1
        result = benchmark.pedantic(job, rounds=rounds)
        ROWS[group][name] = [seconds / per for seconds in benchmark.stats.stats.data]
        return result

    return run


def ratio(ours, theirs):
    """Smallest, middle and largest of their seconds over ours: of all pairs of turns, the middle 90 %."""
    pairs = np.divide.outer(np.asarray(theirs, float), np.asarray(ours, float)).ravel()
    return tuple(float(q) for q in np.quantile(pairs, (0.05, 0.5, 0.95)))


def pytest_terminal_summary(terminalreporter):
    """Seconds and ratios to ours with their spread, group by group; what became worse since the version before."""
    if not ROWS:
        return
    write = terminalreporter.write_line
    write("")
    load = os.getloadavg()[0]
    write(
        f"ratios in one run on {len(os.sched_getaffinity(0))} cores at a load of {load:.1f} (above 1: festina is that "
        "many times faster; in brackets the middle 90 % of all pairs of turns)"
    )
    ratios = {}
    for group, rows in ROWS.items():
        write(f"  {group}")
        ours = next((seconds for name, seconds in rows.items() if name.startswith(OURS)), None)
        for name, seconds in rows.items():
            shown = ""
            if ours and not name.startswith(OURS):
                found = ratios[f"{group}: {name}"] = ratio(ours, seconds)
                shown = f"{found[1]:8.2f}x ({found[0]:.2f} to {found[2]:.2f})"
            write(f"    {name:<44}{np.median(seconds):12.6f} s {shown}")
    folder = Path("out")
    folder.mkdir(exist_ok=True)
    (folder / "benchmarks.json").write_text(json.dumps(ROWS, indent=2) + "\n")
    if ratios and os.environ.get("FESTINA_HISTORY") == "keep":
        history.append(ratios)
        history.main()

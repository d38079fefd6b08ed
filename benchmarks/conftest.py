"""Benchmarks beside rivals, in one run: ``make bench``. Ratios are printed at the end; no time is ever asserted."""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

ROWS: dict[str, dict[str, float]] = defaultdict(dict)
OURS = "festina"


@pytest.fixture
def measure(benchmark):
    """``measure(group, name, job)``: seconds of one run of ``job`` after a first run that compiles and warms up."""

    def run(group, name, job, *, rounds=1, warmup=1, per=1.0):
        benchmark.group = group
        result = benchmark.pedantic(job, rounds=rounds, warmup_rounds=warmup)
        ROWS[group][name] = benchmark.stats.stats.median / per
        return result

    return run


def pytest_terminal_summary(terminalreporter):
    """Seconds and ratios to ours, group by group."""
    if not ROWS:
        return
    write = terminalreporter.write_line
    write("")
    write(f"ratios in one run on {len(os.sched_getaffinity(0))} cores (above 1: festina is that many times faster)")
    for group, rows in ROWS.items():
        write(f"  {group}")
        ours = next((seconds for name, seconds in rows.items() if name.startswith(OURS)), None)
        for name, seconds in rows.items():
            ratio = f"{seconds / ours:8.2f}x" if ours and not name.startswith(OURS) else ""
            write(f"    {name:<44}{seconds:12.6f} s {ratio}")
    folder = Path("out")
    folder.mkdir(exist_ok=True)
    (folder / "benchmarks.json").write_text(json.dumps(ROWS, indent=2) + "\n")

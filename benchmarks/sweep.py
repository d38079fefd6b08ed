"""What a sweep costs by itself: ``python benchmarks/sweep.py [SETTINGS ...] [--executor threads|dask|slurm]``.

A function that does next to nothing runs at each number of settings, so that what is measured is the sweep. Printed
are milliseconds of processor per setting (of this process, its workers and the reader), the largest memory of the
process that hands out tasks (with Dask also the scheduler, which lives in it), files, and what it takes to open the
folder and to read one number. ``--folder`` keeps results, so that a sweep that was stopped goes on.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
import festina as fs

SIZES = (1000, 10_000, 100_000)


def decay(rate: float = 1.0, scale: float = 1.0) -> dict[str, Any]:
    """A user's function: a curve of five numbers."""
    return {"loss": [scale * (1 - rate / 1e6) ** k for k in range(5)]}


def grid(settings: int) -> dict[str, list[float]]:
    """So many settings in all, in a table of two."""
    return {"rate": [float(k) for k in range(settings // 10)], "scale": [float(k) for k in range(10)]}


@contextmanager
def executor(kind: str, workers: int, folder: Path) -> Iterator[Any]:
    """Threads of this process, Dask workers, or SLURM jobs of a thousand settings."""
    if kind == "threads":
        with ThreadPoolExecutor(workers) as pool:
            yield pool
    elif kind == "dask":
        from distributed import Client, LocalCluster

        given = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0", "host": "127.0.0.1"}
        with LocalCluster(**given) as cluster, Client(cluster, set_as_default=False) as client:
            yield fs.sweeps.Dask(client)
    else:
        yield fs.sweeps.Slurm(folder / "logs", chunk=1000)


def run(kind: str, workers: int, settings: int, folder: Path) -> dict[str, float]:
    """Sweep, in this process."""
    import sweep  # workers know the function by its file

    before, begun = _processor(), time.perf_counter()
    with executor(kind, workers, folder) as pool:
        status = fs.sweep(sweep.decay, grid(settings), out=folder / "out", executor=pool)
    spent, seconds = _processor() - before, time.perf_counter() - begun
    assert status.done == settings, status
    return {
        "settings": settings, "ms of processor": 1e3 * spent / settings, "ms by the clock": 1e3 * seconds / settings,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }  # fmt: skip


def read(settings: int, folder: Path) -> dict[str, float]:
    """Open the folder and read one number, in this process."""
    base, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, _processor()
    data = fs.open_sweep(folder / "out")
    opened = _processor()
    found = float(data["loss"].sel(rate=settings // 10 - 1, scale=9.0)[0])
    assert found == 9.0, found
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base
    return {"open, s": opened - begun, "one number, s": _processor() - opened, "megabytes to read": grown / 1024}


def _processor() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, kinds))


def main() -> None:
    """Print a row per number of settings, each in processes of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("settings", nargs="*", type=int, default=SIZES)
    parser.add_argument("--executor", choices=("threads", "dask", "slurm"), default="dask")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    given = filter(None, [os.environ.get("PYTHONPATH")])
    paths = os.pathsep.join([str(Path(fs.__file__).parents[1]), str(Path(__file__).parent), *given])
    begin = "import json, sys, sweep; from pathlib import Path; "
    for settings in options.settings:
        with tempfile.TemporaryDirectory() as made:
            folder, row = options.folder or Path(made), {}
            for call in (
                f"run({options.executor!r}, {options.workers}, {settings}, Path(sys.argv[1]))",
                f"read({settings}, Path(sys.argv[1]))",
            ):
                code = f"{begin}print(json.dumps(sweep.{call})) if __name__ == '__main__' else None"
                told = subprocess.run(
                    [sys.executable, "-c", code, str(folder)], env={**os.environ, "PYTHONPATH": paths},
                    stdout=subprocess.PIPE, text=True, check=True,
                ).stdout  # fmt: skip
                row |= json.loads(told.splitlines()[-1])
            row["files"] = sum(len(files) for _, _, files in os.walk(folder))
            print(", ".join(f"{name} {value:.4g}" for name, value in row.items()), flush=True)


if __name__ == "__main__":
    main()

"""Experiments with a GPU and without: ``python benchmarks/gpu_experiments.py [NAME …]`` on a machine with a GPU.

Each experiment runs in a process of its own, from an empty cache of programs, once with the GPU in sight and once
without. With it, each run goes where it is expected to end first; how many went to the GPU is printed beside the times.
``--jobs`` share the cores evenly, and both times of an experiment are taken with the same number of cores.
``--docs`` keeps what was measured with the GPU in sight, as ``python -m festina.papers`` does. What is known is printed
and written to ``--out`` after each experiment.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

SOURCE = Path(__file__).parent.parent / "src"
sys.path.insert(0, str(SOURCE))


def run(name: str, quick: bool, docs: str | None) -> dict:
    """One experiment in this process: seconds, where its runs went, and its record where one is kept."""
    from festina.methods import _device_choice
    from festina.papers import find
    from festina.papers.measure import measure

    placed, choose = {"cpu": 0, "gpu": 0}, _device_choice.choose

    def watch(*args, **settings):
        place = choose(*args, **settings)
        placed[place.platform] += 1
        return place

    _device_choice.choose = watch
    begun, record = time.perf_counter(), None
    if docs is None:
        experiment = find(name)
        experiment.run(experiment.settings(quick=quick), progress=False)
    else:
        record = measure(name, Path(docs))
        if not placed["gpu"]:
            record["machine"] = f"{len(os.sched_getaffinity(0))} cores"
    return {"seconds": time.perf_counter() - begun, **placed, "record": record}


def alone(name: str, gpu: bool, cores: set[int], chosen: argparse.Namespace) -> dict:
    """The same in a process of its own, on some cores."""
    with tempfile.TemporaryDirectory() as cache:
        settings = {**os.environ, "FESTINA_CACHE": cache, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
        if not gpu:
            settings |= {"JAX_PLATFORMS": "cpu"}
        task = {"name": name, "quick": chosen.quick, "docs": chosen.docs if gpu else None}
        begun = time.perf_counter()
        found = subprocess.run(
            [sys.executable, __file__, "--child", json.dumps(task)], capture_output=True, text=True, check=False,
            env=settings, preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )  # fmt: skip
    if found.returncode:
        return {"error": found.stderr.strip().splitlines()[-1:], "seconds": time.perf_counter() - begun}
    return json.loads(found.stdout.splitlines()[-1]) | {"process": time.perf_counter() - begun}


def main() -> None:
    """Run all, several at a time."""
    from festina.papers import names

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="experiments (default all)")
    parser.add_argument("--quick", action="store_true", help="at quick settings")
    parser.add_argument("--jobs", type=int, default=1, help="experiments at a time (default 1)")
    parser.add_argument("--only", choices=("gpu", "cpu"), help="take one of the two times only")
    parser.add_argument("--docs", help="folder that keeps what was measured with the GPU in sight")
    parser.add_argument("--out", type=Path, help="JSON file for the times")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        print(json.dumps(run(**json.loads(chosen.child))))
        return
    cores = sorted(os.sched_getaffinity(0))
    size = max(len(cores) // chosen.jobs, 1)
    free: SimpleQueue[set[int]] = SimpleQueue()
    for k in range(chosen.jobs):
        free.put(set(cores[k * size : (k + 1) * size]))
    found, lock = {}, threading.Lock()

    def both(name: str) -> None:
        lane = free.get()
        try:
            times = {kind: alone(name, kind == "gpu", lane, chosen) for kind in ("gpu", "cpu") if kind != skipped}
        finally:
            free.put(lane)
        with lock:
            found[name] = times
            print(name, {k: {i: v for i, v in t.items() if i != "record"} for k, t in times.items()}, flush=True)
            if chosen.out:
                chosen.out.write_text(json.dumps(found, indent=1), encoding="utf-8")

    skipped = {"gpu": "cpu", "cpu": "gpu"}.get(chosen.only or "")
    with ThreadPoolExecutor(chosen.jobs) as pool:
        list(pool.map(both, chosen.names or names()))
    slower = {
        name: t["gpu"]["seconds"] / t["cpu"]["seconds"] for name, t in found.items()
        if {"gpu", "cpu"} <= t.keys() and "error" not in t["gpu"] | t["cpu"]
    }  # fmt: skip
    if slower:
        worst = max(slower, key=lambda name: slower[name])
        print(f"the largest time with the GPU in sight, over that without: {slower[worst]:.2f} ({worst})")


if __name__ == "__main__":
    main()

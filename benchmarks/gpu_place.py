"""Where runs should go: ``python benchmarks/gpu_place.py`` on a machine with a GPU.

Each run is timed on the CPU and on the GPU, each in a process of its own and with compiling, and the estimate that
chooses between them is printed beside. The cost of the choice is the time of the chosen device over that of the faster
one.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).parent.parent / "src"
sys.path.insert(0, str(SOURCE))
import festina as fs  # noqa: E402

CASES = [
    (kind, width, seeds, steps, precision)
    for kind, width in (("relu", 32), ("relu", 700), ("linear", 32), ("deep", 420))
    for seeds, steps in ((1, 1000), (10, 8000), (100, 8000))
    for precision in ("double", "single")
    if not (kind == "deep" and seeds == 100 and precision == "double")
]
RATE = 1e-3


def evolve(case, device):
    kind, width, seeds, steps, precision = case
    rng = np.random.default_rng(0)
    task = fs.Task(rng.standard_normal((24, 11)), rng.standard_normal((24, 60)))
    start = fs.initial.Gaussian(0.5 / np.sqrt(width))
    networks = {
        "relu": fs.ReLU((width,), initial=start),
        "linear": fs.DeepLinear((width,), initial=start),
        "deep": fs.ReLU((width, width), initial=start),
    }
    begun = time.perf_counter()
    run = fs.evolve(
        networks[kind], task, np.linspace(0, steps * RATE, 21), seeds=seeds,
        method=fs.Train(RATE, precision=precision, device=device),
    )  # fmt: skip
    notes = {k: run.notes[k] for k in ("device", "device_reason", "batching", "seconds_compiling", "seconds_running")}
    return {"seconds": time.perf_counter() - begun, **notes}


def alone(case, device, cache):
    settings = {**os.environ, "FESTINA_CACHE": cache}
    command = [sys.executable, __file__, json.dumps([*case, device])]
    found = subprocess.run(command, capture_output=True, text=True, check=False, env=settings)
    if found.returncode:
        raise RuntimeError(found.stderr)
    return json.loads(found.stdout.splitlines()[-1])


def main():
    print(
        f"{'network':<16}{'seeds':>6}{'steps':>7} {'precision':<10}{'CPU, s':>8}{'GPU, s':>8}{'compiled':>9}{'kept':>7}"
        "  chosen  costs  estimate"
    )
    worst = 1.0
    with tempfile.TemporaryDirectory() as cache:
        for case in CASES:
            kind, width, seeds, steps, precision = case
            cpu = alone(case, "cpu", f"{cache}/programs")
            gpu = alone(case, "gpu", f"{cache}/programs")
            again = alone(case, "gpu", f"{cache}/programs")
            auto = alone((kind, width, seeds, steps, precision), "auto", f"{cache}/programs")
            times = {"cpu": cpu["seconds"], "gpu": gpu["seconds"]}
            costs = times[auto["device"]] / min(times.values())
            worst = max(worst, costs)
            print(
                f"{f'{kind} {width}':<16}{seeds:>6}{steps:>7} {precision:<10}{times['cpu']:>8.2f}"
                f"{times['gpu']:>8.2f}{gpu['seconds_compiling']:>9.2f}{again['seconds']:>7.2f}  {auto['device']:<6}"
                f"{costs:>7.2f}  {auto['device_reason']}",
                flush=True,
            )
    print(f"the worst choice took {worst:.2f} times as long as the other device would have")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        *given, where = json.loads(sys.argv[1])
        print(json.dumps(evolve(given, where)))
    else:
        main()

"""This version beside an earlier one in the same run: ``python benchmarks/before.py CHECKOUT [TURNS]``.

CHECKOUT is a folder with the earlier version's ``src`` (``git worktree add FOLDER TAG``). Each turn runs every job once
in a process of the earlier version and once in one of this version, compiled before it is timed; printed is the ratio
of their processor times, earlier over present, with its smallest and largest value over turns: above 1, this version
is faster. Jobs use only calls that both versions have, and observe the loss alone: what is observed by default differs.
On correlated inputs version 0.2.0 reduced to modes that learn alone, which is far off; this one follows them jointly.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent.parent / "src"
TURNS = 5

JOBS = """
import json, time, sys
import numpy as np
import festina as fs

rng = np.random.default_rng(0)
x = rng.standard_normal((100, 20))
task = fs.Task(x, x @ rng.standard_normal((20, 5)) / 5)
tree, dense = fs.tasks.hierarchy(levels=3), np.linspace(0, 10, 11)
reduced = getattr(fs, "Reduced", None) or fs.Race  # as version 0.2.0 calls it
small, aligned = fs.initial.Gaussian(0.05), fs.initial.Aligned(1e-3)
white = fs.Task(np.linalg.qr(x)[0] * 10, task.y)
balanced = fs.DeepLinear((5,), initial=fs.initial.Balanced(0.1, lambda_=0.1))
linear, relu = fs.DeepLinear((64,), initial=small), fs.ReLU((64,), initial=small)
jobs = {
    "Exact, decoupled modes, 1000 times": lambda: fs.evolve(
        fs.DeepLinear((16,), initial=aligned), tree, np.linspace(0, 50, 1000), observe="loss"
    ),
    "Exact, λ-balanced, 300 times": lambda: fs.evolve(balanced, white, np.linspace(0, 10, 300), observe="loss"),
    "Reduced, 20-64-5, 100 times": lambda: fs.evolve(
        linear, task, np.linspace(0, 10, 100), method=reduced(), observe="loss"
    ),
    "Flow, 20-64-5, one seed": lambda: fs.evolve(linear, task, dense, method=fs.Flow()),
    "Flow, 20-64-5, 20 seeds": lambda: fs.evolve(linear, task, dense, method=fs.Flow(), seeds=20),
    "Train, linear, 20 seeds, 2000 steps": lambda: fs.evolve(
        linear, task, [0.0, 20.0], method=fs.Train(rate=0.01), seeds=20
    ),
    "Train, ReLU, 20 seeds, 500 steps": lambda: fs.evolve(
        relu, task, [0.0, 5.0], method=fs.Train(rate=0.01), seeds=20
    ),
    "Train, three layers, 5 seeds, 500 steps": lambda: fs.evolve(
        fs.DeepLinear((32, 32), initial=small), task, [0.0, 5.0], method=fs.Train(rate=0.01), seeds=5
    ),
    "Train, Adam, 5 seeds, 500 steps": lambda: fs.evolve(
        relu, task, [0.0, 0.5], method=fs.Train(rate=0.001, optimiser="adam"), seeds=5
    ),
}
found = {}
for name, job in jobs.items():
    job()
    begun, rounds = time.process_time(), 0
    while rounds < 1 or time.process_time() - begun < 0.3:
        job()
        rounds += 1
    found[name] = (time.process_time() - begun) / rounds
print("FOUND" + json.dumps(found))
"""


def took(source: Path) -> dict[str, float]:
    """Processor seconds of each job with the version in a folder."""
    settings = {**os.environ, "PYTHONPATH": str(source), "OMP_NUM_THREADS": "1", "FESTINA_CACHE": "off"}
    run = subprocess.run([sys.executable, "-c", JOBS], env=settings, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return json.loads(run.stdout.split("FOUND")[-1])


def main() -> None:
    """Print a line per job."""
    if len(sys.argv) < 2 or not (Path(sys.argv[1]) / "src" / "festina").is_dir():
        raise SystemExit("usage: python benchmarks/before.py CHECKOUT [TURNS]; CHECKOUT holds an earlier src/festina")
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else TURNS
    pairs = [(took(Path(sys.argv[1]) / "src"), took(HERE)) for _ in range(turns)]
    print(f"{'earlier over present, processor time':<44}{'ratio':>7}   over {turns} turns")
    for name in pairs[0][0]:
        ratios = sorted(before[name] / now[name] for before, now in pairs)
        print(f"{name:<44}{statistics.median(ratios):>7.2f}   {ratios[0]:.2f} to {ratios[-1]:.2f}")


if __name__ == "__main__":
    main()

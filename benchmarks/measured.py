"""What a user waits for, as one table: ``python benchmarks/measured.py [NAMES]``, the same before and after a change.

Seconds by the clock and of the processor, so that a busy machine can be told from slow code. ``--full`` runs the
experiments at full settings, which takes long; a checkout of the released scripts of jarvis2025 is timed beside
``context`` where ``--released FOLDER`` names it.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).parent.parent / "src"
sys.path.insert(0, str(SOURCE))
import festina as fs  # noqa: E402

EXPERIMENTS = ("context", "gates", "winners", "imitation", "possible_gates", "relative_scale", "deep")
WIDTHS = (71, 700, 2000, 10_000)


def clock(job: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    begun, used = time.perf_counter(), time.process_time()
    job()
    return time.perf_counter() - begun, time.process_time() - used


def process(*command: str, folder: Path | None = None) -> tuple[float, float]:
    """The same of another process."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    settings = {**os.environ, "PYTHONPATH": str(SOURCE)}
    subprocess.run(command, check=True, capture_output=True, env=settings, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - begun, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def experiment(name: str, full: bool) -> tuple[float, float]:
    """A whole experiment in a process of its own, with everything that it imports and compiles."""
    code = f"from festina.papers import find\nfound = find({name!r})\nfound.run(found.settings(quick={not full}))"
    return process(sys.executable, "-c", code)


def flow(seeds: int) -> tuple[float, float]:
    """Gradient flow of many seeds."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((100, 20))
    task, times = fs.Task(x, x @ rng.standard_normal((20, 5)) / 5), np.linspace(0, 10, 11)
    network = fs.DeepLinear((64,), initial=fs.initial.Gaussian(0.05))
    return clock(lambda: fs.evolve(network, task, times, method=fs.Flow(), seeds=seeds))


def width(units: int) -> tuple[float, float]:
    """Microseconds per seed and step of a linear 11–units–60 network, the fastest of five turns."""
    rng = np.random.default_rng(0)
    task = fs.Task(rng.standard_normal((24, 11)), rng.standard_normal((24, 60)))
    network = fs.DeepLinear((units,), initial=fs.initial.Gaussian(0.1 / np.sqrt(units)))
    steps, seeds, found = 500, 4, []
    for _ in range(6):
        used = time.process_time()
        run = fs.evolve(network, task, [0.0, steps * 1e-3], method=fs.Train(1e-3), seeds=seeds)
        found.append((run.notes["seconds_running"], time.process_time() - used))
    return tuple(1e6 * min(f[i] for f in found[1:]) / steps / seeds for i in (0, 1))  # type: ignore[return-value]


def predict_digits() -> dict[str, tuple[float, float]]:
    """A ReLU network on 1797 digits: predicted, and two of them trained."""
    from sklearn.datasets import load_digits

    pixels, labels = load_digits(return_X_y=True)
    task = fs.Task(np.asarray(pixels) / 16, labels=labels)
    network, times = fs.ReLU((100,), initial=fs.initial.Gaussian(0.01)), np.linspace(0, 20, 11)
    return {
        "1797 digits, ReLU, predicted": clock(lambda: fs.evolve(network, task, times, method=fs.Race())),
        "1797 digits, ReLU, two trained": clock(
            lambda: fs.evolve(network, task, times, method=fs.Train(0.05), seeds=2)
        ),
    }


def main() -> None:
    """Print the table and write it to out/measured.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="experiments; by default those that take longest")
    parser.add_argument("--full", action="store_true", help="experiments at full settings")
    parser.add_argument("--released", type=Path, help="checkout of the released scripts of jarvis2025")
    parser.add_argument("--script", default="main.py", help="the script in it to run")
    asked = parser.parse_args()
    rows: dict[str, tuple[float, float]] = {}

    def tell(name: str, found: tuple[float, float], unit: str = "s") -> None:
        rows[name] = found
        print(f"{name:<44}{found[0]:>12.3g} {unit}{found[1]:>12.3g} {unit}", flush=True)

    print(f"{'':<44}{'clock':>12}  {'processor':>12}")
    tell("import jax, a process", process(sys.executable, "-c", "import jax"))
    small = (
        "import festina as fs; n = fs.DeepLinear((8,), initial=fs.initial.Gaussian(0.1)); "
        "fs.evolve(n, fs.tasks.hierarchy(2), [0.0, 10.0], method=fs.Train(0.1))"
    )
    process(sys.executable, "-c", small)
    tell("first Train, a second process", process(sys.executable, "-c", small))
    for units in WIDTHS:
        tell(f"linear 11-{units}-60, per seed and step", width(units), "µs")
    tell("flow of 20 seeds of 20-64-5", flow(20))
    for name, found in predict_digits().items():
        tell(name, found)
    for name in asked.names or EXPERIMENTS:
        tell(f"{name}, {'full' if asked.full else 'quick'} settings", experiment(name, asked.full))
    if asked.released:
        tell("released scripts", process(sys.executable, asked.script, folder=asked.released))
    Path("out").mkdir(exist_ok=True)
    Path("out/measured.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()

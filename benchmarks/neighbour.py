"""What a busy neighbour costs: ``python benchmarks/neighbour.py [NAME ...] [--turns N]``.

Theories, and every experiment at quick settings, run in a process of their own, by turns alone and beside a process
that spins on one core. The least processor time of each is printed, with the ratio of the two. A ratio above 1.5 means
that threads wait for each other instead of computing.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"
sys.path.insert(0, str(SOURCE))

BEGIN = """
import resource, time, warnings
warnings.simplefilter("ignore")
import numpy as np, festina as fs
from sklearn.datasets import load_digits, load_wine
x, y = load_wine(return_X_y=True)
wine = fs.Task((x - x.mean(0)) / x.std(0), np.eye(3)[y])
x, y = load_digits(return_X_y=True)
digits = fs.Task(x[:300] / 16, np.eye(10)[y[:300]])
times = np.linspace(0.0, 20.0, 101)
small = fs.initial.Gaussian(1e-2)
linear, relu = fs.DeepLinear((64,), initial=small), fs.ReLU((64,), initial=small)
tree = fs.tasks.hierarchy(levels=5)
xor = fs.tasks.extended_xor(1.0)
pair = fs.Task([[-1.0], [-0.5]], [[0.6], [1.6]])
gates = [xor.y[:, 0] > 0, xor.y[:, 0] < 0]
"""

MEASURE = """
from festina import papers
def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
def job():
    return {code}
job()
begun = cpu()
job()
print("TOOK", cpu() - begun)
"""

THEORIES = {
    "linear, exact": "fs.evolve(fs.DeepLinear((64,), initial=fs.initial.Aligned(1e-2)), tree, times)",
    "linear, modes": "fs.evolve(linear, digits, times, method=fs.Reduced())",
    "linear, flow": "fs.evolve(linear, wine, times, method=fs.Flow())",
    "gated, race": "fs.evolve(fs.gated.pathways(gates, 32, initial=small), xor, times, method=fs.Reduced())",
    "ReLU, units": "fs.evolve(relu, xor, times, method=fs.Reduced())",
    "ReLU, flow": "fs.evolve(relu, xor, times, method=fs.Flow())",
    "ReLU, training": "fs.evolve(relu, wine, times, method=fs.Train(rate=0.02))",
    "two points": "fs.evolve(fs.FeedForward((8,) * 3), pair, times, method=fs.Reduced())",
    "attention": "fs.evolve(fs.LinearAttention(heads=3, initial=fs.initial.Gaussian(0.1)), "
    "fs.tasks.in_context_regression(np.diag([1.5, 0.5]), 9), times, method=fs.Reduced())",
    "theories": "fs.theories(linear, wine)",
    "stages": "fs.evolve(linear, digits, times, method=fs.Train(rate=0.05)).stages()",
    "initial strengths": "fs.relu.initial_strengths(xor, gates, hidden=700, std=1e-3)",
}

SPIN = "while True: pass"


@contextmanager
def neighbour() -> Iterator[None]:
    """A process that spins on one core."""
    process = subprocess.Popen([sys.executable, "-c", SPIN])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def took(code: str, folder: str) -> float:
    """Processor seconds of the second call in a new process, which has the threads that a user has."""
    settings = {k: v for k, v in os.environ.items() if k not in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    paths = [str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])]
    settings |= {"PYTHONPATH": os.pathsep.join(paths), "FESTINA_CACHE": folder}
    script = BEGIN + MEASURE.format(code=code)
    run = subprocess.run([sys.executable, "-c", script], env=settings, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return float(run.stdout.split("TOOK")[-1])


def experiments() -> dict[str, str]:
    from festina import papers

    return {name: f"(found := papers.find({name!r})).run(found.settings(quick=True))" for name in papers.names()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="theories or experiments; all of both without a name")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    jobs = THEORIES | experiments()
    print("| what | alone, s of processor | beside a neighbour | ratio |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or jobs:
            alone, beside = [], []
            for _ in range(options.turns):
                alone.append(took(jobs[name], folder))
                with neighbour():
                    beside.append(took(jobs[name], folder))
            print(f"| {name} | {min(alone):.3f} | {min(beside):.3f} | {min(beside) / min(alone):.2f} |", flush=True)


if __name__ == "__main__":
    main()

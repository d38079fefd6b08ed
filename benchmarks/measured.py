"""What a user waits for, as one table: ``python benchmarks/measured.py [--before CHECKOUT] [NAME …]``.

Each row runs in a process of its own, by turns in this version and in the earlier one whose checkout is given, and is
printed in seconds of the clock and of the processor, so that a busy machine can be told from slow code. What an earlier
version cannot do is left empty. Experiments run at quick settings; at full settings each version's own record is
printed (``docs/claims.json``), which may be of another amount of work. A checkout of the released scripts of jarvis2025
is timed beside ``context`` where ``--released FOLDER`` names it.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXPERIMENTS = ("context", "gates", "winners", "imitation", "possible_gates", "relative_scale", "deep")
WIDTHS = (71, 700, 2000, 10_000)

SMALL = (
    "import festina as fs; n = fs.DeepLinear((8,), initial=fs.initial.Gaussian(0.1)); "
    "fs.evolve(n, fs.tasks.hierarchy(2), [0.0, 10.0], method=fs.Train(0.1))"
)

EXPERIMENT = """
try:
    from festina.papers import find
except ImportError:
    from festina.experiments import find
found = find({name!r})
found.run(found.settings(quick=True) if hasattr(found, "settings") else found.module.quick)
"""

TIMED = """
import json, time
import numpy as np
import festina as fs

def clock(job):
    begun, used = time.perf_counter(), time.process_time()
    job()
    return time.perf_counter() - begun, time.process_time() - used

rng = np.random.default_rng(0)
{body}
print(json.dumps(found))
"""

WIDTH = """
task = fs.Task(rng.standard_normal((24, 11)), rng.standard_normal((24, 60)))
network = fs.DeepLinear(({units},), initial=fs.initial.Gaussian(0.1 / np.sqrt({units})))
turns = []
for _ in range(6):
    used = time.process_time()
    run = fs.evolve(network, task, [0.0, 0.5], method=fs.Train(1e-3), seeds=4)
    turns.append((run.notes["seconds_running"], time.process_time() - used))
# the clock is that of the steps alone, the processor's time also that of drawing and rotating the weights
found = [1e6 * min(turn[i] for turn in turns[1:]) / 2000 for i in (0, 1)]
"""

FLOW = """
x = rng.standard_normal((100, 20))
task = fs.Task(x, x @ rng.standard_normal((20, 5)) / 5)
network = fs.DeepLinear((64,), initial=fs.initial.Gaussian(0.05))
found = clock(lambda: fs.evolve(network, task, np.linspace(0, 10, 11), method=fs.Flow(), seeds=20))
"""

DIGITS = """
from sklearn.datasets import load_digits
pixels, labels = load_digits(return_X_y=True)
task = fs.Task(np.asarray(pixels) / 16, np.eye(10)[labels])
network = fs.ReLU((100,), initial=fs.initial.Gaussian(0.01))
found = clock(lambda: fs.evolve(network, task, np.linspace(0, 20, 11), method={method}))
"""


def process(source: Path, *command: str, folder: Path | None = None, cache: str) -> tuple[float, float, str]:
    """Seconds by the clock and of the processor of another process, and what it printed.

    Raises:
        RuntimeError: it failed.
    """
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    settings = {**os.environ, "PYTHONPATH": str(source), "FESTINA_CACHE": cache}
    run = subprocess.run(command, check=False, capture_output=True, text=True, env=settings, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode:
        raise RuntimeError(run.stderr.strip().splitlines()[-1] if run.stderr.strip() else "failed")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - begun, used, run.stdout


class Version:
    """One checkout, and the folder in which its compiled programs are kept meanwhile."""

    def __init__(self, root: Path, cache: str) -> None:
        self.source, self.cache, self.problem = root / "src", cache, ""
        records = root / "docs" / "claims.json"
        self.records = json.loads(records.read_text(encoding="utf-8")) if records.exists() else {}

    def whole(self, code: str) -> tuple[float, float]:
        """A process that runs this, with everything that it imports and compiles."""
        return process(self.source, sys.executable, "-c", code, cache=self.cache)[:2]

    def again(self, code: str) -> tuple[float, float]:
        """The same after another process has run it: programs that are kept need not be compiled."""
        self.whole(code)
        return self.whole(code)

    def timed(self, body: str) -> tuple[float, float]:
        """What the process itself says."""
        told = process(self.source, sys.executable, "-c", TIMED.format(body=body), cache=self.cache)[2]
        return tuple(json.loads(told.splitlines()[-1]))

    def recorded(self, name: str) -> tuple[float, float]:
        """The clock of an experiment at its full settings, when it was recorded."""
        return self.records[name]["seconds"], float("nan")


def rows(names: list[str]):
    """Name, unit, and how a version is measured."""
    yield "import jax, a process", "s", lambda v: v.whole("import jax")
    yield "import festina, a process", "s", lambda v: v.whole("import festina")
    yield "festina --help", "s", lambda v: v.whole("from festina.cli import main; main(['--help'])")
    yield "first Train, a second process", "s", lambda v: v.again(SMALL)
    for units in WIDTHS:
        yield (
            f"linear 11-{units}-60, per seed and step", "µs", lambda v, n=units: v.timed(WIDTH.format(units=n))
        )  # fmt: skip
    yield "flow of 20 seeds of 20-64-5", "s", lambda v: v.timed(FLOW)
    yield "1797 digits, ReLU, predicted", "s", lambda v: v.timed(DIGITS.format(method="fs.Reduced()"))
    yield "1797 digits, ReLU, two trained", "s", lambda v: v.timed(DIGITS.format(method="fs.Train(0.05), seeds=2"))
    for name in names:
        yield f"{name}, quick settings", "s", lambda v, n=name: v.whole(EXPERIMENT.format(name=n))
    for name in names:
        yield f"{name}, full settings, recorded", "s", lambda v, n=name: v.recorded(n)


def main() -> None:
    """Print the table and write it to out/measured.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="experiments; by default those that take longest")
    parser.add_argument("--before", type=Path, help="checkout of an earlier version")
    parser.add_argument("--released", type=Path, help="checkout of the released scripts of jarvis2025")
    parser.add_argument("--script", default="main.py", help="the script in it to run")
    asked = parser.parse_args()
    found: dict[str, dict[str, tuple[float, float] | None]] = {}
    with tempfile.TemporaryDirectory() as cache:
        versions = {"before": Version(asked.before, f"{cache}/before")} if asked.before else {}
        versions["now"] = Version(ROOT, f"{cache}/now")
        print(" " * 46 + "".join(f"{f'{name}, clock':>16}{'processor':>12}" for name in versions))
        for row, unit, measure in rows(asked.names or [*EXPERIMENTS]):
            found[row] = {}
            for name, version in versions.items():
                try:
                    found[row][name] = measure(version)
                except (RuntimeError, KeyError) as error:
                    found[row][name] = None
                    print(f"  {row}: {name}: {error}", file=sys.stderr)
            told = "".join(
                f"{'—':>16}{'—':>12}" if t is None else f"{t[0]:>16.3g}{t[1]:>12.3g}" for t in found[row].values()
            )
            print(f"{f'{row}, {unit}':<46}{told.replace('nan', '   ')}", flush=True)
        if asked.released:
            time_taken = process(ROOT, sys.executable, asked.script, folder=asked.released, cache=f"{cache}/now")[:2]
            found["released scripts"] = {"now": time_taken}
            print(f"{'released scripts, s':<46}{time_taken[0]:>16.3g}{time_taken[1]:>12.3g}")
    Path("out").mkdir(exist_ok=True)
    Path("out/measured.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

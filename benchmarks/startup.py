"""What a user waits for before anything is computed: ``python benchmarks/startup.py``.

Each line is a process of its own, several times over; the least processor time and the least time by the clock are
printed, since another job on the machine can only add to them. Programs are kept in a folder of their own, so that the
first process of a row compiles and the second does not.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"
TURNS = 7

TRAIN = """
import festina as fs
network = fs.DeepLinear((8,), initial=fs.initial.Gaussian(0.1))
fs.evolve(network, fs.tasks.hierarchy(2), [0.0, 10.0], method=fs.Train(0.1))
"""

MEASURE = """
import resource as _r, sys as _s
_found = _r.getrusage(_r.RUSAGE_SELF)
print("TOOK", _found.ru_utime + _found.ru_stime, file=_s.stderr)
"""

OTHERS = "import numpy, scipy"
"""What a first prediction imports of others."""

OWN = "from festina import DeepLinear, evolve, tasks"
"""``import festina`` alone loads nothing: every name loads when it is first used."""

TARGETS = {
    "festina --help": 0.3,
    "evolve and a network, of our own": 0.15,
    "first Train, kept program, over import jax": 1.5,
}


def took(code: str, turns: int = TURNS, **settings: str) -> tuple[float, float]:
    """Least processor seconds and least seconds by the clock of a process that runs this."""
    import time

    kept = {**os.environ, "PYTHONPATH": str(SOURCE), "OMP_NUM_THREADS": "1", **settings}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    found = []
    for _ in range(turns):
        begun = time.perf_counter()
        command = [sys.executable, "-c", code + MEASURE]
        run = subprocess.run(command, env=kept, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - begun
        if run.returncode:
            raise RuntimeError(run.stderr)
        found.append((float(run.stderr.split("TOOK")[-1]), seconds))
    return min(f[0] for f in found), min(f[1] for f in found)


def table(turns: int = TURNS) -> list[tuple[str, float, float]]:
    """Name, processor seconds and seconds by the clock of each row."""
    help_code = "import sys\nfrom festina.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass"
    with tempfile.TemporaryDirectory() as folder:
        cold = [took(TRAIN, 1, FESTINA_CACHE=str(Path(folder) / str(turn))) for turn in range(min(turns, 3))]
        rows = {
            "python": took("", turns),
            "import numpy, scipy": took(OTHERS, turns),
            "import festina": took("import festina", turns),
            "evolve and a network": took(OWN, turns),
            "festina --help": took(help_code, turns),
            "import jax": took("import jax", turns),
            "import jax, then x + 1 by jax.jit": took("import jax\njax.jit(lambda x: x + 1)(1.0)", turns),
            "first Train, nothing kept": (min(c[0] for c in cold), min(c[1] for c in cold)),
            "first Train, kept program": took(TRAIN, turns, FESTINA_CACHE=str(Path(folder) / "0")),
        }
    return [(name, *row) for name, row in rows.items()]


def main() -> None:
    """Print the table and the numbers that have a target."""
    rows = table(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS)
    print(f"{'':<36}{'processor':>11}{'clock':>9}")
    for name, processor, clock in rows:
        print(f"{name:<36}{processor:>9.3f} s{clock:>7.3f} s")
    at = {name: processor for name, processor, _ in rows}
    own = at["evolve and a network"] - at["import numpy, scipy"]
    ratio = at["first Train, kept program"] / at["import jax"]
    call = (at["first Train, kept program"] - own) / at["import jax"]
    print("\nprocessor seconds, and what is asked for")
    for name, number in zip(TARGETS, (at["festina --help"], own, ratio), strict=True):
        print(f"{name:<44}{number:>7.3f}  (at most {TARGETS[name]:g})")
    print(f"{'the same without our own imports':<44}{call:>7.3f}")
    print(
        f"{'x + 1 by jax.jit, over import jax':<44}{at['import jax, then x + 1 by jax.jit'] / at['import jax']:>7.3f}"
    )


if __name__ == "__main__":
    main()

"""Time and memory against data points, width, depth, seeds and outputs: ``python benchmarks/scale.py``.

Every row is a process of its own, so that its largest memory is its own. The last column says why a cost grows or does
not. ``--seeds 100000`` and ``--device gpu`` are for machines that have one; ``--docs`` writes the table to
``docs/notes/speed.md``.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
import festina as fs

INPUTS, OUTPUTS, RATE, CHUNK = 11, 60, 1e-3, 10_000

BEGIN, END = "<!-- scale -->", "<!-- end of scale -->"
"""Marks in the documentation."""

AXES: dict[str, tuple[dict[str, Any], ...]] = {
    "data points, linear (streamed)": tuple(
        {"kind": "linear", "items": n, "steps": 2000} for n in (100, 10_000, 1_000_000)
    ),
    "data points, ReLU": tuple({"kind": "relu", "items": n, "steps": 200_000 // n} for n in (100, 1000, 10_000)),
    "width, linear": tuple({"kind": "linear", "width": w, "steps": 2000} for w in (71, 700, 10_000)),
    "width, gated": tuple({"kind": "gated", "width": w, "steps": 1000} for w in (71, 700, 10_000)),
    "width, ReLU": tuple({"kind": "relu", "width": w, "steps": 20_000 // w} for w in (71, 700, 2000)),
    "weight layers, linear": tuple({"kind": "linear", "depth": d, "steps": 1000} for d in (2, 5, 17)),
    "seeds, ReLU": tuple({"kind": "relu", "seeds": s, "steps": max(20, 4000 // s)} for s in (1, 100, 1000)),
    "outputs, linear": tuple({"kind": "linear", "outputs": o, "steps": 500} for o in (10, 100, 1000)),
}

WHY = {
    "data points, linear (streamed)": "correlations are summed once; a step does not see the data",
    "data points, ReLU": "every step sees every data point",
    "width, linear": "trained in at most inputs + outputs dimensions",
    "width, gated": "each pathway in at most inputs + outputs dimensions",
    "width, ReLU": "every unit has its own gate",
    "weight layers, linear": "one product more per layer",
    "seeds, ReLU": "seeds are independent; together they fill the device",
    "outputs, linear": "the last layer, and the dimensions that the first is trained in",
}


def streamed(items: int, outputs: int) -> fs.Task:
    """A task of that many data points of which no more than a chunk is held at once."""
    rng = np.random.default_rng(0)
    teacher = rng.standard_normal((INPUTS, outputs)) / np.sqrt(INPUTS)
    sigma_x, sigma_yx, power = np.zeros((INPUTS, INPUTS)), np.zeros((outputs, INPUTS)), 0.0
    for begin in range(0, items, CHUNK):
        x = rng.standard_normal((min(CHUNK, items - begin), INPUTS))
        y = x @ teacher + 0.1 * rng.standard_normal((len(x), outputs))
        sigma_x, sigma_yx, power = sigma_x + x.T @ x, sigma_yx + y.T @ x, power + float((y**2).sum())
    return fs.Task.from_statistics(sigma_x / items, sigma_yx / items, power=power / items)


def row(
    kind: str, *, items=24, width=32, depth=2, seeds=4, outputs=OUTPUTS, steps=1000, device="auto"
) -> dict[str, float]:
    """Microseconds per seed and step, seconds in all and megabytes."""
    begun = time.perf_counter()
    start = fs.initial.Gaussian(0.1 / np.sqrt(width))
    rng = np.random.default_rng(0)
    if kind == "linear":
        task, network = streamed(items, outputs), fs.DeepLinear((width,) * (depth - 1), initial=start)
    else:
        task = fs.Task(rng.standard_normal((items, INPUTS)), rng.standard_normal((items, outputs)))
        gates = {f"module {k + 1}": row for k, row in enumerate(rng.integers(0, 2, (3, items)).astype(float))}
        network = (
            fs.gated.pathways(gates, width, initial=start) if kind == "gated" else fs.ReLU((width,), initial=start)
        )
    method, times = fs.Train(RATE, precision="single", device=device), [0.0, max(steps, 2) * RATE]
    fs.evolve(network, task, times, method=method, seeds=seeds)
    run = fs.evolve(network, task, times, method=method, seeds=seeds)
    assert np.isfinite(run.loss).all()
    return {
        "micro": 1e6 * run.notes["seconds_running"] / max(steps, 2) / seeds,
        "seconds": time.perf_counter() - begun,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def alone(settings: dict[str, Any]) -> dict[str, float]:
    """The row, by a process of its own."""
    command = [sys.executable, __file__, "--row", json.dumps(settings)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return json.loads(run.stdout.splitlines()[-1])


def write(found: dict[str, dict[int, dict[str, float]]]) -> None:
    """Put the table between its marks in the documentation."""
    lines = [
        "| against | at | µs per seed and step | seconds in all | megabytes | why |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for name, numbers in found.items():
        for k, (at, one) in enumerate(numbers.items()):
            what, why = ("", "") if k else (name, WHY[name])
            lines.append(
                f"| {what} | {at:,} | {one['micro']:.3g} | {one['seconds']:.1f} | {one['megabytes']:.0f} | {why} |"
            )
    page = Path(__file__).parent.parent / "docs" / "notes" / "speed.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after, encoding="utf-8")


def main() -> None:
    """Print the table and write it to out/scale.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--row", help="settings of one row, as JSON; prints its numbers")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seeds", type=int, nargs="+", help="further numbers of seeds")
    parser.add_argument("--docs", action="store_true", help="write the table to docs/notes/speed.md")
    asked = parser.parse_args()
    if asked.row:
        print(json.dumps(row(**json.loads(asked.row))))
        return
    axes = dict(AXES)
    axes["seeds, ReLU"] += tuple({"kind": "relu", "seeds": s, "steps": 50} for s in asked.seeds or ())
    found = {}
    print(f"{'against':<32}{'at':>10}{'µs per seed and step':>22}{'seconds in all':>16}{'megabytes':>11}   why")
    for name, rows in axes.items():
        for settings in rows:
            at = next(value for key, value in settings.items() if key not in ("kind", "steps"))
            numbers = alone({**settings, "device": asked.device})
            found.setdefault(name, {})[at] = numbers
            why = WHY[name] if settings is rows[0] else ""
            print(
                f"{name:<32}{at:>10,}{numbers['micro']:>22.3g}{numbers['seconds']:>16.2f}"
                f"{numbers['megabytes']:>11.0f}   {why}",
                flush=True,
            )
    Path("out").mkdir(exist_ok=True)
    Path("out/scale.json").write_text(json.dumps(found, indent=1) + "\n")
    if asked.docs:
        write(found)


if __name__ == "__main__":
    main()

"""What a step costs, against data points, width, depth, seeds and steps: ``python benchmarks/cost.py``.

It draws docs/figures/cost.png and writes out/cost.json. The fastest of some turns counts.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
import festina as fs

INPUTS, OUTPUTS, RATE, SMALL = 11, 60, 1e-3, 32
ITEMS = (24, 240, 2400, 24_000)
WIDTHS = (8, 32, 128, 512, 2048)
DEPTHS = (2, 3, 5, 9, 17)
SEEDS = (1, 4, 16, 64, 256)
STEPS = (10, 100, 1000, 10_000)


def task(items=24):
    rng = np.random.default_rng(0)
    return fs.Task(rng.standard_normal((items, INPUTS)), rng.standard_normal((items, OUTPUTS)))


def linear(width=SMALL, depth=2):
    return fs.DeepLinear(hidden=(width,) * (depth - 1), initial=fs.initial.Gaussian(0.1))


def relu(width=SMALL, depth=2):
    return fs.ReLU(hidden=(width,) * (depth - 1), initial=fs.initial.Gaussian(0.1))


def gated(items=24):
    gates = np.random.default_rng(1).integers(0, 2, (2, items))
    return fs.gated.pathways(gates, SMALL, initial=fs.initial.Gaussian(0.1))


def train(network, job, seeds, steps, turns):
    """Seconds of the run, the fastest of the turns, and of compiling it."""
    method = fs.Train(rate=RATE, precision="single")
    runs = [fs.evolve(network, job, np.array([steps * RATE]), method=method, seeds=seeds) for _ in range(turns + 1)]
    return min(run.notes["seconds_running"] for run in runs[1:]), runs[0].notes["seconds_compiling"]


def flow(network, job, turns):
    """Seconds of an evaluation of the gradient flow."""
    field, weights = network.velocity(job), network.start(job, 0)
    times = []
    for _ in range(turns):
        begun = time.perf_counter()
        for _ in range(200):
            field(weights)
        times.append((time.perf_counter() - begun) / 200)
    return min(times)


def measure(turns):
    """Microseconds, by panel and line: (what it is against, what it costs)."""
    per = 10 * 400

    def step(network, job, seeds=10, steps=400):
        return 1e6 * train(network, job, seeds, steps, turns)[0] / (seeds * steps)

    jobs = {items: task(items) for items in ITEMS}
    kinds = {"linear": lambda n: linear(), "gated": gated, "ReLU": lambda n: relu()}
    found = {"data points N": {}}
    for name, make in kinds.items():
        steps = [max(5, 10_000 // n) if name == "ReLU" else 400 for n in ITEMS]
        found["data points N"][f"a step, {name}"] = [
            step(make(n), jobs[n], steps=s) for n, s in zip(ITEMS, steps, strict=True)
        ]
    for name in ("linear", "gated"):
        line = [1e6 * flow(kinds[name](n), jobs[n], turns) for n in ITEMS]
        found["data points N"][f"the flow, {name}"] = line
    makes = {"linear": linear, "ReLU": relu}
    found["width"] = {n: [step(make(w), task(), steps=max(20, per // w)) for w in WIDTHS] for n, make in makes.items()}
    found["layers"] = {n: [step(make(depth=d), task()) for d in DEPTHS] for n, make in makes.items()}
    found["seeds"] = {
        f"width {w}": [step(relu(w), task(), s, max(20, 2000 // s)) for s in SEEDS] for w in (32, 128, 700)
    }
    found["steps"] = {f"{s} seeds" if s > 1 else "1 seed": [step(relu(), task(), s, k) for k in STEPS] for s in (1, 10)}
    found["layers, compiling"] = {
        n: [1e3 * train(make(24, d), task(), 3, 10, 1)[1] for d in DEPTHS] for n, make in makes.items()
    }
    return found


def draw(found):
    with fs.plot.style():
        figure, axes = fs.plot.panels(2, 3)
        against = (ITEMS, WIDTHS, DEPTHS, SEEDS, STEPS, DEPTHS)
        for ax, (name, lines), x in zip(axes, found.items(), against, strict=True):
            for label, y in lines.items():
                ax.loglog(x, y, "o--" if label.startswith("the flow") else "o-", markersize=3.5, label=label)
            ax.set_xlabel(name.split(",")[0])
            ax.set_xticks(x, [f"{v:,}" for v in x])
            ax.minorticks_off()
            compiling = "compiling" in name
            ax.set_ylabel("ms to compile, once" if compiling else "µs per seed and step")
            values = [v for y in lines.values() for v in y]
            ax.set_ylim(min(values) / 3, max(values) * 5 ** (len(lines) / 2))
            ax.legend(loc="upper left", ncols=2 if len(lines) > 3 else 1)
        return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "docs" / "figures" / "cost.png")
    asked = parser.parse_args()
    found = measure(asked.turns)
    for name, lines in found.items():
        for label, values in lines.items():
            print(f"{name:<20}{label:<22}" + " ".join(f"{v:9.3g}" for v in values))
    Path("out").mkdir(exist_ok=True)
    Path("out/cost.json").write_text(json.dumps(found, indent=1) + "\n")
    with fs.plot.style():
        draw(found).savefig(asked.out)


if __name__ == "__main__":
    main()

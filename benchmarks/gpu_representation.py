"""Two points through 20 layers of 500 units, as published: ``python benchmarks/gpu_representation.py [SETTING ...]``.

Without arguments one trial and fifty of the default network are timed. With names of published settings (or ``all``) a
grid of 5 × 5 input and target distances is trained for each at full width and 6000 epochs, and final distances are
compared with the effective theory whose rates come from tangent kernels, and with the fit at one distance; results go
to ``gpu_representation.json`` in the folder ``$OUT``, or here. The same calls run on a CPU.
"""

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
import festina as fs
from festina.papers import published
from festina.representation import Effective, fit
from festina.representation import read_pair as pair
from festina.tasks import two_points

TRIALS = 50
ARCHITECTURES = (
    "default", "convolution", "skip connections", "shallow", "narrow", "dropout", "linear", "relu", "elu", "tanh",
    "swish",
)  # fmt: skip
OBSERVE = ("loss", "distances", "outputs")
THEORIES = {"start": Effective(), "plateau": Effective("plateau"), "growth": Effective(growth=True)}


def speed():
    setting, task = published("default"), two_points("released")
    for seeds in (1, TRIALS):
        begun = time.perf_counter()
        run = fs.evolve(
            setting.network, task, setting.times(601), method=fs.Train(setting.rate, precision="single"), seeds=seeds,
            observe=OBSERVE,
        )  # fmt: skip
        whole, notes = time.perf_counter() - begun, run.notes
        begun = time.perf_counter()
        fit(pair(run))
        parts = f"{notes['seconds_running']:.1f} s running, {notes['seconds_compiling']:.1f} s compiling"
        print(f"{seeds} trials, {setting.epochs} epochs on a {notes['device']}: {whole:.1f} s ({parts}); ", end="")
        print(f"a fit {time.perf_counter() - begun:.3f} s")


def grid(name, seeds=10):
    """Final distances over the grid: found, from fitted rates, and from each theory without a fit; curve errors too."""
    setting = published(name)
    train = fs.Train(setting.rate, precision="single")
    times = setting.times(301)
    at = fs.evolve(setting.network, two_points("text"), times, method=train, seeds=seeds, observe=OBSERVE)
    fits = [fit(pair(at, seed=k)) for k in range(seeds) if np.isfinite(at["distances"][k]).all()]
    rates = tuple(np.exp(np.mean(np.log([f.rates[:2] for f in fits]), axis=0)))
    rows = []
    for k, (dx, dy) in enumerate([(a, b) for a in np.linspace(0.5, 1.5, 5) for b in np.linspace(0, 1, 5)]):
        task = two_points(float(dx), float(dy))
        run = fs.evolve(setting.network, task, times, method=train, seed=k, observe=OBSERVE)
        found = pair(run)
        theory = fs.representation.TwoPoint(found.dx, found.dy, rates, found.start)
        row = {"dx": dx, "dy": dy, "found": found.h[-1], "fitted": theory.final_distance, "fit_curve": fit(found).error}
        row["learned"] = not found.cut and run.loss[-1] < 1e-3 * run.loss[0]
        for label, chosen in THEORIES.items():
            guess = fs.evolve(setting.network, task, run.times, method=fs.Reduced(chosen), seed=k, observe=OBSERVE)
            predicted = pair(guess)
            gap = sum(np.sum((getattr(predicted, c) - getattr(found, c)) ** 2) for c in "hyw")
            size = sum(np.sum(getattr(found, c) ** 2) for c in "hyw")
            row |= {label: predicted.h[-1], f"{label}_curve": np.sqrt(gap / size)}
        rows.append({key: float(value) for key, value in row.items()})
    return rows


def report(rows):
    kept = [row for row in rows if row["learned"]]
    found = np.array([row["found"] for row in kept])
    for label in ("fitted", *THEORIES):
        guess = np.array([row[label] for row in kept])
        error, order = np.linalg.norm(guess - found) / np.linalg.norm(found), np.corrcoef(guess, found)[0, 1]
        curve = np.median(
            [row["fit_curve" if label == "fitted" else f"{label}_curve"] for row in kept if row["dy"] > 0]
        )
        print(f"    {label}: error {error:.2f}, correlation {order:.3f}, curves {curve:.2f} ({len(kept)} learned)")


def main():
    if len(sys.argv) < 2:
        return speed()
    found = {}
    for name in ARCHITECTURES if sys.argv[1:] == ["all"] else sys.argv[1:]:
        begun = time.perf_counter()
        found[name] = grid(name)
        print(f"{name}: {time.perf_counter() - begun:.0f} s", flush=True)
        report(found[name])
        Path(os.environ.get("OUT", "."), "gpu_representation.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()

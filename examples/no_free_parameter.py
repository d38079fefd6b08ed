"""Predicted before training, then trained: networks of five kinds, and nothing fitted. The README's figure.

Run it with ``python examples/no_free_parameter.py [FOLDER]``; it writes ``no_free_parameter.png`` and ``.svg``, and
``no_free_parameter_dark.png`` for pages that are dark.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.image import imread, imsave

import festina as fs
from festina import plot
from festina.analysis.passage import first_passage

SEEDS = 3
DARK = ("#00446B", "#803800")  # blue and vermilion as predictions are drawn
EARLY_AND_LATE = np.concatenate([[0.0], np.geomspace(1e-2, 1e4, 600)])  # flow times among which a half-time is found


def half_time(times, loss, task):
    """When a loss has fallen to half of what a network that says nothing has, Tr Σy / 2."""
    return first_passage(times, loss, task.statistics.power / 4)


def train(network, task, predicted):
    """Half-times of trained networks; their step is a 600th of the predicted time, so that it plays no part."""
    times = np.linspace(0, 1.5, 101) * predicted
    runs = fs.evolve(network, task, times, method=fs.Train(rate=predicted / 600), seeds=SEEDS)
    return [half_time(runs.times, loss, task) for loss in runs.loss]


def check(network, task, method):
    """Predicted and trained half-times, seed by seed: the theory starts from each seed's own weights."""
    theory = fs.evolve(network, task, EARLY_AND_LATE, method=method, seeds=SEEDS)
    predicted = [half_time(theory.times, loss, task) for loss in theory.loss]
    return predicted, train(network, task, max(predicted))


def race(delta, std):
    """Half-times of the two gatings of extended XOR, from the strengths that random weights have on average."""
    task, start = fs.tasks.extended_xor(delta), fs.initial.Gaussian(std)
    gatings = {
        "linear gating": fs.gated.pathways([task.y[:, 0] > 0, task.y[:, 0] < 0], 64, initial=start),
        "XOR gating": fs.gated.pathways(np.eye(4), 32, initial=start),
    }
    ranking = fs.gated.rank_gatings(task, gatings, criterion=task.statistics.power / 4, times=EARLY_AND_LATE)
    return {runner.name: runner.time for runner in ranking.runners}


def check_relu(delta, std):
    """Half-times of the two gatings, and of ReLU networks."""
    times, task = race(delta, std), fs.tasks.extended_xor(delta)
    return times, train(fs.ReLU(hidden=(128,), initial=fs.initial.Gaussian(std)), task, min(times.values()))


items, teacher = fs.tasks.living_things(8), fs.tasks.teacher(8, 6, strengths=(9.0, 3.0, 1.0), seed=2)
found = {
    "linear, 1 to 4 layers, closed form": [
        check(fs.DeepLinear((20,) * hidden, initial=fs.initial.Aligned(strength)), items, fs.Exact())
        for hidden in range(4)
        for strength in (0.003, 0.03, 0.3)
    ],
    "linear, random weights, race": [
        check(fs.DeepLinear((64,), initial=fs.initial.Gaussian(std)), items, fs.Reduced())
        for std in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
    ],
    "linear, λ-balanced, exact": [
        check(fs.DeepLinear((6,), initial=fs.initial.Balanced(0.01, lambda_=lambda_)), teacher, fs.Exact())
        for lambda_ in (0.0, 0.3, 1.0, 3.0, 10.0, 30.0)
    ],
    "gated, routing, race": [
        check(
            fs.gated.routing(5, 3, 16, initial=fs.gated.Decoupled(strength)),
            fs.tasks.routing(5, 3),
            fs.Reduced(),
        )
        for strength in (0.02, 0.08, 0.3)
    ],
}
deltas = np.linspace(0, 3, 13)
relu = {std: [check_relu(delta, std) for delta in deltas] for std in (1e-5, 1e-3)}
found["ReLU, race of two gatings"] = [
    ([min(times.values())] * SEEDS, trained) for pairs in relu.values() for times, trained in pairs
]
for kind, pairs in found.items():
    predicted, trained = np.array(pairs).transpose(1, 0, 2).reshape(2, -1)
    print(
        f"{kind:<36}{len(trained):>4} networks, median error {np.median(np.abs(trained / predicted - 1)):.2%}, "
        f"largest {np.max(np.abs(trained / predicted - 1)):.1%}"
    )

task, times = fs.tasks.living_things(8), np.linspace(0, 75, 301)
network = fs.DeepLinear((64,), initial=fs.initial.Gaussian(1e-3))
theory, run = (
    fs.evolve(network, task, times, method=method, observe=("strengths",))
    for method in (fs.Reduced(), fs.Train(rate=0.01))
)

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)
with plot.style():
    figure, (left, middle, right) = plot.panels(1, 3, width=3.9, height=3.2)
    plot.strengths(run, left, label="")
    plot.strengths(theory, left, label="")
    left.plot([], [], color="0.7", linewidth=5, label="trained")
    left.plot([], [], color="black", linewidth=1.3, label="predicted")
    left.legend(loc="upper left", ncols=2)
    left.set(title="What is learned, and when", ylim=(-0.2, 4.9))
    levels = ("everything", "animals | plants", "birds | fish; trees | flowers", "single things")
    for name, height in zip(levels, np.unique(task.statistics.targets.round(6))[::-1], strict=True):
        left.annotate(name, (75, height), (0, 5), textcoords="offset points", ha="right", fontsize=8)
    margins = np.linspace(0, 3, 31)
    predicted = [race(delta, 1e-3) for delta in margins]
    for gating, colour in zip(("linear gating", "XOR gating"), DARK, strict=True):
        middle.plot(margins, [times[gating] for times in predicted], color=colour, linewidth=1.3, label=gating)
    dots = np.repeat(deltas, SEEDS), np.concatenate([trained for _, trained in relu[1e-3]])
    middle.plot(*dots, "o", color="0.72", markersize=6.5, zorder=1, label="ReLU networks, trained")
    middle.axvline(np.sqrt(2 / 3), color="0.4", linewidth=0.8, linestyle=":")
    middle.annotate("Δ = √(2/3)", (np.sqrt(2 / 3), 1), (4, 0), textcoords="offset points", fontsize=8)
    middle.set(xlabel="margin Δ of the task", ylabel="time to half the loss (flow time)", ylim=(0, 30))
    middle.set_title("ReLU networks learn by the faster gating")
    middle.legend()
    for (kind, pairs), colour, marker in zip(found.items(), plot.COLOURS, "osD^v", strict=False):
        predicted, trained = np.array(pairs).transpose(1, 0, 2).reshape(2, -1)
        right.loglog(predicted, trained, marker, color=colour, markersize=4.5, alpha=0.75, label=kind)
    ends = right.get_xlim()
    right.plot(ends, ends, color="0.6", linewidth=1, zorder=0)
    right.set(xlim=ends, ylim=ends, xlabel="predicted time to half the loss (flow time)", ylabel="trained")
    count = sum(len(pairs) * SEEDS for pairs in found.values())
    right.set_title(f"{count} networks, nothing fitted")
    right.legend(loc="upper left")
    for suffix in ("png", "svg"):
        figure.savefig(folder / f"no_free_parameter.{suffix}")
# lightness is inverted and hues are kept, as the documentation shows figures in the dark
turned = 0.925 - 0.85 * imread(folder / "no_free_parameter.png")[..., :3]
brightness = turned @ np.array([0.213, 0.715, 0.072])
imsave(folder / "no_free_parameter_dark.png", np.clip(2 * brightness[..., None] - turned, 0, 1))
print(f"\nwrote {folder / 'no_free_parameter.png'} and {folder / 'no_free_parameter.svg'}")

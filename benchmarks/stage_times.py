"""How often stages come when they were predicted: the table "Times" of docs/reliability.md.

Each network is predicted and trained from fifty initial weights. A stage is within its ± where |measured − predicted|
is at most the uncertainty that ``fs.compare`` states. ``python benchmarks/stage_times.py`` prints the table.
"""

import sys

import numpy as np
from sklearn import datasets

import festina as fs

RATE = 0.01
SEEDS = 50


def animals():
    """Twelve animals and twenty properties."""
    words = "moves breathes feathers flies wings swims gills fins fur milk legs hunts claws stripes hooves large sings"
    words = [*words.split(), "eggs", "scales", "tame"]
    rows = {
        "robin": "moves breathes feathers flies wings legs sings eggs",
        "canary": "moves breathes feathers flies wings legs sings eggs tame",
        "hawk": "moves breathes feathers flies wings legs hunts claws eggs large",
        "duck": "moves breathes feathers flies wings legs swims eggs",
        "salmon": "moves swims gills fins scales eggs",
        "shark": "moves swims gills fins hunts large scales",
        "carp": "moves swims gills fins scales eggs tame",
        "trout": "moves swims gills fins scales eggs hunts",
        "dog": "moves breathes fur milk legs hunts claws tame",
        "tiger": "moves breathes fur milk legs hunts claws stripes large",
        "zebra": "moves breathes fur milk legs hooves stripes large",
        "horse": "moves breathes fur milk legs hooves large tame",
    }
    y = np.array([[word in row.split() for word in words] for row in rows.values()], float)
    return fs.Task(np.eye(len(rows)), y, items=list(rows), inputs=list(rows), outputs=words)


def classes(load, scale, most=12):
    """The first points of each class of a table of scikit-learn, on its own scale or standardised."""
    x, y = load(return_X_y=True)
    kept = np.concatenate([np.flatnonzero(y == k)[:most] for k in np.unique(y)])
    x = x[kept] / scale if scale else (x[kept] - x[kept].mean(axis=0)) / x[kept].std(axis=0)
    return fs.Task(x, labels=[str(k) for k in y[kept]])


def shortcut():
    """A strong cue that agrees with the target in seven of eight points, and a weak one that always does."""
    target = np.array([1, 1, 1, 1, -1, -1, -1, -1.0])
    cue = np.array([1, 1, 1, -1, -1, -1, -1, -1.0])
    return fs.Task(np.stack([2 * cue, 0.5 * target], axis=1), target[:, None], inputs=["shortcut", "rule"])


def cases():
    """Name, network, task, last time."""
    for hidden, scale in ((16, 1e-3), (64, 1e-3), (32, 1e-2), (32, 1e-4)):
        yield f"living things, {hidden} linear units, {scale:g}", linear(hidden, scale), fs.tasks.living_things(8), 80
    yield "12 animals × 20 properties, 32 linear units, 0.001", linear(32, 1e-3), animals(), 450
    yield "shortcut, 32 linear units, 0.001", linear(32, 1e-3), shortcut(), 60
    relu = fs.ReLU((32,), initial=fs.initial.Gaussian(1e-3))
    yield "wine, 32 rectified units, 0.001", relu, classes(datasets.load_wine, 0), 60
    yield "digits, 32 rectified units, 0.001", relu, classes(datasets.load_digits, 16), 150


def linear(hidden, scale):
    return fs.DeepLinear((hidden,), initial=fs.initial.Gaussian(scale))


def measure(network, task, until, seeds):
    """For each seed and stage: difference and uncertainty."""
    times = np.linspace(0, until, 401)
    found = []
    for seed in range(seeds):
        theory = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed)
        _ = theory.error
        training = fs.evolve(network, task, times, method=fs.Train(rate=RATE), seed=seed)
        stages = fs.compare(theory, training).stages
        found.append([(abs(stage.difference), stage.uncertainty) for stage in stages if np.isfinite(stage.predicted)])
    return found


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    print(
        "| task, network, initial weights | seeds | stages | within ± | seeds with all within ± | typical share of ± |"
    )
    print("|---|---|---|---|---|---|")
    for name, network, task, until in cases():
        found = measure(network, task, until, seeds)
        pairs = np.array([pair for stages in found for pair in stages])
        every = np.mean([all(apart <= sure for apart, sure in stages) for stages in found])
        within = np.mean(pairs[:, 0] <= pairs[:, 1])
        typical = np.median(pairs[:, 0] / pairs[:, 1])
        print(f"| {name} | {seeds} | {len(pairs)} | {within:.0%} | {every:.0%} | {typical:.2f} |", flush=True)


if __name__ == "__main__":
    main()

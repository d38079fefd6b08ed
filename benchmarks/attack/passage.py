"""The time to a loss against the flow of all weights, and its first passage on a trajectory."""

import gradients
import numpy as np
from draw import Case
from dynamics import CLOSE, HELD, refused, settle

import festina as fs

LATE = 10.0
"""Time constants of the strongest mode after which a loss that is never reached is looked at."""


def draw_passage(rng: np.random.Generator) -> Case:
    """Linear networks of one to four layers, aligned or balanced, and a loss between the first and the last."""
    inputs, outputs = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    x = np.linalg.qr(rng.standard_normal((inputs + int(rng.integers(3)), inputs)))[0]
    x = x * 10 ** rng.uniform(-1, 1, inputs) if rng.integers(2) else x * 10 ** rng.uniform(-2, 2)
    return {
        "x": x, "y": rng.standard_normal((len(x), outputs)) * 10 ** rng.uniform(-3, 3),
        "layers": int(rng.integers(1, 5)), "start": str(rng.choice(["aligned", "balanced"])),
        "share": float(10 ** rng.uniform(-4, 0)), "level": float(rng.uniform(-0.2, 1.2)),
        "seed": int(rng.integers(1000)),
    }  # fmt: skip


def check_passage(case: Case) -> str:
    """At the time that is given, the flow has the loss; where it is never, the flow does not come down to it."""
    x, y, depth = case["x"], case["y"], case["layers"]
    try:
        task = fs.Task(x, y)
        size = case["share"] * (float(task.statistics.targets.max(initial=0.0)) or 1.0)
        start = fs.initial.Aligned(size) if case["start"] == "aligned" else fs.initial.Balanced(size)
        network = fs.DeepLinear((x.shape[1] + y.shape[1],) * (depth - 1), initial=start)
        weights = [np.asarray(w) for w in network.start(task, case["seed"])]
        first, least = loss_of(x, y, weights), float(task.statistics.floor)
        wanted = max(least + case["level"] * (first - least), 0.0)
        at = network.time_to_loss(task, wanted, seed=case["seed"])
    except (fs.AssumptionError, ValueError) as error:
        return refused(error)
    if case["level"] >= 1:
        assert at == 0, f"the first loss {first} is below {wanted}, and yet the time is {at}"
        return HELD
    never = not np.isfinite(at)
    # weights that point away from the targets end in a saddle, from which rounding takes those of the reference
    late = LATE / (float(task.statistics.strengths.max(initial=0.0)) or 1.0)

    def compare(path: list[gradients.Weights]) -> None:
        now = loss_of(x, y, path[-1])
        if never:
            assert now >= wanted - CLOSE * first, f"{wanted} is never reached, and yet the loss is {now}"
        else:
            settle("loss then", now, wanted, first)

    gradients.settle_path(compare, gradients.layers(x, y), weights, np.array([0.0, late if never else at]))
    return HELD


def loss_of(x: np.ndarray, y: np.ndarray, weights: gradients.Weights) -> float:
    h = x
    for matrix in weights:
        h = h @ matrix.T
    return 0.5 * float(np.sum((y - h) ** 2)) / len(x)

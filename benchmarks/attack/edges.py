"""Where answers end: gates at rounding, tiny features and small biases."""

import gradients
import numpy as np
from draw import Case
from dynamics import CLOSE, HELD, REFUSED, evolve, refused, settle

import festina as fs


def draw_biases(rng: np.random.Generator) -> Case:
    """Linear networks with biases between 1e-16 and 1 of the targets, on centred data in any units."""
    inputs, outputs, half = (int(rng.integers(1, 4)) for _ in range(3))
    x = np.linalg.qr(rng.standard_normal((inputs + half, inputs)))[0] * 10 ** rng.uniform(-1, 1)
    y = x @ rng.standard_normal((inputs, outputs))
    return {
        "x": np.vstack([x, -x]) * 10 ** rng.uniform(-2, 2), "y": np.vstack([y, -y]) * 10 ** rng.uniform(-6, 6),
        "layers": int(rng.integers(1, 4)), "share": float(10 ** rng.uniform(-4, 0.3)),
        "balance": float(10 ** rng.uniform(-2, 2)) if rng.integers(2) else 1.0,
        "biases": float(10 ** rng.uniform(-16, 0)), "method": "exact", "seed": int(rng.integers(1000)),
    }  # fmt: skip


def check_biases(case: Case) -> str:
    """An answer is the flow of weights and biases together."""
    x, y, depth = case["x"], case["y"], case["layers"]
    try:
        task = fs.Task(x, y)
        end = float(task.statistics.targets.max(initial=0.0)) or 1.0
        aligned = fs.DeepLinear(
            (x.shape[1] + y.shape[1],) * (depth - 1), initial=fs.initial.Aligned(case["share"] * end)
        )
        weights = [np.asarray(w) for w in aligned.start(task, 0)]
    except ValueError as error:
        return refused(error)
    if depth == 2:  # more layers have to be balanced
        weights = [weights[0] * case["balance"], weights[1] / case["balance"]]
    rng, sizes = np.random.default_rng(case["seed"]), [float(np.sqrt(np.mean(part**2))) for part in (x, y)]
    for k, matrix in enumerate(weights, 1):
        size = (
            sizes[0] ** (1 - k / depth) * sizes[1] ** (k / depth) * (case["balance"] if depth == 2 and k == 1 else 1.0)
        )
        weights[k - 1] = np.column_stack([matrix, case["biases"] * size * rng.standard_normal(len(matrix))])
    network = fs.DeepLinear(aligned.hidden, initial=fs.initial.Weights(weights), bias=True)
    speed = (float(task.statistics.strengths.max(initial=0.0)) or 1.0) * end ** (1 - 2 / depth)
    times = np.array([0.0, 0.3, 2.0, 8.0]) / (speed if depth > 1 else sizes[0] ** 2)

    def outputs(weights: gradients.Weights) -> np.ndarray:
        h = x
        for matrix in weights:
            h = h @ matrix[:, :-1].T + matrix[:, -1]
        return h

    run = evolve(network, task, times, case, ("loss", "outputs"))
    if run is None:
        return REFUSED

    def compare(path: list[gradients.Weights]) -> None:
        expected = [outputs(now) for now in path]
        settle("outputs", run.outputs, expected, float(np.abs(y).max()))
        settle(
            "loss", run.loss, [0.5 * np.sum((y - out) ** 2) / len(x) for out in expected], 0.5 * np.sum(y**2) / len(x)
        )

    gradients.settle_path(compare, gradients.layers(x, y, bias=True), weights, times)
    return HELD


RANK = 1e-12
"""Share of the largest feature below which others are rounding error of it (``task.statistics.rank``)."""

ROUNDED = 100 * np.finfo(float).eps
"""Rounding error of singular vectors, for features of equal size."""


def draw_tiny(rng: np.random.Generator) -> Case:
    """Features of which some are between 1e-11 and 1e-5 of the largest, correlated among themselves or not."""
    large, small, outputs = int(rng.integers(1, 3)), int(rng.integers(2, 4)), int(rng.integers(2, 6))
    points = 2 * (large + small)
    x = np.linalg.qr(rng.standard_normal((points, large + small)))[0] * np.sqrt(points)
    mix = np.eye(small)
    kind = str(rng.choice(["own", "equal", "correlated"]))
    if kind == "correlated":
        mix = mix + 10 ** rng.uniform(-6, 0) * rng.standard_normal((small, small))
    sizes = 10 ** rng.uniform(-11, -5) * (1.0 if kind == "equal" else 10 ** rng.uniform(-1, 1, small))
    targets = np.eye(large + small, outputs)
    if rng.integers(2):  # the large features have outputs of their own
        targets[large:, large:] += rng.standard_normal((small, max(outputs - large, 0)))
    y = x @ targets
    x[:, large:] = x[:, large:] @ mix * sizes
    return {
        "x": x, "y": y, "layers": int(rng.integers(1, 4)), "share": float(10 ** rng.uniform(-3, -0.5)),
        "late": bool(rng.integers(2)), "start": str(rng.choice(["aligned", "balanced"])),
        "seed": int(rng.integers(1000)),
    }  # fmt: skip


def check_tiny(case: Case) -> str:
    """Loss and outputs of an answer agree with each other, with SciPy, and at the end with the best linear map."""
    x, y, depth = case["x"], case["y"], case["layers"]
    try:
        task = fs.Task(x, y)
        size = case["share"] * float(task.statistics.targets.min(initial=1.0))
        start = fs.initial.Aligned(size) if case["start"] == "aligned" else fs.initial.Balanced(size)
        network = fs.DeepLinear((x.shape[1] + y.shape[1],) * (depth - 1), initial=start)
        speed = float(task.statistics.strengths.max(initial=0.0)) or 1.0
        times = np.array([0.0, 1.0, 10.0, 1e3]) / speed
        run = fs.evolve(
            network, task, None if case["late"] else times, method=fs.Exact(), seed=case["seed"], observe=OBSERVED
        )
    except (fs.AssumptionError, ValueError) as error:
        return refused(error)
    power = 0.5 * float(np.sum(y**2)) / len(x)
    agree(run, task, power)
    if case["late"]:
        left, sizes, _ = np.linalg.svd(x, full_matrices=False)
        left = left[:, sizes > RANK * sizes[0]]
        # directions of small features are known to the rounding error of the largest
        known = max(CLOSE, ROUNDED / float((sizes / sizes[0])[sizes > RANK * sizes[0]].min()))
        # what lies along features below RANK may be learned or not: rounding decides
        reached = left @ (left.T @ run.outputs[-1])
        settle("last outputs", reached, left @ (left.T @ y), float(np.abs(y).max()), known)
        return HELD
    weights = [np.asarray(w) for w in network.start(task, case["seed"])]

    def compare(path: list[gradients.Weights]) -> None:
        expected = []
        for now in path:
            h = x
            for matrix in now:
                h = h @ matrix.T
            expected.append(h)
        settle("outputs", run.outputs, expected, float(np.abs(y).max()))

    gradients.settle_path(compare, gradients.layers(x, y), weights, times)
    return HELD


OBSERVED = ("loss", "outputs", "strengths", "map")


def agree(run: fs.Trajectory, task: fs.Task, power: float) -> None:
    """What an answer says of loss, outputs, map and strengths is one thing."""
    x, y, statistics = task.x, task.y, task.statistics
    losses = [0.5 * np.sum((y - out) ** 2) / len(x) for out in run.outputs]
    settle("loss of the outputs", run.loss, losses, power)
    settle("outputs of the map", np.einsum("toi,ni->tno", run["map"], x), run.outputs, float(np.abs(y).max()))
    seen = np.einsum("om,toi,im->tm", statistics.left, run["map"], statistics.right)
    settle("strengths of the map", run.strengths, seen, float(statistics.targets.max(initial=0.0)))


def draw_gates(rng: np.random.Generator) -> Case:
    """Data points and units on which activities cancel: on grids, orthogonal, or up to rounding."""
    inputs, points, units = int(rng.integers(2, 7)), int(rng.integers(2, 6)), int(rng.integers(1, 4))
    kind = str(rng.choice(["signs", "decimals", "orthogonal", "turned"]))
    x = rng.integers(-3, 4, (points, inputs)).astype(float)
    if kind == "decimals":
        x = x / 10 * rng.choice([1.0, 3.0, 7.0])
    if kind in ("orthogonal", "turned"):
        x = np.eye(max(points, inputs))[:points, :inputs] * rng.uniform(0.5, 2, (points, 1)) * rng.choice([1.0, -1.0])
        if kind == "turned":
            x = x @ np.linalg.qr(rng.standard_normal((inputs, inputs)))[0]
    first = x[rng.integers(0, points, units)] * rng.choice([0.1, 0.3, 0.01, 1.0], (units, 1))
    if rng.integers(2):  # weights off one of the points by exactly nothing, or by rounding
        for i, row in enumerate(first.copy()):
            other = x[int(rng.integers(points))]
            first[i] = row - row @ other / (other @ other or 1.0) * other
    size = np.linalg.norm(first, axis=1)[None]
    y = rng.choice([1.0, -1.0, 0.5, 0.3], (points, int(rng.integers(1, 3))))
    second = rng.choice([1.0, -1.0], (y.shape[1], 1)) * size
    if y.shape[1] > 1:
        second = second / np.sqrt(y.shape[1])
    if rng.integers(2):  # the one output direction of a single mode, so that a closed form applies
        second = np.sign((first @ x.T > 0) @ y).T * size / np.sqrt(y.shape[1])
    return {"x": x, "y": y, "first": first, "second": second}


def check_gates(case: Case) -> str:
    """An answer with fixed gates is the flow of the ReLU network, as the network itself computes its activity."""
    x, y, weights = case["x"], case["y"], [case["first"], case["second"]]
    times = np.array([0.0, 0.3, 1.0, 4.0, 20.0])
    try:
        task, network = fs.Task(x, y), fs.ReLU((len(weights[0]),), initial=fs.initial.Weights(weights))
        run = fs.evolve(network, task, times, method=fs.Exact(), observe=("loss", "outputs"))
    except (fs.AssumptionError, ValueError) as error:
        return refused(error)

    def compare(path: list[gradients.Weights]) -> None:
        expected = [np.maximum(x @ now[0].T, 0) @ now[1].T for now in path]
        settle("outputs", run.outputs, expected, float(np.abs(y).max()))

    gradients.settle_path(compare, gradients.layers(x, y, rectified=True), weights, times)
    return HELD

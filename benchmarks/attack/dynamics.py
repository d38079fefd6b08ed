"""Networks by closed form, race, flow and training against the references."""

from itertools import pairwise
from typing import Any

import gradients
import numpy as np
from draw import Case, draw_data

import festina as fs

CLOSE = 1e-6
"""Largest difference from the reference, as a share of the largest value of the quantity or of what is to be learned.
The reference has 1e-11 a step where it matters; closed forms lose up to eight digits where columns differ by 1e-8."""

ROUNDING = 1e-9
"""Part of max|y|/max|x|, the size of a map that explains the data, below which a map is rounding."""

ESTIMATED = 1e-3
"""How far the error of a race may be from its own estimate, as a share of the first loss: the estimate integrates the
flow at a relative tolerance of 1e-5 a step."""

REFUSED, HELD = "refused", "held"


def settle(name: str, found: Any, expected: Any, size: float, close: float = CLOSE) -> None:
    """Raise where an observable is not finite or is off."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{name} has shape {found.shape}, not {expected.shape}"
    assert np.all(np.isfinite(found)), f"{name} is not finite: {found.ravel()[:5]}"
    miss = float(np.abs(found - expected).max(initial=0.0)) / (
        max(size, float(np.abs(expected).max(initial=0.0))) or 1.0
    )
    assert miss < close, f"{name} is off by {miss:.2g}"


def compare(run: fs.Trajectory, method: str, path: list[gradients.Weights], outputs: Any, case: Case) -> None:
    """The loss, outputs and weights of a run against those of the reference."""
    x, y = case["x"], case["y"]
    expected = [outputs(weights) for weights in path]
    losses = [0.5 * np.sum((y - out) ** 2) / len(x) for out in expected]
    size = max(losses[0], 0.5 * float(np.sum(y**2)) / len(x))
    if method == "race":
        wrong = np.abs(run.loss - losses)
        assert np.all(np.isfinite(run.loss)), f"the race is not finite: {run.loss}"
        error = np.zeros(1) if run.error is None else run.error
        assert np.all(np.abs(wrong - error) <= ESTIMATED * size), f"the race is off by {wrong}, not {error}"
        return
    settle("loss", run.loss, losses, size)
    settle("outputs", run.outputs, expected, float(np.abs(y).max(initial=0.0)))
    # targets that are not correlated with the inputs leave a correlation that is rounding, and so is what it teaches
    wide = float(np.abs(x).max(initial=0.0))
    noise = ROUNDING * float(np.abs(y).max(initial=0.0)) / wide if wide else 0.0
    size = max(noise, *(float(np.abs(w).max()) for w in path[0]))
    for i, matrix in enumerate(run["weights"]):
        settle(f"weights[{i}]", matrix, [weights[i] for weights in path], size)


def evolve(
    network: fs.Network,
    task: fs.Task,
    times: np.ndarray,
    case: Case,
    observe: tuple[str, ...] = ("loss", "outputs", "weights"),
) -> fs.Trajectory | None:
    """The run, or None where it is refused in words."""
    method = {"exact": fs.Exact(), "race": fs.Reduced(), "flow": fs.Flow()}[case["method"]]
    observe = ("loss",) if case["method"] == "race" else observe
    try:
        return fs.evolve(network, task, times, method=method, seed=case["seed"], observe=observe)
    except (fs.AssumptionError, ValueError) as error:
        refused(error)
        return None


def refused(error: Exception) -> str:
    """A refusal counts only where it says why."""
    if len(str(error)) < 30 or str(error).startswith(("matmul:", "too many values", "operands could not")):
        raise RuntimeError(f"an error without words: {error!r}")
    return REFUSED


def judge(network: fs.Network, task: fs.Task, times: np.ndarray, case: Case, gradient: Any, *, outputs: Any) -> str:
    """A run against the reference."""
    run = evolve(network, task, times, case)
    if run is None:
        return REFUSED
    weights = [np.asarray(w) for w in network.start(task, case["seed"])]
    gradients.settle_path(lambda path: compare(run, case["method"], path, outputs, case), gradient, weights, times)
    return HELD


def methods(rng: np.random.Generator) -> str:
    """Closed forms are attacked most."""
    return str(rng.choice(["exact", "race", "flow"], p=[0.7, 0.15, 0.15]))


def draw_linear(rng: np.random.Generator) -> Case:
    """Linear networks of one to three layers from every start."""
    start = str(rng.choice(["aligned", "gaussian", "balanced", "lambda", "orthogonal", "weights"]))
    return {
        **draw_data(rng), "layers": 2 if start == "lambda" else int(rng.integers(1, 4)),
        "width": int(rng.integers(1, 7)),
        "start": start, "share": float(10 ** rng.uniform(-6, 0.3)), "offset": float(rng.normal()),
        "method": methods(rng), "seed": int(rng.integers(1000)),
    }  # fmt: skip


def build_linear(case: Case) -> tuple[fs.DeepLinear, fs.Task, np.ndarray]:
    """The network, its task, and times in which it learns."""
    task = fs.Task(case["x"], case["y"])
    depth, share = case["layers"], case["share"]
    end = float(task.statistics.targets.max(initial=0.0)) or 1.0
    shapes = [case["x"].shape[1], *[case["width"]] * (depth - 1), case["y"].shape[1]]
    size = float((share * end) ** (1 / depth))
    draw = np.random.default_rng(case["seed"]).standard_normal
    starts = {
        "aligned": lambda: fs.initial.Aligned(share * end),
        "gaussian": lambda: fs.initial.Gaussian(size),
        "balanced": lambda: fs.initial.Balanced(share * end),
        "lambda": lambda: fs.initial.Balanced(share * end, case["offset"] * end),
        "orthogonal": lambda: fs.initial.Orthogonal(size),
        "weights": lambda: fs.initial.Weights([size * draw((b, a)) for a, b in pairwise(shapes)]),
    }
    network = fs.DeepLinear(tuple(shapes[1:-1]), initial=starts[case["start"]]())
    speed = float(task.statistics.strengths.max(initial=0.0)) or 1.0
    if depth == 1:
        times = np.array([0.0, 0.5, 3.0, 20.0]) / (float(np.linalg.norm(case["x"], 2)) ** 2 / len(case["x"]) or 1.0)
    else:
        times = np.array([0.0, 0.3, 2.0, 8.0]) / (speed * end ** (1 - 2 / depth))
    return network, task, times


def check_linear(case: Case) -> str:
    """Deep linear networks."""
    try:
        network, task, times = build_linear(case)
    except ValueError as error:
        return refused(error)

    def outputs(weights: gradients.Weights) -> np.ndarray:
        h = case["x"]
        for matrix in weights:
            h = h @ matrix.T
        return h

    return judge(network, task, times, case, gradients.layers(case["x"], case["y"]), outputs=outputs)


def draw_gated(rng: np.random.Generator) -> Case:
    """One to three pathways, which may see the same data points or none."""
    data = draw_data(rng)
    gates = (rng.random((int(rng.integers(1, 4)), len(data["x"]))) < 0.6).astype(float)
    return {
        **data, "gates": gates, "width": int(rng.integers(1, 6)), "share": float(10 ** rng.uniform(-3, 0)),
        "start": str(rng.choice(["decoupled", "gaussian"])), "method": methods(rng), "seed": int(rng.integers(1000)),
    }  # fmt: skip


def build_gated(case: Case) -> tuple[fs.Gated, fs.Task, np.ndarray]:
    """The network, its task, and times in which it learns."""
    task = fs.Task(case["x"], case["y"])
    size = float(np.sqrt(task.statistics.targets.max(initial=0.0) or 1.0)) * case["share"]
    start = fs.gated.Decoupled(size) if case["start"] == "decoupled" else fs.initial.Gaussian(size)
    network = fs.gated.pathways(case["gates"], case["width"], initial=start)
    return network, task, np.array([0.0, 0.5, 3.0]) / (float(task.statistics.strengths.max(initial=0.0)) or 1.0)


def check_gated(case: Case) -> str:
    """Gated linear networks of parallel pathways."""
    x, y, gates = case["x"], case["y"], case["gates"]
    try:
        network, task, times = build_gated(case)
    except ValueError as error:
        return refused(error)
    edges = gradients.places(network)
    outputs = gradients.gated(x, gates, edges)
    return judge(network, task, times, case, gradients.pathways(x, y, gates, edges), outputs=outputs)

"""Attention, recurrence, two points, and the units of a ReLU layer."""

import gradients
import numpy as np
import scipy
from draw import Case, draw_data
from dynamics import CLOSE, HELD, REFUSED, evolve, methods, refused, settle

import festina as fs

COVARIANT = 1e-6
"""Two predictions of one network in different units: the reduction's integrator has 1e-8 a step."""


def draw_attention(rng: np.random.Generator) -> Case:
    """One to three components, some alike, in any units; heads merged or not."""
    size = int(rng.integers(1, 4))
    turn = np.linalg.qr(rng.standard_normal((size, size)))[0]
    values = np.sort(rng.choice([1.6, 1.0, 1.0, 0.4, 0.05], size)) * 10 ** rng.uniform(-2, 2)
    return {
        "covariance": turn * values @ turn.T, "length": int(rng.integers(1, 40)), "heads": int(rng.integers(1, 5)),
        "merged": bool(rng.integers(2)), "start": str(rng.choice(["aligned", "gaussian", "balanced"])),
        "share": float(10 ** rng.uniform(-5, -1)), "method": methods(rng), "seed": int(rng.integers(1000)),
    }  # fmt: skip


def check_attention(case: Case) -> str:
    """Linear attention that regresses in context; its map and loss."""
    covariance, merged = case["covariance"], case["merged"]
    try:
        task = fs.tasks.in_context_regression(covariance, case["length"])
    except ValueError:
        return REFUSED
    end = 1 / float(np.linalg.eigvalsh(covariance)[-1])
    aligned = fs.initial.Aligned if merged else fs.attention.AlignedHeads
    start = {
        "aligned": lambda: aligned(case["share"] * end),
        "gaussian": lambda: fs.initial.Gaussian(float((case["share"] * end) ** (1 / (2 if merged else 3)))),
        "balanced": lambda: fs.initial.Balanced(case["share"] * end),
    }[case["start"]]()
    network = fs.LinearAttention(heads=case["heads"], merged=merged, initial=start)
    speed = end**-2 * (1 if merged else end ** (1 / 3))
    times = np.array([0.0, 1.0, 6.0, 30.0]) / speed
    try:
        weights = [np.asarray(w) for w in network.start(task, case["seed"])]
    except ValueError:
        return REFUSED
    run = evolve(network, task, times, case, ("loss", "map"))
    if run is None:
        return REFUSED
    size = len(covariance)
    seen = (1 + 1 / case["length"]) * covariance @ covariance + np.trace(covariance) / case["length"] * covariance
    whole = np.trace(covariance)
    if case["method"] == "race":
        assert np.all(np.isfinite(run.loss)), f"the race is not finite: {run.loss}"
        return HELD

    def compare(path: list[gradients.Weights]) -> None:
        maps = []
        for now in path:
            each = now[0].reshape(-1, size, size) if merged else np.einsum("hk,hq->hkq", now[1], now[0])
            maps.append(np.einsum("h,hkq->kq", now[-1][0], each))
        losses = [
            0.5 * (whole - 2 * np.trace(covariance @ covariance @ m) + np.trace(m.T @ seen @ m @ covariance))
            for m in maps
        ]
        settle("loss", run.loss, losses, whole / 2)
        settle("map", run["map"], maps, end)

    gradients.settle_path(compare, gradients.attention(covariance, case["length"], merged=merged), weights, times)
    return HELD


def draw_recurrent(rng: np.random.Generator) -> Case:
    """Sequences of one to four steps whose strengths may be equal, zero or negative."""
    length, modes = int(rng.integers(1, 5)), int(rng.integers(1, 3))
    strengths = rng.choice([1.0, 1.0, 0.5, 0.0, -0.3, 1e-3], (length, modes)) * 10 ** rng.uniform(-2, 2)
    return {
        "strengths": strengths, "width": int(rng.integers(1, 5)), "start": str(rng.choice(["aligned", "gaussian"])),
        "share": float(10 ** rng.uniform(-4, -0.5)), "recurrent": float(rng.choice([0.0, 0.1, 0.9])),
        "learn": bool(rng.integers(2)), "method": methods(rng), "seed": int(rng.integers(1000)),
    }  # fmt: skip


def check_recurrent(case: Case) -> str:
    """Linear recurrent networks; their maps at every lag and their loss."""
    length = len(case["strengths"])
    task = fs.tasks.sensory_integration(case["strengths"])
    size = float(np.abs(case["strengths"]).max()) or 1.0
    gaussian = (np.sqrt(case["share"] * size), case["recurrent"] / 2 + 0.05, np.sqrt(case["share"] * size))
    start = (
        fs.recurrent.AlignedRecurrence(case["share"] * size, recurrent=case["recurrent"])
        if case["start"] == "aligned"
        else fs.initial.Gaussian(tuple(float(g) for g in gaussian))
    )
    network = fs.LinearRNN(case["width"], length=length, initial=start, learn_recurrent=case["learn"])
    times = np.array([0.0, 1.0, 4.0]) / size
    try:
        weights = [np.asarray(w) for w in network.start(task, case["seed"])]
    except ValueError:
        return REFUSED
    run = evolve(network, task, times, case, ("loss", "map"))
    if run is None:
        return REFUSED
    wanted = np.asarray(task.maps)
    inputs = wanted.shape[2]
    # white inputs: one orthogonal sequence per input and step has the same expected loss
    x = np.sqrt(length * inputs) * np.eye(length * inputs)
    y = x @ np.hstack(list(wanted)).T
    gradient = gradients.recurrent(x, y, length, learn=case["learn"])
    if case["method"] == "race":
        assert np.all(np.isfinite(run.loss)), f"the race is not finite: {run.loss}"
        return HELD

    def compare(path: list[gradients.Weights]) -> None:
        maps = [
            [last @ np.linalg.matrix_power(middle, lag) @ first for lag in range(length)]
            for first, middle, last in path
        ]
        losses = np.array([0.5 * np.sum((wanted[::-1] - m) ** 2) for m in maps])
        settle("loss", run.loss, losses, losses[0])
        settle("map", run["map"], maps, size)

    gradients.settle_path(compare, gradient, weights, times)
    return HELD


def draw_points(rng: np.random.Generator) -> Case:
    """Two points over six decades of initial weights, distances and rates."""
    gain = 10 ** rng.uniform(-3, 3)
    return {
        "dx": float(10 ** rng.uniform(-3, 3)), "dy": float(10 ** rng.uniform(-3, 3)),
        "rates": 10 ** rng.uniform(-2, 2, 2), "a": float(gain * rng.normal()), "b": gain * rng.standard_normal(2),
    }  # fmt: skip


def check_points(case: Case) -> str:
    """The closed form of the two-point theory against gradient flow of the two maps."""
    dx, dy, rates, a, b = (case[name] for name in ("dx", "dy", "rates", "a", "b"))
    target = np.array([np.sqrt(dy), 0.0])
    out = a * b
    pair = fs.representation.TwoPoint(dx, dy, tuple(rates), (a**2, out @ out, out @ out - out @ target))
    times = np.array([0.0, 0.3, 2.0, 9.0]) / np.abs(pair.fixed_points[0].eigenvalues).sum()

    def field(_: float, state: np.ndarray) -> np.ndarray:
        error = state[0] * state[1:] - target
        return np.append(-dx * rates[0] / 2 * state[1:] @ error, -rates[1] / 2 * state[0] * error)

    state, least = np.append(a, b), 1e-15 * float(np.abs(np.append(a, b)).max())
    solved = scipy.integrate.solve_ivp(field, (0, times[-1]), state, "LSODA", times, rtol=1e-12, atol=least)
    if not solved.success:
        raise gradients.UnknownError
    first, rest = solved.y[0], solved.y[1:]
    y = np.sum((first * rest) ** 2, axis=0)
    expected = (first**2, y, y - target @ (first * rest))
    for name, found, wanted in zip(("h", "y", "w"), pair.solve(times), expected, strict=True):
        settle(name, found, wanted, 0.0, CLOSE)
    return HELD


def draw_units(rng: np.random.Generator) -> Case:
    """A ReLU layer of few units on a small task, and the same in other units."""
    return {
        **draw_data(rng, scales=0.0), "width": int(rng.integers(1, 6)), "share": float(10 ** rng.uniform(-4, -1)),
        "inputs": 4.0 ** int(rng.integers(-6, 7)), "outputs": 4.0 ** int(rng.integers(-6, 7)),
        "seed": int(rng.integers(1000)),
    }  # fmt: skip


def check_units(case: Case) -> str:
    """The prediction of a ReLU layer does not depend on the units of x and y; it never rises above its first loss."""
    x, y, a, b = case["x"], case["y"], case["inputs"], case["outputs"]
    top = float(np.abs(x).max()) * float(np.abs(y).max())
    if not top:
        return REFUSED
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    rng = np.random.default_rng(case["seed"])
    weights = [
        case["share"] * rng.standard_normal(s) for s in ((case["width"], x.shape[1]), (y.shape[1], case["width"]))
    ]
    times = np.array([0.0, 4.0, 15.0])
    curves = []
    for s, t in ((1.0, 1.0), (a, b)):
        start = fs.initial.Weights([np.sqrt(t / s) * w for w in weights])
        network = fs.ReLU((case["width"],), initial=start)
        try:
            run = fs.evolve(network, fs.Task(s * x, t * y), times / (s * t), method=fs.Reduced())
        except ValueError as error:
            return refused(error)
        curves.append(run.loss / t**2)
    assert np.all(np.isfinite(curves[0])), f"the loss is not finite: {curves[0]}"
    settle("loss in other units", curves[1], curves[0], curves[0][0], COVARIANT)
    assert curves[0].max() <= curves[0][0] * (1 + CLOSE), f"the loss rises: {curves[0]}"
    return HELD

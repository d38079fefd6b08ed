"""Writes linear.json: what festina says of modes, λ-balanced networks, pairs of points and structures.

The page's TypeScript is held to these numbers; tests/page/test_golden.py holds them to the library.

    python web/golden/make_linear.py
"""

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

import festina as fs
from festina.linear._riccati import Riccati
from festina.modes.mode import grow

OUT = Path(__file__).with_name("linear.json")
TASKS = {
    "hierarchy": lambda: fs.tasks.living_things(8),
    "partition": lambda: fs.tasks.partition(3, 3),
    "ordering": lambda: fs.tasks.ordering(8),
    "crossing": lambda: fs.tasks.dimensions((2, 2, 2)),
}
"""Structures of the page that are tables; the others are limits of many random features."""


def modes() -> list[dict[str, Any]]:
    """Strengths over time at all depths, from below, from near the end, from above, and from far below."""
    cases = []
    for depth in (1, 2, 3, 4, 5, 7.5, 16, 100, math.inf):
        for s, d, start in ((1.0, 1.0, 1e-3), (0.48, 0.125, 1e-6), (0.3, 2.0, 0.14), (0.3, 2.0, 0.4), (2.0, 0.5, 1e-9)):
            end = s / d
            factor = 1.0 if depth == math.inf else depth
            scale = max(1.0, (end / start) ** (1 - 2 / depth)) / (factor * s * end ** (1 - 2 / depth))
            times = np.concatenate([[0.0], scale * np.geomspace(1e-4, 30.0, 15), [np.inf]])
            goal = 0.5 * (start + end)
            cases.append(
                {
                    "depth": depth,
                    "s": s,
                    "d": d,
                    "start": start,
                    "times": times,
                    "strengths": fs.linear.strength(times, s, d, start, depth),
                    "goal": goal,
                    "time": float(fs.linear.time_to_strength(goal, s, d, start, depth)),
                }
            )
    return cases


def grows() -> list[dict[str, Any]]:
    """Growing and decaying parts of a mode of two layers, random and λ-balanced starts."""
    times = np.concatenate([[0.0], np.geomspace(1e-2, 100.0, 9), [np.inf]])
    cases = []
    for s, d, rho, kappa in (
        (1.0, 2.0, 0.02, 0.01),
        (0.4, 0.125, 1e-4, 1e-4),
        (0.4, 0.125, 0.0, 1e-2),
        (0.5, 1.0, 25.0, 25.0),
    ):
        growing, decaying = grow(times, s, d, rho, kappa)
        cases.append(
            {"s": s, "d": d, "rho": rho, "kappa": kappa, "times": times, "growing": growing, "decaying": decaying}
        )
    return cases


def balanced() -> list[dict[str, Any]]:
    """λ-balanced networks of several shapes, λ and scales, on tasks with distinct, equal and missing strengths."""
    cases = []
    shapes = ((4, 4, 4), (6, 3, 3), (3, 3, 6), (5, 2, 4), (3, 8, 3))
    for index, (inputs, hidden, outputs) in enumerate(shapes):
        lambdas = (0.0,) if hidden > max(inputs, outputs) else (-10.0, -0.5, 0.0, 0.3, 40.0)
        for lambda_ in lambdas:
            if hidden > (outputs if lambda_ > 0 else inputs) and lambda_:
                continue
            rng = np.random.default_rng(10 * index + 1)
            rank = min(inputs, outputs)
            strengths = np.array([1.0, 1.0, 0.4, 0.0])[:rank] if index == 0 else 1 - np.arange(rank) / (rank + 1)
            left = np.linalg.qr(rng.standard_normal((outputs, outputs)))[0][:, :rank]
            right = np.linalg.qr(rng.standard_normal((inputs, inputs)))[0][:, :rank]
            curvature = 1.0 if index % 2 == 0 else 0.25
            cross = left * strengths @ right.T
            x = np.sqrt(inputs * curvature) * np.eye(inputs)
            task = fs.Task(x, x @ (cross / curvature).T)
            network = fs.DeepLinear(hidden=(hidden,), initial=fs.initial.Balanced(0.05 + 0.2 * index, lambda_))
            first, second = network.start(task, seed=index)
            times = np.concatenate([[0.0], np.geomspace(1e-3, 300.0, 11), [1e6]])
            solution = Riccati(first, second, cross, curvature, lambda_)
            kv, ku = solution.factor(times)
            seen = [0, 6, 12]
            w1, w2 = (solution.right @ kv[seen]).swapaxes(1, 2), solution.left @ ku[seen]
            found = fs.evolve(
                fs.DeepLinear(hidden=(hidden,), initial=fs.initial.Weights([first, second])),
                task,
                times,
                observe=("loss", "kernel_distance"),
            )
            cases.append(
                {
                    "first": first,
                    "second": second,
                    "cross": cross,
                    "curvature": curvature,
                    "lambda": lambda_,
                    "times": times,
                    "loss": found.loss,
                    "kernel_distance": found["kernel_distance"],
                    "seen": seen,
                    "map": w2 @ w1,
                    "input": w1.swapaxes(1, 2) @ w1,
                    "output": w2 @ w2.swapaxes(1, 2),
                }
            )
    return cases


def points() -> list[dict[str, Any]]:
    """Pairs of points: small and large weights, equal targets, a start that passes h = 0, unequal rates."""
    cases = []
    starts = (
        (0.25, 1.0, 0.5, 0.5, 1e-3, 1e-3, 1e-3 - 1e-3**0.5),
        (0.25, 1.0, 0.5, 0.5, 1e-6, 1e-6, 1e-6 + 0.3e-3),
        (1.0, 0.0, 0.5, 0.5, 2.0, 0.3, 0.3),
        (1.0, 0.5, 2.0, 0.1, 0.5, 4.0, 4.0),
        (2.0, 1.5, 0.3, 0.7, 0.01, 0.04, 0.04 + 0.06**0.5),
        (0.1, 1.0, 1.0, 1.0, 3.0, 0.0, 0.0),
    )
    for dx, dy, rate_h, rate_y, h, y, w in starts:
        pair = fs.representation.TwoPoint(dx, dy, (rate_h, rate_y), (h, y, w))
        times = np.concatenate([[0.0], np.geomspace(1e-2, 1e3, 13), [np.inf]])
        state = pair.solve(times)
        cases.append(
            {
                "pair": {"dx": dx, "dy": dy, "rateH": rate_h, "rateY": rate_y, "h": h, "y": y, "w": w},
                "times": times,
                "h": state.h,
                "y": state.y,
                "w": state.w,
                "high": pair.high,
                "low": pair.low,
                "invariant": pair.invariant,
                "fixed_points": [[p.h, *p.eigenvalues] for p in pair.fixed_points],
            }
        )
    return cases


def fits() -> list[dict[str, Any]]:
    """Rates fitted to curves that are nearly, but not exactly, the theory's."""
    cases = []
    for dx, dy, rates, (h, y, cosine) in (
        (0.25, 1.0, (0.4, 0.2), (0.01, 0.01, 0.3)),
        (1.0, 0.5, (1.0, 2.0), (0.4, 0.9, -0.8)),
        (0.09, 4.0, (3.0, 0.7), (1e-4, 1e-5, 0.0)),
    ):
        true = fs.representation.TwoPoint(dx, dy, rates, (h, y, y - cosine * (y * dy) ** 0.5))
        times = np.linspace(0, 25 / true.rates.y / true.final_distance, 90)
        state = true.solve(times)
        bend = 1 + 0.05 * np.sin(7 * times / times[-1])
        pair = fs.representation.Pair(times, state.h * bend, state.y / bend, state.w * bend, dx=dx, dy=dy)
        found = fs.representation.fit(pair)
        cases.append(
            {
                "dx": dx,
                "dy": dy,
                "times": times,
                "h": pair.h,
                "y": pair.y,
                "w": pair.w,
                "rates": [found.rates.h, found.rates.y],
                "error": found.error,
            }
        )
    return cases


def structures() -> list[dict[str, Any]]:
    """Singular values, and for tables the map of each group of equal ones, which no choice of basis changes."""
    cases = []
    for name, make in TASKS.items():
        task = make()
        statistics = task.statistics
        s = statistics.strengths
        edges = [0, *(np.flatnonzero(-np.diff(s) > 1e-9 * s[0]) + 1), len(s)]
        maps = [statistics.left[:, a:b] @ statistics.right[:, a:b].T for a, b in itertools.pairwise(edges)]
        cases.append({"id": name, "y": task.y, "strengths": s, "maps": maps})
    cases.append({"id": "ring", "strengths": fs.tasks.mode_strengths("ring", 8, features=8, sigma=2.0)})
    cases.append({"id": "grid", "strengths": fs.tasks.mode_strengths("grid", 3, 3, features=9, sigma=2.0)})
    cases.append({"id": "tree", "strengths": fs.tasks.mode_strengths("tree", 2, 3, flip=0.1, features=8)})
    return cases


def training() -> list[dict[str, Any]]:
    """Gradient descent from given weights: the library's own training of the same network."""
    task = fs.tasks.hierarchy(levels=2)
    cases = []
    for hidden in ((), (5,), (4, 6)):
        network = fs.DeepLinear(hidden=hidden, initial=fs.initial.Gaussian(0.3))
        start = network.start(task, seed=3)
        run = fs.evolve(
            network, task, np.array([0.0, 5.0, 50.0]), method=fs.Train(rate=0.25), seed=3, observe=("loss", "map")
        )
        cases.append(
            {
                "weights": start,
                "cross": task.statistics.cross_correlation,
                "curvature": 0.25,
                "rate": 0.25,
                "steps": run.notes["steps"],
                "loss": run.loss,
                "map": run["map"],
            }
        )
    return cases


PARTS = {
    "modes": modes,
    "grow": grows,
    "balanced": balanced,
    "points": points,
    "fits": fits,
    "structures": structures,
    "training": training,
}


def make(part: str) -> Any:
    """One part, as plain lists; ∞ becomes the word "inf", which JSON lacks."""
    return _plain(PARTS[part]())


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(entry) for entry in value]
    if isinstance(value, float):
        return "inf" if value == math.inf else float(value)
    return int(value) if isinstance(value, np.integer) else value


if __name__ == "__main__":
    OUT.write_text(json.dumps({part: make(part) for part in PARTS}, separators=(",", ":"), allow_nan=False) + "\n")

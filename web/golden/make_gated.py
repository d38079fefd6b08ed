"""Numbers of the library that the page's race and contexts topics are held to; ``python web/golden/make_gated.py``."""

import json
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import festina as fs

PLACE = Path(__file__).with_name("gated.json")

RATE = 0.4
UNITS = 128
SCALES = (2e-4, 1e-2)
DELTAS = (0.0, 0.5, 0.8164965809277260, 1.0, 2.0, 3.0)
CRITERION = 0.2


def extended_xor() -> list[dict[str, Any]]:
    """Both gatings at several margins and initial scales: closed form with the finite step."""
    found, steps = [], np.arange(0.0, 121.0, 4.0)
    for scale in SCALES:
        std = scale / np.sqrt(UNITS)
        for delta in DELTAS:
            task = fs.tasks.extended_xor(delta)
            sign = task.y[:, 0]
            for name, gates in (("linear", np.array([sign > 0, sign < 0])), ("xor", np.eye(4))):
                units = {f"pathway {i + 1}": UNITS // len(gates) for i in range(len(gates))}
                network = fs.gated.pathways(gates, 1, initial=fs.gated.Decoupled.expected(std, units))
                run = fs.evolve(network, task, RATE * steps, method=fs.Reduced(fs.gated.FiniteStepPathways(RATE)))
                modes = task.statistics(network).effective
                strengths = modes[0].strengths if modes else []
                found.append(
                    {
                        "gating": name,
                        "delta": delta,
                        "std": std,
                        "s": float(strengths[0]) if len(strengths) else 0.0,
                        "d": float(modes[0].curvatures[0]) if len(strengths) else 0.0,
                        "steps": steps.tolist(),
                        "loss": run.loss.tolist(),
                    }
                )
    return found


def gated_network(contexts: int, subsets: Sequence[Sequence[int]], start: float) -> fs.Gated:
    """Pathways open in subsets of contexts, all modes of each at one strength."""
    items = 8
    which = np.repeat(np.arange(contexts), items)
    gates = np.array([np.isin(which, subset) for subset in subsets])
    everywhere = [len(subset) == contexts for subset in subsets]
    return fs.gated.pathways(
        gates,
        [items + (contexts - 1) * always for always in everywhere],
        inputs=[None if always else range(items) for always in everywhere],
        initial=fs.gated.Decoupled(float(np.sqrt(start))),
    )


def races() -> list[dict[str, Any]]:
    """The joint race of several gatings: losses, norms of the pathways' maps, singular values."""
    every = [s for k in (3, 2, 1) for s in combinations(range(3), k)]
    cases = [
        (2, [(0, 1), (0,), (1,)], 6.25e-8),
        (3, [(0, 1, 2), (0, 1), (0, 2), (1, 2)], 6.25e-8),
        (3, every, 1e-5),
        (3, [(0,), (1, 2)], 1e-4),
        (4, [(0, 1, 2, 3), (0, 1), (1, 2, 3)], 1e-6),
        (5, [(0, 1, 2, 3, 4), *combinations(range(5), 4)], 6.25e-8),
    ]
    found = []
    for contexts, subsets, start in cases:
        task = fs.tasks.context(contexts)
        network = gated_network(contexts, subsets, start)
        times = np.linspace(0, 8 * len(task.x), 17)
        run = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "weights"))
        statistics = task.statistics(network)
        names = [label.split(" → ")[1] for label in statistics.labels]
        order = [names.index(f"pathway {i + 1}") for i in range(len(subsets))]
        norms = []
        for p in order:
            first, second = (run.weights[e] for e in statistics.paths[p])
            norms.append(np.linalg.norm(second @ first, axis=(1, 2)).tolist())
        found.append(
            {
                "contexts": contexts,
                "subsets": [list(s) for s in subsets],
                "start": start,
                "times": times.tolist(),
                "loss": run.loss.tolist(),
                "strengths": norms,
                "raw": [statistics.effective[p].strengths.tolist() for p in order],
                "left": [_left(task, network)[p].tolist() for p in order] if 0 < len(subsets[0]) == contexts else None,
            }
        )
    return found


def _left(task: fs.Task, network: fs.Gated) -> list[np.ndarray]:
    """Singular values of each path on what the best linear map of all inputs leaves of the targets."""
    best = np.linalg.lstsq(task.x, task.y, rcond=None)[0]
    rest = fs.Task(task.x, task.y - task.x @ best).statistics(network)
    return [rest.effective[p].strengths for p in range(len(rest.paths))]


def trained() -> list[dict[str, Any]]:
    """Small ReLU networks trained in double precision from given weights."""
    rng = np.random.default_rng(8)
    context = fs.tasks.context(2)
    cases = [
        (fs.tasks.extended_xor(0.5), 6, 0.3, 0.4, 60),
        (fs.tasks.extended_xor(2.0), 6, 0.3, 0.4, 60),
        (context, 7, 0.1, 0.1, 60),
    ]
    found = []
    for task, hidden, std, rate, steps in cases:
        shapes = [(hidden, task.x.shape[1]), (task.y.shape[1], hidden)]
        first, second = (std * rng.standard_normal(shape) for shape in shapes)
        network = fs.ReLU((hidden,), initial=fs.initial.Weights([first, second]))
        times = rate * np.arange(steps + 1)
        run = fs.evolve(network, task, times, method=fs.Train(rate=rate), observe=("loss", "weights"))
        found.append(
            {
                "x": task.x.tolist(),
                "y": task.y.tolist(),
                "first": first.tolist(),
                "second": second.tolist(),
                "rate": rate,
                "loss": run.loss.tolist(),
                "last": [w[-1].tolist() for w in run.weights],
            }
        )
    return found


def tasks() -> dict[str, Any]:
    """What is learned; targets in contexts by their inner products, for the page rotates them."""
    xor = [(delta, fs.tasks.extended_xor(delta)) for delta in DELTAS[:2]]
    context = [(count, fs.tasks.context(count)) for count in (2, 5)]
    return {
        "xor": [{"delta": delta, "x": task.x.tolist(), "y": task.y.tolist()} for delta, task in xor],
        "context": [
            {"contexts": count, "x": task.x.tolist(), "gram": (task.y @ task.y.T).tolist()} for count, task in context
        ],
    }


PARTS: dict[str, Callable[[], Any]] = {
    "rate": lambda: RATE,
    "units": lambda: UNITS,
    "criterion": lambda: CRITERION,
    "xor": extended_xor,
    "races": races,
    "trained": trained,
    "tasks": tasks,
}


def make(part: str) -> Any:
    """One part."""
    return PARTS[part]()


if __name__ == "__main__":
    PLACE.write_text(json.dumps({part: make(part) for part in PARTS}) + "\n", encoding="utf-8")

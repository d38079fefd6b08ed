"""ReLU networks whose gates are known, because they were put there."""

from __future__ import annotations

import numpy as np

import festina as fs


def planted(
    seed: int,
    idle: int = 60,
    modules: int = 4,
    units: int = 10,
    points: int = 16,
    inputs: int = 8,
    outputs: int = 6,
    start: float = 0.8,
) -> tuple[fs.Task, fs.Trajectory, np.ndarray]:
    """A task, the training of a network on it, and the gating patterns of the gated teacher behind both.

    The teacher has ``modules`` patterns that a ReLU unit can have and that differ in four points or more. The network
    starts as the teacher with ``units`` units for each pattern and ``start`` times its outputs, near enough for its
    gates to stay. It also has ``idle`` units with tiny random weights.
    """
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((points, inputs))
    patterns: list[np.ndarray] = []
    while len(patterns) < modules:
        drawn = x @ rng.standard_normal(inputs) > 0
        if 3 <= drawn.sum() <= points - 3 and all((drawn != p).sum() >= 4 for p in patterns):
            patterns.append(drawn)
    witnesses = [np.asarray(fs.relu.is_realisable(x, p).weights) for p in patterns]
    first = np.repeat([0.3 * w / np.linalg.norm(w) for w in witnesses], units, axis=0)
    second = 0.3 * rng.standard_normal((outputs, modules * units))
    gates = np.repeat(patterns, units, axis=0)
    task = fs.Task(x, (gates.T * (x @ first.T)) @ second.T / start)
    first = np.vstack([first, 1e-3 * rng.standard_normal((idle, inputs))])
    second = np.hstack([second, 1e-3 * rng.standard_normal((outputs, idle))])
    network = fs.ReLU((len(first),), initial=fs.initial.Weights([first, second]))
    method, seen = fs.Train(rate=0.05), ("loss", "outputs", "weights")
    return task, fs.evolve(network, task, np.linspace(0, 10, 11), method=method, observe=seen), np.array(patterns)


def same(found: np.ndarray, patterns: np.ndarray) -> bool:
    """Whether two lists hold the same patterns, in any order."""
    return {p.tobytes() for p in found} == {p.tobytes() for p in patterns}

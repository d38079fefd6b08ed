"""What experiment ``relative_scale`` trains: ReLU students of a ReLU teacher.

Each network starts from one random draw whose layers are rescaled against each other so that its function at the start
does not change: with ``relative`` = ρ the last layer is larger by the factor that the first is smaller by. ρ > 1 makes
gradients of the early layer larger and those of the late layer smaller: early layers learn faster than late ones.
"""

from __future__ import annotations

import numpy as np

import festina as fs
from festina.papers.experiments._dense import Dense, Given, tangent_distance


def student(
    relative: float, scale: float, seed: int, *, inputs: int, hidden: int, teacher: int, items: int, steps: int
) -> tuple[float, float]:
    """A two-layer ReLU student of a ReLU teacher: kernel distance from start to end, and the share of loss left.

    The step is half of what the largest eigenvalue of the initial or final kernel allows, so that every scale is
    trained as fast as it can be.
    """
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((items, inputs))
    u, v = rng.standard_normal((teacher, inputs)) / np.sqrt(inputs), rng.choice([-1.0, 1.0], teacher) / np.sqrt(teacher)
    y = np.maximum(x @ u.T, 0) @ v[:, None]
    y = (y - y.mean()) / y.std()
    weights = (
        scale / relative * rng.standard_normal((hidden, inputs)) / np.sqrt(inputs),
        scale * relative * rng.standard_normal((1, hidden)) / np.sqrt(hidden),
    )
    # twice as many units, paired with opposite signs: the start is the zero function at every scale
    weights = (np.vstack([weights[0]] * 2), np.hstack([weights[1], -weights[1]]) / np.sqrt(2))
    top = max(np.sum(weights[0] ** 2) / hidden, np.sum(weights[1] ** 2), 1.0) * np.linalg.norm(x, 2) ** 2 / items
    method, network = fs.Train(rate=float(0.2 / top), precision="single"), Given(Dense("relu"), lambda _: weights)
    times = np.array([0, steps]) * method.rate
    run = fs.evolve(network, fs.Task(x, y), times, method=method, observe=("loss", "weights"))
    end = tuple(w[-1] for w in run.weights)
    return tangent_distance(Dense("relu"), weights, end, x), float(run.loss[-1] / run.loss[0])

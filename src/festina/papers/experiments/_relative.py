"""What experiment ``relative_scale`` trains: ReLU student-teacher, modular arithmetic, a small CNN on digits.

Each network starts from one random draw whose layers are rescaled against each other so that its function at the start
does not change: with ``relative`` = ρ the last layer is larger by the factor that the first is smaller by. ρ > 1 makes
gradients of the early layer larger and those of the late layer smaller: early layers learn faster than late ones.
"""

from __future__ import annotations

import numpy as np

import festina as fs
from festina._network import Forward
from festina.papers.experiments._dense import Convolution, Dense, Given, Weights, curvature, decayed, tangent_distance


def _train(forward: Forward, weights: Weights, task: fs.Task, at: np.ndarray, method: fs.Train) -> fs.Trajectory:
    """Loss and weights after each of these numbers of steps."""
    network = Given(forward, lambda seed: weights)
    return fs.evolve(network, task, at * method.rate, method=method, observe=("loss", "weights"))


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
    method = fs.Train(rate=float(0.2 / top), precision="single")
    run = _train(Dense("relu"), weights, fs.Task(x, y), np.array([0, steps]), method)
    end = tuple(w[-1] for w in run.weights)
    return tangent_distance(Dense("relu"), weights, end, x), float(run.loss[-1] / run.loss[0])


def modular(
    relative: float, seed: int, *, modulus: int, hidden: int, share: float, gain: float, rate: float, decay: float,
    steps: int, every: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """(a + b) mod p from one-hot a and b with squared units: steps, accuracy on trained and on held-out pairs.

    Squared units are homogeneous of degree two: first layer over ρ, last times ρ², is the same function.
    """
    rng = np.random.default_rng(seed)
    a, b = np.divmod(np.arange(modulus**2), modulus)
    x, y = np.hstack([np.eye(modulus)[a], np.eye(modulus)[b]]), np.eye(modulus)[(a + b) % modulus]
    order = rng.permutation(modulus**2)
    seen, held = np.split(order, [int(share * modulus**2)])
    weights = (
        gain / relative * rng.standard_normal((hidden, 2 * modulus)) / np.sqrt(2),
        gain * relative**2 * rng.standard_normal((modulus, hidden)) / np.sqrt(hidden),
    )
    at = np.arange(0, steps + 1, every)
    method = fs.Train(rate=rate, precision="single", optimiser=decayed(decay, 0.9))
    run = _train(Dense("square"), weights, fs.Task(x[seen], y[seen]), at, method)
    hidden_units = np.einsum("ni,tji->tnj", x, run.weights[0]) ** 2
    right = np.einsum("tnj,tkj->tnk", hidden_units, run.weights[1]).argmax(axis=2) == (a + b) % modulus
    return at, right[:, seen].mean(axis=1), right[:, held].mean(axis=1)


def grokked(at: np.ndarray, accuracy: np.ndarray, level: float = 0.95) -> float:
    """First step at which the accuracy is at ``level``; not a number where it never is."""
    reached = np.flatnonzero(accuracy >= level)
    return float(at[reached[0]]) if len(reached) else np.nan


def convolution(
    relative: float, seed: int, *, filters: int, size: int, items: int, gain: float, steps: int, goal: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """A CNN (convolution, ReLU, dense) on scikit-learn's digits: filters at the start and the end, and the loss left.

    The end is where the loss is first at ``goal`` of the targets' own, so that networks are compared at equal
    performance, or after ``steps``. The step is a quarter of what the curvature at the start allows.
    """
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    images = images[:items].reshape(-1, 8, 8)
    images = (images - images.mean()) / images.std()
    y = np.eye(10)[labels[:items]] - 0.1
    # all patches side by side: a convolution is then one product
    patches = np.lib.stride_tricks.sliding_window_view(images, (size, size), axis=(1, 2))
    x = patches.reshape(items, -1)
    rng = np.random.default_rng(seed)
    width = filters * (x.shape[1] // size**2)
    weights = (
        gain / relative * rng.standard_normal((filters, size**2)) / size,
        gain * relative * rng.standard_normal((10, width)) / np.sqrt(width),
    )
    at, forward = np.linspace(0, steps, 101).astype(int), Convolution(size**2)
    method = fs.Train(rate=0.25 / curvature(forward, weights, x), precision="single")
    run = _train(forward, weights, fs.Task(x, y), at, method)
    left = run.loss / (0.5 * np.mean(np.sum(y**2, axis=1)))
    reached = np.flatnonzero(left <= goal)
    end = int(reached[0]) if len(reached) else len(left) - 1
    shape = (filters, size, size)
    return weights[0].reshape(shape), run.weights[0][end].reshape(shape), float(left[end])


def structure(filters: np.ndarray) -> float:
    """How smooth filters are: mean correlation of neighbouring weights; 0 for independent, 1 for constant ones."""
    across = np.sum(filters[:, :, 1:] * filters[:, :, :-1], axis=(1, 2))
    down = np.sum(filters[:, 1:] * filters[:, :-1], axis=(1, 2))
    pairs = 2 * filters.shape[1] * (filters.shape[1] - 1)
    energy = np.sum(filters**2, axis=(1, 2)) / filters[0].size
    return float(np.mean((across + down) / pairs / np.where(energy > 0, energy, 1.0)))

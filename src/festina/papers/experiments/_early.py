"""What experiment ``early_layers`` trains: modular arithmetic with squared units, and a convolutional network.

Each network starts from one random draw whose first and last layer are rescaled against each other so that its function
at the start does not change: with ``relative`` = ρ > 1 the first layer is smaller and the last one larger. That makes
gradients of the early layer larger and those of the late layer smaller: early layers learn faster than late ones.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import festina as fs
from festina.core import Forward
from festina.papers.experiments._dense import Convolutional, Dense, Given, Weights, curvature, decayed
from festina.runtime import on_cpu

CURVATURE_IMAGES = 300
"""Images on which the curvature is measured: it sets a step, which a per cent more or less does not matter to."""


GENERAL = 0.95
"""Accuracy on held-out pairs from which on a network generalises."""


def _train(forward: Forward, weights: Weights, task: fs.Task, at: np.ndarray, method: fs.Train) -> fs.Trajectory:
    """Loss and weights after each of these numbers of steps."""
    network = Given(forward, lambda _: weights)
    return fs.evolve(network, task, at * method.rate, method=method, observe=("loss", "weights"))


def modular(
    relative: float, seed: int, *, modulus: int, hidden: int, share: float, gain: float, rate: float, decay: float,
    steps: int, every: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """(a + b) mod p from one-hot a and b with squared units: steps, accuracy on trained and on held-out pairs.

    Squared units are homogeneous of degree two: first layer over ρ, last times ρ², is the same function. Steps of Adam
    are as large in both layers, so that the smaller layer changes relatively faster.
    """
    rng = np.random.default_rng(seed)
    a, b = np.divmod(np.arange(modulus**2), modulus)
    x, labels = np.hstack([np.eye(modulus)[a], np.eye(modulus)[b]]), (a + b) % modulus
    seen, held = np.split(rng.permutation(modulus**2), [int(share * modulus**2)])
    weights = (
        gain / relative * rng.standard_normal((hidden, 2 * modulus)) / np.sqrt(2),
        gain * relative**2 * rng.standard_normal((modulus, hidden)) / np.sqrt(hidden),
    )
    at = np.arange(0, steps + 1, every)
    method = fs.Train(rate=rate, precision="single", optimiser=decayed(decay))
    run = _train(Dense("square"), weights, fs.Task(x[seen], np.eye(modulus)[labels[seen]]), at, method)
    paths = zip(*run.weights, strict=True)
    right = np.array([_outputs(Dense("square"), w, x).argmax(axis=1) == labels for w in paths])
    return at, right[:, seen].mean(axis=1), right[:, held].mean(axis=1)


@cache
def _compiled(forward: Forward) -> Any:
    import jax

    return jax.jit(forward)


def _outputs(forward: Forward, weights: Weights, x: np.ndarray) -> np.ndarray:
    """Outputs in single precision, as in training."""
    with on_cpu():
        return np.asarray(_compiled(forward)(tuple(w.astype(np.float32) for w in weights), x.astype(np.float32)), float)


def reached(accuracy: np.ndarray) -> bool:
    """Whether the accuracy ever is that of a network that generalises."""
    return bool((accuracy >= GENERAL).any())


def grokked(at: np.ndarray, accuracy: np.ndarray) -> float:
    """First step at which a network generalises; the last step, a lower bound, where it never does."""
    return float(at[np.argmax(accuracy >= GENERAL)] if reached(accuracy) else at[-1])


def convolutional(
    relative: float, seed: int, images: np.ndarray, labels: np.ndarray, *, filters: tuple[int, int],
    sides: tuple[int, int], gain: float, batch: int, at: np.ndarray, most: int, goal: float,
) -> tuple[np.ndarray, np.ndarray, float, int]:  # fmt: skip
    """A network of two convolutions and a dense layer: filters at the start and the end, the loss left, and the steps.

    The targets are added to what the network computes at the start, which is the same for every relative scale, so that
    random outputs need not be unlearned. The end is the first of the steps ``at`` which the loss is at ``goal`` of its
    start, so that networks are compared at equal performance, or the last of them that is not above ``most``. The step
    size is a quarter of the largest stable one at the start, or at a start of gain 1 with equal layers where that
    allows less, for small networks grow.
    """
    x = (images - images.mean()) / images.std()
    side = round(x.shape[1] ** 0.5)
    width = filters[1] * ((side - sides[0] + 1 - sides[1]) // 2 + 1) ** 2
    fans = sides[0] ** 2, filters[0] * sides[1] ** 2, width
    shapes = (filters[0], sides[0], sides[0], 1), (filters[1], sides[1], sides[1], filters[0]), (10, width)
    rng = np.random.default_rng(seed)
    usual = tuple(rng.standard_normal(shape) / np.sqrt(fan) for shape, fan in zip(shapes, fans, strict=True))
    weights = tuple(gain * scale * w for scale, w in zip((1 / relative, 1.0, relative), usual, strict=True))
    forward, at = Convolutional(side), at[at <= most]
    curved = max(curvature(forward, each, x[:CURVATURE_IMAGES]) for each in (weights, usual))
    y = np.eye(10)[labels] - 0.1 + _outputs(forward, weights, x)
    batch = min(batch, len(x))
    run = _train(forward, weights, fs.Task(x, y), at, fs.Train(0.5 / curved, precision="single", batch=batch))
    left = run.loss / run.loss[0]
    end = int(np.argmax(left <= goal)) if (left <= goal).any() else len(left) - 1
    return weights[0][..., 0], run.weights[0][end][..., 0], float(left[end]), int(at[end])


def smoothness(filters: np.ndarray) -> float:
    """Mean correlation of neighbouring weights; 0 for independent, 1 for constant ones."""
    across = np.sum(filters[:, :, 1:] * filters[:, :, :-1], axis=(1, 2))
    down = np.sum(filters[:, 1:] * filters[:, :-1], axis=(1, 2))
    pairs = 2 * filters.shape[1] * (filters.shape[1] - 1)
    energy = np.sum(filters**2, axis=(1, 2)) / filters[0].size
    return float(np.mean((across + down) / pairs / np.where(energy > 0, energy, 1.0)))

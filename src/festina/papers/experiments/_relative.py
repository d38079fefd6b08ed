"""What experiment ``relative_scale`` trains: ReLU student-teacher, modular arithmetic, a small CNN on digits.

Each network starts from one random draw whose layers are rescaled against each other so that its function at the start
does not change: with ``relative`` = ρ the last layer is larger by the factor that the first is smaller by. ρ > 1 makes
gradients of the early layer larger and those of the late layer smaller: early layers learn faster than late ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from festina.papers.experiments import _train_network as network


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
    predict = network.dense("relu")
    loss = network.half_squares(predict)
    top = max(np.sum(weights[0] ** 2) / hidden, np.sum(weights[1] ** 2), 1.0) * np.linalg.norm(x, 2) ** 2 / items
    end, _ = network.descend(loss, weights, (x, y), lambda w: w[0][0, 0], np.array([steps]), 0.2 / top)
    return network.tangent_distance(predict, weights, end, x), float(loss(end, x, y) / loss(weights, x, y))


def modular(
    relative: float, seed: int, *, modulus: int, hidden: int, share: float, gain: float, rate: float, decay: float,
    steps: int, every: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """(a + b) mod p from one-hot a and b with squared units: steps, accuracy on trained and on held-out pairs.

    Squared units are homogeneous of degree two: first layer over ρ, last times ρ², is the same function.
    """
    import jax.numpy as jnp

    rng = np.random.default_rng(seed)
    a, b = np.divmod(np.arange(modulus**2), modulus)
    x, y = np.hstack([np.eye(modulus)[a], np.eye(modulus)[b]]), np.eye(modulus)[(a + b) % modulus]
    order = rng.permutation(modulus**2)
    seen, held = np.split(order, [int(share * modulus**2)])
    weights = (
        gain / relative * rng.standard_normal((hidden, 2 * modulus)) / np.sqrt(2),
        gain * relative**2 * rng.standard_normal((modulus, hidden)) / np.sqrt(hidden),
    )
    predict = network.dense("square")

    def watch(w: Any) -> Any:
        right = predict(w, jnp.asarray(x, jnp.float32)).argmax(1) == (a + b) % modulus
        return right[seen].mean(), right[held].mean()

    at = np.arange(0, steps + 1, every)
    loss = network.half_squares(predict)
    _, found = network.descend(loss, weights, (x[seen], y[seen]), watch, at, rate, momentum=0.9, decay=decay)
    accuracy = np.array(found)
    return at, accuracy[:, 0], accuracy[:, 1]


def grokked(at: np.ndarray, accuracy: np.ndarray, level: float = 0.95) -> float:
    """First step at which the accuracy is at ``level``; not a number where it never is."""
    reached = np.flatnonzero(accuracy >= level)
    return float(at[reached[0]]) if len(reached) else np.nan


def _patchwise(w: Any, patches: Any) -> Any:
    """Convolution as a product with all patches, ReLU, dense layer."""
    import jax

    return jax.nn.relu(patches @ w[0].T).reshape(len(patches), -1) @ w[1].T


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
    x = patches.reshape(items, -1, size**2)
    rng = np.random.default_rng(seed)
    width = filters * x.shape[1]
    weights = (
        gain / relative * rng.standard_normal((filters, size**2)) / size,
        gain * relative * rng.standard_normal((10, width)) / np.sqrt(width),
    )

    loss = network.half_squares(_patchwise)
    at = np.linspace(0, steps, 101).astype(int)
    rate = 0.25 / network.curvature(_patchwise, weights, x)
    _, seen = network.descend(loss, weights, (x, y), lambda w: (w[0], loss(w, x, y)), at, rate)
    left = np.array([float(one[1]) for one in seen]) / (0.5 * np.mean(np.sum(y**2, axis=1)))
    reached = np.flatnonzero(left <= goal)
    end = int(reached[0]) if len(reached) else len(at) - 1
    shape = (filters, size, size)
    return weights[0].reshape(shape), np.asarray(seen[end][0], float).reshape(shape), float(left[end])


def structure(filters: np.ndarray) -> float:
    """How smooth filters are: mean correlation of neighbouring weights; 0 for independent, 1 for constant ones."""
    across = np.sum(filters[:, :, 1:] * filters[:, :, :-1], axis=(1, 2))
    down = np.sum(filters[:, 1:] * filters[:, :-1], axis=(1, 2))
    pairs = 2 * filters.shape[1] * (filters.shape[1] - 1)
    energy = np.sum(filters**2, axis=(1, 2)) / filters[0].size
    return float(np.mean((across + down) / pairs / np.where(energy > 0, energy, 1.0)))

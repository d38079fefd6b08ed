"""Small nonlinear networks that start from given weights, their tangent kernel and their curvature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import festina as fs
from festina.core.network import Forward
from festina.runtime import on_cpu

Weights = tuple[Any, ...]


@dataclass(frozen=True)
class Dense:
    """ŷ = W2 f(W1 x) with f = tanh, relu or square; rows are data points."""

    activation: str

    def __call__(self, weights: Weights, x) -> Any:
        """Outputs."""
        import jax
        import jax.numpy as jnp

        f = {"tanh": jnp.tanh, "relu": jax.nn.relu, "square": jnp.square}[self.activation]
        return f(x @ weights[0].T) @ weights[1].T


@dataclass(frozen=True)
class Convolutional:
    """Two convolutions with ReLU, the second with stride two, and a dense layer; a row of x is a square image."""

    side: int

    def __call__(self, weights: Weights, x) -> Any:
        """Outputs."""
        import jax
        import jax.numpy as jnp

        images = jnp.reshape(x, (len(x), self.side, self.side, 1))
        hidden = jax.nn.relu(_convolve(images, weights[0], 1))
        hidden = jax.nn.relu(_convolve(hidden, weights[1], 2))
        return hidden.reshape(len(x), -1) @ weights[2].T


def _convolve(images, filters, stride: int) -> Any:
    """Images (number, side, side, channels) with filters (number, side, side, channels), as one matrix product.

    The convolution of XLA has gradients that take a processor many times as long.
    """
    import jax.numpy as jnp

    count, side = filters.shape[:2]
    end = images.shape[1] - side + 1
    shifts = [(i, j) for i in range(side) for j in range(side)]
    patches = jnp.concatenate([images[:, i : i + end : stride, j : j + end : stride] for i, j in shifts], axis=-1)
    return patches @ filters.reshape(count, -1).T


@dataclass(frozen=True, eq=False)
class Given(fs.Network):
    """A network of any forward pass whose weights of each seed are given by a function."""

    forward: Any
    draw: Callable[[int], Weights]

    predict = property(lambda self: self.forward)

    def start(self, task: fs.Task, seed: int) -> Weights:
        """The given weights."""
        return self.draw(seed)


@cache
def decayed(decay: float) -> Callable[[float], Any]:
    """Adam whose weights decay at rate·decay, as a function of the rate; one object for equal arguments."""

    def optimiser(rate: float) -> Any:
        import optax

        return optax.adamw(rate, weight_decay=decay)

    return optimiser


@cache
def _tangent(predict: Forward) -> Callable[[Weights, Any], Any]:
    """The neural tangent kernel JJᵀ, compiled."""
    import jax

    def kernel(weights: Weights, x: jax.Array) -> Any:
        jacobian = jax.tree.leaves(jax.jacobian(lambda w: predict(w, x).ravel())(weights))
        return sum(j.reshape(len(j), -1) @ j.reshape(len(j), -1).T for j in jacobian)

    return jax.jit(kernel)


def tangent_distance(predict: Forward, before: Weights, after: Weights, x: np.ndarray) -> float:
    """1 − cosine between the neural tangent kernels of two sets of weights, on the rows of ``x``."""
    with on_cpu():
        a, b = (np.asarray(_tangent(predict)(_single(weights), *_single((x,))), float) for weights in (before, after))
    return float(1 - np.sum(a * b) / (np.linalg.norm(a) * np.linalg.norm(b)))


@cache
def _turner(predict: Forward) -> Callable[..., Any]:
    """One round of power iteration on JᵀJ, compiled."""
    import jax

    def turn(direction: Weights, now: Weights, points: jax.Array) -> tuple[Weights, Any]:
        size = sum((d**2).sum() for d in direction) ** 0.5
        direction = tuple(d / size for d in direction)
        _, change = jax.jvp(lambda w: predict(w, points), (now,), (direction,))
        (new,) = jax.vjp(lambda w: predict(w, points), now)[1](change)
        return new, (change**2).sum() / len(points)

    return jax.jit(turn)


def curvature(predict: Forward, weights: Weights, x: np.ndarray, rounds: int = 30) -> float:
    """Largest eigenvalue of JᵀJ/N, the loss's curvature where residuals are small, by power iteration."""
    rng, top = np.random.default_rng(0), 0.0
    with on_cpu():
        (points,), now = _single((x,)), _single(weights)
        direction = _single(tuple(rng.standard_normal(w.shape) for w in weights))
        for _ in range(rounds):
            direction, top = _turner(predict)(direction, now, points)
    return float(top)


def _single(arrays: Weights) -> Weights:
    """Arrays of JAX in single precision."""
    import jax.numpy as jnp

    return tuple(jnp.asarray(array, jnp.float32) for array in arrays)

"""Gradient descent on small nonlinear networks, compiled: what experiments train beside the theory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

Weights = tuple[Any, ...]
Predict = Callable[[Weights, Any], Any]
Loss = Callable[[Weights, Any, Any], Any]


@cache
def dense(activation: str) -> Predict:
    """ŷ = W2 f(W1 x) with f = tanh, relu or square; rows are data points."""
    import jax
    import jax.numpy as jnp

    f = {"tanh": jnp.tanh, "relu": jax.nn.relu, "square": jnp.square}[activation]

    def predict(weights: Weights, x: Any) -> Any:
        return f(x @ weights[0].T) @ weights[1].T

    return predict


@cache
def half_squares(predict: Predict) -> Loss:
    """1/(2N) Σ ‖y − ŷ‖²."""

    def loss(weights: Weights, x: Any, y: Any) -> Any:
        return 0.5 * ((predict(weights, x) - y) ** 2).sum() / len(x)

    return loss


@cache
def _stepper(loss: Loss) -> Callable[..., Any]:
    """``count`` steps as one compiled call; cached, so that networks of one shape share a compilation."""
    import jax
    from jax import lax

    gradient = jax.grad(loss)

    def advance(state: Any, count: Any, x: Any, y: Any, rate: Any, momentum: Any, decay: Any) -> Any:
        def step(_: Any, state: Any) -> Any:
            now, velocity = state
            slope = gradient(now, x, y)
            velocity = jax.tree.map(lambda v, g, w: momentum * v + g + decay * w, velocity, slope, now)
            return jax.tree.map(lambda w, v: w - rate * v, now, velocity), velocity

        return lax.fori_loop(0, count, step, state)

    return jax.jit(advance)


def single(*arrays: Any) -> tuple[Any, ...]:
    """Arrays of JAX in single precision."""
    import jax.numpy as jnp

    return tuple(jnp.asarray(array, jnp.float32) for array in arrays)


def descend(
    loss: Loss,
    weights: Sequence[np.ndarray],
    data: tuple[np.ndarray, np.ndarray],
    watch: Callable[[Weights], Any],
    steps: np.ndarray,
    rate: float,
    *,
    momentum: float = 0.0,
    decay: float = 0.0,
) -> tuple[Weights, list[Any]]:
    """Full-batch gradient descent; ``watch(weights)`` is seen after each number of ``steps`` (from 0, increasing).

    Velocity v ← momentum·v + gradient + decay·weights, weights ← weights − rate·v, in single precision.
    """
    import jax

    x, y = single(*data)
    advance, see = _stepper(loss), jax.jit(watch)
    now = single(*weights)
    state, seen = (now, tuple(0 * w for w in now)), []
    for count in np.diff(steps, prepend=0):
        state = advance(state, int(count), x, y, rate, momentum, decay)
        seen.append(jax.tree.map(np.asarray, see(state[0])))
    return tuple(np.asarray(w) for w in state[0]), seen


@cache
def _tangent(predict: Predict) -> Callable[[Weights, Any], Any]:
    """The neural tangent kernel JJᵀ, compiled."""
    import jax

    def kernel(weights: Weights, x: Any) -> Any:
        jacobian = jax.tree.leaves(jax.jacobian(lambda w: predict(w, x).ravel())(weights))
        return sum(j.reshape(len(j), -1) @ j.reshape(len(j), -1).T for j in jacobian)

    return jax.jit(kernel)


def tangent_distance(predict: Predict, before: Weights, after: Weights, x: np.ndarray) -> float:
    """1 − cosine between the neural tangent kernels of two sets of weights, on the rows of ``x``."""
    (points,) = single(x)
    a, b = (np.asarray(_tangent(predict)(single(*weights), points), float) for weights in (before, after))
    return float(1 - np.sum(a * b) / (np.linalg.norm(a) * np.linalg.norm(b)))


@cache
def _turner(predict: Predict) -> Callable[..., Any]:
    """One round of power iteration on JᵀJ, compiled."""
    import jax

    def turn(direction: Weights, now: Weights, points: Any) -> tuple[Weights, Any]:
        size = sum((d**2).sum() for d in direction) ** 0.5
        direction = tuple(d / size for d in direction)
        _, change = jax.jvp(lambda w: predict(w, points), (now,), (direction,))
        (new,) = jax.vjp(lambda w: predict(w, points), now)[1](change)
        return new, (change**2).sum() / len(points)

    return jax.jit(turn)


def curvature(predict: Predict, weights: Sequence[np.ndarray], x: np.ndarray, rounds: int = 30) -> float:
    """Largest eigenvalue of JᵀJ/N, the loss's curvature where residuals are small, by power iteration."""
    (points,), now = single(x), single(*weights)
    rng, top = np.random.default_rng(0), 0.0
    direction = single(*(rng.standard_normal(w.shape) for w in now))
    for _ in range(rounds):
        direction, top = _turner(predict)(direction, now, points)
    return float(top)

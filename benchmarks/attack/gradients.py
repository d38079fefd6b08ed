"""Gradients and flows in plain NumPy and SciPy, written without festina's formulas: what every answer is held to."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import scipy

import festina as fs

Weights = list[np.ndarray]
Gradient = Callable[[Weights], Weights]
"""−dL/dW of every matrix, at these weights."""


COARSE, FINE = 1e-7, 1e-11
"""Relative tolerances a step. An answer that agrees with the coarse path is right; what does not is held to the fine
one."""

APART = 1e-7
"""Difference of two solvers, relative to the largest weight, from which a flow has no reference: ten thousand times
their fine tolerance."""

SLOPES = 10_000
"""Slopes that a coarse path may take; a solver that needs more does not suit the flow."""


class UnknownError(Exception):
    """The reference itself did not get there, so that nothing can be said of the case."""


def layers(x: np.ndarray, y: np.ndarray, *, rectified: bool = False, bias: bool = False) -> Gradient:
    """Of layers that follow one another, by backpropagation through the data points."""

    def gradient(weights: Weights) -> Weights:
        seen, h = [], x
        for i, matrix in enumerate(weights):
            seen.append(h)
            h = h @ matrix[:, :-1].T + matrix[:, -1] if bias else h @ matrix.T
            if rectified and i < len(weights) - 1:
                h = np.maximum(h, 0)
        back, changes = (y - h) / len(x), []
        for i in reversed(range(len(weights))):
            change = back.T @ seen[i]
            changes.append(np.column_stack([change, back.sum(axis=0)]) if bias else change)
            if i:
                back = back @ (weights[i][:, :-1] if bias else weights[i])
                back = back * (seen[i] > 0) if rectified else back
        return changes[::-1]

    return gradient


def gated(x: np.ndarray, gates: np.ndarray, edges: Sequence[tuple[int, int]]) -> Callable[[Weights], np.ndarray]:
    """Outputs of parallel gated pathways, ŷ = Σ_p g_p W2_p W1_p x; ``edges`` are the places of W1_p and W2_p."""

    def outputs(weights: Weights) -> np.ndarray:
        each = zip(gates, edges, strict=True)
        return np.sum([gate[:, None] * x @ weights[a].T @ weights[b].T for gate, (a, b) in each], axis=0)

    return outputs


def pathways(x: np.ndarray, y: np.ndarray, gates: np.ndarray, edges: Sequence[tuple[int, int]]) -> Gradient:
    """Of parallel gated pathways."""
    outputs = gated(x, gates, edges)

    def gradient(weights: Weights) -> Weights:
        error, found = (y - outputs(weights)) / len(x), [np.zeros_like(w) for w in weights]
        for gate, (a, b) in zip(gates, edges, strict=True):
            part = gate[:, None] * x
            found[a], found[b] = weights[b].T @ error.T @ part, error.T @ part @ weights[a].T
        return found

    return gradient


def places(network: fs.Gated) -> list[tuple[int, int]]:
    """Where the two matrices of every pathway are among the weights, in the order in which gates were given."""
    edges = list(network.graph.edges)
    names = [f"pathway {i + 1}" for i in range(len(edges) // 2)]
    return [(edges.index((f"x of {name}", name)), edges.index((name, "y"))) for name in names]


def recurrent(x: np.ndarray, y: np.ndarray, length: int, *, learn: bool = True) -> Gradient:
    """Of a linear recurrent network that answers at the end, by backpropagation through time."""

    def gradient(weights: Weights) -> Weights:
        first, middle, last = weights
        steps = np.split(x, length, axis=1)
        states = [np.zeros((len(x), len(middle)))]
        for step in steps:
            states.append(states[-1] @ middle.T + step @ first.T)
        error = (y - states[-1] @ last.T) / len(x)
        back, into, within = error @ last, np.zeros_like(first), np.zeros_like(middle)
        for step, state in zip(steps[::-1], states[-2::-1], strict=True):
            into += back.T @ step
            within += back.T @ state
            back = back @ middle
        return [into, within if learn else np.zeros_like(middle), error.T @ states[-1]]

    return gradient


def attention(covariance: np.ndarray, length: int, *, merged: bool) -> Gradient:
    """Of linear attention of rank one that regresses in context, from the expectation over Gaussian sequences."""
    size = len(covariance)
    seen = (1 + 1 / length) * covariance @ covariance + np.trace(covariance) / length * covariance

    def gradient(weights: Weights) -> Weights:
        value = weights[-1][0]
        heads = weights[0].reshape(-1, size, size) if merged else None
        each = np.einsum("hk,hq->hkq", weights[1], weights[0]) if heads is None else heads
        pull = covariance @ covariance - seen @ np.einsum("h,hkq->kq", value, each) @ covariance
        values = np.einsum("kq,hkq->h", pull, each)[None]
        if merged:
            return [np.outer(value, pull.ravel()), values]
        return [value[:, None] * (weights[1] @ pull), value[:, None] * (weights[0] @ pull.T), values]

    return gradient


def integrate(
    gradient: Gradient, weights: Weights, times: np.ndarray, solver: str = "LSODA", *, coarse: bool = False
) -> list[Weights]:
    """The weights at each time of the gradient flow."""
    rtol, slopes = COARSE if coarse else FINE, itertools.count()
    ends = np.cumsum([0, *(w.size for w in weights)]).tolist()
    places = [(slice(*part), w.shape) for part, w in zip(itertools.pairwise(ends), weights, strict=True)]

    def split(flat: np.ndarray) -> Weights:
        return [flat[part].reshape(shape) for part, shape in places]

    def slope(_: float, flat: np.ndarray) -> np.ndarray:
        if next(slopes) > SLOPES and coarse:
            raise UnknownError
        return np.concatenate([change.ravel() for change in gradient(split(flat))])

    first = np.concatenate([w.ravel() for w in weights])
    atol = 1e-3 * rtol * (np.abs(first).max() or 1.0)
    solved = scipy.integrate.solve_ivp(slope, (0.0, times[-1]), first, solver, times, rtol=rtol, atol=atol)
    if not solved.success or not np.all(np.isfinite(solved.y)):
        raise UnknownError
    return [split(flat) for flat in solved.y.T]


def _coarse(gradient: Gradient, weights: Weights, times: np.ndarray) -> list[Weights]:
    try:
        return integrate(gradient, weights, times, coarse=True)
    except UnknownError:  # a stiff flow
        return integrate(gradient, weights, times, "BDF", coarse=True)


def settle_path(
    check: Callable[[list[Weights]], None], gradient: Gradient, weights: Weights, times: np.ndarray
) -> None:
    """Check the path of the flow. What differs from a coarse path is held to a fine one. A second solver has the last
    word; where the two solvers differ, as at a saddle that only rounding leaves, nothing can be said.
    """
    try:
        return check(_coarse(gradient, weights, times))
    except AssertionError:
        first = integrate(gradient, weights, times)
    try:
        check(first)
    except AssertionError:
        second = integrate(gradient, weights, times, "Radau")
        pairs = [(a, b) for one, other in zip(first, second, strict=True) for a, b in zip(one, other, strict=True)]
        size = max(float(np.abs(a).max(initial=0.0)) for a, _ in pairs)
        try:
            check(second)
        except AssertionError:
            if max(float(np.abs(a - b).max(initial=0.0)) for a, b in pairs) > APART * size:
                raise UnknownError from None
            raise


def descend(gradient: Gradient, weights: Weights, rate: float, steps: Sequence[int]) -> list[Weights]:
    """The weights after each of these numbers of steps of gradient descent."""
    found, now = [], [w.copy() for w in weights]
    for step in range(int(steps[-1]) + 1):
        if step in steps:
            found.append([w.copy() for w in now])
        now = [w + rate * change for w, change in zip(now, gradient(now), strict=True)]
    return found

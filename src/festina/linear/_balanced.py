"""The λ-balanced solution: what it needs, measured, and all that it gives; ``_riccati.py`` solves its equation."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from festina.analysis.kernel import distance, parts, views
from festina.checks import check
from festina.checks.shapes import Times
from festina.core import Assumption, Layered, Solution, Start, Task, Theory
from festina.core.network import stack
from festina.initial import Balanced, Weights
from festina.linear._modes import centred, extend, with_biases
from festina.linear._riccati import Riccati, measure, warn_stuck
from festina.methods import Flow
from festina.modes.chain import EXACT_BOUND
from festina.runtime import few_threads

KEEP = 1 << 24
"""Numbers (128 MB) up to which factors are kept for the next observable; above, they are computed again."""


def riccati(weights: tuple[np.ndarray, ...], task: Task, lambda_: float | None = None) -> Riccati:
    """The solution for these weights on this task; λ is measured unless it is known."""
    statistics = task.statistics
    s = np.linalg.svd(statistics.cross_correlation, compute_uv=False)
    noise = s[statistics.rank] if statistics.rank < len(s) else 0.0
    curvature = float(np.trace(statistics.input_correlation) / len(statistics.input_correlation))
    return Riccati(weights[0], weights[1], statistics.cross_correlation, curvature, lambda_, float(noise))


@dataclass(frozen=True, repr=False)
class LambdaBalanced(Theory):
    """Two layers with W2ᵀW2 − W1W1ᵀ = λ·1 on isotropic inputs: any shape, any map, any λ, any time, exactly.

    QQᵀ of Q = [W1ᵀ; W2] obeys a matrix Riccati equation. ``weights`` and ``hidden`` follow from dQ/dt = (F − ½QQᵀ)Q.

    Args:
        perturbation: standard deviation of random numbers that are added to the weights, relative to their root mean
            square. With it, weights on a saddle, as after a reversal at λ = 0, leave the saddle after a time that grows
            like its logarithm. Without it they stay for ever, and a warning says from when on rounding errors decide.
            The imbalance that it adds is left out, so that the time is known up to about 1/s.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear((4,), initial=fs.initial.Balanced(0.1, lambda_=0.5))
        >>> fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 9.0]).notes["theory"]
        'λ-balanced layers'

    Source: braun2022; domine2025; saxe_lecture eqs. (13)-(15), corrected.
    """

    perturbation: float = 0.0

    name: ClassVar[str] = "λ-balanced layers"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("braun2022", "domine2025")

    def __post_init__(self) -> None:
        check.positive("perturbation", self.perturbation, zero=True)

    def assumptions(self, network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Isotropic inputs and λ-balanced layers."""
        lambda_, off = measure(*network.without_bias(start.weights))
        varied = bool(np.any(task.x))
        return (
            Assumption(
                "isotropy", "inputs are white up to a factor; task.whitened() makes them so",
                task.statistics.isotropy if varied else 1.0, EXACT_BOUND, quantity="‖Σx − c·1‖/‖Σx‖",
            ),
            Assumption(
                "balance", f"W2ᵀW2 − W1W1ᵀ = λ·1 with λ = {lambda_:.6g}; "
                "fs.initial.Balanced(scale, lambda_=...) satisfies this", off, EXACT_BOUND,
                quantity="distance over ‖W1‖² + ‖W2‖²",
            ),
            *centred(network, task, start),
        )  # fmt: skip

    def solve(self, network: Layered, task: Task, start: Start, times: Times) -> Solution:
        """All observables at the times."""
        known = network.initial.lambda_ if start.drawn and isinstance(network.initial, Balanced) else None
        weights, context = network.without_bias(start.weights), network.context(task)
        if self.perturbation:
            rng, size = np.random.default_rng(0), np.sqrt(np.mean(np.concatenate([w.ravel() ** 2 for w in weights])))
            weights = tuple(w + self.perturbation * size * rng.normal(size=w.shape) for w in weights)
        path = Path(riccati(weights, task, known), weights, task, times)
        warn_stuck(path.riccati.stuck, times)
        found: dict[str, Callable[[], Any]] = {
            "loss": lambda: path.each(path.loss),
            "strengths": lambda: path.each(path.strengths),
            "map": lambda: path.each(path.map),
            "outputs": lambda: path.each(lambda kv, ku: task.x @ path.map(kv, ku).swapaxes(1, 2)),
            "weights": lambda: path.each(path.weights),
        }
        # only QQᵀ is visible, so any weights that have it can continue
        onward = extend(dict(found), network, task, start, len(times)).path

        def true_weights() -> tuple[np.ndarray, np.ndarray]:
            return start.recall(f"weights at {times.tobytes().hex()}", lambda: _turned(network, task, start, path))

        found["weights"] = true_weights
        found["hidden"] = lambda: (task.x @ true_weights()[0].swapaxes(1, 2),)
        if network.bias:
            found["weights"] = lambda: with_biases(network, start, true_weights())
            return Solution(found, path=onward)
        x = context["data"].x
        reference = parts(weights, x)
        for name, see in views(context).items():
            found[name] = lambda see=see: path.each(lambda kv, ku: see(path.pair(kv, ku)))
        found["kernel_distance"] = lambda: np.maximum(
            path.each(lambda kv, ku: distance(reference, parts(path.pair(kv, ku), x))), 0.0
        )
        return Solution(found, path=onward)


def _turned(network: Layered, task: Task, start: Start, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The weights themselves: those with the exact QQᵀ that are nearest to the integrated flow of the weights.

    QQᵀ leaves a rotation of the hidden units open, which depends on the whole path, dQ/dt = (F − ½QQᵀ)Q, and has no
    closed form. It comes to rest when QQᵀ does, so that it is integrated to that time at most.
    """
    first, second = path.each(path.pair)
    rest = np.minimum(path.times, path.riccati.settled)
    distinct, which = np.unique(rest, return_inverse=True)
    plain = network.changed(bias=False, initial=Weights(path.start))
    flow = Flow().run(plain, task, distinct, [Start(plain, task)], ("weights",)).values["weights"]
    goals = [layer[0][which] for layer in flow]
    turn = first @ goals[0].swapaxes(1, 2) + second.swapaxes(1, 2) @ goals[1]
    u, _, vt = np.linalg.svd(turn, full_matrices=False)
    rotation = u @ vt
    return rotation.swapaxes(1, 2) @ first, second @ rotation


@dataclass(frozen=True, eq=False)
class Path:
    """A λ-balanced trajectory: factors K of QQᵀ = KKᵀ at many times, a chunk of times after another."""

    riccati: Riccati
    start: tuple[np.ndarray, ...]
    task: Task
    times: Times

    @property
    def _parts(self) -> list[slice]:
        return list(self.riccati.chunks(len(self.times)))

    @cached_property
    def _kept(self) -> list[tuple[np.ndarray, np.ndarray]]:
        return self._over(lambda kv, ku: (kv, ku))

    def _over(self, see: Callable[[np.ndarray, np.ndarray], Any]) -> list[Any]:
        """``see(K_v, K_u)`` of every chunk; chunks on all cores, since NumPy computes outside Python's lock."""
        self.riccati.factor(self.times[:1])  # shared by all times: computed once, before the threads start
        from concurrent.futures import ThreadPoolExecutor

        with few_threads(), ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(lambda part: see(*self.riccati.factor(self.times[part])), self._parts))

    def each(self, see: Callable[[np.ndarray, np.ndarray], Any]) -> Any:
        """``see(K_v, K_u)`` chunk by chunk, joined along time."""
        size = len(self.times) * sum(self.riccati.cross.shape) * max(self.riccati.rank, 1)
        seen = [see(*factors) for factors in self._kept] if size <= KEEP else self._over(see)
        return stack(seen, np.concatenate)

    def pair(self, kv: np.ndarray, ku: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Two layers through ``rank`` hidden units that have this QQᵀ."""
        return (self.riccati.right @ kv).swapaxes(1, 2), self.riccati.left @ ku

    def weights(self, kv: np.ndarray, ku: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Weights with this QQᵀ, in the basis of hidden units nearest to the start's."""
        first, second = self.pair(kv, ku)
        turn = first @ self.start[0].T + second.swapaxes(1, 2) @ self.start[1]
        u, _, vt = np.linalg.svd(turn, full_matrices=False)
        rotation = u @ vt
        return rotation.swapaxes(1, 2) @ first, second @ rotation

    def _modes(self, kv: np.ndarray, ku: np.ndarray) -> np.ndarray:
        return ku @ kv.swapaxes(1, 2)

    def map(self, kv: np.ndarray, ku: np.ndarray) -> np.ndarray:
        """W2W1."""
        return self.riccati.left @ self._modes(kv, ku) @ self.riccati.right.T

    def strengths(self, kv: np.ndarray, ku: np.ndarray) -> np.ndarray:
        """u_αᵀ W2W1 v_α."""
        u = self.riccati.left.T @ self.task.statistics.left
        v = self.riccati.right.T @ self.task.statistics.right
        return np.einsum("om,toi,im->tm", u, self._modes(kv, ku), v, optimize=True)

    def loss(self, kv: np.ndarray, ku: np.ndarray) -> np.ndarray:
        """floor + ½ c ‖W − Σyx/c‖², in the singular vectors, where the target is diagonal."""
        c, s = self.riccati.curvature, self.riccati.strengths
        miss = self._modes(kv, ku)
        miss[:, np.arange(len(s)), np.arange(len(s))] -= s / c
        return self.task.statistics.floor + 0.5 * c * np.sum(miss**2, axis=(1, 2))

"""What ``deep`` trains: ReLU networks that tell their modules, and a gated network that shares a layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import festina as fs
from festina.checks.shapes import Array, Weights
from festina.core import Context, Data, Network, mean_loss
from festina.papers._seeds import resampled

CONTEXTS = 3
FACTS = ("on", "everywhere", "clean")
"""What ``modules`` begins with; the shares of the eight subsets of contexts follow, numbered in binary."""

SIZES = np.array([bin(subset).count("1") for subset in range(2**CONTEXTS)])
"""Number of contexts in each subset, numbered as ``modules`` does."""

IDLE = 1e-10
"""Directions of the inputs below this share of their largest singular value are not there."""


def modules(weights: Weights, x: Array) -> Array:
    """How a ReLU network of two hidden layers gates, in eleven numbers.

    A unit counts by the power it can send on: the squared norm of its outgoing weights times its mean squared activity.
    - on: share of data points at which first-layer units are on;
    - everywhere: share of first-layer units that are on at every point;
    - clean: share of gates of the second layer that equal the majority of their unit and context;
    - the share of second-layer units on in each subset of contexts, by majority: 0 none, 1 the first, 2 the second,
      3 both, …, 7 all.
    """
    np_ = library(x)
    first = rectify(x @ weights[0].T)
    second = rectify(first @ weights[1].T)
    strong = _shares(weights[1], first)
    on = 1.0 * (first > 0)
    facts = [(strong * on.mean(0)).sum(), (strong * on.min(0)).sum()]
    strong, on = _shares(weights[2], second), 1.0 * (second > 0)
    where = x[:, -CONTEXTS:]
    share = (where.T @ on) / where.sum(0)[:, None]
    majority = 1.0 * (share >= 0.5)
    facts.append((strong * (1.0 * (where @ majority == on)).mean(0)).sum())
    subset = (majority * 2.0 ** np.arange(CONTEXTS)[:, None]).sum(0)
    facts += [(strong * (subset == s)).sum() for s in range(2**CONTEXTS)]
    return np_.stack(facts)


def _shares(outgoing: Array, activity: Array) -> Array:
    power = (outgoing**2).sum(0) * (activity**2).mean(0)
    return power / power.sum()


def library(array: Array) -> Any:
    """NumPy or JAX's NumPy, whichever the array belongs to."""
    if isinstance(array, np.ndarray | float):
        return np
    import jax.numpy as jnp

    return jnp


def rectify(h: Array) -> Array:
    """σ(h), with slope 0 at 0."""
    return h * (h > 0)


@dataclass(frozen=True)
class WatchedObservables:
    """What can be observed of a ReLU network, and its modules; equal for equal networks."""

    usual: Callable[[Context], Mapping[str, Callable[[Weights], Any]]]

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """By name."""
        return {**self.usual(context), "modules": lambda weights: modules(weights, context["data"].x)}


@dataclass(frozen=True, repr=False)
class Watched(fs.ReLU):
    """A ReLU network of two hidden layers on a context task that can be asked for its ``modules``."""

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """Those of a ReLU network, and ``modules``."""
        return WatchedObservables(super().observables)


@dataclass(frozen=True)
class Pass:
    """The forward pass of ``Shared`` for inputs (basis, design); hashable."""

    widths: tuple[int, ...]

    def parts(self, weights: Weights, x: tuple[Array, Array]) -> list[Array]:
        """What each pathway puts out, (points, outputs)."""
        hidden = (x[0] @ weights[0].T) @ weights[1].T
        rows, found, begin = x[0].shape[0], [], 0
        for number, width in enumerate(self.widths):
            cut = slice(begin, begin + width)
            gated = x[1][:, number * rows : (number + 1) * rows]
            found.append(gated @ (hidden[:, cut] @ weights[2][:, cut].T))
            begin += width
        return found

    def __call__(self, weights: Weights, x: tuple[Array, Array]) -> Array:
        """Outputs."""
        first, *others = self.parts(weights, x)
        return sum(others, first)

    def watch(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """``loss``, ``outputs``, ``weights`` and ``modules``: the share of each pathway, by the power it puts out."""
        data = context["data"]

        def shares(weights: Weights) -> Array:
            powers = [(part**2).sum() for part in self.parts(weights, data.x)]
            return library(powers[0]).stack(powers) / sum(powers)

        return {
            "loss": lambda weights: mean_loss(self, weights, data),
            "outputs": lambda weights: self(weights, data.x),
            "weights": tuple,
            "modules": shares,
        }


@dataclass(frozen=True)
class Separately:
    """What the released code descends: the first pathway the targets, the others what it leaves of them.

    The first pathway does not see the others, and they take its outputs as given; the first layer serves both.
    """

    forward: Pass

    def __call__(self, weights: Weights, data: Data, key: object = None) -> Array:
        """½ (‖y − ŷ₁‖² + ‖(y − ŷ₁) − Σ ŷ_p‖²)/N, with ŷ₁ held fixed in the second term."""
        import jax

        common, *others = self.forward.parts(weights, data.x)
        left = data.y - jax.lax.stop_gradient(common)
        return 0.5 * (((data.y - common) ** 2).sum() + ((left - sum(others)) ** 2).sum()) / data.count


@dataclass(frozen=True)
class Watching:
    """Observables of ``Shared``; equal for equal networks."""

    forward: Pass

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """By name."""
        return self.forward.watch(context)


@dataclass(frozen=True, eq=False)
class Shared(Network):
    """A gated network whose first layer is open for everything and whose second consists of gated pathways.

    Gates commute with linear maps, g_p W2p W1 x = W2p W1 (g_p x), and x has fewer independent directions than there are
    data points. So only a basis of the inputs (10 instead of 24 rows here) is led through the wide layers, and a
    design matrix of gates and coordinates makes the outputs of all points from it: the same function of the same
    weights as the ``fs.Gated`` with nodes x → first → pathways → y, at half of the cost.

    Args:
        gates: one row per pathway, one value per data point.
        first: units of the first layer.
        second: units of each pathway in the second layer.
        initial: one of ``fs.initial``.
        grown: weights that the first layer and the first pathway have grown to, (seeds, …) each; None starts all anew.
        seed: the seed of the first of them.
        boost: factor on the initial output weights of the other pathways.
        separate: whether the first pathway learns as if it were alone and the others what it leaves.
    """

    gates: np.ndarray
    first: int
    second: tuple[int, ...]
    initial: Any
    grown: tuple[np.ndarray, ...] | None = None
    seed: int = 0
    boost: float = 1.0
    separate: bool = False

    def __repr__(self) -> str:
        return f"Shared({len(self.gates)} pathways, first={self.first}, second={self.second}, {self.initial!r})"

    def start(self, task: fs.Task, seed: int) -> tuple[np.ndarray, ...]:
        """First layer, second layer of all pathways, and their outputs."""
        wide, own = sum(self.second), self.second[0]
        shapes = [(self.first, task.x.shape[1]), (wide, self.first), (task.y.shape[1], wide)]
        drawn = self.initial.draw(shapes, task, np.random.default_rng(seed))
        if self.grown is None:
            return drawn
        first, second, last = (part[seed - self.seed] for part in self.grown)
        return first, np.vstack([second, drawn[1][own:]]), np.hstack([last, self.boost * drawn[2][:, own:]])

    @property
    def loss(self) -> Callable[[Weights, Data, Any], Array]:
        """The mean loss of all pathways together, or each kind for itself."""
        return Separately(self.predict) if self.separate else super().loss

    @property
    def predict(self) -> Pass:
        """The forward pass of (basis, design)."""
        return Pass(self.second)

    @property
    def observables(self) -> Watching:
        """``loss``, ``outputs``, ``weights`` and ``modules``."""
        return Watching(self.predict)

    def context(self, task: fs.Task) -> Context:
        """x = coordinates · basis, and for each pathway its gated coordinates."""
        left, s, basis = np.linalg.svd(task.x, full_matrices=False)
        kept = s > IDLE * s[0]
        coordinates = left[:, kept] * s[kept]
        design = np.hstack([gate[:, None] * coordinates for gate in self.gates])
        return {"data": Data((basis[kept], design), task.y, float(len(task.x)))}


def linearised(weights: Weights, task: fs.Task, layer: int) -> float:
    """Mean loss of a ReLU network whose hidden layer of that number, from 0, is not rectified."""
    h = task.x
    for number, matrix in enumerate(weights[:-1]):
        h = h @ matrix.T if number == layer else rectify(h @ matrix.T)
    return float(((task.y - h @ weights[-1].T) ** 2).sum() / (2 * len(task.x)))


def in_subsets(task: fs.Task, subsets: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Gates of pathways on in subsets of contexts, (pathways, points)."""
    context = np.argmax(task.x[:, -CONTEXTS:], axis=1)
    return np.array([np.isin(context, subset) for subset in subsets], dtype=float)


def medoid(losses: np.ndarray) -> int:
    """Position of the curve with the smallest sum of L2 distances to the others: jarvis2025 Fig. 6."""
    return int(np.argmin(np.linalg.norm(losses[:, None] - losses[None], axis=2).sum(axis=1)))


def joined(blocks: list[fs.Trajectory]) -> fs.Trajectory:
    """Trajectories of several blocks of seeds as one."""
    names, first = blocks[0].values, blocks[0]
    values = {}
    for name in names:
        parts = [block[name] for block in blocks]
        layered = isinstance(parts[0], tuple)
        values[name] = tuple(map(np.concatenate, zip(*parts, strict=True))) if layered else np.concatenate(parts)
    return replace(first, values=values, seeds=tuple(s for block in blocks for s in block.seeds or ()))


def one(run: fs.Trajectory, at: int) -> fs.Trajectory:
    """A single run among many."""
    return replace(run, values={"loss": run.loss[at]}, seeds=None)


def spread(run: fs.Trajectory, loss: np.ndarray | None = None) -> float:
    """Standard deviation over runs, or some of them, integrated over time, relative to the mean loss."""
    loss = run.loss if loss is None else loss
    return float(np.trapezoid(loss.std(axis=0), run.times) / np.trapezoid(loss.mean(axis=0), run.times))


def spread_ratio(first: fs.Trajectory, second: fs.Trajectory) -> tuple[float, float]:
    """Spread of the first runs over that of the second; its error is that of the logarithm, which is skewed less."""

    def log_ratio(a: np.ndarray, b: np.ndarray) -> float:
        spreads = spread(first, a), spread(second, b)
        return np.log(spreads[0] / spreads[1]) if min(spreads) > 0 else np.nan  # nan: one network, drawn every time

    value, error = resampled(log_ratio, first.loss, second.loss)
    return float(np.exp(value)), float(np.exp(value)) * error


def spread_factor(first: fs.Trajectory, second: fs.Trajectory) -> tuple[float, float]:
    """The larger spread over the smaller."""
    ratio, error = spread_ratio(first, second)
    return (ratio, error) if ratio >= 1 else (1 / ratio, error / ratio**2)


def named(facts: np.ndarray) -> dict[str, float]:
    """The numbers of ``modules`` by name, subsets by their size."""
    shares = {f"on in {size}": float(facts[len(FACTS) :][size == SIZES].sum()) for size in range(CONTEXTS + 1)}
    return {name: float(v) for name, v in zip(FACTS, facts, strict=False)} | shares

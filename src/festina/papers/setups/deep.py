"""Networks of ``deep``: ReLU networks that report their modules, and a gated network that shares a layer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import festina as fs
from festina.core import Context, Data

CONTEXTS = 3
SIZES = np.array([bin(subset).count("1") for subset in range(2**CONTEXTS)])
"""Number of contexts in each subset, numbered as ``modules`` does."""

IDLE = 1e-10  # directions of the inputs below this share of their largest singular value are not there


def modules(weights, x) -> Any:
    """Share of second-layer units that are on in each subset of contexts, by the majority of its data points.

    Subsets are numbered in binary: 0 none, 1 the first, 2 the second, 3 both, …, 7 all. A unit counts by the power it
    can send on: the squared norm of its outgoing weights times its mean squared activity.
    """
    second = rectify(rectify(x @ weights[0].T) @ weights[1].T)
    power = (weights[2] ** 2).sum(0) * (second**2).mean(0)
    where = x[:, -CONTEXTS:]
    majority = 1.0 * ((where.T @ (1.0 * (second > 0))) / where.sum(0)[:, None] >= 0.5)
    subset = (majority * 2.0 ** np.arange(CONTEXTS)[:, None]).sum(0)
    return (subset == np.arange(2**CONTEXTS)[:, None]) @ (power / power.sum())


def rectify(h) -> Any:
    """σ(h), with slope 0 at 0."""
    return h * (h > 0)


@dataclass(frozen=True)
class WatchedObservables:
    """Observables of a ReLU network, and its modules; equal for equal networks."""

    usual: Callable[[Context], Mapping[str, Callable[[Any], Any]]]

    def __call__(self, context: Context) -> Mapping[str, Callable[[Any], Any]]:
        """By name."""
        return {**self.usual(context), "modules": lambda weights: modules(weights, context["data"].x)}


@dataclass(frozen=True, repr=False)
class Watched(fs.ReLU):
    """A ReLU network of two hidden layers on a context task that can be asked for its ``modules``."""

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Any], Any]]]:
        """Those of a ReLU network, and ``modules``."""
        return WatchedObservables(super().observables)


@dataclass(frozen=True)
class Pass:
    """The forward pass of ``Shared`` for inputs (basis, design); hashable."""

    widths: tuple[int, ...]

    def parts(self, weights, x) -> list[Any]:
        """Outputs of each pathway, (points, outputs)."""
        hidden, rows, ends = (x[0] @ weights[0].T) @ weights[1].T, x[0].shape[0], np.cumsum(self.widths)
        cuts = [slice(end - width, end) for end, width in zip(ends, self.widths, strict=True)]
        gated = [x[1][:, k * rows : (k + 1) * rows] for k in range(len(cuts))]
        return [own @ (hidden[:, cut] @ weights[2][:, cut].T) for own, cut in zip(gated, cuts, strict=True)]

    def __call__(self, weights, x) -> Any:
        """Outputs."""
        first, *others = self.parts(weights, x)
        return sum(others, first)


@dataclass(frozen=True)
class Separately:
    """Loss of the released code: the first pathway fits the targets, the others fit its residual.

    The first pathway does not see the others, and they take its outputs as given; the first layer serves both.
    """

    forward: Pass

    def __call__(self, weights, data: Data, key: object = None) -> Any:
        """½ (‖y − ŷ₁‖² + ‖(y − ŷ₁) − Σ ŷ_p‖²)/N, with ŷ₁ held fixed in the second term."""
        import jax

        common, *others = self.forward.parts(weights, data.x)
        left = data.y - jax.lax.stop_gradient(common)
        return 0.5 * (((data.y - common) ** 2).sum() + ((left - sum(others)) ** 2).sum()) / data.count


@dataclass(frozen=True, eq=False)
class Shared(fs.Network):
    """A gated network whose first layer is open for everything and whose second consists of gated pathways.

    Gates commute with linear maps, g_p W2p W1 x = W2p W1 (g_p x), and x has fewer independent directions than there are
    data points. So only a basis of the inputs (10 instead of 24 rows here) is led through the wide layers. A design
    matrix of gates and coordinates gives the outputs of all points. This is the same function of the same weights as
    the ``fs.Gated`` with nodes x → first → pathways → y, at half the cost.

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
    def loss(self) -> Any:
        """The mean loss of all pathways together, or each kind for itself."""
        return Separately(self.predict) if self.separate else super().loss

    @property
    def predict(self) -> Pass:
        """The forward pass of (basis, design)."""
        return Pass(self.second)

    @property
    def observables(self) -> Any:
        """``loss``, of all pathways together, ``outputs`` and ``weights``."""
        return replace(self, separate=False).observables if self.separate else super().observables

    def context(self, task: fs.Task) -> Context:
        """x = coordinates · basis, and for each pathway its gated coordinates."""
        left, s, basis = np.linalg.svd(task.x, full_matrices=False)
        kept = s > IDLE * s[0]
        coordinates = left[:, kept] * s[kept]
        design = np.hstack([gate[:, None] * coordinates for gate in self.gates])
        return {"data": Data((basis[kept], design), task.y, float(len(task.x)))}


def in_subsets(task: fs.Task, subsets: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Gates of pathways on in subsets of contexts, (pathways, points)."""
    context = np.argmax(task.x[:, -CONTEXTS:], axis=1)
    return np.array([np.isin(context, subset) for subset in subsets], dtype=float)

"""Stationary points of a wide network that a narrow one has: its minima, embedded with units that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array
from festina.core.task import Task
from festina.core.units import Layout, lay_out
from festina.runtime import program
from festina.runtime.device import in_double

if TYPE_CHECKING:
    from festina.core.network import Data, Loss, Network
    from festina.core.observations import Observations

STARTS = 12
"""Random starts from which minima of the narrow network are sought."""

STILL = 1e-8
"""Largest gradient of a stationary point."""

SAME = 1e-4
"""Relative difference up to which two losses are those of one minimum."""

NEGATIVE = 1e-6
"""Eigenvalues below minus this share of the largest count as negative."""

POLISH = 60
"""Newton steps at most."""

PASSED = 0.05
"""A point is passed where the outputs come this near to its own, relative to the targets (root mean square)."""


@dataclass(frozen=True, eq=False)
class EmbeddedPoint:
    """A stationary point of a network that needs fewer units than it has.

    Attributes:
        units: how many units the narrow network has.
        extra: what the other units do: ``"zero"`` (all weights zero), ``"copies"`` (one unit is split into copies that
            share its output weights) or ``"idle"`` (no output weights, and input weights to which no output
            weight would be of use).
        loss: at the point, the same for all three.
        gradient: the largest entry of the gradient in the wide network.
        index: how many eigenvalues of the wide network's Hessian are negative: directions in which the loss falls. A
            ReLU unit at zero has no Hessian, and one of degree 3 has none that is not zero there; such units do not
            count.
        weights: the weights of the wide network.
        outputs: at the data points.

    Example:
        >>> import festina as fs
        >>> task = fs.Task([[1.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 1.0]])
        >>> network = fs.ReLU((3,), initial=fs.initial.Gaussian(0.1))
        >>> points = network.stationary_points(task, units=1)
        >>> sorted({(round(point.loss, 3), point.extra) for point in points})[:2]
        [(0.25, 'copies'), (0.25, 'idle')]
    """

    units: int
    extra: str
    loss: float
    gradient: float
    index: int
    weights: Any = field(repr=False)
    outputs: np.ndarray = field(repr=False)


@dataclass(frozen=True, eq=False)
class EmbeddedPassage:
    """A stationary point that a run passes: which, when it comes closest, and how close.

    Attributes:
        point: the stationary point.
        time: when the outputs are nearest to those of the point.
        distance: the distance of the outputs then, relative to the targets (root mean square).
        loss: the loss of the run then.

    Example:
        >>> EmbeddedPassage(None, time=4.0, distance=0.01, loss=0.25).time
        4.0
    """

    point: EmbeddedPoint | None
    time: float
    distance: float
    loss: float


@cache
def _compiled() -> Callable[..., Any]:
    return program.jit(_look, static=3)


@dataclass(frozen=True, eq=False)
class _Wanted:
    """The network and task whose points are sought; weights are those of units (units, numbers), then shared ones."""

    network: Network
    layout: Layout
    data: Data
    share: tuple[np.ndarray, ...]

    @property
    def size(self) -> int:
        """Numbers of a unit."""
        return self.layout.spans[-1].stop

    def see(self, flat: np.ndarray, bend: bool = True) -> tuple[Any, ...]:
        """Loss, gradient and, if asked for, Hessian."""
        value, *rest = _compiled()(self.network.loss, self.layout, bend, flat, self.share, self.data)
        return float(value), *(np.asarray(part) for part in rest)

    def split(self, flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The units, and the numbers that they share."""
        end = len(flat) - sum(w.size for w in self.share)
        return flat[:end].reshape(-1, self.size), flat[end:]

    def outputs(self, units: np.ndarray, shared: np.ndarray) -> np.ndarray:
        """At the data points; no units are one of zeros."""
        some = units if len(units) else np.zeros((1, self.size))
        weights = self.layout.join(some, _shaped(shared, self.share))
        return np.asarray(self.network.predict(weights, self.data.x))

    def added(self, units: np.ndarray, shared: np.ndarray) -> np.ndarray:
        return self.outputs(units, shared) - self.outputs(0 * units, shared)


def _shaped(flat: Array, like: Sequence[Array]) -> tuple[Array, ...]:
    ends = np.cumsum([0, *(w.size for w in like)]).tolist()
    return tuple(flat[a:b].reshape(w.shape) for w, a, b in zip(like, ends, ends[1:], strict=False))


def _look(loss: Loss, layout: Layout, bend: bool, flat: Array, share: tuple[Array, ...], data: Data) -> tuple[Any, ...]:
    """Loss, gradient and, if asked for, Hessian by all weights."""
    import jax

    size = layout.spans[-1].stop
    end = flat.size - sum(w.size for w in share)

    def total(flat: Array) -> Any:
        return loss(layout.join(flat[:end].reshape(-1, size), _shaped(flat[end:], share)), data, None)

    return (*jax.value_and_grad(total)(flat), *((jax.hessian(total)(flat),) if bend else ()))


def stationary_points(network: Network, task: Task, units: int, starts: int = STARTS) -> list[EmbeddedPoint]:
    """Minima of the network with k units, embedded in the network itself in three ways, lowest loss first."""
    from festina.core.network import task_context

    check.whole("units", units, least=0)
    check.whole("starts", starts)
    given = network.start(task, 0)
    layout = lay_out(given, network.units(given))
    first, share = layout.split(given)
    wide = len(first)
    if units > wide:
        raise ValueError(f"units is {units}, and the network has {wide}; give at most as many.")
    with in_double():
        import jax

        data = jax.tree.map(np.asarray, task_context(network, task)["data"])
        wanted = _Wanted(network, layout, data, share)
        found: list[EmbeddedPoint] = []
        for narrow, shared in _minima(wanted, task, units, starts):
            for extra, whole in _embed(wanted, task, narrow, shared, first):
                loss, gradient, hessian = wanted.see(np.concatenate([whole.ravel(), shared]))
                largest = float(np.abs(gradient).max(initial=0.0))
                if largest > STILL:
                    continue
                values = np.linalg.eigvalsh(hessian)
                index = int((values < -NEGATIVE * np.abs(values).max(initial=0.0)).sum())
                weights, outputs = layout.join(whole, _shaped(shared, share)), wanted.outputs(whole, shared)
                found.append(EmbeddedPoint(units, extra, float(loss), largest, index, weights, outputs))
    return sorted(found, key=lambda point: (round(point.loss, 9), point.extra))


def _minima(wanted: _Wanted, task: Task, units: int, starts: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Units and shared numbers of different minima of the narrow network, as far as the starts find them."""
    import scipy

    if not units and not wanted.share:
        yield np.zeros((0, wanted.size)), np.zeros(0)
        return
    known: list[float] = []
    for seed in range(starts if units else 1):
        drawn, share = wanted.layout.split(wanted.network.start(task, seed))
        # small weights, as those from which networks learn in stages, but not so small that the search waits
        drawn = 0.1 * drawn / max(np.sqrt((drawn**2).mean()), np.finfo(float).tiny)
        chosen = drawn[np.random.default_rng(seed).permutation(len(drawn))[:units]]
        begin = np.concatenate([chosen.ravel(), *(0.0 * w.ravel() for w in share)])
        found = scipy.optimize.minimize(lambda flat: wanted.see(flat, bend=False), begin, jac=True, method="BFGS").x
        for _ in range(POLISH):
            _, gradient, hessian = wanted.see(found)
            if np.abs(gradient).max() < 1e-3 * STILL:
                break
            step = np.linalg.lstsq(hessian, gradient, rcond=1e-9)[0]
            found = found - step * min(1.0, 0.1 * np.linalg.norm(found) / max(np.linalg.norm(step), 1e-300))
        loss, gradient = wanted.see(found, bend=False)
        rows, shared = wanted.split(found)
        # a unit that came to nothing makes this a minimum of a narrower network
        grown = min((np.linalg.norm(wanted.added(one[None], shared)) for one in rows), default=np.inf)
        again = any(abs(loss - other) <= SAME * max(abs(loss), STILL) for other in known)
        if np.abs(gradient).max() < STILL and grown > SAME * np.linalg.norm(task.y) and not again:
            known.append(loss)
            yield rows, shared


def _embed(
    wanted: _Wanted, task: Task, narrow: np.ndarray, shared: np.ndarray, first: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """The wide network's units: with zeros, with copies, and with idle units."""
    missing = len(first) - len(narrow)
    yield "zero", np.concatenate([narrow, np.zeros((missing, first.shape[1]))])
    if not missing:
        return
    linear = _linear(wanted, shared, first)
    if linear is None:
        return
    if len(narrow):
        copies = np.repeat(narrow[:1], missing + 1, axis=0)
        copies[:, linear] /= missing + 1
        yield "copies", np.concatenate([copies, narrow[1:]])
    idle = _idle(wanted, task, narrow, shared, first[0], linear)
    if idle is not None:
        yield "idle", np.concatenate([narrow, np.repeat(idle[None], missing, axis=0)])


def _linear(wanted: _Wanted, shared: np.ndarray, first: np.ndarray) -> slice | None:
    """Which numbers of a unit its contribution is proportional to: its output weights."""
    unit = first[:1] / max(np.linalg.norm(first[:1]), np.finfo(float).tiny)
    once = wanted.added(unit, shared)
    for span in reversed(wanted.layout.spans):
        more = unit.copy()
        more[:, span] *= 3
        if np.allclose(wanted.added(more, shared), 3 * once, rtol=1e-9, atol=1e-12):
            return span
    return None


def _idle(
    wanted: _Wanted, task: Task, narrow: np.ndarray, shared: np.ndarray, unit: np.ndarray, linear: slice
) -> np.ndarray | None:
    """A unit without output weights, whose activity is uncorrelated with the residual: to no output is it of use."""
    import scipy

    size = unit.shape[0]
    residual = np.asarray(task.loss.residual(wanted.outputs(narrow, shared), np.asarray(wanted.data.y)))
    inner = np.ones(size, bool)
    inner[linear] = False
    probes = np.zeros((linear.stop - linear.start, size))
    probes[:, linear] = np.eye(len(probes))

    def use(w: np.ndarray) -> np.ndarray:
        tried = probes.copy()
        tried[:, inner] = w
        pulls = [float((wanted.added(t[None], shared) * residual).mean()) for t in tried]
        return np.array([*pulls, np.linalg.norm(w) - 1])

    start = unit[inner] / max(np.linalg.norm(unit[inner]), np.finfo(float).tiny)
    found = scipy.optimize.least_squares(use, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    if np.abs(found.fun).max() > STILL:
        return None
    whole = np.zeros(size)
    whole[inner] = found.x
    return whole


def saddle_passages(network: Network, trajectory: Observations, most: int, within: float) -> list[EmbeddedPassage]:
    """The embedded points of up to ``most`` units that one run passes, in order of time."""
    task = trajectory.task
    if not isinstance(task, Task) or trajectory.seeds is not None or "outputs" not in trajectory.values:
        raise ValueError(
            'trajectory needs one task, one seed and observe=("loss", "outputs"); run fs.evolve(network, task, times, '
            "method=...) without seeds."
        )
    outputs, scale = trajectory["outputs"], np.sqrt((task.y**2).mean())
    passed: list[EmbeddedPassage] = []
    for units in range(most + 1):
        for point in stationary_points(network, task, units):
            known = [np.abs(point.outputs - one.point.outputs).max() for one in passed if one.point is not None]
            # a solution that fewer units reach is not a separate point
            if point.extra != "zero" or min(known, default=np.inf) <= SAME**0.5 * scale:
                continue
            away = np.sqrt(((outputs - point.outputs) ** 2).mean(axis=(-2, -1))) / (scale or 1.0)
            k = int(np.argmin(away))
            if away[k] <= within:
                passed.append(
                    EmbeddedPassage(point, float(trajectory.times[k]), float(away[k]), float(trajectory.loss[k]))
                )
    return sorted(passed, key=lambda one: one.time)

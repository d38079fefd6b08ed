"""The reduction of a layer of ReLU units: grow alone, merge, learn jointly."""

from dataclasses import dataclass

import numpy as np

from festina.relu._alone import Modes, grow_alone
from festina.relu._joint import Integrator, Layer
from festina.relu._merge import merge

EARLY = 10.0
"""Units grow alone until what they put out reaches this many times the accuracy, relative to the targets. From then on
they are integrated jointly, so that an error of this size acts for one doubling time only."""

LATE = 0.99
"""Share of the way to that point (in logarithms) after which growing alone ends."""

IDLE = 1e-9
"""Directions of the outputs, relative to the largest, in which there is no target."""


@dataclass(frozen=True, eq=False)
class Reduced:
    """What the reduction gives.

    Attributes:
        weights: at each time [w; a] of every unit, (times, units, inputs + outputs).
        bias: at each time the output bias, (times, outputs).
        loss: at each time.
        alone: until when units grew alone.
        gate_changes: gates that changed in that time.
        integrated: units that were integrated jointly.
        steps, evaluations: of the joint integration.
    """

    weights: np.ndarray
    bias: np.ndarray
    loss: np.ndarray
    alone: float
    gate_changes: int
    integrated: int
    steps: int
    evaluations: int


@dataclass(frozen=True, eq=False)
class Units:
    """A layer in units of its own: ‖x‖ and ‖y‖ have root mean square 1, and time and weights are scaled with them.

    With x = c x', y = d y', time t = t'/(c d) and weights √(d/c) w', √(d/c) a' the flow is that of x' and y': whatever
    units the data are measured in, the same numbers are computed.
    """

    x: np.ndarray
    y: np.ndarray
    size_x: float
    size_y: float

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray) -> "Units":
        """Measure the data; all zeros have size 1."""
        sizes = []
        for part in (x, y):
            largest = float(np.abs(part).max()) or 1.0
            sizes.append(largest * (float(np.sqrt(np.mean(((part / largest) ** 2).sum(axis=1)))) or 1.0))
        return cls(x / sizes[0], y / sizes[1], *sizes)

    @property
    def weight(self) -> float:
        """What a weight of 1 is."""
        return float(np.sqrt(self.size_y) / np.sqrt(self.size_x))

    @property
    def time(self) -> float:
        """What a time of 1 is."""
        return 1 / self.size_x / self.size_y


def reduce_layer(
    w: np.ndarray,
    a: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    times: np.ndarray,
    *,
    accuracy: float,
    units: int | None = None,
    bias: np.ndarray | None = None,
) -> Reduced:
    """Weights over time of a layer of ReLU units from the weights w (units, inputs), a (units, outputs).

    Args:
        w, a: weights at time 0.
        x, y: data points and targets.
        times: rising, from 0.
        accuracy: error of a step of the joint integration; and, times ``EARLY``, how large the outputs may be that
            growing alone leaves out.
        units: about how many units to integrate; None integrates every unit that is on somewhere.
        bias: output bias at time 0; None has none.
    """
    own = Units.of(x, y)
    at = times / own.time
    w, a = w / own.weight, a / own.weight
    constant = 0.0 if bias is None else 1 / np.sqrt(own.size_x * own.size_y)
    layer = Layer(own.x, own.y, constant)
    offset = np.zeros(y.shape[1]) if bias is None else bias / own.size_y
    moving = bool(constant) and np.linalg.norm((own.y - offset).mean(axis=0)) > accuracy
    early = EARLY * accuracy
    spans, seen = [0.0], [np.hstack([w, a])]
    changes, now = 0, 0.0
    while not moving and now < at[-1]:
        span = min(_span(w, a, own, own.y - offset, early), at[-1] - now)
        if span <= 0:
            break
        inside = at[(at > now) & (at < now + span)] - now
        for stop in np.append(inside, span):
            w, a, count = grow_alone(w, a, own.x, own.y - offset, stop - (spans[-1] - now))
            changes += count
            spans.append(now + stop)
            seen.append(np.hstack([w, a]))
        now += span
    z = np.hstack([w, a])
    alone = [seen[int(np.argmin(np.abs(np.array(spans) - t)))] for t in at[at <= now]]
    on = w @ own.x.T > 0
    alive = np.flatnonzero(on.any(axis=1))
    kept, into = (z[alive], np.arange(len(alive)))
    if units is not None and units < len(alive):
        kept, into = merge(z[alive], on[alive], units)
    weight = np.linalg.norm(z[alive], axis=1)
    total = np.zeros(len(kept))
    np.add.at(total, into, weight**2)
    part = weight / np.sqrt(np.where(total > 0, total, 1.0))[into]
    state = kept if not constant else np.vstack([kept, np.append(np.zeros(x.shape[1]), offset / constant)])
    integrator = Integrator(layer, accuracy)
    weights = np.empty((len(at), len(z), z.shape[1]))
    biases = np.empty((len(at), y.shape[1]))
    loss = np.empty(len(at))
    for i, found in enumerate(alone):
        weights[i], biases[i] = found, offset
        hidden = np.maximum(found[:, : x.shape[1]] @ own.x.T, 0)
        loss[i] = ((own.y - offset - hidden.T @ found[:, x.shape[1] :]) ** 2).sum()
    for i, found in enumerate(integrator.run(state, now, at[len(alone) :]), len(alone)):
        weights[i] = z
        rows = found[:-1] if constant else found
        weights[i, alive] = part[:, None] * rows[into]
        biases[i] = constant * found[-1, x.shape[1] :] if constant else 0.0
        loss[i] = ((own.y - layer.outputs(found)) ** 2).sum()
    return Reduced(
        weights * own.weight, biases * own.size_y, loss * (own.size_y**2 / (2 * len(x))), now * own.time, changes,
        len(kept), integrator.steps, integrator.evaluations,
    )  # fmt: skip


def _span(w: np.ndarray, a: np.ndarray, own: Units, residual: np.ndarray, early: float) -> float:
    """How much longer units may grow alone: no longer than the fastest growth of their outputs allows; 0 is the end.

    With gates as they are no output grows faster than at twice the largest singular value; gates that open may double
    it, but never beyond ⟨‖r‖‖x‖⟩.
    """
    put_out = np.linalg.norm(np.maximum(w @ own.x.T, 0).T @ a) / np.sqrt(len(own.x))
    left = np.log(early) - np.log(max(put_out, np.finfo(float).tiny))
    if left <= -np.log(LATE):
        return 0.0
    on = w @ own.x.T > 0
    fastest = float(np.linalg.norm(residual, axis=1) @ np.linalg.norm(own.x, axis=1)) / len(own.x)
    top = float(Modes.of(on, np.zeros_like(on), own.x, residual).s[:, 0].max()) if on.any() else 0.0
    rate = 2 * min(fastest, 2 * top)
    return left / rate if rate > 0 else np.inf

"""The reduction of a layer of ReLU units: grow alone, merge, learn jointly."""

from dataclasses import dataclass, replace

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
class Scaled:
    """Data in units of their own: ‖x‖ and ‖y‖ have root mean square 1; time and weights are scaled with them.

    With x = c x', y = d y', time t = t'/(c d) and weights √(d/c) w', √(d/c) a' the flow is that of x' and y': whatever
    units the data are measured in, the same numbers are computed.
    """

    x: np.ndarray
    y: np.ndarray
    size_x: float
    size_y: float

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray) -> "Scaled":
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


@dataclass(frozen=True, eq=False)
class Reduced:
    """What the reduction gives.

    Attributes:
        loss: at each time.
        alone: until when units grew alone.
        gate_changes: gates that changed in that time.
        integrated: units that were integrated jointly.
        steps, evaluations: of the joint integration.
        states: at each time the rows [w; a] that were integrated (before: all units), in the layer's own units.
        scaled: the layer's own units.
        rest: what stays as it is: [w; a] of every unit in the directions that were left out.
        basis: (outputs, k), the directions of the outputs that were followed.
        living: units that were integrated, and ``into`` which row, with which ``part`` of it.
        constant: activity of the row that stands for the output bias; 0 without.
    """

    loss: np.ndarray
    alone: float
    gate_changes: int
    integrated: int
    steps: int
    evaluations: int
    states: list[np.ndarray]
    scaled: Scaled
    before: np.ndarray
    rest: np.ndarray
    basis: np.ndarray
    living: np.ndarray
    into: np.ndarray
    part: np.ndarray
    offset: np.ndarray
    constant: float
    joint_from: int

    def weights(self, i: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """w (units, inputs), a (units, outputs) and the output bias at the i-th time.

        A merged unit is divided among its members in proportion to what they were: together they compute what it does.
        """
        state, inputs, offset = self.states[i], self.scaled.x.shape[1], self.offset
        if i >= self.joint_from:
            rows = self.before.copy()
            rows[self.living] = self.part[:, None] * state[self.into]
            if self.constant:
                offset = self.constant * state[-1, inputs:]
        else:
            rows = state
        a = rows[:, inputs:] @ self.basis.T + self.rest
        return (
            rows[:, :inputs] * self.scaled.weight,
            a * self.scaled.weight,
            self.basis @ offset * self.scaled.size_y,
        )


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
    own = Scaled.of(x, y)
    at = times / own.time
    w, a = w / own.weight, a / own.weight
    offset = np.zeros(y.shape[1]) if bias is None else bias / own.size_y
    basis = followed(own.y, a, offset, accuracy)
    rest = a - a @ basis @ basis.T
    a, offset, own = a @ basis, offset @ basis, replace(own, y=own.y @ basis)
    constant = 0.0 if bias is None else float(1 / np.sqrt(own.size_x) / np.sqrt(own.size_y))
    residual = own.y - offset
    still = not constant or np.linalg.norm(residual.mean(axis=0)) <= accuracy
    states, now, changes = [np.hstack([w, a])] if len(at) and at[0] == 0 else [], 0.0, 0
    inputs = x.shape[1]
    while still and now < at[-1]:
        span = min(alone_for(w, a, own.x, residual, EARLY * accuracy), at[-1] - now)
        if span <= 0:
            break
        for stop in np.append(at[(at > now) & (at < now + span)], now + span):
            w, a, count = grow_alone(w, a, own.x, residual, stop - now)
            now, changes = stop, changes + count
            if len(states) < len(at) and at[len(states)] <= now:
                states.append(np.hstack([w, a]))
    before, joint_from = np.hstack([w, a]), len(states)
    on = w @ own.x.T > 0
    living = np.flatnonzero(on.any(axis=1))
    kept, into = before[living], np.arange(len(living))
    if units is not None and units < len(living):
        kept, into = merge(kept, on[living], units)
    size = np.linalg.norm(before[living], axis=1)
    part = size / np.sqrt(np.maximum(np.bincount(into, size**2, len(kept)), np.finfo(float).tiny))[into]
    layer = Layer(own.x, own.y, constant)
    start = np.vstack([kept, np.append(np.zeros(inputs), offset / constant)]) if constant else kept
    integrator = Integrator(layer, accuracy)
    loss = [float(((residual - Layer(own.x, own.y).outputs(z)) ** 2).sum()) for z in states]
    for z in integrator.run(start, now, at[joint_from:]):
        states.append(z)
        loss.append(float(((own.y - layer.outputs(z)) ** 2).sum()))
    return Reduced(
        np.array(loss) * (own.size_y**2 / (2 * len(x))), now * own.time, changes, len(kept), integrator.steps,
        integrator.evaluations, states, own, before, rest, basis, living, into, part, offset, constant, joint_from,
    )  # fmt: skip


def followed(y: np.ndarray, a: np.ndarray, bias: np.ndarray, accuracy: float) -> np.ndarray:
    """Directions of the outputs that have to be followed, in columns: those with targets, where weights are small.

    Weights into directions without targets only decay. What they put out is at most their length times that of the
    activity, which is of order one; if that is below the accuracy they are left as they are.
    """
    _, s, right = np.linalg.svd(y, full_matrices=False)
    basis = right[s > IDLE * s[0]].T if s[0] else right[:0].T
    out = np.vstack([a, bias])
    outside = np.linalg.norm(out - out @ basis @ basis.T)
    return basis if outside <= accuracy else np.eye(y.shape[1])


def alone_for(w: np.ndarray, a: np.ndarray, x: np.ndarray, residual: np.ndarray, early: float) -> float:
    """How much longer units may grow alone: no longer than the fastest growth of their outputs allows; 0 is the end.

    With gates as they are no output grows faster than at twice the largest singular value; gates that open may double
    it, but never beyond ⟨‖r‖‖x‖⟩.
    """
    put_out = np.linalg.norm(np.maximum(w @ x.T, 0).T @ a) / np.sqrt(len(x))
    left = np.log(early) - np.log(max(put_out, np.finfo(float).tiny))
    if left <= -np.log(LATE):
        return 0.0
    on = w @ x.T > 0
    fastest = float(np.linalg.norm(residual, axis=1) @ np.linalg.norm(x, axis=1)) / len(x)
    top = float(Modes.of(on, np.zeros_like(on), x, residual).s[:, 0].max()) if on.any() else 0.0
    rate = 2 * min(fastest, 2 * top)
    return left / rate if rate > 0 else np.inf

"""The units of a ReLU layer, integrated jointly, and merged to fewer once they have turned."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from festina.relu._layer import Layer
from festina.solvers.stepper import Stepper

EARLY = 10.0
"""Units are merged when what they could put out reaches this many times the accuracy, relative to the targets. They
have turned by then, and an error of this size acts for one doubling time only."""

LOOK, MOST = 0.1, 10_000
"""Time after which it is looked at again whether units are to be merged, in units of the shortest in which one can
grow, and the largest number of looks."""

IDLE = 1e-9
"""Directions of the outputs, relative to the largest, in which there is no target."""

COARSE, LARGE = 1e-4, 4096
"""Accuracy, and activities of units at points, from which steps are taken in single precision: below that many the
calls take longer than the numbers."""


@dataclass(frozen=True, eq=False)
class Scaled:
    """Data in units of their own: ‖x‖ and ‖y‖ have root mean square 1; time and weights are scaled with them.

    With x = c x', y = d y', time t = t'/(c d) and weights √(d/c) w', √(d/c) a' the flow is that of x' and y'. The
    computed numbers therefore do not depend on the units of the data.
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
        """Unit of weights."""
        return float(np.sqrt(self.size_y) / np.sqrt(self.size_x))

    @property
    def time(self) -> float:
        """Unit of time."""
        return 1 / self.size_x / self.size_y


class Rows(NamedTuple):
    """What the rows of a state stand for: units that are on somewhere, the row of each, and its share of that row.

    The other units never move. A merged unit is divided among its members in proportion to what they were: together
    they compute what it does.
    """

    units: np.ndarray
    into: np.ndarray
    part: np.ndarray


@dataclass(frozen=True, eq=False)
class Learned:
    """A layer that has learned.

    Attributes:
        own: the data in their own units, outputs along ``basis``.
        loss: at each time.
        states: at each time the rows [w; a] that were followed, then that of the output bias, and what they stand for.
        z: [w; a] of every unit when it was last followed by itself.
        basis: (outputs, k), the directions of the outputs that are followed.
        rest: (units, outputs), output weights along the others, which stay as they are.
        constant: activity of the row that stands for the output bias; 0 without.
        integrated: number of rows in the end, the output bias not counted.
        work: slopes of single rows that were computed.
        stepper: what integrated them.
    """

    own: Scaled
    loss: np.ndarray
    states: list[tuple[np.ndarray, Rows]]
    z: np.ndarray
    basis: np.ndarray
    rest: np.ndarray
    constant: float
    integrated: int
    work: int
    stepper: Stepper

    def weights(self, i: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """w (units, inputs), a (units, outputs) and the output bias at the i-th time."""
        (state, rows), z, inputs = self.states[i], self.z.copy(), self.own.x.shape[1]
        z[rows.units] = rows.part[:, None] * state[rows.into]
        a = z[:, inputs:] @ self.basis.T + self.rest
        bias = self.basis @ (self.constant * state[-1, inputs:]) if self.constant else np.zeros(len(self.basis))
        return z[:, :inputs] * self.own.weight, a * self.own.weight, bias * self.own.size_y


def learn(
    w: np.ndarray,
    a: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    times: np.ndarray,
    accuracy: float,
    *,
    early: float,
    units: int | None = None,
    bias: np.ndarray | None = None,
    rate: float = 0.0,
) -> Learned:
    """Integrate jointly the units w (units, inputs), a (units, outputs) that are on somewhere.

    With ``units`` they are merged to about so many when they could put out ``early``. Outputs are at most
    E = ½ Σ (‖w‖² + ‖a‖²) over the units that are on somewhere, as ‖x‖ is 1 on average.
    """
    own = Scaled.of(x, y)
    at, w, a = times / own.time, w / own.weight, a / own.weight
    offset = np.zeros(y.shape[1]) if bias is None else bias / own.size_y
    basis = followed(own.y, a, offset, accuracy)
    rest, z = a - a @ basis @ basis.T, np.hstack([w, a @ basis])
    own, inputs = replace(own, y=own.y @ basis), x.shape[1]
    constant = 0.0 if bias is None else float(1 / np.sqrt(own.size_x) / np.sqrt(own.size_y))
    living = np.flatnonzero((w @ own.x.T > 0).any(axis=1))
    rows = Rows(living, np.arange(len(living)), np.ones(len(living)))
    last = [np.append(np.zeros(inputs), offset @ basis / constant)] if constant else []
    state = np.vstack([z[living], *last])
    kind = precision(state, len(own.x), accuracy)
    layer = Layer(own.x.astype(kind), own.y.astype(kind), constant, rate / own.time)
    stepper, state, states, now, work = layer.stepper(accuracy), state.astype(kind), [], 0.0, 0
    if units is not None and units < len(living):
        quick = float(np.linalg.norm(own.y - offset @ basis, axis=1) @ np.linalg.norm(own.x, axis=1)) / len(own.x)
        looks = np.linspace(0.0, at[-1], 1 + int(min(at[-1] * quick / LOOK, MOST)))
        grid = np.union1d(at, looks)
        for now, reached in zip(grid, stepper.run(state, grid), strict=True):
            state = reached
            if np.sum(state[: len(living)] ** 2, dtype=float) >= 2 * early:
                break
            if now in at:
                states.append((state.astype(kind), rows))
        work, z[living], last = stepper.evaluations * len(living), state[: len(living)], state[len(living) :]
        on = z[living, :inputs] @ own.x.T > 0
        alive = on.any(axis=1)
        kept, into = merge(z[living[alive]], on[alive], units)
        size = np.linalg.norm(z[living[alive]], axis=1)
        part = size / np.sqrt(np.maximum(np.bincount(into, size**2, len(kept)), np.finfo(float).tiny))[into]
        rows, state = Rows(living[alive], into, part), np.vstack([kept, *last]).astype(kind)
    before, integrated = stepper.evaluations, len(state) - len(last)
    states += [(state.astype(kind), rows) for state in stepper.run(state, at[len(states) :], float(now))]
    loss = [float(((layer.y - layer.outputs(state)) ** 2).sum(dtype=float)) for state, _ in states]
    work += (stepper.evaluations - before) * integrated
    scaled = np.array(loss) * (own.size_y**2 / (2 * len(own.x)))
    return Learned(own, scaled, states, z, basis, rest, constant, integrated, work, stepper)


def precision(z: np.ndarray, points: int, accuracy: float) -> type[np.floating]:
    """Single where steps err by much more than its rounding, every size can be squared in it, and it saves time."""
    size = np.linalg.norm(z, axis=1)
    fits = np.all((size > 1e-12) | (size == 0)) and np.all(size < 1e12)
    return np.float32 if accuracy >= COARSE and len(z) * points >= LARGE and fits else np.float64


def followed(y: np.ndarray, a: np.ndarray, bias: np.ndarray, accuracy: float) -> np.ndarray:
    """Directions of the outputs that have to be followed, in columns: those with targets, where weights are small.

    Weights into directions without targets only decay. Their outputs are at most their length times that of the
    activity, which is of order one. If this is below the accuracy, these directions are not followed.
    """
    _, s, right = np.linalg.svd(y, full_matrices=False)
    basis = right[s > IDLE * s[0]].T if s[0] else right[:0].T
    out = np.vstack([a, bias])
    outside = np.linalg.norm(out - out @ basis @ basis.T)
    return basis if outside <= accuracy else np.eye(y.shape[1])


ROUNDS = 100
"""Most rounds of the clustering; it ends by itself when no unit changes its cluster."""

POWER = 1.5
"""Units count with their squared length to this power when they are clustered. Power 1 gives least distortion, but few
of the units that carry most of the map. A higher power gives clusters of more equal length (for directions that fill d
dimensions 1 + 2/d does). On the context tasks 1.5 has the least error of 0.5, 1, 1.5, 2 and 3."""


def merge(u: np.ndarray, on: np.ndarray, units: int) -> tuple[np.ndarray, np.ndarray]:
    """Replace units (rows [w; a]) by about ``units``, so that Σ u uᵀ of each gating pattern stays what it was.

    While gates stay as they are, the map of units with equal gates and its dynamics depend on their second moments
    Σ u uᵀ alone, so that nothing changes. When gates change, units part by their directions: so units are merged that
    point in nearly the same direction. Averages alone would shrink the small components from which later modes grow.
    The merged units are therefore turned and stretched together, as little as possible, to the second moments of all
    units.

    Args:
        u: (n, inputs + outputs).
        on: (n, points), gates.
        units: how many to keep; a pattern keeps a share by its number of members. A pattern whose share is less than
            half a unit joins the pattern that differs from it at fewest points.

    Returns:
        The units kept, and the row that each unit went to.
    """
    kept: list[np.ndarray] = []
    which, group, count = np.empty(len(u), int), patterns(u, on, len(u) / (2 * units)), 0
    for label in range(group.max() + 1 if len(u) else 0):
        members = np.flatnonzero(group == label)
        wanted = max(1, round(units * len(members) / len(u)))
        if wanted >= len(members):
            part, into = u[members], np.arange(len(members))
        else:
            into = cluster(u[members], wanted)
            part = match(means(u[members], into), u[members])
        kept.append(part)
        which[members] = into + count
        count += len(part)
    return np.concatenate(kept) if kept else u, which


def patterns(u: np.ndarray, on: np.ndarray, least: float) -> np.ndarray:
    """Units by their gating pattern; a pattern with fewer than ``least`` members joins the one nearest to it.

    If several are equally near, it joins the longest, so that the order of data points does not matter.
    """
    distinct, group, members = np.unique(on, axis=0, return_inverse=True, return_counts=True)
    group = group.ravel()
    large = np.flatnonzero(members >= least)
    if len(large):
        length = np.bincount(group, (u**2).sum(axis=1))
        differ = (distinct[:, None, :] != distinct[None, large, :]).sum(axis=2)
        nearest = np.argmin(differ - length[large] / (2 * max(length.max(), np.finfo(float).tiny)), axis=1)
        group = np.where(members >= least, np.arange(len(distinct)), large[nearest])[group]
    return np.unique(group, return_inverse=True)[1].ravel()


def cluster(u: np.ndarray, units: int) -> np.ndarray:
    """Clusters of directions, by k-means with weights ‖u‖^(2 POWER); the same whatever the order of the rows.

    It starts from the heaviest unit and then, again and again, from the one that adds most to the distortion.
    """
    length = np.maximum(np.linalg.norm(u, axis=1), np.finfo(float).tiny)
    direction, weight = u / length[:, None], (length / length.max()) ** (2 * POWER)
    chosen = [int(np.argmax(weight))]
    far = ((direction - direction[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < units:
        chosen.append(int(np.argmax(weight * far)))
        far = np.minimum(far, ((direction - direction[chosen[-1]]) ** 2).sum(axis=1))
    centre = direction[chosen]
    into = np.full(len(u), -1)
    for _ in range(ROUNDS):
        nearest = np.argmin((centre**2).sum(axis=1) - 2 * direction @ centre.T, axis=1)
        if np.array_equal(nearest, into):
            break
        into = nearest
        total = np.zeros((units, 1))
        centre = np.zeros_like(centre)
        np.add.at(total[:, 0], into, weight)
        np.add.at(centre, into, weight[:, None] * direction)
        centre /= np.maximum(total, np.finfo(float).tiny)
    return np.unique(into, return_inverse=True)[1].ravel()


def means(u: np.ndarray, into: np.ndarray) -> np.ndarray:
    """One unit per cluster: along the first singular vector of its members, as long as all of them together."""
    found = []
    for label in range(into.max() + 1):
        members = u[into == label]
        _, s, right = np.linalg.svd(members, full_matrices=False)
        sign = 1.0 if (members @ right[0]).sum() >= 0 else -1.0
        found.append(sign * np.linalg.norm(s) * right[0])
    return np.array(found)


def match(z: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The rows nearest to ``z`` with zᵀz = uᵀu: with K = (uᵀu)^½ and z K = L s Rᵀ they are L Rᵀ K."""
    _, s, right = np.linalg.svd(u, full_matrices=False)
    root = (right.T * s) @ right
    left, _, turn = np.linalg.svd(z @ root, full_matrices=False)
    return left @ turn @ root

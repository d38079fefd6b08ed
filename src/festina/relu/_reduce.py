"""The reduction of a layer of ReLU units: grow alone, merge, learn jointly."""

from dataclasses import dataclass, replace

import numpy as np

from festina.relu._alone import Modes, Pull, grow_alone
from festina.relu._layer import Layer

EARLY = 10.0
"""Units that will be merged grow alone until what they could put out reaches this many times the accuracy, relative to
the targets. From then on they are integrated jointly, so that an error of this size acts for one doubling time only."""

FAINT = 1e-12
"""Units that will not be merged grow alone up to this size. Above it, finding the gate changes (a root for each unit)
costs more than the steps of all units together: three times as much in all with 700 units on contexts."""

LATE = 0.99
"""Share of the way to that point (in logarithms) after which growing alone ends."""

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


@dataclass(frozen=True, eq=False)
class Grown:
    """A layer whose units have grown alone until they matter.

    Attributes:
        scaled: the data in their own units, outputs along ``basis``.
        at: the times that are asked for, in their own units.
        states: [w; a] of every unit at those of them that have passed.
        z: [w; a] of every unit now.
        now: until when units grew alone.
        gate_changes: gates that changed in that time.
        basis: (outputs, k), the directions of the outputs that are followed.
        rest: (units, outputs), output weights along the others, which stay as they are.
        offset: output bias.
        constant: activity of the row that stands for the output bias; 0 without.
        rate: step of gradient descent in the data's own units; 0 is gradient flow.
    """

    scaled: Scaled
    at: np.ndarray
    states: list[np.ndarray]
    z: np.ndarray
    now: float
    gate_changes: int
    basis: np.ndarray
    rest: np.ndarray
    offset: np.ndarray
    constant: float
    rate: float


def grow(
    w: np.ndarray,
    a: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    times: np.ndarray,
    accuracy: float,
    bias: np.ndarray | None = None,
    rate: float = 0.0,
    early: float = FAINT,
) -> Grown:
    """Let the units w (units, inputs), a (units, outputs) grow alone until they could put out ``early``.

    With an output bias that is still being learned the residual is not constant, and nothing grows alone. It does not
    hold for a finite step either: the closed form of a unit that is alone is that of gradient flow.
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
    constant_residual = not constant or np.linalg.norm(residual.mean(axis=0)) <= accuracy
    states, now, changes = [np.hstack([w, a])] * int(np.sum(at <= 0)), 0.0, 0
    while constant_residual and not rate and now < at[-1]:
        span = min(alone_for(w, a, own.x, residual, early), at[-1] - now)
        if span <= 0:
            break
        for stop in np.append(at[(at > now) & (at < now + span)], now + span):
            w, a, count = grow_alone(w, a, own.x, residual, stop - now)
            now, changes = stop, changes + count
            if len(states) < len(at) and at[len(states)] <= now:
                states.append(np.hstack([w, a]))
    return Grown(own, at, states, np.hstack([w, a]), now, changes, basis, rest, offset, constant, rate / own.time)


@dataclass(frozen=True, eq=False)
class Learned:
    """The result of a layer that learned jointly after it had grown.

    Attributes:
        grown: where it started.
        loss: at each time.
        states: at each time the rows [w; a] that were followed: all units, then those that were integrated.
        living: the units that were on somewhere when joint learning began; the others never move.
        into: the row that each of them went to, and ``part`` its share of it.
        integrated: number of rows, the output bias not counted.
        steps, evaluations: of the integration.
    """

    grown: Grown
    loss: np.ndarray
    states: list[np.ndarray]
    living: np.ndarray
    into: np.ndarray
    part: np.ndarray
    integrated: int
    steps: int
    evaluations: int

    def weights(self, i: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """w (units, inputs), a (units, outputs) and the output bias at the i-th time.

        A merged unit is divided among its members in proportion to what they were: together they compute what it does.
        """
        grown, own = self.grown, self.grown.scaled
        state, inputs, offset = self.states[i], own.x.shape[1], grown.offset
        rows = state
        if i >= len(grown.states):
            rows = grown.z.copy()
            rows[self.living] = self.part[:, None] * state[self.into]
            offset = grown.constant * state[-1, inputs:] if grown.constant else offset
        a = rows[:, inputs:] @ grown.basis.T + grown.rest
        return rows[:, :inputs] * own.weight, a * own.weight, grown.basis @ offset * own.size_y


def learn(grown: Grown, accuracy: float, units: int | None = None) -> Learned:
    """Integrate jointly what has grown, as every unit that is on somewhere, or merged to about ``units``."""
    own, z, constant = grown.scaled, grown.z, grown.constant
    inputs = own.x.shape[1]
    on = z[:, :inputs] @ own.x.T > 0
    living = np.flatnonzero(on.any(axis=1))
    kept, into = z[living], np.arange(len(living))
    if units is not None and units < len(living):
        kept, into = merge(kept, on[living], units)
    size = np.linalg.norm(z[living], axis=1)
    part = size / np.sqrt(np.maximum(np.bincount(into, size**2, len(kept)), np.finfo(float).tiny))[into]
    start = np.vstack([kept, np.append(np.zeros(inputs), grown.offset / constant)]) if constant else kept
    kind = precision(start, len(own.x), accuracy)
    layer = Layer(own.x.astype(kind), own.y.astype(kind), constant, grown.rate)
    integrator = layer.stepper(accuracy)
    states, plain = list(grown.states), Layer(own.x, own.y - grown.offset)
    loss = [float(((plain.y - plain.outputs(z)) ** 2).sum()) for z in states]
    for z in integrator.run(start.astype(kind), grown.at[len(states) :], float(grown.now)):
        states.append(z.astype(kind))
        loss.append(float(((layer.y - layer.outputs(states[-1])) ** 2).sum(dtype=float)))
    scaled = np.array(loss) * (own.size_y**2 / (2 * len(own.x)))
    return Learned(grown, scaled, states, living, into, part, len(kept), integrator.steps, integrator.evaluations)


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


def alone_for(w: np.ndarray, a: np.ndarray, x: np.ndarray, residual: np.ndarray, early: float) -> float:
    """How much longer units may grow alone until their outputs could be ``early``; 0 is the end.

    Outputs of units are at most E = ½ Σ (‖w‖² + ‖a‖²) over those that are on somewhere, as ‖x‖ is 1 on average. E grows
    at most at twice the largest singular value of R. Gates that open may raise that, but not beyond ⟨‖r‖‖x‖⟩; the time
    is short enough for it to double.
    """
    pull = Pull.of(x, residual)
    on = w @ pull.x.T > 0
    living = (w @ x.T > 0).any(axis=1)
    if not living.any():
        return np.inf
    size = (np.sum(w[living] ** 2) + np.sum(a[living] ** 2)) / 2
    left = np.log(early) - np.log(max(size, np.finfo(float).tiny))
    if left <= -np.log(LATE):
        return 0.0
    fastest = float(np.linalg.norm(residual, axis=1) @ np.linalg.norm(x, axis=1)) / len(x)
    top = float(Modes.of(on[living], np.zeros_like(on[living]), pull).s[:, 0].max())
    rate = 2 * min(fastest, 2 * top)
    return left / rate if rate > 0 else np.inf


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

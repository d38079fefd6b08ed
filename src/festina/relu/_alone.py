"""Growth of units alone: small ReLU units in a residual that does not change, in closed form between gate changes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

REACH = 2.0
"""Longest stretch that is looked at at once, in units of a unit's shortest growth time; nothing overflows in it."""

SAMPLES = 8
"""Points of a stretch at which gates are compared with signs. Two changes of one gate within an eighth of a stretch go
unseen; the unit hardly moves between them."""

ROOT = 60
"""Most steps of the root search; it ends by itself when a time is known to rounding."""

ROUNDING = 1e-12
"""Activity that is 0 up to rounding, relative to ‖w‖‖x‖."""

ORIGIN = 1e-8
"""Length of w, relative to a, below which a unit passes straight through w = 0, where all its gates change."""

PASSES = 5
"""A unit that has come back to w = 0 more often than this rests there: from all sides it is driven back."""

STUCK, SHORT = 30, 1e-3
"""Gate changes of a unit within the time SHORT (in units of its shortest growth time) after which it takes one step of
that length with its present gates. Several points that hold it at once may send it back and forth."""

PARALLEL = 1e-12
"""Sine of an angle below which two data points are parallel."""


@dataclass(frozen=True, eq=False)
class Pull:
    """The data as a single unit feels them: no two points are parallel, so that no two gates change at once.

    Points along one direction share a gate: x_i = c_i d act like one point d with Σ c_i r_i. A point −c d with r acts
    like c r at d and a part that is always on, for max(−h, 0) = max(h, 0) − h.

    Attributes:
        x: (points, inputs), directions.
        r: (points, outputs), residuals divided by the number of data points.
        always: (outputs, inputs), the part of R that no gate shuts.
    """

    x: np.ndarray
    r: np.ndarray
    always: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, residual: np.ndarray) -> "Pull":
        """Join parallel points; those at 0 are left out."""
        lengths = np.linalg.norm(x, axis=1)
        points = np.flatnonzero(lengths > 0)
        direction, pulls = x[points] / lengths[points, None], residual[points] * lengths[points, None] / len(x)
        cosine = direction @ direction.T
        apart = np.abs(cosine) < 1 - PARALLEL
        first = np.array([np.flatnonzero(~row)[0] for row in apart], int)
        kept = np.unique(first)
        same = cosine[np.arange(len(points)), first] > 0
        r = np.zeros((len(points), residual.shape[1]))
        np.add.at(r, first, pulls)
        always = -(pulls[~same].T @ direction[first[~same]])
        return cls(direction[kept], r[kept], always)


@dataclass(frozen=True, eq=False)
class Modes:
    """Shared by units with the same gates: the singular vectors of R = ⟨g r xᵀ⟩, one row per unit.

    Shapes are ``left`` (k, outputs), ``s`` (k,) and ``right`` (k, inputs). ``seen`` (points, k) are x·right.
    ``project`` (inputs, inputs) removes the inputs on whose boundary the unit is held. ``multiplier`` (points, outputs)
    gives from ``a`` the active part of a held point's pull, for the units in ``on_boundary`` only.
    """

    left: np.ndarray
    s: np.ndarray
    right: np.ndarray
    seen: np.ndarray
    project: np.ndarray
    on_boundary: np.ndarray
    multiplier: np.ndarray

    @classmethod
    def of(cls, on: np.ndarray, held: np.ndarray, pull: Pull) -> "Modes":
        """For units with these gates: each distinct pattern is decomposed once."""
        packed = np.packbits(np.hstack([on, held]), axis=1)
        _, first, which = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        which = which.ravel()
        on, held = on[first], held[first]
        x, inputs = pull.x, pull.x.shape[1]
        cross = pull.always + np.einsum("gn,no,ni->goi", on, pull.r, x, optimize=True)
        project = np.broadcast_to(np.eye(inputs), (len(first), inputs, inputs)).copy()
        bound = np.flatnonzero(held.any(axis=1))
        multiplier = np.zeros((len(bound), *pull.r.shape))
        for k, g in enumerate(bound):
            inverse = np.linalg.pinv(x[held[g]].T)
            project[g] -= x[held[g]].T @ inverse
            multiplier[k, held[g]] = -inverse @ cross[g].T
        left, s, right = singular_vectors(cross @ project)
        seen = x @ right.swapaxes(1, 2)
        units = np.flatnonzero(np.isin(which, bound))
        acting = multiplier[np.searchsorted(bound, which[units])]
        return cls(left[which], s[which], right[which], seen[which], project[which], units, acting)

    def some(self, units: np.ndarray) -> "Modes":
        """Those of some units, in rising order."""
        place, here = np.searchsorted(units, self.on_boundary), np.isin(self.on_boundary, units)
        return Modes(
            self.left[units], self.s[units], self.right[units], self.seen[units], self.project[units], place[here],
            self.multiplier[here],
        )  # fmt: skip


def singular_vectors(cross: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Singular vectors in rows (left, right) and values of many matrices, from the smaller of their Gram matrices.

    Values lost in its rounding, below 1e-8 of the first, belong to modes that do not move. Only the products s·left and
    s·right depend on their vectors, and these are correct.
    """
    turned = cross.shape[1] < cross.shape[2]
    matrix = cross.swapaxes(1, 2) if turned else cross
    power, basis = np.linalg.eigh(matrix.swapaxes(1, 2) @ matrix)
    s = np.sqrt(np.maximum(power[:, ::-1], 0.0))
    near = basis[:, :, ::-1].swapaxes(1, 2)
    safe = s > ROUNDING * np.maximum(s[:, :1], np.finfo(float).tiny)
    s = np.where(safe, s, 0.0)
    far = np.where(safe[:, :, None], near @ matrix.swapaxes(1, 2) / np.where(safe, s, 1.0)[:, :, None], 0.0)
    return (near, s, far) if turned else (far, s, near)


@dataclass(frozen=True, eq=False)
class Stretch:
    """Units with their gates, and where they are some time later while these gates stay."""

    modes: Modes
    w: np.ndarray
    a: np.ndarray
    on: np.ndarray
    held: np.ndarray
    pull: Pull

    @cached_property
    def p(self) -> np.ndarray:
        """Weights along the right singular vectors."""
        return (self.modes.right @ self.w[:, :, None])[:, :, 0]

    @cached_property
    def q(self) -> np.ndarray:
        """Output weights along the left singular vectors."""
        return (self.modes.left @ self.a[:, :, None])[:, :, 0]

    @property
    def drift(self) -> np.ndarray:
        """dw/dt."""
        return ((self.modes.s * self.q)[:, None, :] @ self.modes.right)[:, 0]

    def some(self, units: np.ndarray) -> "Stretch":
        """Some of the units."""
        modes = self.modes.some(units)
        return Stretch(modes, self.w[units], self.a[units], self.on[units], self.held[units], self.pull)

    def margins(self, time: np.ndarray) -> np.ndarray:
        """(units, times, points): how far each gate is from changing at each unit's times; below 0 it has changed.

        An activity with the sign of the gate. For a unit held on a boundary, the active part f of the point's pull and
        1 − f, times the pull.
        """
        grow = self.modes.s[:, None, :] * time[:, :, None]
        cosh, sinh = np.cosh(grow) - 1, np.sinh(grow)
        p, q = self.p[:, None, :], self.q[:, None, :]
        activity = (self.w @ self.pull.x.T)[:, None, :] + (p * cosh + q * sinh) @ self.modes.seen.swapaxes(1, 2)
        found = np.where(self.on[:, None, :], activity, -activity)
        some = self.modes.on_boundary
        if len(some):
            out = self.a[some, None, :] + (p * sinh + q * cosh)[some] @ self.modes.left[some]
            acts = out @ self.modes.multiplier.swapaxes(1, 2)
            whole = out @ self.pull.r.T
            found[some] = np.where(self.held[some, None, :], np.minimum(-acts, acts - whole), found[some])
        return found

    def at(self, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Weights of each unit at its time."""
        grow = self.modes.s * time[:, None]
        cosh, sinh = np.cosh(grow) - 1, np.sinh(grow)
        w = self.w + ((self.p * cosh + self.q * sinh)[:, None, :] @ self.modes.right)[:, 0]
        a = self.a + ((self.p * sinh + self.q * cosh)[:, None, :] @ self.modes.left)[:, 0]
        return w, a

    def first_change(self, span: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Time of each unit's first gate change within ``span``, and its point; the span and −1 if there is none."""
        grid = span[:, None] * np.linspace(0, 1, SAMPLES + 1)
        broken = np.asarray(self.margins(grid) < -least[:, None, :])
        any_point = np.any(broken, axis=2)
        units = np.flatnonzero(np.any(any_point, axis=1))
        time, point = span.copy(), np.full(len(span), -1)
        if not len(units):
            return time, point
        after = any_point[units].argmax(axis=1)
        some, candidates = self.some(units), broken[units, after]

        def margin(at: np.ndarray) -> np.ndarray:
            return np.where(candidates, some.margins(at[:, None])[:, 0], np.inf)

        low, high = grid[units, np.maximum(after - 1, 0)], grid[units, after]
        below, above = margin(low).min(axis=1), margin(high).min(axis=1)
        for count in range(ROOT):
            # the false position of Illinois; every third step halves, so that a flat end does not hold it up
            guess = (low * above - high * below) / np.where(above == below, 1.0, above - below)
            guess = np.where((count % 3 == 2) | (guess <= low) | (guess >= high), (low + high) / 2, guess)
            value = margin(guess).min(axis=1)
            past = value < 0
            above, below = np.where(past, value, above / 2), np.where(past, below / 2, value)
            low, high = np.where(past, low, guess), np.where(past, guess, high)
            if np.all(high - low <= ROUNDING * span[units]):
                break
        time[units], point[units] = high, margin(high).argmin(axis=1)
        return time, point

    def turned(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gates after a change at each unit's ``point``: on, off, or held on the boundary if both sides push back."""
        on, held, rows = self.on.copy(), self.held.copy(), np.arange(len(point))
        x = self.pull.x[point]
        pull = np.einsum("uo,uo->u", self.a, self.pull.r[point])
        drift = self.drift
        along, own = np.einsum("ui,ui->u", x, drift), np.einsum("ui,uij,uj->u", x, self.modes.project, x) * pull
        was_held, was_on = held[rows, point], on[rows, point]
        acts, some = np.zeros(len(point)), self.modes.on_boundary
        acts[some] = np.einsum("uo,uo->u", self.modes.multiplier[np.arange(len(some)), point[some]], self.a[some])
        opens = np.where(was_held, -acts > acts - pull, ~was_on & (along + own > 0))
        closes = np.where(was_held, ~opens, was_on & (along - own < 0))
        on[rows, point], held[rows, point] = opens, ~opens & ~closes
        return on, held


def grow_alone(
    w: np.ndarray, a: np.ndarray, x: np.ndarray, residual: np.ndarray, time: float
) -> tuple[np.ndarray, np.ndarray, int]:
    """Units in a constant residual r: du/dt = [[0, Rᵀ], [R, 0]] u for u = [w; a], R = ⟨g r xᵀ⟩, g = 1 where w·x > 0.

    Between gate changes it is solved by the singular vectors of R; the time at which a gate changes is a root of a sum
    of exponentials. A point may drive the unit off while it is on there, and the other points on while it is off. The
    unit is then held on the boundary w·x = 0 (the sliding solution of Filippov), and R acts within it.

    Args:
        w, a: (units, inputs) and (units, outputs) at time 0.
        x, residual: (points, inputs) and (points, outputs).
        time: how long.

    Returns:
        ``w`` and ``a`` at that time, and how many gates have changed.
    """
    # a unit's course does not depend on its size, and squares of small weights would be lost; powers of two are exact
    size = np.abs(np.hstack([w, a])).max(axis=1, initial=0.0)[:, None]
    size = np.exp2(np.floor(np.log2(np.where(size > 0, size, 1.0))))
    w, a = w / size, a / size
    left, changes = np.full(len(w), float(time)), 0
    pull = Pull.of(x, residual)
    on = w @ pull.x.T > 0
    held, since = np.zeros_like(on), np.zeros(len(w))
    stuck, passes = np.zeros(len(w), int), np.zeros(len(w), int)
    active = np.flatnonzero(np.any(w, axis=1) & (left > 0)) if len(pull.x) else np.zeros(0, int)
    while len(active):
        modes = Modes.of(on[active], held[active], pull)
        part = Stretch(modes, w[active], a[active], on[active], held[active], pull)
        top = modes.s[:, 0]
        span = np.minimum(left[active], REACH / np.maximum(top, np.finfo(float).tiny))
        length = np.sqrt((part.w**2).sum(axis=1) + (part.a**2).sum(axis=1))
        least = ROUNDING * length[:, None] * np.where(part.held, top[:, None], 1.0)
        slow = SHORT / np.maximum(top, np.finfo(float).tiny)
        tired = stuck[active] > STUCK
        least[tired] = np.inf
        step, point = part.first_change(np.where(tired, np.minimum(span, slow), span), least)
        w[active], a[active] = part.at(step)
        since[active] += step
        rested = tired | (since[active] > slow)
        stuck[active] = np.where(rested, 0, stuck[active] + (point >= 0))
        since[active] = np.where(rested, 0.0, since[active])
        free = active[tired]
        on[free], held[free] = w[free] @ pull.x.T > 0, False
        left[active] -= step
        met = np.flatnonzero(point >= 0)
        if len(met):
            here = active[met]
            later = Stretch(modes.some(met), w[here], a[here], on[here], held[here], pull)
            on[here], held[here] = later.turned(point[met])
            changes += len(met)
            length, away = np.linalg.norm(a[here], axis=1), later.drift
            speed = np.linalg.norm(away, axis=1)
            through = (np.linalg.norm(w[here], axis=1) < ORIGIN * length) & (speed > 0)
            if through.any():
                crossing = here[through]
                w[crossing] = (ORIGIN * length / np.maximum(speed, np.finfo(float).tiny))[through, None] * away[through]
                on[crossing], held[crossing] = w[crossing] @ pull.x.T > 0, False
                passes[crossing] += 1
                resting = crossing[passes[crossing] > PASSES]
                w[resting], left[resting] = 0.0, 0.0
            for unit in here[held[here].any(axis=1)]:
                rows = pull.x[held[unit]]
                w[unit] -= rows.T @ np.linalg.lstsq(rows.T, w[unit], rcond=None)[0]
        active = active[left[active] > 0]
    return w * size, a * size, changes

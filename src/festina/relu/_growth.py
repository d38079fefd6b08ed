"""Units that lie dormant, grow and become active: alternating gradient flows of a layer of ReLU units."""

from dataclasses import dataclass, field

import numpy as np

from festina.relu._climb import fastest, velocity

TURN = 0.1
"""Step of dormant units, in units of the shortest time in which they can turn: their gates then change one by one."""

LEARN = 0.1
"""Step of active units, in units of the inverse curvature they feel: a twentieth of where gradient descent diverges."""

MOST = 2000
"""Steps of active units within one step of dormant ones, where the residual is small and dormant ones hardly move."""

SAME = 0.02
"""Activity, as a share of a unit's largest, up to which it counts as off when units are grouped by their gates."""

FOLLOW = 1e-2
"""Units of a group join it when their size is above this share of its largest; smaller ones remain dormant."""

EARLY = 0.1
"""Share of the map it can use at which a group becomes active; below it, it hardly changes the residual."""

NOISE = 1e-13
"""Modes of a group below this share of the first are rounding error."""


@dataclass
class Growth:
    """Dormant units as directions with a logarithmic size, active ones as they are, and the residual of the latter.

    Dormant units do not change the residual (they are small) and do not meet each other: each climbs by itself.
    ``home`` is the active unit whose gate a unit uses; −1, or its own number, is its own gate.
    """

    x: np.ndarray
    y: np.ndarray
    gain: float
    shared: bool
    rng: np.random.Generator
    w: np.ndarray
    a: np.ndarray
    size: np.ndarray
    home: np.ndarray
    time: float = 0.0
    active_w: np.ndarray = field(init=False)
    active_a: np.ndarray = field(init=False)
    active_home: np.ndarray = field(init=False)
    born: list[float] = field(default_factory=list)
    rate: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    contributions: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.active_w, self.active_a = np.zeros((0, self.x.shape[1])), np.zeros((0, self.y.shape[1]))
        self.active_home = np.zeros(0, int)
        self.residual = self.y.copy()
        self.power = self.loss
        self.curvature = float(np.linalg.eigvalsh(self.x.T @ self.x / len(self.x))[-1])
        self.record()

    @property
    def loss(self) -> float:
        """Of the active units."""
        return float(np.sum(self.residual**2)) / (2 * len(self.x))

    def gates(self) -> np.ndarray:
        """Of the active units."""
        return (self.active_w @ self.x.T > 0)[self.active_home]

    def activity(self) -> np.ndarray:
        """Of the active units: (units, points)."""
        return np.where(self.gates(), self.active_w @ self.x.T, 0.0)

    def record(self) -> None:
        """Time, loss, and what each active unit contributes: ‖a‖‖activity‖."""
        self.times.append(self.time)
        self.losses.append(self.loss)
        self.contributions.append(np.linalg.norm(self.activity(), axis=1) * np.linalg.norm(self.active_a, axis=1))

    def open(self, w: np.ndarray) -> np.ndarray:
        """Gates of dormant units with these weights."""
        on = w @ self.x.T > 0
        at_home = self.home >= 0
        if at_home.any():
            on[at_home] = self.gates()[self.home[at_home]]
        return on

    def advance(self, until: float) -> None:
        """One step of the dormant units, many of the active ones, and whoever has become active."""
        span = min(TURN / fastest(self.x, self.residual), until - self.time)
        felt = self.residual
        if len(self.active_w):
            largest = max(1.0, float((self.active_w**2).sum(1).max()), float((self.active_a**2).sum(1).max()))
            short = LEARN / (self.curvature * largest)
            count = int(np.clip(np.ceil(span / short), 1, MOST))
            span = min(span, count * short)
            felt = self.learn(span / count, count)
        self.climb(span, felt)
        self.time += span
        self.wake()
        self.record()

    def learn(self, step: float, count: int) -> np.ndarray:
        """Active units descend the loss; the mean residual on the way, which is what linear equations need of it."""
        x, y, w, a, home = self.x, self.y, self.active_w, self.active_a, self.active_home
        mean, scale = np.zeros_like(y), step / len(x)
        # velocity() written out: gates and activity serve twice, and this is where the time goes
        for _ in range(count):
            before = w @ x.T
            on = (before > 0)[home]
            hidden = np.where(on, before, 0.0)
            residual = y - hidden.T @ a
            mean += residual / count
            w, a = w + scale * ((on * (a @ residual.T)) @ x), a + scale * (hidden @ residual)
        self.active_w, self.active_a = w, a
        self.residual = y - self.activity().T @ a
        return mean

    def climb(self, span: float, felt: np.ndarray) -> None:
        """Dormant units by the midpoint rule; their length goes into their size."""
        dw, da = velocity(self.w, self.a, self.open(self.w), self.x, felt)
        w, a = self.w + span / 2 * dw, self.a + span / 2 * da
        dw, da = velocity(w, a, self.open(w), self.x, felt)
        self.w, self.a = self.w + span * dw, self.a + span * da
        length = np.maximum(np.sqrt((self.w**2).sum(1) + (self.a**2).sum(1)), np.finfo(float).tiny)
        self.w, self.a, self.size = self.w / length[:, None], self.a / length[:, None], self.size + np.log(length)

    def wake(self) -> None:
        """Groups of dormant units with the same gates become active when they begin to matter.

        The map f of a group lowers the loss most when it has grown by μ = ⟨f, r⟩/⟨f, f⟩. It becomes active when it is
        a tenth of that: until then what it takes from the residual, and so the error made by leaving it out, is less
        than a tenth of what it will take.
        """
        on, own = self.open(self.w), self.home < 0
        hidden = np.where(on, self.w @ self.x.T, 0.0)
        strength = np.linalg.norm(self.a, axis=1) * np.linalg.norm(hidden, axis=1)
        level = np.log(np.maximum(strength, np.finfo(float).tiny)) + 2 * self.size
        # both conditions below need ‖f‖ ≥ EARLY √(2N gain power), and ‖f‖ is at most the sum of the strengths
        least = np.log(EARLY * np.sqrt(2 * len(self.x) * self.gain * self.power) / max(len(level), 1))
        strong = np.flatnonzero(level > least)
        if not len(strong):
            return
        on[own] = hidden[own] > SAME * hidden[own].max(axis=1, keepdims=True)
        groups: dict[tuple[bytes, int], list[int]] = {}
        for unit in strong:
            groups.setdefault((on[unit].tobytes(), int(self.home[unit])), []).append(int(unit))
        gone = np.zeros(len(self.w), bool)
        left: list[tuple[np.ndarray, float, int]] = []
        for (_, home), members in groups.items():
            units = np.array(members)
            grown = np.exp(self.size[units])[:, None]
            f = (grown * hidden[units]).T @ (grown * self.a[units])
            along, length = float(np.sum(f * self.residual)), float(np.sum(f * f))
            could_gain = along**2 / (2 * len(self.x) * max(length, np.finfo(float).tiny))
            if not 0 < EARLY * along <= length or could_gain < self.gain * self.power:
                continue
            units = units[level[units] > level[units].max() + np.log(FOLLOW)]
            gone[units] = True
            left += self.activate(units, on[units[0]], home)
        if gone.any():
            self.w, self.a, self.size, self.home = self.w[~gone], self.a[~gone], self.size[~gone], self.home[~gone]
            for direction, size, home in left:
                self.w = np.vstack([self.w, direction[: self.x.shape[1]]])
                self.a = np.vstack([self.a, direction[self.x.shape[1] :]])
                self.size, self.home = np.append(self.size, size), np.append(self.home, home)
            self.residual = self.y - self.activity().T @ self.active_a

    def activate(self, units: np.ndarray, on: np.ndarray, home: int) -> list[tuple[np.ndarray, float, int]]:
        """Make a group active; returns what of it remains dormant: (direction, logarithmic size, home).

        Units with the same gates are linear among themselves and may be rotated into each other. Their modes are the
        singular vectors of their weights, the first the direction they share. With shared gates the first becomes
        active and the others grow behind its gate. Else as many units become active as there are modes (at most in +
        out), each with an equal part of the first, so that it keeps its gates until another mode outgrows that part.
        """
        inputs, outputs = self.x.shape[1], self.y.shape[1]
        grown = np.exp(self.size[units])[:, None]
        left, s, modes = np.linalg.svd(grown * np.hstack([self.w[units], self.a[units]]), full_matrices=False)
        if home < 0 and left[:, 0].sum() < 0:
            modes[0] = -modes[0]
        width = 1 if self.shared else int(np.sum(s > NOISE * s[0]))
        turn = np.ones((width, 1)) / np.sqrt(width)
        if width > 1:
            turn = np.linalg.qr(np.hstack([turn, self.rng.standard_normal((width, width - 1))]))[0]
            turn *= np.sign(turn[0, 0])
        new = turn @ (s[:width, None] * modes[:width])
        first = modes[0]
        dw, da = velocity(first[None, :inputs], first[None, inputs:], on[None], self.x, self.residual)
        number = len(self.active_w)
        self.active_w = np.vstack([self.active_w, new[:, :inputs]])
        self.active_a = np.vstack([self.active_a, new[:, inputs:]])
        own = np.arange(number, number + width)
        self.active_home = np.concatenate([self.active_home, own if home < 0 else [home]]).astype(int)
        self.born += [self.time] * width
        self.rate += [float(np.append(dw, da) @ first)] * width
        if not self.shared or outputs == 1:
            return []
        place = int(self.active_home[-1])
        return [(modes[k], float(np.log(s[k])), place) for k in range(1, len(s)) if s[k] > NOISE * s[0]]

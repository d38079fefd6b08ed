"""Stationary points of the expected dynamics, one family per set of active pathways: the hierarchy of saddles."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np
import scipy

from festina.behaviour import _expected
from festina.behaviour._decider import Decider
from festina.behaviour._psychometric import logits, shape
from festina.behaviour._task import PATHWAYS, DecisionTask
from festina.checks import check

ZERO = 1e-12
"""Largest expected update at a stationary point, per unit of trials × rate and per input on trials in which the action
is chosen; solutions come out near 1e-15."""

SAME = 1e-7
"""Maps closer than this are one solution, found from two starts."""

FLAT = 1e-9
"""Real parts of eigenvalues, per unit of trials × rate, up to which a direction counts as neutral: rounding of a
9 × 9 matrix."""

LINE = 1e7
"""Condition number of the slopes above which solutions form a line; rounding alone leaves 1e12 there."""

STARTS = (0.3, 0.9, 1.5)
"""Starts of the search for maps, in units of the value 1 of a sure reward; every combination is tried."""


@dataclass(frozen=True, eq=False)
class StationaryPoint:
    """A stationary point of the expected dynamics.

    Only the map q = W diag(w) of an active pathway is determined: w and W may be rescaled against one another, which
    changes neither behaviour nor escape rates. ``weights`` is the balanced representative, ‖W[:, i]‖ = w_i.

    Attributes:
        pathways: the active ones.
        map: q, (actions, pathways).
        weights: tutor (3,) and executor (2, 3).
        loss: ½⟨δ_tot²⟩.
        accuracy: expected reward per trial.
        shape: bias, left slope and right slope of its psychometric curve.
        rates: per pathway that is not active, the rate at which it grows once it is touched, 0 if not; per unit of
            trials × rate (times the learning rate: per trial).
        growth: largest growth rate of any admissible small change, in the same unit: 0 where the point is stable.
        eigenvalues: the eigenvalues of the Jacobian of the expected update before clipping; empty if the weights
            move.
        moving_weights: the map rests but the weights do not: the executor grows and the tutor shrinks for ever.
        number: counts the points with the same pathways, from 1, by loss.

    Example:
        >>> import festina as fs
        >>> network = fs.behaviour.TutorExecutor(rule="gradient")
        >>> points = network.stationary_points(fs.behaviour.DecisionTask())
        >>> points[-1].name, round(points[-1].accuracy, 2), points[-1].saddle
        ('left + right + constant', 0.91, False)
    """

    pathways: tuple[str, ...]
    map: np.ndarray
    weights: tuple[np.ndarray, np.ndarray]
    loss: float
    accuracy: float
    shape: np.ndarray
    rates: dict[str, float]
    growth: float
    eigenvalues: np.ndarray = field(repr=False)
    moving_weights: bool = False
    number: int = 1

    @property
    def name(self) -> str:
        """The active pathways in words, with a number if several points have the same ones."""
        return (" + ".join(self.pathways) or "none") + (f" ({self.number})" if self.number > 1 else "")

    @property
    def saddle(self) -> bool:
        """Whether small admissible changes grow."""
        return self.growth > 0


def stationary_points(network: Decider, task: DecisionTask, *, moving_weights: bool) -> tuple[StationaryPoint, ...]:
    """All stationary points; ``moving_weights`` adds the maps that rest while the weights do not."""
    found = []
    for count in range(4):
        group = []
        for active in combinations(range(3), count):
            moving = network.rule == "partial" and network.learns_tutor and 2 in active and count > 1
            if moving and not moving_weights:
                continue
            maps = [q for q in _maps(network, task, active, moving) if _admissible(network, task, active, q)]
            maps.sort(key=lambda q: float(_expected.loss(network, task, q)))
            group += [_point(network, task, active, q, moving, number) for number, q in enumerate(maps, start=1)]
        # losses of mirror images differ by rounding, which must not decide their order
        found += sorted(group, key=lambda point: (round(point.loss, 9), point.pathways))
    return tuple(found)


def _entries(task: DecisionTask, active: Sequence[int]) -> list[tuple[int, int]]:
    """The (action, pathway) entries of the map that are not zero: the rewarded action of a stimulus, both of 1."""
    return [(1 - i if task.opposite else i, i) for i in active if i < 2] + [(a, 2) for a in range(2) if 2 in active]


def _maps(network: Decider, task: DecisionTask, active: Sequence[int], moving: bool) -> list[np.ndarray]:
    """Positive solutions for the active entries, from every combination of starts."""
    entries = _entries(task, active)
    if not entries:
        return [np.zeros((2, 3))]

    def residual(values: np.ndarray) -> np.ndarray:
        q = _fill(entries, values)
        if moving:
            return _moving_residual(network, task, q, [i for i in active if i < 2])
        e = _expected.drives(network, task, q)[1]
        return np.array([e[entry] for entry in entries])

    scale = np.array([1 / task.span[i] if i < 2 else 0.5 for _, i in entries])
    found: list[np.ndarray] = []
    for start in product(STARTS, repeat=len(entries)):
        solved = scipy.optimize.root(residual, scale * start, tol=1e-15)
        q = _fill(entries, solved.x)
        # an error counts by how often its action is chosen: one that is never chosen is never corrected
        often = _expected.exposure(network, task, q)[tuple(np.transpose(entries))]
        if moving:
            often[-2:] = often[-2:].min()
        if np.any(np.abs(residual(solved.x)) > ZERO * often) or np.any(often <= 0) or np.any(solved.x <= SAME):
            continue
        # an action that is chosen at one contrast only leaves a line of solutions
        alone = np.linalg.cond(_expected.differentiate(residual, solved.x) * scale / often[:, None]) < LINE
        if not (_attracts(network, task, q, active) if moving else alone):
            continue
        if all(np.max(np.abs(q - other)) > SAME for other in found):
            found.append(q)
    return found


def _fill(entries: list[tuple[int, int]], values: np.ndarray) -> np.ndarray:
    q = np.zeros((2, 3), dtype=values.dtype)
    q[tuple(np.transpose(entries))] = values
    return q


def _admissible(network: Decider, task: DecisionTask, active: Sequence[int], q: np.ndarray) -> bool:
    """Whether weights held at zero are pushed there: without depth this fails for a pathway that is not active."""
    w, W = _balanced(network, active, q)
    moved, taught = _expected.velocity(network, task, w, W)
    return bool(np.all(moved[w <= 0] <= ZERO) and np.all(taught[W <= 0] <= ZERO))


def _balanced(network: Decider, active: Sequence[int], q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if not network.learns_tutor:
        return np.ones(3), q
    w = np.linalg.norm(q, axis=0) ** 0.5
    on = np.isin(np.arange(3), active)
    return w, np.where(on, q / np.where(on, w, 1.0), 0.0)


def _point(
    network: Decider, task: DecisionTask, active: Sequence[int], q: np.ndarray, moving: bool, number: int
) -> StationaryPoint:
    w, W = _balanced(network, active, q)
    c, e = _expected.drives(network, task, q)
    rates = {}
    if network.learns_tutor:
        squares = np.sum(np.where(e > 0, c * e, 0), axis=0)
        rates = {PATHWAYS[i]: float(max(squares[i], 0) ** 0.5) for i in range(3) if i not in active}
    matrix = _expected.jacobian(network, task, w, W)
    # the weights that learn, and their expected updates, in the order of the matrix
    flat, push = (
        np.concatenate([tutor, executor.ravel()])[9 - len(matrix) :]
        for tutor, executor in ((w, W), _expected.velocity(network, task, w, W))
    )
    free = (flat > 0) | (np.abs(push) <= ZERO)
    on = np.tile(np.isin(np.arange(3), active), len(flat) // 3)
    within = np.max(np.linalg.eigvals(matrix[np.ix_(free & on, free & on)]).real, initial=0.0)
    growth = max([within if within > FLAT and not moving else 0.0, *rates.values()])
    return StationaryPoint(
        pathways=tuple(PATHWAYS[i] for i in active),
        map=q,
        weights=(w, W),
        loss=float(_expected.loss(network, task, q)),
        accuracy=float(_expected.accuracy(network, task, q)),
        shape=shape(logits(q, network.beta), task.span),
        rates=rates,
        growth=float(growth),
        eigenvalues=np.array([]) if moving else np.linalg.eigvals(matrix),
        moving_weights=moving,
        number=number,
    )


def _moving_residual(network: Decider, task: DecisionTask, q: np.ndarray, stimuli: Sequence[int]) -> np.ndarray:
    """Zero where the tutor's drive vanishes, and the executor's for the constant is parallel to its weights.

    If the constant and a stimulus pathway are both active, the executor's three partial errors cannot vanish together
    with the tutor's. The executor weights W grow and the tutor weights w shrink, ever more slowly (W² ∝ time). The map
    q = W diag(w) stays fixed: the faster tutor keeps its own error at zero, and the executor grows without turning.
    """
    c, e = _expected.drives(network, task, q)
    return np.array([*(c[i, i] for i in stimuli), c[:, 2] @ q[:, 2], e[0, 2] * q[1, 2] - e[1, 2] * q[0, 2]])


def _attracts(network: Decider, task: DecisionTask, q: np.ndarray, active: Sequence[int]) -> bool:
    """Whether networks with these active pathways come to rest at the map ``q``.

    With executor directions v_i (unit columns), norms S_i and z_i = S_i w_i, the fast variables obey dz_i/dt = S_i² Σ_a
    c[a, i] v[a, i], where S_i² → 2t·Σ_a e[a, i] q[a, i]. The slow variable is the angle of the constant's direction;
    the part of e perpendicular to v turns it.
    """
    size, on = np.linalg.norm(q, axis=0), list(active)

    def drive(at: np.ndarray) -> np.ndarray:
        """Drives of z and of the angle, from all z and the angle."""
        direction = np.eye(2, 3, dtype=at.dtype)
        direction[:, 2] = np.cos(at[3]), np.sin(at[3])
        c, e = _expected.drives(network, task, direction * at[:3])
        across = e[1, 2] * direction[0, 2] - e[0, 2] * direction[1, 2]
        return np.append(np.sum(c * direction, axis=0)[on], across)

    growth = np.sum(_expected.drives(network, task, q)[1] * q, axis=0)[on]
    slope = _expected.differentiate(drive, np.append(size, np.arctan2(q[1, 2], q[0, 2])))[:, [*on, 3]]
    fast = slope[:-1, :-1]
    if np.any(growth <= 0) or np.any(np.linalg.eigvals(growth[:, None] * fast).real > -FLAT):
        return False
    return bool(slope[-1, -1] < slope[-1, :-1] @ np.linalg.solve(fast, slope[:-1, -1]))


def check_points(points: object) -> tuple[StationaryPoint, ...]:
    """The argument ``points`` as stationary points, at least one."""
    found = check.listing("points", points, "stationary points")
    if not found:
        raise ValueError("points is empty; give those of network.stationary_points(task).")
    for point in found:
        check.instance("points", point, StationaryPoint, "those of network.stationary_points(task)")
    return found

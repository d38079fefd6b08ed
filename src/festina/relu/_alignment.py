"""Early alignment: how units with small weights climb, and the directions they end in."""

from dataclasses import dataclass

import numpy as np

from festina.checks import check
from festina.core.task import Task, check_task

STEPS = (0.3, 0.1, 0.03)
"""Successive steps of the climb, in units of the shortest time in which a unit can turn. The last ones are short,
because a unit that is held on a boundary jumps about it by a step."""

PATIENCE = 500
"""Steps of each length; a direction that has not settled then is not certified and not given."""

NEAR = (0.0, 1e-3, 1e-2, 3e-2, 0.1)
"""Cosines below which a point is taken to lie on a unit's boundary, tried in turn; the certificate decides."""

ROUNDING = 1e-9
"""Largest value that counts as zero, relative to the quantities it is computed from."""


def fastest(x: np.ndarray, residual: np.ndarray) -> float:
    """⟨‖r‖‖x‖⟩, which no unit's growth rate and no turn exceeds."""
    return float(np.linalg.norm(residual, axis=1) @ np.linalg.norm(x, axis=1)) / len(x)


@dataclass(frozen=True, eq=False)
class Attractor:
    """A direction that units with small weights turn to, and how fast they grow there.

    Attributes:
        pattern: True at the data points where it is on.
        w, v: unit vectors, its input and output direction.
        rate: d ln‖w‖/dt.
        boundary: True at the data points at which its activity is held at 0.
        gap: by how much the rate exceeds that of the next direction with the same gates.
        share: the part of random starts that ends here.
    """

    pattern: np.ndarray
    w: np.ndarray
    v: np.ndarray
    rate: float
    boundary: np.ndarray
    gap: float
    share: float


MAX_STARTS = 100_000
"""Random directions to climb from: attractors of smaller basins than one in this many are of no consequence."""


def attractors(task: Task, *, starts: int = 512, seed: int = 0) -> tuple[Attractor, ...]:
    """Directions that units with small random weights align with on a task, fastest first: the local maxima of

        G(w, v) = ⟨σ(w·x) (v·y)⟩  on ‖w‖ = ‖v‖ = 1.

    A unit's two layers grow in step, ‖w‖ = ‖a‖ = ρ, with d ln ρ/dt = G, while its directions climb G. With gates g they
    are the top singular vectors of Σyx(g) = ⟨g y xᵀ⟩ and the rate is its top singular value. A maximum may lie where
    w·x_i = 0: then μ_i in ⟨g (v·y) x⟩ = G w + Σ_i μ_i x_i satisfies 0 ≤ μ_i ≤ −v·y_i/N. Every attractor given has been
    checked against these conditions; directions that many starts have not found may be missing.

    Args:
        task: what is learned.
        starts: random directions to climb from.
        seed: draws them.

    Raises:
        ValueError: a number of starts that is not a whole number ≥ 1.

    Example:
        >>> import festina as fs
        >>> [found.pattern.astype(int).tolist() for found in fs.relu.attractors(fs.tasks.extended_xor(2.0))]
        [[1, 0, 0, 1], [0, 1, 1, 0]]

    Source: maennel2018; boursier2025 (early alignment); theory of the balanced unit.
    """
    check_task(task)
    starts, rng = check.whole("starts", starts, most=MAX_STARTS), np.random.default_rng(check.seed("seed", seed))
    x, y = task.x, np.asarray(task.loss.residual(np.zeros_like(task.y), task.y))
    bound = fastest(x, y)
    if not bound:
        return ()
    w, a = rng.standard_normal((starts, x.shape[1])), rng.standard_normal((starts, y.shape[1]))
    w, a = _unit(w), _unit(a)
    for step in STEPS:
        scale = step / (bound * len(x))
        # dw/dt = ⟨g (a·r) x⟩, da/dt = ⟨g (w·x) r⟩ for all units, and _unit() written out: this is where the time goes
        for _ in range(PATIENCE):
            before = w @ x.T
            on = before > 0
            w, a = w + scale * ((on * (a @ y.T)) @ x), a + scale * (np.where(on, before, 0.0) @ y)
            w /= np.sqrt((w * w).sum(axis=1, keepdims=True))
            a /= np.sqrt((a * a).sum(axis=1, keepdims=True))
    lengths = np.linalg.norm(x, axis=1)
    found: dict[bytes, list[Attractor]] = {}
    for direction, output in zip(w, a, strict=True):
        cosine = direction @ x.T / np.where(lengths > 0, lengths, 1.0)
        for near in NEAR:
            held = (np.abs(cosine) <= near) & (lengths > 0)
            sharp = certify(x, y, (cosine > 0) & ~held, held, direction, output)
            if sharp is not None:
                found.setdefault(sharp.pattern.tobytes() + sharp.boundary.tobytes(), []).append(sharp)
                break
    kept = []
    for group in found.values():
        first = group[0]
        kept.append(
            Attractor(first.pattern, first.w, first.v, first.rate, first.boundary, first.gap, len(group) / starts)
        )
    return tuple(sorted(kept, key=lambda found: (-found.rate, *(~found.pattern).tolist())))


def certify(
    x: np.ndarray, y: np.ndarray, on: np.ndarray, held: np.ndarray, w: np.ndarray, v: np.ndarray
) -> Attractor | None:
    """The exact local maximum of G with these gates and this boundary near (w, v), or None if there is none."""
    count = len(x)
    free = _null(x[held])
    cross = (y * on[:, None]).T @ x / count @ free
    left, s, right = np.linalg.svd(cross, full_matrices=False)
    if not len(s) or s[0] <= ROUNDING * fastest(x, y):
        return None
    top_w, top_v = free @ right[0], left[:, 0]
    if top_w @ w < 0:
        top_w, top_v = -top_w, -top_v
    scale = ROUNDING * np.maximum(np.linalg.norm(x, axis=1), np.finfo(float).tiny)
    pre = x @ top_w
    if top_v @ v < 0 or np.any(pre[on] <= scale[on]) or np.any(pre[~on & ~held] > scale[~on & ~held]):
        return None
    if np.any(held):
        pull = (y * on[:, None]).T @ x / count
        multiplier = np.linalg.lstsq(x[held].T, pull.T @ top_v - s[0] * top_w, rcond=None)[0]
        slack = ROUNDING * fastest(x, y) / np.linalg.norm(x[held], axis=1).min()
        if np.any(multiplier < -slack) or np.any(multiplier > -(y[held] @ top_v) / count + slack):
            return None
    second = s[1] if len(s) > 1 else 0.0
    return Attractor(on.copy(), top_w, top_v, float(s[0]), held.copy(), float(s[0] - second), 0.0)


def _null(rows: np.ndarray) -> np.ndarray:
    """An orthonormal basis of what is orthogonal to all rows."""
    if not len(rows):
        return np.eye(rows.shape[1])
    _, s, vt = np.linalg.svd(rows)
    return vt[int(np.sum(s > ROUNDING * s[0])) :].T


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(float).tiny)

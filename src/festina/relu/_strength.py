"""How strongly the pathways of a gated network start, if they are to stand for a ReLU layer with random weights."""

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.core.task import Task, check_task
from festina.relu._alone import grow_alone
from festina.runtime import small_algebra

GROWN = 12.0
"""Growth time, in units of the shortest, after which a unit's gates are read. Units that grow at half the largest rate
have then grown by e⁶, and have yet to turn by a quarter of a per cent."""

WEAK = 1e-3
"""Activity, as a share of ‖w‖‖x‖, up to which a unit counts as off: it has no more than not yet decayed there."""


@small_algebra
def initial_strengths(
    task: Task,
    gates: ArrayLike,
    *,
    hidden: int,
    std: float,
    rate: float | None = None,
    draws: int = 1024,
    seed: int = 0,
) -> np.ndarray:
    """Initial strength of each pathway of a gated network that stands for a ReLU layer with small random weights.

    A random unit grows alone and turns until its gates settle in some pattern p. Let u, v and s be singular vectors and
    value of Σyx(p) = ⟨p y xᵀ⟩. From then on (w·v)(a·u) = b e^{2st}. The strength of a pathway with these gates is the
    sum of b over the units that end in its pattern:

        B_p = Σ_j (w_j·v)(a_j·u) e^{−2st}   for t → ∞ (of growing alone)

    A pathway whose gates no unit ends in starts with the units of the smallest such pattern that is open wherever it is
    open. Pathways on overlapping points share units, like modes of a linear layer; only disjoint ones divide them. Were
    all units always on this would be Hσ²/2; XOR at Δ = 0 has 0.33 of it for each point, and context tasks 0.5.

    With ``rate`` units grow by gradient descent, n steps until the layer's units reach the size of the targets, and
    e^{−2st} becomes (1 + ηs)^{−2n}. This differs from flow where units are held on the boundary of a gate: a flow
    slides along it, descent jumps about it and grows more slowly. On XOR at Δ = 0 and η = 0.4 that costs two steps.

    Args:
        task: what is learned.
        gates: one row per pathway, nonzero at the data points where it is open.
        hidden: number of units H of the ReLU layer.
        std: standard deviation σ of its initial weights.
        rate: step size η of gradient descent on the mean loss; None is gradient flow.
        draws: random units that stand for all.
        seed: draws them.

    Returns:
        One strength per pathway; 0 where no unit grows.

    Raises:
        ValueError: an argument that is not allowed.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.extended_xor(2.0)
        >>> pairs = [task.y[:, 0] > 0, task.y[:, 0] < 0]
        >>> bool(abs(fs.relu.initial_strengths(task, pairs, hidden=100, std=0.1).sum() / 0.5 - 0.9) < 0.1)
        True

    Source: maennel2018 (early alignment); theory of the unit that grows alone.
    """
    check_task(task)
    wanted = check.matrix("gates", gates) != 0
    if wanted.shape[1] != len(task.x):
        raise ValueError(f"gates has {wanted.shape[1]} columns for {len(task.x)} data points; give one value for each.")
    hidden, draws = check.whole("hidden", hidden), check.whole("draws", draws)
    std, rng = check.positive("std", std), np.random.default_rng(check.whole("seed", seed, least=0))
    x, y = task.x, np.asarray(task.loss.residual(np.zeros_like(task.y), task.y))
    w, a = rng.standard_normal((draws, x.shape[1])), rng.standard_normal((draws, y.shape[1]))
    top = np.linalg.norm(y.T @ x / len(x), 2), *(np.linalg.norm((y * p[:, None]).T @ x / len(x), 2) for p in wanted)
    fastest = float(np.max(top))
    if not fastest:
        return np.zeros(len(wanted))
    if rate is None:
        steps, growth = GROWN / fastest, lambda s: s
        w, a, _ = grow_alone(w, a, x, y, steps)
    else:
        rate = check.positive("rate", rate)
        size = np.sqrt((y**2).sum() / (x**2).sum()) / (hidden * std**2)
        steps = int(np.ceil(max(np.log(size) / 2, GROWN / 2) / np.log1p(rate * fastest)))
        growth = lambda s: np.log1p(rate * s)  # noqa: E731
        w, a = _descend(w, a, x, y, rate, steps)
    patterns, which = np.unique(_on(w, a, x, y, rate), axis=0, return_inverse=True)
    strength = np.zeros(len(patterns))
    for k, pattern in enumerate(patterns):
        members = which.ravel() == k
        left, s, right = np.linalg.svd((y * pattern[:, None]).T @ x / len(x))
        if s[0] > 0:
            grown = (w[members] @ right[0]) * (a[members] @ left[:, 0])
            strength[k] = np.maximum(grown, 0.0).sum() * np.exp(-2 * growth(s[0]) * steps)
    found = np.zeros(len(wanted))
    # patterns of few units are rare, or not settled yet; those that carry less than this are left out
    carried = strength > WEAK * max(strength.max(), np.finfo(float).tiny)
    for i, gate in enumerate(wanted):
        holds = carried & (patterns | ~gate).all(axis=1)
        if holds.any():
            smallest = patterns[holds].sum(axis=1).min()
            found[i] = strength[holds & (patterns.sum(axis=1) == smallest)].max()
    return found * std**2 * hidden / draws


def _descend(
    w: np.ndarray, a: np.ndarray, x: np.ndarray, y: np.ndarray, rate: float, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """Units that grow alone by gradient descent: w ← w + η ⟨g (a·y) x⟩, a ← a + η ⟨σ(w·x) y⟩."""
    for _ in range(steps):
        activity = np.maximum(w @ x.T, 0.0)
        pull = np.where(activity > 0, a @ y.T, 0.0)
        w, a = w + rate / len(x) * pull @ x, a + rate / len(x) * activity @ y
    return w, a


def _on(w: np.ndarray, a: np.ndarray, x: np.ndarray, y: np.ndarray, rate: float | None) -> np.ndarray:
    """Points at which units are on, (units, points).

    A point whose own pull is against a unit, and would take it off within one step, only holds it on the boundary.
    """
    square = (x**2).sum(axis=1)
    least = WEAK * np.linalg.norm(w, axis=1)[:, None] * np.sqrt(square)
    if rate is not None:
        least = np.maximum(least, -rate / len(x) * (a @ y.T) * square)
    return w @ x.T > least

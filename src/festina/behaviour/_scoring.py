"""Fisher scoring with bounds and damping, for many lanes side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from festina.behaviour._likelihood import Evaluation

STEPS = 80
"""Evaluations per search; it takes ten to thirty."""

CONVERGED = 1e-6
"""Gain in log-likelihood that the next step promises: at a thousandth of a standard error, 5e-7."""

SAME = 1e-2
"""Log-likelihoods closer than this belong to one maximum, reached from two starts."""

HOPELESS = 3.0
"""A start that promises less than a third of what it is behind the best is given up."""

SMALLEST_STEP = 1e7
"""Damping at which a step is 1e-7 of Newton's."""

LONGEST = 1.5
"""Longest step in any coordinate: a factor of 4.5 in a parameter on a log scale."""


@dataclass(frozen=True, eq=False)
class Prior:
    """A normal prior on the coordinates, with independent components: (parameters,) each."""

    mean: np.ndarray
    deviation: np.ndarray

    def add(self, at: np.ndarray, found: Evaluation) -> Evaluation:
        """Log-posterior (without its constant), with its gradient and information."""
        precision = self.deviation**-2.0
        away = at - self.mean
        return Evaluation(
            found.value - 0.5 * np.sum(precision * away**2, axis=-1),
            found.score - precision * away,
            found.information + np.diag(precision),
        )


@dataclass(frozen=True, eq=False)
class Search:
    """Where searches ended, per lane."""

    coordinates: np.ndarray
    found: Evaluation
    converged: np.ndarray


def maximise(
    evaluate: Callable[[np.ndarray, np.ndarray], Evaluation],
    starts: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    *,
    prior: Prior | None = None,
    groups: np.ndarray | None = None,
) -> Search:
    """Maximise ``evaluate(coordinates, lanes)`` from each start, within bounds.

    A step solves (I + damping·diag I) Δ = score over the parameters that are free: not at a bound with the
    score pointing outwards. It is taken if the value rises; damping falls after a success and rises after a
    failure (Levenberg and Marquardt's rule on Fisher's information). Lanes of one of the ``groups`` are starts for the
    same animal: they rest once the highest value was reached from two of them.
    """

    def look(at: np.ndarray, lanes: np.ndarray) -> Evaluation:
        found = evaluate(at, lanes)
        return found if prior is None else prior.add(at, found)

    at = np.clip(starts, low, high)
    lanes = np.arange(len(at))
    now = Evaluation(*(part.copy() for part in look(at, lanes)))
    damping, converged = np.full(len(at), 1e-3), np.zeros(len(at), dtype=bool)
    for _ in range(STEPS):
        step, promised = _step(at, now, low, high, damping)
        converged |= (promised < CONVERGED) & (damping <= 1e-1)
        # where no step however small gains, the maximum is at a kink: a weight that just reaches zero
        converged |= damping > SMALLEST_STEP
        resting = converged.copy()
        if groups is not None:
            resting |= _outrun(now.value, promised, converged, groups)
        active = lanes[~resting]
        if not len(active):
            break
        trial = np.clip(at + step, low, high)[active]
        found = look(trial, active)
        better = np.isfinite(found.value) & (found.value > now.value[active])
        up, down = active[better], active[~better]
        at[up] = trial[better]
        for part, new in zip(now, found, strict=True):
            part[up] = new[better]
        # a step that fails by rounding alone has arrived
        converged[down[promised[down] < CONVERGED * 10]] = True
        damping[up], damping[down] = damping[up] / 5, damping[down] * 6
    return Search(at, now, converged)


def _step(
    at: np.ndarray, now: Evaluation, low: np.ndarray, high: np.ndarray, damping: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The damped step of every lane and the gain it promises."""
    steps, promised = np.zeros_like(at), np.zeros(len(at))
    for n, (x, score, information) in enumerate(zip(at, now.score, now.information, strict=True)):
        free = ~((x <= low) & (score <= 0)) & ~((x >= high) & (score >= 0))
        if not free.any():
            continue
        matrix = information[np.ix_(free, free)]
        scale = np.maximum(np.diag(matrix), 1e-12)
        move = np.linalg.lstsq(matrix + damping[n] * np.diag(scale) + 1e-12 * np.eye(len(scale)), score[free])[0]
        move *= min(1.0, LONGEST / max(np.max(np.abs(move)), 1e-300))
        move = np.clip(x[free] + move, low[free], high[free]) - x[free]
        steps[n, free] = move
        promised[n] = score[free] @ move - 0.5 * move @ matrix @ move
    return steps, promised


def _outrun(values: np.ndarray, promised: np.ndarray, converged: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Lanes that need not go on: of groups whose highest value was reached from two starts, one of which has
    converged, and those that promise far less than they are behind a converged one.
    """
    done = np.zeros(len(values), dtype=bool)
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        order = own[np.argsort(values[own])[::-1]]
        if len(own) < 2 or not converged[order[0]]:
            continue
        behind = values[order[0]] - values[own]
        done[own] = (values[order[0]] - values[order[1]] < SAME) | (HOPELESS * promised[own] < behind)
    return done

"""Ordinary differential equations by SciPy's solvers: the states at given times, or an error that says why not."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

from festina.checks.shapes import Times
from festina.solvers.budget import spend

MULTISTEP = ("BDF", "LSODA")
EXPLICIT = ("RK23", "RK45", "DOP853")
SOLVERS = (*EXPLICIT, "Radau", *MULTISTEP)

LONG, EACH = 20_000, 100
"""Slopes after which equations count as stiff, besides some for each time: an explicit solver hands over to LSODA."""

LARGEST = 2000
"""Most numbers of a state for LSODA: it takes as many slopes for a dense matrix of derivatives."""

SMALLEST = 1e-100
"""Least absolute tolerance: below it the solvers' squared error norms overflow."""

SLOPE = 8.0
"""Operations of a slope: four products of square matrices that hold all numbers, as in a chain of layers."""

HUGE, MOST = 1e150, 1000
"""Replacement of a slope that is not finite, and how often it is allowed: a step that is too long meets a few."""

ADVICE = "Use method=fs.Flow()."


class _TooLongError(Exception):
    """More slopes were asked for than were allowed."""


def integrate(
    field: Callable[[float, np.ndarray], np.ndarray],
    first: np.ndarray,
    times: Times,
    rtol: float,
    atol: float | None = None,
    *,
    solver: str = "LSODA",
    advice: str = ADVICE,
    progress: Callable[[int], object] = lambda count: None,
) -> np.ndarray:
    """The states (times, numbers) of dy/dt = field(t, y) from ``first`` at time 0.

    Args:
        field: dy/dt of a time and a state.
        first: the state at time 0.
        times: finite and increasing, from 0 on.
        rtol: relative tolerance of a step.
        atol: absolute tolerance of a step; None takes ``rtol`` times the largest number at the start.
        solver: one of ``SOLVERS``. LSODA takes long steps once the fast directions have been learned; an explicit
            solver hands over to it where its own steps stay short.
        advice: what a user can do where the solver stops before the end.
        progress: called with the number of times that have been reached.
    """
    if not np.all(np.isfinite(times)):
        raise ValueError("times is None (t → ∞), where these equations have no closed form; give finite times.")
    if atol is None:
        atol = rtol * (float(np.abs(first).max(initial=0.0)) or 1.0)
    states, state, now, step, left = [], first, 0.0, None, LONG
    while len(states) < len(times):
        # one-step solvers stop at every time asked for: their interpolants have fewer digits than their steps
        goals = times[len(states) :] if solver in MULTISTEP else times[len(states), None]
        end = float(goals[-1])
        if end <= now or not first.size:
            states += [state] * len(goals)
            continue
        try:
            found = solve(
                field, (now, end), state, solver, goals if len(goals) > 1 else None, advice=advice,
                most=left + EACH if solver in EXPLICIT and first.size <= LARGEST else math.inf, rtol=rtol,
                atol=max(atol, SMALLEST), first_step=None if step is None else min(step, end - now),
            )  # fmt: skip
        except _TooLongError:
            solver, step = "LSODA", None
            continue
        left -= max(found.nfev - EACH, 0)
        states += list(found.y.T[-len(goals) :])
        state, now, step = found.y[:, -1], end, float(np.diff(found.t, prepend=now).max())
        progress(len(goals))
    return np.array(states)


def solve(
    field: Callable[[float, np.ndarray], np.ndarray], span: tuple[float, float], state: np.ndarray, solver: str,
    times: Times | None = None, *, advice: str = ADVICE, most: float = math.inf, **options: object,
) -> Any:  # fmt: skip
    """Result of SciPy's ``solve_ivp`` returns, where it went on to the end and every number is finite.

    ``most`` is the number of slopes after which it gives up.
    """
    taken = wrong = 0

    def guarded(t: float, y: np.ndarray) -> np.ndarray:
        nonlocal taken, wrong
        taken += 1
        spend(operations=SLOPE * y.size**1.5)
        if taken > most:
            raise _TooLongError
        slope = field(t, y)
        if math.isfinite(slope @ slope):
            return slope
        wrong += 1
        if wrong > MOST:
            raise RuntimeError(f"{solver} stopped at t={t:g}: the slope there is not finite. {advice}")
        # a step that meets NaN would be tried again and again, one that meets a large number is tried in a smaller one
        return np.nan_to_num(slope, nan=HUGE, posinf=HUGE, neginf=-HUGE)

    with np.errstate(over="ignore", invalid="ignore"):
        found = scipy.integrate.solve_ivp(guarded, span, state, solver, times, **options)
    if not found.success or not np.all(np.isfinite(found.y)):
        reached = found.t[-1] if len(found.t) else span[0]
        raise RuntimeError(f"{solver} stopped between t={reached:g} and t={span[1]:g}: {found.message} {advice}")
    return found

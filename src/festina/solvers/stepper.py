"""One stepper for explicit Runge–Kutta schemes: a step, its error, the size of the next one, and dense output.

A scheme says how a step is taken: an embedded pair of formulas, which is data (``Tableau``), or stabilised stages
(``solvers.chebyshev``). ``advance`` is a function of arrays alone, so that it runs on NumPy's arrays step by step
(``Stepper``) and inside a program that JAX compiles (``solvers.compiled``).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from festina.solvers.budget import spend

SAFETY, SHRINK = 0.9, 0.2
"""Share of the step that the error allows, and the limit of its decrease."""

SHORTEST = 1e-12
"""Shortest step of ``Stepper``, relative to the first one: below it rounding decides."""

Numbers = Any
"""A number or an array, of NumPy or JAX: what computes with it is in ``Arrays``."""

Slope = Callable[[Any], Any]
"""dy/dt of a state."""

Size = Callable[[Any, Any, Any], Any]
"""Size of an error, in units of the largest that is allowed, beside the states before and after the step."""


class Arrays:
    """Array functions that ``advance`` calls: here NumPy's, step by step."""

    # Python's own for numbers: NumPy's take a microsecond each, which small networks feel
    maximum: Numbers = staticmethod(max)
    minimum: Numbers = staticmethod(min)
    isfinite: Numbers = staticmethod(math.isfinite)

    @staticmethod
    def tensordot(a: np.ndarray, b: np.ndarray, axes: int) -> Any:
        """Slopes ``b`` summed with weights ``a``, in the precision of the slopes."""
        return np.tensordot(a.astype(b.dtype), b, axes)

    @staticmethod
    def select(condition: Numbers, a: Numbers, b: Numbers) -> Any:
        """``a`` where the condition holds and else ``b``, numbers or named tuples of arrays."""
        return a if condition else b

    @classmethod
    def stages(cls, weights: np.ndarray, first: Numbers, move: Slope, slope: Slope) -> tuple[Any, Any]:
        """Slopes of all stages (stages, ...) from the first, and the last state: ``move`` of their sum by a row."""
        found, after = np.empty((len(weights), *first.shape), first.dtype), first
        found[0] = first
        for i in range(1, len(weights)):
            after = move(cls.tensordot(weights[i, :i], found[:i], 1))
            found[i] = slope(after)
        return found, after


PLAIN = Arrays()


class Now(NamedTuple):
    """State of an integration.

    Attributes:
        time: how far it has come.
        state: the numbers that are integrated.
        slope: their dy/dt.
        step: the step to try next.
        before: error of the last step.
        taken, tried: numbers of steps.
        worst: largest error of the smallest steps, which are taken whatever their error.
        where: the state at which it was made.
    """

    time: Any
    state: Any
    slope: Any
    step: Any
    before: Any
    taken: Any
    tried: Any
    worst: Any
    where: Any


class Scheme(ABC):
    """A way to take a step, and how its size follows from its error.

    Attributes:
        powers: the next step is multiplied by error^−powers[0] · (error of the step before)^powers[1]. The second
            damps the swing between long and refused steps where stability limits them.
        grow: limit of the increase of a step.
    """

    powers: tuple[float, float]
    grow: float

    def longest(self, now: Now) -> float | None:
        """The longest step that is stable; None if only the error limits steps."""
        return None

    @abstractmethod
    def attempt(self, slope: Slope, now: Now, step: Numbers, arrays: Arrays) -> tuple[Any, Any, Any]:
        """State and slope after a step, and its error."""


@dataclass(frozen=True, eq=False)
class Tableau(Scheme):
    """An embedded pair of Runge–Kutta formulas whose last stage is the first of the next step.

    Attributes:
        stages: weights of earlier stages in each; the last row is the step.
        error: weights of the stages in the error.
        order: the order of the step; that of the embedded formula is one less.
        powers, grow: control of the step; see ``Scheme``.
    """

    stages: np.ndarray
    error: np.ndarray
    order: int
    powers: tuple[float, float]
    grow: float

    def attempt(self, slope: Slope, now: Now, step: Numbers, arrays: Arrays) -> tuple[Any, Any, Any]:
        """State and slope after a step, and its error."""
        k, after = arrays.stages(self.stages, now.slope, lambda total: now.state + step * total, slope)
        return after, k[-1], step * arrays.tensordot(self.error, k, 1)


def _rows(*rows: tuple[float, ...]) -> np.ndarray:
    """A square matrix from the rows below its diagonal; the first is empty."""
    return np.array([row + (0.0,) * (len(rows) + 1 - len(row)) for row in ((), *rows)])


BOGACKI_SHAMPINE = Tableau(
    _rows((1 / 2,), (0.0, 3 / 4), (2 / 9, 1 / 3, 4 / 9)),
    np.array([5 / 72, -1 / 12, -1 / 9, 1 / 8]),
    order=3,
    powers=(0.35, 0.2),
    grow=3.0,
)

DORMAND_PRINCE = Tableau(
    _rows(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    np.array([-71 / 57600, 0.0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40]),
    order=5,
    powers=(0.2, 0.0),
    grow=10.0,
)


def begin(state: Numbers, slope: Numbers, step: Numbers, time: Numbers = 0.0, zero: Numbers = 0.0) -> Now:
    """The start of an integration; ``zero`` is a zero of the kind that errors are."""
    return Now(time, state, slope, step, zero + 1.0, 0, 0, zero, state)


def advance(
    scheme: Scheme, slope: Slope, size: Size, now: Now, goal: Numbers, smallest: Numbers, arrays: Arrays = PLAIN
) -> Now:
    """Try one step towards the time ``goal``, which is never passed.

    A step is taken where its error is at most 1, and where it is as short as ``smallest`` and finite.
    """
    maximum, minimum, select = arrays.maximum, arrays.minimum, arrays.select
    longest = scheme.longest(now)
    wanted = now.step if longest is None else minimum(now.step, longest)
    last = wanted >= goal - now.time
    step = select(last, goal - now.time, wanted)
    after, ahead, wrong = scheme.attempt(slope, now, step, arrays)
    error = size(wrong, now.state, after)
    finite, short = arrays.isfinite(error), step <= smallest
    error = select(finite, error, math.inf)
    taken = (error <= 1) | (short & finite)
    power, damping = scheme.powers
    factor = SAFETY * maximum(error, 1e-12) ** -power * now.before**damping
    factor = minimum(maximum(factor, SHRINK), select(taken, scheme.grow, SAFETY))
    following = select(finite, maximum(step * factor, smallest), step * factor)
    # a step that was cut short to end at a time says little about the next
    following = select(taken & last, maximum(following, wanted), following)
    worse = short & (error > maximum(now.worst, 1.0))
    known = select(worse, error, now.worst), select(worse, now.state, now.where)
    before = maximum(error, 1e-4)
    moved = Now(
        select(last, goal, now.time + step), after, ahead, following, before, now.taken + 1, now.tried + 1, *known
    )
    stayed = Now(now.time, now.state, now.slope, following, now.before, now.taken, now.tried + 1, *known)
    return select(taken, moved, stayed)


@dataclass
class Stepper:
    """Integrates in NumPy; states between steps are those of Hermite's cubic.

    Attributes:
        scheme: how steps are taken; of at most third order, as the cubic is.
        slope: dy/dt.
        size: error of a step, in units of the largest that is allowed.
        what: what is integrated, and ``advice`` what to do where it cannot be: for the error.
        steps, evaluations: steps taken and slopes computed so far.

    Example:
        >>> import numpy as np
        >>> decay = Stepper(BOGACKI_SHAMPINE, lambda y: -y, lambda wrong, y, after: abs(wrong).max() / 1e-6)
        >>> [state] = decay.run(np.array([1.0]), np.array([1.0]), step=1e-3)
        >>> bool(abs(state[0] - np.exp(-1)) < 1e-5)
        True
    """

    scheme: Scheme
    slope: Slope
    size: Size
    what: str = "the flow"
    advice: str = ""
    steps: int = field(default=0, init=False)
    evaluations: int = field(default=0, init=False)

    def run(
        self, state: np.ndarray, times: np.ndarray, start: float = 0.0, step: float | None = None
    ) -> Iterator[np.ndarray]:
        """The state at each of the rising ``times``, none of which is before ``start``."""
        if not len(times):
            return
        end, slope = float(times[-1]), self._count(state)
        first = self._first(state, slope, end - start) if step is None else step
        now, smallest, asked = begin(state, slope, first, start), SHORTEST * first, 0
        while asked < len(times):
            if times[asked] <= now.time:
                yield now.state
                asked += 1
                continue
            new = advance(self.scheme, self._count, self.size, now, end, smallest)
            if math.isinf(new.worst):
                raise RuntimeError(
                    f"{self.what} cannot be followed beyond t = {now.time:g}: a step of rounding length is not finite. "
                    f"{self.advice}"
                )
            taken = new.time - now.time
            while asked < len(times) and times[asked] <= new.time and taken:
                yield between(
                    now.state, new.state, taken * now.slope, taken * new.slope, (times[asked] - now.time) / taken
                )
                asked += 1
            self.steps += new.taken - now.taken
            now = new

    def _count(self, state: np.ndarray) -> np.ndarray:
        self.evaluations += 1
        spend(1)
        return self.slope(state)

    def _first(self, state: np.ndarray, slope: np.ndarray, span: float) -> float:
        """A hundredth of the time in which the state changes by its own size, or from zero the slope by its own."""
        size, speed = np.linalg.norm(state), np.linalg.norm(slope)
        if not size and speed:
            trial = min(span, 1.0)
            size, speed = trial * speed, np.linalg.norm(self._count(state + trial * slope) - slope)
        return float(min(span, 0.01 * size / speed)) if speed else span


def between(a: Numbers, b: Numbers, da: Numbers, db: Numbers, s: Numbers) -> Numbers:
    """Hermite's cubic from a to b with slopes (times step) da and db, at the part s of the step."""
    return a + s * (da + s * (3 * (b - a) - 2 * da - db + s * (2 * (a - b) + da + db)))

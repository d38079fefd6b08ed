"""The stepper inside a compiled program: equations whose slope JAX computes."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from festina.solvers.chebyshev import DAMPING, MARGIN, REACH, Chebyshev
from festina.solvers.derivative import along as derivative
from festina.solvers.stepper import SAFETY, SHRINK, Arrays, Now, Numbers, Scheme, Size, Slope, advance, begin, between

STAGES = 10_000
"""Stages of a stabilised step at most: they allow steps of 65 million over the largest curvature. Rounding errors grow
with the square of the stages, here to 1e-8."""

EVERY = 4
"""Steps after which the largest curvature is measured again, or when a step is refused: it costs as much as a step."""

FORGET = 0.8
"""The largest curvature of a step counts in the next one by this share: a power iteration approaches it from below."""

TINY = 1e-150
"""Lengths below this are zero: their squares are not numbers any more."""


class Traced(Arrays):
    """JAX's arrays."""

    tensordot = staticmethod(jnp.tensordot)
    maximum = staticmethod(jnp.maximum)
    minimum = staticmethod(jnp.minimum)
    isfinite = staticmethod(jnp.isfinite)

    @staticmethod
    def select(condition: Numbers, a: Numbers, b: Numbers) -> Any:
        """Both are computed, and one of them is taken."""
        return jax.tree.map(lambda one, other: jnp.where(condition, one, other), a, b)

    @staticmethod
    def stages(weights: np.ndarray, first: Numbers, move: Slope, slope: Slope) -> tuple[Any, Any]:
        """One loop, so that one copy of the slope is compiled: a fifth of the time to the first result."""
        rows = jnp.asarray(weights)
        found = jnp.zeros((len(rows), *first.shape), first.dtype).at[0].set(first)
        k = lax.fori_loop(1, len(rows), lambda i, k: k.at[i].set(slope(move(jnp.tensordot(rows[i], k, 1)))), found)
        return k, move(jnp.tensordot(rows[-1], k, 1))


def reach(
    scheme: Scheme,
    slope: Slope,
    size: Size,
    first: Numbers,
    times: Numbers,
    smallest: Numbers,
    goes_on: Callable[[Now], Any],
) -> tuple[Now, Any]:
    """The states at the times (times, ...), and where the integration ended.

    Steps end at the times, since formulas of fifth order are more accurate than an interpolant between them.

    Args:
        scheme: how steps are taken.
        slope: dy/dt of a state.
        size: error of a step, in units of the largest that is allowed.
        first: the state at time 0, one axis.
        times: rising, the last of them above 0.
        smallest: length at which a step is taken whatever its error.
        goes_on: whether to go on from there.
    """
    velocity = slope(first)
    scale = size(first, first, first) / size(velocity, first, first)
    step = jnp.clip(jnp.where(jnp.isfinite(scale), 0.01 * scale, smallest), smallest, times[-1])

    def until(now: Now, goal: Numbers) -> tuple[Now, Any]:
        now = lax.while_loop(
            lambda now: (now.time < goal) & goes_on(now),
            lambda now: advance(scheme, slope, size, now, goal, smallest, Traced()),
            now,
        )
        return now, now.state

    zero = jnp.zeros_like(step)
    return lax.scan(until, begin(first, velocity, step, zero, zero), times)


class Leap(NamedTuple):
    """State of a stabilised integration; states are trees of arrays.

    Attributes:
        time, state, slope: where it is, and the dy/dt there.
        step: the step to try next.
        along, curvature: the direction in which the slope changes fastest, and how fast.
        due: steps until the curvature is measured again.
        taken, tried, evaluations: steps that were taken and tried, and slopes that were computed so far.
    """

    time: Any
    state: Any
    slope: Any
    step: Any
    along: Any
    curvature: Any
    due: Any
    taken: Any
    tried: Any
    evaluations: Any


def leap(
    slope: Slope,
    size: Size,
    settle: Callable[[Any], Any],
    now: Leap,
    times: Numbers,
    smallest: Numbers,
    most: int,
    slopes: Numbers = jnp.inf,
) -> tuple[Leap, Any]:
    """The states at the times (times, ...), by the second-order Chebyshev method, and where the integration ended.

    The number of stages is what stability needs (``solvers.chebyshev``); power iterations follow the curvature, one
    every few steps. Times between steps are read off Hermite's cubic.

    Args:
        slope: dy/dt of a state.
        size: error of a step, in units of the largest that is allowed.
        settle: puts a state back to where it belongs, such as directions to length one.
        now: where to begin.
        times: rising, none of them before the beginning.
        smallest: a step of this length over the largest curvature is taken whatever its error.
        most, slopes: the numbers of steps tried and of slopes after which to stop.
    """

    def mix(*terms: tuple[Any, Any]) -> Any:
        factors, trees = zip(*terms, strict=True)
        return jax.tree.map(lambda *leaves: sum(c * x for c, x in zip(factors, leaves, strict=True)), *trees)

    def look(now: Leap) -> tuple[Any, Any]:
        turned = derivative(slope, now.state, mix((1 / length(now.along), now.along)))[1]
        found = length(turned)
        along = jax.tree.map(lambda new, old: jnp.where(found > TINY, new, old), turned, now.along)
        return along, jnp.maximum(MARGIN * found, FORGET * now.curvature)

    def attempt(now: Leap) -> Leap:
        measured = now.due == 0
        along, curvature = lax.cond(measured, look, lambda now: (now.along, now.curvature), now)
        step = jnp.minimum(jnp.minimum(now.step, REACH * (STAGES**2 - 1) / curvature), times[-1] - now.time)
        count = jnp.clip(jnp.ceil(jnp.sqrt(1 + step * curvature / REACH)), 2, STAGES).astype(int)

        head, row = coefficients(count)

        def stage(j: Numbers, pair: tuple[Any, Any]) -> tuple[Any, Any]:
            two, one = pair
            mu, nu, part, start = row(j)
            terms = ((1 - mu - nu, now.state), (mu, one), (nu, two), (start * step, now.slope))
            return one, mix((part * step, slope(one)), *terms)

        first = mix((1.0, now.state), (head * step, now.slope))
        after = lax.fori_loop(2, count + 1, stage, (now.state, first))[1]
        ahead = slope(after)
        wrong = mix((0.8, now.state), (-0.8, after), (0.4 * step, now.slope), (0.4 * step, ahead))
        error = size(wrong, now.state, after)
        error = jnp.where(jnp.isfinite(error), error, jnp.inf)
        good = (error <= 1) | (jnp.isfinite(error) & (step * curvature <= smallest))
        factor = jnp.clip(SAFETY * jnp.maximum(error, 1e-12) ** (-1 / 3), SHRINK, Chebyshev.grow)
        # a step that was refused may be one whose curvature has grown
        curvature = jnp.where(good, curvature, curvature / FORGET)
        time, state, velocity = jax.tree.map(
            lambda new, old: jnp.where(good, new, old),
            (now.time + step, settle(after), ahead), (now.time, now.state, now.slope),
        )  # fmt: skip
        following = jnp.maximum(step * factor, smallest / curvature)
        return Leap(
            time, state, velocity, following, along, curvature, jnp.where(good, (now.due - 1) % EVERY, 0),
            now.taken + good, now.tried + 1, now.evaluations + count + 3 * measured,
        )  # fmt: skip

    def until(now: Leap, then: Leap, k: Numbers, kept: Numbers) -> tuple[Any, Any]:
        """The states at the times that a step has passed, from the k-th on."""

        def read(carry: tuple[Any, Any]) -> tuple[Any, Any]:
            k, kept = carry
            step = then.time - now.time
            part = (times[k] - now.time) / jnp.where(step > 0, step, 1.0)
            here = jax.tree.map(
                lambda a, b, da, db: between(a, b, step * da, step * db, part),
                now.state, then.state, now.slope, then.slope,
            )  # fmt: skip
            return k + 1, jax.tree.map(lambda all_, one: all_.at[k].set(one), kept, here)

        last = len(times) - 1
        return lax.while_loop(lambda c: (c[0] <= last) & (times[jnp.minimum(c[0], last)] <= then.time), read, (k, kept))

    def go(carry: tuple[Leap, Any, Any]) -> tuple[Leap, Any, Any]:
        now, k, kept = carry
        then = attempt(now)
        return then, *until(now, then, k, kept)

    def goes_on(carry: tuple[Leap, Any, Any]) -> Any:
        now = carry[0]
        return (now.time < times[-1]) & (now.tried < most) & (now.evaluations <= slopes)

    kept = jax.tree.map(lambda a: jnp.zeros((len(times), *jnp.shape(a))), now.state)
    now, _, kept = lax.while_loop(goes_on, go, (now, *until(now, now, 0, kept)))
    return now, kept


def length(tree: Numbers) -> Any:
    """Euclidean length of all numbers of a tree together, at least ``TINY``."""
    return jnp.maximum(jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree))), TINY)


def coefficients(count: Numbers) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """Those of ``solvers.chebyshev`` for any number of stages: the first, and the others as a function of the stage.

    With T(cosh θ) = cosh jθ for the Chebyshev polynomial of degree j, T' and T'' follow from its differential equation.
    """
    away = DAMPING / count**2
    w, angle, squared = 1 + away, 2 * jnp.arcsinh(jnp.sqrt(away / 2)), away * (2 + away)

    def both(j: Numbers) -> tuple[Any, Any]:
        value, slope = jnp.cosh(j * angle), j * jnp.sinh(j * angle) / jnp.sinh(angle)
        return slope, (j**2 * value - w * slope) / squared

    def b(j: Numbers) -> Any:
        slope, bend = both(jnp.maximum(j, 2))
        return jnp.where(j == 1, 1 / w, bend / slope**2)

    slope, bend = both(count)
    reach = slope / bend

    def row(j: Numbers) -> tuple[Any, ...]:
        here, one, two = b(j), b(j - 1), b(j - 2)
        part = 2 * here * reach / one
        return 2 * here * w / one, -here / two, part, (one * jnp.cosh((j - 1) * angle) - 1) * part

    return reach / w, row

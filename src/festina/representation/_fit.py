"""Effective learning rates from measured curves."""

from dataclasses import dataclass, field

import numpy as np
import scipy

from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.representation._pair import Pair
from festina.representation._two_point import PairStart, PairState, Rates, TwoPoint

COMMON = np.log(10.0) * np.linspace(-2, 2, 33)
RATIO = np.log(10.0) * np.array([-0.5, 0.0, 0.5])
"""Around the rates read off the curves, in logarithms: where the search may begin instead. Both rates together set when
the points part, to which the error is as sensitive as the parting is sudden; hence the finer steps."""

REACH = np.log(1e8)
"""How far rates may go from where they begin, so that curves without information end somewhere."""

COARSE = 100
"""Times at which beginnings are tried."""

UNCHANGED = 1e-2
"""Change of the curves relative to their size below which they say nothing about rates."""

EDGE = 1e-6
"""Outputs whose cosine with the target is this near ±1 have one dimension: they stay on it."""


@dataclass(frozen=True, eq=False)
class PairFit:
    """The theory that comes nearest to a measured pair.

    Attributes:
        theory: the fitted ``TwoPoint``; ``theory.solve(pair.times)`` are its curves.
        rates: 1/τh, 1/τy and, where a loss was measured, 1/τȳ.
        uncertainty: standard errors of the rates, for noise that is independent from time to time; the misfit of a
            network to which the theory does not apply is no such noise; ``error`` gives it.
        error: √(∫Σ(measured − theory)² / ∫Σ measured²) over h, y and w: 0 is a perfect fit.
        errors: the same for each of h, y, w, and the loss where it was measured.
        misfit: the same relative to what changed, √(∫Σ(measured − theory)² / ∫Σ(measured − first)²): 1 is no better
            than curves that stay where they start, however large they are.
        flags: reasons not to trust the rates: nothing changed, a rate that the curves do not determine, or one at the
            end of the search.
        squares: ∫Σ(measured − theory)² dt, what was minimised (vanrossem2024 eq. (49)).
        pair: what was fitted.

    Example:
        >>> import numpy as np, festina as fs
        >>> true = fs.representation.TwoPoint(0.25, 1.0, (0.4, 0.2), (0.01, 0.01, 0.01 - 0.1))
        >>> times = np.linspace(0, 60, 50)
        >>> found = fs.representation.fit(fs.representation.Pair(times, *true.solve(times), dx=0.25, dy=1.0))
        >>> bool(found.error < 1e-6)
        True
    """

    theory: TwoPoint
    rates: Rates
    uncertainty: Rates
    error: float
    errors: dict[str, float]
    squares: float
    misfit: float
    flags: tuple[str, ...]
    pair: Pair = field(repr=False)

    def __str__(self) -> str:
        names = ("1/τh", "1/τy", "1/τȳ")
        rows = [f"{n}  {r:.6g} ± {u:.2g}" for n, r, u in zip(names, self.rates, self.uncertainty, strict=True) if r]
        size = f"error {self.error:.3g} of the curves' size, {self.misfit:.3g} of their change (h, y, w)"
        return "\n".join([*rows, size, *(f"not to be trusted: {flag}" for flag in self.flags)])


def fit(curves: object, *, balanced: bool = False, start: ArrayLike | None = None, free_start: bool = False) -> PairFit:
    """Effective learning rates 1/τh and 1/τy (and 1/τȳ from the loss) of two points, with their uncertainties.

    Least squares over the logarithms of the rates, with the closed form of ``TwoPoint``. The search starts from two
    regressions on the curves: h − h(0) on ∫w and y − h y(0)/h(0) on h(h − h(0)).

    Args:
        curves: a measured pair, from ``pair(trajectory)`` or ``probe.pair()``.
        balanced: divide each of h, y and w by its size, so that each counts alike; by default they count as they
            are, as in the paper.
        start: (h, y, w) to start the theory from; by default the first measured point.
        free_start: fit the start too, for curves whose first point is noisy.

    Returns:
        A ``PairFit``.

    Raises:
        ValueError: something else than a pair, or a start that no two points can have.

    Example:
        >>> import numpy as np, festina as fs
        >>> true = fs.representation.TwoPoint(0.25, 1.0, (0.4, 0.2), (0.01, 0.01, 0.01 - 0.1))
        >>> times = np.linspace(0, 60, 200)
        >>> found = fs.representation.fit(fs.representation.Pair(times, *true.solve(times), dx=0.25, dy=1.0))
        >>> [round(rate, 6) for rate in found.rates[:2]]
        [0.4, 0.2]

    Source: vanrossem2024 App. B.1 eq. (49).
    """
    if not isinstance(curves, Pair):
        raise ValueError(
            f"curves is {type(curves).__name__}; a Pair is needed: fs.representation.Pair.from_trajectory(run) or "
            "probe.pair()."
        )
    check.flag("balanced", balanced)
    check.flag("free_start", free_start)
    if start is not None:
        start = tuple(check.number("start", value) for value in check.listing("start", start, "h, y and w"))
        if len(start) not in (3, 4):
            raise ValueError(f"start has {len(start)} numbers; h, y and w, or h, y, w and offset, are needed.")
    measured = np.stack([curves.h, curves.y, curves.w])
    weight = _weights(curves.times)
    size = np.sqrt(np.maximum(measured**2 @ weight, np.finfo(float).tiny))
    scale = size if balanced else np.ones(3)
    first = PairStart(*(curves.start if start is None else (*start, curves.offset)[:4]))
    unfold = _Start(first, curves.dy, free_start)
    elapsed = curves.times - curves.times[0]

    def theory(parameters: np.ndarray) -> TwoPoint:
        rates = np.exp(parameters[:2])
        return TwoPoint(curves.dx, curves.dy, (rates[0], rates[1]), unfold(parameters[2:]))

    def residuals(parameters: np.ndarray, at: slice | np.ndarray = slice(None)) -> np.ndarray:
        gap = np.stack(theory(parameters).solve(elapsed[at])) - measured[:, at]
        return (gap * np.sqrt(weight[at]) / scale[:, None]).ravel()

    begin = _begin(curves, first)
    few = np.unique(np.linspace(0, len(elapsed) - 1, COARSE).astype(int))
    tries = [np.concatenate([begin + np.array([i, i + j]), unfold.initial]) for i in COMMON for j in RATIO]
    best = min(tries, key=lambda p: float(np.sum(residuals(p, few) ** 2)))
    found = scipy.optimize.least_squares(
        residuals, best, "3-point", (best - REACH, best + REACH), xtol=1e-12, ftol=1e-12, gtol=None, x_scale="jac",
        max_nfev=200,
    )  # fmt: skip
    spread = _spread(found.jac, found.fun, float(np.linalg.norm(size / scale)))
    fitted = theory(found.x)
    state = fitted.solve(elapsed)
    gaps = (np.stack(state) - measured) ** 2 @ weight
    errors = {n: float(np.sqrt(g) / s) for n, g, s in zip("hyw", gaps, size, strict=True)}
    mean, mean_spread = _mean_rate(curves, state, weight)
    rates = Rates(fitted.rates.h, fitted.rates.y, mean)
    whole = TwoPoint(curves.dx, curves.dy, rates, fitted.start)
    if curves.loss is not None:
        gap = whole.loss(elapsed) - curves.loss
        errors["loss"] = float(np.sqrt(gap**2 @ weight / max(curves.loss**2 @ weight, np.finfo(float).tiny)))
    uncertainty = Rates(
        float(rates.h * spread[0]), float(rates.y * spread[1]), None if mean is None else mean * mean_spread
    )
    error = float(np.sqrt(gaps.sum() / np.sum(size**2)))
    change = float(np.sum((measured - measured[:, :1]) ** 2 @ weight))
    misfit = float(np.sqrt(gaps.sum() / change)) if change > 0 else np.inf
    flags = _flags(rates, uncertainty, found.active_mask, np.sqrt(change / np.sum(size**2)))
    return PairFit(whole, rates, uncertainty, error, errors, float(gaps.sum()), misfit, flags, curves)


def _flags(rates: Rates, uncertainty: Rates, at_edge: np.ndarray, change: float) -> tuple[str, ...]:
    """Why the rates are not to be trusted, in words."""
    found = [] if change > UNCHANGED else [f"the curves change by {change:.1g} of their size only"]
    for name, rate, spread, edge in zip(("1/τh", "1/τy"), rates[:2], uncertainty[:2], at_edge[:2], strict=True):
        if edge:
            found.append(f"{name} is at the end of the search")
        elif not spread < rate:
            found.append(f"{name} = {rate:.3g} is not determined (standard error {spread:.2g})")
    return tuple(found)


class _Start:
    """The start as a function of free parameters: log h, log y and, where outputs are not on a line, arctanh cos."""

    def __init__(self, start: PairStart, dy: float, free: bool):
        self.start, self.dy = start, dy
        self.initial = np.zeros(0)
        self.cosine = (start.y - start.w) / np.sqrt(start.y * dy) if start.y * dy > 0 else 0.0
        if free:
            on_line = abs(self.cosine) > 1 - EDGE or dy == 0
            angle = [] if on_line else [np.arctanh(self.cosine)]
            self.initial = np.array([np.log(start.h), np.log(max(start.y, np.finfo(float).tiny)), *angle])

    def __call__(self, parameters: np.ndarray) -> PairStart:
        if len(parameters) == 0:
            return self.start
        h, y = np.exp(parameters[:2])
        cosine = np.tanh(parameters[2]) if len(parameters) == 3 else np.sign(self.cosine)
        return PairStart(float(h), float(y), float(y - cosine * np.sqrt(y * self.dy)), self.start.offset)


def _weights(times: np.ndarray) -> np.ndarray:
    """Trapezoidal weights: ∫f dt ≈ Σ weight·f."""
    steps = np.diff(times)
    return 0.5 * (np.append(steps, 0) + np.append(0, steps))


def _begin(curves: Pair, start: PairStart) -> np.ndarray:
    """Logarithms of rates read off the curves; 1 over the time span where they say nothing."""
    alignment = scipy.integrate.cumulative_trapezoid(curves.w, curves.times, initial=0)
    fast_h = _slope(-curves.dx * alignment, curves.h - start.h, 1 / (curves.times[-1] - curves.times[0]))
    curvature = curves.h * (curves.h - start.h) / curves.dx
    return np.log([fast_h, fast_h * _slope(curvature, curves.y - start.y / start.h * curves.h, 1.0)])


def _slope(x: np.ndarray, y: np.ndarray, otherwise: float) -> float:
    power = float(x @ x)
    slope = float(x @ y) / power if power > 0 else 0.0
    return slope if slope > 0 and np.isfinite(slope) else otherwise


def _spread(jacobian: np.ndarray, residuals: np.ndarray, size: float) -> np.ndarray:
    """Standard errors that do not ask noise to be equally strong everywhere (sandwich); ∞ where nothing is known."""
    count, free = jacobian.shape
    # derivatives are differences: below this they are rounding error of curves of this size
    if np.linalg.svd(jacobian, compute_uv=False)[-1] <= np.finfo(float).eps ** (2 / 3) * size:
        return np.full(free, np.inf)
    return np.linalg.norm(np.linalg.pinv(jacobian) * residuals, axis=1) * np.sqrt(count / max(count - free, 1))


def _mean_rate(curves: Pair, state: PairState, weight: np.ndarray) -> tuple[float | None, float]:
    """1/τȳ from the loss, and its relative standard error; None if no loss or no offset was measured."""
    if curves.loss is None or curves.offset == 0:
        return None, 0.0
    elapsed = curves.times - curves.times[0]
    rest = curves.loss - 0.25 * (state.w + 0.5 * (curves.dy - state.y))

    def residuals(logarithm: np.ndarray | float) -> np.ndarray:
        return (0.5 * curves.offset * np.exp(-2 * np.exp(logarithm) * elapsed) - rest) * np.sqrt(weight)

    steps = np.log(np.geomspace(0.1 / elapsed[-1], 1 / elapsed[1], 40))
    best = min(steps, key=lambda s: float(np.sum(residuals(s) ** 2)))
    found = scipy.optimize.least_squares(residuals, [best], "3-point", (best - REACH, best + REACH), xtol=1e-12)
    return float(np.exp(found.x[0])), float(_spread(found.jac, found.fun, float(np.sqrt(rest**2 @ weight)))[0])

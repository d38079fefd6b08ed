"""Two points that meet in representational space: the effective theory, solved in closed form.

With dh = a·e (a fixed direction e) and D_y e = b, the three variables are h = a², y = a²‖b‖² and w = y − a b·Δ. The
theory is gradient descent on ½‖a b − Δ‖² over one number a and one vector b:

    ȧ = −(dx/2τh) b·(a b − Δ),    ḃ = −(1/2τy) a (a b − Δ).

In units in which both rates are one that is a linear network with one hidden unit. One hidden unit is always balanced
up to a constant, λ = ‖q‖² − p², so its flow is a Riccati equation with a closed form. No integration and no division by
h are needed, so h may pass through zero (a changes its sign).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from festina.analysis.distance import final_distance
from festina.checks import check
from festina.checks.shapes import Array, ArrayLike

IMPOSSIBLE = 1e-5
"""Share by which (y − w)² may exceed y·dy: rounding of activations in single precision."""

FOREVER = 1e300
"""Stands for t = ∞ in products with rates that may be zero."""


class Rates(NamedTuple):
    """Effective learning rates 1/τh, 1/τy and 1/τȳ, per unit of time; ``mean`` is needed by the loss alone."""

    h: float
    y: float
    mean: float | None = None


class PairStart(NamedTuple):
    """Initial state of two points: h, y, w, and ‖ȳ(0) − ȳ*‖², the squared error of the mean output."""

    h: float
    y: float
    w: float
    offset: float = 0.0


class PairState(NamedTuple):
    """h, y and w at the times asked for.

    Example:
        >>> import festina as fs
        >>> pair = fs.representation.TwoPoint(dx=1.0, dy=1.0, rates=(0.5, 0.5), start=(0.01, 0.0, 0.0))
        >>> state = pair.solve([0.0, 50.0])
        >>> state.h.round(2), state.y.round(2)
        (array([0.01, 1.01]), array([0., 1.]))
    """

    h: Array
    y: Array
    w: Array


class FixedPoint(NamedTuple):
    """A point (h, w = 0) at which nothing moves, with the eigenvalues of its two directions.

    Example:
        >>> import festina as fs
        >>> pair = fs.representation.TwoPoint(dx=1.0, dy=1.0, rates=(0.5, 0.5), start=(0.01, 0.0, 0.0))
        >>> [point.stable for point in pair.fixed_points]
        [False, True]
    """

    h: float
    eigenvalues: tuple[float, float]

    @property
    def stable(self) -> bool:
        """Whether perturbations decay."""
        return max(self.eigenvalues) < 0


@dataclass(frozen=True)
class TwoPoint:
    """The effective theory of two data points that a network learns together.

        ḣ = −(1/τh) dx w
        ẏ = −w (h/τy + (1/τh) dx y/h)
        ẇ = −(1/2τy)(3w − y + dy) h − (1/2τh) dx (y + w) w/h

    where h = ‖h₂ − h₁‖² is the squared distance of the representations, y = ‖ŷ₂ − ŷ₁‖² that of the outputs, and
    w = y − (ŷ₂ − ŷ₁)·(y₂ − y₁). Holds when encoder and decoder are free enough, and the points near enough, to act as
    arbitrary linear maps, and when the representations do not rotate.

    Args:
        dx: squared distance of the inputs, ‖x₂ − x₁‖² > 0.
        dy: squared distance of the targets, ‖y₂ − y₁‖² ≥ 0.
        rates: (1/τh, 1/τy) or (1/τh, 1/τy, 1/τȳ), per unit of the times; see ``Rates``.
        start: (h, y, w) or (h, y, w, offset) at time 0; see ``PairStart``.

    Raises:
        ValueError: equal inputs, rates that are not positive, h = 0, or a start that no two points can have.

    Example:
        >>> import festina as fs
        >>> pair = fs.representation.TwoPoint(dx=0.25, dy=1.0, rates=(0.5, 0.5), start=(1e-3, 1e-3, 1e-3 - 1e-3**0.5))
        >>> pair.solve([0.0, 10.0, 100.0]).h.round(4)
        array([0.001 , 0.2405, 0.3908])
        >>> round(pair.final_distance, 4)
        0.3908

    Source: vanrossem2024 eq. (7); the closed form is ours.
    """

    dx: float
    dy: float
    rates: Any
    start: Any

    def __post_init__(self) -> None:
        dx = check.positive("dx", self.dx, zero=True)
        if dx == 0:
            raise ValueError(
                "dx is 0: equal inputs have equal representations at all times; give two different points."
            )
        object.__setattr__(self, "dx", dx)
        object.__setattr__(self, "dy", check.positive("dy", self.dy, zero=True))
        rates = _numbers("rates", self.rates, (2, 3), "(1/τh, 1/τy) or (1/τh, 1/τy, 1/τȳ)")
        if min(rates) <= 0:
            raise ValueError(f"rates are {rates}; effective learning rates are numbers > 0.")
        start = _numbers("start", self.start, (3, 4), "(h, y, w) or (h, y, w, offset)")
        object.__setattr__(self, "rates", Rates(*rates))
        object.__setattr__(self, "start", PairStart(*start))
        h, y, w, offset = self.start
        if h <= 0 or y < 0 or offset < 0:
            raise ValueError(
                f"start is h={h:g}, y={y:g}, offset={offset:g}; h > 0, y >= 0 and offset >= 0 are needed. Where h is 0 "
                "the representations coincide and nothing is known of the decoder: start a moment earlier or later."
            )
        if (y - w) ** 2 > (1 + IMPOSSIBLE) * y * self.dy + IMPOSSIBLE**2 * y**2:
            raise ValueError(
                f"start has w={w:g} with y={y:g} and dy={self.dy:g}; y − w is an inner product of output and target "
                f"differences, so |y − w| <= √(y·dy) = {np.sqrt(y * self.dy):g} is needed."
            )

    @property
    def invariant(self) -> float:
        """y/h − (τh/τy) h/dx: what the dynamics conserve. Source: vanrossem2024 eq. (24)."""
        return self.start.y / self.start.h - self.rates.y / self.rates.h * self.start.h / self.dx

    @property
    def high(self) -> float:
        """A_high = h(0) − (τy/τh) dx y(0)/h(0). Source: vanrossem2024 eq. (11)."""
        return self.start.h - self.rates.h / self.rates.y * self.dx * self.start.y / self.start.h

    @property
    def low(self) -> float:
        """A_low = √(τy/τh) ‖x₂ − x₁‖ ‖y₂ − y₁‖. Source: vanrossem2024 eq. (11)."""
        return float(np.sqrt(self.rates.h / self.rates.y * self.dx * self.dy))

    @property
    def final_distance(self) -> float:
        """h at t → ∞: ½A_high + √(¼A_high² + A_low²). Source: vanrossem2024 eq. (10)."""
        return float(final_distance(self.high, self.low))

    @property
    def fixed_points(self) -> tuple[FixedPoint, FixedPoint]:
        """The saddle h = 0 and the end point h∞, on the surface that the invariant defines.

        With S = A_high² + 4A_low² the saddle has (A_high ± √S)/(2τy) and the end point −√S/(2τy) and −h∞/τy.
        Where targets are equal and A_high ≤ 0 both are the same point, which is then marginal in one direction.

        Source: vanrossem2024 eq. (29)-(35).
        """
        root, rate = float(np.hypot(self.high, 2 * self.low)), self.rates.y
        grows = final_distance(self.high, self.low)
        shrinks = final_distance(-self.high, self.low)
        saddle = FixedPoint(0.0, (float(rate * grows), float(-rate * shrinks)))
        return saddle, FixedPoint(float(grows), (-rate * root / 2, float(-rate * grows)))

    def solve(self, times: object) -> PairState:
        """h, y and w at the times (any shape, ≥ 0, ∞ allowed), in closed form.

        Q(t) = e^{Ft}Q(0)/√N(t), N = 1 + κ²∫‖e^{Fs}Q(0)‖² ds with Q = (p, q). F has the eigenvalues ±ω on the plane of p
        and the target direction, and μ across it. Every term of N is positive, so no digit is lost.
        """
        times = np.asarray(times, dtype=float)
        if times.size and not times.min() >= 0:
            raise ValueError(f"times go down to {times.min():g}; the pair starts at 0, so give times >= 0.")
        p, along, across, kappa = self._unknot(np.minimum(times, FOREVER))
        span = np.sqrt(self.dy)
        output, beside = kappa * p * along, kappa * p * across
        h = self.dx * self.rates.h / 2 * p**2
        return PairState(h, output**2 + beside**2, output * (output - span) + beside**2)

    def _unknot(self, times: Array) -> tuple[Array, Array, Array, float]:
        """p, q along the target direction and q across it, at the times; and κ, by which outputs are κ p q."""
        (fast_h, fast_y, _), (h, y, w, _) = self.rates, self.start
        kappa = float(np.sqrt(self.dx * fast_h * fast_y) / 2)
        p = np.sqrt(2 * h / (self.dx * fast_h))
        decoder = np.sqrt(2 * y / (h * fast_y))
        cosine = (y - w) / np.sqrt(y * self.dy) if y * self.dy > 0 else 0.0
        cosine = float(np.clip(cosine, -1.0, 1.0))
        along, across = decoder * cosine, decoder * np.sqrt((1 - cosine) * (1 + cosine))
        mu = -fast_y * self.high / 4
        pull = kappa * np.sqrt(self.dy)
        omega = float(np.hypot(mu, pull))
        # the eigenvector of +ω, written so that neither entry is a difference of near numbers
        vector = np.array([pull, omega + mu]) if mu >= 0 else np.array([omega - mu, pull])
        length = np.hypot(*vector)
        cos, sin = vector / length if length > 0 else (1.0, 0.0)
        grow, decay = cos * p + sin * along, sin * p - cos * along
        # everything is divided by e^{ωt}; ω − μ without cancellation
        gap = omega - mu if mu <= 0 else pull**2 / (omega + mu) if omega > 0 else 0.0
        with np.errstate(under="ignore", over="ignore"):
            fade = np.exp(-2 * omega * times)
            drift = np.exp(-gap * times)
            norm = fade + kappa**2 * (
                grow**2 * _integral(-2 * omega, times)
                + decay**2 * fade * _integral(-2 * omega, times)
                + across**2 * _across(mu, omega, gap, times)
            )
            root = np.sqrt(norm)
            with np.errstate(invalid="ignore", divide="ignore"):
                new = np.stack(
                    [
                        (cos * grow + sin * decay * fade) / root,
                        (sin * grow - cos * decay * fade) / root,
                        across * drift / root,
                    ]
                )
        # only at t = ∞ and on the way into a saddle is everything zero: the limit is the saddle, h = 0
        return *np.where(norm > 0, new, 0.0), kappa

    def velocity(self, h: Array | float, w: Array | float) -> tuple[Any, Any]:
        """(ḣ, ẇ) of the two-variable form, y having been replaced by means of the invariant.

        Source: vanrossem2024 eq. (25), with its last term inside the bracket.
        """
        fast_h, fast_y = self.rates.h, self.rates.y
        y = fast_y / fast_h * h**2 / self.dx + self.invariant * h
        return -fast_h * self.dx * w, -0.5 * fast_y * (3 * w - y + self.dy) * h - 0.5 * fast_h * self.dx * (
            y + w
        ) * w / h

    def loss(self, times: ArrayLike) -> Array:
        """L = ½‖ȳ(0) − ȳ*‖² e^{−2t/τȳ} + ¼(w + ½(dy − y)).

        Raises:
            ValueError: ``rates`` without 1/τȳ where the mean output starts away from its target.

        Source: vanrossem2024 eq. (9).
        """
        if self.rates.mean is None and self.start.offset > 0:
            raise ValueError("rates hold no third number 1/τȳ, which the loss needs; give rates=(1/τh, 1/τy, 1/τȳ).")
        state = self.solve(times)
        mean = self.start.offset * np.exp(-2 * (self.rates.mean or 0.0) * np.asarray(times, dtype=float))
        return 0.5 * mean + 0.25 * (state.w + 0.5 * (self.dy - state.y))

    def scaled(self, gain: float) -> "TwoPoint":
        """The same pair from weights so much larger that h becomes G h, and y and w (≈ y) become G² times theirs.

        With h' = h/G, y' = y/G², w' = w/G² and t' = G t the dynamics are those of targets dy/G².

        Source: vanrossem2024 eq. (41)-(43).
        """
        gain = check.positive("gain", gain)
        h, y, w, offset = self.start
        y_new, product = gain**2 * y, gain * (y - w)  # the inner product with the targets is linear in the outputs
        return TwoPoint(self.dx, self.dy, self.rates, PairStart(gain * h, y_new, y_new - product, offset))

    @property
    def large_weight_limit(self) -> "TwoPoint":
        """Limit of the pair when its weights grow: the same start with equal targets, dy = 0 and w = y.

        Its h(t) = A/(1 + (A/h(0) − 1) e^{−A t/τy}) with A = A_high: exponential, without a plateau.

        Source: vanrossem2024 eq. (39), (43).
        """
        h, y, _, offset = self.start
        return TwoPoint(self.dx, 0.0, self.rates, PairStart(h, y, y, offset))


def _integral(rate: float, times: Array) -> Array:
    """∫₀ᵗ e^{rate·s} ds."""
    return times if rate == 0 else np.expm1(rate * times) / rate


def _across(mu: float, omega: float, gap: float, times: Array) -> Array:
    """e^{−2ωt} ∫₀ᵗ e^{2μs} ds, without overflow whatever the sign of μ."""
    if mu <= 0:
        return np.exp(-2 * omega * times) * _integral(2 * mu, times)
    return np.exp(-2 * gap * times) * _integral(-2 * mu, times)


def _numbers(name: str, value: object, counts: tuple[int, int], meaning: str) -> tuple[float, ...]:
    if isinstance(value, Sequence) and len(value) == 3 and value[2] is None:
        value = value[:2]
    array = check.numbers(name, value)
    if array.ndim != 1 or len(array) not in counts:
        raise ValueError(f"{name} has shape {array.shape}; {meaning} is needed.")
    return tuple(float(v) for v in array)

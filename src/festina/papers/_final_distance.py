"""The distribution of the final distance under random initial weights."""

from dataclasses import dataclass

import numpy as np
import scipy

from festina.analysis import final_distance
from festina.checks import check
from festina.checks.shapes import Array


@dataclass(frozen=True)
class FinalDistance:
    """How the final distance of two points is distributed when their start is random.

    With h(0)/dx and y(0)/h(0) both drawn from N(G, G²), A_high is Gaussian with mean dx G(1 − r) and standard deviation
    dx G√(1 + r²), where r = τy/τh, and P(h∞ < h) = Φ((h − A_low²/h − mean)/sd). For G → 0 it becomes the sure
    value A_low: randomness is a matter of large weights.

    Args:
        dx: squared distance of the inputs, > 0.
        dy: squared distance of the targets, ≥ 0.
        gain: G, the scale of the initial weights, > 0.
        ratio: τy/τh, the ratio of the effective learning rates 1/τh and 1/τy.

    Example:
        >>> law = FinalDistance(dx=0.25, dy=1.0, gain=0.1)
        >>> float(law.quantile(0.5))
        0.5

    Source: vanrossem2024 eq. (44)-(48), the ratio kept.
    """

    dx: float
    dy: float
    gain: float
    ratio: float = 1.0

    def __post_init__(self) -> None:
        for name in ("dx", "gain", "ratio"):
            check.positive(name, getattr(self, name))
        check.positive("dy", self.dy, zero=True)

    @staticmethod
    def from_limits(high: Array | float, low: Array | float) -> Array:
        """h∞ = ½A_high + √(¼A_high² + A_low²) of given A_high and A_low. Source: vanrossem2024 eq. (10)."""
        return final_distance(high, low)

    @property
    def low(self) -> float:
        """A_low = √(r dx dy), the median for r = 1 and the limit for G → 0."""
        return float(np.sqrt(self.ratio * self.dx * self.dy))

    @property
    def mean_high(self) -> float:
        """Mean of A_high: dx G (1 − r)."""
        return self.dx * self.gain * (1 - self.ratio)

    @property
    def spread_high(self) -> float:
        """Standard deviation of A_high: dx G √(1 + r²)."""
        return float(self.dx * self.gain * np.hypot(1, self.ratio))

    def _score(self, h: Array) -> Array:
        return (h - self.low**2 / h - self.mean_high) / self.spread_high

    def cdf(self, h: object) -> Array:
        """P(h∞ < h). Source: vanrossem2024 eq. (47)."""
        h = np.asarray(h, dtype=float)
        positive = h > 0
        return np.where(positive, scipy.special.ndtr(self._score(np.where(positive, h, 1.0))), 0.0)

    def pdf(self, h: object) -> Array:
        """Density of h∞ at h > 0. Source: vanrossem2024 eq. (48)."""
        h = np.asarray(h, dtype=float)
        positive = h > 0
        safe = np.where(positive, h, 1.0)
        bell = np.exp(-0.5 * self._score(safe) ** 2) / np.sqrt(2 * np.pi)
        return np.where(positive, bell * (1 + self.low**2 / safe**2) / self.spread_high, 0.0)

    def quantile(self, share: object) -> Array:
        """The distance below which the given share of starts end."""
        share = np.asarray(share, dtype=float)
        if np.any((share < 0) | (share > 1)):
            raise ValueError(f"share goes from {share.min():g} to {share.max():g}; shares lie between 0 and 1.")
        return final_distance(self.mean_high + self.spread_high * scipy.special.ndtri(share), self.low)

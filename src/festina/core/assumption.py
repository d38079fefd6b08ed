"""An assumption of a theory, measured: its value, its bound, and the error where it does not hold.

One of them is measured on starts nearby: how far from the own start they lead, and whether a tie decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from festina.checks.shapes import Losses, Times
from festina.storage.description import Storable

APART = 0.05
"""Mean difference of outputs over time, relative to the targets, above which starts nearby learn something else."""


@dataclass(frozen=True)
class Assumption(Storable):
    """An assumption of a result, measured as a number: it holds when ``measured <= bound``.

    Args:
        name: one word or two, e.g. ``"alignment"``.
        statement: what is assumed.
        measured: the distance from the assumption; 0 means that it holds exactly.
        bound: the largest distance at which the result is still what it claims to be.
        quantity: what the measured number is, e.g. ``"relative distance"``.
        otherwise: what is true where the assumption does not hold, if words say this better than the number.
        needed: whether an approximate theory is of no use without it; ``fs.Reduced()`` then takes the next theory.

    Example:
        >>> import festina as fs
        >>> print(fs.Assumption("balance", "layers have equal strengths", 0.5, 1e-8, quantity="relative difference"))
        not met: layers have equal strengths (balance: relative difference 0.5, at most 1e-08)
    """

    name: str
    statement: str
    measured: float
    bound: float
    _: KW_ONLY
    quantity: str = "measured"
    otherwise: str = ""
    needed: bool = False

    @property
    def holds(self) -> bool:
        """Whether the measured distance is within the bound."""
        return bool(self.measured <= self.bound)

    @property
    def words(self) -> str:
        """The statement with its number, or what is true instead."""
        if self.otherwise:
            return self.statement if self.holds else self.otherwise
        return f"{self.statement} ({self._numbers})"

    @property
    def reason(self) -> str:
        """Why a theory does not apply: what it assumes, and what was found."""
        return f"assumes that {self.statement}{f', but {self.otherwise}' if self.otherwise else f' ({self._numbers})'}"

    @property
    def _numbers(self) -> str:
        return f"{self.name}: {self.quantity} {self.measured:.3g}, at most {self.bound:.3g}"

    def __str__(self) -> str:
        return f"{'met' if self.holds else 'not met'}: {self.words}"


class AssumptionError(ValueError):
    """A theory was used outside its assumptions.

    ``excluded`` lists every theory that was tried with the assumption that excluded it, ``assumption`` is the first of
    these; the message says what to do instead, and then the numbers.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Gaussian(1e-3))
        >>> try:
        ...     fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 1.0])
        ... except fs.AssumptionError as error:
        ...     print([(theory, assumption.name) for theory, assumption in error.excluded])
        [('decoupled modes', 'alignment'), ('λ-balanced layers', 'balance')]
    """

    def __init__(self, excluded: Sequence[tuple[str, Assumption]], instead: str, what: str = "closed form"):
        self.excluded = tuple(excluded)
        if not self.excluded:
            raise ValueError("excluded is empty; at least one pair (name of a theory, fs.Assumption) is needed.")
        self.assumption = self.excluded[0][1]
        self.instead, self.what = instead, what
        tried = "; ".join(f"the theory of {name} {a.reason}" for name, a in self.excluded)
        super().__init__(f"No {what} applies. {instead} {tried[0].upper()}{tried[1:]}.")

    def __reduce__(self) -> tuple[type[AssumptionError], tuple[object, str, str]]:
        """Pickled with what it was made of, so that it comes back from another process."""
        return type(self), (self.excluded, self.instead, self.what)


def both_sides(away: float, *weights: np.ndarray) -> list[list[np.ndarray]]:
    """Weights of two starts on opposite sides of the own ones, so that a tie lies between them."""
    draw = np.random.default_rng(0).standard_normal
    moved = [(w, away * w * draw(w.shape)) for w in weights]
    return [[w + side * by for w, by in moved] for side in (1, -1)]


def farthest(loss: Losses, others: Sequence[Losses]) -> np.ndarray:
    """Difference from that of the other losses which is farthest away, at each time."""
    errors = loss - np.array(others)
    return np.take_along_axis(errors, np.abs(errors).argmax(axis=0)[None], axis=0)[0]


def no_tie(
    outputs: np.ndarray, others: Sequence[np.ndarray], targets: np.ndarray, times: Times, away: float
) -> Assumption:
    """Whether starts nearby learn the same outputs (times, points, outputs), which they do not where a tie decides."""
    size = np.sqrt((targets**2).mean()) or 1.0
    apart = [np.sqrt(((other - outputs) ** 2).mean(axis=(1, 2))) for other in others]
    measured = float(max(np.trapezoid(a, times) for a in apart) / (np.ptp(times) or 1.0) / size)
    statement = f"no tie decides which unit comes first: starts that differ by {away:g} learn the same outputs"
    return Assumption("no tie", statement, measured, APART, quantity="mean difference relative to the targets")

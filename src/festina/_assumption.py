"""An assumption of a theory, measured: its value, its bound, and the error where it does not hold."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Assumption:
    """What a result rests on, as a number: it holds when ``measured <= bound``.

    Args:
        name: one word or two, e.g. ``"alignment"``.
        statement: what is assumed and how the number is measured.
        measured: the distance from the assumption; 0 means that it holds exactly.
        bound: the largest distance at which the result is still what it claims to be.

    Example:
        >>> import festina as fs
        >>> fs.Assumption("balance", "layers have equal strengths", 1e-16, 1e-8).holds
        True
    """

    name: str
    statement: str
    measured: float
    bound: float

    @property
    def holds(self) -> bool:
        """Whether the measured distance is within the bound."""
        return bool(self.measured <= self.bound)

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "does not hold"
        return f"{self.name} {verdict}: {self.statement}; measured {self.measured:.3g}, bound {self.bound:.3g}"


class AssumptionError(ValueError):
    """A theory was used outside its assumptions.

    ``assumption`` is the measured assumption; the message says the number and the alternative.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Gaussian(1e-3))
        >>> try:
        ...     fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 1.0])
        ... except fs.AssumptionError as error:
        ...     print(error.assumption.name, "does not hold")
        alignment does not hold
    """

    def __init__(self, assumption: Assumption, instead: str):
        self.assumption = assumption
        self.instead = instead
        super().__init__(f"{assumption}. {instead}")


def require(assumptions: Iterable[Assumption], instead: str) -> None:
    """Raise ``AssumptionError`` for the first assumption that does not hold."""
    for assumption in assumptions:
        if not assumption.holds:
            raise AssumptionError(assumption, instead)

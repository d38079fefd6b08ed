"""An assumption of a theory, measured: its value, its bound, and the error where it does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festina.storage.description import Storable


@dataclass(frozen=True)
class Assumption(Storable):
    """An assumption of a result, measured as a number: it holds when ``measured <= bound``.

    Args:
        name: one word or two, e.g. ``"alignment"``.
        statement: what is assumed and how the number is measured.
        measured: the distance from the assumption; 0 means that it holds exactly.
        bound: the largest distance at which the result is still what it claims to be.
        needed: whether an approximate theory is of no use without it; ``fs.Reduced()`` then takes the next theory.

    Example:
        >>> import festina as fs
        >>> fs.Assumption("balance", "layers have equal strengths", 1e-16, 1e-8).holds
        True
    """

    name: str
    statement: str
    measured: float
    bound: float
    needed: bool = False

    @property
    def holds(self) -> bool:
        """Whether the measured distance is within the bound."""
        return bool(self.measured <= self.bound)

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "does not hold"
        return f"{self.name} {verdict}: {self.statement}; measured {self.measured:.3g}, bound {self.bound:.3g}"


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
        tried = "; ".join(
            f"the theory of {name} requires that {a.statement}: "
            f"measured {a.measured:.3g}, bound {a.bound:.3g} ({a.name})"
            for name, a in self.excluded
        )
        super().__init__(f"No {what} applies. {instead} {tried[0].upper()}{tried[1:]}.")

    def __reduce__(self) -> tuple[type[AssumptionError], tuple[object, str, str]]:
        """Pickled with what it was made of, so that it comes back from another process."""
        return type(self), (self.excluded, self.instead, self.what)

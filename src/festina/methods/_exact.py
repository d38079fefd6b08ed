"""The closed form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from festina.checks import check
from festina.checks.shapes import Times
from festina.core.assumption import Assumption, AssumptionError
from festina.core.method import Method, Run
from festina.core.network import Network
from festina.core.task import Task
from festina.core.theory import Start, Theory
from festina.methods._alternating import theories_of
from festina.methods._run_theory import run_theory, working


@dataclass(frozen=True, repr=False)
class Exact(Method):
    """The network's closed-form solution. Exact means exact: if no theory's assumptions hold, it raises an error.

    Args:
        theory: the theory to use, or its name as ``fs.theories(network, task)`` prints it; None takes the first exact
            one of ``network.theories`` whose assumptions hold.

    Raises:
        AssumptionError: no exact theory applies; lists every theory that was tried with the number that excluded it.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Aligned(1e-3))
        >>> end = fs.evolve(network, fs.tasks.hierarchy(levels=2), None, method=fs.Exact(), observe="strengths")
        >>> end.strengths.round(3)
        array([[2.646, 1.732, 1.   , 1.   ]])
    """

    kind: ClassVar[Literal["trained", "predicted"]] = "predicted"
    optional: ClassVar[bool] = True

    theory: Theory | str | None = None

    def __post_init__(self) -> None:
        check_theory(self.theory)

    def run(
        self, network: Network, task: Task, times: Times | None, starts: Sequence[Start], observe: Sequence[str]
    ) -> Run:
        """Evaluate the closed form at all times at once."""
        listed = [t for t in network.theories if t.exact] if self.theory is None else [named(self.theory, network)]
        if not listed:
            raise ValueError(f"{type(network).__name__} has no closed form; use method={working(network)}.")

        def choose(start: Start) -> tuple[Theory, tuple[Assumption, ...]]:
            excluded = []
            for theory in listed:
                assumptions = theory.measured(network, task, start)
                failing = next((a for a in assumptions if not a.holds), None)
                if failing is None:
                    return theory, assumptions
                excluded.append((theory.name, failing))
            raise AssumptionError(excluded, f"Use method={working(network, exact=False)}.")

        return run_theory(choose, network, task, times, starts, observe, "Exact()")


def check_theory(theory: object) -> None:
    """Raise where something that is neither a theory nor a name was given as one."""
    if theory is not None and not isinstance(theory, Theory | str):
        raise ValueError(
            f"theory is {theory!r}; the name of a theory as fs.theories(network, task) prints it, a theory such as one "
            "of network.theories, or None for the first that applies, is needed."
        )


def named(theory: Theory | str, network: Network) -> Theory:
    """The theory itself, or the one of the network that has this name; those of other networks are refused."""
    known = {one.name: one for one in theories_of(network)}
    if isinstance(theory, Theory):
        if not theory.suits(network):
            own = f"its theories are {', '.join(map(repr, known))}" if known else "it has no theory"
            raise ValueError(
                f"theory is {theory!r} ({theory.name}), which is not for {network!r}: {own}. Use one of its own or "
                f"method={working(network)}. A theory of yours says which networks it is for in Theory.suits."
            )
        return theory
    if not known:
        raise ValueError(f"theory is {theory!r}; {network!r} has no theory: use method={working(network)}.")
    return known[check.known("theory", theory, known)]

"""The closed form, and what it shares with the reduction: how a theory is chosen, and how it is run."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times
from festina.core import Assumption, AssumptionError, Method, Network, Run, Solution, Start, Task, Theory
from festina.core.network import stack
from festina.core.observations import AREA, relative_error
from festina.methods._alternating import theories_of
from festina.methods._early import early_phase
from festina.methods._lazy import Lazy
from festina.runtime.progress import track

LARGEST_ERROR = 0.1
"""Estimated error above which a prediction warns: a curve that is off by a tenth of its area looks different."""


def select_observables(
    names: Sequence[str], known: Mapping[str, object], method: str, network: Network
) -> tuple[str, ...]:
    """The names to record: all that are asked for, and those with a question mark that this method can give."""
    found = []
    for name in names:
        plain = name.removesuffix("?")
        if plain in known:
            found.append(plain)
        elif plain == name:
            raise ValueError(
                f"observe holds {name!r}; with {method} {type(network).__name__} gives: {', '.join(sorted(known))}."
            )
    return tuple(dict.fromkeys(found))


def theories_for(network: Network, task: Task, start: Start) -> tuple[Theory, ...]:
    """The theories of a network on a task: an early phase where none but the lazy limit is for the task's loss."""
    listed = theories_of(network, start)
    special = tuple(theory for theory in listed if not isinstance(theory, Lazy))
    if any(theory.losses is None or task.loss.name in theory.losses for theory in special):
        return listed
    early = early_phase(network, task, start)
    return listed if early is None else (*special, early, *listed[len(special) :])


def working(network: Network, *, exact: bool = True) -> str:
    """The methods that work for a network, as words for errors; without the closed form where ``exact`` is False."""
    names = ["fs.Exact()"] if exact and any(t.exact for t in theories_of(network)) else []
    names += ["fs.Reduced()"] if any(not t.exact for t in theories_of(network)) else []
    return ", ".join([*names, "fs.Flow()"]) + " or fs.Train(rate=...)"


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


Chosen = tuple[Theory, tuple[Assumption, ...]]
"""A theory and its assumptions, as measured on a start."""


@dataclass(frozen=True, repr=False)
class ByTheory(Method):
    """A method that runs the given theory, or else the first of a network's whose assumptions hold."""

    kind: ClassVar[Literal["trained", "predicted"]] = "predicted"
    optional: ClassVar[bool] = True

    theory: Theory | str | None = None

    def __post_init__(self) -> None:
        if self.theory is not None and not isinstance(self.theory, Theory | str):
            raise ValueError(
                f"theory is {self.theory!r}; the name of a theory as fs.theories(network, task) prints it, a theory "
                "such as one of network.theories, or None for the first that applies, is needed."
            )

    def _choose(self, start: Start, listed: Sequence[Theory], what: str, instead: str) -> Chosen:
        """The first of the theories that no assumption excludes on this start."""
        excluded = []
        for theory in listed:
            assumptions = theory.measured(start.network, start.task, start)
            failing = next((a for a in assumptions if not a.holds and self._excludes(theory, a)), None)
            if failing is None:
                return theory, assumptions
            excluded.append((theory.name, failing))
        raise AssumptionError(excluded, instead, what)

    def _excludes(self, theory: Theory, assumption: Assumption) -> bool:
        """Whether a theory cannot be run where this assumption does not hold."""
        return True


@dataclass(frozen=True, repr=False)
class Exact(ByTheory):
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

    def run(
        self, network: Network, task: Task, times: Times | None, starts: Sequence[Start], observe: Sequence[str]
    ) -> Run:
        """Evaluate the closed form at all times at once."""
        listed = [t for t in network.theories if t.exact] if self.theory is None else [named(self.theory, network)]
        if not listed:
            raise ValueError(f"{type(network).__name__} has no closed form; use method={working(network)}.")

        def choose(start: Start) -> Chosen:
            return self._choose(start, listed, "closed form", f"Use method={working(network, exact=False)}.")

        return run_theory(choose, network, task, times, starts, observe, "Exact()")


def run_theory(
    choose: Callable[[Start], Chosen], network: Network, task: Task, times: Times | None, starts: Sequence[Start],
    observe: Sequence[str], method: str,
) -> Run:  # fmt: skip
    """Run the theory that is chosen for each start; the assumption reported is the worst over seeds."""
    at = np.array([np.inf]) if times is None else times
    values, solved, measured, used = [], [], [], []
    for start in track(list(starts), method):
        theory, assumptions = choose(start)
        found = theory.solve(network, task, start, at)
        known = {**found.observables, **found.static}
        values.append({name: known[name]() for name in select_observables(observe, known, method, network)})
        solved.append(found)
        measured.append(assumptions)
        used.append(theory)
    stacked = {name: stack([v[name] for v in values]) for name in values[0] if all(name in v for v in values)}
    errors = [None if found.error is None else cache(found.error) for found in solved]
    if times is not None and solved[0].quick and errors[0] is not None and "loss" in values[0]:
        size = float(relative_error(values[0]["loss"], errors[0](), at))
        if not size <= LARGEST_ERROR:
            percent = f"{size:.0%}" if size < 1 else "more than 100%"
            reason = solved[0].notes.get("no_estimate") or f"has an estimated error of {percent} ({AREA})"
            warnings.warn(_warning(used[0], measured[0], reason, network, task, starts[0]), stacklevel=5)
    elif network.noisy and isinstance(used[0], Lazy):
        reason = "leaves out that units are dropped at random, so that its error is unknown"
        warnings.warn(f"the theory {used[0].name!r} {reason}. fs.Train(rate=...) trains with it.", stacklevel=5)
    return Run(
        {name: value for name, value in stacked.items() if name not in solved[0].static},
        at,
        static={name: value for name, value in stacked.items() if name in solved[0].static},
        assumptions=_worst([a for assumptions in measured for a in assumptions]),
        sources=tuple(dict.fromkeys(key for theory in used for key in theory.sources)),
        unit=solved[0].unit,
        notes={"theory": used[0].name, **solved[0].notes},
        error=_call(errors, np.stack),
        paths=_call([found.path for found in solved]),
        ends=_call([found.end or _last(found) for found in solved]),
        predicts=tuple(found.predict for found in solved if found.predict is not None),
    )


def _warning(
    theory: Theory, assumptions: Sequence[Assumption], known: str, network: Network, task: Task, start: Start
) -> str:
    """Known error, violated assumption, and a better alternative with its cost."""
    failing = max((a for a in assumptions if not a.holds), key=lambda a: (a.needed, a.measured - a.bound), default=None)
    why = "" if failing is None else (f" It {failing.reason}.")
    others = [t for t in theories_of(network, start) if not t.exact and t.name != theory.name]
    better = next((t for t in others if all(a.holds for a in t.measured(network, task, start))), None)
    instead = "fs.Flow()" if better is None else f"fs.Reduced({better.name!r})"
    return (
        f"the theory {theory.name!r} {known}.{why} Use method={instead}, which "
        "integrates the weights and costs about as much as this estimate."
    )


def _worst(measured: Sequence[Assumption]) -> tuple[Assumption, ...]:
    """The assumption that is farthest from being met, of several of one name."""
    names = dict.fromkeys(a.name for a in measured)
    return tuple(max((a for a in measured if a.name == name), key=lambda a: a.measured) for name in names)


def _last(found: Solution) -> Callable[[], Any] | None:
    path = found.path
    return None if path is None else lambda: path()[-1]


def _call(functions: Sequence[Callable[[], object] | None], join: Callable[[Any], Any] = list) -> Any:
    """One function that joins the results of all; None if one is missing."""
    present = [function for function in functions if function is not None]
    return None if len(present) < len(functions) else lambda: join([function() for function in present])

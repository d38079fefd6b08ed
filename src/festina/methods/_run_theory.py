"""How theories are run."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from festina.checks.shapes import Times
from festina.core.assumption import Assumption
from festina.core.method import Run
from festina.core.network import Network
from festina.core.observations import AREA, relative_error
from festina.core.stack import stack
from festina.core.task import Task
from festina.core.theory import Solution, Start, Theory
from festina.methods._alternating import theories_of
from festina.methods._early import early_phase
from festina.methods._lazy import Lazy
from festina.runtime.progress import track

LARGEST_ERROR = 0.1
"""Estimated error above which a prediction warns: a curve that is off by a tenth of its area looks different."""


def select_observables(
    names: Sequence[str], known: Mapping[str, object], method: str, network: Network
) -> tuple[str, ...]:
    """The names to record: all that are asked for, and those with a question mark that this method can give.

    Raises:
        ValueError: a name without a question mark that is not known.
    """
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


def run_theory(
    choose: Callable[[Start], tuple[Theory, tuple[Assumption, ...]]],
    network: Network,
    task: Task,
    times: Times | None,
    starts: Sequence[Start],
    observe: Sequence[str],
    method: str,
) -> Run:
    """Run the theory that is chosen for each start; the assumption reported is the worst over seeds."""
    at = np.array([np.inf]) if times is None else times
    values, static, solved, measured, used = [], [], [], [], []
    for start in track(list(starts), method):
        theory, assumptions = choose(start)
        found = theory.solve(network, task, start, at)
        wanted = select_observables(observe, {**found.observables, **found.static}, method, network)
        values.append({name: found.observables[name]() for name in wanted if name in found.observables})
        static.append({name: found.static[name]() for name in wanted if name in found.static})
        solved.append(found)
        measured.append(assumptions)
        used.append(theory)
    errors = [None if found.error is None else cache(found.error) for found in solved]
    if times is not None and solved[0].quick and errors[0] is not None and "loss" in values[0]:
        size = float(relative_error(values[0]["loss"], errors[0](), at))
        if not size <= LARGEST_ERROR:
            known = solved[0].notes.get("no_estimate") or f"has an estimated error of {_percent(size)} ({AREA})"
            warnings.warn(_warning(used[0], measured[0], known, network, task, starts[0]), stacklevel=5)
    elif network.noisy and isinstance(used[0], Lazy):
        known = "leaves out that units are dropped at random, so that its error is unknown"
        warnings.warn(f"the theory {used[0].name!r} {known}. fs.Train(rate=...) trains with it.", stacklevel=5)
    return Run(
        {name: stack([v[name] for v in values]) for name in values[0] if all(name in v for v in values)},
        at,
        static={name: stack([v[name] for v in static]) for name in static[0] if all(name in v for v in static)},
        assumptions=_worst(measured),
        sources=tuple(dict.fromkeys(key for theory in used for key in theory.sources)),
        unit=solved[0].unit,
        notes={"theory": used[0].name, **solved[0].notes},
        error=_stacked(errors),
        paths=_call([found.path for found in solved]),
        ends=_call([found.end or _last(found) for found in solved]),
        predicts=tuple(found.predict for found in solved if found.predict is not None),
    )


def _percent(size: float) -> str:
    return f"{size:.0%}" if size < 1 else "more than 100%"


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


def _worst(measured: list[tuple[Assumption, ...]]) -> tuple[Assumption, ...]:
    worst: dict[str, Assumption] = {}
    for assumption in (a for group in measured for a in group):
        if assumption.name not in worst or assumption.measured > worst[assumption.name].measured:
            worst[assumption.name] = assumption
    return tuple(worst.values())


def _last(found: Solution) -> Callable[[], Any] | None:
    path = found.path
    return None if path is None else lambda: path()[-1]


def _stacked(errors: Sequence[Callable[[], np.ndarray] | None]) -> Callable[[], np.ndarray] | None:
    """One function that gives the errors of all seeds; None if one is missing."""
    each = _call(errors)
    return None if each is None else lambda: np.stack(each())


def _call(functions: Sequence[Callable[[], object] | None]) -> Callable[[], list[Any]] | None:
    """One function that calls them all; None if one is missing."""
    present = [function for function in functions if function is not None]
    return None if len(present) < len(functions) else lambda: [function() for function in present]

"""What every method offers, and how theories are run."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from festina._assumption import Assumption
from festina._brief import brief
from festina._network import Network
from festina._progress import track
from festina._stack import stack
from festina._task import Task
from festina._theory import Solution, Start, Theory
from festina._types import Times


@dataclass(frozen=True, eq=False)
class Run:
    """Outcome of a method: every observed array with a leading seed axis.

    Args:
        values: arrays (seeds, times, …) by name.
        times: the times the values belong to; training moves them onto whole steps.
        static: arrays (seeds, …) that do not change in time.
        error: gives the estimated loss error, predicted minus true, (seeds, times), when it is asked for; None where
            the method has none.
        paths: gives the weights at each time, one sequence per seed; None where they are not known.
        ends: gives the weights at the last time, one per seed, from which a next task goes on.

    Example:
        >>> import numpy as np
        >>> from festina.methods import Run
        >>> Run({"loss": np.ones((1, 2))}, np.array([0.0, 1.0])).unit
        'flow time'
    """

    values: Mapping[str, Any]
    times: Times
    static: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    assumptions: tuple[Assumption, ...] = field(default=(), kw_only=True)
    sources: tuple[str, ...] = field(default=(), kw_only=True)
    unit: str = field(default="flow time", kw_only=True)
    notes: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    error: Callable[[], np.ndarray] | None = field(default=None, kw_only=True)
    paths: Callable[[], Sequence[Sequence[Any]]] | None = field(default=None, kw_only=True)
    ends: Callable[[], Sequence[Any]] | None = field(default=None, kw_only=True)


class Method(ABC):
    """Base of the methods: frozen settings and one verb, ``run``.

    Example:
        >>> import numpy as np, festina as fs
        >>> from festina.methods import Method, Run
        >>> class Untrained(Method):
        ...     def run(self, network, task, times, starts, observe):
        ...         watch = network.observables(network.context(task))
        ...         seen = {name: np.array([[watch[name](s.weights)] * len(times) for s in starts]) for name in observe}
        ...         return Run(seen, times)
        >>> network = fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.1))
        >>> fs.evolve(network, fs.tasks.items(4), [0.0, 9.0], method=Untrained()).loss.round(2)
        array([1.51, 1.51])
    """

    observes_weights: ClassVar[bool] = False
    """Whether the method follows the weights themselves and observes them through ``network.observables``."""

    @abstractmethod
    def run(
        self, network: Network, task: Task, times: Times | None, starts: Sequence[Start], observe: Sequence[str]
    ) -> Run:
        """The values of ``observe`` at ``times`` (None: the limit t → ∞) from each start."""

    def __repr__(self) -> str:
        return brief(self)


def check_observables(names: Sequence[str], known: Mapping[str, object], method: str, network: Network) -> None:
    """Raise where a name is not among what this method can give for this network."""
    for name in names:
        if name not in known:
            raise ValueError(
                f"observe holds {name!r}; with {method} {type(network).__name__} gives: {', '.join(sorted(known))}."
            )


def working(network: Network) -> str:
    """The methods that work for a network, as a sentence for errors."""
    names = [] if not any(t.exact for t in network.theories) else ["fs.Exact()"]
    names += ["fs.Race()"] if any(not t.exact for t in network.theories) else []
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
        check_observables(observe, {**found.observables, **found.static}, method, network)
        values.append({name: found.observables[name]() for name in observe if name in found.observables})
        static.append({name: found.static[name]() for name in observe if name in found.static})
        solved.append(found)
        measured.append(assumptions)
        used.append(theory)
    return Run(
        {name: stack([v[name] for v in values]) for name in values[0]},
        at,
        static={name: stack([v[name] for v in static]) for name in static[0]},
        assumptions=_worst(measured),
        sources=tuple(dict.fromkeys(key for theory in used for key in theory.sources)),
        unit=solved[0].unit,
        notes={"theory": used[0].name, **solved[0].notes},
        error=_stacked([found.error for found in solved]),
        paths=_call([found.path for found in solved]),
        ends=_call([found.end or _last(found) for found in solved]),
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


def _stacked(errors: list[Callable[[], np.ndarray] | None]) -> Callable[[], np.ndarray] | None:
    """One function that gives the errors of all seeds; None where one is missing."""
    each = _call(errors)
    return None if each is None else lambda: np.stack(each())


def _call(functions: Sequence[Callable[[], object] | None]) -> Callable[[], list[Any]] | None:
    """One function that calls them all; None where one is missing."""
    present = [function for function in functions if function is not None]
    return None if len(present) < len(functions) else lambda: [function() for function in present]

"""What every method offers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina._assumption import Assumption
from festina._network import Network, Solution, brief
from festina._progress import track
from festina._task import Task
from festina._types import Times


@dataclass(frozen=True, eq=False)
class Run:
    """Outcome of a method: every observed array with a leading seed axis.

    ``times`` are the times the values belong to (training moves them onto whole steps, which are then in ``notes``).
    """

    values: Mapping[str, Any]
    times: Times
    assumptions: tuple[Assumption, ...] = ()
    citations: tuple[str, ...] = ()
    unit: str = "flow time"
    notes: Mapping[str, Any] = field(default_factory=dict)


class Method(ABC):
    """Base of the methods: frozen settings and one verb, ``run``."""

    @abstractmethod
    def run(
        self, network: Network, task: Task, times: Times | None, seeds: Sequence[int], observe: Sequence[str]
    ) -> Run:
        """The values of ``observe`` at ``times`` (None: the limit t → ∞) for each seed."""

    def __repr__(self) -> str:
        return brief(self)


def pick(name: str, known: Mapping[str, Callable[..., Any]], method: str) -> Callable[..., Any]:
    """The observable of that name, or an error that lists what this method can give for this network."""
    if name not in known:
        raise ValueError(f"observe holds {name!r}; with {method} this network gives: {', '.join(sorted(known))}.")
    return known[name]


def stack(parts: Sequence[Any]) -> Any:
    """Join observations along a new leading axis; layer-wise observables stay tuples."""
    if isinstance(parts[0], tuple):
        return tuple(np.stack(layer) for layer in zip(*parts, strict=True))
    return np.stack(parts)


def solve(
    solution: Callable[[int], Solution],
    times: Times,
    seeds: Iterable[int],
    observe: Sequence[str],
    method: str,
) -> Run:
    """Run a theory seed by seed; the assumption reported is the worst over seeds."""
    values: list[dict[str, Any]] = []
    found: list[Solution] = []
    for seed in track(list(seeds), method):
        found.append(solution(seed))
        values.append({name: pick(name, found[-1].observables, method)() for name in observe})
    worst = tuple(max(group, key=lambda a: a.measured) for group in zip(*(f.assumptions for f in found), strict=True))
    joined = {name: stack([v[name] for v in values]) for name in observe}
    return Run(joined, times, worst, found[0].citations, found[0].unit)

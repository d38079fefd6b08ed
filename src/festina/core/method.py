"""Base class of all methods: frozen settings, one verb, and the result of a run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from festina.checks.shapes import Times
from festina.core.assumption import Assumption
from festina.core.display import brief
from festina.core.network import Network
from festina.core.task import Task
from festina.core.theory import Start
from festina.storage.description import Storable


@dataclass(frozen=True, eq=False)
class Run:
    """Outcome of a method: every observed array with a leading seed axis.

    Args:
        values: arrays (seeds, times, …) by name.
        times: the times the values belong to; training moves them onto whole steps.
        static: arrays (seeds, …) that do not change in time.
        error: gives the estimated loss error, predicted minus true, (seeds, times), when it is asked for; None if
            the method has none.
        paths: gives the weights at each time, one sequence per seed; None if they are not known.
        ends: gives the weights at the last time, one per seed, from which a next task goes on.
        predicts: for each seed, a function that gives the outputs at the i-th time and inputs x, if they do not follow
            from ``paths``.

    Example:
        >>> import numpy as np
        >>> from festina.core import Run
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
    predicts: tuple[Callable[[int, Any], np.ndarray], ...] = field(default=(), kw_only=True)


class Method(Storable, ABC):
    """Base of the methods: frozen settings and one verb, ``run``.

    Example:
        >>> import numpy as np, festina as fs
        >>> from festina.core import Method, Run
        >>> class Untrained(Method):
        ...     def run(self, network, task, times, starts, observe):
        ...         watch = network.observables(network.context(task))
        ...         seen = {name: np.array([[watch[name](s.weights)] * len(times) for s in starts]) for name in observe}
        ...         return Run(seen, times)
        >>> network = fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.1))
        >>> fs.evolve(network, fs.tasks.living_things(4), [0.0, 9.0], method=Untrained()).loss.round(2)
        array([1.51, 1.51])
    """

    kind: ClassVar[Literal["trained", "predicted"]] = "trained"
    """How its curves are drawn: as those of a trained network, or of a theory."""

    observes_weights: ClassVar[bool] = False
    """Whether the method follows the weights themselves and observes them through ``network.observables``."""

    optional: ClassVar[bool] = False
    """Whether ``run`` takes names that end in a question mark, and leaves out those that it cannot observe."""

    def rate_on(self, task: Task) -> float | None:
        """Flow time of a step of descent on this task; None if the method takes no steps."""
        return getattr(self, "rate", None)

    def settled(self, rate: float | None, times: Times | None) -> Method:
        """The method with all that depends on the task and the times of a run; by default the method itself."""
        return self

    @abstractmethod
    def run(
        self, network: Network, task: Task, times: Times | None, starts: Sequence[Start], observe: Sequence[str]
    ) -> Run:
        """The values of ``observe`` at ``times`` (None: the limit t → ∞) from each start."""

    def __repr__(self) -> str:
        return brief(self)

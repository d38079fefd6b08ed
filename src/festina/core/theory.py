"""Base class of all theories: assumptions that are measured, and a solution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core.assumption import Assumption
from festina.core.display import brief
from festina.core.task import Task
from festina.storage.description import Storable

if TYPE_CHECKING:
    from festina.core.network import Network


@dataclass(frozen=True, eq=False)
class Start:
    """Start of one seed: the weights that the network's rule draws, or those an earlier task left.

    Example:
        >>> import festina as fs
        >>> network, task = fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.1)), fs.tasks.living_things(4)
        >>> [w.shape for w in Start(network, task, seed=0).weights]
        [(4, 4), (7, 4)]
    """

    network: Network
    task: Task
    seed: int = 0
    carried: Any = None
    measured: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def drawn(self) -> bool:
        """Whether the weights are those that the network's rule draws for this seed."""
        return self.carried is None

    @cached_property
    def weights(self) -> Any:
        """The weights themselves."""
        return self.network.start(self.task, self.seed) if self.drawn else self.carried

    def recall(self, name: str, measure: Callable[[], object]) -> Any:
        """The measurement of that name on these weights, which is made once."""
        if name not in self.measured:
            self.measured[name] = measure()
        return self.measured[name]


@dataclass(frozen=True, eq=False)
class Solution:
    """Solution of a theory for one seed; each observable is computed when it is asked for.

    Args:
        observables: by name, functions without arguments that give arrays (times, …).
        static: the same for what does not change in time.
        unit: the unit of time.
        notes: further facts, as numbers, text and lists of them.
        error: gives an estimate of the loss error at each time, predicted minus true; None if it is exact.
        conditions: gives assumptions that can only be measured on the solution; ``fs.theories(..., errors=True)``
            measures them.
        quick: whether that estimate costs little, so that ``fs.evolve`` makes it at once and warns above 10 %.
        path: gives the weights at each time, from which the losses of other tasks and the start of a next one follow;
            weights that no observable can tell from the true ones are enough.
        end: the same at the last time only, where the others are not known.
        predict: outputs at the i-th time and inputs x, where they are not those of the network at the weights of
            ``path``.

    Example:
        >>> import numpy as np, festina as fs
        >>> fs.Solution({"loss": lambda: np.array([1.0, 0.5])}).observables["loss"]()
        array([1. , 0.5])
    """

    observables: Mapping[str, Callable[[], Any]]
    static: Mapping[str, Callable[[], Any]] = field(default_factory=dict, kw_only=True)
    unit: str = field(default="flow time", kw_only=True)
    notes: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    error: Callable[[], np.ndarray] | None = field(default=None, kw_only=True)
    conditions: Callable[[], tuple[Assumption, ...]] | None = field(default=None, kw_only=True)
    quick: bool = field(default=False, kw_only=True)
    path: Callable[[], Sequence[Any]] | None = field(default=None, kw_only=True)
    end: Callable[[], Any] | None = field(default=None, kw_only=True)
    predict: Callable[[int, Any], np.ndarray] | None = field(default=None, kw_only=True)


class Theory(Storable, ABC):
    """Base of all theories: a name, a source, assumptions that are measured, and a solution.

    A theory is a frozen dataclass whose fields are its settings. A network lists its theories in ``theories``;
    ``fs.Exact()`` takes the first exact one whose assumptions hold, ``fs.Reduced()`` the first approximate one whose
    needed assumptions hold. A theory that no network lists says in ``suits`` which networks it is for, and is run by
    ``fs.Exact(theory)`` or ``fs.Reduced(theory)``.

    Example:
        >>> import numpy as np, festina as fs
        >>> class Constant(fs.Theory):
        ...     name, exact, sources = "nothing is learned", False, ()
        ...     def suits(self, network):
        ...         return isinstance(network, fs.DeepLinear)
        ...     def assumptions(self, network, task, start):
        ...         drive = float(np.abs(task.statistics.cross_correlation).max())
        ...         return (fs.Assumption("no drive", "the largest entry of Σyx is zero", drive, 0.0),)
        ...     def solve(self, network, task, start, times):
        ...         return fs.Solution({"loss": lambda: np.full(len(times), task.statistics.power / 2)})
        >>> network = fs.DeepLinear((4,), initial=fs.initial.Gaussian(1e-3))
        >>> run = fs.evolve(network, fs.tasks.living_things(4), [0.0, 1.0], method=fs.Reduced(Constant()))
        >>> run.assumptions[0].holds
        False
    """

    name: ClassVar[str]
    """The name of the theory in tables and errors."""

    exact: ClassVar[bool]
    """Whether the solution is exact wherever all assumptions hold; otherwise it is an approximation."""

    sources: ClassVar[tuple[str, ...]] = ()
    """Keys of the sources in ``references.bib``."""

    losses: ClassVar[tuple[str, ...] | None] = ("squared",)
    """Names of the losses that it is for; None is any loss."""

    def suits(self, network: Network) -> bool:
        """Whether this is a theory of that network; by default, whether the network lists it.

        ``fs.Exact(theory)`` and ``fs.Reduced(theory)`` refuse any other network before anything is measured.
        """
        return any(isinstance(self, type(listed)) for listed in network.theories)

    @abstractmethod
    def assumptions(self, network: Any, task: Task, start: Start) -> tuple[Assumption, ...]:
        """The assumptions of the theory, measured for this network, task and start."""

    @abstractmethod
    def solve(self, network: Any, task: Task, start: Start, times: Times) -> Solution:
        """The solution at these times (``[inf]`` is t → ∞)."""

    def coarse(self) -> Theory:
        """The same theory at the accuracy at which ``fs.theories`` estimates its error; by default the theory
        itself."""
        return self

    def measured(self, network: Network, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Its measured assumptions; for an unsuitable loss, only the assumption that this violates."""
        if self.losses is None or task.loss.name in self.losses:
            return self.assumptions(network, task, start)
        needed = " or ".join(self.losses).replace("_", "-")
        given = f"the task's loss is {task.loss.name!r}"
        return (Assumption("loss", f"the loss is {needed}", 1.0, 0.0, otherwise=given, needed=True),)

    def __repr__(self) -> str:
        return brief(self)

"""Base class of all networks: one description, from which theory and training both follow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from festina.checks.shapes import Array, ArrayLike, Times, Tree
from festina.core.display import brief
from festina.core.loss import Loss as TaskLoss
from festina.core.loss import SquaredError
from festina.core.task import Task
from festina.runtime.device import in_double
from festina.storage.description import Storable

if TYPE_CHECKING:
    from festina.core.method import Method, Run
    from festina.core.observations import Observations
    from festina.core.theory import Start, Theory


class Data(NamedTuple):
    """The data points a loss is measured on, the constant part of the loss they leave out, and the loss itself.

    L = floor + (1/N) Σ ℓ(ŷ, y), where ℓ is ``task.loss.carried`` (None: squared error, ½‖y − ŷ‖²). For a linear network
    and squared error x and y are at most ``inputs`` points that have the same correlations. ``x`` may be a tuple of
    arrays where a network takes more than the inputs.
    """

    x: Any
    y: Array
    count: float
    floor: float = 0.0
    loss: TaskLoss | None = None


@dataclass(frozen=True)
class Fresh:
    """A batch of fresh data points from the generator of a task; with a column of ones where ``biased``."""

    draw: Callable[[Any, int], tuple[Any, Array]]
    biased: bool = False

    def __call__(self, key: Array, batch: int, context: Context) -> Data:
        """``batch`` points drawn with the key."""
        import jax.numpy as jnp

        x, y = self.draw(key, batch)
        return Data(jnp.column_stack([x, jnp.ones(batch, x.dtype)]) if self.biased else x, y, float(batch))


Context = dict[str, Any]
"""All arrays that training and observables need: ``"data"`` (``Data``) and what a network adds; no array is baked into
compiled code, so that tasks of equal shape share one compilation."""

Loss = Callable[[Any, Any, Any], Array]
"""``loss(weights, data, key)``: a number; ``key`` is None if nothing is drawn."""

Forward = Callable[[Any, Any], Array]
"""A forward pass ``(weights, x) -> outputs``."""

Observables = Callable[[Context], Mapping[str, Callable[[Any], Any]]]
"""``observables(context)[name](weights)``."""


KNOWN_POINTS = "fs.DeepLinear, fs.LinearAttention, the networks of fs.behaviour and those that say what their units are"
"""Networks whose stationary points are known."""


SQUARED = SquaredError()
"""The loss of data that carry none."""


def mean_loss(predict: Forward, weights: Tree, data: Data) -> Array:
    """L = floor + (1/N) Σ ℓ(ŷ, y) by the loss of the data; squared error has ℓ = ½ ‖y − ŷ‖²."""
    loss = SQUARED if data.loss is None else data.loss
    return data.floor + loss.total(predict(weights, data.x), data.y) / data.count


@dataclass(frozen=True)
class MeanLoss:
    """The mean loss of a forward pass, as training takes it; nothing is drawn, so the key is left alone."""

    predict: Forward

    def __call__(self, weights: Tree, data: Data, key: object = None) -> Array:
        """L = floor + (1/N) Σ ℓ(ŷ, y)."""
        return mean_loss(self.predict, weights, data)


@dataclass(frozen=True)
class BasicObservables:
    """Observables of any network: ``loss``, ``outputs`` and ``weights``, one array per leaf."""

    loss: Callable[[Any, Data, Any], Array]
    predict: Forward

    def __call__(self, context: Context) -> Mapping[str, Callable[[Any], Any]]:
        """The observables on these data."""
        return {
            "loss": lambda weights: self.loss(weights, context["data"], None),
            "outputs": lambda weights: self.predict(weights, context["data"].x),
            "weights": leaves,
        }


def leaves(weights: Tree) -> tuple[Array, ...]:
    """The arrays of a tree of weights, in the order of JAX."""
    import jax

    return tuple(jax.tree.leaves(weights))


class Network(Storable, ABC):
    """Base of all networks: frozen descriptions without weights; weights come from ``start``.

    Your own network says where it starts and what it computes; ``fs.evolve`` then trains it by ``fs.Train`` and
    integrates its gradient flow by ``fs.Flow``. Its weights are arrays in any nesting that JAX knows: tuples,
    dictionaries, equinox modules. The functions that it gives as ``predict`` (and ``loss``, ``observables``) are
    written with ``jax.numpy``, or with operators that NumPy and JAX share. A network that has theories lists them in
    ``theories``.

    Example:
        >>> import jax.numpy as jnp, numpy as np, festina as fs
        >>> def tanh_network(weights, x):
        ...     return jnp.tanh(x @ weights["in"] + weights["bias"]) @ weights["out"]
        >>> class Mine(fs.Network):
        ...     predict = property(lambda self: tanh_network)
        ...     def start(self, task, seed):
        ...         draw = np.random.default_rng(seed).normal
        ...         return {"in": draw(size=(2, 8)), "bias": np.zeros(8), "out": draw(size=(8, 1))}
        >>> task = fs.Task(x=[[0, 0], [0, 1], [1, 0], [1, 1]], y=[[0], [1], [1], [0]])
        >>> run = fs.evolve(Mine(), task, [0.0, 300.0], method=fs.Train(rate=0.1), seeds=4)
        >>> run.loss.shape, bool(run.loss[:, -1].max() < 0.01)
        ((4, 2), True)
    """

    noisy: ClassVar[bool] = False
    """Whether ``loss`` draws random numbers in training (dropout); it then gets a key that is not None."""

    learns_otherwise: ClassVar[bool] = False
    """Whether ``train`` and ``flow`` say how the network learns, because that is not descent of its loss."""

    def __repr__(self) -> str:
        return brief(self)

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes after (seed, time) of each observable; those of others are numbered."""
        return {"loss": (), "outputs": ("item", "output")}

    @abstractmethod
    def start(self, task: Task, seed: int) -> Any:
        """Initial weights on this task; the same for every method at the same seed."""

    @property
    @abstractmethod
    def predict(self) -> Forward:
        """The forward pass ``(weights, x) -> outputs``, for both NumPy and JAX; hashable, and equal for equal
        networks."""

    @property
    def loss(self) -> Callable[[Any, Data, Any], Array]:
        """Loss that training descends, ``(weights, data, key) -> number``; hashable. By default the mean loss."""
        return MeanLoss(self.predict)

    @property
    def observables(self) -> Observables:
        """Everything that can be observed of weights, by name: ``observables(context)[name](weights)``.

        For both NumPy and JAX; hashable, and equal for networks that compute the same.
        """
        return BasicObservables(self.loss, self.predict)

    @property
    def theories(self) -> tuple[Theory, ...]:
        """The theories of this network, in the order in which they are to be tried; none by default."""
        return ()

    def units(self, weights: Tree) -> Any:
        """How the weights divide into units whose contributions add up to the outputs, such as hidden units.

        For each array of the weights, in the same nesting, the axis that runs over the units. None marks an array that
        all units share, such as the bias of the outputs. Where it is given, ``fs.Reduced()`` predicts the stages in
        which the units learn (``fs.methods.AlternatingFlow``). None says that the weights do not divide into units.
        """
        return None

    @property
    def has_units(self) -> bool:
        """Whether the network says how its weights divide into units."""
        return type(self).units is not Network.units

    def stationary_points(self, task: Task, *, units: int = 1) -> Sequence[Any]:
        """Where the gradient vanishes on a task, for networks in which that is known.

        For a network that defines its units. These are minima of the network with ``units`` units, found from several
        starts, and embedded in the wide network in three ways (``fs.core.EmbeddedPoint``), each checked there. Weights
        that all units share, such as the bias of the outputs, are at their minimum too.

        Source: zhang2026 (embedded fixed points).
        """
        if not self.has_units:
            raise ValueError(f"the stationary points of {type(self).__name__} are not known; {KNOWN_POINTS} have them.")
        from festina.core.embedded_points import stationary_points

        return stationary_points(self, task, units)

    def saddle_passages(self, trajectory: Observations, *, units: int = 3, within: float = 0.05) -> list[Any]:
        """The stationary points that a trajectory passes, in order; ``trajectory.saddle_passages()`` calls it.

        For a network that defines its units. These are points with at most ``units`` units whose outputs the run
        comes near to, ``within`` a share of the size of the targets (``fs.core.EmbeddedPassage``).
        """
        if self.has_units:
            from festina.core.embedded_points import saddle_passages

            return saddle_passages(self, trajectory, units, within)
        raise ValueError(f"the saddles of {type(self).__name__} are not known; {KNOWN_POINTS} have them.")

    def saddle_distances(self, trajectory: Observations, points: Sequence[object] | None = None) -> np.ndarray:
        """Distance of a trajectory to stationary points over time; ``trajectory.saddle_distances(points)`` calls it."""
        raise ValueError(f"the stationary points of {type(self).__name__} are not known; {KNOWN_POINTS} have them.")

    def sample(self, task: Task) -> Callable[[Any, int, Context], Data] | None:
        """How a batch of fresh data is drawn, ``(key, batch, context) -> Data``, hashable; None: from ``points``."""
        return None if task.draw is None else Fresh(task.draw)

    def inputs_at(self, x: np.ndarray) -> Any:
        """New inputs, (points, inputs), as the forward pass takes them."""
        return x

    def points(self, task: Task) -> Data:
        """The data points themselves, from which mini-batches are drawn."""
        self.require_data(task)
        return Data(task.x, task.y, float(len(task.x)), loss=task.loss.carried)

    def context(self, task: Task) -> Context:
        """Arrays that training and observables need; ``"data"`` is what the loss is measured on."""
        return {"data": self.points(task)}

    def require_data(self, task: Task) -> None:
        """Raise where the task has no data points, only correlations."""
        if task.given == "statistics":
            raise ValueError(
                f"task is {task!r}, whose x and y only stand for its correlations, which is not enough for "
                f"{type(self).__name__} here; use data points, such as those of task.sampled(count)."
            )

    def velocity(self, task: Task) -> Callable[[Any], Any] | None:
        """dW/dt as a function of the weights in NumPy, with any leading axes; None if only its loss is known.

        It is that of squared error; ``fs.Flow`` differentiates any other loss, and where None is given.
        """
        return None

    def rotate(self, weights: Tree) -> tuple[Any, Callable[[Any], Any]] | None:
        """The weights of a narrower network with the same flow, and the way back; None if there is no such network.

        In a hidden layer of linear units, the flow stays in the span of the weights that lead in and out. A wide layer
        therefore flows like a narrow one. The narrower network is of the same kind, with the same widths at each seed.
        Observables must have the same values for both, unless their shape shows that they are per hidden unit.
        """
        return None

    def train(
        self, task: Task, times: Times, starts: Sequence[Start], observe: Sequence[str], method: Method
    ) -> Run | None:
        """How the network learns where that is not gradient descent of its loss (``learns_otherwise``)."""
        return None

    def flow(
        self, task: Task, times: Times, starts: Sequence[Start], observe: Sequence[str], method: Method
    ) -> Run | None:
        """Its expected dynamics where those are not the gradient flow of its loss (``learns_otherwise``)."""
        return None


def stack(parts: Sequence[ArrayLike] | Sequence[tuple[ArrayLike, ...]], join: Callable[[Any], Array] = np.stack) -> Any:
    """``join`` of all observations, by default along a new leading axis; of those with an array per layer, by layer."""
    if isinstance(parts[0], tuple):
        return tuple(join(layer) for layer in zip(*parts, strict=True))
    return join(parts)


def exactly(network: Network, task: Task) -> AbstractContextManager[Any]:
    """Double precision for what JAX computes of a network; nothing where NumPy computes it."""
    if known_velocity(network, task) is not None:
        return nullcontext()
    return in_double()


def read_off(network: Network, task: Task, path: Callable[[], Iterable[Any]]) -> dict[str, Callable[[], Any]]:
    """Every observable of a network, each read off the weights at all times, which ``path()`` gives, when called."""
    with exactly(network, task):
        known = network.observables(task_context(network, task))

    def seen(see: Callable[[Any], Any]) -> Callable[[], Any]:
        def observe() -> Any:
            with exactly(network, task):
                return stack([see(weights) for weights in path()])

        return observe

    return {name: seen(see) for name, see in known.items()}


def known_velocity(network: Network, task: Task) -> Callable[[Any], Any] | None:
    """The network's own dW/dt where the task's loss is the squared error, for which it is; else None."""
    return network.velocity(task) if task.loss.squared else None


def task_context(network: Network, task: Task) -> Context:
    """The network's arrays on a task."""
    found = network.context(task)
    data = found["data"]
    if isinstance(data, Data) and data.loss != task.loss.carried:
        raise ValueError(
            f"task {task.name!r} has the loss {task.loss.name!r}, and {type(network).__name__} learns by "
            f"{(data.loss or SQUARED).name!r}; give the task loss={(data.loss or SQUARED).name!r}, or, for a network "
            "of your own, pass loss=task.loss.carried to the Data that its context makes."
        )
    return found

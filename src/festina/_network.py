"""What a network is to every method: one description, from which theory and training both follow."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple

from festina._assumption import Assumption
from festina._task import Task
from festina._types import Array, Times, Weights


class Data(NamedTuple):
    """The data points a loss is measured on, and the constant part of the loss they leave out.

    L = floor + 1/(2N) Σ ‖y − ŷ‖². For a linear network x and y are at most ``inputs`` points that
    have the same correlations. ``x`` may be a tuple of arrays where a network takes more than the inputs.
    """

    x: Any
    y: Array
    count: float
    floor: float = 0.0


@dataclass(frozen=True)
class Fresh:
    """A batch of fresh data points from the generator of a task."""

    draw: Callable[[Any, int], tuple[Any, Array]]

    def __call__(self, key: Any, batch: int, context: "Context") -> Data:
        """``batch`` points drawn with the key."""
        x, y = self.draw(key, batch)
        return Data(x, y, float(batch))


Context = dict[str, Any]
"""All arrays that training and observables need: ``"data"`` (``Data``) and what a network adds; no array is baked into
compiled code, so that tasks of equal shape share one compilation."""


def mean_loss(predict: Callable[[Any, Any], Array], weights: Any, data: Data) -> Array:
    """L = floor + 1/(2N) Σ ‖y − ŷ‖²."""
    return data.floor + 0.5 * ((data.y - predict(weights, data.x)) ** 2).sum() / data.count


@dataclass(frozen=True)
class MeanLoss:
    """The mean loss of a forward pass, as training takes it; nothing is drawn, so the key is left alone."""

    predict: Callable[[Any, Any], Array]

    def __call__(self, weights: Any, data: Data, key: Any = None) -> Array:
        """L = floor + 1/(2N) Σ ‖y − ŷ‖²."""
        return mean_loss(self.predict, weights, data)


@dataclass(frozen=True)
class Plain:
    """What can be observed of any network: ``loss``, ``outputs`` and ``weights``, one array per leaf."""

    loss: Callable[[Any, Data, Any], Array]
    predict: Callable[[Any, Any], Array]

    def __call__(self, context: Context) -> Mapping[str, Callable[[Any], Any]]:
        """The observables on these data."""
        return {
            "loss": lambda weights: self.loss(weights, context["data"], None),
            "outputs": lambda weights: self.predict(weights, context["data"].x),
            "weights": leaves,
        }


def leaves(weights: Any) -> tuple[Array, ...]:
    """The arrays of a tree of weights, in the order of JAX."""
    import jax

    return tuple(jax.tree.leaves(weights))


@dataclass(frozen=True, eq=False)
class Solution:
    """What a theory gives: observables computed on demand, the assumptions it rests on, and its sources."""

    observables: Mapping[str, Callable[[], Any]]
    assumptions: tuple[Assumption, ...] = ()
    citations: tuple[str, ...] = ()
    unit: str = field(default="flow time", kw_only=True)


def brief(described: Any) -> str:
    """A frozen description as one would write it: without what is left at its default."""
    told = [
        f"{f.name}={getattr(described, f.name)!r}"
        for f in fields(described)
        if f.repr and getattr(described, f.name) != f.default
    ]
    return f"{type(described).__name__}({', '.join(told)})"


class Network(ABC):
    """Base of all networks: frozen descriptions without weights; weights come from ``start``.

    A network of one's own says where it starts and what it computes; ``fs.evolve`` then trains it by ``fs.Train``. Its
    weights are arrays in any nesting that JAX knows: tuples, dictionaries, equinox modules. What it gives as
    ``predict`` (and ``loss``, ``observables``) is written with ``jax.numpy``, or with what NumPy and JAX share.

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
        >>> run = fs.evolve(Mine(), task, [0.0, 300.0], method=fs.Train(rate=0.5), seeds=4)
        >>> run.loss.shape, bool(run.loss[:, -1].max() < 0.01)
        ((4, 2), True)
    """

    noisy: ClassVar[bool] = False
    """Whether ``loss`` draws random numbers in training (dropout); it then gets a key that is not None."""

    @abstractmethod
    def start(self, task: Task, seed: int) -> Any:
        """Initial weights on this task; the same for every method at the same seed."""

    @property
    @abstractmethod
    def predict(self) -> Callable[[Any, Any], Array]:
        """The forward pass ``(weights, x) -> outputs``, for NumPy and JAX alike; hashable, equal for equal networks."""

    @property
    def loss(self) -> Callable[[Any, Data, Any], Array]:
        """What training descends, ``(weights, data, key) -> number``; hashable. By default the mean loss."""
        return MeanLoss(self.predict)

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Any], Any]]]:
        """Everything that can be observed of weights, by name: ``observables(context)[name](weights)``.

        For NumPy and JAX alike; hashable, equal for networks that compute alike.
        """
        return Plain(self.loss, self.predict)

    def sample(self, task: Task) -> "Callable[[Any, int, Context], Data] | None":
        """How a batch of fresh data is drawn, ``(key, batch, context) -> Data``, hashable; None: from ``points``."""
        return None if task.draw is None else Fresh(task.draw)

    def points(self, task: Task) -> Data:
        """The data points themselves, from which mini-batches are drawn."""
        self._needs_data(task)
        return Data(task.x, task.y, float(len(task.x)))

    def context(self, task: Task) -> Context:
        """Arrays that training and observables need; ``"data"`` is what the loss is measured on."""
        self._needs_data(task)
        return {"data": Data(task.x, task.y, float(len(task.x)))}

    def _needs_data(self, task: Task) -> None:
        if task.given == "statistics":
            raise ValueError(
                f"task is {task!r}, whose x and y only stand for its correlations: enough for a linear network, not for "
                f"data points of {type(self).__name__}; use task.sampled(count), or fs.Train(batch=...) where it draws."
            )

    def velocity(self, task: Task) -> Callable[[Weights], Weights]:
        """Gradient flow: dW/dt as a function of the weights (NumPy)."""
        raise ValueError(f"{type(self).__name__} has no gradient flow in closed form; use method=fs.Train(rate=...).")

    def exact(self, task: Task, times: Times, seed: int, rate: float | None) -> Solution:
        """The closed-form solution; raises ``AssumptionError`` where it does not apply."""
        raise ValueError(f"{type(self).__name__} has no closed form; use method=fs.Train(rate=...).")

    def race(self, task: Task, times: Times, seed: int) -> Solution:
        """The reduction to modes and pathways, from the actual initial weights."""
        raise ValueError(f"{type(self).__name__} has no race reduction; use method=fs.Train(rate=...).")

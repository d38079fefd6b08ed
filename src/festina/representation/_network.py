"""Feed-forward networks: dense or convolutional, with skips or dropout, of any depth, widths and activation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array
from festina.core.display import brief
from festina.core.network import Context, Data, Network
from festina.core.task import Task
from festina.initial import Initial

if TYPE_CHECKING:
    from festina.core.theory import Theory

ACTIVATIONS = ("elu", "gelu", "leaky relu", "linear", "relu", "sigmoid", "swish", "tanh")
CONNECTIONS = ("convolution", "dense")

Layers = tuple[tuple[Array, ...], tuple[Array, ...]]
"""Weights, one array per layer from the input to the output, and one bias vector per layer (none without biases)."""


@dataclass(frozen=True, repr=False)
class FeedForward(Network):
    """A feed-forward network with any activation: ŷ = W_D φ(… φ(W_1 x + b_1) …) + b_D.

    Besides ``loss``, ``outputs`` and ``weights`` it can be observed by ``"hidden"`` (the representations of the
    observed items, one array (times, items, units) per observed layer) and ``"distances"`` (their squared distances,
    (times, layers, pairs), pairs in the order of ``numpy.triu_indices``).

    Args:
        hidden: widths of the hidden layers, from the input to the output; the paper's networks are ``(500,) * 20``.
        activation: ``"leaky relu"`` (slope 0.01), ``"relu"``, ``"elu"``, ``"gelu"``, ``"sigmoid"``, ``"swish"``,
            ``"tanh"`` or ``"linear"``.
        gain: scale of the initial weights, std = gain·√(2/(fan in + fan out)) (Xavier normal); biases start at zero.
        initial: a rule of ``fs.initial`` that draws the weights instead; ``gain`` then plays no part.
        bias: whether layers have biases.
        connection: ``"dense"``, or ``"convolution"``: the first layer's units are the pixels of one channel, then come
            as many convolutions without padding as ``hidden`` has entries, one more to a single channel, and a dense
            layer to the output.
        skip: add to each hidden layer but the first two what the layer two before it gave.
        dropout: share of the inputs of every layer that are dropped in training; nothing is dropped in observing.
            Theories leave it out and say so; ``fs.Flow()`` refuses it.
        channels, kernel: of the convolutions.
        observed_layers: indices of the hidden layers that are observed, or ``"all"``; by default the middle one.
        observed_items: rows of the task that are observed; by default all.

    Raises:
        ValueError: a name that is not known, a width that is not a whole number, a skip between unequal widths, or a
            convolution that leaves no pixel.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.FeedForward(hidden=(30, 20), activation="gelu")
        >>> task = fs.Task(x=[[-1.0], [-0.5]], y=[[0.6], [1.6]])
        >>> train, times = fs.Train(rate=0.1), np.linspace(0, 10, 5)
        >>> run = fs.evolve(network, task, times, method=train, observe=("loss", "distances"))
        >>> run["distances"].shape, bool(run.loss[-1] < run.loss[0])
        ((5, 1, 1), True)

    Source: vanrossem2024 App. B.1 and Table 1.
    """

    hidden: tuple[int, ...] = (100, 100)
    activation: str = "leaky relu"
    gain: float = 1.0
    initial: Initial | None = field(default=None, kw_only=True)
    bias: bool = field(default=True, kw_only=True)
    connection: str = field(default="dense", kw_only=True)
    skip: bool = field(default=False, kw_only=True)
    dropout: float = field(default=0.0, kw_only=True)
    channels: int = field(default=20, kw_only=True)
    kernel: int = field(default=11, kw_only=True)
    observed_layers: tuple[int, ...] | str | None = field(default=None, kw_only=True)
    observed_items: tuple[int, ...] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        widths = check.listing("hidden", self.hidden, "widths, one per hidden layer,")
        object.__setattr__(self, "hidden", tuple(check.whole("hidden", width) for width in widths))
        if not self.hidden:
            raise ValueError("hidden is empty; a feed-forward network needs at least one hidden layer.")
        for name in ("channels", "kernel"):
            check.whole(name, getattr(self, name))
        check.known("activation", self.activation, ACTIVATIONS)
        check.known("connection", self.connection, CONNECTIONS)
        check.positive("gain", self.gain)
        check.flag("bias", self.bias)
        check.flag("skip", self.skip)
        if not 0 <= check.number("dropout", self.dropout, "a share >= 0 and < 1") < 1:
            raise ValueError(f"dropout is {self.dropout!r}; a share >= 0 and < 1 is needed.")
        if self.skip and len(set(self.hidden)) > 1:
            raise ValueError(f"skip is True with hidden widths {self.hidden}; layers that are added need equal widths.")
        if self.connection == "convolution":
            self._check_convolution()
        self._check_observed()

    def _check_convolution(self) -> None:
        if self.skip:
            raise ValueError("skip is True with a convolution, whose layers shrink; use connection='dense'.")
        if len(set(self.hidden)) > 1:
            raise ValueError(
                f"hidden is {self.hidden} with a convolution; its entries are equal: the first layer's units."
            )
        if self.pixels[-1] < 1:
            depth = len(self.hidden) + 1
            raise ValueError(
                f"hidden has widths {self.hidden[0]}, but {depth} convolutions with kernel {self.kernel} use up "
                f"{depth * (self.kernel - 1)} pixels; give larger widths or a smaller kernel."
            )

    def _check_observed(self) -> None:
        if isinstance(self.observed_layers, str):
            check.known("observed_layers", self.observed_layers, ("all",))
        elif self.observed_layers is not None:
            chosen = tuple(
                check.whole("observed_layers", i, least=0)
                for i in check.listing("observed_layers", self.observed_layers, "indices")
            )
            if not chosen or max(chosen) >= self.depth:
                raise ValueError(
                    f"observed_layers is {self.observed_layers!r}; this network has the layers 0 to {self.depth - 1}."
                )
            object.__setattr__(self, "observed_layers", chosen)
        if self.observed_items is not None:
            rows = tuple(
                check.whole("observed_items", i, least=0)
                for i in check.listing("observed_items", self.observed_items, "rows of the task")
            )
            object.__setattr__(self, "observed_items", rows)

    @property
    def middle(self) -> int:
        """Index of the layer halfway through the network, which is the one observed by default."""
        return len(self.hidden) // 2

    @property
    def depth(self) -> int:
        """Number of hidden layers that can be observed: all but the output."""
        return len(self.hidden) if self.connection == "dense" else len(self.hidden) + 2

    @property
    def layers(self) -> tuple[int, ...]:
        """Indices of the observed layers."""
        if self.observed_layers is None:
            return (self.middle,)
        return tuple(range(self.depth)) if isinstance(self.observed_layers, str) else self.observed_layers

    @property
    def pixels(self) -> tuple[int, ...]:
        """Pixels of a convolution after the first layer and after each convolution."""
        return tuple(self.hidden[0] - k * (self.kernel - 1) for k in range(len(self.hidden) + 2))

    def items(self, task: Task) -> tuple[int, ...]:
        """Rows of the task that are observed."""
        rows = tuple(range(len(task.x))) if self.observed_items is None else self.observed_items
        if not rows or min(rows) < 0 or max(rows) >= len(task.x) or len(set(rows)) < len(rows):
            raise ValueError(
                f"observed_items is {self.observed_items!r}; different rows of the task, 0 to {len(task.x) - 1}, "
                "are needed."
            )
        return rows

    def shapes(self, inputs: int, outputs: int) -> tuple[tuple[int, ...], ...]:
        """Shapes of the weights: (out, in) of dense layers, (out, in, kernel) of convolutions."""
        if self.connection == "dense":
            return tuple((b, a) for a, b in pairwise((inputs, *self.hidden, outputs)))
        channels = (1, *(self.channels,) * len(self.hidden), 1)
        convolutions = tuple((b, a, self.kernel) for a, b in pairwise(channels))
        return (self.hidden[0], inputs), *convolutions, (outputs, self.pixels[-1])

    def start(self, task: Task, seed: int) -> Layers:
        """Initial weights of the seed, and zero biases."""
        rng, shapes = np.random.default_rng(seed), self.shapes(task.x.shape[1], task.y.shape[1])
        if self.initial is None:
            weights = tuple(self._xavier(shape, rng) for shape in shapes)
        elif self.connection == "convolution":
            raise ValueError(
                "initial is given with a convolution, whose weights are no matrices; use gain=... instead."
            )
        else:
            rule, matrices = self.initial.of_seed(seed), [(shape[0], shape[1]) for shape in shapes]
            layers = tuple(np.asarray(w) for w in rule.layers(matrices, task, rng, bias=self.bias))
            return (tuple(w[:, :-1] for w in layers), tuple(w[:, -1] for w in layers)) if self.bias else (layers, ())
        return weights, tuple(np.zeros(len(w)) for w in weights) if self.bias else ()

    def _xavier(self, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        out, into, *field = shape
        return self.gain * np.sqrt(2 / ((out + into) * int(np.prod(field)))) * rng.standard_normal(shape)

    @property
    def noisy(self) -> bool:  # type: ignore[override]
        """Whether training drops units."""
        return self.dropout > 0

    @property
    def bare(self) -> "FeedForward":
        """The same without its initial weights and observed items: what compiled code depends on."""
        return replace(self, gain=1.0, initial=None, observed_items=None)

    @property
    def predict(self) -> Callable[[Any, Any], Array]:
        """The forward pass, nothing dropped."""
        from festina.representation._forward import Forward

        return Forward(self.bare)

    @property
    def loss(self) -> Callable[[Any, Data, Any], Array]:
        """L = 1/(2N) Σ ‖y − ŷ‖²; with a key, units are dropped."""
        from festina.representation._forward import Loss

        return Loss(self.bare)

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Any], Any]]]:
        """``loss``, ``outputs``, ``weights``, and of the observed items and layers ``hidden`` and ``distances``."""
        from festina.representation._forward import Observed

        return Observed(self.bare)

    def context(self, task: Task) -> Context:
        """The data, and the inputs of the observed items."""
        return {**super().context(task), "observed": task.x[list(self.items(task))]}

    @property
    def theories(self) -> "tuple[Theory, ...]":
        """The effective theory with rates from tangent kernels."""
        from festina.representation._effective import Effective

        return (Effective(),)

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes after (seed, time); observed items are counted as ``observed item``."""
        return {**super().axes, "distances": ("layer", "pair"), "hidden": ("observed item", "unit")}

    def __repr__(self) -> str:
        return brief(self)

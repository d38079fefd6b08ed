"""Parts of a feed-forward network: layers, activation, connections, initial weights."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array
from festina.core import Context, Network, Task
from festina.core.seed import generator
from festina.initial import Initial

ACTIVATIONS = ("elu", "gelu", "leaky relu", "linear", "relu", "sigmoid", "swish", "tanh")
CONNECTIONS = ("convolution", "dense")

Layers = tuple[tuple[Array, ...], tuple[Array, ...]]
"""Weights, one array per layer from the input to the output, and one bias vector per layer (none without biases)."""


AnyArchitecture = TypeVar("AnyArchitecture", bound="Architecture")


@dataclass(frozen=True, repr=False)
class Architecture(Network):
    """Layers, activation and connections of a feed-forward network, where its weights start and what is observed."""

    hidden: tuple[int, ...] = (100, 100)
    activation: str = "leaky relu"
    gain: float = 1.0
    negative_slope: float = field(default=0.01, kw_only=True)
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
        check.positive("negative_slope", self.negative_slope, zero=True)
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
        rng, shapes = generator(seed), self.shapes(task.x.shape[1], task.y.shape[1])
        if self.initial is None:
            weights = tuple(self._xavier(shape, rng) for shape in shapes)
        elif self.connection == "convolution":
            raise ValueError(
                "initial is given with a convolution, whose weights are not matrices; use gain=... instead."
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
    def bare(self: "AnyArchitecture") -> "AnyArchitecture":
        """The same without its initial weights and observed items: what compiled code depends on."""
        return replace(self, gain=1.0, initial=None, observed_items=None)

    def context(self, task: Task) -> Context:
        """The data, and the inputs of the observed items."""
        return {**super().context(task), "observed": task.x[list(self.items(task))]}

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes after (seed, time); observed items are counted as ``observed item``."""
        own = {"item_outputs": ("observed item", "output"), "hidden": ("observed item", "unit")}
        return {**super().axes, "distances": ("layer", "pair"), **own}

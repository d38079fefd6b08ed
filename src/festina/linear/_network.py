"""Deep linear networks: one description for closed form, reduction, flow and training."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from festina._network import Context, Data, Solution, mean_loss
from festina._task import Task
from festina._types import Array, Times, Weights
from festina.initial import Initial
from festina.linear import _exact, _race
from festina.linear._kernel import views
from festina.linear._layered import Layered


def end_to_end(weights: Weights) -> Array:
    """W_D … W_1, the map of the whole network."""
    return reduce(lambda product, layer: layer @ product, weights)


def linear_predict(weights: Weights, x: Array) -> Array:
    """Outputs of a deep linear network, one row per data point."""
    return reduce(lambda h, layer: h @ layer.T, weights, x)


def linear_observables(context: Context) -> Mapping[str, Callable[[Weights], Any]]:
    """Everything that can be observed of a deep linear network's weights."""
    left, right = context["left"], context["right"]

    def hidden(weights: Weights) -> tuple[Array, ...]:
        layers = [context["x"]]
        for matrix in weights[:-1]:
            layers.append(layers[-1] @ matrix.T)
        return tuple(layers[1:])

    return {
        **views(context),
        "loss": lambda weights: mean_loss(linear_predict, weights, context["data"]),
        "strengths": lambda weights: ((left.T @ end_to_end(weights)) * right.T).sum(-1),
        "map": end_to_end,
        "outputs": lambda weights: linear_predict(weights, context["x"]),
        "weights": tuple,
        "hidden": hidden,
    }


@dataclass(frozen=True, repr=False)
class DeepLinear(Layered):
    """A network of linear layers: ŷ = W_D … W_1 x.

    Args:
        hidden: widths of the hidden layers, from the input to the output; ``()`` is a shallow network. The number of
            weight layers is one more.
        initial: where the weights start (``fs.initial``).
        depth: only to say ``math.inf``: the limit of infinitely many layers with T = depth × flow time held fixed, for
            which ``times`` means T and only ``fs.Exact`` from ``fs.initial.Aligned`` is defined.

    Raises:
        ValueError: a width that is not a whole number ≥ 1, or a ``depth`` that contradicts ``hidden``.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(16,), initial=fs.initial.Aligned(1e-3))
        >>> network.layers
        2

    Source: saxe2014 eq. (1); jarvis2025 App. A.1.
    """

    hidden: tuple[int, ...] = ()
    initial: Initial = field(kw_only=True)
    depth: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        hidden = self.hidden
        if self.depth not in (None, len(hidden) + 1) and not (self.depth == math.inf and not hidden):
            raise ValueError(
                f"depth is {self.depth!r} with hidden={hidden}; depth follows from hidden ({len(hidden) + 1} layers): "
                "leave it out, or give depth=math.inf and no hidden layers."
            )

    @property
    def layers(self) -> float | int:
        """Number of weight layers D."""
        return math.inf if self.depth == math.inf else len(self.hidden) + 1

    def shapes(self, task: Task) -> list[tuple[int, int]]:
        """``(out, in)`` of each layer on this task."""
        if self.layers == math.inf:
            raise ValueError("depth is infinite: there are no weights; use fs.Exact(), or give hidden widths.")
        return super().shapes(task)

    @property
    def predict(self) -> Callable[[Weights, Array], Array]:
        """ŷ = x W_1ᵀ … W_Dᵀ."""
        return linear_predict

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """``loss``, ``strengths`` (u_αᵀ W v_α), ``map``, ``outputs``, ``weights``, ``hidden`` (each layer's), views.

        The views do not depend on the basis of hidden units: ``similarity``, ``input_similarity``,
        ``output_similarity``, ``kernel``, ``alignment``, ``qq``.
        """
        return linear_observables

    def context(self, task: Task) -> Context:
        """At most ``inputs`` points with the task's correlations, so that the cost of a step does not grow with N."""
        statistics = task.statistics
        data = Data(*statistics.compressed, float(statistics.count), statistics.floor)
        return {"data": data, "x": task.x, "left": statistics.left, "right": statistics.right}

    def velocity(self, task: Task) -> Callable[[Weights], Weights]:
        """dW_l/dt = (W_D…W_{l+1})ᵀ (Σyx − W Σx) (W_{l−1}…W_1)ᵀ: data enter through correlations only.

        Source: saxe2014 eq. (2); jarvis2025 App. A.1, with the sign the printed update leaves out.
        """
        sigma_x, sigma_yx = task.statistics.input_correlation, task.statistics.cross_correlation

        def field(weights: Weights) -> Weights:
            before = [np.eye(len(sigma_x))]
            for matrix in weights:
                before.append(matrix @ before[-1])
            back = sigma_yx - before[-1] @ sigma_x
            changes = []
            for matrix, source in zip(reversed(weights), reversed(before[:-1]), strict=True):
                changes.append(back @ source.T)
                back = matrix.T @ back
            return tuple(reversed(changes))

        return field

    def exact(self, task: Task, times: Times, seed: int, rate: float | None) -> Solution:
        """The closed form that fits the start; ``AssumptionError`` where none does."""
        return _exact.solve(self, task, times, seed, rate)

    def race(self, task: Task, times: Times, seed: int) -> Solution:
        """Each mode alone, from the strengths measured on the actual initial weights."""
        return _race.solve(self, task, times, seed)

"""Deep linear networks: one description for closed form, reduction, flow and training."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from festina.analysis.kernel import views
from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core import Layered, LayeredForward, Statistics, Task, Theory
from festina.core.network import Context, Data, Observables, mean_loss
from festina.initial import Initial
from festina.linear import _critical_point, _learning_time, _regime
from festina.linear._balanced import LambdaBalanced
from festina.linear._critical_point import LIMIT, StationaryPoint
from festina.linear._decoupled import DecoupledModes, InfiniteDepth, OneLayer
from festina.linear._joint import JointModes
from festina.linear._race import IndependentModes


@dataclass(frozen=True)
class LinearObservables:
    """Everything that can be observed of a deep linear network's weights."""

    forward: LayeredForward

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """The observables on these data."""
        left, right, forward = context["left"], context["right"], self.forward

        def maps(weights: Weights) -> Array:
            layers = (w[:, :-1] for w in weights) if forward.biased else weights
            return reduce(lambda product, layer: layer @ product, layers)  # W_D … W_1

        found: dict[str, Callable[[Weights], Any]] = {} if forward.biased else {**views(context)}
        found |= {
            "loss": lambda weights: mean_loss(forward, weights, context["data"]),
            "strengths": lambda weights: ((left.T @ maps(weights)) * right.T).sum(-1),
            "map": maps,
            "outputs": lambda weights: forward(weights, context["x"]),
            "weights": tuple,
            "hidden": lambda weights: forward.hidden(weights, context["x"]),
        }
        if forward.biased:
            found["offset"] = lambda weights: forward(weights, context["origin"])[0]
        return found


@dataclass(frozen=True, repr=False)
class DeepLinear(Layered):
    """A network of linear layers: ŷ = W_D … W_1 x.

    Args:
        hidden: widths of the hidden layers, from the input to the output; ``()`` is a shallow network. The number of
            weight layers is one more.
        initial: where the weights start (``fs.initial``).
        bias: whether every layer has a bias, ŷ = W_D(… (W_1 x + b_1) …) + b_D; it is the last column of the layer's
            matrix, which is then (out, in + 1).
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
    bias: bool = field(default=False, kw_only=True)
    depth: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        hidden = self.hidden
        if self.depth is not None and not (isinstance(self.depth, float) and self.depth == math.inf):
            check.number("depth", self.depth, "math.inf, or nothing,")
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
    def forward(self) -> LayeredForward:
        """ŷ = x W_1ᵀ … W_Dᵀ."""
        return LayeredForward(biased=self.bias)

    @property
    def observables(self) -> Observables:
        """``loss``, ``strengths`` (u_αᵀ W v_α), ``map``, ``outputs``, ``weights``, ``hidden`` (each layer's), views.

        The views do not depend on the basis of hidden units: ``similarity``, ``input_similarity``,
        ``output_similarity``, ``kernel``, ``alignment``, ``qq``. With biases there is ``offset``, the output at x = 0,
        and there are no views.
        """
        return LinearObservables(self.forward)

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes of every observable."""
        return {
            "loss": (), "strengths": ("mode",), "map": ("output", "input"), "outputs": ("item", "output"),
            "offset": ("output",), "hidden": ("item", "unit"), "similarity": ("item", "item_2"),
            "input_similarity": ("input", "input_2"), "output_similarity": ("output", "output_2"), "alignment": (),
            "kernel_distance": (),
        }  # fmt: skip

    @property
    def theories(self) -> tuple[Theory, ...]:
        """Closed forms first, then modes that are learned alone, and jointly."""
        if self.layers == math.inf:
            return (InfiniteDepth(),)
        if self.layers == 1:
            return (OneLayer(), IndependentModes(), JointModes())
        if self.layers == 2:
            return (DecoupledModes(), LambdaBalanced(), IndependentModes(), JointModes())
        return (DecoupledModes(), IndependentModes(), JointModes())

    def stationary_points(self, task: Task, *, top: int | None = None, limit: int = LIMIT) -> list[StationaryPoint]:
        """The stationary sets of a network on a task, lowest loss first.

        There is one for each set I of at most ``min(hidden)`` modes. Equal modes can be rotated into each other without
        changing the loss. Sets that hold equally many of them are therefore listed once, with the first of these modes.
        A shallow network has a single one, the minimum. Biases are zero at each of them.

        Args:
            task: what it learns; its correlations must commute, and with biases it must be centred.
            top: give only that many, those of lowest loss; None gives all.
            limit: how many may be listed without ``top``.

        Raises:
            ValueError: more than ``limit`` sets; infinite depth.
            AssumptionError: correlations that do not commute: such modes do not decouple; biases on inputs or targets
                whose mean is not zero.

        Example:
            >>> import festina as fs
            >>> network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Gaussian(1e-3))
            >>> task = fs.Task([[1.0, 1.0], [1.0, -1.0]], [[3.0, 1.0], [3.0, -1.0]])
            >>> for point in network.stationary_points(task):
            ...     print(f"{point.name} {point.kind}: loss {point.loss:.2f}, index {point.index}")
            {1,2} minimum: loss 0.00, index 0
            {1} saddle: loss 0.50, index 2
            {2} saddle: loss 4.50, index 3
            ∅ saddle: loss 5.00, index 6

        Source: saxe_lecture "Depth introduces a hierarchy of saddle points"; saxe2019.
        """
        return _critical_point.stationary_points(self, task, top=top, limit=limit)

    def saddle_passages(self, trajectory: Trajectory) -> list[Any]:
        """The stationary points that a trajectory passes, in order: at each time the nearest one.

        No radius is set: times are divided among the stationary points by which is nearest, and each ``SaddlePassage``
        says how near that was and how long it lasted. The nearest is found mode by mode, without listing the points.

        Args:
            trajectory: something that observed ``map`` or ``strengths`` (see ``distances``) and perhaps ``loss``; with
                biases also ``outputs``.

        Returns:
            A list of ``SaddlePassage``; with seeds a list of such lists, one per seed.

        Raises:
            ValueError: neither ``map`` nor ``strengths`` was observed; a trajectory that has diverged; infinite depth.
            AssumptionError: correlations that do not commute; biases on data that are not centred.

        Source: saxe_lecture "Dynamics pass near a hierarchy of saddle points"; saxe2019.
        """
        return _critical_point.saddle_passages(self, trajectory)

    def saddle_distances(self, trajectory: Trajectory, points: Sequence[StationaryPoint] | None = None) -> np.ndarray:
        """Distance of a trajectory to each stationary set over time: root mean squared difference of the outputs.

        d_I(t)² = ⟨‖W(t)x − W_I x‖²⟩ = Tr (W − W_I) Σx (W − W_I)ᵀ, over the task's inputs; where modes are equal, to the
        nearest of the maps that they can be turned into. With biases their output ‖ŷ(0)‖² is added.

        Args:
            trajectory: something that observed ``map``, or ``strengths`` (the part of the map between the modes is then
                taken to be zero); with biases also ``outputs``.
            points: from ``network.stationary_points(task)`` on the same task; None takes all.

        Returns:
            shape ([seeds,] times, points).

        Raises:
            ValueError: no points; neither ``map`` nor ``strengths`` was observed; a trajectory that has diverged.
            AssumptionError: biases on data that are not centred.
        """
        return _critical_point.distances(self, trajectory, points)

    time_to_loss = _learning_time.time_to_loss
    regime = _regime.regime

    def context(self, task: Task) -> Context:
        """At most ``inputs`` points with the task's correlations, so that the cost of a step does not grow with N.

        Correlations are enough for squared error only; for any other loss the data points are taken as they are.
        """
        own = task.statistics
        whole = Statistics(self.inputs(task), task.y) if self.bias else own
        compressed = Data(*whole.compressed, float(whole.count), whole.floor)
        data = compressed if task.loss.squared else self.points(task)
        origin = np.eye(1, task.x.shape[1] + 1, task.x.shape[1])
        found = {"data": data, "x": self.inputs(task), "left": own.left, "right": own.right}
        return {**found, "origin": origin} if self.bias else found

    def velocity(self, task: Task) -> Callable[[Weights], Weights]:
        """dW_l/dt = (W_D…W_{l+1})ᵀ (Σyx − W Σx) (W_{l−1}…W_1)ᵀ: data enter through correlations only.

        With biases the layers are those of [x; 1], each carrying the 1 along.

        Source: saxe2014 eq. (2); jarvis2025 App. A.1, with the sign the printed update leaves out.
        """
        whole = Statistics(self.inputs(task), task.y) if self.bias else task.statistics
        sigma_x, sigma_yx = whole.input_correlation, whole.cross_correlation

        def field(weights: Weights) -> Weights:
            before = [np.eye(len(sigma_x))]
            layers = [self._carrying(w) for w in weights[:-1]] + [weights[-1]]
            for matrix in layers:
                before.append(matrix @ before[-1])
            back = sigma_yx - before[-1] @ sigma_x
            changes = []
            for matrix, source in zip(reversed(weights), reversed(before[:-1]), strict=True):
                changes.append(back @ source.swapaxes(-1, -2))
                back = matrix.swapaxes(-1, -2) @ back
                back = back[..., :-1, :] if self.bias else back
            return tuple(reversed(changes))

        return field

    def rotate(self, weights: Weights) -> tuple[Weights, Callable[[Weights], Weights]] | None:
        """Hidden layers with at most as many dimensions as their neighbours together, by QR of [W_l, W_{l+1}ᵀ].

        A bias is a column of W_l and counts as one of its inputs.
        """
        small, turns = list(weights), {}
        for i in range(len(weights) - 1):
            first, second, columns = small[i], small[i + 1], len(self._inner(small[i + 1]).T)
            whole = np.hstack([first, self._inner(second).T])
            if columns > whole.shape[1]:
                turns[i], r = np.linalg.qr(whole)
                small[i] = r[:, : first.shape[1]]
                small[i + 1] = self._joined(r[:, first.shape[1] :].T, second)
        if not turns:
            return None

        def restore(narrow: Weights) -> Weights:
            whole = list(narrow)
            for i, q in turns.items():
                whole[i] = q @ whole[i]
                whole[i + 1] = self._joined(self._inner(whole[i + 1]) @ q.T, whole[i + 1])
            return tuple(whole)

        return tuple(small), restore

    def _inner(self, layer: np.ndarray) -> np.ndarray:
        """A layer without its bias."""
        return layer[:, :-1] if self.bias else layer

    def _joined(self, inner: np.ndarray, like: np.ndarray) -> np.ndarray:
        """A layer with the bias of another."""
        return np.column_stack([inner, like[:, -1]]) if self.bias else inner

    def _carrying(self, layer: np.ndarray) -> np.ndarray:
        """A layer with one more row that hands the 1 on to the next."""
        if not self.bias:
            return layer
        row = np.zeros((*layer.shape[:-2], 1, layer.shape[-1]))
        row[..., -1] = 1.0
        return np.concatenate([layer, row], axis=-2)

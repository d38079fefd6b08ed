"""Two points over the course of training: what the theory is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.analysis.observed import check_observed, learned_task
from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.representation._network import FeedForward
from festina.representation._two_point import PairStart

LEAST = 4
"""Times needed: two rates are fitted to curves that share their first point with the theory."""


def read_pair(
    trajectory: Trajectory, items: tuple[int, int] = (0, 1), *, layer: int | None = None, seed: int | None = None
) -> Pair:
    """Two items of a trajectory in one layer: h, y and w over time, ready for ``fit``.

    Args:
        trajectory: a trajectory of an ``fs.FeedForward``, observed with ``"distances"`` (or ``"hidden"``) and
            ``"outputs"`` (or ``"item_outputs"``).
        items: rows of the task.
        layer: which of the observed layers; by default the middle one where it was observed, or the first.
        seed: which seed, if there are several; by default the first.

    Raises:
        ValueError: something that was not observed, or equal inputs.

    Example:
        >>> import numpy as np, festina as fs
        >>> network, task = fs.FeedForward((20, 20, 20)), fs.tasks.two_points("text")
        >>> observe = ("distances", "outputs")
        >>> run = fs.evolve(network, task, np.arange(0, 5, 0.5), method=fs.Train(rate=0.1), observe=observe)
        >>> fs.representation.Pair.from_trajectory(run)
        Pair(10 times to 4.5 flow time; dx=0.25, dy=1)
    """
    check_observed(trajectory)
    name = "item_outputs" if "item_outputs" in trajectory.values else "outputs"
    task = learned_task(trajectory, name)
    network = trajectory.network
    check.instance("trajectory.network", network, FeedForward, "fs.FeedForward(...)")
    rows = network.items(task)
    wanted = tuple(check.whole("items", i, least=0) for i in check.listing("items", items, "two rows of the task"))
    if len(wanted) != 2 or not set(wanted) <= set(rows) or wanted[0] == wanted[1]:
        raise ValueError(f"items is {items!r}; two of the observed rows of the task are needed: {rows[:20]}.")
    if layer is None:
        layer = network.middle if network.middle in network.layers else network.layers[0]
    if check.whole("layer", layer, least=0) not in network.layers:
        raise ValueError(f"layer is {layer}; the observed layers are {network.layers}.")
    place = network.layers.index(layer)
    first, second = rows.index(wanted[0]), rows.index(wanted[1])

    def of_seed(values: np.ndarray) -> np.ndarray:
        if trajectory.seeds is None:
            return np.asarray(values, dtype=float)
        number = trajectory.seeds[0] if seed is None else check.seed("seed", seed)
        if number not in trajectory.seeds:
            raise ValueError(f"seed is {seed}; this trajectory has the seeds {trajectory.seeds}.")
        return np.asarray(values[trajectory.seeds.index(number)], dtype=float)

    with np.errstate(over="ignore", invalid="ignore"):  # a diverged run becomes not finite here, and is cut there
        if "hidden" in trajectory.values and "distances" not in trajectory.values:
            hidden = of_seed(trajectory["hidden"][place])
            distances = np.sum((hidden[:, first] - hidden[:, second]) ** 2, axis=-1)
        else:
            learned_task(trajectory, "distances")
            a, b = sorted((first, second))
            number = a * len(rows) - a * (a + 1) // 2 + b - a - 1
            distances = of_seed(trajectory["distances"])[:, place, number]
    outputs = of_seed(trajectory[name])[:, [first, second] if name == "item_outputs" else list(wanted)]
    return Pair.from_outputs(
        trajectory.times, task.x[list(wanted)], task.y[list(wanted)], distances, outputs, unit=trajectory.unit
    )


@dataclass(frozen=True, eq=False, repr=False)
class Pair:
    """Measured h, y and w of two data points over time, up to the first value that is not finite.

    Args:
        times: when they were measured: epochs, steps or flow time; the fitted rates are per unit of it.
        h, y, w: squared distance of representations, of outputs, and y − (ŷ₂ − ŷ₁)·(y₂ − y₁).
        dx, dy: squared distances of the inputs and of the targets.
        loss: ¼ Σ ‖ŷ − y‖² over the two points; optional.
        offset: ‖ȳ(0) − ȳ*‖², the squared error of the mean output at the start.
        unit: the unit of the times, in words.

    ``cut`` is the number of times dropped at the end because something was not finite (training diverged).

    Raises:
        ValueError: equal inputs, lengths that differ, or fewer than four finite times.
    """

    times: Any
    h: Any
    y: Any
    w: Any
    dx: float
    dy: float
    loss: Any = None
    offset: float = 0.0
    unit: str = "epochs"
    cut: int = 0

    from_trajectory = staticmethod(read_pair)

    def __post_init__(self) -> None:
        times = check.times(self.times)
        if check.positive("dx", self.dx, zero=True) == 0:
            raise ValueError(
                "dx is 0: the two points have equal inputs, so no network can distinguish them; choose two others."
            )
        check.positive("dy", self.dy, zero=True)
        names = ("h", "y", "w") if self.loss is None else ("h", "y", "w", "loss")
        # a curve that diverges holds values that are not finite: it is cut where it does
        curves = {name: check.broadcast(**{name: getattr(self, name)})[0] for name in names}
        for name, curve in curves.items():
            if curve.shape != times.shape:
                raise ValueError(f"{name} has shape {curve.shape} and times {times.shape}; give one value per time.")
        finite = np.all([np.isfinite(curve) for curve in curves.values()], axis=0)
        keep = len(times) if finite.all() else int(np.argmin(finite))
        if keep < LEAST:
            raise ValueError(
                f"h, y and w have {keep} finite values at the start of {len(times)}; at least {LEAST} are needed. "
                "Where training diverged, use a smaller rate or observe more often."
            )
        object.__setattr__(self, "cut", len(times) - keep)
        object.__setattr__(self, "times", times[:keep])
        for name, curve in curves.items():
            object.__setattr__(self, name, curve[:keep])

    @property
    def start(self) -> PairStart:
        """The first measured point."""
        return PairStart(float(self.h[0]), float(self.y[0]), float(self.w[0]), float(self.offset))

    @classmethod
    def from_outputs(
        cls,
        times: ArrayLike,
        x: ArrayLike,
        y: ArrayLike,
        distances: ArrayLike,
        outputs: ArrayLike,
        *,
        unit: str = "epochs",
    ) -> Pair:
        """A pair of data points, from the distance of their representations and their outputs over time.

        Args:
            times: (times,).
            x, y: inputs and targets of the two points, (2, …); all axes but the first are flattened.
            distances: squared distance of their representations, (times,).
            outputs: (times, 2, …).
            unit: the unit of the times.

        Example:
            >>> import numpy as np, festina as fs
            >>> outputs = np.linspace(0.1, 1, 5)[:, None, None] * np.array([[0.0], [1.0]])
            >>> points = {"x": [[0.0], [1.0]], "y": [[0.0], [1.0]]}
            >>> curves = {"distances": np.ones(5), "outputs": outputs}
            >>> fs.representation.Pair.from_outputs(range(5), **points, **curves).y.round(2)
            array([0.01, 0.11, 0.3 , 0.6 , 1.  ])
        """
        x, y, outputs = _rows("x", x, 2), _rows("y", y, 2), _rows("outputs", outputs, 3)
        if np.array_equal(x[0], x[1]):
            raise ValueError("x holds two equal points, which no network can distinguish; choose two others.")
        if check.plain("distances", distances).shape != (len(outputs),):
            raise ValueError(
                f"distances is {check.shown(distances)}; one number per time is needed, {len(outputs)} as in outputs."
            )
        if outputs.shape[1:] != y.shape:
            raise ValueError(
                f"outputs has shape {outputs.shape} and y {y.shape}; (times, 2, outputs) and (2, outputs)."
            )
        with np.errstate(over="ignore", invalid="ignore"):
            target, moved = y[1] - y[0], outputs[:, 1] - outputs[:, 0]
            squared = np.sum(moved**2, axis=-1)
            return cls(
                times,
                distances,
                squared,
                squared - moved @ target,
                float(np.sum((x[1] - x[0]) ** 2)),
                float(np.sum(target**2)),
                0.25 * np.sum((outputs - y) ** 2, axis=(1, 2)),
                float(np.sum((outputs[0].mean(axis=0) - y.mean(axis=0)) ** 2)) if len(outputs) else 0.0,
                unit,
            )

    def __repr__(self) -> str:
        cut = f", {self.cut} later ones not finite" if self.cut else ""
        return f"Pair({len(self.times)} times to {self.times[-1]:g} {self.unit}{cut}; dx={self.dx:g}, dy={self.dy:g})"


def _rows(name: str, value: object, axes: int) -> np.ndarray:
    array = check.plain(name, value)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} is {check.shown(value)}; an array of real numbers is needed.")
    array = array.astype(float)
    if array.ndim < axes - 1 or array.shape[axes - 2] != 2:
        shape = "(2, …)" if axes == 2 else "(times, 2, …)"
        raise ValueError(f"{name} has shape {array.shape}; {shape} is needed: two points.")
    return array.reshape(*array.shape[: axes - 1], -1)

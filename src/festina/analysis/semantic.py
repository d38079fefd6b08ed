"""Semantic development: what a network that learns properties of items knows, believes and generalises, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.observed import learned_task
from festina.analysis.passage import crossing
from festina.checks import check
from festina.core.statistics import DEGENERATE

if TYPE_CHECKING:
    from festina.core.observations import Observations


def rise_times(trajectory: Observations, share: float = 0.5) -> np.ndarray:
    """When each mode of the task has been learned: the first time its strength reaches a share of its end s/d.

    Networks without modes, such as ReLU networks, are measured by how much of the mode their outputs contain: uᵀ (1/N Σ
    ŷ xᵀ) v / s. For a linear network with commuting correlations this is its strength over s/d. Between observed times
    progress is interpolated linearly; ``inf`` where the share is never reached.

    Args:
        trajectory: one that observed ``"strengths"`` or ``"outputs"``.
        share: between 0 and 1; ½ is the half-time.

    Returns:
        Flow times, shape ([seeds,] modes).

    Raises:
        ValueError: a share that is not between 0 and 1, or a trajectory of another task.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, times = fs.tasks.living_things(4), np.linspace(0, 60, 601)
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> theory = fs.evolve(network, task, times, observe=("strengths",))
        >>> theory.rise_times().round(1)
        array([ 6. ,  8.6, 13.8, 13.8])

    Source: saxe2019 (progressive differentiation).
    """
    if not 0 < check.positive("share", share) < 1:
        raise ValueError(f"share is {share!r}; a number between 0 and 1 is needed.")
    task = learned_task(trajectory, *(() if "strengths" in trajectory.values else ("outputs",)))
    task.require_squared("rise_times(), a share of a mode's final strength,")
    found, times = task.statistics, trajectory.times
    if "strengths" in trajectory.values:
        progress = trajectory["strengths"] / found.targets
    else:
        along = np.einsum("...no,om,nm->...m", trajectory["outputs"], found.left, task.x @ found.right)
        progress = along / len(task.x) / found.strengths
    return crossing(times, np.moveaxis(progress, -2, -1), share)


@dataclass(frozen=True, eq=False)
class Differentiation:
    """Order and times in which the levels of a task were distinguished.

    Attributes:
        times: half-time of each mode, shape ([seeds,] modes).
        strengths: singular value of each mode.
        levels: the level of each mode: modes with equal singular values are one level, the strongest is 0.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.living_things(8), fs.DeepLinear(hidden=(16,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, task, np.linspace(0, 80, 401), observe=("strengths",))
        >>> path.differentiation().level_times.round(1)
        array([ 8.5, 11.9, 17.2, 27.6])
    """

    times: np.ndarray
    strengths: np.ndarray
    levels: np.ndarray

    @property
    def level_times(self) -> np.ndarray:
        """Mean half-time of the modes of each level, shape ([seeds,] levels)."""
        return np.stack([self.times[..., self.levels == level].mean(axis=-1) for level in np.unique(self.levels)], -1)

    @property
    def order(self) -> np.ndarray:
        """Levels in the order in which they were learned, shape ([seeds,] levels)."""
        return np.argsort(self.level_times, axis=-1, kind="stable")

    @property
    def ordered(self) -> np.ndarray:
        """Share of pairs of modes of different levels that were learned in the order of their strengths; 1: all."""
        first, second = np.nonzero(self.levels[:, None] < self.levels)
        if not len(first):
            return np.ones(self.times.shape[:-1])
        return np.asarray(np.mean(self.times[..., first] < self.times[..., second], axis=-1))

    @property
    def spread(self) -> np.ndarray:
        """How much later the last level came than the first, relative to the first; 0: all at once."""
        times = self.level_times
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(times.max(axis=-1) / times.min(axis=-1) - 1)


def differentiation(trajectory: Observations) -> Differentiation:
    """Progressive differentiation: coarse distinctions are learned before fine ones.

    A mode of a deep network is learned after a time that grows like 1/s, in a transition as short as 1/s. Strong modes,
    which distinguish many items by many properties, come first. In a shallow network on one-hot items all modes rise
    together, at the rate d = 1/P.

    Args:
        trajectory: one that observed ``"strengths"``, long enough for modes to rise.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, times = fs.tasks.living_things(4), np.linspace(0, 60, 601)
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> found = fs.evolve(network, task, times, observe=("strengths",)).differentiation()
        >>> found.levels.tolist(), found.order.tolist()
        ([0, 1, 2, 2], [0, 1, 2])

    Source: saxe2019 (progressive differentiation); saxe_lecture "Progressive differentiation".
    """
    strengths = learned_task(trajectory, "strengths").statistics.strengths
    levels = np.cumsum(np.diff(strengths, prepend=strengths[:1]) < -DEGENERATE * strengths.max(initial=0.0))
    return Differentiation(rise_times(trajectory), strengths, levels)


@dataclass(frozen=True, eq=False)
class Illusions:
    """Beliefs that came and went: predictions that left the range between their first and their last value.

    Attributes:
        heights: how far above both ends the prediction rose (> 0), or below both it fell (< 0), shape ([seeds,] items,
            outputs); 0 where it was between its ends all the time.
        times: when it was furthest away.
        scale: largest target of the task, by which heights are judged.
        items, outputs: names.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.living_things(4), fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, task, np.linspace(0, 60, 301), observe=("outputs",))
        >>> int(path.illusions().count())
        16
    """

    heights: np.ndarray
    times: np.ndarray
    scale: float
    items: tuple[str, ...]
    outputs: tuple[str, ...]

    def count(self, share: float = 0.05) -> np.ndarray:
        """Number of item-property pairs with a height of at least ``share`` of the largest target, shape ([seeds])."""
        return np.asarray(np.sum(np.abs(self.heights) >= share * self.scale, axis=(-2, -1)))

    def strongest(self, share: float = 0.05) -> list[tuple[str, str, float, float]]:
        """(item, property, time, height), strongest first, of heights of at least ``share``; means over seeds."""
        heights, times = self.heights, self.times
        if heights.ndim == 3:
            heights, times = heights.mean(axis=0), times.mean(axis=0)
        found = [
            (self.items[i], self.outputs[k], float(times[i, k]), float(heights[i, k]))
            for i, k in np.argwhere(np.abs(heights) >= share * self.scale)
        ]
        return sorted(found, key=lambda row: -abs(row[3]))


def illusions(trajectory: Observations) -> Illusions:
    """Illusory correlations: properties of an item whose prediction rises and falls back while it learns.

    ŷ_im(t) = Σ_α a_α(t) u_mα v_iα: while strong modes are learned and weak ones are not, an item is credited with what
    its relatives have. In a shallow network on one-hot items every prediction goes straight from its start to its
    target, from any start: none is possible.

    Args:
        trajectory: one that observed ``"outputs"``; what has not fallen back by its last time is not counted.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, times = fs.tasks.living_things(4), np.linspace(0, 60, 601)
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> found = fs.evolve(network, task, times, observe=("outputs",)).illusions()
        >>> item, name, time, height = next(row for row in found.strongest() if row[:2] == ("canary", "swim"))
        >>> print(f"t={time:.1f}: {height:.2f}")
        t=10.4: 0.38

    Source: saxe2019 (illusory correlations).
    """
    task = learned_task(trajectory, "outputs")
    outputs = trajectory["outputs"]
    first, last = outputs[..., 0, :, :], outputs[..., -1, :, :]
    above = outputs.max(axis=-3) - np.maximum(first, last)
    below = outputs.min(axis=-3) - np.minimum(first, last)
    rises = above >= -below
    when = np.where(rises, outputs.argmax(axis=-3), outputs.argmin(axis=-3))
    heights, scale = np.where(rises, above, below), float(np.abs(task.y).max())
    return Illusions(heights, trajectory.times[when], scale, tuple(task.items), tuple(task.outputs))


def typicality(trajectory: Observations) -> np.ndarray:
    """How typical each item is of the category that each mode stands for.

    T_iα = y_i · u_α / a*_α, a*_α = s_α/d_α: the overlap of the item's properties with the prototype. On one-hot items
    T = V, the object analyser vectors. With a trajectory the network's own predictions ŷ_i(t) take the place of y_i:
    what it holds typical at each time, from 0 up to the value in the data.

    Args:
        trajectory: one that observed ``"outputs"``; ``task.typicality()`` is the same of the data themselves.

    Returns:
        Shape ([seeds,] times, items, modes).

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.living_things(4)
        >>> task.typicality()[:, 1].round(2).tolist()
        [0.5, 0.5, -0.5, -0.5]

    Source: saxe2019 (item typicality).
    """
    statistics = learned_task(trajectory, "outputs").statistics
    return trajectory["outputs"] @ statistics.left / statistics.targets


def prototypes(trajectory: Observations) -> np.ndarray:
    """The properties that the category of each mode is held to have: the prototype.

    p_αm = a_α u_mα, and ŷ_i = Σ_α T_iα p_α: an item is predicted from prototypes, weighted by its typicality. On
    one-hot items p_αm = Σ_i v_iα y_im, the average of the items' properties weighted by typicality.

    Args:
        trajectory: one that observed ``"strengths"``; ``task.prototypes()`` is their end, a_α = s_α/d_α.

    Returns:
        Shape ([seeds,] times, modes, outputs).

    Example:
        >>> import festina as fs
        >>> fs.tasks.living_things(4).prototypes().shape
        (4, 7)

    Source: saxe2019 (category prototypes).
    """
    task = learned_task(trajectory, "strengths")
    return trajectory["strengths"][..., None] * task.statistics.left.T


def projection(trajectory: Observations, layer: int = -1) -> np.ndarray:
    """Inductive projection: how far a new property of item i is believed of item j.

    G_ij = h_jᵀ h_i / ‖h_i‖²: what the output for j becomes when only the weights that lead out of the hidden layer
    learn that item i has the property (value 1). G_ii = 1; an item whose h_i is 0 projects nothing.

    Args:
        trajectory: one that observed ``"hidden"``.
        layer: which hidden layer; the last, unless told.

    Returns:
        Shape ([seeds,] times, items, items): row i taught, column j believed.

    Raises:
        ValueError: a network without hidden layers.

    Example:
        >>> import festina as fs
        >>> task, network = fs.tasks.living_things(4), fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-6))
        >>> path = fs.evolve(network, task, [12.0, 60.0], observe=("hidden",))
        >>> path.projection()[:, 0].round(2)
        array([[1.  , 1.  , 0.97, 0.97],
               [1.  , 0.37, 0.14, 0.14]])

    Source: saxe2019 (inductive projection).
    """
    if "hidden" not in trajectory.values:
        raise ValueError("trajectory has no hidden activity; it needs fs.evolve(..., observe=('hidden',)).")
    layers = trajectory["hidden"]
    if not isinstance(layer, int | np.integer) or not -len(layers) <= layer < len(layers):
        raise ValueError(f"layer is {check.shown(layer)}; the network has {len(layers)} hidden layer(s).")
    hidden = layers[layer]
    products = hidden @ np.swapaxes(hidden, -1, -2)
    lengths = np.einsum("...ii->...i", products)[..., None]
    return np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)

"""Hidden representations over learning, in few dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.observed import check_observed
from festina.checks import check
from festina.checks.optional import need

if TYPE_CHECKING:
    from festina.core.observations import Observations

LIMIT = 4000
"""Points (items × times) that are embedded together: distances between all of them take 128 MB."""


@dataclass(frozen=True, eq=False)
class Embedding:
    """Position of each item's representation at each time, on one common map.

    Attributes:
        times: the trajectory's times, in ``unit``.
        points: shape (times, items, dimensions).
        stress: Kruskal's stress-1, √(Σ(δ̂ − δ)²/Σδ²) over all pairs: 0 when the map shows every distance δ exactly.
        unit: the unit of the times.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(16,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, fs.tasks.hierarchy(levels=2), np.linspace(0, 30, 7), observe=("hidden",))
        >>> bool(path.embed().stress < 0.1)
        False
    """

    times: np.ndarray
    points: np.ndarray
    stress: float
    unit: str = "flow time"


def embed(trajectory: Observations, layer: int = 0, *, dimensions: int = 2) -> Embedding:
    """Multidimensional scaling of a hidden layer's representations: all items at all times on one map.

    Distances between points of the map follow the distances between representations. All times are embedded together,
    so that the path of an item is continuous. Scaling starts from the principal components, which fixes the result;
    scikit-learn's SMACOF improves on them.

    Args:
        trajectory: something that observed ``hidden``, of one network (no seed axis).
        layer: which hidden layer, 0 for the first.
        dimensions: the number of dimensions of the map; at most the width of the layer.

    Raises:
        ValueError: ``hidden`` was not observed; seeds; a layer that is not there; too many points.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(16,), initial=fs.initial.Aligned(1e-3))
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> path = fs.evolve(network, task, np.linspace(0, 30, 13), observe=("hidden",))
        >>> path.embed().points.shape
        (13, 4, 2)

    Source: saxe2019 (progressive differentiation).
    """
    check_observed(trajectory, "hidden")
    if trajectory.seeds is not None:
        raise ValueError(
            f"trajectory has {len(trajectory.seeds)} seeds, whose hidden units have nothing to do with each other; "
            "evolve one network (seeds=None) and embed that."
        )
    layers = trajectory["hidden"]
    layer = check.whole("layer", layer, least=0)
    if layer >= len(layers):
        raise ValueError(f"layer is {layer}; the network has {len(layers)} hidden layers, counted from 0.")
    hidden = np.asarray(layers[layer], dtype=float)
    times, items, width = hidden.shape
    if check.whole("dimensions", dimensions) > width:
        raise ValueError(f"dimensions is {dimensions}; the layer has {width} units, so give at most {width}.")
    if times * items > LIMIT:
        raise ValueError(
            f"{times} times of {items} items are {times * items} points, more than {LIMIT} that fit on one map; "
            f"observe at most {LIMIT // items} times."
        )
    points, stress = scale(hidden.reshape(-1, width), dimensions)
    return Embedding(trajectory.times, points.reshape(times, items, dimensions), stress, trajectory.unit)


def scale(points: np.ndarray, dimensions: int = 2, start: np.ndarray | None = None) -> tuple[np.ndarray, float]:
    """Multidimensional scaling of points (points, features): places in few dimensions, and Kruskal's stress-1.

    Args:
        points: what is to be shown.
        dimensions: the number of dimensions of the map.
        start: places (points, dimensions) to begin with; None takes the principal components.

    Example:
        >>> import numpy as np, festina as fs
        >>> places, stress = fs.analysis.scale(np.array([[0.0, 0.0], [3.0, 4.0]]), dimensions=1)
        >>> places.round(6).tolist(), round(stress, 6)
        ([[2.5], [-2.5]], 0.0)
    """
    need("sklearn", "explain")
    from scipy.spatial.distance import pdist, squareform
    from sklearn.manifold import smacof

    flat = check.matrix("points", points)
    if not flat.size:
        raise ValueError(f"points has shape {flat.shape}; at least one point with one feature is needed.")
    flat = flat - flat.mean(axis=0)
    dimensions = check.whole("dimensions", dimensions, most=flat.shape[1])
    if start is not None:
        start = check.matrix("start", start)
        if start.shape != (len(flat), dimensions):
            raise ValueError(f"start has shape {start.shape}; {(len(flat), dimensions)} is needed.")
    else:
        u, s, _ = np.linalg.svd(flat, full_matrices=False)
        start = np.zeros((len(flat), dimensions))
        start[:, : len(s)] = (u * s)[:, :dimensions]
        # the sign of a principal component is free: its largest entry is positive
        start *= np.where(start[np.abs(start).argmax(axis=0), np.arange(dimensions)] < 0, -1.0, 1.0)
    distances = pdist(flat)
    total = float(np.sum(distances**2))
    if total == 0:
        return start, 0.0

    def stress(points: np.ndarray) -> float:
        return float(np.sqrt(np.sum((pdist(points) - distances) ** 2) / total))

    # principal components shorten every distance or keep it: where they keep all, there is nothing to improve
    if stress(start) < 1e-9:
        return start, stress(start)
    found = smacof(squareform(distances), n_components=dimensions, init=start, n_init=1, random_state=0)
    places = np.asarray(found[0])
    return places, stress(places)

"""Representational dissimilarity matrices over learning, of trajectories and of recordings, as rsatoolbox has them."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.analysis.observed import check_observed
from festina.checks import check
from festina.checks.optional import need
from festina.checks.shapes import ArrayLike
from festina.core.task import Task
from festina.storage import store

if TYPE_CHECKING:
    import rsatoolbox.rdm.rdms

    from festina.core.observations import Observations

MEASURES = ("euclidean", "correlation", "mahalanobis", "crossnobis")
"""Dissimilarities between two conditions, by the names that rsatoolbox gives them."""

SYMMETRIC = 1e-9
"""Asymmetry and diagonal of a matrix of dissimilarities, relative to its largest entry, that are rounding errors."""


@dataclass(frozen=True, eq=False, repr=False)
class RDMs:
    """Dissimilarities between conditions, one matrix per session (or time) and per repeat.

    Args:
        matrices: symmetric, zero on the diagonal: (conditions, conditions), (sessions, conditions, conditions) or
            (repeats, sessions, conditions, conditions). Repeats are independent measurements of the same sessions: of
            other subjects, or again of the same one.
        conditions: their names; by these, conditions of data and theory are matched.
        times: the times of the sessions, increasing; by default 1, 2, ….
        unit: the unit of the times.
        measure: ``"euclidean"`` (squared Euclidean), ``"correlation"`` (1 − r), ``"mahalanobis"`` (squared) or
            ``"crossnobis"`` (cross-validated Mahalanobis). All but the correlation are divided by the number of units.

    Raises:
        ValueError: matrices that are not symmetric with a zero diagonal, and names or times that do not fit them.

    Example:
        >>> import festina as fs
        >>> fs.analysis.RDMs([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]], conditions=["a", "b", "c"])
        RDMs(euclidean, 3 conditions, 1 session)
    """

    matrices: Any
    conditions: Sequence[str] = ()
    times: Any = None
    unit: str = "session"
    measure: str = "euclidean"

    def __post_init__(self) -> None:
        given = check.numbers("matrices", self.matrices)
        if given.ndim not in (2, 3, 4) or given.shape[-1] != given.shape[-2] or given.shape[-1] < 2 or not given.size:
            raise ValueError(
                f"matrices has shape {given.shape}; ([[repeats,] sessions,] conditions, conditions) with at least two "
                "conditions is needed. RDMs.from_activity makes matrices from activity."
            )
        matrices = given.reshape((1,) * (4 - given.ndim) + given.shape)
        rounding = SYMMETRIC * float(np.abs(matrices).max())
        odd = np.abs(matrices - np.swapaxes(matrices, -1, -2)).max()
        diagonal = np.abs(np.diagonal(matrices, axis1=-2, axis2=-1)).max()
        if max(odd, diagonal) > rounding:
            raise ValueError(
                f"matrices are not dissimilarities: they are asymmetric by {odd:.3g} and have {diagonal:.3g} on the "
                "diagonal. RDMs.from_activity makes matrices from activity."
            )
        names = tuple(map(str, check.listing("conditions", self.conditions, "names")))
        if names and (len(names) != matrices.shape[-1] or len(set(names)) != len(names)):
            raise ValueError(
                f"conditions has {len(names)} names, {len(set(names))} of them different, for {matrices.shape[-1]} "
                "conditions; give a different name to each, or none."
            )
        sessions = matrices.shape[1]
        times = check.times(np.arange(1.0, sessions + 1) if self.times is None else self.times)
        if len(times) != sessions:
            raise ValueError(f"times has {len(times)} numbers for {sessions} sessions; give one each.")
        check.text("unit", self.unit)
        check.known("measure", self.measure, MEASURES)
        for name, value in (("matrices", matrices), ("conditions", names), ("times", times)):
            object.__setattr__(self, name, value)

    @classmethod
    def from_activity(
        cls,
        activity: ArrayLike,
        *,
        conditions: Sequence[str] = (),
        times: ArrayLike | None = None,
        unit: str = "session",
        measure: str = "euclidean",
        noise: ArrayLike | None = None,
    ) -> RDMs:
        """Dissimilarities between the patterns of activity of each session.

        Args:
            activity: (conditions, units), (sessions, conditions, units) or (repeats, sessions, conditions, units).
            conditions, times, unit, measure: see the class.
            noise: precision matrix of the noise of the units, (units, units), for ``"mahalanobis"`` and
                ``"crossnobis"``, as ``rsatoolbox.data.noise.prec_from_residuals`` estimates it; None is the identity.

        Returns:
            One matrix per session and repeat; for ``"crossnobis"`` one per session, each repeat being left out once.

        Example:
            >>> import festina as fs
            >>> found = fs.analysis.RDMs.from_activity([[0.0, 0.0], [3.0, 4.0]], conditions=["rest", "move"])
            >>> found.matrices[0, 0].tolist()
            [[0.0, 12.5], [12.5, 0.0]]
        """
        given = check.numbers("activity", activity)
        if given.ndim not in (2, 3, 4) or not given.size or given.shape[-2] < 2:
            raise ValueError(
                f"activity has shape {given.shape}; ([[repeats,] sessions,] conditions, units) with at least two "
                "conditions is needed."
            )
        patterns = given.reshape((1,) * (4 - given.ndim) + given.shape)
        check.known("measure", measure, MEASURES)
        if measure == "crossnobis" and len(patterns) < 2:
            raise ValueError("activity has no repeats; measure='crossnobis' is cross-validated and needs at least two.")
        matrices = _dissimilarities(patterns, measure, _precision(noise, patterns.shape[-1], measure))
        return cls(matrices, conditions, times, unit, measure)

    @property
    def vectors(self) -> np.ndarray:
        """Dissimilarities of all pairs of conditions, (repeats, sessions, pairs), in the order of rsatoolbox."""
        return self.matrices[..., *np.triu_indices(self.matrices.shape[-1], 1)]

    @cached_property
    def mean(self) -> RDMs:
        """The mean over repeats."""
        return RDMs(self.matrices.mean(axis=0), self.conditions, self.times, self.unit, self.measure)

    def ordered(self, conditions: Sequence[str]) -> RDMs:
        """The same matrices of these conditions, in this order.

        Raises:
            ValueError: a condition that is not there.
        """
        places = [self.conditions.index(check.known("conditions", name, self.conditions)) for name in conditions]
        return RDMs(self.matrices[..., places, :][..., places], tuple(conditions), self.times, self.unit, self.measure)

    def to_rsatoolbox(self) -> rsatoolbox.rdm.rdms.RDMs:
        """As an object of rsatoolbox; ``repeat`` and ``session`` are descriptors of each matrix.

        Example:
            >>> import festina as fs
            >>> fs.analysis.RDMs.from_activity([[0.0], [1.0], [3.0]]).to_rsatoolbox().n_cond
            3
        """
        need("rsatoolbox", "rsa")
        import rsatoolbox.rdm.rdms

        repeats, sessions = self.matrices.shape[:2]
        named = {"conds": list(self.conditions)} if self.conditions else {}
        return rsatoolbox.rdm.rdms.RDMs(
            self.vectors.reshape(repeats * sessions, -1),
            dissimilarity_measure=self.measure,
            descriptors={"unit": self.unit},
            rdm_descriptors={
                "repeat": np.repeat(np.arange(repeats), sessions).tolist(),
                "session": np.tile(self.times, repeats).tolist(),
            },
            pattern_descriptors=named,
        )

    @classmethod
    def from_rsatoolbox(cls, rdms: rsatoolbox.rdm.rdms.RDMs, conditions: str = "conds") -> RDMs:
        """From an object of rsatoolbox.

        Without descriptors ``session`` and ``repeat`` each of its matrices is one session.

        Args:
            rdms: the object.
            conditions: the pattern descriptor that names the conditions; where it is missing they have no names.

        Raises:
            ValueError: not every repeat has every session.
        """
        check.text("conditions", conditions)
        if not hasattr(rdms, "get_matrices"):
            raise ValueError(f"rdms is {check.shown(rdms)}; an rsatoolbox.rdm.RDMs is needed.")
        matrices, given = rdms.get_matrices(), rdms.rdm_descriptors
        sessions = np.asarray(given.get("session", np.arange(1.0, len(matrices) + 1)), dtype=float)
        repeats = np.asarray(given.get("repeat", np.zeros(len(matrices))))
        times, numbers = np.unique(sessions), np.unique(repeats)
        order = np.lexsort((sessions, repeats))
        grid = np.array([(r, s) for r in numbers for s in times])
        if len(order) != len(grid) or not np.array_equal(np.stack([repeats, sessions], 1)[order], grid):
            raise ValueError(
                f"rdms has {len(matrices)} matrices for {len(numbers)} repeats of {len(times)} sessions; every repeat "
                "needs every session once."
            )
        names = rdms.pattern_descriptors.get(conditions, ())
        words = (name.decode() if isinstance(name, bytes) else str(name) for name in names)
        shaped = matrices[order].reshape(len(numbers), len(times), *matrices.shape[1:])
        measure = str(rdms.dissimilarity_measure).removeprefix("squared ")
        unit = str(rdms.descriptors.get("unit", "session"))
        return cls(shaped, tuple(words), times, unit, measure if measure in MEASURES else "euclidean")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write an HDF5 file of rsatoolbox, atomically; ``rsatoolbox.rdm.load_rdm`` reads it too.

        Args:
            path: the file, such as ``"rdms.h5"``; an older one is replaced.
        """
        target, written = check.new_file("path", path), io.BytesIO()
        self.to_rsatoolbox().save(written, file_type="hdf5")
        return store.save("path", target, written.getvalue())

    @classmethod
    def load(cls, path: str | os.PathLike[str], conditions: str = "conds") -> RDMs:
        """Read an HDF5 file of rsatoolbox; its pickled files are refused, since unpickling runs what is in them.

        Args:
            path: the file.
            conditions: the pattern descriptor that names the conditions.
        """
        source = check.path("path", path)
        need("rsatoolbox", "rsa")
        import rsatoolbox.rdm.rdms

        try:
            found = rsatoolbox.rdm.rdms.load_rdm(str(source), file_type="hdf5")
        except (OSError, KeyError) as error:
            raise ValueError(
                f"path is {str(source)!r}, which is not an HDF5 file of rsatoolbox ({error}); write one with "
                "rdms.save(path) or rsatoolbox's save(path, file_type='hdf5')."
            ) from None
        return cls.from_rsatoolbox(found, conditions)

    def __repr__(self) -> str:
        repeats, sessions, count = self.matrices.shape[:3]
        again = f", {repeats} repeats" if repeats > 1 else ""
        return f"RDMs({self.measure}, {count} conditions, {sessions} session{'s' if sessions > 1 else ''}{again})"


def _precision(noise: ArrayLike | None, units: int, measure: str) -> np.ndarray | None:
    if noise is None:
        return None
    if measure not in ("mahalanobis", "crossnobis"):
        raise ValueError(f"noise is given for measure {measure!r}; it is used by 'mahalanobis' and 'crossnobis'.")
    precision = check.matrix("noise", noise)
    if precision.shape != (units, units) or np.abs(precision - precision.T).max() > SYMMETRIC * np.abs(precision).max():
        raise ValueError(f"noise has shape {precision.shape}; a symmetric precision matrix {(units, units)} is needed.")
    return precision


def _dissimilarities(patterns: np.ndarray, measure: str, precision: np.ndarray | None) -> np.ndarray:
    """(repeats, sessions, conditions, units) to (repeats, sessions, conditions, conditions)."""
    units = patterns.shape[-1]
    if measure == "correlation":
        centred = patterns - patterns.mean(axis=-1, keepdims=True)
        norms = np.linalg.norm(centred, axis=-1, keepdims=True)
        if (norms == 0).any():
            raise ValueError(
                "activity holds a pattern that is the same in all units, whose correlations are not defined; use "
                "measure='euclidean'."
            )
        centred = centred / norms
        found = 1 - centred @ np.swapaxes(centred, -1, -2)
    else:
        whole, own = patterns.sum(axis=0), patterns
        other = (whole - own) / (len(own) - 1) if measure == "crossnobis" else own
        weighed = other if precision is None else other @ precision
        inner = own @ np.swapaxes(weighed, -1, -2) / units
        diagonal = np.diagonal(inner, axis1=-2, axis2=-1)
        found = diagonal[..., :, None] + diagonal[..., None, :] - inner - np.swapaxes(inner, -1, -2)
        # a squared distance is not below zero, except by rounding; its cross-validated estimate may be
        found = found.mean(axis=0, keepdims=True) if measure == "crossnobis" else np.maximum(found, 0.0)
    found = (found + np.swapaxes(found, -1, -2)) / 2
    found[..., np.arange(found.shape[-1]), np.arange(found.shape[-1])] = 0.0
    return found


def rdm(
    trajectory: Observations, layer: int | str = 0, *, measure: str = "euclidean", noise: ArrayLike | None = None
) -> RDMs:
    """Dissimilarities between the representations of the items at every time.

    Args:
        trajectory: one that observed ``hidden``; for the outputs ``outputs``, for the inputs nothing.
        layer: number of a hidden layer, 0 for the first; or ``"inputs"`` or ``"outputs"``.
        measure: see ``fs.analysis.RDMs``. A trajectory has no noise, so that ``"crossnobis"``, whose expectation noise
            does not change, is the Mahalanobis distance.
        noise: precision matrix of the noise of the units, (units, units).

    Returns:
        ``fs.analysis.RDMs`` with the times of the trajectory; conditions are the items of the task where they have
        names, repeats are the seeds.

    Raises:
        ValueError: what is needed was not observed, or the layer is not there.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(16,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, fs.tasks.living_things(4), np.linspace(0, 30, 7), observe=("hidden",))
        >>> path.rdm()
        RDMs(euclidean, 4 conditions, 7 sessions)
        >>> path.rdm().conditions
        ('canary', 'salmon', 'oak', 'rose')
    """
    patterns = _patterns(trajectory, layer)
    check.known("measure", measure, MEASURES)
    task = trajectory.task
    named = isinstance(task, Task) and task.named("items") and len(task.items) == patterns.shape[-2]
    precision = _precision(noise, patterns.shape[-1], measure)
    found = _dissimilarities(patterns, "mahalanobis" if measure == "crossnobis" else measure, precision)
    names = task.items if named and isinstance(task, Task) else ()
    return RDMs(found, names, trajectory.times, trajectory.unit, measure)


def _patterns(trajectory: Observations, layer: int | str) -> np.ndarray:
    """(seeds, times, items, units)."""
    named = check.known("layer", layer, ("inputs", "outputs")) if isinstance(layer, str) else "hidden"
    if named == "inputs":
        check_observed(trajectory)
        if not isinstance(trajectory.task, Task):
            raise ValueError(f"trajectory is of {trajectory.task!r}, which has no inputs; one task is needed.")
        x = trajectory.task.x
        return np.broadcast_to(x, (1, len(trajectory.times), *x.shape))
    check_observed(trajectory, named)
    value = trajectory[named]
    if named == "hidden":
        layers = value if isinstance(value, tuple) else (value,)
        value = layers[check.whole("layer", layer, least=0, most=len(layers) - 1)]
    array = np.asarray(value, dtype=float)
    return array[None] if trajectory.seeds is None else array

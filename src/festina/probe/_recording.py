"""Recording of a network's layers: points over time, with their analysis, saved to one file."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.analysis import LearningRegime, squared_distances
from festina.analysis.regime import BOUND, describe
from festina.checks import check
from festina.core.look import plain
from festina.representation import Pair, TwoPoint, fit
from festina.storage import array_file, store

if TYPE_CHECKING:
    import os

    import pandas
    import xarray
    from matplotlib.figure import Figure


FORMAT = "festina recording 2"
"""Mark of the file format, checked on loading."""

KIND = "recording"

FREE = 2**28
"""Bytes that a recording of any size on the disk may take in memory; above, as many as the file allows."""


@dataclass(frozen=True, eq=False, repr=False)
class Recording:
    """Points in the layers of a network over time; ``probe.recording`` gives it, ``Recording.load`` reads it.

    Attributes:
        times: when was recorded, in ``unit``.
        x, y: inputs and targets of the points, (points, …) flattened.
        outputs: (times, points, outputs).
        hidden: representations by layer, (times, points, units) each, in the order in which the network computes them.
        unit: the unit of the times.
        kernels: tangent kernels, (times, points, points), the mean over outputs; None if they were not asked for.

    Example:
        >>> import numpy as np, festina as fs
        >>> path = np.linspace(0.1, 1, 5)[:, None, None] * np.array([[0.0], [1.0]])
        >>> seen = fs.probe.Recording(np.arange(5.0), [[0.0], [1.0]], [[0.0], [1.0]], path, {"hidden": path})
        >>> seen.pair().h.round(2)
        array([0.01, 0.11, 0.3 , 0.6 , 1.  ])
    """

    times: Any
    x: Any
    y: Any
    outputs: Any
    hidden: Mapping[str, Any]
    unit: str = "epochs"
    kernels: Any = None

    @property
    def layers(self) -> tuple[str, ...]:
        """Recorded layers, in the order in which the network computes them."""
        return tuple(self.hidden)

    def layer(self, name: str | None = None) -> np.ndarray:
        """Representations in a layer, (times, points, units); the only or middle layer unless named."""
        if not len(self.times):
            raise ValueError("nothing has been recorded; call probe.record(epoch) in the training loop.")
        if not self.layers:
            raise ValueError("no layer was watched: the network has no parts of its own; watch one that has.")
        chosen = self.layers[len(self.layers) // 2] if name is None else check.known("layer", name, self.layers)
        return np.asarray(self.hidden[chosen])

    @property
    def classes(self) -> np.ndarray:
        """The class of each point, as a number: points with equal targets are of one class."""
        return np.unique(np.asarray(self.y), axis=0, return_inverse=True)[1].reshape(-1)

    def separation(self, layer: str | None = None) -> np.ndarray:
        """How well a layer tells the classes apart over time: the share of its variance that lies between classes.

        0 where all classes have the same mean, 1 where every point is at the mean of its class; (times,). Classes are
        points with equal targets.

        Raises:
            ValueError: as many classes as points, or only one.
        """
        classes, hidden = self.classes, self.layer(layer).astype(float)
        if not 1 < classes.max() + 1 < len(classes):
            raise ValueError(
                f"the {len(classes)} points have {classes.max() + 1} different targets; separation needs at least two "
                "classes, and two points in one of them: watch more points."
            )
        apart = hidden - hidden.mean(axis=1, keepdims=True)
        means = np.stack([apart[:, classes == k].mean(axis=1) for k in range(classes.max() + 1)], axis=1)
        between, total = (means[:, classes] ** 2).sum((1, 2)), (apart**2).sum((1, 2))
        return between / np.where(total > 0, total, 1.0)

    def alignment(self) -> np.ndarray:
        """How much the tangent kernel is like the targets over time: the cosine of K and YYᵀ, both centred; (times,).

        It grows as a network comes to treat points of one class alike, which is what learning features means.

        Raises:
            ValueError: kernels were not recorded.
        """
        if self.kernels is None:
            raise ValueError("tangent kernels were not recorded; use fs.probe.watch(..., kernel=True).")
        y = np.asarray(self.y, float) - np.mean(self.y, axis=0)
        centre = np.eye(len(y)) - 1 / len(y)
        kernels, goal = centre @ np.asarray(self.kernels, float) @ centre, y @ y.T
        norms = np.sqrt((kernels**2).sum((1, 2)) * (goal**2).sum())
        return (kernels * goal).sum((1, 2)) / np.where(norms > 0, norms, 1.0)

    def to_pandas(self) -> pandas.DataFrame:
        """One row per record: the squared error, or for classes the accuracy and the separation in each layer.

        With kernels also their alignment with the targets.
        """
        import pandas

        y, outputs = np.asarray(self.y, float), np.asarray(self.outputs, float)
        columns: dict[str, Any] = {"squared error": 0.5 * ((outputs - y) ** 2).sum(-1).mean(-1)}
        if y.shape[1] > 1 and np.all((y == 0) | (y == 1)) and np.all(y.sum(1) == 1):
            columns = {"accuracy": (outputs.argmax(-1) == y.argmax(-1)).mean(-1)}
        if 1 < self.classes.max() + 1 < len(y):
            columns |= {f"separation in {name}": self.separation(name) for name in self.layers}
        if self.kernels is not None:
            columns["kernel alignment"] = self.alignment()
        return pandas.DataFrame(columns, index=pandas.Index(np.asarray(self.times), name=self.unit))

    def pair(self, first: int | None = None, second: int | None = None, *, layer: str | None = None) -> Pair:
        """Two of the points in a layer: h, y and w over time; by default the first two with different targets.

        Raises:
            ValueError: points with equal inputs, a layer that was not recorded, or too few finite records.
        """
        rows = self.rows(first, second)
        hidden = self.layer(layer)[:, rows]
        with np.errstate(over="ignore", invalid="ignore"):
            distances = np.sum((hidden[:, 1] - hidden[:, 0]) ** 2, axis=-1)
        x, y = np.asarray(self.x)[rows], np.asarray(self.y)[rows]
        return Pair.from_outputs(self.times, x, y, distances, np.asarray(self.outputs)[:, rows], unit=self.unit)

    def rows(self, first: int | None = None, second: int | None = None) -> list[int]:
        """Both points as rows, once they are known to be there; None is the first that has another target."""
        for name, index in (("first", first), ("second", second)):
            if index is not None and not 0 <= index < len(self.x):
                raise ValueError(f"{name} is {index}; the points are 0 to {len(self.x) - 1}.")
        known = first if first is not None else second if second is not None else 0
        others = np.flatnonzero(np.any(np.asarray(self.y) != np.asarray(self.y)[known], axis=1))
        other = int(others[0]) if len(others) else int(known == 0)
        return [known, other if second is None else second] if first is not None or second is None else [other, known]

    def fit(self, first: int | None = None, second: int | None = None, *, layer: str | None = None):
        """The effective theory fitted to two points; ``misfit`` says how well, ``flags`` whether to trust the rates."""
        return fit(self.pair(first, second, layer=layer))

    def fits(self, pairs: Sequence[tuple[int | None, int | None]] = ((None, None),)):
        """The fits of some pairs in every layer."""
        return {name: [self.fit(*pair, layer=name) for pair in pairs] for name in self.layers}

    def distances(self, layer: str | None = None) -> np.ndarray:
        """Squared distances between all points in a layer, (times, points, points)."""
        return squared_distances(self.layer(layer))

    def regime(self, *, bound: float = BOUND) -> LearningRegime:
        """Whether the network learned rich or lazy: how its representations moved, layer by layer, since the start.

        Weights are not recorded, so that representations stand for the tangent kernel.

        Args:
            bound: distance of the representations from which learning counts as rich.

        Example:
            >>> import numpy as np, festina as fs
            >>> path = np.linspace(0.1, 1, 5)[:, None, None] * np.array([[0.0], [1.0]])
            >>> fs.probe.Recording(np.arange(5.0), [[0.0], [1.0]], [[0.0], [1.0]], path, {"hidden": path}).regime().name
            'lazy'
        """
        if not len(self.times):
            raise ValueError("nothing has been recorded; call probe.record(epoch) in the training loop.")
        hidden = {name: np.asarray(activity, float) for name, activity in self.hidden.items()}
        bad = [name for name, activity in hidden.items() if not np.isfinite(activity).all()]
        if bad:
            raise ValueError(f"hidden holds values that are not finite in {', '.join(bad)}: the run diverged.")
        x, y = np.asarray(self.x, float), np.asarray(self.y, float)
        return describe(
            np.asarray(self.times, float), hidden, x, y, bound=check.positive("bound", bound), unit=self.unit
        )

    def mds(self, layer: str | None = None, at: int = -1, dimensions: int = 2) -> np.ndarray:
        """The points in a few dimensions that keep their distances best, (points, dimensions), at one record.

        Classical scaling; of Euclidean distances that is principal component analysis, which is what is computed.
        """
        from sklearn.decomposition import PCA

        activity = self.layer(layer)[at].astype(float)
        most = min(activity.shape)
        if check.whole("dimensions", dimensions) > most:
            raise ValueError(f"dimensions is {dimensions}; {len(activity)} points in this layer span at most {most}.")
        return PCA(dimensions, svd_solver="full").fit_transform(activity)

    def to_xarray(self) -> xarray.Dataset:
        """Everything as one labelled dataset: ``outputs`` and one variable per layer, with time and point axes."""
        import xarray

        variables: dict[str, Any] = {"outputs": (("time", "point", "output"), np.asarray(self.outputs))}
        for name, activity in self.hidden.items():
            variables[name] = (("time", "point", f"unit of {name}"), np.asarray(activity))
        if self.kernels is not None:
            variables["kernel"] = (("time", "point", "other point"), np.asarray(self.kernels))
        variables["x"] = (("point", "input"), np.asarray(self.x))
        variables["y"] = (("point", "output"), np.asarray(self.y))
        return xarray.Dataset(variables, {"time": ("time", np.asarray(self.times), {"units": self.unit})})

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to one ``.npz`` file; an older one is replaced when the new one is complete.

        ``Recording.load`` reads it back. The file ends with a SHA-256, by which every later change is noticed.

        Args:
            path: the path of the file; ``.npz`` is added to a name without a suffix.

        Returns:
            The path that was written.

        Raises:
            ValueError: a name with another suffix, or a place where no file can be written.
        """
        path = check.new_file("path", path)
        if path.suffix.lower() not in ("", ".npz"):
            raise ValueError(
                f"path is {str(path)!r}, which ends in {path.suffix!r}; recordings are .npz files: call it "
                f"{path.stem + '.npz'!r}."
            )
        path = path if path.suffix else path.with_suffix(".npz")
        described = json.dumps({"format": FORMAT, "unit": self.unit, "layers": list(self.layers)})
        arrays = {name: np.asarray(getattr(self, name)) for name in ("times", "x", "y", "outputs")}
        arrays |= {f"layer {i}": np.asarray(activity) for i, activity in enumerate(self.hidden.values())}
        arrays |= {} if self.kernels is None else {"kernels": np.asarray(self.kernels)}
        arrays = {**_fitting(arrays), "metadata": np.frombuffer(described.encode(), np.uint8)}
        content = io.BytesIO()
        np.savez_compressed(content, allow_pickle=False, **arrays)  # pyright: ignore[reportArgumentType]
        if sum(array.nbytes for array in arrays.values()) > array_file.most_bytes(content.tell(), FREE):
            # arrays that shrink more than this are not read back: a few bytes could claim any amount of memory
            content = io.BytesIO()
            np.savez(content, allow_pickle=False, **arrays)  # pyright: ignore[reportArgumentType]
        try:
            store.write(path, content.getvalue(), KIND)
        except OSError as error:
            raise ValueError(f"path is {str(path)!r}, which cannot be written ({error.strerror}).") from None
        return path

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recording:
        """Read what ``save`` wrote; nothing in the file is executed.

        Args:
            path: the path of the file, as it was given to ``save``: ``.npz`` may be left out.

        Raises:
            ValueError: the file is not there, was changed, or is not a recording.
        """
        path = check.path("path", path)
        if not path.suffix and not path.is_file():
            path = path.with_suffix(".npz")
        if not path.is_file():
            raise ValueError(f"path is {str(path)!r}: there is no such file; give one that Recording.save wrote.")
        try:
            return cls(*_read(path))
        except (OSError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(
                f"path is {str(path)!r}, which is not a recording ({error}); {FORMAT!r} is needed."
            ) from None

    def plot(
        self,
        first: int | None = None,
        second: int | None = None,
        *,
        layer: str | None = None,
        predicted: TwoPoint | None = None,
    ) -> Figure:
        """One figure: h, y and w of two points with the fitted theory, and the misfit in every layer.

        A misfit of 1 (dotted) is no better than curves that do not change; hollow bars are fits with flags.

        Args:
            first, second: the two points; by default the first two with different targets.
            layer: whose curves are drawn; the middle one by default.
            predicted: what ``probe.predict`` gave at the first record, drawn with the fit.
        """
        from festina.plot import COLOURS, panels, two_points

        first, second = self.rows(first, second)
        figure, axes = panels(1, 2, width=4.2, height=3.2)
        found = self.fit(first, second, layer=layer)
        ax = two_points(found, axes[0])
        if predicted is not None:
            times = np.asarray(self.times)
            state = predicted.solve(times - times[0])
            for name in "hyw":
                label = "theory, nothing fitted" if name == "w" else None
                ax.plot(times, getattr(state, name), color="0.45", linestyle=":", linewidth=1.6, label=label)
        name = self.layers[len(self.layers) // 2] if layer is None else layer
        ax.set_title(f"Points {first} and {second} in layer {plain(name)}")
        ax.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.22), ncol=3, frameon=False)
        fits = [fits[0] for fits in self.fits(((first, second),)).values()]
        bars = axes[1].bar(range(len(fits)), [min(f.misfit, 2.0) for f in fits], color=COLOURS[0], edgecolor=COLOURS[0])
        for bar, each in zip(bars, fits, strict=True):
            bar.set_fill(not each.flags)
        axes[1].axhline(1.0, color="grey", linestyle=":")
        long, names = max(map(len, self.layers)) > 3, list(map(plain, self.layers))
        axes[1].set_xticks(range(len(fits)), names, rotation=30 if long else 0, ha="right" if long else "center")
        axes[1].set(xlabel="layer", ylabel="misfit over change", title="Fit by layer", ylim=(0, None))
        return figure

    def __repr__(self) -> str:
        layers = ", ".join(self.layers) if len(self.layers) < 6 else f"{len(self.layers)} layers"
        return f"{type(self).__name__}({len(self.x)} points, {len(self.times)} records, layers: {layers})"


def _read(path: Path) -> tuple[Any, ...]:
    """The fields of a recording in a file."""
    arrays = array_file.read_npz(path, store.read(path, KIND)[1], FREE)
    metadata = json.loads(arrays["metadata"].tobytes())
    if metadata["format"] != FORMAT:
        raise ValueError(f"its format is {check.shown(metadata['format'])}")
    layers = [check.text("layers", name) for name in check.listing("layers", metadata["layers"], "names")]
    if len(set(layers)) < len(layers):
        raise ValueError("it has two layers of one name")
    names = ("times", "x", "y", "outputs", *(f"layer {i}" for i in range(len(layers))))
    names += ("kernels",) if "kernels" in arrays else ()
    times, x, y, outputs, *hidden = _fitting({name: arrays[name] for name in names}).values()
    kernels = hidden.pop() if "kernels" in arrays else None
    unit = check.text("unit", metadata["unit"])
    return times, x, y, outputs, dict(zip(layers, hidden, strict=True)), unit, kernels


def _fitting(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Times, x, y, outputs and layers, in this order, once they are known to fit each other.

    Values that are not finite are kept in outputs and layers, as a network that diverges has them.

    Raises:
        ValueError: they do not.
    """
    times, x, y = (check.numbers(name, arrays[name]) for name in ("times", "x", "y"))
    if times.ndim != 1 or np.any(np.diff(times) <= 0):
        raise ValueError("times do not increase")
    if min(x.ndim, y.ndim) < 1 or len(x) != len(y):
        raise ValueError(f"x has shape {x.shape} and y has {y.shape}: not one row per point")
    for name, array in list(arrays.items())[3:]:
        # nothing was recorded if there are no times, and then there are no points either
        if array.dtype.kind not in "biuf" or (len(times) and array.shape[:2] != (len(times), len(x))):
            raise ValueError(
                f"{name} is an array of {array.dtype} of shape {array.shape}; numbers at {len(times)} times and "
                f"{len(x)} points are needed"
            )
    return arrays

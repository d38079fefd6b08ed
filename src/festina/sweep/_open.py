"""A sweep's results as one labelled data set."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.sweep._plan import Plan
from festina.sweep._store import Store

if TYPE_CHECKING:
    import xarray


def open_sweep(path: str | os.PathLike[str]) -> "xarray.Dataset":
    """All results of a sweep, by swept setting and seed.

    Dimensions are the swept settings in the order they were given, then ``seed`` (the first seed of each block; the
    coordinate ``seeds`` is its size), then the axes of each value. What is not there (yet), or failed, is nan, or an
    empty word; ``done`` says which is which. A value that is shorter at some settings than at others is filled up
    likewise. Values of an experiment are found by name, nested ones with dots (``errors.tree``); its claims are
    ``claim.NAME`` (measured), ``claim.NAME.bound`` and ``claim.NAME.status``.

    Args:
        path: the folder, ``out`` of ``fs.sweep``; it may still be running, or be a copy that cannot be written.

    Raises:
        ValueError: there is no sweep; a shard is corrupt, or of other settings or code.

    Example:
        >>> import tempfile, festina as fs
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> few = {"features": (50,), "draws": 1, "trained": 20, "hidden": 4, "depth": 2}
        >>> with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor() as pool:
        ...     done = fs.sweep("structures", {"flip": [0.1, 0.2]}, 1, out=out, fixed=few, quick=True, executor=pool)
        ...     data = fs.open_sweep(out)
        >>> data["done"].values.tolist()
        [[True], [True]]
    """
    import xarray

    store = Store(Path(path))
    plan = store.read_plan()
    done = np.zeros(plan.shape, bool)
    columns: dict[str, _Column] = {}
    for task in plan.tasks():
        shard = store.read(task)
        if shard is None:
            continue
        done[task.index] = True
        for name, array in shard.values.items():
            columns.setdefault(name, _Column(plan.shape)).put(task.index, array)
    lead = (*(a.name for a in plan.axes), *(() if plan.seeds is None else ("seed",)))
    coords = _coords(plan)
    variables: dict[str, Any] = {"done": (lead, done)}
    for name in sorted(columns):
        column = columns[name]
        label = f"values.{name}" if name in {*coords, *lead, "done"} else name
        axes = tuple(f"{label}_axis{k}" for k in range(column.depth))
        variables[label] = ((*lead, *axes), column.array())
    described = {
        "experiment": plan.experiment,
        "settings": json.dumps(dict(plan.base), sort_keys=True),
        "code": json.dumps(dict(plan.code), sort_keys=True),
    }
    return xarray.Dataset(variables, coords, described)


def _coords(plan: Plan) -> dict[str, Any]:
    coords: dict[str, Any] = {a.name: a.labels for a in plan.axes}
    if plan.seeds is not None:
        coords["seed"] = list(plan.seeds.starts)
        coords["seeds"] = ("seed", [plan.seeds.size(start) for start in plan.seeds.starts])
    return coords


class _Column:
    """One value at all places of the grid; grows with the largest array put into it."""

    def __init__(self, lead: tuple[int, ...]) -> None:
        self.lead = lead
        self.filled = 0
        self.whole = True
        self.data: np.ndarray | None = None

    @property
    def depth(self) -> int:
        """Number of axes of the value itself."""
        assert self.data is not None
        return self.data.ndim - len(self.lead)

    def put(self, index: tuple[int, ...], array: np.ndarray) -> None:
        """Put one result in its place."""
        words = array.dtype == object
        if self.data is None:
            self.data = self._blank(array.shape, words)
        if words != (self.data.dtype == object) or array.ndim != self.depth:
            # a value that is a number here and a word or a list there can only be kept in words
            self.data, array = self._texts(self.data), np.array(str(array.tolist()), object)
        size = self.data.shape[len(self.lead) :]
        if any(a > b for a, b in zip(array.shape, size, strict=True)):
            grown = self._blank(tuple(map(max, array.shape, size)), words)
            grown[(..., *map(slice, size))] = self.data
            self.data = grown
        self.filled += array.size
        self.whole &= array.dtype == np.int64 and bool(np.all(np.abs(array) < 2**53))
        self.data[(*index, *map(slice, array.shape))] = array

    def array(self) -> np.ndarray:
        """All of it: whole numbers where every one is there and is one, else float64; or words."""
        assert self.data is not None
        if self.data.dtype == object:
            return self.data.astype(str)
        return self.data.astype(np.int64) if self.whole and self.filled == self.data.size else self.data

    def _blank(self, shape: tuple[int, ...], words: bool) -> np.ndarray:
        return np.full((*self.lead, *shape), "" if words else np.nan, object if words else float)

    def _texts(self, data: np.ndarray) -> np.ndarray:
        texts = self._blank((), True)
        for at in np.ndindex(self.lead):
            part = data[at]
            missing = part == "" if data.dtype == object else np.isnan(part)
            texts[at] = "" if np.all(missing) else str(np.asarray(part).tolist())
        return texts

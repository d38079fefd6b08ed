"""A sweep's results as one labelled data set."""

import json
import math
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.storage.netcdf import Variable
from festina.sweeps._plan import RESERVED, Plan, Task
from festina.sweeps._store import Store

if TYPE_CHECKING:
    import xarray

FREE = 2**27
"""Numbers of a data set that are made whatever the results are: 1 GiB."""

MAX_RATIO = 8
"""Numbers that are made for each byte of results beyond that. A number takes eight bytes in a shard, so that a sweep
can be opened when a sixtieth of it is done."""


def open_sweep(path: str | os.PathLike[str]) -> "xarray.Dataset":
    """All results of a sweep, by swept setting and seed.

    Dimensions are the swept settings in the order they were given, then ``seed``, then the axes of each value. If a
    call computes a block of several seeds, values with an axis ``seed`` are joined along one axis of all seeds. Values
    without it, such as a mean over the block, have ``seed_block`` instead, the first seed of each block. Results that
    are missing or failed are NaN or an empty string; ``done`` says which these are. An axis that is shorter at some
    settings than at others is padded in the same way.

    The numbers along an axis are its coordinate if they are the same in all results. If they differ, the axis has no
    coordinate, and the numbers are the variable ``AXIS_values``. A value that is called like a swept setting becomes
    ``result_NAME``.

    Args:
        path: the folder, ``out`` of ``fs.sweep``; it may still be running, be a copy that cannot be written, or come
            from somebody else: nothing in it is executed.

    Raises:
        ValueError: there is no sweep; a shard is corrupt, or of other settings or code.

    Example:
        >>> import tempfile, festina as fs
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> def learn(scale: float, seed: int, seeds: int):
        ...     network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(scale))
        ...     task = fs.tasks.hierarchy(levels=2)
        ...     return fs.evolve(network, task, [0.0, 5.0, 10.0], method=fs.Flow(), seed=seed, seeds=seeds)
        >>> with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor() as pool:
        ...     done = fs.sweep(learn, {"scale": [0.1, 0.2]}, seeds=4, block=2, out=out, executor=pool)
        ...     data = fs.open_sweep(out)
        >>> dict(data["loss"].sizes)
        {'scale': 2, 'seed': 4, 'time': 3}
        >>> data["time"].values.tolist()
        [0.0, 5.0, 10.0]
    """
    store = Store(check.path("path", path).absolute())
    plan = store.read_plan()
    memory = _Memory(store.path)
    memory.take(0 if plan.seeds is None else plan.seeds.count)
    done = _Column(plan, ("seed",) if plan.seeds is not None else (), memory)
    done.data = done.blank()
    columns: dict[str, _Column] = {}
    numbers: dict[str, _Column] = {}
    for task in plan.tasks():
        result = store.read(task)
        if result is None:
            continue
        marks = np.ones(() if task.seeds is None else len(task.seeds), np.int64)
        done.put(task, Variable(done.dims, marks))
        for kept, found in ((columns, result.variables), (numbers, result.coords)):
            for name, variable in found.items():
                kept.setdefault(name, _Column(plan, variable.axes, memory)).put(task, variable)
    return _assembled(plan, columns, numbers, done)


class _Memory:
    """How many numbers the data set of a folder may hold: a few declared words could claim any amount of memory."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.taken = folder, 0

    def take(self, entries: int) -> None:
        """Count an array before it is made.

        Raises:
            ValueError: all arrays together are far larger than the results in the folder.
        """
        self.taken += entries
        if self.taken > FREE and self.taken > MAX_RATIO * self._stored:
            raise ValueError(
                f"path is {str(self.folder)!r}, whose sweep.json declares so many settings and seeds that their arrays "
                f"would have {self.taken:.3g} numbers, for results of {self._stored} bytes; such a sweep cannot be "
                "opened before more of it is done."
            )

    @cached_property
    def _stored(self) -> int:
        return sum(path.lstat().st_size for path in self.folder.glob("shards/*/*.nc"))


def _assembled(
    plan: Plan, columns: Mapping[str, "_Column"], numbers: Mapping[str, "_Column"], done: "_Column"
) -> "xarray.Dataset":
    """Columns as variables of one data set; a value or an axis that is called like a swept setting is renamed."""
    import xarray

    taken = {*(axis.name for axis in plan.axes), *RESERVED, *(() if plan.seeds is None else ("seed",))}
    sizes: dict[str, int] = {}
    for column in (*columns.values(), *numbers.values()):
        for axis, size in column.sizes.items():
            sizes[axis] = max(size, sizes.get(axis, 0))

    def free(name: str) -> str:
        while name in columns or name in numbers:
            name += "_"
        return name

    def rename(name: str) -> str:
        return free(f"result_{name}") if name in taken else name

    def variable(column: _Column) -> tuple[tuple[str, ...], np.ndarray, dict[str, Any]]:
        return (*column.lead_dims, *map(rename, column.sizes)), column.array(sizes), dict(column.attrs)

    coords: dict[str, Any] = {axis.name: axis.labels for axis in plan.axes}
    if plan.seeds is not None:
        coords["seed"] = np.arange(plan.seeds.first, plan.seeds.first + plan.seeds.count)
    variables: dict[str, Any] = {"done": (done.lead_dims, np.nan_to_num(done.array()).astype(bool))}
    variables |= {rename(name): variable(column) for name, column in sorted(columns.items())}
    for name, column in sorted(numbers.items()):
        common = column.common() if column.sizes.items() <= sizes.items() else None
        if common is None or name in columns:
            variables[free(f"{rename(name)}_values")] = variable(column)
        else:
            coords[rename(name)] = (tuple(map(rename, common.axes)), common.values, dict(common.attributes))
    if plan.seeds is not None and any("seed_block" in dims for dims, *_ in variables.values()):
        coords["seed_block"] = list(plan.seeds.starts)
    described = {name: json.dumps(dict(part), sort_keys=True) for name, part in
                 (("settings", plan.base), ("code", plan.code))}  # fmt: skip
    return xarray.Dataset(variables, coords, {"function": plan.function, **described})


EXACT = 2**53
"""Whole numbers from here on are not exact as floating-point numbers; they are kept as text, with all digits."""


class _Column:
    """One value at all places of the grid; grows with the largest array put into it."""

    def __init__(self, plan: Plan, dims: tuple[str, ...], memory: _Memory) -> None:
        self.plan, self.memory = plan, memory
        self._lay(dims)
        self.filled, self.whole = 0, True
        self.attrs: dict[str, Any] = {}
        self.places: list[tuple[int, ...]] = []
        self.data: np.ndarray | None = None

    def _lay(self, dims: tuple[str, ...]) -> None:
        """Axes of the data: those of the grid, of seeds of the value's own or of their blocks, then its other axes."""
        seeds = self.plan.seeds
        self.dims, self.per_seed = dims, seeds is not None and dims[:1] == ("seed",)
        self.lead, self.lead_dims = self.plan.shape, tuple(axis.name for axis in self.plan.axes)
        if seeds is not None:
            # a block of one seed is that seed
            self.lead_dims += ("seed" if self.per_seed or seeds.block == 1 else "seed_block",)
            self.lead = (*self.lead[:-1], seeds.count) if self.per_seed else self.lead

    def put(self, task: Task, variable: Variable) -> None:
        """Put one result in its place."""
        array = variable.values
        if array.dtype.kind in "iu" and np.any(np.abs(array.astype(float)) >= EXACT):
            array = array.astype(str).astype(object)
        words = array.dtype == object
        if self.data is None:
            self.data, self.attrs = self.blank(array.shape[self.per_seed :], words), dict(variable.attributes)
        if words != (self.data.dtype == object) or variable.axes != self.dims:
            # a value that is a number here and a word or a list there can only be kept in words
            self._to_words()
            array = np.array(str(variable.values.tolist()), object)
        size, needed = self.data.shape[len(self.lead) :], array.shape[self.per_seed :]
        if any(a > b for a, b in zip(needed, size, strict=True)):
            grown = self.blank(tuple(map(max, needed, size)), words)
            grown[(..., *map(slice, size))] = self.data
            self.memory.taken -= self.data.size
            self.data = grown
        self.filled += array.size
        self.places.append(task.index)
        self.whole &= array.dtype == np.int64 and bool(np.all(np.abs(array) < EXACT))
        self.data[(*self._place(task.index), *map(slice, needed))] = array

    @property
    def sizes(self) -> dict[str, int]:
        """Length of each axis of the value itself."""
        shape = () if self.data is None else self.data.shape[len(self.lead) :]
        return dict(zip(self.dims[self.per_seed :], shape, strict=self.data is not None))

    def array(self, sizes: Mapping[str, int] | None = None) -> np.ndarray:
        """All of it: whole numbers where every one is there and is one, else float64; or words, as of numbers >= 2⁵³.

        ``sizes`` are the lengths of the axes in the whole data set, where other values may be longer.
        """
        if self.data is None:
            return self.blank()
        data = self.data
        if sizes is not None and any(sizes[axis] > size for axis, size in self.sizes.items()):
            data = self.blank(tuple(sizes[axis] for axis in self.sizes), data.dtype == object)
            data[(..., *map(slice, self.sizes.values()))] = self.data
        if data.dtype == object:
            # every word takes as many characters, of four bytes each, as the longest
            self.memory.take(data.size * max((len(str(word)) for word in data.flat), default=0) // 2)
            return data.astype(str)
        return data.astype(np.int64) if self.whole and self.filled == data.size else data

    def common(self) -> Variable | None:
        """Value shared by all results; None if they differ."""
        if self.data is None or self.per_seed or self.data.ndim - len(self.lead) != len(self.dims):
            return None
        rows = [self.data[self._place(index)] for index in self.places]
        if self.filled != sum(row.size for row in rows) or not all(np.array_equal(row, rows[0]) for row in rows):
            return None
        first = rows[0].astype(str) if rows[0].dtype == object else rows[0]
        return Variable(self.dims, first.astype(np.int64) if self.whole else first, self.attrs)

    def blank(self, shape: tuple[int, ...] = (), words: bool = False) -> np.ndarray:
        """Nothing yet, everywhere."""
        self.memory.take(math.prod((*self.lead, *shape)))
        return np.full((*self.lead, *shape), "" if words else np.nan, object if words else float)

    def _place(self, index: tuple[int, ...]) -> tuple[Any, ...]:
        if not self.per_seed or self.plan.seeds is None:
            return index
        seeds = self.plan.seeds.of_block(index[-1])
        start = seeds.start - self.plan.seeds.first
        return (*index[:-1], slice(start, start + len(seeds)))

    def _to_words(self) -> None:
        assert self.data is not None
        kept = [(index, np.asarray(self.data[self._place(index)])) for index in self.places]
        already = self.data.dtype == object and not self.dims
        self._lay(())
        self.data = self.blank(words=True)
        for index, found in kept:
            exact = self.whole and not np.isnan(found).any()
            part = found.astype(np.int64) if exact else found
            self.data[index] = part.item() if already else str(part.tolist())

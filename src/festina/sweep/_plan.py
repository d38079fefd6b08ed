"""The plan of a sweep: settings and seeds cut into tasks, each known by a hash of all that its result depends on."""

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from festina import _check
from festina.papers import Experiment
from festina.sweep._axis import Axis, axis, convert
from festina.sweep._code import code_version
from festina.sweep._experiment import hints

FORMAT = "festina sweep 1"
"""Mark of a sweep's declaration; it changes whenever the same settings would be stored otherwise."""


@dataclass(frozen=True)
class Seeds:
    """``count`` seeds from ``first`` on, cut into blocks; ``fields`` are the settings that carry a block."""

    first: int
    count: int
    block: int
    fields: tuple[str, ...]

    @property
    def starts(self) -> range:
        """First seed of each block."""
        return range(self.first, self.first + self.count, self.block)

    def size(self, start: int) -> int:
        """Number of seeds in the block that begins at ``start``; the last may be smaller."""
        return min(self.block, self.first + self.count - start)


@dataclass(frozen=True)
class Task:
    """One run of the experiment: its place in the grid, its settings, and its key."""

    index: tuple[int, ...]
    settings: Mapping[str, Any]
    key: str


@dataclass(frozen=True)
class Plan:
    """What is swept: plain data, written beside the results and enough to name every one of them."""

    experiment: str
    file: bool
    quick: bool
    base: Mapping[str, Any]
    axes: tuple[Axis, ...]
    seeds: Seeds | None
    code: Mapping[str, str]

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values on each axis, and of seed blocks."""
        blocks = () if self.seeds is None else (len(self.seeds.starts),)
        return (*(len(a.values) for a in self.axes), *blocks)

    @property
    def total(self) -> int:
        """Number of tasks."""
        return math.prod(self.shape)

    def tasks(self) -> Iterator[Task]:
        """All tasks, one at a time, in the order of the grid."""
        for index in itertools.product(*map(range, self.shape)):
            yield self.task(index)

    def task(self, index: tuple[int, ...]) -> Task:
        """The task at a place of the grid."""
        settings = dict(self.base)
        for part, at in zip(self.axes, index, strict=False):
            settings[part.field] = part.values[at]
        if self.seeds is not None:
            start = self.seeds.starts[index[-1]]
            settings |= {f: start if f == "seed" else self.seeds.size(start) for f in self.seeds.fields}
        content = {"format": FORMAT, "experiment": self.experiment, "settings": settings, "code": dict(self.code)}
        return Task(index, settings, hashlib.sha256(_text(content).encode()).hexdigest())

    def words(self, task: Task) -> str:
        """What distinguishes a task, for people: the swept settings and the seeds."""
        parts = [f"{a.name}={a.labels[i]}" for a, i in zip(self.axes, task.index, strict=False)]
        if self.seeds is not None:
            start = self.seeds.starts[task.index[-1]]
            size = self.seeds.size(start)
            parts.append(f"seed={start}" if size == 1 else f"seeds={start}…{start + size - 1}")
        return " ".join(parts) or "the settings as they are"

    def to_json(self) -> str:
        """The plan as text, the same for equal plans."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, sort_keys=True) + "\n"


def from_json(text: str) -> Plan:
    """Read a plan; raises ``ValueError`` where it is not one."""
    try:
        told = json.loads(text)
        if told.pop("format") != FORMAT:
            raise ValueError("of another format")
        axes = tuple(Axis(a["name"], a["field"], tuple(a["values"])) for a in told.pop("axes"))
        seeds = told.pop("seeds")
        seeds = None if seeds is None else Seeds(**{**seeds, "fields": tuple(seeds["fields"])})
        return Plan(axes=axes, seeds=seeds, **told)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"not the declaration of a sweep that this version reads: {error}") from None


def plan_sweep(
    experiment: Experiment,
    grid: Mapping[str, Any],
    seeds: int | None = None,
    block: int | None = None,
    fixed: Mapping[str, Any] | None = None,
    quick: bool = False,
) -> Plan:
    """The plan of a sweep, checked as far as it can be without running it."""
    kinds = hints(experiment)
    fixed = {name: convert(name, value, kinds.get(name, object)) if name in kinds else value
             for name, value in (fixed or {}).items()}  # fmt: skip
    changes = {name: tuple(value) if isinstance(value, list) else value for name, value in fixed.items()}
    base = _plain(asdict(experiment.settings(quick=quick, **changes)))
    axes = tuple(axis(name, values, kinds, experiment.name) for name, values in dict(grid).items())
    fields = [a.field for a in axes]
    for name in fields:
        if name in fixed or fields.count(name) > 1:
            raise ValueError(f"{name} is given twice; sweep over it or fix it, once.")
    return Plan(
        experiment=experiment.name,
        file=bool(experiment.file),
        quick=quick,
        base=base,
        axes=axes,
        seeds=_cut(experiment.name, base, fields, seeds, block),
        code=code_version(experiment),
    )


def _cut(name: str, base: Mapping[str, Any], swept: list[str], seeds: int | None, block: int | None) -> Seeds | None:
    """Blocks of seeds: by default as many seeds in one as one run of the experiment has."""
    if seeds is None:
        if block is not None:
            raise ValueError(f"block is {block!r} without seeds; say how many seeds there are in all: seeds=….")
        return None
    count = _check.whole("seeds", seeds)
    fields = tuple(f for f in ("seed", "seeds") if f in base)
    if not fields:
        raise ValueError(f"seeds is {count}, but {name} has neither a setting seed nor seeds: it draws nothing.")
    if set(fields) & set(swept):
        raise ValueError(f"seeds is {count} and the grid has {' and '.join(set(fields) & set(swept))}; give only one.")
    size = count if block is None else _check.whole("block", block)
    if fields == ("seeds",) and size < count:
        raise ValueError(
            f"block is {size}, but {name} has no setting seed (the first of its seeds), so that all of its seeds are "
            "one block; leave block out."
        )
    if fields == ("seed",) and block not in (None, 1):
        raise ValueError(f"block is {block}, but {name} has no setting seeds: its blocks are of one seed.")
    if block is None and "seed" in fields:
        size = min(count, base["seeds"]) if "seeds" in fields else 1
    return Seeds(base.get("seed", 0), count, size, fields)


def _text(content: Any) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """Tuples as lists, as JSON has them; infinities stay."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, tuple | list) else value

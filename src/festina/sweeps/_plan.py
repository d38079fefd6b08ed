"""The plan of a sweep: settings and seeds cut into tasks, each known by a hash of all that its result depends on."""

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from festina.checks import check
from festina.sweeps._axis import MAX_TASKS, Axis, Plain, convert, is_plain, read_axis
from festina.sweeps._function import Function

FORMAT = "festina sweep 2"
"""Mark of a sweep's declaration; it changes whenever the same settings would be stored differently."""

Dims = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Seeds:
    """``count`` seeds from ``first`` on, cut into blocks; ``fields`` are the parameters that carry a block."""

    first: int
    count: int
    block: int
    fields: tuple[str, ...]

    @property
    def starts(self) -> range:
        """First seed of each block."""
        return range(self.first, self.first + self.count, self.block)

    def of_block(self, index: int) -> range:
        """The seeds of a block; the last block may be smaller."""
        start = self.starts[index]
        return range(start, min(start + self.block, self.first + self.count))


@dataclass(frozen=True)
class Task:
    """One call of the function: its place in the grid, its settings, its seeds, and its key."""

    index: tuple[int, ...]
    settings: Mapping[str, Plain]
    seeds: range | None
    key: str


@dataclass(frozen=True)
class Plan:
    """Plan of a sweep: plain data, written beside the results and enough to name every one of them."""

    function: str
    base: Mapping[str, Plain]
    axes: tuple[Axis, ...]
    seeds: Seeds | None
    dims: Dims
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
        seeds = None if self.seeds is None else self.seeds.of_block(index[-1])
        if self.seeds is not None and seeds is not None:
            settings |= {name: seeds.start if name == "seed" else len(seeds) for name in self.seeds.fields}
        return Task(index, settings, seeds, hashlib.sha256(self._common + _text(settings)).hexdigest())

    @cached_property
    def _common(self) -> bytes:
        """Everything that all results depend on besides their settings."""
        dims = {name: list(dims) for name, dims in self.dims.items()}
        return _text({"format": FORMAT, "function": self.function, "code": dict(self.code), "dims": dims})

    def label(self, task: Task) -> str:
        """Readable description of a task: the swept settings and the seeds."""
        parts = [f"{a.name}={a.labels[i]}" for a, i in zip(self.axes, task.index, strict=False)]
        if task.seeds is not None:
            first, last = task.seeds[0], task.seeds[-1]
            parts.append(f"seed={first}" if first == last else f"seeds={first}…{last}")
        return " ".join(parts) or "the settings as they are"

    def to_json(self) -> str:
        """The plan as text, the same for equal plans."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, sort_keys=True) + "\n"


def from_json(text: str) -> Plan:
    """Read a plan; raises ``ValueError`` where it is not one. Nothing in it names code: names are only compared."""
    try:
        told = json.loads(text)
        if told["format"] != FORMAT:
            raise ValueError(f"its format is {told['format']!r}, {FORMAT!r} is needed")
        axes = tuple(
            Axis(_word(a["name"]), _word(a["field"]), tuple(convert(a["name"], v, Any) for v in a["values"]))
            for a in told["axes"]
        )
        seeds = told["seeds"]
        if seeds is not None:
            first = check.whole("first", seeds["first"], least=0)
            count, block = (check.whole(name, seeds[name]) for name in ("count", "block"))
            seeds = Seeds(first, count, block, tuple(map(_word, seeds["fields"])))
        plan = Plan(
            function=_word(told["function"]),
            base={_word(name): convert(name, value, Any) for name, value in told["base"].items()},
            axes=axes,
            seeds=seeds,
            dims={_word(name): tuple(map(_word, dims)) for name, dims in told["dims"].items()},
            code={_word(name): _word(value) for name, value in told["code"].items()},
        )
        _check_size(plan)
        return plan
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) else error
        raise ValueError(f"not the declaration of a sweep that this version reads: {reason}") from None


def plan_sweep(
    function: Function,
    grid: Mapping[str, object],
    seeds: int | None = None,
    block: int | None = None,
    fixed: Mapping[str, object] | None = None,
    dims: Mapping[str, object] | None = None,
) -> Plan:
    """The plan of a sweep, checked as far as it can be without calling the function."""
    fixed, dims = {} if fixed is None else fixed, {} if dims is None else dims
    for name, given in (("grid", grid), ("fixed", fixed), ("dims", dims)):
        if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
            raise ValueError(f"{name} is {given!r}; a dictionary by names is needed.")
    hints, any_name = function.hints, function.any_name
    if not any_name:
        for name in fixed:
            check.known(f"fixed: setting of {function.name}", name, hints)
    chosen = {name: convert(name, value, hints.get(name, Any)) for name, value in fixed.items()}
    defaults = {name: convert(name, value, Any) for name, value in function.defaults.items() if is_plain(value)}
    axes = tuple(read_axis(name, values, hints, function.name, any_name) for name, values in grid.items())
    fields = [a.field for a in axes]
    for name in fields:
        if name in chosen or fields.count(name) > 1:
            raise ValueError(f"{name} is given twice; sweep over it or fix it, once.")
    base = {name: value for name, value in {**defaults, **chosen}.items() if name not in fields}
    cut = _cut(function, base, fields, seeds, block)
    missing = set(hints) - set(function.defaults) - set(chosen) - set(fields) - set(cut.fields if cut else ())
    if missing:
        name = min(missing)
        advice = "give seeds=…, the number of seeds" if name in ("seed", "seeds") else "give it in grid or in fixed"
        raise ValueError(f"{function.name} needs {name}, which is not given; {advice}.")
    plan = Plan(function.name, base, axes, cut, _read_dims(dims), dict(function.code))
    _check_size(plan)
    return plan


def _cut(
    function: Function, base: Mapping[str, object], swept: list[str], seeds: int | None, block: int | None
) -> Seeds | None:
    """Blocks of seeds: by default as many seeds in one as one call of the function has."""
    if seeds is None:
        if block is not None:
            raise ValueError(f"block is {block!r} without seeds; say how many seeds there are in all: seeds=….")
        return None
    name, count = function.name, check.whole("seeds", seeds, most=check.MAX_SEED - 1)
    fields = tuple(field for field in ("seed", "seeds") if field in function.hints)
    if not fields:
        raise ValueError(
            f"seeds is {count}, but {name} has neither a parameter seed nor seeds, so that it draws nothing."
        )
    if both := set(fields) & set(swept):
        raise ValueError(f"seeds is {count} and the grid has {' and '.join(sorted(both))}; give only one.")
    size = count if block is None else check.whole("block", block)
    if fields == ("seeds",) and size < count:
        raise ValueError(
            f"block is {size}, but {name} has no parameter seed (the first of its seeds), so that all of its seeds are "
            "one block; leave block out."
        )
    if fields == ("seed",) and block not in (None, 1):
        raise ValueError(f"block is {block}, but {name} has no parameter seeds: its blocks are of one seed.")
    if block is None and "seed" in fields:
        usual = base.get("seeds", count) if "seeds" in fields else 1
        size = min(count, usual) if isinstance(usual, int) and usual > 0 else count
    first = base.get("seed", 0)
    return Seeds(0 if first is None else check.whole("seed", first, least=0), count, size, fields)


def _read_dims(dims: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    found = {}
    for name, given in dims.items():
        names = (given,) if isinstance(given, str) else check.listing(f"dims[{name!r}]", given, "names of axes")
        if not all(isinstance(part, str) and part for part in names) or len(set(names)) < len(names):
            raise ValueError(
                f"dims[{name!r}] is {given!r}; names of its axes are needed, each once, such as ('time',)."
            )
        found[name] = tuple(names)
    return found


def _check_size(plan: Plan) -> None:
    if plan.total > MAX_TASKS:
        raise ValueError(
            f"the sweep has {plan.total} tasks, and every task is a file; at most {MAX_TASKS} are allowed: sweep over "
            "fewer values, or put more seeds into one block."
        )


def _text(content: Mapping[str, object]) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is there instead of a word")
    return value

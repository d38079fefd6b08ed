"""The plan of a sweep: settings and seeds cut into tasks, each known by a hash of all that its result depends on."""

import hashlib
import itertools
import json
import math
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from festina.checks import check
from festina.sweeps._code import Function

MAX_TASKS = 10_000_000
"""Tasks of one sweep, and values of one setting: every task is a file, and file systems end near this number."""

RESERVED = ("done", "seed_block")
"""Names in the data set of a sweep that no setting can have."""

Plain = bool | int | float | str | list | None
"""Types of a setting, as in JSON."""


@dataclass(frozen=True)
class Axis:
    """Name of a dimension, the setting it stands for, and the values of that setting (lists where it is a tuple)."""

    name: str
    field: str
    values: tuple[Plain, ...]

    @cached_property
    def labels(self) -> list[Any]:
        """The values as coordinates: numbers and words; longer lists are joined by commas."""
        short = [v[0] if isinstance(v, list) and len(v) == 1 else v for v in self.values]
        if any(isinstance(v, list) for v in short):
            return [",".join(map(str, v)) if isinstance(v, list) else str(v) for v in short]
        return short


def read_axis(name: str, values: object, hints: Mapping[str, object], function: str, any_name: bool = False) -> Axis:
    """Check and convert the values of one swept setting.

    A setting that is a tuple is swept by tuples. A plain value stands for a tuple of one. The singular of the setting's
    name may be used for plain values (``delta`` for ``deltas``).
    """
    field = name
    if name not in hints and f"{name}s" in hints and is_tuple(hints[f"{name}s"]):
        field = f"{name}s"
    if not any_name:
        check.known(f"grid: setting of {function}", field, hints)
    if name in RESERVED:
        raise ValueError(f"{name} is a name that the results of every sweep use; call the parameter something else.")
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise ValueError(f"{name} is {values!r}; a list of values to sweep over is needed, such as [{values!r}].")
    given = list(islice(values, MAX_TASKS + 1))
    if len(given) > MAX_TASKS:
        raise ValueError(f"{name} has more than {MAX_TASKS} values; every task is a file: sweep over fewer values.")
    found = [convert(name, value, hints.get(field, Any), single=True) for value in given]
    if not found:
        raise ValueError(f"{name} has no values to sweep over; give at least one.")
    seen = set()
    for value in found:
        if (same := restore(value, tuple)) in seen:
            raise ValueError(f"{name} holds {value!r} twice; give each value once.")
        seen.add(same)
    return Axis(name, field, tuple(found))


def convert(name: str, given: object, hint: object, single: bool = False) -> Plain:
    """A value of the parameter's type as JSON has it, or an error that says what is needed."""
    options = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    value: Any = given.item() if isinstance(given, np.generic) else given
    checked = (type(None), None, int, float, bool, str)
    if not all(kind in checked or is_tuple(kind) or typing.get_origin(kind) is typing.Literal for kind in options):
        # no annotation, or one of the user's own: the function itself knows what it takes
        return _plain(name, given)
    for kind in options:
        if is_tuple(kind):
            inner = (typing.get_args(kind) or (Any,))[0]
            if isinstance(value, list | tuple | np.ndarray):
                return [convert(name, part, inner) for part in value]
            if single:
                return [convert(name, value, inner)]
        elif kind in (int, float) and _is_number(value, whole=kind is int):
            return kind(value)
        elif _is_one_of(kind, value):
            return value
    words = " or ".join(getattr(kind, "__name__", str(kind)) for kind in options)
    raise ValueError(f"{name} is {given!r}; {words} is needed.")


def is_tuple(hint: object) -> bool:
    """Whether an annotation is of a tuple."""
    return hint is tuple or typing.get_origin(hint) is tuple


def restore(value: Plain, hint: object) -> Any:
    """A setting as the function gets it: JSON's lists are tuples again, where no list is asked for."""
    if not isinstance(value, list):
        return value
    if hint is list or typing.get_origin(hint) is list:
        return value
    return tuple(restore(part, Any) for part in value)


def is_plain(value: object) -> bool:
    """Whether a value can be a setting."""
    try:
        _plain("value", value)
    except ValueError:
        return False
    return True


def _plain(name: str, given: object) -> Plain:
    value: Any = given.tolist() if isinstance(given, np.ndarray | np.generic) else given
    if isinstance(value, float) and math.isnan(value):
        raise ValueError(f"{name} is nan, which is equal to nothing; give a number.")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Sequence):
        return [_plain(name, part) for part in value]
    raise ValueError(
        f"{name} is {type(value).__name__}; settings are numbers, words, None, or lists of these, so that results can "
        "be found by them: make other objects inside the function."
    )


def _is_one_of(kind: object, value: object) -> bool:
    """Whether a value is of a kind that needs no conversion."""
    if kind in (type(None), None):
        return value is None
    if typing.get_origin(kind) is typing.Literal:
        return value in typing.get_args(kind)
    return kind in (bool, str) and isinstance(value, kind)


def _is_number(value: object, whole: bool) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool) or math.isnan(value):
        return False
    return not whole or value % 1 == 0


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

"""Objects as JSON and arrays, and back: the descriptions in a file.

An object of festina (a network, task, method, initialisation or theory) is a frozen dataclass. It is written as the
name of its class and the values of its fields, arrays apart. Reading constructs only classes of festina's own public
lists, through their ordinary, checking constructors. A file cannot make anything be imported, called or unpickled; an
object of any other class comes back as a ``Described``, which shows what it was.
"""

import importlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

import numpy as np

from festina.checks import check

ROOMS = (
    "core", "initial", "methods", "tasks", "linear", "gated", "relu", "representation", "behaviour", "attention",
    "recurrent", "interop",
)  # fmt: skip
PACKAGES = tuple(f"festina.{room}" for room in ROOMS)
"""Packages whose public frozen dataclasses may be constructed from a file: core and networks; no tool that runs, writes
or serves anything."""

MAX_DEPTH = 60
"""Nesting of a description; festina's own stay below ten."""

MAX_TEXT = 2000
"""Characters that are kept of an object which can only be described."""


@dataclass(frozen=True)
class Described:
    """An object that a file describes and festina does not construct, such as a network of the user's own class.

    Attributes:
        kind: module and name of its class.
        text: how it printed itself.
        values: the values of its fields, where it was a dataclass.

    Example:
        >>> import festina as fs
        >>> Described("mine.Tanh", "Tanh(width=8)", {"width": 8})
        <described only: Tanh(width=8)>
    """

    kind: str
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<described only: {self.text}>"

    def __hash__(self) -> int:
        return hash((self.kind, self.text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Described):
            return NotImplemented
        return (self.kind, self.text) == (other.kind, other.text) and same(dict(self.values), dict(other.values))


class Storable:
    """Base of the objects that a file may hold: networks, tasks, theories, methods, initialisations, assumptions."""


@cache
def registry() -> dict[str, type]:
    """The classes that a file may name, by package and name.

    They are festina's own networks, tasks, methods, rules for first weights, theories and assumptions, which are frozen
    dataclasses, and those in their fields.
    """
    for package in PACKAGES:
        importlib.import_module(package)
    found: dict[str, type] = {}
    waiting: list[type] = [Storable]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if _name(kind).rpartition(".")[0] in PACKAGES:
            _collect(kind, found)
    return found


def _collect(kind: type, found: dict[str, type]) -> None:
    own = kind.__module__.startswith("festina.") and kind is not Described
    if not own or not _frozen(kind) or found.get(_name(kind)) is kind:
        return
    found.setdefault(_name(kind), kind)
    try:
        hints = get_type_hints(kind)
    except (NameError, TypeError):  # names that only type checkers see
        return
    for hint in hints.values():
        for part in _parts(hint):
            _collect(part, found)


def _parts(hint: object) -> list[type]:
    inner = [part for argument in get_args(hint) for part in _parts(argument)]
    return [*inner, hint] if isinstance(hint, type) else inner


def _frozen(kind: type) -> bool:
    return is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]


def _name(kind: type) -> str:
    """Room and name, without the file, so that a class may move within its room."""
    return ".".join([*kind.__module__.split(".")[:2], kind.__qualname__])


def describe(value: object, name: str = "value") -> tuple[Any, dict[str, np.ndarray]]:
    """A description that ``json.dumps`` takes, and the arrays it refers to, by names that begin with ``name``."""
    writer = _Writer()
    return writer.describe(value, name), writer.arrays


class _Writer:
    """Describes values, and collects their arrays."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}
        self.known = registry()

    def describe(self, value: object, name: str, depth: int = 0) -> Any:
        """One value: text and numbers as they are, tuples as lists, all else as a dictionary of one kind."""
        if depth > MAX_DEPTH:
            raise ValueError(
                f"{name} is nested more than {MAX_DEPTH} levels deep, or holds itself; it cannot be saved."
            )
        if value is None or isinstance(value, bool | str | np.bool_):
            return bool(value) if isinstance(value, np.bool_) else value
        if isinstance(value, int | np.integer):
            return int(value)
        if isinstance(value, float | np.floating):
            number = float(value)
            return number if math.isfinite(number) else {"float": repr(number)}
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.dtype.itemsize <= 8:
            self.arrays[name] = value
            return {"array": name, "writeable": bool(value.flags.writeable)}
        held = self._container(value, name, depth + 1)
        return self._object(value, name, depth + 1) if held is None else held

    def _container(self, value: object, name: str, depth: int) -> Any:
        """Tuples, lists, sets, ranges and mappings; None for all else."""

        def all_of(parts: Iterable[object]) -> list[Any]:
            return [self.describe(part, f"{name}.{i}", depth) for i, part in enumerate(parts)]

        kind = type(value)
        if isinstance(value, tuple) and kind is tuple:
            return all_of(value)
        if isinstance(value, list | set | frozenset) and kind in (list, set, frozenset):
            return {kind.__name__: all_of(value if kind is list else sorted(value, key=repr))}
        if isinstance(value, range):
            return {"range": [value.start, value.stop, value.step]}
        if isinstance(value, Mapping):
            pairs = []
            for i, (k, v) in enumerate(value.items()):
                label = k if isinstance(k, str) and "/" not in k else i
                pairs.append([self.describe(k, f"{name}.key {i}", depth), self.describe(v, f"{name}.{label}", depth)])
            return {"dict": pairs}
        return None

    def _object(self, value: object, name: str, depth: int) -> Any:
        """An object of festina by its class and fields; any other by what it prints."""
        kind: type = type(value)
        if self.known.get(_name(kind)) is kind:
            stored = {f.name: self.describe(getattr(value, f.name), f"{name}.{f.name}", depth) for f in _stored(kind)}
            return {"class": _name(kind), "fields": stored}
        if not isinstance(value, Described):
            held = fields(kind) if _frozen(kind) else ()
            values = {f.name: getattr(value, f.name) for f in held if hasattr(value, f.name)}
            called = getattr(value, "__qualname__", None) if callable(value) else None
            value = Described(f"{kind.__module__}.{kind.__qualname__}", called or _text(value), values)
        return {"described": [value.kind, value.text, self.describe(dict(value.values), f"{name}.values", depth)]}


def _text(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # an object's repr may raise anything; saving the numbers beside it must not fail
        text = f"{type(value).__name__}(...)"
    return text[:MAX_TEXT]


def _stored(kind: type) -> list[Any]:
    """Fields that a file keeps; places on this machine, marked by ``metadata={"saved": False}``, it does not."""
    return [f for f in fields(kind) if f.init and f.metadata.get("saved", True)]


def restore(described: object, arrays: Mapping[str, np.ndarray]) -> Any:
    """The object of a description; objects of unknown classes come back as ``Described``."""
    try:
        return _Reader(arrays).restore(described)
    except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError) as error:
        raise ValueError(f"the description cannot be read: {error}") from None


class _Reader:
    """Makes values of descriptions."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.arrays, self.known = arrays, registry()
        # a range of a few bytes can be listed into any amount of memory
        self.ranged = max(check.MAX_LISTED, sum(array.size for array in arrays.values()))

    def restore(self, found: object, depth: int = 0) -> Any:
        if depth > 2 * MAX_DEPTH:
            raise ValueError("the description is nested too deeply")
        if found is None or isinstance(found, bool | str | int | float):
            return found
        if isinstance(found, list):
            return tuple(self.restore(part, depth + 1) for part in found)
        if isinstance(found, dict) and len(found) == 1:
            return self._container(*next(iter(found.items())), depth + 1)
        if isinstance(found, dict) and set(found) == {"class", "fields"} and isinstance(found["fields"], dict):
            values = {str(k): self.restore(v, depth + 1) for k, v in found["fields"].items()}
            return self._construct(str(found["class"]), values)
        if isinstance(found, dict) and set(found) == {"array", "writeable"} and found["array"] in self.arrays:
            array = np.array(self.arrays[found["array"]])
            array.setflags(write=found["writeable"] is True)
            return array
        raise ValueError(f"the description holds {check.shown(found)}, which is not known")

    def _container(self, key: str, held: object, depth: int) -> Any:
        if key == "float" and held in ("inf", "-inf", "nan"):
            return float(held)
        if key == "range" and isinstance(held, list) and len(held) == 3 and all(type(part) is int for part in held):
            found = range(*held)
            if found[self.ranged :]:
                raise ValueError(f"the description holds {check.shown(found)}, which is longer than all of its arrays")
            self.ranged -= len(found)
            return found
        if key in ("list", "set", "frozenset") and isinstance(held, list):
            return {"list": list, "set": set, "frozenset": frozenset}[key](self.restore(part, depth) for part in held)
        if key == "dict" and isinstance(held, list):
            return {self.restore(k, depth): self.restore(v, depth) for k, v in held}
        if key == "described" and isinstance(held, list) and [type(part) for part in held[:2]] == [str, str]:
            return Described(held[0], held[1], dict(self.restore(held[2], depth)))
        raise ValueError(f"the description holds {key!r}, which is not known")

    def _construct(self, name: str, values: Mapping[str, object]) -> Any:
        """The object, by its own constructor; what no longer fits its class is described instead."""
        kind = self.known.get(name)
        fits = kind is not None and set(values) <= {f.name for f in _stored(kind)}
        if kind is None or not fits or any(isinstance(v, Described) for v in values.values()):
            written = ", ".join(f"{k}={check.shown(v)}" for k, v in values.items())
            return Described(name, f"{name.rpartition('.')[2]}({written})"[:MAX_TEXT], values)
        return kind(**values)


def same(a: object, b: object) -> bool:
    """Whether two objects are equal, arrays to the bit, through all fields of dataclasses."""
    if a is b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b)):
        return True
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        equal = a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes()
        return bool(equal and a.shape == b.shape and a.dtype == b.dtype)
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, tuple | list) and isinstance(b, tuple | list) and type(a) is type(b):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if is_dataclass(a) and type(a) is type(b) and not isinstance(a, Described | type):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in _stored(type(a)))
    numbers = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in (a, b))
    return bool((numbers or type(a) is type(b)) and a == b)

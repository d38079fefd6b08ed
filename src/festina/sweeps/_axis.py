"""An axis of a sweep: a setting, and the values it takes."""

import math
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from festina.checks import check

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

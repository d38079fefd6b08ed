"""An axis of a sweep: a setting, and the values it takes."""

import math
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina import _check


@dataclass(frozen=True)
class Axis:
    """Name of a dimension, the setting it stands for, and the values of that setting (lists where it is a tuple)."""

    name: str
    field: str
    values: tuple[Any, ...]

    @property
    def labels(self) -> list[Any]:
        """The values as coordinates: numbers and words; longer lists are joined by commas."""
        short = [v[0] if isinstance(v, list) and len(v) == 1 else v for v in self.values]
        if any(isinstance(v, list) for v in short):
            return [",".join(map(str, v)) if isinstance(v, list) else str(v) for v in short]
        return short


def axis(name: str, values: Any, hints: Mapping[str, Any], experiment: str) -> Axis:
    """Check and convert the values of one swept setting.

    A setting that is a tuple is swept by tuples; a plain value stands for a tuple of one, and the singular of the
    setting's name may be used for those (``delta`` for ``deltas``).
    """
    field = name
    if name not in hints and f"{name}s" in hints and _is_tuple(hints[f"{name}s"]):
        field = f"{name}s"
    _check.known(f"setting of {experiment}", field, hints)
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ValueError(f"{name} is {values!r}; a list of values to sweep over is needed, such as [{values!r}].")
    found = [convert(name, value, hints[field], single=True) for value in values]
    if not found:
        raise ValueError(f"{name} has no values to sweep over; give at least one.")
    for i, value in enumerate(found):
        if value in found[:i]:
            raise ValueError(f"{name} holds {value!r} twice; give each value once.")
    return Axis(name, field, tuple(found))


def convert(name: str, given: Any, hint: Any, single: bool = False) -> Any:
    """A value of the setting's type as JSON has it, or an error that says what is needed."""
    options = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    value: Any = given.item() if isinstance(given, np.generic) else given
    for kind in options:
        if kind is type(None) and value is None:
            return None
        if _is_tuple(kind):
            parts = value if isinstance(value, list | tuple | np.ndarray) else [value] if single else None
            if parts is not None:
                return [convert(name, part, typing.get_args(kind)[0]) for part in parts]
        elif typing.get_origin(kind) is typing.Literal:
            if value in typing.get_args(kind):
                return value
        elif kind in (int, float) and _is_number(value, whole=kind is int):
            return kind(given)
        elif kind in (bool, str) and isinstance(value, kind):
            return value
    words = " or ".join(getattr(kind, "__name__", str(kind)) for kind in options)
    raise ValueError(f"{name} is {given!r}; {words} is needed.")


def read_values(name: str, text: str, hint: Any) -> list[Any]:
    """Values as typed: ``1,2,3``, ``start:stop:count``, or ``start:stop:count:log`` for equal ratios."""
    if ":" not in text:
        return [read_word(name, word, hint) for word in text.split(",") if word.strip()]
    parts = text.split(":")
    try:
        start, stop, count = float(parts[0]), float(parts[1]), int(parts[2])
        spaced = {3: np.linspace, 4: np.geomspace}[len(parts)]
        if parts[3:] not in ([], ["log"]) or count < 1:
            raise ValueError
        return [value.item() for value in spaced(start, stop, count)]
    except (ValueError, KeyError, IndexError):
        raise ValueError(
            f"{name} is {text!r}; values are a,b,c or start:stop:count (ends included), with :log for equal ratios."
        ) from None


def read_word(name: str, word: str, hint: Any) -> Any:
    """One typed word as a number, truth value or text, whichever the setting takes."""
    kinds = str(hint)
    if hint is bool:
        _check.known(name, word, ("true", "false"))
        return word == "true"
    if "str" in kinds or typing.get_origin(hint) is typing.Literal:
        return word
    if word == "none" and "None" in kinds:
        return None
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    raise ValueError(f"{name} is {word!r}; a number is needed.")


def _is_tuple(hint: Any) -> bool:
    return hint is tuple or typing.get_origin(hint) is tuple


def _is_number(value: Any, whole: bool) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
    return number and (not whole or value % 1 == 0)

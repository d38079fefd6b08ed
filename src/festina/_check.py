"""Checks at the border: each error names the argument, what came, what is allowed and what to do."""

import difflib
from collections.abc import Iterable
from typing import Any

import numpy as np

from festina._types import Times


def matrix(name: str, value: Any) -> np.ndarray:
    """A finite two-dimensional array of float64, or a ``ValueError`` that says what is wrong with ``value``."""
    array = numbers(name, value)
    if array.ndim != 2:
        raise ValueError(
            f"{name} has shape {array.shape}; a matrix (data points, features) is needed: "
            f"one row per data point, for one data point {name}[None, :]."
        )
    return array


def numbers(name: str, value: Any) -> np.ndarray:
    """A finite real array of float64 of any shape."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "biufO":
            raise TypeError
        array = np.array(array, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} is {type(value).__name__} that is not an array of real numbers; give a NumPy array of floats."
        ) from None
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        where = tuple(int(i) for i in bad[0])
        raise ValueError(
            f"{name} holds {len(bad)} value(s) that are not finite, the first at {where}: {array[where]}; "
            "remove or replace them."
        )
    return array


def times(value: Any) -> Times:
    """Flow times: one-dimensional, at least one, finite, not negative, strictly increasing."""
    array = np.atleast_1d(numbers("times", value))
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"times has shape {array.shape}; give a one-dimensional array with at least one time.")
    if array[0] < 0:
        raise ValueError(f"times start at {array[0]:g}; flow time starts at 0, so give times >= 0.")
    steps = np.flatnonzero(np.diff(array) <= 0)
    if len(steps):
        i = int(steps[0])
        raise ValueError(
            f"times must increase: times[{i}]={array[i]:g} is followed by times[{i + 1}]={array[i + 1]:g}; "
            "use np.unique(times)."
        )
    return array


def number(name: str, value: Any, allowed: str = "a finite number") -> float:
    """One finite real number; ``allowed`` says in the error what is."""
    try:
        array = numbers(name, value)
    except ValueError:
        array = None
    if array is None or array.ndim != 0:
        raise ValueError(f"{name} is {value!r}; {allowed} is needed.")
    return float(array)


def positive(name: str, value: Any, *, zero: bool = False) -> float:
    """One finite number above zero (or at zero, where ``zero``)."""
    allowed = "a number >= 0" if zero else "a number > 0"
    found = number(name, value, allowed)
    if found < 0 or (found == 0 and not zero):
        raise ValueError(f"{name} is {value!r}; {allowed} is needed.")
    return found


def listing(name: str, value: Any, what: str) -> tuple[Any, ...]:
    """The parts of a list or tuple of ``what``; a string is one thing and not a list of letters."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError(f"{name} is {value!r}; a list of {what} is needed.")
    return tuple(value)


def whole(name: str, value: Any, least: int = 1) -> int:
    """One whole number, at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} is {value!r}; a whole number >= {least} is needed.")
    return int(value)


def known(name: str, value: str, names: Iterable[str]) -> str:
    """One of ``names``; the error names the nearest and lists them."""
    names = sorted(names)
    if value not in names:
        near = difflib.get_close_matches(str(value), names, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"{name} is {value!r}, which is not known; {hint}known are: {', '.join(names)}.")
    return value

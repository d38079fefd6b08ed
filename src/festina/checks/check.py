"""Checks at the border: each error names the argument, what came, what is allowed and what to do."""

import os
import sys
from collections.abc import Iterable, Mapping, Sized
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from festina.checks.optional import need
from festina.checks.shapes import Times

Kind = TypeVar("Kind")

MAX_ENTRIES = 2**28
"""Entries of the largest array that a task is made with: 2 GB of float64, above which a size is taken for a mistake."""

MAX_LISTED = 10**6
"""Entries that are taken from an iterator without a length, which may never end."""

MAX_RANGE = 10**7
"""Entries of a range that are listed; a range itself takes no memory, and its entries take 36 bytes each."""

MAX_SEED = 2**63
"""Seeds are below this number: random keys are made of 64 bits."""

MAX_MAGNITUDE = 1e70
"""Largest absolute value of data, and one over the smallest: theories form fourth powers of the data, which beyond it
are infinite or zero in double precision."""

FEW = 12
"""Names that an error lists even where one of them is near to what came."""

MAX_SHOWN = 80
"""Characters of a value that an error repeats."""


class ArgumentError(ValueError):
    """An error whose text names arguments by ``{words}``, so that the command line can name its options instead.

    Args:
        text: with a place ``{name}`` for each of the words.
        words: what stands there for a caller from Python.
    """

    def __init__(self, text: str, **words: str):
        super().__init__(text.format(**words))
        self.text, self.words = text, words

    def told(self, options: Mapping[str, str]) -> str:
        """The text with other words, which may contain those of the error."""
        other = {name: word.format(**self.words) for name, word in options.items() if name in self.words}
        return self.text.format(**{**self.words, **other})


def shown(value: object) -> str:
    """The received value, as an error message repeats it: short, and safe where ``repr`` itself fails."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object's repr may raise anything; the error message must not
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def matrix(name: str, value: object) -> np.ndarray:
    """A finite two-dimensional array of float64, or a ``ValueError`` that says what is wrong with ``value``."""
    array = numbers(name, value)
    if array.ndim != 2:
        raise ValueError(
            f"{name} has shape {array.shape}; a matrix (data points, features) is needed: "
            f"one row per data point, for one data point {name}[None, :]."
        )
    return array


def plain(name: str, value: object) -> np.ndarray:
    """A NumPy array of what came (also a torch tensor that requires gradients); no mask is lost silently."""
    count = _masked(value)
    if count:
        raise ValueError(
            f"{name} is a masked array with {count} masked value(s), and missing values are not supported; "
            f"remove those data points, or fill them in with {name}.filled(...)."
        )
    try:
        detach = getattr(value, "detach", None)
        if type(value).__module__.partition(".")[0] == "torch" and detach is not None:
            tensor = detach().cpu()
            return np.asarray(tensor.double() if tensor.is_floating_point() else tensor)
        if isinstance(value, list | tuple):
            value = [plain(name, v) if hasattr(v, "detach") else v for v in value]
        if isinstance(value, range) and value[MAX_ENTRIES:]:
            raise ValueError
        return np.asarray(value)
    except Exception:  # foreign array types raise errors of any kind when they are converted
        raise ValueError(
            f"{name} is {type(value).__name__} that is not an array of real numbers; give a NumPy array of floats."
        ) from None


def numbers(name: str, value: object) -> np.ndarray:
    """A finite real array of float64 of any shape."""
    array = plain(name, value)
    try:
        kind = array.dtype.kind
        if kind not in "biufO" or (kind == "O" and any(isinstance(entry, str | bytes) for entry in array.flat)):
            raise TypeError
        array = np.array(array, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"{name} is {type(value).__name__} that is not an array of real numbers; give a NumPy array of floats."
        ) from None
    finite = np.isfinite(array)
    if not finite.all():
        bad = np.argwhere(~finite)
        where = tuple(int(i) for i in bad[0])
        raise ValueError(
            f"{name} holds {len(bad)} value(s) that are not finite, the first at {where}: {array[where]}; "
            "remove or replace them."
        )
    return array


def broadcast(**values: object) -> list[np.ndarray]:
    """Real arrays, not necessarily finite, in the shape that they broadcast to."""
    arrays = {}
    for name, value in values.items():
        array = plain(name, value)
        if array.dtype.kind not in "biuf":
            raise ValueError(f"{name} is {shown(value)}; a number or an array of real numbers is needed.")
        arrays[name] = array.astype(float)
    try:
        return list(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} has shape {array.shape}" for name, array in arrays.items())
        raise ValueError(f"{shapes}; they must broadcast to one shape: rows are times, columns modes.") from None


def _masked(value: object) -> int:
    """Masked entries of an array, or of arrays in a list."""
    if "numpy.ma" not in sys.modules:  # there is no masked array then, and loading it takes longer than most checks
        return 0
    if isinstance(value, np.ma.MaskedArray):
        return int(np.ma.count_masked(value))
    if isinstance(value, list | tuple):
        return sum(_masked(v) for v in value if isinstance(v, list | tuple | np.ma.MaskedArray))
    return 0


def times(value: object, name: str = "times") -> Times:
    """Flow times: one-dimensional, at least one, finite, not negative, strictly increasing."""
    array = np.atleast_1d(numbers(name, value))
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}; give a one-dimensional array with at least one time.")
    if array[0] < 0:
        raise ValueError(f"{name} start at {array[0]:g}; time starts at 0, so give {name} >= 0.")
    steps = np.flatnonzero(np.diff(array) <= 0)
    if len(steps):
        i = int(steps[0])
        raise ValueError(
            f"{name} must increase: {name}[{i}]={array[i]:g} is followed by {name}[{i + 1}]={array[i + 1]:g}; "
            f"use np.unique({name})."
        )
    return array


def number(name: str, value: object, allowed: str = "a finite number") -> float:
    """One finite real number; ``allowed`` says in the error what is."""
    try:
        array = numbers(name, value)
    except ValueError:
        array = None
    if array is None or array.ndim != 0:
        raise ValueError(f"{name} is {shown(value)}; {allowed} is needed.")
    return float(array)


def positive(name: str, value: object, *, zero: bool = False) -> float:
    """One finite number above zero (or at zero, where ``zero``)."""
    allowed = "a number >= 0" if zero else "a number > 0"
    found = number(name, value, allowed)
    if found < 0 or (found == 0 and not zero):
        raise ValueError(f"{name} is {shown(value)}; {allowed} is needed.")
    return found


def scale(name: str, value: object, *, zero: bool = False) -> float:
    """One number above zero (or from zero on, where ``zero``) whose fourth power can be represented."""
    found, least = positive(name, value, zero=zero), 0.0 if zero else 1 / MAX_MAGNITUDE
    if not least <= found <= MAX_MAGNITUDE:
        raise ValueError(
            f"{name} is {shown(value)}, whose powers double precision cannot represent; a number between {least:g} and "
            f"{MAX_MAGNITUDE:g} is needed."
        )
    return found


def share(name: str, value: object) -> float:
    """One probability."""
    found = number(name, value, "a probability between 0 and 1")
    if not 0 <= found <= 1:
        raise ValueError(f"{name} is {shown(value)}; a probability between 0 and 1 is needed.")
    return found


def level(value: object) -> float:
    """The level of intervals: the probability with which they hold the truth, neither 0 nor 1."""
    found = positive("level", value)
    if found >= 1:
        raise ValueError(f"level is {found!r}; a number between 0 and 1 is needed, such as 0.9.")
    return found


def listing(name: str, value: object, what: str) -> tuple[Any, ...]:
    """The parts of a list or tuple of ``what``; a string is one thing and not a list of letters."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ValueError(f"{name} is {shown(value)}; a list of {what} is needed.")
    if isinstance(value, range) and value[MAX_RANGE:]:
        raise ValueError(f"{name} is {shown(value)}, which has more than {MAX_RANGE} entries; give a list of {what}.")
    try:
        found = tuple(value) if isinstance(value, Sized) else tuple(islice(value, MAX_LISTED + 1))
    except TypeError:  # an array without dimensions calls itself iterable
        raise ValueError(f"{name} is {shown(value)}; a list of {what} is needed.") from None
    if not isinstance(value, Sized) and len(found) > MAX_LISTED:
        raise ValueError(f"{name} is an iterator that gives more than {MAX_LISTED} entries; give a list of {what}.")
    return found


def whole(name: str, value: object, least: int = 1, most: int | None = None) -> int:
    """One whole number, at least ``least`` and at most ``most``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} is {shown(value)}; a whole number >= {least} is needed.")
    if most is not None and value > most:
        raise ValueError(f"{name} is {shown(value)}; a whole number from {least} to {most} is needed.")
    return int(value)


def seed(name: str, value: object) -> int:
    """A seed of random numbers: a whole number from 0, of at most 63 bits."""
    found = whole(name, value, least=0)
    if found >= MAX_SEED:
        raise ValueError(f"{name} is {shown(value)}; a whole number from 0 to 2**63 - 1 is needed.")
    return found


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} is {shown(value)}; True or False is needed.")
    return bool(value)


def text(name: str, value: object) -> str:
    """A string."""
    if not isinstance(value, str):
        raise ValueError(f"{name} is {shown(value)}; text is needed.")
    return value


def known(name: str, value: object, names: Iterable[str]) -> str:
    """One of ``names``; the error names the nearest, and lists them where they are few or none is near."""
    names = sorted(names)
    if not isinstance(value, str) or value not in names:
        import difflib  # loaded where a mistake is made

        lower = {each.lower(): each for each in names}
        near = [lower[each] for each in difflib.get_close_matches(str(value).lower(), lower, n=1)]
        hint = [f"Did you mean {near[0]!r}?"] if near else []
        listed = [] if near and len(names) > FEW else [f"Known: {', '.join(names)}."]
        raise ValueError(f"{name} {shown(value)} is unknown. {' '.join(hint + listed)}")
    return value


def path(name: str, value: object) -> Path:
    """A path of a file or folder."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise ValueError(f"{name} is {shown(value)}; a path is needed, as text or as a pathlib.Path.")
    if not os.fspath(value):
        raise ValueError(f"{name} is an empty text; the path of a file or folder is needed.")
    if "\0" in os.fspath(value):
        raise ValueError(f"{name} is {shown(value)}; file names cannot contain NUL.")
    return Path(value)


def folder(name: str, value: object) -> Path:
    """A folder, which is made where it is missing."""
    found = path(name, value)
    try:
        found.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"{name} is {str(found)!r}, which cannot be made a folder ({error.strerror}); give another."
        ) from None
    return found


def new_file(name: str, value: object) -> Path:
    """A path at which a file can be written: not a folder, and in a folder that exists."""
    found = path(name, value)
    if found.is_dir() or not found.parent.is_dir():
        raise ValueError(f"{name} is {str(found)!r}; the path of a file in a folder that exists is needed.")
    return found


def instance(name: str, value: object, kind: type[Kind] | tuple[type[Kind], ...], needed: str) -> Kind:
    """The value itself, where it is of that kind; ``needed`` says in the error what is."""
    if not isinstance(value, kind):
        raise ValueError(f"{name} is {shown(value)} ({type(value).__name__}); {needed} is needed.")
    return value


def axes(value: object) -> None:
    """Raise where ``value`` is not axes to draw into."""
    need("matplotlib", "plot")
    from matplotlib.axes import Axes

    instance("ax", value, Axes, "one of the axes of matplotlib, such as fs.plot.panels(1, 1) gives,")


def size(name: str, *shape: int) -> None:
    """Whether an array of this shape can be made; ``name`` says which arguments ask for it."""
    entries = 1
    for length in shape:
        entries *= min(int(length), 2**64)
    if entries > MAX_ENTRIES:
        wanted = " × ".join(f"{float(min(n, 2**64)):.4g}" for n in shape)
        raise ValueError(
            f"{name} would need an array of {wanted} numbers; at most {MAX_ENTRIES} "
            f"({8 * MAX_ENTRIES / 2**30:g} GB) are allowed: give smaller numbers."
        )

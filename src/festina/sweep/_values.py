"""Values of an experiment as labelled arrays: what is nested gets a name with dots, what is a list gets axes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from festina.papers import Outcome


def arrays(outcome: Outcome) -> dict[str, np.ndarray]:
    """All values and verdicts of a run, by name: numbers as float64 or int64, words as objects.

    ``{"errors": {"tree": 0.1}}`` becomes ``errors.tree``; a list of numbers an array, shorter rows filled up with nan;
    each claim becomes ``claim.NAME`` (what was measured), ``claim.NAME.bound`` and ``claim.NAME.status``.

    Raises:
        ValueError: a value is not a number, a word, or a list or mapping of such; or two would have one name.
    """
    verdicts = {v.name: {"": v.measured, "bound": v.bound, "status": v.status} for v in outcome.verdicts}
    found: dict[str, np.ndarray] = {}
    for name, value in _leaves("", {**outcome.values, "claim": verdicts}):
        if name in found:
            raise ValueError(f"two values are called {name!r}; rename one of them in the experiment's values.")
        found[name] = value
    return found


def _leaves(name: str, value: Any) -> Iterator[tuple[str, np.ndarray]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(_join(name, str(key)), part)
        return
    if isinstance(value, np.ndarray) and value.dtype.kind in "bif":
        yield name, value.astype(float if value.dtype.kind == "f" else np.int64)
        return
    value = _lists(value)
    array = _array(value)
    if array is not None:
        yield name, array
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from _leaves(_join(name, str(i)), part)
    else:
        raise ValueError(f"value {name!r} is {type(value).__name__}; a number, a word, or a list or mapping is needed.")


def _lists(value: Any) -> Any:
    """Arrays, tuples and numbers of NumPy as plain lists and numbers, however deep; the rest as it is."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_lists(part) for part in value] if isinstance(value, list | tuple) else value


def _join(name: str, key: str) -> str:
    # NetCDF keeps the slash for groups
    key = key.replace("%", "%25").replace("/", "%2F")
    return ".".join(part for part in (name, key) if part)


def _array(value: Any) -> np.ndarray | None:
    """A number, a word, or a list of one kind and depth as an array; None where it is none of these."""
    shape = _extent(value)
    leaves = list(_flat(value))
    if shape is None:
        return None
    if leaves and all(isinstance(leaf, str) for leaf in leaves):
        return _fill(np.full(shape, "", object), value)
    if not all(leaf is None or isinstance(leaf, bool | int | float) for leaf in leaves):
        return None
    whole = bool(leaves) and all(isinstance(leaf, bool | int) and abs(leaf) < 2**63 for leaf in leaves)
    if whole and len(leaves) == np.prod(shape):
        return _fill(np.zeros(shape, np.int64), value)
    return _fill(np.full(shape, np.nan), value)


def _extent(value: Any) -> tuple[int, ...] | None:
    """Shape of the smallest array that holds nested lists; None where some are nested deeper than others."""
    if not isinstance(value, list):
        return ()
    parts = [_extent(part) for part in value]
    if any(part is None for part in parts) or len({len(part or ()) for part in parts}) > 1:
        return None
    return (len(value), *(max(sizes) for sizes in zip(*(part or () for part in parts), strict=True)))


def _flat(value: Any) -> Iterable[Any]:
    if isinstance(value, list):
        for part in value:
            yield from _flat(part)
    else:
        yield value


def _fill(array: np.ndarray, value: Any) -> np.ndarray:
    for i, part in enumerate(value) if isinstance(value, list) else [((), value)]:
        if isinstance(part, list):
            # a view, so that filling a row fills the array
            _fill(array[i], part)
        else:
            array[i] = np.nan if part is None else part
    return array

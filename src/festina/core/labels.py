"""Names and class labels that come with data: columns and rows of tables, classes as one-hot targets."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from festina.checks import check


def column_names(name: str, value: object) -> tuple[str, ...]:
    """Names of the columns of a DataFrame, or of a Series; none for other data."""
    if type(value).__module__.partition(".")[0] not in ("pandas", "polars"):
        return ()
    if not hasattr(value, "columns"):
        found = getattr(value, "name", None)
        return () if found is None or found == "" else (str(found),)
    table: Any = value
    names = tuple(" ".join(map(str, c)) if isinstance(c, tuple) else str(c) for c in table.columns)
    for column, label in zip(table.columns, names, strict=True):
        if names.count(label) > 1:
            raise ValueError(f"{name} has two columns called {label!r}; columns must differ in name: rename one.")
        entries = np.asarray(table[column])
        if entries.dtype.kind not in "biuf":
            try:
                check.numbers(name, entries)
            except ValueError:
                raise ValueError(
                    f"{name} has the column {label!r}, which does not hold numbers in every row (its type is "
                    f"{table[column].dtype}); leave it out, fill it in, or encode it as numbers."
                ) from None
    return names


def row_names(value: object) -> tuple[str, ...]:
    """Names of the rows of a DataFrame whose index is text without repetition; none for other data."""
    if type(value).__module__.partition(".")[0] != "pandas" or not hasattr(value, "columns"):
        return ()
    entries = list(getattr(value, "index", ()))
    named = all(isinstance(e, str) for e in entries) and len(set(entries)) == len(entries)
    return tuple(entries) if named else ()


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names that differ: each of several equal ones gets a number.

    Example:
        >>> distinct_names(["oak", "rose", "oak"])
        ('oak (1)', 'rose', 'oak (2)')
    """
    given = list(names)
    return tuple(f"{n} ({given[:k].count(n) + 1})" if given.count(n) > 1 else n for k, n in enumerate(given))


def check_rows(x: object, name: str, other: object) -> None:
    """Raise where two tables of pandas or xarray have the same rows in another order: they are paired by position.

    Rows of which one table has names that the other has not are paired by position as well.
    """
    first, second = _rows(x), _rows(other)
    if first != second and len(first) == len(second) and set(first) == set(second):
        at = next(i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)
        raise ValueError(
            f"{name} has the rows of x in another order (row {at + 1} is {first[at]!r} in x and {second[at]!r} in "
            f"{name}); rows are paired by position: give {name}.loc[x.index] (in xarray, {name}.loc[x[x.dims[0]]]), or "
            f"{name}.to_numpy() if they belong together."
        )


def _rows(table: object) -> list[Any]:
    """Labels of the rows of a table of pandas or xarray; none of other data."""
    library = type(table).__module__.partition(".")[0]
    if library == "xarray" and (names := getattr(table, "dims", ())):
        return list(getattr(table, "indexes", {}).get(names[0], ()))
    return list(getattr(table, "index", ())) if library == "pandas" else []


def one_hot_labels(
    labels: object, known: tuple[str, ...] = (), name: str = "labels"
) -> tuple[np.ndarray, tuple[str, ...]]:
    """One output per class, and the names of the classes, in increasing or alphabetical order.

    A pandas Categorical gives its categories in their own order; ``known`` are names of classes that are known already.
    """
    categories = _categories(labels)
    if isinstance(labels, list | tuple) and len({isinstance(label, str) for label in labels}) > 1:
        _uniform(np.array([*labels, None], dtype=object)[:-1])  # as an array 1 and "1" would be one class
    array = check.plain(name, labels)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}; one class label per data point is needed.")
    if array.dtype.kind == "f" and np.all(np.isfinite(array)) and np.all(array == np.round(array)):
        array = array.astype(np.int64)
    if array.dtype.kind == "O":
        array = _uniform(array)
    if array.dtype.kind not in "biuUS":
        raise ValueError(f"{name} hold {array.dtype}, not classes; give whole numbers or text, one per data point.")
    classes = np.unique(array) if categories is None else np.asarray(categories)
    if known:
        for label in np.unique(array).tolist():
            check.known(name, str(label), known)
        array, classes = array.astype(str), np.array(known)
    if len(classes) < 2:
        raise ValueError(f"labels hold only the class {classes[0]!s}; at least two classes are needed.")
    check.size("labels", len(array), len(classes))
    place = {label: i for i, label in enumerate(classes.tolist())}
    y = np.zeros((len(array), len(classes)))
    y[np.arange(len(array)), [place[label] for label in array.tolist()]] = 1.0
    return y, tuple(str(label) for label in classes.tolist())


def _categories(labels: object) -> list[Any] | None:
    """The categories of a pandas Categorical, or of a Series of them."""
    if type(labels).__module__.partition(".")[0] != "pandas":
        return None
    held: Any = getattr(labels, "cat", labels) if str(getattr(labels, "dtype", "")) == "category" else None
    return None if held is None else list(held.categories)


def _uniform(array: np.ndarray) -> np.ndarray:
    """Objects as text or as whole numbers, where all are of one kind."""
    entries = array.tolist()
    if all(isinstance(e, str) for e in entries):
        return np.array(entries)
    if all(isinstance(e, int | np.integer) for e in entries):
        return np.array(entries, dtype=np.int64)
    odd = next(e for e in entries if not isinstance(e, str))
    raise ValueError(
        f"labels mix kinds or miss values (one is {check.shown(odd)}); give whole numbers or text, one per data point."
    )

"""A task from a table: rows are data points, or things with their properties."""

from __future__ import annotations

import csv
import gzip
import io
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.checks.optional import need
from festina.core.labels import distinct_names, row_names
from festina.core.task import Task, one_hot
from festina.storage.array_file import read_npz

if TYPE_CHECKING:
    import pandas as pd

TARGET_NAMES = re.compile(r"(y\d*|targets?|labels?|class|outcome|species)", re.IGNORECASE)
"""Names of columns that are taken as targets."""

ROW_NUMBERS = re.compile(r"(unnamed: 0|index|id|obs|observation|row|rownames|no\.?|nr\.?|)", re.IGNORECASE)
"""First columns that are left out where they count the rows."""

DECIMAL_COMMA = re.compile(r"-?\d+,\d+")

Columns = dict[str, np.ndarray]
"""The columns of a table by name."""

NAMED = 5
"""Columns that are named in one sentence."""

MANY_VALUES = 0.5
"""Share of different values up to which a column names classes."""


@dataclass(frozen=True, eq=False)
class TableTask:
    """A task that was made from a table, and what was assumed to make it.

    Attributes:
        task: the task.
        things: whether rows are things, each an input of its own, and columns their properties.
        assumed: one sentence for each assumption.
        rows: which rows of the table are data points, counted from 1.

    Example:
        >>> import pandas as pd, festina as fs
        >>> frame = pd.DataFrame({"name": ["robin", "oak"], "fly": [1, 0], "grow": [1, 1]})
        >>> fs.tasks.from_table(frame).task.mode_names[0]
        'everything: grow, fly'
    """

    task: Task
    things: bool
    assumed: tuple[str, ...]
    rows: np.ndarray


def read_table(path: str | os.PathLike[str], *, decimal: str = ".") -> pd.DataFrame:
    """Read a table: CSV, TSV (also compressed, .gz), Parquet, Excel, or an npz file with ``x`` and ``y``.

    Args:
        path: the file; its suffix says which kind it is.
        decimal: the decimal separator, ``"."`` or ``","``.

    Raises:
        ValueError: a file that does not exist, or cannot be read as a table.

    Example:
        >>> import tempfile, pathlib, festina as fs
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "table.csv"
        ...     _ = path.write_text("a,b,y\\n1,2,3\\n4,5,6\\n")
        ...     fs.tasks.read_table(path).shape
        (2, 3)
    """
    need("pandas", "all")
    import pandas as pd

    path = check.path("path", path)
    check.known("decimal", decimal, (".", ","))
    if not path.is_file():
        raise ValueError(f"path is {str(path)!r}, which is no file; give a CSV, TSV, Parquet, Excel or npz file.")
    kind = Path(path.stem if path.suffix == ".gz" else path.name).suffix.lower()
    try:
        if kind == ".npz":
            return _from_arrays(read_npz(path))
        if kind in (".parquet", ".pq"):
            return pd.read_parquet(path)
        if kind in (".xlsx", ".xls", ".ods"):
            return pd.read_excel(path)
        if kind not in (".csv", ".tsv", ".txt", ""):
            raise ValueError("its ending is not known")
        return _read_text(path, decimal)
    except (ValueError, ImportError, OSError, EOFError, csv.Error, pd.errors.ParserError) as error:
        raise ValueError(
            f"path is {str(path)!r}, which could not be read as a table ({error}); CSV, TSV, Parquet, Excel and npz "
            "files can be read."
        ) from None


def _read_text(path: Path, decimal: str) -> pd.DataFrame:
    """Columns of text; lines before the table that begin with # are comments, and a first line of numbers is data."""
    import pandas as pd

    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = content.decode("utf-8-sig")
    comments = sum(1 for _ in takewhile(lambda line: line.lstrip().startswith("#"), text.splitlines()))
    how: Any = {"sep": None, "engine": "python", "decimal": decimal, "skipinitialspace": True, "skiprows": comments}
    found = pd.read_csv(io.StringIO(text), **how)
    first = pd.read_csv(io.StringIO(text), header=None, nrows=1, **how).iloc[0]
    if len(first) > 1 and all(isinstance(entry, int | float) for entry in first.tolist()):
        found = pd.read_csv(io.StringIO(text), header=None, **how)
        found.columns = [f"column {k + 1}" for k in range(found.shape[1])]
    return found


def from_table(
    table: pd.DataFrame,
    *,
    targets: Sequence[str] = (),
    labels: str | None = None,
    standardise: bool = True,
    rows: int | None = None,
    name: str = "table",
) -> TableTask:
    """Make a task from your table.

    Without ``targets`` and ``labels`` the columns are interpreted. A first column of different words names things whose
    properties are the other columns. A column called y, target, label, class, outcome or species holds the targets. A
    single column of repeating words names classes. A first column that counts the rows is left out.

    Args:
        table: a DataFrame; its index names the rows where it holds words.
        targets: columns of numbers that the network learns to predict.
        labels: the column that holds the class of each row.
        standardise: bring inputs, and numerical targets, to mean 0 and variance 1; properties of things that are
            not 0 and 1 are divided by their root mean square.
        rows: largest number of data points; a longer table is sampled at random. None keeps all.
        name: the name of the task.

    Raises:
        ValueError: missing values, words among numbers, decimal commas, columns that do not exist, targets that are
            all equal; the row and column are named.

    Example:
        >>> import pandas as pd, festina as fs
        >>> frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "kind": ["a", "a", "b", "b"]})
        >>> found = fs.tasks.from_table(frame)
        >>> found.task, found.assumed[0]
        (Task('table': 4 items, 1 inputs, 2 outputs), "The column 'kind' holds the class of each row.")
    """
    need("pandas", "all")
    import pandas as pd

    check.instance("table", table, pd.DataFrame, "a pandas DataFrame, such as fs.tasks.read_table(path) gives,")
    check.flag("standardise", standardise)
    most = len(table) if rows is None else check.whole("rows", rows, least=2)
    columns = _columns(table)
    if targets and labels:
        raise ValueError(f"targets is {list(targets)!r} and labels is {labels!r}; give only one of them.")
    if min(table.shape) < 2:
        raise ValueError(f"table has shape {table.shape}; at least two rows and two columns are needed.")
    for column in [*targets, *([labels] if labels else [])]:
        check.known("labels" if column == labels else "targets", column, list(columns))
    counted = _take_row_numbers(columns, {*targets, labels})
    names = _take_names(columns, {*targets, labels}) or row_names(table)
    chosen = (list(dict.fromkeys(targets)), False) if targets else ([labels], True) if labels else None
    outputs, classes = chosen or _find_targets(columns)
    fields: dict[str, Any] = {"name": name, **({"items": distinct_names(names)} if names else {})}
    if not outputs and names:
        assumed = [*counted, "Rows are things and columns are their properties; each thing is an input of its own."]
        y = np.column_stack([_numbers(column, values) for column, values in columns.items()])
        if standardise and not np.isin(y, (0, 1)).all():
            size = np.sqrt(np.mean(y**2, axis=0))
            y = y / np.where(size > 0, size, 1.0)
            assumed.append("Properties are divided by their root mean square, so that each counts alike.")
        if not y.any():
            raise ValueError("table holds only zeros; there is nothing to learn.")
        fields |= {"inputs": fields["items"], "outputs": list(columns)}
        return TableTask(one_hot(y, **fields), True, tuple(assumed), 1 + np.arange(len(y)))
    if not outputs:
        raise ValueError(
            f"table has the columns {', '.join(map(repr, columns))}; say which are to be predicted: "
            "targets=[...] (--targets) for numbers, labels=... (--labels) for classes."
        )
    found = {column: columns.pop(column) for column in outputs}
    x, fields["inputs"], assumed = _inputs(columns, standardise)
    assumed = [*counted, *assumed]
    kept = np.arange(len(x))
    if len(x) > most:
        kept = np.sort(np.random.default_rng(0).choice(len(x), most, replace=False))
        assumed.append(f"{most} of the {len(x)} rows are used, drawn at random (--rows).")
        if names:
            fields["items"] = [fields["items"][k] for k in kept]
    if classes:
        kinds = found[outputs[0]]
        missing = np.array([_missing(entry) for entry in kinds.tolist()])
        if missing.any():
            raise ValueError(f"table misses a value in row {_first(missing)}, column {outputs[0]!r}; fill it in.")
        first = f"The column {outputs[0]!r} holds the class of each row."
        whole = (int(k) if isinstance(k, float) and k.is_integer() else k for k in kinds[kept].tolist())
        return TableTask(Task(x[kept], labels=list(map(str, whole)), **fields), False, (first, *assumed), 1 + kept)
    y = np.column_stack([_numbers(column, values) for column, values in found.items()])
    if np.ptp(y, axis=0).max() == 0:
        raise ValueError(f"targets {', '.join(map(repr, outputs))} are the same in every row: nothing to learn.")
    first = f"Predicted: {', '.join(map(repr, outputs))}" + (", standardised." if standardise else ".")
    y = (_standardised(y) if standardise else y)[kept]
    return TableTask(Task(x[kept], y, outputs=outputs, **fields), False, (first, *assumed), 1 + kept)


def _columns(table: pd.DataFrame) -> Columns:
    called = [str(column) for column in table.columns]
    repeated = [column for k, column in enumerate(called) if column in called[:k]]
    if repeated:
        raise ValueError(f"table has two columns called {repeated[0]!r}; rename one of them.")
    return {name: np.asarray(table[column]) for name, column in zip(called, table.columns, strict=True)}


def _take_row_numbers(columns: Columns, used: set[str | None]) -> list[str]:
    """Leave out a first column that counts the rows and is named like an index, with a note."""
    first = next(iter(columns))
    if first in used or len(columns) < 3 or not ROW_NUMBERS.fullmatch(first) or columns[first].dtype.kind not in "iu":
        return []
    values = columns[first].tolist()
    if values[0] not in (0, 1) or values != list(range(values[0], values[0] + len(values))):
        return []
    del columns[first]
    return [f"Left out, because it counts the rows: {first!r}."]


def _take_names(columns: Columns, used: set[str | None]) -> tuple[str, ...]:
    """The entries of a first column of words that are all different, which is taken out; none otherwise."""
    first = next(iter(columns))
    entries = columns[first].tolist()
    if first in used or columns[first].dtype.kind in "biuf" or len(set(map(str, entries))) < len(entries):
        return ()
    if any(DECIMAL_COMMA.fullmatch(str(entry).strip()) for entry in entries):
        return ()
    del columns[first]
    return tuple(str(entry).strip() for entry in entries)


def _find_targets(columns: Columns) -> tuple[list[str], bool]:
    """The columns that are targets by their names, or the one column of words; and whether they are classes."""
    called = [column for column in columns if TARGET_NAMES.fullmatch(column)]
    words = [column for column, values in columns.items() if values.dtype.kind not in "biuf"]
    if len(called) == 1:
        return called, called[0] in words or _few_whole(columns[called[0]])
    if called:
        return called, False
    if len(words) != 1:
        return [], False
    entries = list(map(str, columns[words[0]].tolist()))
    repeated = len(set(entries)) <= MANY_VALUES * len(entries)
    return (words, True) if repeated and not any(map(DECIMAL_COMMA.fullmatch, entries)) else ([], False)


def _inputs(columns: Columns, standardise: bool) -> tuple[np.ndarray, list[str], list[str]]:
    """The inputs, their names, and what was assumed."""
    numbers = {column: _numbers(column, values) for column, values in columns.items()}
    still = [column for column, values in numbers.items() if np.ptp(values) == 0]
    kept = [column for column in numbers if column not in still]
    if not kept:
        raise ValueError("table has inputs that are the same in every row; nothing can be learned from them.")
    x = np.column_stack([numbers[column] for column in kept])
    more = f" and {len(still) - NAMED} more" if len(still) > NAMED else ""
    left = f"Left out, because they are the same in every row: {', '.join(map(repr, still[:NAMED]))}{more}."
    assumed = ([left] if still else []) + (["Inputs are standardised: mean 0 and variance 1."] if standardise else [])
    return _standardised(x) if standardise else x, kept, assumed


def _standardised(values: np.ndarray) -> np.ndarray:
    spread = values.std(axis=0)
    return (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def _numbers(column: str, values: np.ndarray) -> np.ndarray:
    """A column as numbers, or an error with row, column and remedy."""
    found = np.empty(len(values))
    for row, entry in enumerate(values.tolist()):
        if _missing(entry):
            raise ValueError(f"table misses a value in row {row + 1}, column {column!r}; fill it in or drop the row.")
        try:
            found[row] = float(entry)
        except (TypeError, ValueError):
            remedy = (
                "decimal commas: read the table with decimal=',' (--decimal ,)"
                if DECIMAL_COMMA.fullmatch(str(entry).strip())
                else "encode it as numbers, drop the column, or name it as labels"
            )
            raise ValueError(f"table holds {entry!r} in row {row + 1}, column {column!r}: {remedy}.") from None
    if not np.all(np.isfinite(found)):
        raise ValueError(
            f"table holds an infinite number in row {_first(~np.isfinite(found))}, column {column!r}; replace it."
        )
    return found


def _missing(entry: object) -> bool:
    import pandas as pd

    if isinstance(entry, float):
        return math.isnan(entry)
    return entry is None or entry is pd.NA or entry is pd.NaT or (isinstance(entry, str) and not entry)


def _first(where: np.ndarray) -> int:
    """The first row, counted from 1."""
    return int(np.argmax(where)) + 1


def _few_whole(values: np.ndarray) -> bool:
    """Whether numbers are classes: few whole numbers."""
    found = values[np.isfinite(values.astype(float))].astype(float)
    return bool(np.all(found == np.round(found))) and len(np.unique(found)) <= max(MANY_VALUES * len(found) / 2, 2)


def _from_arrays(arrays: dict[str, np.ndarray]) -> pd.DataFrame:
    import pandas as pd

    if not {"x", "y"} <= set(arrays):
        raise ValueError(f"it holds {', '.join(sorted(arrays))}; x and y are needed")
    x, y = arrays["x"], arrays["y"]
    columns = {f"x{k + 1}": column for k, column in enumerate(x.reshape(len(x), -1).T)}
    if y.ndim == 1:
        return pd.DataFrame({**columns, "label" if y.dtype.kind in "iuUS" else "y": y})
    return pd.DataFrame({**columns, **{f"y{k + 1}": column for k, column in enumerate(y.T)}})

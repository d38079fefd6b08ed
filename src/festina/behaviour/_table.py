"""A table of behaviour: one trial per row, in the order in which they were played."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from festina.behaviour._task import ACTIONS, inputs
from festina.checks import check
from festina.storage.store import save

if TYPE_CHECKING:
    import jax
    import pandas as pd

COLUMNS = ("subject", "session", "contrast", "choice", "reward")
NO_GO = "none"
"""How a trial without a choice is written."""


class Trial(NamedTuple):
    """One trial as a model sees it, or arrays of trials.

    Example:
        >>> import festina as fs
        >>> rows = {"subject": ["a"] * 2, "session": [1] * 2, "contrast": [-0.5, 0.5]}
        >>> table = fs.behaviour.read_table({**rows, "choice": [1, 1], "reward": [0, 1]})
        >>> table.trials("a").left
        array([0.5, 0. ])
    """

    left: jax.Array | np.ndarray
    """Contrast on the left, >= 0."""
    right: jax.Array | np.ndarray
    """Contrast on the right, >= 0."""
    level: jax.Array | np.ndarray
    """Index of the signed contrast among those that the table shows."""
    chose_right: jax.Array | np.ndarray
    """1 for right, 0 for left."""
    reward: jax.Array | np.ndarray
    """1 or 0."""
    played: jax.Array | np.ndarray
    """1 where a choice was made: the animal then learns; 0 for no-go trials and for padding."""
    counted: jax.Array | np.ndarray
    """1 where the choice counts in the likelihood; 0 for sessions that are held out."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Trials of subjects, in the order they were played; made by ``read_table``.

    Attributes:
        subject, session: labels of each trial.
        contrast: signed, negative on the left.
        right: whether right was chosen; False where no choice was made.
        reward: 0 or 1.
        played: whether a choice was made. Trials without one (no-go) are kept; nothing is learned on them, and they
            enter neither curves nor likelihoods.

    Example:
        >>> import festina as fs
        >>> rows = {"subject": ["a", "a"], "session": [1, 1], "contrast": [-0.5, 0.25]}
        >>> table = fs.behaviour.read_table({**rows, "choice": ["left", "none"], "reward": [1, 0]})
        >>> table, table.sessions("a"), table.played.tolist()
        (Table(2 trials of 1 subject, 1 without a choice), ('1',), [True, False])
    """

    subject: np.ndarray
    session: np.ndarray
    contrast: np.ndarray
    right: np.ndarray
    reward: np.ndarray
    played: np.ndarray

    @property
    def subjects(self) -> tuple[str, ...]:
        """All subjects, in the order in which they appear."""
        return tuple(dict.fromkeys(self.subject.tolist()))

    @property
    def contrasts(self) -> np.ndarray:
        """The signed contrasts that are shown, in increasing order."""
        return np.unique(self.contrast)

    def sessions(self, subject: str) -> tuple[str, ...]:
        """The sessions of a subject: by number where all are numbers, otherwise in alphabetical order (dates), in which
        whole numbers count by their size, day 2 before day 10.
        """
        check.known("subject", subject, self.subjects)
        labels = set(self.session[self.subject == subject].tolist())
        numbers = {label: read_number(label) for label in labels}
        if any(math.isnan(number) for number in numbers.values()):
            return tuple(sorted(labels, key=_by_size))
        return tuple(sorted(labels, key=numbers.__getitem__))

    def select(self, subject: str) -> Table:
        """The trials of one subject, sessions in order."""
        rank = {label: n for n, label in enumerate(self.sessions(subject))}
        rows = np.flatnonzero(self.subject == subject)
        rows = rows[np.argsort([rank[label] for label in self.session[rows].tolist()], kind="stable")]
        return take(self, rows)

    def trials(self, subject: str, contrasts: np.ndarray | None = None) -> Trial:
        """The trials of one subject as models take them; levels are indices into ``contrasts``."""
        own = self.select(subject)
        levels = self.contrasts if contrasts is None else contrasts
        left, right, _ = np.moveaxis(inputs(own.contrast), -1, 0)
        level, played = np.searchsorted(levels, own.contrast).astype(float), own.played.astype(float)
        return Trial(left, right, level, own.right.astype(float), own.reward, played, played)

    def to_pandas(self) -> pd.DataFrame:
        """The five columns as a data frame, with choices in words."""
        import pandas as pd

        choice = np.where(self.played, np.array(ACTIONS)[self.right.astype(int)], NO_GO)
        values = (self.subject, self.session, self.contrast, choice, self.reward)
        return pd.DataFrame(dict(zip(COLUMNS, values, strict=True)))

    def write(self, path: str | Path) -> Path:
        """Write a ``.csv`` or ``.parquet`` file that ``read_table`` reads; returns its path."""
        path = check.new_file("path", path)
        frame = self.to_pandas()
        if file_format(path) == "csv":
            text = io.StringIO(newline="")
            writer = csv.writer(text)
            writer.writerow(COLUMNS)
            writer.writerows(zip(*(frame[name].tolist() for name in COLUMNS), strict=True))
            return save("path", path, text.getvalue())
        require_arrow()
        return save("path", path, frame.to_parquet(index=False))

    def __len__(self) -> int:
        return len(self.subject)

    def __repr__(self) -> str:
        count, missing = len(self.subjects), int(np.sum(~self.played))
        without = f", {missing} without a choice" if missing else ""
        return f"Table({len(self)} trials of {count} subject{'s' if count != 1 else ''}{without})"


def take(table: Table, rows: np.ndarray) -> Table:
    """These trials of a table, by index or by mask."""
    return Table(*(getattr(table, column.name)[rows] for column in fields(Table)))


def join(tables: Sequence[Table]) -> Table:
    """All trials of these tables."""
    return Table(*(np.concatenate([getattr(table, column.name) for table in tables]) for column in fields(Table)))


def check_table(table: object) -> Table:
    """The argument ``table`` as a table, or an error that says how to make one."""
    if not isinstance(table, Table):
        raise ValueError(
            f"table is {type(table).__name__}; make one with fs.behaviour.read_table(path, data frame or trajectory)."
        )
    return table


def check_choices(table: Table) -> None:
    """Raise where a subject never made a choice: there is nothing to fit."""
    for subject in table.subjects:
        if not table.played[table.subject == subject].any():
            raise ValueError(f"table has no trial with a choice of subject {subject!r}; remove the subject.")


def _by_size(label: str) -> tuple[list[tuple[str, int, str]], str]:
    """The key that sorts labels alphabetically but digits as whole numbers; the label itself where those are equal."""
    parts = [(word, digits.lstrip("0")) for word, digits in re.findall(r"(\D*)(\d*)", label)]
    return [(word, len(digits), digits) for word, digits in parts], label


def read_number(value: object) -> float:
    """The value as a number, or not a number; digits grouped by underscores are no number."""
    try:
        return math.nan if isinstance(value, str) and "_" in value else float(value)  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def file_format(path: Path, name: str = "path") -> str:
    """``"csv"`` or ``"parquet"``, by the file's extension; ``name`` is the argument that errors name."""
    formats = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".pqt": "parquet"}
    if path.suffix.lower() not in formats:
        raise ValueError(f"{name} is {path.name!r}; a .csv or .parquet file is needed.")
    return formats[path.suffix.lower()]


def require_arrow() -> None:
    """Parquet files need pyarrow."""
    try:
        import pyarrow  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ImportError(
            "Parquet files need pyarrow, which is not installed: pip install pyarrow, or use a .csv file."
        ) from None

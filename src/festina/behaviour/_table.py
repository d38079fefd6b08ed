"""A table of behaviour: one trial per row, in the order in which they were played."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
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
BLOCKS = "probabilityLeft"
"""The probability that the stimulus is on the left, in the words of the International Brain Laboratory."""
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
    first: jax.Array | np.ndarray
    """1 on the first trial of a session."""
    prior: jax.Array | np.ndarray
    """Log odds of right by the block of trials; 0 without blocks."""
    offset: jax.Array | np.ndarray
    """Contribution of other parts of the model to the logit, such as choice history; 0 in a table."""


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
        prior: probability, by the block of trials, that right is the rewarded side; ½ without blocks.
        notes: how the table was read: what decided the order of its sessions.

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
    prior: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def subjects(self) -> tuple[str, ...]:
        """All subjects, in the order in which they appear."""
        return tuple(dict.fromkeys(self.subject.tolist()))

    @property
    def contrasts(self) -> np.ndarray:
        """The signed contrasts that are shown, in increasing order."""
        return np.unique(self.contrast)

    def sessions(self, subject: str) -> tuple[str, ...]:
        """The sessions of a subject, in the order of their rows, in which ``read_table`` puts them."""
        check.known("subject", subject, self.subjects)
        return tuple(dict.fromkeys(self.session[self.subject == subject].tolist()))

    def select(self, *subjects: str) -> Table:
        """The trials of these subjects, in order."""
        for subject in subjects:
            check.known("subject", subject, self.subjects)
        return take(self, np.isin(self.subject, subjects))

    def trials(self, subject: str, contrasts: np.ndarray | None = None) -> Trial:
        """The trials of one subject as models take them; levels are indices into ``contrasts``."""
        own = self.select(subject)
        levels = self.contrasts if contrasts is None else contrasts
        left, right, _ = np.moveaxis(inputs(own.contrast), -1, 0)
        level, played = np.searchsorted(levels, own.contrast).astype(float), own.played.astype(float)
        first = np.append(True, own.session[1:] != own.session[:-1]).astype(float)
        chosen, odds = own.right.astype(float), np.log(own.prior) - np.log1p(-own.prior)
        return Trial(left, right, level, chosen, own.reward, played, played, first, odds, np.zeros(len(own)))

    @property
    def blocks(self) -> bool:
        """Whether the probability of the sides changes between trials."""
        return bool(np.ptp(self.prior) > 0)

    def to_pandas(self) -> pd.DataFrame:
        """The five columns as a data frame, with choices in words; and ``probabilityLeft`` where it changes."""
        import pandas as pd

        choice = np.where(self.played, np.array(ACTIONS)[self.right.astype(int)], NO_GO)
        values = (self.subject, self.session, self.contrast, choice, self.reward)
        blocks = {BLOCKS: 1 - self.prior} if self.blocks else {}
        return pd.DataFrame({**dict(zip(COLUMNS, values, strict=True)), **blocks})

    def write(self, path: str | Path) -> Path:
        """Write a ``.csv`` or ``.parquet`` file that ``read_table`` reads; returns its path."""
        path = check.new_file("path", path)
        frame = self.to_pandas()
        if file_format(path) == "csv":
            return save("path", path, frame.to_csv(index=False))
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
    return replace(table, **{name: getattr(table, name)[rows] for name in _arrays()})


def join(tables: Sequence[Table]) -> Table:
    """All trials of these tables."""
    joined = {name: np.concatenate([getattr(table, name) for table in tables]) for name in _arrays()}
    return replace(tables[0], **joined, notes=())


def _arrays() -> list[str]:
    return [column.name for column in fields(Table) if column.name != "notes"]


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


def read_number(value: object) -> float:
    """The value as a number, or not a number; digits grouped by underscores are no number."""
    if isinstance(value, str):
        # word processors write the sign of minus as a character of its own
        value = "" if "_" in value else value.replace("\N{MINUS SIGN}", "-")
    try:
        return float(value)  # pyright: ignore[reportArgumentType]
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

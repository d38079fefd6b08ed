"""A table of behaviour: one trial per row, read from a file or recorded from agents."""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from festina import _check
from festina.behaviour._network import Decider
from festina.behaviour._simulate import play
from festina.behaviour._task import ACTIONS, DecisionTask

COLUMNS = ("subject", "session", "contrast", "choice", "reward")

_WORDS = {"left": 0.0, "l": 0.0, "right": 1.0, "r": 1.0}
_TRUTH = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Trials of subjects, in the order they were played.

    Attributes:
        subject, session: labels of each trial.
        contrast: signed, negative on the left.
        right: whether right was chosen.
        reward: 0 or 1.

    Example:
        >>> import festina as fs
        >>> task = fs.behaviour.decision_task()
        >>> table = fs.behaviour.record(fs.behaviour.TutorExecutor(), task, sessions=2, agents=3)
        >>> len(table), table.subjects, table.sessions("agent 1")
        (1440, ('agent 0', 'agent 1', 'agent 2'), ('1', '2'))
    """

    subject: np.ndarray
    session: np.ndarray
    contrast: np.ndarray
    right: np.ndarray
    reward: np.ndarray

    @property
    def subjects(self) -> tuple[str, ...]:
        """All subjects, in the order in which they appear."""
        return tuple(dict.fromkeys(self.subject.tolist()))

    def sessions(self, subject: str) -> tuple[str, ...]:
        """The sessions of a subject: by number where all are numbers, otherwise in alphabetical order (dates)."""
        _check.known("subject", subject, self.subjects)
        labels = set(self.session[self.subject == subject].tolist())
        numbers = {label: _number(label) for label in labels}
        if any(math.isnan(number) for number in numbers.values()):
            return tuple(sorted(labels))
        return tuple(sorted(labels, key=numbers.__getitem__))

    def columns(self) -> dict[str, list[Any]]:
        """The five columns as lists, with choices in words."""
        choice = [ACTIONS[int(right)] for right in self.right]
        values = (self.subject, self.session, self.contrast, np.array(choice), self.reward)
        return {name: column.tolist() for name, column in zip(COLUMNS, values, strict=True)}

    def write(self, path: str | Path) -> Path:
        """Write a ``.csv`` or ``.parquet`` file that ``read_table`` reads; returns its path."""
        path, columns = Path(path), self.columns()
        if _kind(path) == "csv":
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(columns)
                writer.writerows(zip(*columns.values(), strict=True))
        else:
            arrow = _arrow()
            arrow.parquet.write_table(arrow.table(columns), path)
        return path

    def __len__(self) -> int:
        return len(self.subject)

    def __repr__(self) -> str:
        return f"Table({len(self)} trials of {len(self.subjects)} subjects)"


def read_table(path: str | Path) -> Table:
    """Read a table of behaviour with the columns subject, session, contrast, choice and reward; others are ignored.

    Args:
        path: a ``.csv`` file with a header, or a ``.parquet`` file (this needs pyarrow).

    Raises:
        ValueError: no such file, another kind of file, or a table that ``table`` refuses, with the row.
        ImportError: a Parquet file, and pyarrow is not installed.

    Example:
        >>> import tempfile, festina as fs
        >>> task = fs.behaviour.decision_task()
        >>> table = fs.behaviour.record(fs.behaviour.TutorExecutor(), task, sessions=1, agents=2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     fs.behaviour.read_table(table.write(f"{folder}/agents.csv"))
        Table(480 trials of 2 subjects)

    Source: liebana2025.
    """
    path = Path(path)
    kind = _kind(path)
    if not path.is_file():
        raise ValueError(f"path is {str(path)!r}: there is no such file.")
    if kind == "parquet":
        return table(_arrow().parquet.read_table(path).to_pydict(), source=path.name)
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.reader(file))
    if not rows:
        raise ValueError(f"{path.name} is empty; a header with {', '.join(COLUMNS)} and one row per trial are needed.")
    header, body = [name.strip() for name in rows[0]], [row for row in rows[1:] if row]
    for number, row in enumerate(body, start=1):
        if len(row) != len(header):
            raise ValueError(f"{path.name} row {number} has {len(row)} values; its header has {len(header)} columns.")
    return table({name: [row[i] for row in body] for i, name in enumerate(header)}, source=path.name)


def table(columns: Mapping[str, Sequence[Any]], *, source: str = "columns") -> Table:
    """Check the columns of a table of behaviour; rows are counted from 1, without the header.

    Args:
        columns: by name, e.g. a dictionary of lists or a data frame.
        source: what to call them in errors.

    Returns:
        The table. Choices may be left/right, l/r, −1/1 or 0/1 (1 is right); rewards 0/1 or true/false; contrasts are
        signed, negative on the left, between −1 and 1.

    Raises:
        ValueError: a missing column, no rows, or a value that is missing, unknown or impossible, with its row.

    Example:
        >>> import festina as fs
        >>> rows = {"subject": ["a", "a"], "session": [1, 1], "contrast": [-0.5, 0.25]}
        >>> fs.behaviour.table({**rows, "choice": ["left", "left"], "reward": [1, 0]})
        Table(2 trials of 1 subjects)
    """
    have = [str(name) for name in columns]
    missing = [name for name in COLUMNS if name not in have]
    if missing:
        raise ValueError(
            f"{source}: the header has no column {', '.join(missing)}; needed are {', '.join(COLUMNS)}, "
            f"found were {', '.join(have) or 'none'}. Rename yours."
        )
    values = {name: list(columns[name]) for name in COLUMNS}
    count = len(values["subject"])
    if not count or any(len(column) != count for column in values.values()):
        lengths = ", ".join(f"{name} {len(column)}" for name, column in values.items())
        raise ValueError(f"{source}: the columns hold {lengths} rows; the same number, at least 1, is needed.")
    for name, column in values.items():
        for number, value in enumerate(column, start=1):
            if value is None or value != value or not str(value).strip():  # noqa: PLR0124 (only NaN differs from itself)
                raise ValueError(f"{source} row {number}: {name} is missing; remove the trial or fill it in.")
    return Table(
        subject=np.array([str(value).strip() for value in values["subject"]]),
        session=np.array([str(value).strip() for value in values["session"]]),
        contrast=_contrasts(values["contrast"], source),
        right=_choices(values["choice"], source),
        reward=_rewards(values["reward"], source),
    )


def record(
    network: Decider, task: DecisionTask, *, sessions: int = 50, trials: int = 240, agents: int = 30, seed: int = 0
) -> Table:
    """Every trial of agents as a table: the same agents as ``simulate``'s, in the form in which animals come.

    Args:
        network, task, sessions, trials, agents, seed: as in ``simulate``.

    Example:
        >>> import festina as fs
        >>> task = fs.behaviour.decision_task()
        >>> fs.behaviour.record(fs.behaviour.TutorExecutor(), task, sessions=2, trials=50, agents=3)
        Table(300 trials of 3 subjects)
    """
    agents, seed = _check.whole("agents", agents), _check.whole("seed", seed, least=0)
    runs = play(network, task, _check.whole("sessions", sessions), _check.whole("trials", trials), range(agents), seed)
    played = [session for _, session in runs if session is not None]
    # (sessions, trials, agents) with agents first: rows of one subject stay together
    kind, right, reward = (
        np.moveaxis(np.stack([getattr(s, name) for s in played]), -1, 0) for name in ("kind", "right", "reward")
    )
    who = np.broadcast_to(np.arange(agents)[:, None, None], kind.shape)
    when = np.broadcast_to(np.arange(1, sessions + 1)[None, :, None], kind.shape)
    return Table(
        subject=np.array([f"agent {k}" for k in range(agents)])[who.ravel()],
        session=when.ravel().astype(str),
        contrast=np.array(task.contrasts)[task.kinds[kind]].ravel(),
        right=right.ravel(),
        reward=reward.ravel(),
    )


def _number(value: Any) -> float:
    """The value as a number, or not a number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def _contrasts(column: Sequence[Any], source: str) -> np.ndarray:
    found = np.array([_number(value) for value in column])
    for number, (value, contrast) in enumerate(zip(column, found, strict=True), start=1):
        if not abs(contrast) <= 1:
            raise ValueError(
                f"{source} row {number}: contrast is {value!r}; a number from -1 (left) to 1 (right) is needed: "
                "divide percentages by 100 and give contrasts on the left a minus."
            )
    return found


def _choices(column: Sequence[Any], source: str) -> np.ndarray:
    found = [_WORDS.get(str(value).strip().lower(), _number(value)) for value in column]
    signed = -1.0 in found
    for number, (value, choice) in enumerate(zip(column, found, strict=True), start=1):
        known = choice in (-1.0, 1.0) if signed and str(value).strip().lower() not in _WORDS else choice in (0.0, 1.0)
        if not known:
            among = "with -1 for left, only -1 and 1" if signed else "left or right, l or r, -1 or 1, 0 or 1"
            raise ValueError(
                f"{source} row {number}: choice is {value!r}, which is not known; known are: {among}. "
                "Remove trials without a choice."
            )
    return np.array([choice == 1.0 for choice in found])


def _rewards(column: Sequence[Any], source: str) -> np.ndarray:
    found = [_TRUTH.get(str(value).strip().lower(), _number(value)) for value in column]
    for number, (value, reward) in enumerate(zip(column, found, strict=True), start=1):
        if reward not in (0.0, 1.0):
            raise ValueError(f"{source} row {number}: reward is {value!r}; 0 or 1 is needed.")
    return np.array(found)


def _kind(path: Path) -> str:
    kinds = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet"}
    if path.suffix.lower() not in kinds:
        raise ValueError(f"path is {path.name!r}; a .csv or .parquet file is needed.")
    return kinds[path.suffix.lower()]


def _arrow() -> Any:
    try:
        import pyarrow  # pyright: ignore[reportMissingImports]
        import pyarrow.parquet  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ImportError(
            "Parquet files need pyarrow, which is not installed: pip install pyarrow, or use a .csv file."
        ) from None
    return pyarrow

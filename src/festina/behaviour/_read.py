"""Reading tables of behaviour as laboratories have them: files, folders and data frames, in several conventions."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.behaviour._agents import EACH_TRIAL
from festina.behaviour._order import DATES, ISO, TRIALS, natural, order_sessions, read_dates
from festina.behaviour._table import BLOCKS, COLUMNS, NO_GO, Table, file_format, join, read_number, require_arrow
from festina.checks import check

CHOICES = {"left": 0.0, "l": 0.0, "right": 1.0, "r": 1.0}
WITHOUT = {NO_GO, "nogo", "no-go", "no_go", "miss", "nan", "na", ""}
"""Words for a trial without a choice; an empty cell is one too."""
TRUTH = {"true": 1.0, "false": 0.0}
IBL = ("contrastLeft", "contrastRight", "choice", "feedbackType")
"""Columns of the International Brain Laboratory's tables of trials."""
LONGEST_FIELD = 1 << 20
"""Characters of one cell: more is no table of trials."""
CONTRADICTED = 2 / 3
"""Share of choices that rewards may contradict: half of them do where rewards are random."""
UNSIGNED = 0.1
"""Share of rewarded choices that may be on the other side where all contrasts are on one."""
MAX_VALUES, MAX_RATIO = 10**7, 64
"""Values of a Parquet file that are read whatever its size, and for each of its bytes. A column of one value takes a
few bytes for any number of rows. The choices of a table take at least a bit each."""

Columns = dict[str, list[Any]]


def read_table(
    source: object, *, columns: Mapping[str, str] | None = None, subject: str | None = None, percent: bool | None = None
) -> Table:
    """Read a table of behaviour: one trial per row.

    The smallest table is a CSV file with the header ``subject,session,contrast,choice,reward``. The contrast is signed
    (negative on the left). The choice is left/right, l/r, −1/1 or 0/1 (1 is right). A trial without a choice has none,
    an empty cell, or 0 among −1/1. The reward is 0/1 or true/false. Other columns are ignored.

    A table with the columns contrastLeft, contrastRight, choice and feedbackType follows the conventions of the
    International Brain Laboratory. The side that is not shown is empty, and feedbackType is 1 or −1. The sign of a
    right choice is the one rewarded for contrasts on the right (−1 if no trial tells). A column ``probabilityLeft`` is
    the prior of blocks, whose weight is fitted with every model.

    Sessions are ordered by a column of dates (``date``, ``session_date``, ``session_start_time``, …), otherwise by
    their own numbers or dates, otherwise as the rows are; ``Table.notes`` says which. Dates may be ``2024-01-31``,
    ``31.01.2024``, ``20240131`` or ``310124``. Without a column ``session``, each date is a session. Rows that
    contradict the order are sorted, with a warning.

    Args:
        source: a ``.csv`` or ``.parquet`` file; a folder with such files or with ``_ibl_trials.*.npy`` files, where
            each file or folder of arrays is a session. Files without a subject belong to the animal of their folder
            (above a folder named by a date, if there is one); a file with several sessions that lies next to others is
            one animal. Or the columns themselves, as a data frame (pandas, or what has ``to_pandas``) or a dictionary
            of lists. Or the trajectory of agents, ``fs.evolve`` with ``fs.Train(rate=...)`` and ``observe=("contrasts",
            "choices", "rewards")``, each interval between its times a session.
        columns: your column names, by the names used here: ``columns={"choice": "response", "contrast":
            "signed_contrast"}``.
        subject: the subject of all trials, if no column says it.
        percent: whether contrasts are percentages; None finds out (percentages where one is above 1 and none lies
            between 0 and 1).

    Returns:
        The table; ``Table.to_pandas()`` gives it as a data frame.

    Raises:
        ValueError: no such file, another kind of file, a missing or doubled column, or a value that is missing,
            unknown or impossible, with its row (counted from 1, without the header); choices that most rewards
            contradict; contrasts of one side where choices of both are rewarded.
        ImportError: a Parquet file, and pyarrow is not installed.

    Example:
        >>> import festina as fs
        >>> rows = {"mouse": ["a", "a"], "session": [1, 1], "contrast": [-50, 25], "choice": [-1, 1], "reward": [1, 1]}
        >>> table = fs.behaviour.read_table(rows, columns={"subject": "mouse"})
        >>> table, table.contrast.tolist()
        (Table(2 trials of 1 subject), [-0.5, 0.25])
        >>> task, rate = fs.behaviour.DecisionTask(), 0.0026
        >>> agents = fs.evolve(fs.behaviour.TutorExecutor(), task, [0.0, 50 * rate], method=fs.Train(rate),
        ...                    seeds=3, observe=("contrasts", "choices", "rewards"))
        >>> fs.behaviour.read_table(agents)
        Table(150 trials of 3 subjects)

    Source: liebana2025.
    """
    if isinstance(source, Trajectory):
        return _record(source)
    names = _check_names(columns)
    percent = None if percent is None else check.flag("percent", percent)
    if isinstance(source, str | Path):
        path = check.path("source", source)
        if path.is_dir():
            parts, choice = _read_folder(path, names), names.get("choice", "choice")
            # one file may lack left choices: what 0 means is asked of all
            signed = any(read_number(value) == -1 for found, _, _ in parts for value in found.get(choice, ()))
            return _ordered([_table(*part, names, subject, percent, signed=signed) for part in parts], path.name, True)
        found = _read_file(path)
        # a file of one session need not say whose it is; a plain table has to
        one_session = {"subject": path.parent.name or "subject", "session": path.stem} if _is_ibl(found, names) else {}
        return _ordered([_table(found, path.name, one_session, names, subject, percent)], path.name)
    try:
        # data frames of other libraries, such as Arrow and xarray
        columns_of: Any = source.to_pandas() if hasattr(source, "to_pandas") else source  # pyright: ignore[reportAttributeAccessIssue]
        listed = [str(name) for name in columns_of]
        _refuse_doubles(listed, "source")
        found = {str(name): list(columns_of[name]) for name in columns_of}
    except (TypeError, KeyError, AttributeError, IndexError):
        raise ValueError(
            f"source is {type(source).__name__}; a path, a data frame or a dictionary of columns is needed."
        ) from None
    return _ordered([_table(found, "source", {}, names, subject, percent)], "source")


Part = tuple[Table, list[str] | None, np.ndarray | None]
"""Trials, with their dates and numbers if there are such columns."""


def _ordered(parts: list[Part], source: str, files: bool = False) -> Table:
    """All trials of a source, sessions in the order in which they were played."""
    tables, dates, trials = zip(*parts, strict=True)
    dated = None if any(part is None for part in dates) else [date for part in dates for date in part]
    numbered = None if any(part is None for part in trials) else np.concatenate(trials)
    return order_sessions(join(tables), dated, numbered, source, files=files)


def _record(trajectory: Trajectory) -> Table:
    """Every trial of agents as a table, one session between any two times of the trajectory."""
    lacking = [name for name in EACH_TRIAL if name not in trajectory.values]
    if lacking:
        raise ValueError(
            f"source does not hold {', '.join(lacking)}; use fs.evolve(..., method=fs.Train(rate=...), "
            f"observe={EACH_TRIAL})."
        )
    contrast, right, reward = (np.asarray(trajectory[name]) for name in EACH_TRIAL)
    if trajectory.seeds is None:
        contrast, right, reward = contrast[None], right[None], reward[None]
    seeds = trajectory.seeds or (0,)
    shown = ~np.isnan(contrast)
    if not shown.any():
        raise ValueError("source holds no trial; give times that are at least one step of the rate apart.")
    session = np.cumsum(shown.any(axis=(0, 2)))
    who, when, _ = np.nonzero(shown)
    return Table(
        subject=np.array([f"agent {seed}" for seed in seeds])[who],
        session=session[when].astype(str),
        contrast=contrast[shown],
        right=right[shown] > 0,
        reward=reward[shown],
        played=np.ones(len(who), dtype=bool),
        prior=np.full(len(who), 0.5),
    )


def _check_names(columns: Mapping[str, str] | None) -> dict[str, str]:
    if columns is None:
        return {}
    if not isinstance(columns, Mapping) or not all(isinstance(word, str) for pair in columns.items() for word in pair):
        raise ValueError(f"columns is {columns!r}; give a dictionary from our names to yours, or None.")
    allowed = (*COLUMNS, "date", "trial", *IBL[:2], IBL[3], BLOCKS)
    for name in columns:
        if name not in allowed:
            text = "{columns} has {came}; the names to map are {allowed}."
            raise check.ArgumentError(text, columns="columns", came=repr(name), allowed=", ".join(allowed))
    return dict(columns)


def _refuse_doubles(header: list[str], source: str) -> None:
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        raise ValueError(f"{source}: the header has {', '.join(doubled)} more than once; rename or remove one.")


def _read_file(path: Path) -> Columns:
    kind = file_format(path, "source")
    if not path.is_file():
        raise ValueError(f"source is {str(path)!r}: there is no such file.")
    if kind == "parquet":
        require_arrow()
        import pyarrow.lib
        import pyarrow.parquet

        try:
            metadata = pyarrow.parquet.read_metadata(path)
            values, most = metadata.num_rows * metadata.num_columns, max(MAX_VALUES, MAX_RATIO * path.stat().st_size)
            if values > most:
                raise ValueError(
                    f"{path.name} has {metadata.num_rows} rows of {metadata.num_columns} columns in a file of "
                    f"{path.stat().st_size} bytes; at most {most} values are read from a file of this size."
                )
            found = pyarrow.parquet.read_table(path)
            _refuse_doubles(found.column_names, path.name)
            return found.to_pydict()
        except (pyarrow.lib.ArrowException, OSError, UnicodeDecodeError, OverflowError, MemoryError) as error:
            raise ValueError(f"{path.name} cannot be read as a Parquet file: {error}") from None
    limit = csv.field_size_limit(LONGEST_FIELD)
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            head = file.readline()
            file.seek(0)
            # spreadsheets that write decimal commas separate columns by semicolons
            separator = next((mark for mark in ";\t" if mark in head and "," not in head), ",")
            rows = list(csv.reader(file, delimiter=separator))
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path.name} is not UTF-8 text (byte {error.start} is 0x{error.object[error.start]:02x}); "
            "save it again as UTF-8."
        ) from None
    except csv.Error as error:
        raise ValueError(f"{path.name} cannot be read as a table of comma-separated values: {error}.") from None
    finally:
        csv.field_size_limit(limit)
    if not rows:
        raise ValueError(f"{path.name} is empty; a header with {', '.join(COLUMNS)} and one row per trial are needed.")
    header, body = [name.strip() for name in rows[0]], [row for row in rows[1:] if row]
    if not {*COLUMNS, *IBL} & {*header} and sum(np.isfinite(read_number(name)) for name in header) > 1:
        raise ValueError(
            f"{path.name} has no header: its first row is {', '.join(header)[:80]}. Add a first row with the names of "
            f"the columns ({', '.join(COLUMNS)})."
        )
    _refuse_doubles(header, path.name)
    for number, row in enumerate(body, start=1):
        if len(row) != len(header):
            raise ValueError(f"{path.name} row {number} has {len(row)} values; its header has {len(header)} columns.")
    return {name: [row[i] for row in body] for i, name in enumerate(header)}


def _read_folder(folder: Path, names: Mapping[str, str]) -> list[tuple[Columns, str, dict[str, str]]]:
    """Every file or folder of arrays: its columns, what to call it in errors, and the labels its place implies."""
    everything = sorted(folder.rglob("*"), key=lambda path: natural(str(path.relative_to(folder))))
    files = [path for path in everything if path.suffix.lower() in (".csv", ".parquet", ".pq", ".pqt")]
    found = []
    for path in files:
        at, columns = path.relative_to(folder), _read_file(path)
        days = [str(day)[:10] for day in _first(columns, DATES) or ()]
        # a file of several sessions that lies beside others is an animal
        alone = len(at.parts) == 1 and len(set(columns.get(names.get("session", "session"), days))) > 1
        implied = {"subject": path.stem if alone else _owner(at.parts[:-1], folder), "session": str(at.with_suffix(""))}
        found.append((columns, str(at), implied))
    for first in (path for path in everything if path.name == "_ibl_trials.choice.npy"):
        at = first.parent.relative_to(folder)
        arrays = {}
        for name in (*IBL, BLOCKS):
            path = first.parent / f"_ibl_trials.{name}.npy"
            if name == BLOCKS and not path.is_file():
                continue
            if not path.is_file():
                raise ValueError(f"{at} has {first.name} and no {path.name}; {', '.join(IBL)} are needed.")
            try:
                arrays[name] = np.load(path, allow_pickle=False).tolist()
            except (ValueError, OSError, EOFError) as error:
                raise ValueError(f"{at / path.name} cannot be read as an array: {error}") from None
        implied = {"subject": _owner(at.parts, folder), "session": str(at)}
        found.append((arrays, str(at), implied))
    if not found:
        raise ValueError(
            f"source is {str(folder)!r}: the folder holds neither .csv nor .parquet nor _ibl_trials files."
        )
    return found


def _owner(parts: Sequence[str], folder: Path) -> str:
    """The animal whose sessions lie in these folders: above the folder of a date, or else the first one."""
    dated = next((n for n, part in enumerate(parts) if ISO.match(part)), 1)
    return parts[dated - 1] if parts and dated else folder.name


def _table(
    found: Columns,
    source: str,
    implied: Mapping[str, str],
    names: Mapping[str, str],
    subject: str | None,
    percent: bool | None,
    *,
    signed: bool = False,
) -> Part:
    found = _rename(found, names, source)
    count = len(next(iter(found.values()), []))
    ibl = _is_ibl(found, names)
    if subject is not None:
        found["subject"] = [str(subject)] * count
    dates, numbers = _dates(found, source), _first(found, TRIALS)
    if "session" not in found and dates is not None:
        found["session"] = [date[:10] if ISO.match(date) else date for date in dates]
    for name in ("subject", "session"):
        if name not in found and name in implied:
            found[name] = [implied[name]] * count
    if ibl:
        found["contrast"] = _one_contrast(found["contrastLeft"], found["contrastRight"], source)
        if "reward" not in found and "feedbackType" in found:
            found["reward"] = [{1.0: 1, -1.0: 0}.get(read_number(v), v) for v in found["feedbackType"]]
    missing = [name for name in COLUMNS if name not in found]
    if missing:
        raise check.ArgumentError(
            "{source}: the header has no column {missing}; needed are {needed}, found were {found}. "
            "Say {mapping}{sides}.",
            source=source, missing=", ".join(missing), needed=", ".join(COLUMNS), first=missing[0],
            found=", ".join(map(str, found)) or "none", mapping=f"columns={{{missing[0]!r}: your name}}",
            sides="; columns of both sides are contrastLeft and contrastRight" * (missing[0] == "contrast"),
        )  # fmt: skip
    values = {name: found[name] for name in COLUMNS}
    if not count or any(len(column) != count for column in values.values()):
        lengths = ", ".join(f"{name} {len(column)}" for name, column in values.items())
        raise ValueError(f"{source}: the columns hold {lengths} rows; the same number, at least 1, is needed.")
    if ibl:
        # their 0 is a trial without a choice, which is never rewarded
        pairs = {(str(c), str(r)) for c, r in zip(values["choice"], values["reward"], strict=True)}
        signed = signed or not any(read_number(c) == 0 and read_number(r) == 1 for c, r in pairs)
    right, played, words = _choices(values["choice"], source, signed)
    contrast = _contrasts(_filled(values["contrast"], "contrast", source), source, percent)
    reward = _rewards(values["reward"], source, played)
    if _contradicted(contrast, right, reward, played, source, words=words, ibl=ibl):
        right = played & ~right
    who, when = (
        np.array([str(value).strip() for value in _filled(values[name], name, source)])
        for name in ("subject", "session")
    )
    trials = None if numbers is None else np.array([read_number(value) for value in numbers])
    return Table(who, when, contrast, right, reward, played, _priors(found, source, count)), dates, trials


def _priors(found: Columns, source: str, count: int) -> np.ndarray:
    """P(right is rewarded) of every trial: from ``probabilityLeft``, ½ where the table has no such column."""
    if BLOCKS not in found:
        return np.full(count, 0.5)

    def read(value: object) -> float | None:
        number = read_number(value)
        return 1 - number if 0 < number < 1 else None

    def refuse(number: int, value: object) -> str:
        return f"{source} row {number}: {BLOCKS} is {value!r}; a number between 0 and 1 is needed."

    return _convert(found[BLOCKS], read, refuse)


def _rename(found: Columns, names: Mapping[str, str], source: str) -> Columns:
    """The columns, and again under our names those that ``columns`` maps or that have our names in capitals."""
    lower = {name.lower(): name for name in found}
    names = {ours: lower[ours] for ours in COLUMNS if ours in lower and ours not in found} | {**names}
    for ours, theirs in names.items():
        if theirs not in found:
            text = "{source}: {columns} maps {ours} to {theirs}, which the header does not have."
            raise check.ArgumentError(text, source=source, columns="columns", ours=ours, theirs=repr(theirs))
    return {**found, **{ours: found[theirs] for ours, theirs in names.items()}}


def _first(found: Columns, names: Sequence[str]) -> list[Any] | None:
    """The first column with one of these names, whatever its case."""
    lower = {name.lower(): name for name in reversed(found)}
    return next((found[lower[name]] for name in names if name in lower), None)


def _dates(found: Columns, source: str) -> list[str] | None:
    """The column of dates as text, if there is one."""
    column = _first(found, DATES)
    if column is None:
        return None
    dates = [str(value).strip() for value in _filled(column, "the date", source)]
    return dates if read_dates(list(dict.fromkeys(dates))) else None


def _is_ibl(found: Columns, names: Mapping[str, str]) -> bool:
    return "contrast" not in {*found, *names} and {"contrastLeft", "contrastRight"} <= {*found, *names}


def _is_empty(value: object) -> bool:
    # pandas' NA has no truth value; of numbers only NaN differs from itself
    return value is None or str(value).strip() in ("", "<NA>") or bool(value != value)  # noqa: PLR0124


def _convert(
    column: Sequence[object], convert: Callable[..., float | None], refuse: Callable[..., str | ValueError]
) -> np.ndarray:
    """Convert a column of few different values; the first that is not known is refused with its row."""
    known: dict[Any, float | None] = {}
    found = np.empty(len(column))
    for number, value in enumerate(column, start=1):
        key = type(value), str(value)
        if key not in known:
            known[key] = convert(value)
        result = known[key]
        if result is None:
            said = refuse(number, value)
            raise said if isinstance(said, ValueError) else ValueError(said)
        found[number - 1] = result
    return found


def _filled(column: list[Any], name: str, source: str) -> list[Any]:
    """A column in which no value may be missing."""
    for number, value in enumerate(column, start=1):
        if _is_empty(value):
            raise ValueError(f"{source} row {number}: {name} is missing; remove the trial or fill it in.")
    return column


def _one_contrast(left: Sequence[object], right: Sequence[object], source: str) -> list[Any]:
    """The signed contrast of trials with one column per side, of which one is empty or zero."""
    found = []
    for number, (on_left, on_right) in enumerate(zip(left, right, strict=True), start=1):
        a, b = (0.0 if _is_empty(value) else read_number(value) for value in (on_left, on_right))
        if a and b:
            raise ValueError(
                f"{source} row {number}: contrastLeft is {on_left!r} and contrastRight {on_right!r}; one side is shown."
            )
        found.append(None if _is_empty(on_left) and _is_empty(on_right) else b - a)
    return found


def _contrasts(column: Sequence[object], source: str, percent: bool | None) -> np.ndarray:
    sizes = {abs(read_number(value)) for value in {str(v) for v in column}}
    if percent is None:
        percent = any(size > 1 for size in sizes) and not any(0 < size < 1 for size in sizes)
    limit = 100.0 if percent else 1.0

    def convert(value: object) -> float | None:
        number = read_number(value)
        return number / limit if abs(number) <= limit else None

    def refuse(number: int, value: object) -> str | ValueError:
        if isinstance(value, str) and "," in value and np.isfinite(read_number(value.replace(",", ".", 1))):
            return (
                f"{source} row {number}: contrast is {value!r}, with a decimal comma; write decimal points ("
                f"{value.replace(',', '.')})."
            )
        return check.ArgumentError(
            "{source} row {number}: contrast is {value}; a number from -{limit} (left) to {limit} (right) is needed: "
            "divide percentages by 100 or say {percent}, and give contrasts on the left a minus.",
            source=source, number=str(number), value=repr(value), limit=f"{limit:g}", percent="percent=True",
        )  # fmt: skip

    return _convert(column, convert, refuse)


def _choices(column: Sequence[object], source: str, signed: bool) -> tuple[np.ndarray, np.ndarray, bool]:
    """Whether right was chosen, whether a choice was made, and whether choices are words; ``signed`` choices are −1 and
    1 also where no −1 is.
    """

    def read(value: object) -> float | None:
        word = str(value).strip().lower()
        if _is_empty(value) or word in WITHOUT:
            return np.nan
        number = CHOICES[word] if word in CHOICES else read_number(value)
        return number if number in (-1.0, 0.0, 1.0) else None

    def refuse(number: int, value: object) -> str:
        return (
            f"{source} row {number}: choice {value!r} is unknown. Known: left or right, l or r, "
            "-1 or 1, 0 or 1, and none or nothing for a trial without a choice."
        )

    found = _convert(column, read, refuse)
    words = np.array([str(value).strip().lower() in CHOICES for value in column])
    if signed or np.any(found == -1):
        # 0 among -1 and 1 is a trial without a choice, in words it is left
        found = np.where(~words & (found == 0), np.nan, found)
    return found == 1, ~np.isnan(found), bool(words.any())


def _rewards(column: Sequence[object], source: str, played: np.ndarray) -> np.ndarray:
    def read(value: object) -> float | None:
        if _is_empty(value):
            return np.nan
        number = TRUTH.get(str(value).strip().lower(), read_number(value))
        return number if number in (0.0, 1.0) else None

    def refuse(number: int, value: object) -> str:
        return f"{source} row {number}: reward is {value!r}; 0 or 1 is needed: 1 for a reward."

    found = _convert(column, read, refuse)
    lost = np.flatnonzero(np.isnan(found) & played)
    if len(lost):
        raise ValueError(f"{source} row {lost[0] + 1}: reward is missing; remove the trial or fill it in.")
    return np.where(played, found, 0.0)


def _contradicted(
    contrast: np.ndarray, right: np.ndarray, reward: np.ndarray, played: np.ndarray, source: str, *, words: bool,
    ibl: bool,
) -> bool:  # fmt: skip
    """Whether rewards say that the laboratory's −1 is the choice of right; choices that they contradict are refused."""
    told = played & (contrast != 0)
    count, side = int(told.sum()), contrast[told] > 0
    agree = int(np.sum((right[told] == side) == (reward[told] > 0)))
    if ibl and not words:
        return 2 * agree <= count
    if np.any(reward[told]) and agree < (1 - CONTRADICTED) * count:
        meant = "the words left and right" if words else "the choices, of which 1 is right"
        raise ValueError(
            f"{source}: rewards contradict {meant}: of {count} choices with a visible contrast {count - agree} were "
            "rewarded on the other side, or not on its own. Contrasts on the left need a minus; correct the contrasts "
            "or the choices."
        )
    won = reward[told] > 0
    across = int(np.sum(won & (right[told] != side)))
    if len(np.unique(side)) == 1 and across > UNSIGNED * won.sum():
        here, there = ("right", "left") if side[0] else ("left", "right")
        raise ValueError(
            f"{source}: all contrasts are on the {here}, but {across} of {int(won.sum())} rewarded choices of a "
            f"visible contrast were {there}. Contrasts on the left need a minus."
        )
    return False

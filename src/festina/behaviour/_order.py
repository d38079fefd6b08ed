"""The order in which sessions were played: by dates or numbers where a table has them, otherwise by its rows."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import numpy as np

from festina.behaviour._table import Table, read_number, take

DATES = ("date", "session_date", "datetime", "session_start", "session_start_time", "start_time", "timestamp")
"""Columns that date a session, whatever their case; one that holds no dates decides nothing."""

TRIALS = ("trial", "trial_number", "trial_index", "trial_num")
"""Columns that number the trials."""

DAYS = (
    "%Y/%m/%d", "%d.%m.%Y", "%d.%m.%y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d %b %Y", "%d-%b-%Y",
    "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y",
)  # fmt: skip
CLOCKS = ("", " %H:%M", " %H:%M:%S")
DIGITS = {8: ("%Y%m%d", "%d%m%Y", "%m%d%Y"), 6: ("%y%m%d", "%d%m%y", "%m%d%y")}
"""Dates of digits alone, by their number."""
LIFE = 4 * 365
"""Days over which sessions of one animal spread at most: of other readings of digits, most spread over decades."""
ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


def read_dates(labels: Sequence[str]) -> list[list[datetime]]:
    """Every way in which all of these labels are dates: none, one, or several where day and month may be either."""
    digits = {len(label) if label.isdecimal() else 0 for label in labels}
    formats = DIGITS.get(max(digits), ()) if len(digits) == 1 else ()
    readings: list[Callable[[str], datetime]] = [lambda label, f=day: datetime.strptime(label, f) for day in formats]
    if not formats:
        # another plain number is no date
        if any(re.fullmatch(r"[\d.]*\d|\d+W\d+", label) and label.count(".") < 2 for label in labels):
            return []
        readings = [lambda label: datetime.fromisoformat(label).replace(tzinfo=None)]
        readings += [lambda label, f=day + clock: datetime.strptime(label, f) for day in DAYS for clock in CLOCKS]
    found: list[list[datetime]] = []
    for read in readings:
        try:
            dates = [read(label) for label in labels]
        except ValueError:
            continue
        if dates not in found and not (formats and (max(dates) - min(dates)).days > LIFE):
            found.append(dates)
    return found


def _orders(readings: list[list[datetime]]) -> set[tuple[int, ...]]:
    """The different orders that readings of dates give."""
    return {tuple(np.argsort(np.argsort([d.timestamp() for d in dates], kind="stable")).tolist()) for dates in readings}


def rank(labels: Sequence[str]) -> tuple[list[float] | None, str]:
    """The place of each label by its number or its date (None if labels have no order), and the words for it."""
    numbers = [read_number(label) for label in labels]
    readings = read_dates(labels)
    if np.isfinite(numbers).all() and not readings:
        return numbers, "by their numbers"
    orders = _orders(readings)
    if len(orders) == 1:
        return [date.timestamp() for date in readings[0]], "by their dates"
    if len(orders) > 1:
        return None, f"dates such as {labels[0]!r} can be read as day and month or as month and day"
    parts = [re.split(r"(\d+)", label) for label in labels]
    if all(len(part) == 3 and part[::2] == parts[0][::2] for part in parts):
        return [float(part[1]) for part in parts], "by their numbers"
    return None, ""


def natural(label: str) -> tuple[list[tuple[str, int, str]], str]:
    """The key that sorts names of files: alphabetically, but digits as whole numbers, day 2 before day 10."""
    parts = [(word, digits.lstrip("0")) for word, digits in re.findall(r"(\D*)(\d*)", label)]
    return [(word, len(digits), digits) for word, digits in parts], label


def order_sessions(
    table: Table, dates: Sequence[str] | None, trials: np.ndarray | None, source: str, *, files: bool = False
) -> Table:
    """The table with the sessions of each subject in order, and a note that says what decided it.

    Args:
        table: in the order of its rows.
        dates: the date of every trial as text, or None.
        trials: the number of every trial, or None.
        source: what errors call the table.
        files: whether sessions are files, whose order is that of their names.
    """
    session: list[str] = table.session.tolist()
    told, rows = {}, []
    for subject in table.subjects:
        own = np.flatnonzero(table.subject == subject)
        when = _sessions_by_day(session, own.tolist(), dates)
        each = [session[n] for n in own.tolist()]
        labels = list(dict.fromkeys(each))
        place, how = _place(labels, when, files=files)
        if len(labels) > 1:
            told.setdefault(how, []).append(subject)
        mixed = sum(a != b for a, b in pairwise(each)) + 1 > len(labels)
        if mixed:
            _warn(f"{source}: the rows of the sessions of {subject} are interleaved; each session was put together.")
        if place != sorted(place) and not mixed:
            _warn(f"{source}: the sessions of {subject} are not in order in the rows; they were sorted {how}.")
        at = dict(zip(labels, place, strict=True))
        order = np.argsort([at[label] for label in each], kind="stable")
        rows.append(_order_trials(own[order], np.array(each)[order], trials, f"{source}: {subject}"))
    notes = [
        f"Sessions{'' if len(told) == 1 else ' of ' + ', '.join(who)} are ordered {how}." for how, who in told.items()
    ]
    found = replace(table, session=np.array(session), notes=tuple(notes))
    return take(found, np.concatenate(rows))


def _sessions_by_day(session: list[str], own: list[int], dates: Sequence[str] | None) -> dict[str, datetime] | None:
    """When each session began, if dates say so; a label that returns on other days is a session on each of them."""
    if dates is None:
        return None
    labels: list[str] = list(dict.fromkeys(dates[n] for n in own))
    readings = read_dates(labels)
    if len(_orders(readings)) != 1:
        if readings:
            _warn(
                f"dates such as {labels[0]!r} can be read as day and month or as month and day; the order of the rows "
                "is kept. Write dates as 2024-05-31."
            )
        return None
    date = dict(zip(labels, readings[0], strict=True))
    days: dict[str, set] = {}
    for n in own:
        days.setdefault(session[n], set()).add(date[dates[n]].date())
    # a session may last beyond midnight
    if any(len(on) > 1 and (max(on) - min(on)).days > 1 for on in days.values()):
        for n in own:
            session[n] = f"{date[dates[n]].date().isoformat()} {session[n]}"
    when: dict[str, datetime] = {}
    for n in own:
        when[session[n]] = min(when.get(session[n], datetime.max), date[dates[n]])
    return when


def _place(labels: list[str], when: dict[str, datetime] | None, *, files: bool) -> tuple[list[float], str]:
    """The place of each session, and what decided it."""
    rows = [float(n) for n in range(len(labels))]
    if when is not None:
        return [when[label].timestamp() for label in labels], "by the column of dates"
    place, how = rank(labels)
    if place is not None:
        return place, how
    if how:
        _warn(f"sessions: {how}; the order of the rows is kept. Write dates as 2024-05-31.")
    if not files:
        return rows, "as the rows are"
    dated = [ISO.search(label) for label in labels]
    known = all(dated) or len({re.sub(r"\d+", "#", label) for label in labels}) == 1
    if not known and len(labels) > 1:
        _warn(
            f"the names of the files ({labels[0]}, {labels[1]}, …) contain neither numbers nor dates: whether their "
            "alphabetical order is that of time is not known. Name them by date, or add a column date."
        )
    return rows, "by the names of their files"


def _order_trials(rows: np.ndarray, session: np.ndarray, trials: np.ndarray | None, source: str) -> np.ndarray:
    """Rows of one subject, whose sessions these are, with the trials of each in the order of their numbers."""
    if trials is None or not np.isfinite(trials[rows]).all():
        return rows
    change = np.flatnonzero(session[1:] != session[:-1]) + 1
    parts = [part[np.argsort(trials[part], kind="stable")] for part in np.split(rows, change)]
    found = np.concatenate(parts)
    if np.any(found != rows):
        _warn(f"{source}: trials are not in the order of their numbers; they were sorted.")
    return found


def _warn(words: str) -> None:
    warnings.warn(words, stacklevel=5)

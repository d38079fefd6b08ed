"""Progress of long work, shown only where somebody asked for it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from festina.checks import check
from festina.checks.optional import need

T = TypeVar("T")
_display: ContextVar[Any] = ContextVar("festina_progress", default=None)


@contextmanager
def shown(show: bool = True) -> Iterator[None]:
    """Show a progress bar on stderr for all work inside; inside another ``shown`` the outer bar is used."""
    if not check.flag("progress", show) or _display.get() is not None:
        yield
        return
    need("rich", "cli")
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TextColumn("· elapsed"), TimeElapsedColumn(), TextColumn("· left"), TimeRemainingColumn(),
    )  # fmt: skip
    console = Console(stderr=True)
    # where stderr is a file or a pipe, a bar would only leave an empty line
    seen = console.is_interactive or console.is_jupyter
    with Progress(*columns, console=console, transient=True, disable=not seen) as progress:
        token = _display.set(progress)
        try:
            yield
        finally:
            _display.reset(token)


def active() -> bool:
    """Whether progress is being shown."""
    return _display.get() is not None


def track(parts: Sequence[T], description: str) -> Iterator[T]:
    """Go through ``parts``; where progress is shown and there is more than one, as a bar."""
    if len(parts) < 2:
        yield from parts
        return
    with bar(len(parts), description) as move:
        for part in parts:
            yield part
            move(1)


@contextmanager
def bar(total: int | None, description: str, done: int = 0) -> Iterator[Callable[[int], None]]:
    """A progress bar of ``total`` parts, ``done`` of which are finished; yields a function that advances it.

    If None, the number of parts is unknown: the bar shows that something runs, and since when.
    """
    display = _display.get()
    if display is None:
        yield lambda parts: None
        return
    task = display.add_task(description, total=total, completed=done)
    try:
        yield lambda parts: display.advance(task, parts)
    finally:
        display.remove_task(task)

"""``festina sweep``: start a sweep, see where it stands, run again what failed.

The code that runs is named on the command line, always: a results folder is data and never decides what is executed.
"""

import importlib
import inspect
import math
import sys
import types
import typing
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from festina.checks import check
from festina.cli._main import COMMANDS, Application, Group
from festina.papers import find
from festina.sweeps import Dask, Slurm, Status, sweep, sweep_status

MAX_VALUES = 1_000_000
"""Values of one setting as FROM:TO:COUNT; every one is at least a file."""

Name = Annotated[
    str,
    typer.Argument(
        help="An experiment (festina list), the path of a .py file like one, or FILE.py:FUNCTION of your own."
    ),
]
Many = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=A,B,…|FROM:TO:COUNT[:log]", help="A setting to sweep over.")
]
Fixed = Annotated[
    list[str] | None,
    typer.Option(
        "--fix",
        metavar="NAME=VALUE",
        help='A setting for all runs: a value, a list A,B,…, or groups in quotes, "NAME=A,B;A,B;…".',
    ),
]
Seeds = Annotated[int | None, typer.Option(help="Number of seeds in all.")]
Block = Annotated[int | None, typer.Option(help="Seeds in one run; default: as the experiment has.")]
Out = Annotated[Path, typer.Option(help="Folder for the results; start again with the same one to go on.")]
Workers = Annotated[int | None, typer.Option(help="Processes on this machine; default: one per core.")]
Address = Annotated[str | None, typer.Option("--dask", metavar="ADDRESS", help="Scheduler of a Dask cluster.")]
Partition = Annotated[
    str | None,
    typer.Option(
        "--slurm",
        metavar="KEY=VALUE,…",
        help="Run as SLURM job arrays with these options of sbatch, such as partition=gpu,time=2:00:00; "
        "jobs=N at a time, chunk=N tasks in each.",
    ),
]
Quick = Annotated[bool, typer.Option("--quick", help="Small settings that run in seconds.")]
Again = Annotated[bool, typer.Option("--retry", help="Run again what failed before.")]


class _Named(Group):
    """A group in which the name of an experiment stands for ``run`` of it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The sub-command; ``run`` if the first word is not a sub-command."""
        return super().resolve_command(ctx, args if args[0] in self.commands else ["run", *args])


def sweep_app() -> Application:
    app = Application(cls=_Named, no_args_is_help=True, help=COMMANDS["sweep"])
    for name, command in (("run", _run), ("status", _status), ("retry", _retry)):
        app.command(name)(command)
    return app


def _run(
    name: Name,
    out: Out,
    set_: Many = None,
    fix: Fixed = None,
    seeds: Seeds = None,
    block: Block = None,
    workers: Workers = None,
    dask: Address = None,
    slurm: Partition = None,
    quick: Quick = False,
    retry: Again = False,
) -> None:
    """Sweep over settings and seeds; the word run may be left out. It can be interrupted and continued."""
    function = _locate(name, quick)
    kinds = _kinds(function)
    grid = {key: read_values(key, text, _kind(kinds, key)) for key, text in map(_pair, set_ or [])}
    fixed = {key: _fixed(key, text, _kind(kinds, key)) for key, text in map(_pair, fix or [])}
    experiment = getattr(function, "experiment", None)
    if experiment is not None:
        # settings that the experiment refuses are refused before anything is computed
        experiment.settings(quick=quick, **{k: v for k, v in fixed.items() if k in kinds})
    _sweep(function, grid, seeds, out=out, block=block, fixed=fixed, retry=retry, workers=workers,
           executor=_executor(dask, slurm, out))  # fmt: skip


def _status(path: Annotated[Path, typer.Argument(help="Folder of a sweep.")]) -> None:
    """Show what is done, what is running, and what failed and why. The exit code is 0 when all is done, otherwise 1."""
    _tell(sweep_status(path))


def _tell(status: Status) -> None:
    typer.echo(str(status))
    raise typer.Exit(0 if status.complete else 1)


def _retry(
    name: Name,
    path: Annotated[Path, typer.Argument(help="Folder of a sweep.")],
    workers: Workers = None,
    dask: Address = None,
    slurm: Partition = None,
) -> None:
    """Continue the sweep in a folder, and run failed calls again: festina sweep retry NAME FOLDER.

    Settings and seeds are those of the folder; the code is what NAME stands for, and must be that which began the
    sweep.
    """
    _sweep(_locate(name), None, None, out=path, retry=True, workers=workers, executor=_executor(dask, slurm, path))


def _sweep(function: Callable[..., object], *arguments: Any, executor: Executor | None, **named: Any) -> None:
    progress = True if sys.stderr.isatty() else lambda line: typer.echo(f"festina: {line}", err=True)
    try:
        status = sweep(function, *arguments, executor=executor, progress=progress, **named)
    except KeyboardInterrupt:
        typer.echo("festina: stopped; all that is finished is kept, start again to go on", err=True)
        raise typer.Exit(130) from None
    finally:
        if executor is not None:
            executor.shutdown(wait=False)
    _tell(status)


def _locate(name: str, quick: bool = False) -> Callable[..., Any]:
    """An experiment by name or file, or a function in a file of the user's."""
    file, colon, function = name.rpartition(":")
    if not colon or not file.endswith(".py"):
        return find(name).swept(quick)
    path = Path(file).resolve()
    if not path.is_file():
        raise ValueError(f"function is {name!r}: there is no file {file!r}.")
    if quick:
        raise ValueError(f"quick is given, but {function} is a function, which has no quick settings; leave it out.")
    # as Python does for a script: modules beside it can be imported
    sys.path.insert(0, str(path.parent))
    module = importlib.import_module(path.stem)
    if Path(getattr(module, "__file__", None) or "").resolve() != path:
        raise ValueError(f"function is {name!r}, but {path.stem} is another module of Python's; rename the file.")
    if not callable(getattr(module, function, None)):
        known = [
            key for key, value in vars(module).items() if inspect.isfunction(value) and value.__module__ == path.stem
        ]
        raise ValueError(f"function is {name!r}; the functions in {file} are: {', '.join(sorted(known)) or 'none'}.")
    return getattr(module, function)


def _executor(dask: str | None, slurm: str | None, out: Path) -> Executor | None:
    if dask is not None and slurm is not None:
        raise ValueError("dask and slurm are both given; choose one.")
    if dask is not None:
        return Dask(dask)
    if slurm is None:
        return None
    options: dict[str, Any] = dict(map(_pair, filter(None, slurm.split(","))))
    for name in ("jobs", "chunk"):
        if name in options:
            options[name] = read_word(name, options[name], int)
    return Slurm(out.with_name(f"{out.resolve().name}.slurm"), **options)


def read_values(name: str, text: str, hint: object) -> list[Any]:
    """Values as typed: ``1,2,3``, ``start:stop:count``, or ``start:stop:count:log`` for equal ratios."""
    if ":" not in text or _takes_words(hint):
        return [read_word(name, word, hint) for word in text.split(",") if word.strip()]
    parts = text.split(":")
    try:
        start, stop, count = _number(parts[0], float), _number(parts[1], float), _number(parts[2], int)
        if parts[3:] not in ([], ["log"]) or count < 1 or not math.isfinite(start) or not math.isfinite(stop):
            raise ValueError
        if parts[3:] and (start <= 0 or stop <= 0):
            raise ValueError
    except (ValueError, IndexError):
        raise ValueError(
            f"{name} is {text!r}; values are a,b,c or start:stop:count (ends included), with :log for equal ratios of "
            "numbers > 0."
        ) from None
    if count > MAX_VALUES:
        raise ValueError(f"{name} is {text!r}, which is {count} values; at most {MAX_VALUES} are allowed.")
    return [value.item() for value in (np.geomspace if parts[3:] else np.linspace)(start, stop, count)]


def read_word(name: str, word: str, hint: object) -> Any:
    """One typed word as a number, truth value or text, whichever the setting takes."""
    if hint is bool:
        check.known(name, word, ("true", "false"))
        return word == "true"
    if _takes_words(hint):
        return word
    if word == "none" and type(None) in _options(hint):
        return None
    for kind in (int, float):
        try:
            return _number(word, kind)
        except ValueError:
            continue
    if hint in (Any, inspect.Parameter.empty):
        return {"true": True, "false": False, "none": None}.get(word, word)
    raise ValueError(f"{name} is {word!r}; a number is needed.")


def _fixed(name: str, text: str, hint: object) -> Any:
    if _is_tuple(_inside(hint)):
        return tuple(_fixed(name, group, _inside(hint)) for group in text.split(";") if group.strip())
    if _is_tuple(hint):
        return tuple(read_word(name, word, _inside(hint)) for word in text.split(",") if word.strip())
    return read_word(name, text, hint)


def _kinds(function: Callable[..., object]) -> dict[str, Any]:
    """Type of each setting, by name."""
    hints = typing.get_type_hints(function) if inspect.isfunction(function) else {}
    return {k: hints.get(k, p.annotation) for k, p in inspect.signature(function).parameters.items()}


def _kind(kinds: Mapping[str, object], name: str) -> Any:
    if name in kinds:
        return kinds[name]
    return _inside(kinds[f"{name}s"]) if f"{name}s" in kinds else Any


def _options(hint: object) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)


def _is_tuple(hint: object) -> bool:
    return any(typing.get_origin(kind) is tuple for kind in _options(hint))


def _inside(hint: object) -> Any:
    return next((typing.get_args(kind)[0] for kind in _options(hint) if typing.get_origin(kind) is tuple), hint)


def _takes_words(hint: object) -> bool:
    inner = _options(_inside(hint))
    return str in inner or any(typing.get_origin(kind) is typing.Literal for kind in inner)


def _number(word: str, kind: type) -> Any:
    if "_" in word:
        # Python reads 1_0 as ten; a reader would not
        raise ValueError
    return kind(word)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise ValueError(f"option is {text!r}; NAME=VALUE is needed.")
    return name, value

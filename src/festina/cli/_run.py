"""``festina run`` and ``festina list``: made from what the experiments declare."""

import dataclasses
import inspect
import json
import shutil
import sys
import textwrap
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from festina.checks import check
from festina.cli._main import COMMANDS, Application, Group
from festina.methods import checkpoints
from festina.papers.chapters import CHAPTERS
from festina.papers.experiment import Experiment, Outcome, find, names
from festina.papers.format import duration, value
from festina.papers.settings import DataclassInstance, described, kinds
from festina.papers.table import counts, record, row, split_caption, summary
from festina.runtime import program

COLOURS = {"holds": "green", "fails": "red", "open": "yellow"}
WIDEST = 100
"""Columns of a list in a wide terminal; longer lines are hard to read."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

MOST = 125
"""Exit codes above have a meaning of their own."""


class RunGroup(Group):
    """A command per experiment, by name or by the path of a file; only the one that is asked for is imported."""

    def list_commands(self, ctx: object) -> list[str]:
        return names()

    def get_command(self, ctx: object, cmd_name: str) -> Any:
        """The command as the list of all shows it: with its question."""
        return _single(cmd_name, find(cmd_name).question, lambda: None)

    def resolve_command(self, ctx: object, args: list[str]) -> Any:
        """The command that was asked for; an unknown name lists the known ones."""
        experiment = find(args[0])
        experiment.check()
        # lines as wide as the terminal, not as the source
        paragraphs = (" ".join(each.split()) for each in experiment.doc.split("\n\n"))
        return args[0], _single(args[0], "\n\n".join(paragraphs), _command(experiment)), args[1:]


def run_app() -> Application:
    return Application(cls=RunGroup, no_args_is_help=True, help=COMMANDS["run"])


def list_experiments() -> None:
    """List the experiments, chapter by chapter: a name and the question it answers."""
    width, columns = max(map(len, names())), min(WIDEST, shutil.get_terminal_size().columns)
    for part in CHAPTERS:
        typer.echo(typer.style(part.title, bold=True))
        for name in part.names:
            lead, rest = f"  {name:<{width}}  ", " " * (width + 4)
            typer.echo(textwrap.fill(find(name).question, columns, initial_indent=lead, subsequent_indent=rest))
    # next to the list, so that readers of the list read nothing else
    typer.echo("\nRun one with festina run NAME --quick, all of them with festina report --quick.", err=True)


def _single(name: str, text: str, function: Callable[..., None]) -> Any:
    app = Application(add_completion=False, pretty_exceptions_enable=False)
    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    app.command(name, help=text, context_settings=settings)(function)
    return typer.main.get_command(app)


def _command(experiment: Experiment) -> Callable[..., None]:
    """The sub-command of an experiment: one option per setting, with its type, default, unit and range."""
    module = experiment.module
    quick, told, hints = module.quick, described(module.Settings), kinds(module.Settings)
    parameters = [inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    for item in dataclasses.fields(module.Settings):
        flag, allowed = item.name.replace("_", "-"), told[item.name].range
        text = f"{told[item.name]} ({allowed + '; ' if allowed else ''}default {value(item.default)}"
        text += f"; quick {value(getattr(quick, item.name))})"
        annotation: Any = hints[item.name] | None
        if typing.get_origin(hints[item.name]) is tuple:
            parser, shape = _parser(hints[item.name]), _metavar(hints[item.name])
            if _is_grouped(hints[item.name]):
                typed = _typed(getattr(module.Settings(), item.name))
                text += f'. Groups are separated by semicolons and put in quotes: --{flag} "{typed}"'
            annotation, option = Any, typer.Option(f"--{flag}", help=text, parser=parser, metavar=shape)
        elif hints[item.name] is bool:
            option = typer.Option(f"--{flag}/--no-{flag}", help=text)
        else:
            option = typer.Option(f"--{flag}", help=text)
        parameters.append(_parameter(item.name, Annotated[annotation, option], None))
    fixed: dict[str, tuple[type, Any, str]] = {
        "out": (Path, Path("out"), "Folder for the figure (PNG, SVG, PDF), its numbers (CSV) and the JSON."),
        "quick": (bool, False, "Small settings that run in seconds."),
        "json": (bool, False, "Print settings, claims, values and curves as JSON on stdout, and nothing else there."),
        "fresh": (bool, False, "Start again instead of continuing a run that was stopped."),
    }
    for name, (kind, default, text) in fixed.items():
        option = typer.Option(f"--{name}", help=text)
        parameters.append(_parameter(name, Annotated[kind, option], default))

    def command(ctx: typer.Context, **chosen: Any) -> None:
        if ctx.args:
            known = [name.replace("_", "-") for name in (*told, *fixed, "help")]
            check.known(f"setting of {experiment.name}", ctx.args[0].removeprefix("--").split("=")[0], known)
        out, small, as_json, fresh = (chosen.pop(name) for name in fixed)
        settings = experiment.settings(quick=small, **{k: v for k, v in chosen.items() if v is not None})
        with program.running_briefly(small):
            _run(experiment, settings, out, as_json, fresh)

    command.__name__ = experiment.name
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def _parameter(name: str, annotation: object, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _run(experiment: Experiment, settings: DataclassInstance, out: Path, as_json: bool, fresh: bool) -> None:
    check.folder("out", out)
    kept = out / f"{experiment.name}.checkpoints"
    if fresh:
        shutil.rmtree(kept, ignore_errors=True)
    if kept.exists():
        typer.echo(f"continuing the run that was stopped, from {kept} (--fresh starts again)", err=True)
    typer.echo(f"{experiment.name}: {experiment.question}", err=True)
    try:
        with checkpoints(kept) as stored:
            outcome = experiment.run(settings, progress=sys.stderr.isatty())
            paths = outcome.save(out)
            stored.remove()
    except KeyboardInterrupt:
        typer.echo(
            f"festina: stopped; what was trained is kept in {kept}: the same command continues, --fresh starts again",
            err=True,
        )
        raise typer.Exit(INTERRUPTED) from None
    typer.echo(json.dumps(outcome.to_json(panels=True))) if as_json else show(outcome)
    typer.echo("wrote " + ", ".join(map(str, paths)), err=True)
    raise typer.Exit(min(outcome.contradictions, MOST))


def _parser(kind: Callable[..., object]) -> Callable[[str], tuple[Any, ...]]:
    """A parser of ``1,2,3`` into a tuple of type ``kind``, or of ``1,2;3,4`` into a tuple of tuples."""

    def read(text: str, kind: Callable[..., object]) -> Any:
        if typing.get_origin(kind) is not tuple:
            return kind(text)
        words = [word for word in text.split(";" if _is_grouped(kind) else ",") if word.strip()]
        return tuple(read(word, inner) for word, inner in zip(words, _parts(kind, len(words)), strict=True))

    def parse(text: object) -> tuple[Any, ...]:
        if isinstance(text, tuple):
            return text
        try:
            return read(str(text), kind)
        except ValueError:
            if _is_grouped(kind):
                needed = f'written as "{_metavar(kind)}": numbers separated by commas, groups by semicolons'
            else:
                needed = f"a list of {typing.get_args(kind)[0].__name__} such as 1,2,3"
            raise typer.BadParameter(f"{text!r} is not {needed}") from None

    return parse


def _is_grouped(kind: object) -> bool:
    return typing.get_origin(typing.get_args(kind)[0]) is tuple


def _parts(kind: object, count: int) -> tuple[Any, ...]:
    """Types of the parts of a tuple, of ``count`` parts where any number is allowed."""
    inside = typing.get_args(kind)
    return inside[:1] * count if Ellipsis in inside else inside


def _metavar(kind: object) -> str:
    """How a tuple is typed: ``A,B,…``, or for a tuple of tuples ``A,B,C;A,B,C;…``."""
    inside = typing.get_args(kind)
    if _is_grouped(kind):
        one = _metavar(inside[0])
        return f"{one};{one};…" if Ellipsis in inside else ";".join([one] * len(inside))
    return "A,B,…" if Ellipsis in inside else ",".join("ABCDEFGH"[: len(inside)])


def _typed(groups: tuple[tuple[object, ...], ...]) -> str:
    return ";".join(",".join(map(str, group)) for group in groups)


def show(outcome: Outcome) -> None:
    """Print the answer, the verdicts on the claims, the settings, the time, and a next step."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    experiment = outcome.experiment
    records = [record(v, c, outcome.settings) for v, c in zip(outcome.verdicts, experiment.claims, strict=True)]
    console = Console()
    if not console.is_terminal:  # there it was said when the run began
        console.print(experiment.question, highlight=False, markup=False)
    console.print(split_caption(experiment.module.caption)[0], style="bold", highlight=False, markup=False)
    console.print()
    for found in records:
        cells, colour = row(found), COLOURS[found["status"]]
        head = Text.assemble((cells.verdict, f"bold {colour}"), f"  {cells.measured}  ({cells.bound})")
        if cells.expected:
            head.append(f"  {cells.expected}", "bold red")
        console.print(head, highlight=False)
        console.print(Padding(Text(cells.claim), (0, 0, 1, 2)), highlight=False)
    console.print(summary(counts(records)), highlight=False)
    settings = ", ".join(f"{k} = {value(v)}" for k, v in dataclasses.asdict(outcome.settings).items())
    took = f"time: {duration(outcome.seconds)} to compute and decide, {duration(outcome.processor)} of processor"
    console.print(f"settings: {settings}\n{took}", highlight=False, markup=False)
    if experiment.file:
        following = f"festina report --only {experiment.file} makes a page of it."
    else:
        following = (
            f"festina run {experiment.name} --help lists its settings, festina cite {experiment.name} its sources."
        )
    console.print(f"next: {following}", highlight=False, markup=False)

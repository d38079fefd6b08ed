"""The command line: the library's functions, with nothing of its own but words and tables."""

import dataclasses
import inspect
import json
import shutil
import sys
import typing
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from festina import _check, _explain_cli
from festina._sweep_cli import sweep_app
from festina.methods import checkpoints
from festina.page import Server
from festina.page import PORT
from festina.papers import Experiment, Outcome, find, names
from festina.papers.report._cli import report_command

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Predict how a neural network will learn, explain why, and check it against the network itself.",
)

app.add_typer(sweep_app(), name="sweep")
app.command("explain")(_explain_cli.explain)
app.command("report")(report_command)

RESERVED = ("out", "quick", "json", "fresh", "help")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; errors of the library become one line on stderr and exit code 64."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        _add_run(words)
        app(_explain_cli.spread(words) if words[:1] == ["explain"] else words, prog_name="festina")
    except (ValueError, OSError, RuntimeError) as error:
        typer.echo(f"festina: {error}", err=True)
        raise SystemExit(64) from None


@app.command("list")
def list_experiments() -> None:
    """List the experiments: a name and the question it answers."""
    width = max(map(len, names()))
    for name in names():
        typer.echo(f"{name:<{width}}  {find(name).question}")


@app.command()
def cite(name: Annotated[str, typer.Argument(help="An experiment, or the key of a source.")]) -> None:
    """Print the BibTeX entries of what an experiment used."""
    from festina._reference import entries

    known = entries()
    if name in known:
        typer.echo(known[name])
        return
    _check.known("name", name, [*names(), *known])
    typer.echo("\n\n".join(known[key] for key in find(name).citations))


@app.command()
def explore(
    port: Annotated[int, typer.Option(help="Port to serve the page on; 0 for any that is free.")] = PORT,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Look into how networks learn: five rooms in the browser, served on this machine only."""
    import webbrowser

    with Server(port) as server:
        typer.echo(f"The page is at {server.url} ; Ctrl-C ends.")
        if show and not webbrowser.open(server.url):
            typer.echo("No browser could be started; open the address in one.")
        try:
            server.wait()
        except KeyboardInterrupt:
            typer.echo("Goodbye.")


def _add_run(words: Sequence[str]) -> None:
    """One sub-command per experiment; only the one that is asked for is imported."""
    runner = typer.Typer(no_args_is_help=True, help="Run an experiment: figure, values, and a verdict on every claim.")
    asked = next((word for word in words[1:] if not word.startswith("-")), None) if words[:1] == ["run"] else None
    if asked is not None:
        known = [name.replace("_", "-") for name in (*find(asked).fields(), *RESERVED)]
        for word in words[2:]:
            if word.startswith("--"):
                _check.known(f"setting of {asked}", word[2:].split("=")[0].removeprefix("no-"), known)
    for name in names():
        experiment = find(name)
        if name == asked:
            runner.command(name, help=experiment.doc)(_command(experiment))
        else:
            runner.command(name, help=experiment.question)(_unread)
    app.registered_groups = [group for group in app.registered_groups if group.name != "run"]
    app.add_typer(runner, name="run")


def _unread() -> None:
    """Stands for an experiment that was not asked for."""


def _command(experiment: Experiment) -> Callable[..., None]:
    """The sub-command of an experiment: one option per setting, with its type, default and comment."""
    quick = experiment.module.quick
    parameters = []
    hints = typing.get_type_hints(experiment.module.Settings)
    for name, (item, comment) in experiment.fields().items():
        flag = name.replace("_", "-")
        text = f"{comment} (default {_word(item.default)}; quick {_word(getattr(quick, name))})"
        annotation: Any = hints[name] | None
        if typing.get_origin(hints[name]) is tuple:
            parser = _listing(typing.get_args(hints[name])[0])
            annotation, option = Any, typer.Option(f"--{flag}", help=text, parser=parser, metavar="A,B,…")
        elif hints[name] is bool:
            option = typer.Option(f"--{flag}/--no-{flag}", help=text)
        else:
            option = typer.Option(f"--{flag}", help=text)
        annotation = Annotated[annotation, option]
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
    fixed = {
        "out": (Path, Path("out"), "Folder for the figure (PNG, SVG) and the JSON."),
        "quick": (bool, False, "Small settings that run in seconds."),
        "json": (bool, False, "Print settings, claims and values as JSON on stdout, and nothing else there."),
        "fresh": (bool, False, "Do not go on where a run that was stopped left off: begin anew."),
    }
    for name, (kind, default, text) in fixed.items():
        option = typer.Option(f"--{name}", help=text)
        parameters.append(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])
        )

    def command(**chosen: Any) -> None:
        out, small, as_json, fresh = (chosen.pop(name) for name in fixed)
        settings = experiment.settings(quick=small, **{k: v for k, v in chosen.items() if v is not None})
        _make(out)
        part = out / f"{experiment.name}.part"
        if fresh:
            shutil.rmtree(part, ignore_errors=True)
        if part.exists():
            typer.echo(f"going on where a run that was stopped left off, as kept in {part} (or --fresh)", err=True)
        with checkpoints(part) as kept:
            outcome = experiment.run(settings, progress=sys.stderr.isatty())
            paths = outcome.save(out)
            kept.remove()
        if as_json:
            typer.echo(json.dumps(outcome.to_json()))
        else:
            show(outcome)
        typer.echo("wrote " + ", ".join(map(str, paths)), err=True)
        raise typer.Exit(min(outcome.surprises, 125))

    command.__name__ = experiment.name
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def _make(out: Path) -> None:
    """Make the folder before anything is computed for it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"out is {str(out)!r}, which cannot be made a folder ({error.strerror}); give another, as --out DIR."
        ) from None


def _word(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _listing(kind: type) -> Callable[[str], tuple[Any, ...]]:
    """A parser of ``1,2,3`` into a tuple of ``kind``."""

    def parse(text: Any) -> tuple[Any, ...]:
        if isinstance(text, tuple):
            return text
        try:
            return tuple(kind(part) for part in str(text).split(",") if part.strip())
        except ValueError:
            raise typer.BadParameter(f"{text!r} is not a list of {kind.__name__} such as 1,2,3") from None

    parse.__name__ = f"list of {kind.__name__}"
    return parse


def show(outcome: Outcome) -> None:
    """Print the claims as a table, and what was measured."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{outcome.experiment.name}: {outcome.experiment.question}", title_justify="left")
    for column in ("claim", "measured", "bound", "verdict", "we stand by"):
        table.add_column(column, justify="right" if column in ("measured", "bound") else "left", overflow="fold")
    for verdict in outcome.verdicts:
        error = f" ± {verdict.error:.2g}" if verdict.error else ""
        mark = "[bold red]" if verdict.surprising else ""
        table.add_row(
            verdict.statement, f"{verdict.measured:.4g}{error}", f"{verdict.relation} {verdict.bound:.4g}",
            f"{mark}{verdict.status}", verdict.stands,
        )  # fmt: skip
    console = Console()
    console.print(table)
    settings = ", ".join(f"{k}={_word(v)}" for k, v in dataclasses.asdict(outcome.settings).items())
    console.print(f"settings: {settings}", highlight=False)
    console.print(f"{outcome.seconds:.1f} s", highlight=False)

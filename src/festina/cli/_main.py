"""The command line: its help, and how errors become one line. A command's code is imported when it is called."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

COMMANDS = {
    "predict": "Predict what a network will learn from your table, in which order and when.",
    "explore": "Explore in the browser how networks learn, topic by topic, served on this machine only.",
    "list": "List the experiments, chapter by chapter: a name and the question it answers.",
    "run": "Run an experiment (a name from festina list, or FILE.py): figure, values, a verdict on every claim.",
    "report": "Run every experiment and write one page: figures, claims with their numbers and verdicts, errata.",
    "theories": "List the theories that apply to a network on your data: measured assumptions and expected errors.",
    "explain": "Explain your own network: its modules, what each is for, and how well they imitate it.",
    "fit-behaviour": "Fit models of learning to the animals of a table: a report, tables, figures and methods in one "
    "folder.",
    "sweep": "Run an experiment, or your own function, at many settings and seeds: festina sweep NAME --set "
    "a=0:3:61 --seeds 100 --out DIR.",
    "cite": "Print the BibTeX entries of the sources of an experiment.",
    "completion": "Print the script that completes commands, experiments and options in a shell.",
}
"""Commands in the order of the help, which shows what a newcomer needs first, and the first line of each."""


class _Flags:
    """A flag takes no value, so that the help shows no type for it."""

    def get_params(self, ctx: object) -> list[Any]:
        found = super().get_params(ctx)  # type: ignore[misc]
        for each in found:
            if getattr(each, "is_flag", False):
                each.metavar = ""
        return found


class Command(_Flags, TyperCommand):
    """A command."""


class Group(_Flags, TyperGroup):
    """A group of commands."""


class Application(typer.Typer):
    """A group, or a single command, as every part of the command line is."""

    def command(self, name: str | None = None, **settings: Any) -> Any:
        return super().command(name, cls=Command, **settings)


class Commands(Group):
    """Commands by name; only the one that is called imports the library."""

    def list_commands(self, ctx: object) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: object, cmd_name: str) -> Any:
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called; an unknown one is answered with the nearest and the list of all."""
        from festina.checks import check
        from festina.cli import _commands

        if not args[0].startswith("-"):
            check.known("command", args[0], COMMANDS)

        return typer.main.get_group(_commands.app).resolve_command(ctx, args)


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; errors of the library become one line on stderr and exit code 64."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words[:1] == ["explain"]:
            from festina.cli._commands import spread

            words = spread(words)
        app(words, prog_name="festina")
    except (ValueError, OSError, RuntimeError, ImportError) as error:
        typer.echo(f"festina: {error}", err=True)
        raise SystemExit(64) from None


def _version(asked: bool | None) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"festina {version('festina')}")
        raise typer.Exit


@app.callback()
def about(
    asked: Annotated[
        bool | None,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop."),
    ] = None,
) -> None:
    """Predict how a neural network will learn, explain why, and check it against the network itself."""

"""``festina report``: run everything, write the page."""

import json
from pathlib import Path
from typing import Annotated

import typer

from festina.papers.report.run import report
from festina.runtime import cores

MOST = 8
"""Experiments at a time unless said otherwise: each process holds JAX, about half a gigabyte."""


def report_command(
    out: Annotated[Path, typer.Option(help="Folder for report.html and report.json.")] = Path("out"),
    quick: Annotated[bool, typer.Option("--quick", help="Small settings that run in seconds.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON on stdout, and nothing else there.")
    ] = False,
    only: Annotated[
        str | None, typer.Option(metavar="NAME,…", help="Only these experiments or files; errata selects the errata.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Repeat finished experiments.")] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, show_default="one for each core, at most 8", help="Number of experiments that run at the same time."
        ),
    ] = None,
) -> None:
    """Run every experiment and write one page: figures, claims with their numbers and verdicts, errata.

    It can be interrupted and continued: finished experiments are not repeated. The exit code is the number of
    unexpected verdicts, failed experiments and errata that were not shown.
    """
    names = None if only is None else [name.strip() for name in only.split(",") if name.strip()]
    try:
        found = report(out, quick, names, progress=True, fresh=fresh, jobs=jobs or min(cores(), MOST))
    except KeyboardInterrupt:
        typer.echo("festina: stopped; all that is finished is kept, start again to go on", err=True)
        raise typer.Exit(130) from None
    typer.echo(json.dumps(found.metadata, ensure_ascii=False) if as_json else str(found))
    raise typer.Exit(min(found.unexpected, 125))

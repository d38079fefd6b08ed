"""``festina sweep``: start, look, try again."""

import sys
from concurrent.futures import Executor
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from festina.sweep._axis import read_values, read_word
from festina.sweep._dask import Dask
from festina.sweep._experiment import hints, locate
from festina.sweep._run import sweep
from festina.sweep._slurm import Slurm
from festina.sweep._status import Status, sweep_status
from festina.sweep._store import Store

Many = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=A,B,…|FROM:TO:COUNT[:log]", help="A setting to sweep over.")
]
Fixed = Annotated[list[str] | None, typer.Option("--fix", metavar="NAME=VALUE", help="A setting for all runs.")]
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


class _Named(TyperGroup):
    """A group in which the name of an experiment stands for ``run`` of it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The sub-command, or ``run`` where the first word is none."""
        return super().resolve_command(ctx, args if args[0] in self.commands else ["run", *args])


def sweep_app() -> typer.Typer:
    """The sub-commands of ``festina sweep``."""
    app = typer.Typer(
        cls=_Named,
        no_args_is_help=True,
        help="Run an experiment at many settings and seeds: festina sweep NAME --set a=0:3:61 --seeds 100 --out DIR.",
    )
    app.command("run")(_run)
    app.command("status")(_status)
    app.command("retry")(_retry)
    return app


def _run(
    name: Annotated[str, typer.Argument(help="An experiment (festina list), or the path of a .py file like one.")],
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
    """Sweep over settings and seeds; the word run may be left out. Stop it anywhere, start it again to go on."""
    kinds = hints(locate(name))
    grid = {key: read_values(key, text, _kind(kinds, key)) for key, text in map(_pair, set_ or [])}
    fixed = {}
    for key, text in map(_pair, fix or []):
        kind = _kind(kinds, key)
        words = [read_word(key, word, kind) for word in text.split(",")] if "tuple" in str(kind) else None
        fixed[key] = read_word(key, text, kind) if words is None else words
    executor = _executor(dask, slurm, out)
    _tell(name, grid, seeds, out=out, block=block, fixed=fixed, quick=quick, retry=retry, workers=workers,
          executor=executor)  # fmt: skip


def _status(path: Annotated[Path, typer.Argument(help="Folder of a sweep.")]) -> None:
    """Say what is done, running, failed and why; the exit code is 0 when all is done, else 1."""
    status = sweep_status(path)
    typer.echo(str(status))
    raise typer.Exit(0 if status.complete else 1)


def _retry(
    path: Annotated[Path, typer.Argument(help="Folder of a sweep.")],
    workers: Workers = None,
    dask: Address = None,
    slurm: Partition = None,
) -> None:
    """Go on with the sweep in a folder, and run again what failed."""
    plan = Store(path).read_plan()
    if plan.file:
        # a folder may come from anywhere, and what it says must not choose the code that is run
        raise ValueError(
            f"path is {str(path)!r}, a sweep of a file of your own; name it: festina sweep FILE … --retry."
        )
    grid = {axis.name: list(axis.values) for axis in plan.axes}
    kept = {k: v for k, v in plan.base.items() if k not in {axis.field for axis in plan.axes}}
    seeds = plan.seeds
    _tell(plan.experiment, grid, seeds and seeds.count, out=path, block=seeds and seeds.block, fixed=kept,
          quick=plan.quick, retry=True, workers=workers, executor=_executor(dask, slurm, path))  # fmt: skip


def _tell(*arguments: Any, executor: Executor | None, **named: Any) -> None:
    try:
        status: Status = sweep(*arguments, executor=executor, progress=sys.stderr.isatty(), **named)
    except RuntimeError as error:
        typer.echo(f"festina: {error}", err=True)
        raise typer.Exit(64) from None
    except KeyboardInterrupt:
        typer.echo("festina: stopped; all that is finished is kept, start again to go on", err=True)
        raise typer.Exit(130) from None
    finally:
        if executor is not None:
            executor.shutdown(wait=False)
    typer.echo(str(status))
    raise typer.Exit(0 if status.complete else 1)


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


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise ValueError(f"option is {text!r}; NAME=VALUE is needed.")
    return name, value


def _kind(kinds: dict[str, Any], name: str) -> Any:
    return kinds.get(name, kinds.get(f"{name}s", float))

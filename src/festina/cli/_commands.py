"""Every command of the command line, with the code that it runs."""

from pathlib import Path
from typing import Annotated

import typer

from festina.checks import check
from festina.cli._behaviour import fit_behaviour
from festina.cli._explain import explain
from festina.cli._predict import predict
from festina.cli._report import report_command
from festina.cli._run import Application, Group, list_experiments, run_app
from festina.cli._sweep import sweep_app
from festina.page import Server
from festina.papers import find, names

app = Application(cls=Group)

app.add_typer(run_app(), name="run")
app.add_typer(sweep_app(), name="sweep")
app.command("list")(list_experiments)
app.command()(predict)
app.command()(explain)
app.command()(fit_behaviour)
app.command("report")(report_command)


@app.command()
def completion(shell: Annotated[str, typer.Argument(help="bash, zsh or fish.")]) -> None:
    """Print the script that completes commands, experiments and options in a shell.

    For bash: festina completion bash > ~/.local/share/bash-completion/completions/festina
    """
    from typer.completion import get_completion_script  # pyright: ignore[reportPrivateImportUsage]

    check.known("shell", shell, ("bash", "zsh", "fish"))
    typer.echo(get_completion_script(prog_name="festina", complete_var="_FESTINA_COMPLETE", shell=shell))


@app.command()
def cite(name: Annotated[str, typer.Argument(help="An experiment, the key of a source, or festina itself.")]) -> None:
    """Print the BibTeX entries of the sources of an experiment."""
    from festina.papers.references import entries, own_entry

    known = {**entries(), "festina": own_entry()}
    if name in known:
        typer.echo(known[name])
        return
    check.known("name", name, [*names(), *known])
    typer.echo("\n\n".join(known[key] for key in find(name).citations))


@app.command()
def theories(
    data: Annotated[
        Path,
        typer.Argument(
            help="A .npz file with x (points, inputs) and, unless --labels are the targets, y (points, outputs) or "
            "class labels (points,): whole numbers or words."
        ),
    ],
    hidden: Annotated[str, typer.Option(metavar="A,B,…", help="Widths of the hidden layers, from input to output.")],
    labels: Annotated[
        Path | None, typer.Option(help="A CSV file with the class of one data point per line, if the data hold no y.")
    ] = None,
    network: Annotated[str, typer.Option(help="linear or relu.")] = "linear",
    std: Annotated[float, typer.Option(help="Standard deviation of the random initial weights.")] = 0.01,
    seed: Annotated[int, typer.Option(help="Seed of the initial weights that assumptions are measured on.")] = 0,
) -> None:
    """List the theories that apply to a network on your data: measured assumptions and expected errors."""
    import festina as fs
    from festina.storage.array_file import read_data

    kinds = {"linear": fs.DeepLinear, "relu": fs.ReLU}
    try:
        widths = tuple(int(part) for part in hidden.split(",") if part.strip())
    except ValueError:
        raise ValueError(f"hidden is {hidden!r}; whole numbers are needed, such as --hidden 32 or 64,32.") from None
    x, y = read_data(data, labels)
    chosen = kinds[check.known("network", network, kinds)](widths, initial=fs.initial.Gaussian(std))
    # a vector of whole numbers or words names classes, as for festina explain
    classes = y.ndim == 1 and y.dtype.kind in "iuUS"
    task = fs.Task(x, labels=y, name=data.name) if classes else fs.Task(x, y, name=data.name)
    typer.echo(str(fs.theories(chosen, task, seed=seed)))


@app.command()
def explore(
    port: Annotated[int, typer.Option(help="Port to serve the page on; 0 for any that is free.")] = Server.PORT,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Explore in the browser how networks learn, topic by topic, served on this machine only."""
    import webbrowser

    with Server(port) as server:
        try:
            typer.echo(f"The page is at {server.url} ; Ctrl-C ends.")
            if show and not webbrowser.open(server.url):
                typer.echo("No browser could be started; open the address in one.")
            server.wait()
        except KeyboardInterrupt:
            typer.echo("Goodbye.")

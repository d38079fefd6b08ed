"""Every command of the command line, with the code that it runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

import festina as fs
from festina.checks import check
from festina.cli._behaviour import fit_behaviour
from festina.cli._main import COMMANDS, Application, Group
from festina.cli._predict import predict
from festina.cli._run import list_experiments, run_app
from festina.cli._sweep import sweep_app
from festina.page import Server
from festina.papers import find, names
from festina.papers.report.run import report
from festina.runtime import cores

MANY = ("--checkpoints",)
"""Options that take all words up to the next option."""


def spread(words: Sequence[str]) -> list[str]:
    """``--checkpoints A B`` as ``--checkpoints A --checkpoints B``, which is how options repeat."""
    found: list[str] = []
    current = None
    for word in words:
        current = word if word in MANY else None if word.startswith("-") else current
        # the option itself is written before each of its words
        repeated = current is not None and word != current and found[-1] != current
        found += [current, word] if repeated and current is not None else [word]
    return found


def explain(
    weights: Annotated[Path, typer.Argument(help="Weights of a network: a .npz or .safetensors file.")],
    data: Annotated[Path, typer.Option(help="A .npz file with x (points, inputs) and, unless --labels are the "
                                            "targets, y (points, outputs) or class labels (points,).")],
    checkpoints: Annotated[
        list[Path] | None, typer.Option(help="Weights earlier in training, first to last: --checkpoints A B …")
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(help="A CSV file with the class of one data point per line, if the data hold no y: class numbers, "
                          "or words in the order of --output-names or of the alphabet."),
    ] = None,
    groups: Annotated[
        Path | None,
        typer.Option(help="A CSV file with the group of one data point per line, by which modules are described; "
                          "otherwise by their classes."),
    ] = None,
    image: Annotated[str | None, typer.Option(help="Shape of inputs that are images: 28x28, or 3x32x32.")] = None,
    modules: Annotated[str, typer.Option(help="Modules per hidden layer: a number, or auto.")] = "auto",
    max_modules: Annotated[int, typer.Option(help="Largest number of modules that auto tries.")] = 8,
    tolerance: Annotated[
        float, typer.Option(help="Fraction of the linear map's error that modules with shared gates may miss.")
    ] = 0.02,
    feature_names: Annotated[
        Path | None, typer.Option(help="A text file with the name of one input per line.")
    ] = None,
    output_names: Annotated[
        Path | None, typer.Option(help="A text file with the name of one output per line.")
    ] = None,
    loss: Annotated[str, typer.Option(help="auto, squared, cross_entropy or binary.")] = "auto",
    activation: Annotated[str, typer.Option(help="relu, leaky_relu, gelu or silu; the file does not say.")] = "relu",
    steps: Annotated[
        str | None, typer.Option(help="Training steps of the checkpoints and, last, of the weights: 0,100,…")
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="Step size of full-batch gradient descent, to predict modules for comparison.")
    ] = None,
    sample: Annotated[int, typer.Option(help="Largest number of data points to analyse.")] = 6000,
    restarts: Annotated[int, typer.Option(help="Random starts of the search for modules.")] = 3,
    rivals: Annotated[
        bool, typer.Option("--rivals/--no-rivals", help="Also report other groupings of the units.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the sample, the halves and the starts.")] = 0,
    progress: Annotated[bool, typer.Option("--progress/--no-progress", help="Show a progress bar.")] = True,
    out: Annotated[Path, typer.Option(help="Folder for explanation.html and explanation.json.")] = Path("out"),
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON on stdout.")] = False,
) -> None:  # fmt: skip
    from festina.storage.array_file import read_data, read_labels

    outputs = _names("output_names", output_names)
    x, y = read_data(data, labels)
    sides = () if image is None else image.lower().split("x")
    shape = tuple(_typed("image", side, int, "a whole number is needed") for side in sides) or None
    words = () if steps is None else steps.split(",")
    times = [_typed("steps", word, float, "numbers separated by commas are needed") for word in words] or None
    found = fs.explain(
        str(weights), x, y, [str(path) for path in checkpoints or ()],
        modules=modules if modules == "auto" else _typed("modules", modules, int, "a whole number is needed"),
        max_modules=max_modules, tolerance=tolerance,
        groups=None if groups is None else read_labels(groups, len(x), "groups"),
        feature_names=_names("feature_names", feature_names),
        output_names=outputs, image_shape=shape, loss=loss, activation=activation, steps=times, rate=rate,
        sample=sample, restarts=restarts, rivals=rivals, seed=seed, progress=progress,
    )  # fmt: skip
    check.folder("out", out)
    paths = [found.save_html(out / "explanation.html"), found.save_json(out / "explanation.json")]
    typer.echo(json.dumps(found.to_json()) if as_json else str(found))
    typer.echo("wrote " + ", ".join(map(str, paths)), err=True)


def _names(name: str, path: Path | None) -> list[str] | None:
    if path is None:
        return None
    if not path.is_file():
        raise ValueError(f"{name} is {str(path)!r}: there is no such file; give a text file with one name per line.")
    try:
        return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is {str(path)!r}, which is not text in UTF-8 ({error}).") from None


def _typed(name: str, text: str, kind: Callable[[str], object], needed: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{name} is {text!r}; {needed}.") from None


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


def completion(shell: Annotated[str, typer.Argument(help="bash, zsh or fish.")]) -> None:
    """Print the script that completes commands, experiments and options in a shell.

    For bash: festina completion bash > ~/.local/share/bash-completion/completions/festina
    """
    from typer.completion import get_completion_script  # pyright: ignore[reportPrivateImportUsage]

    check.known("shell", shell, ("bash", "zsh", "fish"))
    typer.echo(get_completion_script(prog_name="festina", complete_var="_FESTINA_COMPLETE", shell=shell))


def cite(name: Annotated[str, typer.Argument(help="An experiment, the key of a source, or festina itself.")]) -> None:
    from festina.papers.references import entries, own_entry

    known = {**entries(), "festina": own_entry()}
    if name in known:
        typer.echo(known[name])
        return
    check.known("name", name, [*names(), *known])
    typer.echo("\n\n".join(known[key] for key in find(name).citations))


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
    from festina.storage.array_file import read_data

    kinds = {"linear": fs.DeepLinear, "relu": fs.ReLU}
    needed = "whole numbers are needed, such as --hidden 32 or 64,32"
    widths = _typed("hidden", hidden, lambda text: tuple(int(part) for part in text.split(",") if part.strip()), needed)
    x, y = read_data(data, labels)
    chosen = kinds[check.known("network", network, kinds)](widths, initial=fs.initial.Gaussian(std))
    # a vector of whole numbers or words names classes, as for festina explain
    classes = y.ndim == 1 and y.dtype.kind in "iuUS"
    task = fs.Task(x, labels=y, name=data.name) if classes else fs.Task(x, y, name=data.name)
    typer.echo(str(fs.theories(chosen, task, seed=seed)))


def explore(
    port: Annotated[int, typer.Option(help="Port to serve the page on; 0 for any that is free.")] = Server.PORT,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    import webbrowser

    with Server(port) as server:
        try:
            typer.echo(f"The page is at {server.url} ; Ctrl-C ends.")
            if show and not webbrowser.open(server.url):
                typer.echo("No browser could be started; open the address in one.")
            server.wait()
        except KeyboardInterrupt:
            typer.echo("Goodbye.")


app = Application(cls=Group)
app.add_typer(run_app(), name="run")
app.add_typer(sweep_app(), name="sweep")
for command, function in {
    "predict": predict, "explore": explore, "list": list_experiments, "report": report_command, "theories": theories,
    "explain": explain, "fit-behaviour": fit_behaviour, "cite": cite,
}.items():  # fmt: skip
    app.command(command, help=COMMANDS[command])(function)
app.command("completion")(completion)

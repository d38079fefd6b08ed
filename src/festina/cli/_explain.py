"""``festina explain``: your network, from files, as a page, JSON and sentences."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from festina.checks import check

MANY = ("--checkpoints",)
"""Options that take all words up to the next option."""


def spread(words: Sequence[str]) -> list[str]:
    """``--checkpoints A B`` as ``--checkpoints A --checkpoints B``, which is how options repeat."""
    found: list[str] = []
    current = None
    fresh = False
    for word in words:
        if word in MANY:
            current, fresh = word, True
            continue
        if word.startswith("-"):
            current = None
        if current is not None:
            found += [current, word]
            fresh = False
        else:
            found.append(word)
    return [*found, current] if current is not None and fresh else found


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
    """Explain your own network: its modules, what each is for, and how well they imitate it."""
    from festina.explanation import explain as find
    from festina.storage.array_file import read_data, read_labels

    outputs = _names("output_names", output_names)
    x, y = read_data(data, labels)
    found = find(
        str(weights), x, y, [str(path) for path in checkpoints or ()],
        modules=_whole("modules", modules) if modules != "auto" else "auto",
        max_modules=max_modules, tolerance=tolerance,
        groups=None if groups is None else read_labels(groups, len(x), "groups"),
        feature_names=_names("feature_names", feature_names),
        output_names=outputs, image_shape=_shape(image), loss=loss, activation=activation,
        steps=None if steps is None else [_number("steps", part) for part in steps.split(",")],
        rate=rate, sample=sample,
        restarts=restarts, rivals=rivals, seed=seed, progress=progress,
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


def _shape(text: str | None) -> tuple[int, ...] | None:
    return None if text is None else tuple(_whole("image", part) for part in text.lower().split("x"))


def _whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} is {text!r}; a whole number is needed.") from None


def _number(name: str, text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{name} is {text!r}; numbers separated by commas are needed.") from None

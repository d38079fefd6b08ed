"""``festina explain``: a network of one's own, from files, in words and a figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

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
    weights: Annotated[Path, typer.Argument(help="Weights of a ReLU network: a .npz or .safetensors file.")],
    data: Annotated[Path, typer.Option(help="A .npz file with x (points, inputs) and y (points, outputs).")],
    checkpoints: Annotated[
        list[Path] | None, typer.Option(help="Weights earlier in training, first to last: --checkpoints A B …")
    ] = None,
    modules: Annotated[str, typer.Option(help="Modules per hidden layer: a number, or auto.")] = "auto",
    steps: Annotated[
        str | None, typer.Option(help="Training steps of the checkpoints and, last, of the weights: 0,100,…")
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="Step size on the mean loss, if trained by plain full-batch descent.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the figure (PNG, SVG) and the JSON.")] = Path("out"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the explanation as JSON on stdout.")] = False,
) -> None:
    """Explain your own ReLU network: its modules, what each sees and contributes, and how well they imitate it."""
    from festina.plot import explanation, house, panels
    from festina.probe import explain as find

    x, y = _data(data)
    number: Any = _whole("modules", modules) if modules != "auto" else "auto"
    told = None if steps is None else [_whole("steps", part) for part in steps.split(",")]
    found = find(str(weights), x, y, [str(path) for path in checkpoints or ()], modules=number, steps=told, rate=rate)
    _folder(out)
    views: list[tuple[str, int]] = [
        (view, layer.number) for layer in found.layers for view in ("modules", "use", "number")
    ]
    views += [("outputs", 1), *([("training", 1)] if checkpoints else [])]
    columns = 4 if len(views) == 4 else 3
    paths = [out / f"explanation.{kind}" for kind in ("png", "svg", "json")]
    with house():
        figure, axes = panels(-(-len(views) // columns), columns)
        for (view, layer), ax in zip(views, axes, strict=False):
            explanation(found, ax, view=view, layer=layer)
        for ax in axes[len(views) :]:
            ax.remove()
        for path in paths[:2]:
            figure.savefig(path)
    paths[2].write_text(json.dumps(found.to_json(), indent=2) + "\n", encoding="utf-8")
    typer.echo(json.dumps(found.to_json()) if as_json else str(found))
    typer.echo("wrote " + ", ".join(map(str, paths)), err=True)


def _data(path: Path) -> tuple[np.ndarray, np.ndarray]:
    from festina.probe._safe import read_npz

    if not path.is_file():
        raise ValueError(f"data is {str(path)!r}: there is no such file; give a .npz file with x and y.")
    arrays = read_npz(path)
    missing = [name for name in ("x", "y") if name not in arrays]
    if missing:
        raise ValueError(
            f"data is {str(path)!r}, which holds {', '.join(arrays) or 'nothing'} and no {' and no '.join(missing)}; "
            "save it with numpy.savez(path, x=inputs, y=targets)."
        )
    return arrays["x"], arrays["y"]


def _whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} is {text!r}; a whole number is needed.") from None


def _folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"out is {str(out)!r}, which cannot be made a folder ({error.strerror}); give another."
        ) from None

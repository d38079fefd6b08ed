"""``festina predict``: what a network will learn from your table, and when."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

import festina as fs
from festina.checks import check
from festina.storage import store

if TYPE_CHECKING:
    from festina.analysis import Agreement, LearningTimes, Stages, Trajectory
    from festina.core import Network, Task
    from festina.core.initial import Initial
    from festina.tasks import TableTask

POINTS = 301
"""Times of a prediction: enough for smooth curves."""

SETTLED = 0.02
"""Share of its fall that the loss may still fall by in the last quarter of a prediction."""

DOUBLINGS = 6
"""How often the time is doubled until the loss has settled."""

EFFORT = 6e9
"""Multiplications in one prediction above which its time is not doubled, so that all of it takes some seconds."""

OVERHEAD = 30
"""Multiplications that take as long as all else that is done for one unit at one data point."""

POOR = 0.05
"""Estimated error, as a share of the loss, above which gradient flow of all weights replaces a reduction."""

BELIEFS = 10
"""False beliefs on the page."""

MAP_TIMES, MAP_ITEMS = 21, 60
"""Times and most things of the map of representations: scaling takes a second for so many points."""

STABLE = 0.05
"""Learning rate of --check as a share of the largest at which the linear part of the network is stable."""

CAPTIONS = {
    "loss": "The loss over time, and what is learned where it falls.",
    "modes": "How far each distinction is learned, over time.",
    "map": "How the hidden layer sets things apart: they begin together, and a line follows each to its end.",
}
"""Text below the figures of the page."""


def predict(
    table: Annotated[Path, typer.Argument(help="A CSV, TSV, Parquet, Excel or npz file.")],
    targets: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Columns of numbers that the network learns to predict.")
    ] = None,
    labels: Annotated[str | None, typer.Option(metavar="COLUMN", help="Column with the class of each row.")] = None,
    network: Annotated[
        str, typer.Option(help="auto, linear, relu, or a .safetensors or .npz file with the weights of a ReLU network.")
    ] = "auto",
    hidden: Annotated[int, typer.Option(help="Units of each hidden layer.")] = 64,
    depth: Annotated[int, typer.Option(help="Number of hidden layers.")] = 1,
    scale: Annotated[float, typer.Option(help="Standard deviation of the random initial weights.")] = 1e-3,
    seed: Annotated[int, typer.Option(help="Draws the initial weights.")] = 0,
    until: Annotated[
        float | None, typer.Option(help="Flow time at which the prediction ends; by default it is computed.")
    ] = None,
    train: Annotated[bool, typer.Option("--check", help="Also train the network, and show both.")] = False,
    decimal: Annotated[str, typer.Option(help="Decimal separator: . or ,")] = ".",
    standardise: Annotated[
        bool, typer.Option("--standardise/--raw", help="Standardise columns to mean 0 and variance 1.")
    ] = True,
    rows: Annotated[
        int, typer.Option(help="Largest number of data points; a longer table is sampled at random.")
    ] = 500,
    out: Annotated[Path, typer.Option(help="Folder for the page and the figures.")] = Path("out"),
) -> None:
    """Predict what a network will learn from your table, in which order and when."""
    frame = fs.tasks.read_table(table, decimal=decimal)
    chosen = [part.strip() for part in targets.split(",")] if targets else []
    named: Any = {"targets": chosen, "labels": labels, "name": table.stem}
    found = fs.tasks.from_table(frame, **named, standardise=standardise, rows=rows)
    model = _network(network, check.whole("hidden", hidden), check.whole("depth", depth), scale, found)
    theory = _foresee(model, found, until, seed)
    answer = _Answer(table.name, found, model, theory, _train(theory, found, seed) if train else None, seed)
    typer.echo(answer.text())
    folder = check.folder("out", out)
    for name, content in answer.files().items():
        store.replace(folder / name, content)
    typer.echo(f"\nThe page with figures is {folder / 'prediction.html'}.")


@dataclass(frozen=True, eq=False)
class _Answer:
    """Printed and written output: the stages first, then the settings."""

    title: str
    table: TableTask
    network: Network
    theory: Trajectory
    training: Trajectory | None
    seed: int = 0

    @cached_property
    def stages(self) -> Stages:
        return replace(self.theory.stages(), label=self.title)

    @cached_property
    def agreement(self) -> Agreement | None:
        return None if self.training is None else fs.compare(self.theory, self.training)

    def learned(self, by: str) -> LearningTimes | None:
        """When each class or data point is learned, where the table has classes, and where it is known."""
        if "outputs" not in self.theory.values or (by == "class" and self.table.task.classes is None):
            return None
        found = replace(self.theory.learned(by=by), label=self.title)
        if by == "item" and not self.table.task.named("items"):
            found = replace(found, by="row", names=tuple(f"row {k}" for k in self.table.rows))
        return found

    def assumed(self) -> list[str]:
        theory = str(self.theory.notes.get("theory", "gradient flow of all weights, integrated"))
        failed = [a for a in self.theory.assumptions if not a.holds]
        wrong = self.theory.relative_error
        error = "" if np.isnan(wrong) else f" Estimated error of its loss: {100 * wrong:.2g} %."
        settled = _settled(self.theory.loss)
        return [
            *self.table.assumed,
            f"Network: {self.network!r}.",
            f"Method: {self.theory.label} ({theory}).{error}",
            "Time is flow time: steps × learning rate on the mean loss.",
            *([] if settled else ["At the end the loss still falls; a later end is given by --until."]),
            *(f"The prediction is an approximation, since an assumption is not met: {a.words}." for a in failed),
        ]

    def text(self) -> str:
        classes = self.learned("class")
        parts = [str(part) for part in (self.stages, classes, self.agreement) if part is not None]
        return "\n\n".join([*parts, "\n".join(f"- {line}" for line in self.assumed())])

    def figures(self) -> Mapping[str, Any]:
        with fs.plot.style():
            figure, (ax,) = fs.plot.panels(1, 1, width=6.4, height=4.2)
            (self.agreement or self.theory).plot(ax)
            found = {"loss": figure}
            if "strengths" in self.theory.values:
                figure, (ax,) = fs.plot.panels(1, 1, width=6.4, height=4.2)
                if self.training is not None:
                    fs.plot.strengths(self.training, ax)
                fs.plot.strengths(self.theory, ax)
                found["modes"] = figure
            if self.table.things and len(self.table.task.items) <= MAP_ITEMS:
                # the hidden layer along the flow of all weights
                times, flow = np.linspace(0, float(self.theory.times[-1]), MAP_TIMES), fs.Flow()
                path = fs.evolve(self.network, self.table.task, times, method=flow, seed=self.seed, observe=("hidden",))
                figure, (ax,) = fs.plot.panels(1, 1, width=6.4, height=5.2)
                fs.plot.representations(path.embed(), ax, names=self.table.task.items)
                found["map"] = figure
        return found

    def files(self) -> dict[str, bytes]:
        """The page and the figures, by name of the file."""
        written: dict[str, bytes] = {}
        drawings = []
        for name, figure in self.figures().items():
            pictures = {end: part for end, part in fs.plot.files(figure).items() if isinstance(part, bytes)}
            written |= {f"{name}{end}": picture for end, picture in pictures.items()}
            svg = pictures[".svg"].decode()
            drawings.append(f"<figure>{svg[svg.index('<svg') :]}<figcaption>{CAPTIONS[name]}</figcaption></figure>")
        written["prediction.html"] = self._page(drawings).encode()
        return written

    def _page(self, drawings: list[str]) -> str:
        from festina.core.display import document

        task = self.table.task
        title = f"What a network learns of {self.title}, and when"
        parts = [f"<h1>{escape(title)}</h1>", self.stages._repr_html_(), *drawings]
        if self.agreement is not None:
            parts += ["<h2>Prediction and training</h2>", self.agreement._repr_html_()]
        for heading, found in (("Classes", self.learned("class")), ("Data points", self.learned("item"))):
            parts += [f"<h2>{heading}</h2>", found._repr_html_()] if found else []
        if self.table.things:
            beliefs = sorted((b for stage in self.stages for b in stage.beliefs), key=lambda b: -abs(b[3]))[:BELIEFS]
            rows = [f"{item}: {belief} (most at t = {time:.3g})" for item, belief, time, _ in beliefs] or ["Nothing."]
            parts += ["<h2>False beliefs on the way</h2>", _bullets(rows)]
            parts += ["<h2>Prototypes</h2>", _prototypes(self.table)]
        parts += ["<h2>How this was made</h2>", _bullets(self.assumed())]
        parts += ["<h2>Theories of this network</h2>", fs.theories(self.network, task)._repr_html_()]
        return document(title, parts)


def _bullets(lines: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def _network(kind: str, hidden: int, depth: int, scale: float, found: TableTask) -> Network:
    """Linear for things and their properties, where all theories hold; otherwise ReLU, as most networks are."""
    initial = fs.initial.Gaussian(check.positive("scale", scale))
    if Path(kind).suffix:
        return _like_file(Path(kind), initial, found)
    check.known("network", kind, ("auto", "linear", "relu"))
    widths = (hidden,) * depth
    linear = kind == "linear" or (kind == "auto" and found.things)
    return fs.DeepLinear(widths, initial=initial) if linear else fs.ReLU(widths, initial=initial, bias=not found.things)


def _like_file(path: Path, initial: Initial, found: TableTask) -> Network:
    """A ReLU network with the layers and biases that a file of weights has."""
    from festina.interop.operation import Activation, Dense
    from festina.interop.reader import read

    steps, _ = read("network", path, found.task.x, Activation(), ("relu",))
    layers = [step for step in steps if isinstance(step, Dense)]
    ends = (layers[0].matrix.shape[1], len(layers[-1].matrix))
    needed = (found.task.x.shape[1], found.task.y.shape[1])
    if ends != needed:
        raise ValueError(
            f"network is {str(path)!r}, with {ends[0]} inputs and {ends[1]} outputs; the table has {needed[0]} and "
            f"{needed[1]}. Save the network for this table, or give --network relu."
        )
    widths = tuple(len(layer.matrix) for layer in layers[:-1])
    return fs.ReLU(widths, initial=initial, bias=any(np.any(layer.bias) for layer in layers))


def _foresee(network: Network, found: TableTask, until: float | None, seed: int) -> Trajectory:
    """The prediction, for as long as it takes until the loss has settled."""
    task = found.task
    end = until
    if end is None:
        strengths = task.statistics.strengths
        kept = strengths[np.cumsum(strengths**2) <= 0.99 * np.sum(strengths**2)]
        slowest = float(kept[-1] if len(kept) else strengths.max(initial=0.0)) or 1.0
        end = float(f"{10.0 / slowest:.2g}")
    deep = len(getattr(network, "hidden", ())) > 1
    method = fs.Flow() if deep else fs.Reduced()
    with warnings.catch_warnings():
        # the steps below do what such a warning asks for
        warnings.filterwarnings("ignore", ".*has an estimated error", UserWarning)
        for _ in range(1 if until is not None else DOUBLINGS):
            theory = fs.evolve(network, task, np.linspace(0, end, POINTS), method=method, seed=seed)
            if _settled(theory.loss) or 2 * _effort(theory, task) > EFFORT:
                break
            end *= 2
        poor = not deep and theory.relative_error > POOR
    return fs.evolve(network, task, theory.times, method=fs.Flow(), seed=seed) if poor else theory


def _settled(loss: np.ndarray) -> bool:
    return bool(loss[0] > loss[-1] and loss[3 * POINTS // 4] - loss[-1] <= SETTLED * (loss[0] - loss[-1]))


def _effort(theory: Trajectory, task: Task) -> float:
    """About how many multiplications a prediction took that integrates the units of a network."""
    hidden = getattr(theory.network, "hidden", ())
    widths = [task.x.shape[1], *hidden, task.y.shape[1]]
    each = sum(a * b for a, b in pairwise(widths)) + OVERHEAD * sum(hidden)
    return float(theory.notes.get("evaluations", 0)) * len(task.x) * each


def _train(theory: Trajectory, found: TableTask, seed: int) -> Trajectory:
    """The same network, trained by gradient descent at the times of the prediction."""
    statistics = found.task.statistics
    sharpest = float(np.linalg.eigvalsh(statistics.input_correlation).max())
    largest = max(float(statistics.targets.max(initial=1.0)), 1.0)
    rate = float(f"{STABLE / (sharpest * largest):.1g}")
    return fs.evolve(theory.network, found.task, theory.times, method=fs.Train(rate=rate), seed=seed)


def _prototypes(found: TableTask) -> str:
    """Properties predicted for each category, as rows."""
    from festina.core.display import render

    task = found.task
    rows = []
    share = task.statistics.strengths * task.statistics.targets
    for name, row, part in zip(task.mode_names, task.prototypes(), share / share.sum(), strict=True):
        order = np.argsort(-np.abs(row), kind="stable")[:5]
        properties = ", ".join(f"{task.outputs[k]} {row[k]:+.2g}" for k in order)
        rows.append((name.partition(":")[0], f"{part:.1%}", properties))
    header = ("distinction", "coherence (share of the data)", "properties that go with it, strongest first")
    return render("Categories and their prototypes", rows, header=header)

"""A panel of a figure: a function that draws results into axes, with its title, labels and legend."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import compare
from festina.papers.results import Results
from festina.plot import COLOURS, SIGNS, SIZES, dots, kind_of, look, loss, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_COLUMNS = 3  # panels side by side: letters of more would be smaller than nine pixels on a page
Values = np.ndarray | Sequence[Any]  # numbers in a row or in a table
Text = str | Callable[..., str]
"""A text, or a function of the results (and of what the panel was made with) that gives it."""


@dataclass(frozen=True)
class Panel:
    """A drawing into one axes, with what ``panel`` was given.

    Attributes:
        draw: ``draw(results, ax, *given)``.
        given: further arguments of ``draw``, and of functions that give title and labels.
    """

    draw: Callable[..., object]
    title: Text = ""
    x: Text = ""
    y: Text = ""
    legend: str | Mapping[str, Any] | None = "best"
    detail: bool = False
    when: Callable[[Any], bool] | None = None
    given: tuple[Any, ...] = ()
    axes: Mapping[str, Any] = field(default_factory=dict)

    def of(self, *given: object, detail: bool = False) -> Panel:
        """The same panel of something else: ``draw(results, ax, *given)``."""
        return replace(self, given=given, detail=detail)

    def show(self, results: Results, ax: Axes) -> None:
        """Draw, then title, labels and legend."""
        self.draw(results, ax, *self.given)
        for name, text in (("title", self.title), ("xlabel", self.x), ("ylabel", self.y)):
            words = text(results, *self.given) if callable(text) else text
            if words:
                ax.set(**{name: words})
        ax.set(**{k: v(results) if callable(v) else v for k, v in self.axes.items()})
        if self.legend is not None and ax.get_legend_handles_labels()[0]:
            ax.legend(**({"loc": self.legend} if isinstance(self.legend, str) else self.legend))


def panel(
    title: Text = "",
    x: Text = "",
    y: Text = "",
    *,
    legend: str | Mapping[str, Any] | None = "best",
    detail: bool = False,
    when: Callable[[Any], bool] | None = None,
    **axes: Any,
) -> Callable[[Callable[..., object]], Panel]:
    """Make a panel of the function below: ``draw(results, ax)``.

    Args:
        title, x, y: title and labels of the axes, or functions of the results.
        legend: where it stands, or arguments of ``ax.legend``; None for none.
        detail: shown only in the figure of all panels.
        when: a function of the results: whether there is anything to draw at these settings.
        axes: arguments of ``ax.set``, such as ``ylim=(0, 1)``; functions are called with the results.

    Example:
        >>> from festina.papers import Results, panel
        >>> @panel("Loss", "time (flow time)", "loss")
        ... def losses(c, ax):
        ...     ax.plot(c.times, c.loss)
        >>> from matplotlib.figure import Figure
        >>> ax = Figure().subplots()
        >>> losses.show(Results(None, times=[0, 1], loss=[1, 0]), ax)
        >>> ax.get_xlabel()
        'time (flow time)'
    """

    def made(draw: Callable[..., object]) -> Panel:
        return Panel(draw, title, x, y, legend, detail, when, (), axes)

    return made


def figure(parts: Sequence[Panel], results: Results, *, whole: bool = False) -> Figure:
    """The panels that pages show, or all of them, in rows of up to three; empty ones are left out."""
    shown = [part for part in parts if (whole or not part.detail) and (part.when is None or part.when(results))]
    rows = math.ceil(len(shown) / MAX_COLUMNS)
    columns = math.ceil(len(shown) / rows)
    made, axes = panels(rows, columns)
    for part, ax in zip(shown, axes, strict=False):
        part.show(results, ax)
    for ax in axes[len(shown) :]:
        ax.remove()
    return made


def losses(curves: Mapping[str, str | tuple[str, dict[str, Any]]], title: Text = "Loss", **options: Any) -> Panel:
    """A panel of loss curves over time: trained ones thick and pale, predicted ones thin and dark.

    Args:
        curves: by its name in the results (``"trained.double"`` is in a dictionary), the label of each trajectory, or
            its label and arguments of ``fs.plot.loss``.
        title: the title of the panel.
        options: as in ``panel``.

    Example:
        >>> from festina.papers import losses
        >>> losses({"training": "trained", "theory": "theory"}).title
        'Loss'
    """

    def draw(c: Results, ax: Axes) -> None:
        for name, given in curves.items():
            label, line = given if isinstance(given, tuple) else (given, {})
            loss(c.get(name), ax, label=label, **line)

    return panel(title, **options)(draw)


def residual(
    base: str, curves: Mapping[str, str | tuple[str, dict[str, Any]]], title: Text = "What is left", **options: Any
) -> Panel:
    """A panel of what is left of mean loss curves after that of ``base``, whose networks are a grey band.

    Args:
        base: name of the trajectory that is subtracted.
        curves, title, options: as in ``losses``; areas are added to the labels.

    Example:
        >>> from festina.papers import residual
        >>> residual("training", {"theory": "theory"}).title
        'What is left'
    """

    def draw(c: Results, ax: Axes) -> None:
        mean = c.get(base).mean()
        low, high = np.quantile(np.atleast_2d(c.get(base).loss) - mean.loss, [0.05, 0.95], axis=0)
        ax.fill_between(mean.times, low, high, color="0.75", linewidth=0, label="90 % of networks")
        for name, given in curves.items():
            (label, line), path = given if isinstance(given, tuple) else (given, {}), c.get(name).mean()
            line = {"color": COLOURS[0], **line}
            style = {**look(kind_of(path), line.pop("color")), **line}
            ax.plot(mean.times, path.loss - mean.loss, label=f"{label}: area {compare(path, mean).area:.3f}", **style)

    options = {"x": "time (flow time)", "y": "loss − mean loss", **options}
    return panel(title, **options)(draw)


def modes(of: str, groups: str, title: Text, **options: Any) -> Panel:
    """A panel of the strengths of a trajectory over time, one colour for each group of modes.

    Args:
        of: name of a trajectory that observed ``strengths``.
        groups: name of a dictionary in the results: the number of modes of each group, by its label.
        title, options: as in ``panel``.
    """

    def draw(c: Results, ax: Axes) -> None:
        path, counts = c.get(of), c.get(groups)
        parts = np.split(path.strengths, np.cumsum(list(counts.values()))[:-1], axis=1)
        for colour, name, part in zip(COLOURS, counts, parts, strict=False):
            ax.plot(path.times, part, color=colour, linewidth=1, label=[name] + [None] * (part.shape[1] - 1))
        ax.set_ylim(top=1.6 * path.strengths.max())

    options = {"x": "time (flow time)", "y": "strength", **options}
    return panel(title, **options)(draw)


def outputs(of: str, title: Text, label: str = "data points", **options: Any) -> Panel:
    """A panel of outputs (networks, times, points, outputs) of a first network, one image for each of ``results.when``.

    Args:
        of: name of the outputs in the results.
        title: the title of the panel.
        label: what the columns of an image are.
        options: arguments of ``image``.
    """

    def draw(c: Results, ax: Axes) -> None:
        found = c.get(of)[0]
        joined = np.concatenate([*found.transpose(0, 2, 1)], axis=1)
        image(ax, joined, "activity", **{"cmap": SIGNS, "vmin": -1.25, "vmax": 1.25, **options})
        count = found.shape[1]
        for k in range(1, len(found)):
            ax.axvline(k * count - 0.5, color="white", linewidth=2)
        ax.set_xticks([(k + 0.5) * count - 0.5 for k in range(len(found))], [f"t = {t:.0f}" for t in c.when])

    return panel(title, f"{label}, over time", "property", legend=None)(draw)


def maps(of: str, groups: Sequence[str], title: str, words: str) -> Panel:
    """A panel of points of two networks on one map: the first filled, the second open, a mark for each group of points.

    Args:
        of: name of the places (times, 2, points, 2) in the results.
        groups: of equally many points each, by their labels.
        title: the title of the panel, before the time.
        words: what is filled and what is open.

    Returns:
        A panel of a time: ``maps(...).of(k)`` shows the k-th of ``results.when``.
    """

    def draw(c: Results, ax: Axes, at: int) -> None:
        parts = zip(*(np.split(place, len(groups)) for place in c.get(of)[at]), strict=True)
        for colour, mark, label, (first, second) in zip(COLOURS, "os^D", groups, parts, strict=False):
            ax.scatter(*first.T, marker=mark, s=20, color=colour, label=label)
            ax.scatter(*second.T, marker=mark, s=60, color="none", edgecolor=colour, linewidth=0.9)
        ax.set_ylim(bottom=ax.get_ylim()[0] - 0.45 * np.ptp(ax.get_ylim()))  # room for the legend below the cloud

    legend = {"loc": "lower center", "ncols": len(groups), "title": words, "columnspacing": 0.6, "handletextpad": 0.1}
    names = ("first dimension", "second dimension")
    return panel(lambda c, at: f"{title}, t = {c.when[at]:.0f}", *names, legend=legend, xticks=[], yticks=[])(draw)


def lines(
    ax: Axes, x: Values, curves: Mapping[str, Values], kind: str = "predicted", first: int = 0, **line: Any
) -> None:
    """One curve for each label, in the colours of the palette from the ``first`` on; None as a label hides it."""
    for k, (label, y) in enumerate(curves.items()):
        colour = COLOURS[(first + k) % len(COLOURS)]
        ax.plot(x, y, label=label, **{**look(kind, colour), **line})  # pyright: ignore[reportArgumentType]


def identity(ax: Axes, predicted: Values, measured: Values, label: str | None = None, colour: str = COLOURS[0]) -> None:
    """Measured against predicted numbers as dots, with the line on which both are equal."""
    predicted, measured = np.ravel(predicted), np.ravel(measured)
    both = np.concatenate([predicted, measured])
    ends = [float(np.nanmin(both)), float(np.nanmax(both))]
    ax.plot(ends, ends, **look("predicted"))
    ax.plot(predicted, measured, label=label, **dots(colour))


def image(ax: Axes, matrix: Values, label: str = "", **options: Any) -> Any:
    """A matrix as an image with its colour bar."""
    options = {"aspect": "auto", "cmap": SIZES, "interpolation": "nearest", **options}
    shown = ax.imshow(np.asarray(matrix), **options)
    ax.figure.colorbar(shown, ax=ax, shrink=0.8, label=label, pad=0.02)
    return shown


def ticks(ax: Axes, values: Sequence[float], text: str = "{:g}") -> None:
    """Ticks of the horizontal axis at these values and nowhere else, as on a logarithmic axis of a few settings."""
    ax.set_xticks(list(values), [text.format(value) for value in values])
    ax.set_xticks([], minor=True)


def curve_pair(
    ax: Axes, trained: Values, predicted: Values, *, label: str | None = None, colour: str = COLOURS[0]
) -> None:
    """A trained curve, thick and pale, and the predicted one over it, thin and dark; each is (times, values)."""
    ax.plot(*trained, label=label, **look("trained", colour))
    ax.plot(*predicted, **look("predicted", colour))


def median_bars(ax: Axes, at: Values, samples: Values, label: str | None = None, colour: str = COLOURS[0]) -> None:
    """Dots at the medians of trained networks (networks, positions), with bars over the middle 90 % of them."""
    low, middle, high = np.nanquantile(samples, [0.05, 0.5, 0.95], axis=0)
    ax.errorbar(at, middle, np.abs([middle - low, high - middle]), label=label, **dots(colour))


def median_band(ax: Axes, at: Values, samples: Values, label: str | None = None, **line: Any) -> None:
    """A line through the medians of networks (networks, positions), and a band over the middle 90 % of them."""
    low, middle, high = np.quantile(samples, [0.05, 0.5, 0.95], axis=0)
    (drawn,) = ax.plot(at, middle, label=label, **line)
    ax.fill_between(at, low, high, color=drawn.get_color(), alpha=0.2, linewidth=0)


def heat_map(ax: Axes, field: Values, rows: Values, columns: Values, **options: Any) -> None:
    """A table of numbers as an image, the first row at the bottom, with the names of rows and columns as ticks."""
    image(ax, field, **{"origin": "lower", **options})
    for ticks, names in ((ax.set_yticks, rows), (ax.set_xticks, columns)):
        ticks(range(len(names)), [f"{name:g}" if isinstance(name, float) else str(name) for name in names])

"""How curves look, everywhere: trained is a thick pale band, predicted a thin dark line, colour is what is learned."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

import numpy as np

from festina.checks import check
from festina.checks.optional import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from festina.core.observations import Observations

Kind = Literal["trained", "predicted"]
RGB = tuple[float, float, float]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette, told apart with every common form of colour blindness; without yellow, pale on white."""

MODE_COLOURS = ("#6A55D9", "#B45FD0", "#DD5F9B", "#D98233", "#A89A00", "#5FA34A")
"""Modes, from the strongest to the weakest: one sequence, so that a mode is not taken for a thing."""

SIGNS = "BrBG_r"
"""The diverging colour map of matplotlib for signed numbers: brown is positive, teal negative, as on the page."""

SIZES = "Greys"
"""The sequential colour map of matplotlib for sizes: white is none. Colours are left for what is learned."""

MODULE_COLOURS = (*COLOURS, "#8A5A2B")
"""One for each module of an explanation that is tried by default; the eighth is brown."""

GROUND_SHARE = 0.6
"""Share of the ground in the colour of a trained curve: pale on white in print, and still told apart by hue."""

INK_SHARE = 0.4
"""Share of ink in the colour of a predicted curve: dark on the pale band of its own colour, without colour too."""

WIDTHS: dict[Kind, float] = {"trained": 5.0, "predicted": 1.3}
"""Widths of curves in points."""

LONGEST_LABEL = 30
"""Characters of a name next to a curve."""

LABEL_GAP = 0.055
"""Least distance of two names at the ends of curves, as a share of the height of the axes."""

MIDDLE = (0.05, 0.95)
"""Quantiles over seeds between which a band is drawn."""

MAX_PANELS = 100
"""Panels of one figure: more are too small to be read."""

MAX_INCHES = 100
"""Width or height of a panel: a larger one is taken for a mistake."""

DASHES = ("-", "--", "-.", ":")
"""Line styles of predictions in one picture."""


def look(kind: Kind, colour: str = "black", **line: object) -> dict[str, Any]:
    """Arguments of ``ax.plot`` for a curve: ``colour`` says what is learned, ``kind`` how it came about.

    Example:
        >>> import festina as fs
        >>> fs.plot.look("trained")["linewidth"] > fs.plot.look("predicted")["linewidth"]
        True
    """
    zorder = 2.0 if kind == "trained" else 3.0
    return {"color": shade(kind, colour), "linewidth": WIDTHS[kind], "zorder": zorder, "solid_capstyle": "butt"} | line


def dots(colour: str = "black", **line: object) -> dict[str, Any]:
    """Arguments of ``ax.plot`` for single numbers measured in networks: large pale dots, under predicted lines.

    Example:
        >>> import festina as fs
        >>> fs.plot.dots()["marker"]
        'o'
    """
    return {"color": shade("trained", colour), "linestyle": "", "marker": "o", "markersize": 7.0, "zorder": 2.0} | line


def name_kinds(ax: Axes, trained: str = "trained", predicted: str = "predicted") -> None:
    """Two entries of the legend, in grey and black: the band is what was trained, the line what was predicted.

    Example:
        >>> import festina as fs
        >>> _, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.name_kinds(ax)
        >>> [text.get_text() for text in ax.legend().get_texts()]
        ['trained', 'predicted']
    """
    ax.plot([], [], label=trained, **look("trained"))
    ax.plot([], [], label=predicted, **look("predicted"))


def shade(kind: Kind, colour: str) -> RGB:
    """The colour made pale for what was trained, dark for what was predicted; in a dark theme dim and bright.

    Example:
        >>> import festina as fs
        >>> [round(part, 2) for part in fs.plot.shade("predicted", "white")]
        [0.6, 0.6, 0.6]
    """
    towards, share = (themed("white"), GROUND_SHARE) if kind == "trained" else (themed("black"), INK_SHARE)
    return _between(themed(colour), towards, share)


def themed(colour: str | tuple[float, ...]) -> RGB:
    """The colour in the user's theme: greys lie between its ink, for black, and its ground, for white.

    Example:
        >>> from matplotlib import pyplot
        >>> with pyplot.style.context("dark_background"):
        ...     themed("black")
        (1.0, 1.0, 1.0)
    """
    from matplotlib import rcParams
    from matplotlib.colors import to_rgb, to_rgba

    red, green, blue = to_rgb(colour) if isinstance(colour, str) else colour[:3]
    if not red == green == blue:
        return red, green, blue
    grounds = (to_rgba(rcParams[name]) for name in ("axes.facecolor", "figure.facecolor"))
    ground = next((each[:3] for each in grounds if each[3]), (1.0, 1.0, 1.0))
    return _between(to_rgb(rcParams["text.color"]), ground, red)


def _between(start: RGB, end: RGB, share: float) -> RGB:
    red, green, blue = ((1 - share) * one + share * other for one, other in zip(start, end, strict=True))
    return red, green, blue


def kind_of(trajectory: Observations) -> Kind:
    """``"predicted"`` for results of a theory or the flow, ``"trained"`` for those of a trained network.

    Example:
        >>> import festina as fs
        >>> fs.plot.kind_of(fs.Trajectory.from_arrays([0.0, 1.0], [1.0, 0.5]))
        'trained'
    """
    return getattr(trajectory.method, "kind", "trained")


def check_kind(trajectory: Observations, kind: Kind | None) -> Kind:
    """The kind that is given, or that of the trajectory's method."""
    if kind is None:
        return kind_of(trajectory)
    if not isinstance(kind, str) or kind not in ("trained", "predicted"):
        raise ValueError(f"kind is {check.shown(kind)}; 'trained' or 'predicted' is needed, or None: by the method.")
    return kind


def axis(ax: Axes | None) -> Axes:
    """The axes that are given, or pyplot's current ones: the rule of every plot."""
    if ax is None:
        need("matplotlib", "plot")
        from matplotlib import pyplot

        figure = pyplot.gcf()
        if not figure.axes and figure.get_layout_engine() is None:
            # names beside axes and curves may be long
            figure.set_layout_engine("constrained")
        return pyplot.gca()
    check.axes(ax)
    return ax


_STYLE: dict[str, Any] = {
    "figure.dpi": 110, "savefig.dpi": 160, "savefig.bbox": "tight", "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.size": 9, "axes.titlesize": 10, "axes.labelsize": 9, "legend.fontsize": 8, "legend.frameon": False,
    "xtick.labelsize": 8, "ytick.labelsize": 8, "axes.spines.top": False, "axes.spines.right": False,
    "lines.linewidth": 1.6, "axes.titlelocation": "left", "svg.hashsalt": "festina",
}  # fmt: skip


@contextmanager
def style() -> Iterator[None]:
    """Draw in festina's style inside, and leave the user's settings as they were.

    Example:
        >>> import festina as fs
        >>> with fs.plot.style():
        ...     figure, axes = fs.plot.panels(1, 2)
        >>> len(axes)
        2
    """
    need("matplotlib", "plot")
    import matplotlib as mpl
    from cycler import cycler

    style: Any = {**_STYLE, "axes.prop_cycle": cycler(color=[themed(colour) for colour in COLOURS])}
    with mpl.rc_context(style):
        yield


Arguments = ParamSpec("Arguments")
Drawn = TypeVar("Drawn")


def styled(draw: Callable[Arguments, Drawn]) -> Callable[Arguments, Drawn]:
    """A plot that is drawn in festina's style, without a change of the user's settings."""

    @wraps(draw)
    def drawn(*arguments: Arguments.args, **settings: Arguments.kwargs) -> Drawn:
        with style():
            return draw(*arguments, **settings)

    return drawn


def plain(name: str) -> str:
    """A name from data as matplotlib shows it literally: a dollar sign does not begin a formula.

    Example:
        >>> print(plain("price in $, tax in $"))
        price in \\$, tax in \\$
    """
    return name.replace("$", r"\$")


def shortened(name: str) -> str:
    """A name that fits next to a curve."""
    if len(name) <= LONGEST_LABEL:
        return name
    # names of a group end with a whole one
    begin, mark, _ = name[: LONGEST_LABEL - 1].rpartition("; ")
    return f"{begin}; …" if mark else f"{name[: LONGEST_LABEL - 1].rstrip(', ')}…"


def label_curves(ax: Axes, at: float, ends: Sequence[tuple[float, str, RGB]]) -> None:
    """Names at the right ends of curves, (height, name, colour) each, moved apart where they would overlap.

    A name that the axes show already is not written again, so that theory and training share their names.
    """
    shown = {text.get_text() for text in ax.texts}
    low, high = ax.get_ylim()
    gap = LABEL_GAP * (high - low)
    place = -np.inf
    for height, whole, colour in sorted(ends, key=lambda end: end[0]):
        name = shortened(whole)
        if plain(name) in shown or not np.isfinite(height):
            continue
        place = max(height, place + gap)
        ax.annotate(
            plain(name), (at, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize="small",
            color=colour, annotation_clip=False,
        )  # fmt: skip


@styled
def clock_on(ax: Axes, trajectory: Observations) -> tuple[np.ndarray, str]:
    """Times or steps of a trajectory, whichever the axes show already, and their label; on empty axes as asked for."""
    shown = ax.get_xlabel() if ax.lines else ""
    if shown == "step":
        return trajectory.steps, shown
    return (trajectory.times, f"time ({plain(trajectory.unit)})") if shown.startswith("time (") else trajectory.clock


def draw_loss(
    trajectory: Observations, ax: Axes, *, label: str | None = None, kind: Kind | None = None, **line: Any
) -> Axes:
    """The loss over time: its curve, or the mean over seeds and the middle 90 %; around a prediction its error."""
    drawn: Kind = check_kind(trajectory, kind)
    colour = line.pop("color", line.pop("c", "black"))
    curves, (along, name) = np.atleast_2d(trajectory.loss), clock_on(ax, trajectory)
    mean = curves.mean(axis=0)
    style = look(drawn, colour)
    alike = [
        one for one in ax.lines
        if (one.get_color(), one.get_linewidth()) == (style["color"], style["linewidth"])
        and not str(one.get_label()).startswith("_")
    ]  # fmt: skip
    # a second prediction of the same thing would look like the first
    style["linestyle"] = DASHES[len(alike) % len(DASHES)] if drawn == "predicted" else "-"
    ax.plot(along, mean, **{**style, **line}, label=None if label is None else plain(label))
    if len(curves) > 1:
        low, high = np.quantile(curves, MIDDLE, axis=0)
        if drawn == "trained":
            ax.fill_between(along, low, high, color=shade(drawn, colour), alpha=0.6, linewidth=0, zorder=1.5)
        else:
            for edge in (low, high):
                ax.plot(along, edge, **{**look(drawn, colour), "linewidth": 0.5, "label": None})
    elif drawn == "predicted" and trajectory.estimated and trajectory.error is not None:
        error = np.atleast_2d(trajectory.error)[0]
        ax.fill_between(along, mean - error, mean + error, color=colour, alpha=0.15, linewidth=0)
    ax.set_xlabel(name)
    ax.set_ylabel("loss")
    return ax


def colour_of_module(number: int) -> str:
    """The colour of a module of an explanation, counted from 1."""
    return MODULE_COLOURS[(number - 1) % len(MODULE_COLOURS)]


def panels(rows: int, columns: int, width: float = 3.4, height: float = 2.7) -> tuple[Figure, np.ndarray]:
    """A figure of lettered panels, as a flat array of axes; made without pyplot, so nothing is left open.

    Example:
        >>> import festina as fs
        >>> figure, (left, right) = fs.plot.panels(1, 2, width=4)
        >>> figure.get_size_inches().round(1).tolist()
        [8.0, 2.7]
    """
    need("matplotlib", "plot")
    from matplotlib.figure import Figure

    rows, columns = check.whole("rows", rows, most=MAX_PANELS), check.whole("columns", columns, most=MAX_PANELS)
    if rows * columns > MAX_PANELS:
        raise ValueError(f"rows × columns is {rows} × {columns} panels; at most {MAX_PANELS} fit on a page.")
    width, height = _inches("width", width), _inches("height", height)
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    axes = np.asarray(figure.subplots(rows, columns, squeeze=False)).ravel()
    if len(axes) > 1:
        for letter, ax in zip(string.ascii_lowercase, axes, strict=False):
            ax.annotate(
                letter,
                (0, 1),
                (-30, 8),
                "axes fraction",
                textcoords="offset points",
                weight="bold",
                va="bottom",
            )
    return figure, axes


def _inches(name: str, value: float) -> float:
    if not 0.01 <= check.positive(name, value) <= MAX_INCHES:
        raise ValueError(f"{name} is {value!r}; inches between 0.01 and {MAX_INCHES} are needed.")
    return float(value)

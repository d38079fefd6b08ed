"""An explanation: its text, its drawings, and one self-contained HTML page."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from festina.checks import check
from festina.core.display import document
from festina.core.look import COLOURS, SIGNS, SIZES, colour_of_module, panels, plain, style, themed
from festina.explanation._findings import (
    NEARLY_LINEAR,
    NOTHING_MORE,
    Event,
    ExplainedLayer,
    ExplainedModule,
    Match,
    Plain,
    joined,
    percent,
)
from festina.storage.store import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Plain):
    """A network as modules; made by ``fs.explain``. The first line of its text is a sentence to quote.

    Attributes:
        layers: for every hidden layer its modules and how well they imitate it, compared with baselines.
        hidden: units (channels) of every hidden layer.
        loss_name: ``"squared"``, ``"cross_entropy"`` or ``"binary"``.
        loss: the loss of the network on all data points; ``constant_loss`` is that of the best constant answer.
        accuracy, margin: of the network on all data points; None for regression.
        points: numbers of the data points that were looked at; ``total`` is how many there are.
        inputs: all data points, flat.
        groups: the group of every point looked at, or None; ``group_names`` names them.
        output_names: one per output; ``feature_names`` one per input, if they were given.
        image_shape: the image shape of an input, or None.
        times: the times of the checkpoints, the last of which is the network; ``losses`` at each, on the points looked
            at.
        events: what happened to modules between checkpoints.
        notes: what the reader should know, in sentences.
        matches: found modules next to those that the theory predicts for the first checkpoint.

    Example:
        >>> import numpy as np, festina as fs
        >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
        >>> found
        Explanation(modules: 2 of 2 units, shared gates)
        >>> print(found.headline[:34])
        This network (2 hidden units, loss
    """

    LARGE: ClassVar = ("inputs", "groups", "image_shape", "feature_names")
    DERIVED: ClassVar = ("headline",)

    layers: tuple[ExplainedLayer, ...]
    hidden: tuple[int, ...]
    loss_name: str
    loss: float
    constant_loss: float
    accuracy: float | None
    margin: float | None
    points: np.ndarray
    total: int
    inputs: np.ndarray
    groups: np.ndarray | None
    group_names: tuple[str, ...]
    output_names: tuple[str, ...]
    image_shape: tuple[int, ...] | None
    times: np.ndarray
    losses: np.ndarray
    events: tuple[Event, ...]
    notes: tuple[str, ...]
    matches: tuple[Match, ...] = ()
    feature_names: tuple[str, ...] = ()

    @property
    def modules(self) -> tuple[ExplainedModule, ...]:
        """Modules of the last hidden layer."""
        return self.layers[-1].modules

    @property
    def headline(self) -> str:
        """Description of the network in one sentence."""
        widths = joined([str(n) for n in self.hidden])
        quality = f"accuracy {percent(self.accuracy)}" if self.accuracy is not None else f"loss {self.loss:.3g}"
        return f"This network ({widths} hidden units, {quality}) {_what(self.layers)}."

    @property
    def quality(self) -> str:
        """How well the network does, in one sentence or two."""
        constant = f"the best constant answer has {self.constant_loss:.3g}"
        words = f"Loss ({self.loss_name.replace('_', '-')}) {self.loss:.3g}; {constant}."
        if self.accuracy is not None:
            words += f" Accuracy {percent(self.accuracy)}, mean margin {self.margin:.3g}."
        return words

    def to_json(self) -> dict[str, Any]:
        """Everything but the inputs, gates and maps, as plain data; of the data points looked at, their number."""
        return {**super().to_json(), "points": len(self.points)}

    def __str__(self) -> str:
        lines = [self.headline, self.quality]
        for layer in self.layers:
            lines += ["", *layer.lines(self.group_names)]
        if len(self.layers) > 1:
            lines += ["", "Pathways (shares of what drives each module; the bias is the rest and may be negative):"]
            lines += [f"  {line}" for line in _pathway_lines(self.layers)]
        if self.events:
            lines += ["", "Through training:", *(f"  {event.text}" for event in self.events)]
        if self.matches:
            lines += [
                "",
                "Compared with the theory (fs.Reduced() from the first checkpoint):",
                *(f"  {m}" for m in self.matches),
            ]
        return "\n".join([*lines, *(["", *self.notes] if self.notes else [])])

    def save_json(self, path: str | Path) -> Path:
        """Write ``to_json()`` to a file; an older one is replaced when the new one is complete."""
        return save("path", check.new_file("path", path), json.dumps(self.to_json(), indent=2) + "\n")

    def save_html(self, path: str | Path) -> Path:
        """Write one HTML page that needs nothing else: sentences, figures with captions, tables.

        Args:
            path: the file; an older one is replaced.

        Returns:
            The path.

        Example:
            >>> import numpy as np, festina as fs, tempfile
            >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
            >>> page = found.save_html(tempfile.mkdtemp() + "/page.html")
            >>> page.read_text().startswith("<!doctype html>")
            True
        """
        path = check.new_file("path", path)
        parts = [f"<h1>{escape(self.headline)}</h1>", f"<p>{escape(self.quality)}</p>"]
        parts += [f"<p>{escape(note)}</p>" for note in self.notes]
        if len(self.layers) > 1:
            words = (
                "Circles are modules, their area the share of their layer's contribution. The width of a line to a "
                "module is the share of its drive that comes from the module on the left; to an output, the share of "
                "what is added where most is added (the three strongest). Broken lines lower what they reach. Under a "
                "module are the groups of data points for which it is on, if they are at most three."
            )
            size = (3.4 * (len(self.layers) + 0.6), 4.6)
            figure = _figure(self, ["pathways"], [len(self.layers)], "Which module feeds which.", words, size)
            parts += ["<h2>Pathways</h2>", figure]
        for layer in self.layers:
            parts += [f"<h2>Hidden layer {layer.number}</h2>", _overview(self, layer), _table(self, layer)]
            parts += [_modules(self, layer)]
        if len(self.times) > 1:
            numbers = [layer.number for layer in self.layers]
            words = "Contribution of each module's units to the outputs at the checkpoints; a ring marks half of the "
            views, finding = ["training"] * len(numbers), "When each module becomes active."
            figure = _figure(self, views, numbers, finding, f"{words}largest.", (4.2, 3.0))
            parts += ["<h2>Through training</h2>", figure, _events(self)]
        parts.append(f"<details><summary>The whole text</summary><pre>{escape(str(self))}</pre></details>")
        return save("path", path, document(self.headline, parts, STYLE))

    def draw(self, ax: Axes, view: str = "on", layer: int | None = None, module: int = 1) -> None:
        """Draw one view into given axes; ``fs.plot.explanation`` says which there are."""
        check.axes(ax)
        check.known("view", view, VIEWS)
        number = len(self.layers) if layer is None else check.whole("layer", layer)
        if number > len(self.layers):
            raise ValueError(f"layer is {layer}; the hidden layers are 1 to {len(self.layers)}.")
        own = self.layers[number - 1]
        if check.whole("module", module) > len(own.modules):
            raise ValueError(f"module is {module}; the modules of hidden layer {number} are 1 to {len(own.modules)}.")
        VIEWS[view](self, own, own.modules[module - 1], ax)

    def __repr__(self) -> str:
        words = {"shared": "shared gates", "fitted": "fitted maps", "none": "no small set"}
        parts = (f"{len(each.modules)} of {each.width} units, {words[each.verdict]}" for each in self.layers)
        return f"Explanation(modules: {'; '.join(parts)})"

    def _repr_html_(self) -> str:
        rest = "".join(f"<li>{escape(line.strip())}</li>" for line in str(self).splitlines()[1:] if line.strip())
        return f"<p><b>{escape(self.headline)}</b></p><ul>{rest}</ul>"


def _what(layers: Sequence[ExplainedLayer]) -> str:
    last = layers[-1]
    if all(layer.verdict == "shared" for layer in layers):
        counts = joined([str(len(layer.modules)) for layer in layers])
        where = "" if len(layers) == 1 else " in its hidden layers"
        kept = percent(1 - max(layer.error for layer in layers))
        if any(2 * len(layer.modules) > layer.width - layer.silent for layer in layers):
            gates = [f"{layer.width - layer.silent} {layer.kind} have {len(layer.modules)} gates" for layer in layers]
            return f"does not divide into modules: few of its units share a gate ({joined(gates)}{where})"
        return (
            f"consists of {counts} modules{where}, groups of units that are on together: they reproduce {kept} of the "
            f"variance of its outputs, the best linear map {percent(1 - last.linear)}"
        )
    if all(layer.linear <= NEARLY_LINEAR for layer in layers):
        left = percent(max(layer.linear for layer in layers))
        replaced = "its hidden layer by the best linear map loses" if len(layers) == 1 else (
            "any of its hidden layers by the best linear map loses at most"
        )  # fmt: skip
        return f"is nearly linear on these data: replacing {replaced} {left} of the variance of its outputs"
    curved = [layer for layer in layers if layer.linear > NEARLY_LINEAR or layer.verdict == "shared"]
    counts = joined([str(len(layer.modules)) for layer in curved])
    shares = joined([percent(max(layer.explained, 0.0)) for layer in curved])
    where = "" if len(layers) == 1 else f" in hidden layer{'s' if len(curved) > 1 else ''} {_numbers(curved)}"
    maps = "map explains" if counts == "1" else "maps explain"
    fitted = (
        f"{counts} gated linear {maps.replace(' ', where + ' ')} {shares} of what the best linear map leaves "
        "unexplained, on data points held out"
    )
    if flat := [layer for layer in layers if layer not in curved]:
        fitted += f", and hidden layer{'s' if len(flat) > 1 else ''} {_numbers(flat)} "
        fitted += f"{'are' if len(flat) > 1 else 'is'} nearly linear on these data"
    if max(layer.explained for layer in curved) <= NOTHING_MORE:
        left = percent(max(layer.linear for layer in curved))
        return (
            "does not divide into a few modules, and a few gated linear maps imitate it no better than the best linear "
            f"map, which misses up to {left} of the variance of its outputs, on data points held out"
        )
    if any(layer.verdict == "none" for layer in curved):
        return f"does not divide into a few modules; still, {fitted}"
    return f"acts approximately as a few modules: {fitted}"


def _numbers(layers: Sequence[ExplainedLayer]) -> str:
    """Numbers of layers, as the subject of a sentence."""
    return joined([str(layer.number) for layer in layers])


def _pathway_lines(layers: Sequence[ExplainedLayer]) -> list[str]:
    """Which module feeds which, the strongest for each."""
    lines = []
    for layer in layers[1:]:
        for module in layer.modules:
            column = layer.feeds[:, module.number - 1]
            order = np.argsort(-np.abs(column), kind="stable")[:2]
            parts = " and ".join(f"{percent(float(column[i]))} from module {i + 1}" for i in order)
            lines.append(f"Layer {layer.number} module {module.number} gets {parts} of layer {layer.number - 1}.")
    return lines


GREY = "0.65"
MAX_NAMED = 20
"""Inputs up to which their names are written along an axis."""

MAX_POINTS = 200
"""Data points up to which a gate is drawn point by point if there are no groups."""

FAINT = 0.08
"""Share of a module's drive below which an arrow is left out."""

MAX_LINES = 3
"""Lines that are drawn to each output, the strongest: more hide which modules it depends on."""

WORDS = 6
"""Size of these words in points."""

HEIGHT = 1.32
"""Height of the graph with its headings, where a column of modules has the height 1."""

MAX_GROUPS = 3
"""Largest number of groups that are written under a module."""

MAX_OUTPUTS = 12
"""Outputs up to which each is drawn."""


def _on(found: Explanation, layer: ExplainedLayer, _: ExplainedModule, ax: Axes) -> None:
    from matplotlib.colors import to_rgb

    grouped = len(found.group_names) > 1
    values = np.array([m.on_rates if grouped else m.gate[:MAX_POINTS] for m in layer.modules])
    image = np.ones((*values.shape, 3))
    for i, module in enumerate(layer.modules):
        image[i] = 1 - values[i, :, None] * (1 - np.array(to_rgb(colour_of_module(module.number))))
    ax.imshow(image, aspect="auto", interpolation="nearest")
    for edge in range(1, len(values)):
        ax.axhline(edge - 0.5, color="white", linewidth=2)
    if grouped:
        for (i, j), value in np.ndenumerate(values):
            dark = image[i, j] @ (0.3, 0.59, 0.11) < 0.55
            ax.text(j, i, f"{100 * value:.0f}", ha="center", va="center", fontsize=7, color="white" if dark else "0.25")
        _name_columns(ax, found.group_names)
        ax.set_xlabel("group of data points")
    else:
        ax.set_xlabel("data point")
    ax.set_yticks(range(len(layer.modules)), [str(module.number) for module in layer.modules])
    ax.set_ylabel("module")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.set_title("How often each is on (%)" if grouped else "Where each is on")


def _name_columns(ax: Axes, names: Sequence[str]) -> None:
    is_long = max(map(len, names)) * len(names) > 40
    ax.set_xticks(range(len(names)), list(map(plain, names)), rotation=45 if is_long else 0)


def _signed(ax: Axes, values: np.ndarray, largest: float, bar: str = "") -> None:
    """A table of numbers with signs, on a scale from −largest to largest, with a colour bar if that has a name."""
    scale = {"cmap": SIGNS, "vmin": -largest, "vmax": largest}
    image = ax.imshow(values, aspect="auto" if bar else "equal", interpolation="nearest", **scale)
    if bar:
        drawn = ax.figure.colorbar(image, ax=ax, shrink=0.8)
        drawn.ax.tick_params(labelsize=7)
        drawn.set_label(bar, fontsize=7)


def _silenced(found: Explanation, layer: ExplainedLayer, _: ExplainedModule, ax: Axes) -> None:
    rows = np.arange(len(layer.modules))
    is_accuracy = found.accuracy is not None
    values = [100 * (m.accuracy_without or 0.0) if is_accuracy else m.loss_without for m in layer.modules]
    whole = 100 * found.accuracy if found.accuracy is not None else found.loss
    for row, value, module in zip(rows, values, layer.modules, strict=True):
        colour = colour_of_module(module.number)
        ax.plot([whole, value], [row, row], color=colour, linewidth=5, alpha=0.35, solid_capstyle="butt")
        ax.plot(value, row, "o", color=colour, markersize=6)
    ax.axvline(whole, color=themed("black"), linewidth=0.9)
    ax.annotate("whole network", (whole, -0.5), (3 if not is_accuracy else -3, 2), textcoords="offset points",
                fontsize=7, ha="left" if not is_accuracy else "right", va="bottom")  # fmt: skip
    ax.set_yticks(rows, [str(m.number) for m in layer.modules])
    ax.set_ylim(len(rows) - 0.5, -0.9)
    ax.set_ylabel("module that is silenced")
    ax.set(xlabel="accuracy (%)" if is_accuracy else "loss", title="What is lost without each")


def _number(_: Explanation, layer: ExplainedLayer, __: ExplainedModule, ax: Axes) -> None:
    chosen = len(layer.modules)
    tiny = 1e-6
    curves = [("fitted maps", layer.curve, "-")] if layer.verdict != "shared" else []
    curves.append(("shared gates, own weights", layer.shared_curve, ":"))
    for name, curve, dashes in curves:
        if curve:
            values = np.maximum(list(curve.values()), tiny)
            ax.plot(list(curve), values, color=themed("black"), marker="o", markersize=3, linestyle=dashes, label=name)
    ax.axhline(max(layer.linear, tiny), color=GREY, linewidth=1.2, label="best linear map")
    ax.plot([chosen], [max(layer.error, tiny)], "o", markersize=9, markerfacecolor="none", color=COLOURS[1],
            label="chosen", linestyle="none")  # fmt: skip
    ax.set_yscale("log")
    ax.set_xticks(sorted({*layer.curve, *layer.shared_curve}))
    ax.legend(fontsize=7, loc="upper right", bbox_to_anchor=(1.0, 1.02))
    ax.margins(y=0.25)
    ax.set(xlabel="number of modules", ylabel="variance of outputs missed", title="How many modules")


def _baselines(_: Explanation, layer: ExplainedLayer, __: ExplainedModule, ax: Axes) -> None:
    names = [f"{len(layer.modules)} modules", *layer.baselines]
    values = [100 * layer.error, *(100 * v for v in layer.baselines.values())]
    rows = np.arange(len(names))
    best = int(np.argmin(values))  # if several are equal, the first: the modules
    bars = ax.barh(rows, values, color=[COLOURS[0] if row == best else GREY for row in rows], height=0.65)
    ax.bar_label(bars, [f"{v:.2g}" for v in values], padding=3, fontsize=7)
    ax.set_yticks(rows, names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.margins(x=0.15)
    ax.set(xlabel="variance of outputs missed (%)", title="Other methods")


def _adds(found: Explanation, layer: ExplainedLayer, module: ExplainedModule, ax: Axes) -> None:
    # one scale for all modules of a layer, so that their panels can be compared
    largest = max(float(np.abs(m.adds).max()) for m in layer.modules) or 1.0
    _signed(ax, module.adds, largest, "change of output")
    rows = found.group_names if len(module.adds) == len(found.group_names) else ("all",)
    ax.set_yticks(range(len(module.adds)), list(map(plain, rows)))
    _name_columns(ax, found.output_names)
    ax.set(xlabel="output", ylabel="group of data points")
    ax.set_title(f"What module {module.number} adds", color=colour_of_module(module.number))


def _by_input(found: Explanation, values: np.ndarray, names: list[str], label: str, unit: str, ax: Axes) -> None:
    """A table of something (outputs, data points) by input; inputs with names are rows, where names can be read."""
    is_named = bool(names) and len(found.feature_names) == values.shape[1] <= MAX_NAMED
    _signed(ax, values.T if is_named else values, float(np.abs(values).max()) or 1.0, unit)
    if is_named:
        ax.set_yticks(range(len(found.feature_names)), list(map(plain, found.feature_names)), fontsize=7)
        _name_columns(ax, names)
        ax.set_xlabel(label)
    else:
        ax.set_yticks(range(len(names)), list(map(plain, names)))
        ax.set(xlabel="input", ylabel=label)


def _map(found: Explanation, _: ExplainedLayer, module: ExplainedModule, ax: Axes) -> None:
    if not module.map.size or not module.map.any():
        ax.text(0.5, 0.5, "no map", ha="center", transform=ax.transAxes)
        ax.set_axis_off()
        return
    shape, picture = found.image_shape, module.map
    if shape is not None and module.map.shape[1] == np.prod(shape):
        left, __, right = np.linalg.svd(module.map, full_matrices=False)
        sign = np.sign(left[np.argmax(np.abs(left[:, 0])), 0])
        picture = (sign * right[0]).reshape(shape[-3:]) if len(shape) == 2 else (sign * right[0]).reshape(shape).mean(0)
    elif len(module.map) == 1 and shape is not None and (side := int(np.sqrt(module.map.size))) ** 2 == module.map.size:
        picture = module.map.reshape(side, side)
    is_image = picture is not module.map
    if is_image:
        _signed(ax, picture, float(np.abs(picture).max()))
        ax.set_axis_off()
    else:
        names = list(found.output_names) if len(picture) == len(found.output_names) else []
        _by_input(found, picture, names, "output", "output per input", ax)
    direction = module.directions[0].outputs[0][0] if module.directions and module.directions[0].outputs else ""
    words = f"Module {module.number} reads" + (f" (raises {plain(direction)})" if direction and is_image else "")
    ax.set_title(words, color=colour_of_module(module.number), fontsize=9)


def _examples(found: Explanation, _: ExplainedLayer, module: ExplainedModule, ax: Axes) -> None:
    rows = found.inputs[module.examples]
    shape = found.image_shape
    if shape is None:
        _by_input(found, rows, [str(i) for i in module.examples], "data point", "value of input", ax)
    else:
        pictures = rows.reshape(len(rows), *shape)
        pictures = pictures.mean(axis=1) if len(shape) == 3 else pictures
        padded = np.pad(pictures, ((0, 0), (1, 1), (1, 1)), constant_values=float(pictures.min()))
        half = -(-len(padded) // 2)
        blank = np.full_like(padded[0], float(pictures.min()))
        grid = [*padded, *[blank] * (2 * half - len(padded))]
        ax.imshow(np.vstack([np.hstack(grid[:half]), np.hstack(grid[half:])]), cmap=SIZES, interpolation="nearest")
        ax.set_axis_off()
    ax.set_title(f"Drive module {module.number} most", color=colour_of_module(module.number), fontsize=9)


def _training(found: Explanation, layer: ExplainedLayer, _: ExplainedModule, ax: Axes) -> None:
    for module in layer.modules:
        if len(module.contributions) == len(found.times):
            ax.plot(found.times, module.contributions, color=colour_of_module(module.number), marker="o", markersize=3,
                    label=f"module {module.number}")  # fmt: skip
            ax.plot(module.active_at, np.interp(module.active_at, found.times, module.contributions), "o",
                    color=colour_of_module(module.number), markersize=8, markerfacecolor="none")  # fmt: skip
    ax.legend(fontsize=7)
    ax.set_xlabel("training step" if found.times[-1] >= len(found.times) else "checkpoint")
    ax.set(ylabel="contribution to the outputs", title="When each becomes active")


def _pathways(found: Explanation, _: ExplainedLayer, __: ExplainedModule, ax: Axes) -> None:
    """Columns are layers, circles modules (area: share of the layer's contribution), lines what feeds what."""
    columns = [len(layer.modules) for layer in found.layers]
    last, count = len(columns), min(len(found.output_names), MAX_OUTPUTS)
    place = {(c, i): (float(c), 1 - (i + 0.5) / n) for c, n in enumerate([*columns, count]) for i in range(n)}
    for c, layer in enumerate(found.layers[1:], start=1):
        for (i, j), share in np.ndenumerate(layer.feeds):
            _line(ax, place[c - 1, i], place[c, j], float(share), colour_of_module(int(i) + 1))
    # the signed contribution of a module to each output is that to the group to which it adds most
    adds = np.array([module.adds for module in found.layers[-1].modules])[:, :, :count]
    ends = np.take_along_axis(adds, np.abs(adds).argmax(axis=1, keepdims=True), axis=1)[:, 0]
    total = np.abs(ends).sum(axis=0)
    shares = ends / np.where(total > 0, total, 1.0)
    weakest = np.sort(np.abs(shares), axis=0)[-min(MAX_LINES, len(shares))]
    for (i, j), value in np.ndenumerate(np.where(np.abs(shares) >= weakest, shares, 0.0)):
        _line(ax, place[last - 1, i], place[last, j], float(value), colour_of_module(int(i) + 1))
    # a module has the height of its column over their number, in points, for its circle and the words below it
    room = ax.get_window_extent().height * 72 / ax.figure.dpi / HEIGHT / max(columns)
    for c, layer in enumerate(found.layers):
        for i, module in enumerate(layer.modules):
            size = min(np.sqrt(120 + 900 * module.share), max(room - 1.4 * WORDS, WORDS))
            ax.scatter(*place[c, i], s=size**2, color=colour_of_module(module.number), zorder=3)
            ax.text(*place[c, i], str(module.number), ha="center", va="center", color="white",
                    fontsize=min(8, 0.8 * size), zorder=4)  # fmt: skip
            often = module.often_on(found.group_names) if layer.positions == 1 else []
            if 0 < len(often) <= min(MAX_GROUPS, len(found.group_names) - 1):
                ax.annotate(
                    ", ".join(often), place[c, i], (0, -size / 2 - 1), textcoords="offset points", ha="center",
                    va="top", fontsize=WORDS, color="0.2", zorder=4,
                    bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.4},
                )  # fmt: skip
        ax.text(c, 1.12, f"layer {layer.number}", ha="center", fontsize=8)
    for i in range(count):
        ax.text(last + 0.06, place[last, i][1], plain(found.output_names[i]), va="center", fontsize=8)
    ax.text(last, 1.12, "outputs", ha="center", fontsize=8)
    ax.set_xlim(-0.35, last + 0.5)
    ax.set_ylim(1.2 - HEIGHT, 1.2)
    ax.set_axis_off()


def _line(ax: Axes, start: tuple[float, float], end: tuple[float, float], share: float, colour: str) -> None:
    if abs(share) < FAINT:
        return
    ax.plot(
        [start[0], end[0]], [start[1], end[1]], color=colour,
        linewidth=0.5 + 6 * min(abs(share), 1.0), alpha=0.45, linestyle="-" if share > 0 else (0, (2, 1.2)),
        solid_capstyle="butt", zorder=1,
    )  # fmt: skip


VIEWS: Mapping[str, Callable[[Explanation, ExplainedLayer, ExplainedModule, Axes], None]] = {
    "on": _on, "silenced": _silenced, "number": _number, "baselines": _baselines, "adds": _adds, "map": _map,
    "examples": _examples, "pathways": _pathways, "training": _training,
}  # fmt: skip
"""Drawings of an explanation, of a layer and of a module."""


STYLE = """
td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.dot{display:inline-block;width:.8em;height:.8em;border-radius:50%;margin-right:.4em}
@media (prefers-color-scheme:dark){.dot{filter:invert(.925) hue-rotate(180deg)}}
"""


def _figure(
    found: Explanation, views: Sequence[str], layers: Sequence[int], finding: str, rest: str,
    size: tuple[float, float], *, rows: int = 1, module: int = 1,
) -> str:  # fmt: skip
    """Panels with their caption, which is the alternative text too: a view and a layer for each."""
    import matplotlib as mpl

    stream = io.BytesIO()
    with style(), mpl.rc_context({"svg.fonttype": "path"}):
        figure, axes = panels(rows, len(views) // rows, width=size[0], height=size[1])
        for ax, view, layer in zip(axes, views, layers, strict=True):
            found.draw(ax, view, layer, module)
        figure.savefig(stream, format="svg")
    data = base64.b64encode(stream.getvalue()).decode()
    return (
        f'<figure><img alt="{escape(finding + " " + rest, quote=True)}" src="data:image/svg+xml;base64,{data}">'
        f"<figcaption><b>{escape(finding)}</b> {escape(rest)}</figcaption></figure>"
    )


def _overview(found: Explanation, layer: ExplainedLayer) -> str:
    names = {"shared": "share one gate each", "fitted": "have fitted maps", "none": "have fitted maps"}
    where = " (share of positions)" if layer.positions > 1 else ""
    return _figure(
        found, ["on", "silenced", "number", "baselines"], [layer.number] * 4,
        f"{len(layer.modules)} modules, whose {layer.kind} {names[layer.verdict]}, miss {100 * layer.error:.2g} % of "
        f"the variance of the outputs; the best linear map misses {100 * layer.linear:.2g} %.",
        f"a, how often each module is on, by group of data points{where}. b, the network with one module silenced. "
        "c, error by number of modules, with fitted maps on data points held out, and with the network's own weights "
        "switched by shared gates. d, the same error for other ways to divide the layer into as many parts.",
        (4.6, 3.0), rows=2,
    )  # fmt: skip


def _modules(found: Explanation, layer: ExplainedLayer) -> str:
    """One figure per module; its caption is the module's sentence."""
    images = found.image_shape is not None
    views = ["adds", "map", "examples"] if images else ["adds", "map"]
    if layer.positions > 1:
        pictures = "b, the patch to which the channels of the module respond most alike."
    elif images:
        pictures = "b, the direction of the inputs along which the module changes the outputs most; red raises the "
        pictures += "output named, blue lowers it."
    else:
        pictures = "b, its linear map from inputs to outputs, mean over the points where it is on."
    if images:
        pictures += " c, the data points at which it changes the outputs most."
    rest = (
        "a, by how much the outputs are higher with the module than without it, mean over each group of data points; "
        f"one colour scale for all modules of the layer. {pictures}"
    )
    size, figures = (3.1 if images else 4.6, 2.4), []
    for module in layer.modules:
        # the panels are explained once; the pattern of a gate is in panel a of the layer
        words = module.sentence(layer.kind, found.group_names), rest if module.number == 1 else ""
        figures.append(_figure(found, views, [layer.number] * len(views), *words, size, module=module.number))
    return "".join(figures)


def _table(found: Explanation, layer: ExplainedLayer) -> str:
    head = ("module", "units", "on", "on most for", "tells apart", "loss without", "accuracy without",
            "adds most confusion", "reads", "examples")  # fmt: skip
    rows = []
    for m in layer.modules:
        top = m.on_rates.argsort()[::-1][:3] if len(found.group_names) == len(m.on_rates) else []
        features = m.directions[0].features[:3] if m.directions else ()
        rows.append([
            f'<td><span class="dot" style="background:{colour_of_module(m.number)}"></span>{m.number}</td>',
            _cell(str(len(m.units)), True),
            _cell(f"{100 * m.on_rate:.0f} %", True),
            _cell(", ".join(f"{found.group_names[i]} ({100 * m.on_rates[i]:.0f} %)" for i in top)),
            _cell("; ".join(f"{a} from {b} ({gain:+.2g})" for a, b, gain in m.separates[:2])),
            _cell(f"{m.loss_without:.3g}", True),
            _cell("" if m.accuracy_without is None else f"{100 * m.accuracy_without:.1f} %", True),
            _cell("; ".join(f"{a} as {b} ({100 * p:.0f} → {100 * q:.0f} %)" for a, b, p, q in m.confuses[:2])),
            _cell(", ".join(f"{name} {weight:+.2f}" for name, weight in features)),
            _cell(", ".join(map(str, m.examples[:5]))),
        ])  # fmt: skip
    return _rows(head, rows)


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["".join(f"<th>{escape(name)}</th>" for name in head), *map("".join, rows)]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _cell(text: str, is_number: bool = False) -> str:
    return f"<td{' class=n' if is_number else ''}>{escape(text)}</td>"


def _events(found: Explanation) -> str:
    text = "<ul>" + "".join(f"<li>{escape(event.text)}</li>" for event in found.events) + "</ul>"
    if not found.matches:
        return text
    head = ("module found", "module predicted", "data points on alike", "active at", "predicted at")
    rows = []
    for m in found.matches:
        alike = "" if m.found is None or m.predicted is None else f"{100 * m.agreement:.0f} %"
        cells = (m.found, m.predicted, alike, m.found_at, m.predicted_at)
        words = ("none" if c is None else c if isinstance(c, str) else f"{c:g}" for c in cells)
        rows.append([_cell(word, True) for word in words])
    note = "" if all(m.found_at or m.predicted_at for m in found.matches) else (
        "<p>A module that is active at the first checkpoint already has no time there, since none can be predicted.</p>"
    )  # fmt: skip
    return f"{text}<p>Modules that the theory predicts from the first checkpoint:</p>{_rows(head, rows)}{note}"

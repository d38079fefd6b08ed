"""A network's modules, drawn: when each is on, what it adds, what is lost without it, and which feeds which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from festina.checks import check
from festina.core.look import COLOURS, SIGNS, SIZES, colour_of_module, plain, themed
from festina.explanation._findings import OFTEN, ExplainedLayer, ExplainedModule, Findings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

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


def draw(found: Findings, ax: Axes, view: str, layer: int | None, module: int) -> None:
    """Draw one view of an explanation; ``fs.plot.explanation`` says which there are."""
    check.known("view", view, VIEWS)
    number = len(found.layers) if layer is None else check.whole("layer", layer)
    if number > len(found.layers):
        raise ValueError(f"layer is {layer}; the hidden layers are 1 to {len(found.layers)}.")
    own = found.layers[number - 1]
    if check.whole("module", module) > len(own.modules):
        raise ValueError(f"module is {module}; the modules of hidden layer {number} are 1 to {len(own.modules)}.")
    VIEWS[view](found, own, own.modules[module - 1], ax)


def _on(found: Findings, layer: ExplainedLayer, _: ExplainedModule, ax: Axes) -> None:
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
        names = list(map(plain, found.group_names))
        ax.set_xticks(range(values.shape[1]), names, rotation=45 if _long(found.group_names) else 0)
        ax.set_xlabel("group of data points")
    else:
        ax.set_xlabel("data point")
    ax.set_yticks(range(len(layer.modules)), [str(module.number) for module in layer.modules])
    ax.set_ylabel("module")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.set_title("How often each is on (%)" if grouped else "Where each is on")


def _long(names: tuple[str, ...]) -> bool:
    return max(map(len, names)) * len(names) > 40


def _silenced(found: Findings, layer: ExplainedLayer, _: ExplainedModule, ax: Axes) -> None:
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
    ax.set_xlabel("accuracy (%)" if is_accuracy else "loss")
    ax.set_title("What is lost without each")


def _number(_: Findings, layer: ExplainedLayer, __: ExplainedModule, ax: Axes) -> None:
    chosen = len(layer.modules)
    tiny = 1e-6
    curves = [("fitted maps", layer.curve, "-")] if layer.verdict != "shared" else []
    curves.append(("shared gates, own weights", layer.shared_curve, ":"))
    for name, curve, style in curves:
        if curve:
            values = np.maximum(list(curve.values()), tiny)
            ax.plot(list(curve), values, color=themed("black"), marker="o", markersize=3, linestyle=style, label=name)
    ax.axhline(max(layer.linear, tiny), color=GREY, linewidth=1.2, label="best linear map")
    ax.plot([chosen], [max(layer.error, tiny)], "o", markersize=9, markerfacecolor="none", color=COLOURS[1],
            label="chosen", linestyle="none")  # fmt: skip
    ax.set_yscale("log")
    ax.set_xticks(sorted({*layer.curve, *layer.shared_curve}))
    ax.legend(fontsize=7, loc="upper right", bbox_to_anchor=(1.0, 1.02))
    ax.margins(y=0.25)
    ax.set_xlabel("number of modules")
    ax.set_ylabel("variance of outputs missed")
    ax.set_title("How many modules")


def _baselines(_: Findings, layer: ExplainedLayer, __: ExplainedModule, ax: Axes) -> None:
    names = [f"{len(layer.modules)} modules", *layer.baselines]
    values = [100 * layer.error, *(100 * v for v in layer.baselines.values())]
    rows = np.arange(len(names))
    best = int(np.argmin(values))  # if several are equal, the first: the modules
    bars = ax.barh(rows, values, color=[COLOURS[0] if row == best else GREY for row in rows], height=0.65)
    ax.bar_label(bars, [f"{v:.2g}" for v in values], padding=3, fontsize=7)
    ax.set_yticks(rows, names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.margins(x=0.15)
    ax.set_xlabel("variance of outputs missed (%)")
    ax.set_title("Other methods")


def _adds(found: Findings, layer: ExplainedLayer, module: ExplainedModule, ax: Axes) -> None:
    # one scale for all modules of a layer, so that their panels can be compared
    largest = max(float(np.abs(m.adds).max()) for m in layer.modules) or 1.0
    image = ax.imshow(module.adds, cmap=SIGNS, vmin=-largest, vmax=largest, aspect="auto", interpolation="nearest")
    rows = found.group_names if len(module.adds) == len(found.group_names) else ("all",)
    ax.set_yticks(range(len(module.adds)), list(map(plain, rows)))
    turn = 45 if _long(found.output_names) else 0
    ax.set_xticks(range(module.adds.shape[1]), list(map(plain, found.output_names)), rotation=turn)
    _colour_bar(image, ax, "change of output")
    ax.set_xlabel("output")
    ax.set_ylabel("group of data points")
    ax.set_title(f"What module {module.number} adds", color=colour_of_module(module.number))


def _colour_bar(image: AxesImage, ax: Axes, label: str) -> None:
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8)
    bar.ax.tick_params(labelsize=7)
    bar.set_label(label, fontsize=7)


def _by_input(found: Findings, values: np.ndarray, names: list[str], label: str, unit: str, ax: Axes) -> None:
    """A table of something (outputs, data points) by input; inputs with names are rows, where names can be read."""
    is_named = bool(names) and len(found.feature_names) == values.shape[1] <= MAX_NAMED
    largest = float(np.abs(values).max()) or 1.0
    image = ax.imshow(values.T if is_named else values, cmap=SIGNS, vmin=-largest, vmax=largest, aspect="auto",
                      interpolation="nearest")  # fmt: skip
    if is_named:
        ax.set_yticks(range(len(found.feature_names)), list(map(plain, found.feature_names)), fontsize=7)
        ax.set_xticks(range(len(names)), list(map(plain, names)), rotation=45 if _long(tuple(names)) else 0)
        ax.set_xlabel(label)
    else:
        ax.set_yticks(range(len(names)), list(map(plain, names)))
        ax.set(xlabel="input", ylabel=label)
    _colour_bar(image, ax, unit)


def _map(found: Findings, _: ExplainedLayer, module: ExplainedModule, ax: Axes) -> None:
    if not module.map.size or not module.map.any():
        ax.text(0.5, 0.5, "no map", ha="center", transform=ax.transAxes)
        ax.set_axis_off()
        return
    shape = found.image_shape
    if shape is not None and module.map.shape[1] == np.prod(shape):
        left, __, right = np.linalg.svd(module.map, full_matrices=False)
        sign = np.sign(left[np.argmax(np.abs(left[:, 0])), 0])
        picture = (sign * right[0]).reshape(shape[-3:]) if len(shape) == 2 else (sign * right[0]).reshape(shape).mean(0)
    elif len(module.map) == 1 and found.image_shape is not None:
        side = int(np.sqrt(module.map.shape[1]))
        picture = module.map.reshape(side, -1) if side**2 == module.map.shape[1] else module.map
    else:
        picture = module.map
    is_image = picture is not module.map
    if is_image:
        largest = float(np.abs(picture).max())
        ax.imshow(picture, cmap=SIGNS, vmin=-largest, vmax=largest, aspect="equal", interpolation="nearest")
        ax.set_axis_off()
    else:
        names = list(found.output_names) if len(picture) == len(found.output_names) else []
        _by_input(found, picture, names, "output", "output per input", ax)
    direction = module.directions[0].outputs[0][0] if module.directions and module.directions[0].outputs else ""
    words = f"Module {module.number} reads" + (f" (raises {plain(direction)})" if direction and is_image else "")
    ax.set_title(words, color=colour_of_module(module.number), fontsize=9)


def _examples(found: Findings, _: ExplainedLayer, module: ExplainedModule, ax: Axes) -> None:
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


def _training(found: Findings, layer: ExplainedLayer, _: ExplainedModule, ax: Axes) -> None:
    for module in layer.modules:
        if len(module.contributions) == len(found.times):
            ax.plot(found.times, module.contributions, color=colour_of_module(module.number), marker="o", markersize=3,
                    label=f"module {module.number}")  # fmt: skip
            ax.plot(module.active_at, np.interp(module.active_at, found.times, module.contributions), "o",
                    color=colour_of_module(module.number), markersize=8, markerfacecolor="none")  # fmt: skip
    ax.legend(fontsize=7)
    ax.set_xlabel("training step" if found.times[-1] >= len(found.times) else "checkpoint")
    ax.set_ylabel("contribution to the outputs")
    ax.set_title("When each becomes active")


def _pathways(found: Findings, _: ExplainedLayer, __: ExplainedModule, ax: Axes) -> None:
    """Columns are layers, circles modules (area: share of the layer's contribution), lines what feeds what."""
    columns = [len(layer.modules) for layer in found.layers]
    place = {(c, i): (float(c), _height(i, n)) for c, n in enumerate(columns) for i in range(n)}
    count = min(len(found.output_names), MAX_OUTPUTS)
    last = len(columns)
    place |= {(last, i): (float(last), _height(i, count)) for i in range(count)}
    for c, layer in enumerate(found.layers[1:], start=1):
        for (i, j), share in np.ndenumerate(layer.feeds):
            _line(ax, place[c - 1, i], place[c, j], float(share), colour_of_module(int(i) + 1))
    ends = np.array([_reach(module) for module in found.layers[-1].modules])[:, :count]
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
            if layer.positions == 1 and (words := _on_for(module, found.group_names)):
                ax.annotate(
                    words, place[c, i], (0, -size / 2 - 1), textcoords="offset points", ha="center", va="top",
                    fontsize=WORDS, color="0.2", zorder=4,
                    bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.4},
                )  # fmt: skip
        ax.text(c, 1.12, f"layer {layer.number}", ha="center", fontsize=8)
    for i in range(count):
        ax.text(last + 0.06, place[last, i][1], plain(found.output_names[i]), va="center", fontsize=8)
    ax.text(last, 1.12, "outputs", ha="center", fontsize=8)
    ax.set_xlim(-0.35, last + 0.5)
    ax.set_ylim(1.2 - HEIGHT, 1.2)
    ax.set_axis_off()


def _height(i: int, count: int) -> float:
    return 1 - (i + 0.5) / count


def _on_for(module: ExplainedModule, groups: Sequence[str]) -> str:
    """The groups for which a module is on, if these are few."""
    if len(module.on_rates) != len(groups):
        return ""
    often = [groups[int(i)] for i in np.argsort(-module.on_rates, kind="stable") if module.on_rates[i] >= OFTEN]
    return ", ".join(often) if 0 < len(often) <= min(MAX_GROUPS, len(groups) - 1) else ""


def _reach(module: ExplainedModule) -> np.ndarray:
    """Signed contribution of a module to each output: means over the groups in which it adds most and least."""
    strongest = np.argmax(np.abs(module.adds), axis=0)
    return module.adds[strongest, np.arange(module.adds.shape[1])]


def _line(ax: Axes, start: tuple[float, float], end: tuple[float, float], share: float, colour: str) -> None:
    if abs(share) < FAINT:
        return
    ax.plot(
        [start[0], end[0]], [start[1], end[1]], color=colour,
        linewidth=0.5 + 6 * min(abs(share), 1.0), alpha=0.45, linestyle="-" if share > 0 else (0, (2, 1.2)),
        solid_capstyle="butt", zorder=1,
    )  # fmt: skip


VIEWS: Mapping[str, Callable[[Findings, ExplainedLayer, ExplainedModule, Axes], None]] = {
    "on": _on, "silenced": _silenced, "number": _number, "baselines": _baselines, "adds": _adds, "map": _map,
    "examples": _examples, "pathways": _pathways, "training": _training,
}  # fmt: skip
"""Drawings of an explanation, of a layer and of a module."""

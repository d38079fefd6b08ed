"""A network's modules, drawn: when each is on, what it adds, what is lost without it, and which feeds which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from festina.checks import check
from festina.core.look import COLOURS, MODULE_COLOURS, colour_of_module
from festina.explanation._pathways import draw_pathways

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

    from festina.explanation._explanation import Explanation
    from festina.explanation._module import ExplainedLayer, ExplainedModule

VIEWS = ("on", "silenced", "number", "baselines", "adds", "map", "examples", "pathways", "training")

GREY = "0.65"
MAX_NAMED = 20
"""Inputs up to which their names are written along an axis."""

MAX_POINTS = 200
"""Data points up to which a gate is drawn point by point where there are no groups."""


def draw(found: Explanation, ax: Axes, view: str, layer: int | None, module: int) -> None:
    """Draw one view of an explanation; ``fs.plot.explanation`` says which there are."""
    check.known("view", view, VIEWS)
    number = len(found.layers) if layer is None else check.whole("layer", layer)
    if number > len(found.layers):
        raise ValueError(f"layer is {layer}; the hidden layers are 1 to {len(found.layers)}.")
    own = found.layers[number - 1]
    if check.whole("module", module) > len(own.modules):
        raise ValueError(f"module is {module}; the modules of hidden layer {number} are 1 to {len(own.modules)}.")
    one = own.modules[module - 1]
    if view == "on":
        _on(found, own, ax)
    elif view == "silenced":
        _silenced(found, own, ax)
    elif view == "number":
        _number(own, ax)
    elif view == "baselines":
        _baselines(own, ax)
    elif view == "adds":
        _adds(found, one, ax)
    elif view == "map":
        _map(found, one, ax)
    elif view == "examples":
        _examples(found, one, ax)
    elif view == "pathways":
        draw_pathways(found, ax, MODULE_COLOURS)
    else:
        _training(found, own, ax)


def _on(found: Explanation, layer: ExplainedLayer, ax: Axes) -> None:
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
        ax.set_xticks(range(values.shape[1]), list(found.group_names), rotation=45 if _long(found.group_names) else 0)
        ax.set_xlabel("group of data points")
    else:
        ax.set_xlabel("data point")
    _module_ticks(layer, ax, "y")
    ax.set_title("How often each is on (%)" if grouped else "Where each is on")


def _long(names: tuple[str, ...]) -> bool:
    return max(map(len, names)) * len(names) > 40


def _module_ticks(layer: ExplainedLayer, ax: Axes, which: str) -> None:
    words = [f"{m.number}" for m in layer.modules]
    if which == "y":
        ax.set_yticks(range(len(words)), words)
        ax.set_ylabel("module")
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.tick_params(length=0)


def _silenced(found: Explanation, layer: ExplainedLayer, ax: Axes) -> None:
    rows = np.arange(len(layer.modules))
    is_accuracy = found.accuracy is not None
    values = [100 * (m.accuracy_without or 0.0) if is_accuracy else m.loss_without for m in layer.modules]
    whole = 100 * found.accuracy if found.accuracy is not None else found.loss
    for row, value, module in zip(rows, values, layer.modules, strict=True):
        ax.plot(
            [whole, value],
            [row, row],
            color=colour_of_module(module.number),
            linewidth=5,
            alpha=0.35,
            solid_capstyle="butt",
        )
        ax.plot(value, row, "o", color=colour_of_module(module.number), markersize=6)
    ax.axvline(whole, color="black", linewidth=0.9)
    ax.annotate("whole network", (whole, -0.5), (3 if not is_accuracy else -3, 2), textcoords="offset points",
                fontsize=7, ha="left" if not is_accuracy else "right", va="bottom")  # fmt: skip
    ax.set_yticks(rows, [str(m.number) for m in layer.modules])
    ax.set_ylim(len(rows) - 0.5, -0.9)
    ax.set_ylabel("module that is silenced")
    ax.set_xlabel("accuracy (%)" if is_accuracy else "loss")
    ax.set_title("What is lost without each")


def _number(layer: ExplainedLayer, ax: Axes) -> None:
    chosen = len(layer.modules)
    tiny = 1e-6
    curves = [("fitted maps", layer.curve, "-")] if layer.verdict != "shared" else []
    curves.append(("shared gates, own weights", layer.shared_curve, ":"))
    for name, curve, style in curves:
        if curve:
            values = np.maximum(list(curve.values()), tiny)
            ax.plot(list(curve), values, color="black", marker="o", markersize=3, linestyle=style, label=name)
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


def _baselines(layer: ExplainedLayer, ax: Axes) -> None:
    names = [f"{len(layer.modules)} modules", *layer.baselines]
    values = [100 * layer.error, *(100 * v for v in layer.baselines.values())]
    rows = np.arange(len(names))
    bars = ax.barh(rows, values, color=[COLOURS[0], *[GREY] * len(layer.baselines)], height=0.65)
    ax.bar_label(bars, [f"{v:.2g}" for v in values], padding=3, fontsize=7)
    ax.set_yticks(rows, names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.margins(x=0.15)
    ax.set_xlabel("variance of outputs missed (%)")
    ax.set_title("Beside other ways")


def _adds(found: Explanation, module: ExplainedModule, ax: Axes) -> None:
    layer = next(each for each in found.layers if any(m is module for m in each.modules))
    # one scale for all modules of a layer, so that their panels can be compared
    largest = max(float(np.abs(m.adds).max()) for m in layer.modules) or 1.0
    image = ax.imshow(module.adds, cmap="RdBu_r", vmin=-largest, vmax=largest, aspect="auto", interpolation="nearest")
    rows = found.group_names if len(module.adds) == len(found.group_names) else ("all",)
    ax.set_yticks(range(len(module.adds)), list(rows))
    turn = 45 if _long(found.output_names) else 0
    ax.set_xticks(range(module.adds.shape[1]), list(found.output_names), rotation=turn)
    _colour_bar(image, ax, "change of output")
    ax.set_xlabel("output")
    ax.set_ylabel("group of data points")
    ax.set_title(f"What module {module.number} adds", color=colour_of_module(module.number))


def _colour_bar(image: AxesImage, ax: Axes, label: str) -> None:
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8)
    bar.ax.tick_params(labelsize=7)
    bar.set_label(label, fontsize=7)


def _by_input(found: Explanation, values: np.ndarray, names: list[str], label: str, unit: str, ax: Axes) -> None:
    """A table of something (outputs, data points) by input; inputs with names are rows, where names can be read."""
    is_named = bool(names) and len(found.feature_names) == values.shape[1] <= MAX_NAMED
    largest = float(np.abs(values).max()) or 1.0
    image = ax.imshow(values.T if is_named else values, cmap="RdBu_r", vmin=-largest, vmax=largest, aspect="auto",
                      interpolation="nearest")  # fmt: skip
    if is_named:
        ax.set_yticks(range(len(found.feature_names)), list(found.feature_names), fontsize=7)
        ax.set_xticks(range(len(names)), names, rotation=45 if _long(tuple(names)) else 0)
        ax.set_xlabel(label)
    else:
        ax.set_yticks(range(len(names)), names)
        ax.set(xlabel="input", ylabel=label)
    _colour_bar(image, ax, unit)


def _map(found: Explanation, module: ExplainedModule, ax: Axes) -> None:
    if not module.map.size or not module.map.any():
        ax.text(0.5, 0.5, "no map", ha="center", transform=ax.transAxes)
        ax.set_axis_off()
        return
    shape = found.image_shape
    if shape is not None and module.map.shape[1] == np.prod(shape):
        left, _, right = np.linalg.svd(module.map, full_matrices=False)
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
        ax.imshow(picture, cmap="RdBu_r", vmin=-largest, vmax=largest, aspect="equal", interpolation="nearest")
        ax.set_axis_off()
    else:
        names = list(found.output_names) if len(picture) == len(found.output_names) else []
        _by_input(found, picture, names, "output", "output per input", ax)
    direction = module.directions[0].outputs[0][0] if module.directions and module.directions[0].outputs else ""
    words = f"Module {module.number} reads" + (f" (raises {direction})" if direction and is_image else "")
    ax.set_title(words, color=colour_of_module(module.number), fontsize=9)


def _examples(found: Explanation, module: ExplainedModule, ax: Axes) -> None:
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
        ax.imshow(np.vstack([np.hstack(grid[:half]), np.hstack(grid[half:])]), cmap="Greys", interpolation="nearest")
        ax.set_axis_off()
    ax.set_title(f"Drive module {module.number} most", color=colour_of_module(module.number), fontsize=9)


def _training(found: Explanation, layer: ExplainedLayer, ax: Axes) -> None:
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

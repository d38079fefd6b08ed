"""A network's modules: what each sees, what it is good for, and how well they imitate the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from festina import _check
from festina.plot._house import COLOURS, axis
from festina.explanation import Explanation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

VIEWS: tuple[str, ...] = ("modules", "use", "number", "outputs", "training")


def explanation(found: Explanation, ax: Axes | None = None, *, view: str = "modules", layer: int | None = None) -> Axes:
    """Draw an explanation of a network.

    Args:
        found: what ``fs.explain`` gave.
        ax: where to draw; None is pyplot's current axes.
        view: ``"modules"``: a row per module, dark at the data points it sees; ``"use"``: the share of the output that
            goes with each module, and the loss without it; ``"number"``: imitation error by number of modules;
            ``"outputs"``: outputs of the gated network against those of the network; ``"training"``: imitation error
            and loss at the checkpoints.
        layer: hidden layer, from 1; None is the last.

    Returns:
        The axes.

    Raises:
        ValueError: an unknown view, or a layer that the network does not have.

    Example:
        >>> import numpy as np, festina as fs
        >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1], [1], [2]])
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.explanation(found, ax, view="modules").get_xlabel()
        'data point'
    """
    ax = axis(ax)
    _check.known("view", view, VIEWS)
    number = len(found.layers) if layer is None else layer
    if not 1 <= number <= len(found.layers):
        raise ValueError(f"layer is {layer}; the hidden layers are 1 to {len(found.layers)}.")
    dict(zip(VIEWS, (_modules, _use, _number, _outputs, _training), strict=True))[view](found, ax, number)
    return ax


def _modules(found: Explanation, ax: Axes, number: int) -> None:
    from matplotlib.colors import to_rgb

    modules = found.layers[number - 1].modules
    image = np.ones((len(modules), len(modules[0].pattern), 3))
    for i, module in enumerate(modules):
        image[i, module.pattern] = to_rgb(COLOURS[i % len(COLOURS)])
    ax.imshow(image, aspect="auto", interpolation="nearest")
    for edge in range(1, len(modules)):
        ax.axhline(edge - 0.5, color="white", linewidth=2)
    words = [f"{i + 1}: {len(m.units)} units" for i, m in enumerate(modules)]
    ax.set_yticks(range(len(modules)), words)
    ax.set_xlabel("data point")
    ax.set_title(f"Modules, hidden layer {number}")


def _use(found: Explanation, ax: Axes, number: int) -> None:
    modules = found.layers[number - 1].modules
    rows = np.arange(len(modules))
    colours = [COLOURS[i % len(COLOURS)] for i in rows]
    bars = ax.barh(rows, [100 * m.output for m in modules], color=colours, height=0.7)
    ax.bar_label(bars, [f"{m.loss_without:.2g}" for m in modules], padding=3, fontsize=8)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.margins(x=0.18)
    ax.set_yticks(rows, [str(i + 1) for i in rows])
    ax.set_ylim(len(modules) - 0.5, -0.5)
    ax.set_ylabel("module")
    ax.set_xlabel("share of the output (%)")
    ax.set_title(f"Use (loss without; with all {found.loss:.2g})")


def _number(found: Explanation, ax: Axes, number: int) -> None:
    tried = found.layers[number - 1].imitation
    values = np.maximum(list(tried.values()), np.finfo(float).eps)
    ax.plot(list(tried), values, color=COLOURS[0], marker="o", markersize=4)
    ax.set_xticks(list(tried))
    ax.set_yscale("log")
    ax.set_xlabel("modules")
    ax.set_ylabel("imitation error")
    ax.set_title(f"How many, hidden layer {number}")


def _outputs(found: Explanation, ax: Axes, number: int) -> None:
    ax.scatter(found.outputs, found.imitated, s=8, color=COLOURS[0], alpha=0.5, linewidth=0)
    ends = [min(found.outputs.min(), found.imitated.min()), max(found.outputs.max(), found.imitated.max())]
    ax.plot(ends, ends, color="black", linewidth=0.8)
    ax.set_xlabel("output of the network")
    ax.set_ylabel("output of its modules")
    ax.set_title(f"Imitation error {found.error:.2g}")


def _training(found: Explanation, ax: Axes, number: int) -> None:
    floor = np.finfo(float).eps
    for values, name, colour in ((found.losses / found.losses.max(), "loss, relative", COLOURS[6]),
                                 (found.errors, "imitation error", COLOURS[0])):  # fmt: skip
        ax.plot(found.times, np.maximum(values, floor), color=colour, marker="o", markersize=3, label=name)
    ax.set_yscale("log")
    ax.legend()
    ax.set_xlabel("checkpoint")
    ax.set_title("Over training")

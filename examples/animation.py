"""The README's animation: a tree of eight items grows while the loss falls, first predicted, then trained.

Run it with ``python examples/animation.py [FOLDER]``; it writes ``learning.svg`` and ``learning_dark.svg``, which
move by themselves in a browser and show their last frame where nothing can move.
"""

import sys
from pathlib import Path

import numpy as np

import festina as fs

WIDTH, LEFT, RIGHT = 900, 60, 780
TREE, LOSS = (64, 284), (318, 424)  # from top to bottom, in pixels
PREDICTS, TRAINS, RESTS = 2.5, 6.0, 3.5  # seconds of the animation
GREY = "#777777"
# trained is mixed with the ground, predicted with what stands out from it: the share, and the grey from 0 to 255
LIGHT = {"ground": "#ffffff", "ink": "#444444", "faint": "#bbbbbb", "trained": (0.6, 255), "predicted": (0.4, 0)}
DARK = {"ground": "#151d27", "ink": "#c3ccd6", "faint": "#465364", "trained": (0.55, 30), "predicted": (0.4, 255)}
KINDS = {"birds": "#0072B2", "fish": "#D55E00", "trees": "#009E73", "flowers": "#CC79A7"}
COLOURS = [colour for colour in KINDS.values() for _ in range(2)]
LEVELS = ("everything", "kingdoms", "kinds", "single things")

task, times = fs.tasks.living_things(8), np.linspace(0, 75, 151)
network = fs.DeepLinear(hidden=(64,), initial=fs.initial.Gaussian(1e-3))
watch = ("loss", "outputs", "strengths")
theory = fs.evolve(network, task, times, method=fs.Reduced(), observe=watch)
training = fs.evolve(network, task, times, method=fs.Train(rate=0.02), observe=watch)
area = fs.compare(theory, training).area

# a fixed linear readout that puts the items in a row once everything is learned, and at zero before
places = np.linspace(1, -1, 8)
readout = np.linalg.lstsq(task.y, places, rcond=None)[0]
goals = np.unique(task.statistics.targets.round(6))[::-1]
risen = theory.rise_times()
moments = [float(np.mean(risen[np.isclose(task.statistics.targets, goal)])) for goal in goals]


def mixed(colour, share, towards):
    """A colour with a share of white (255) or black (0)."""
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round((1 - share) * part + share * towards):02x}" for part in parts)


def across(time):
    """Pixels from the left."""
    return LEFT + (RIGHT - LEFT) * np.asarray(time) / times[-1]


def path(values, low, high, top, bottom):
    """A curve over all times, as the path of an SVG."""
    down = bottom - (bottom - top) * (values - low) / (high - low)
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in zip(across(times), down, strict=True))


def gradient(name, item, theme):
    """Grey until the kinds part, then the colour of the kind."""
    stops = ((moments[2] - 4, GREY), (moments[2] + 2, COLOURS[item]))
    marks = "".join(f'<stop offset="{t / times[-1]:.3f}" stop-color="{mixed(c, *theme[name])}"/>' for t, c in stops)
    ends = f'x1="{LEFT}" x2="{RIGHT}" y1="0" y2="0" gradientUnits="userSpaceOnUse"'
    return f'<linearGradient id="{name}{item}" {ends}>{marks}</linearGradient>'


def sweep(name, begin, seconds):
    """What is shown from the left to the right between two moments of a loop; all of it where nothing moves."""
    whole = PREDICTS + TRAINS + RESTS
    keys = f"0;{begin / whole:.3f};{(begin + seconds) / whole:.3f};1"
    values = f"0;0;{RIGHT - LEFT + 8};{RIGHT - LEFT + 8}"
    moving = (
        f'<animate attributeName="width" dur="{whole}s" repeatCount="indefinite" keyTimes="{keys}" values="{values}"/>'
    )
    shown = f'<rect x="{LEFT}" y="0" width="{RIGHT - LEFT + 8}" height="460">{moving}</rect>'
    return f'<clipPath id="{name}">{shown}</clipPath>'


def curves(run, name, width, theme):
    """The tree and the loss of one trajectory."""
    lines = [
        f'<path d="{path(run["outputs"][:, item] @ readout, -1.1, 1.1, *TREE)}" stroke="url(#{name}{item})"/>'
        for item in range(8)
    ]
    colour = mixed(GREY, *theme[name])
    lines.append(f'<path d="{path(run.loss, 0, 2.0, *LOSS)}" stroke="{colour}"/>')
    return f'<g clip-path="url(#{name})" fill="none" stroke-width="{width}">{"".join(lines)}</g>'


def appearing(words, second):
    """What is shown from a second of the loop on; at once where nothing moves."""
    whole = PREDICTS + TRAINS + RESTS
    keys = f'keyTimes="0;{second / whole:.3f};1" values="0;1;1"'
    moving = f'<animate attributeName="opacity" dur="{whole}s" repeatCount="indefinite" calcMode="discrete" {keys}/>'
    return f"<g>{moving}{words}</g>"


def drawing(theme):
    """The animation as SVG."""

    def text(x, y, words, *, size=14, anchor="start", colour=theme["ink"]):
        return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{words}</text>'

    heights = TREE[1] - (TREE[1] - TREE[0]) * (places + 1.1) / 2.2
    names = [
        text(RIGHT + 14, y + 4, item, size=15, colour=mixed(COLOURS[k], *theme["predicted"]))
        for k, (item, y) in enumerate(zip(task.items, heights, strict=True))
    ]
    marks = []
    for moment, level, anchor in zip(moments, LEVELS, ("end", "start", "start", "start"), strict=True):
        x = across(moment)
        marks.append(f'<path d="M{x:.1f},{TREE[0] - 12}V{LOSS[1]}" stroke="{theme["faint"]}" stroke-dasharray="2 4"/>')
        marks.append(text(x + (6 if anchor == "end" else -6), TREE[0] - 20, level, anchor=anchor))
    trained = f'<path d="M{LEFT + 240},20h34" stroke="{mixed(GREY, *theme["trained"])}" stroke-width="9"/>'
    result = f"(area between the loss curves: {100 * area:.2g} % of the area below)"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} 460" width="{WIDTH}" role="img" '
        'font-family="Helvetica, Arial, sans-serif"><title>A network learns to tell eight items apart: predicted and '
        "trained</title><desc>Eight items are one at first, part into animals and plants, then into four kinds, then "
        "one by one, and the loss falls at each step. Thin lines, drawn first, are the prediction; wide bands are "
        f'the trained network.</desc><rect width="100%" height="100%" fill="{theme["ground"]}"/><defs>',
        *(gradient("trained", k, theme) + gradient("predicted", k, theme) for k in range(8)),
        sweep("predicted", 0, PREDICTS),
        sweep("trained", PREDICTS, TRAINS),
        "</defs>",
        *marks,
        f'<path d="M{LEFT},{LOSS[1]}H{RIGHT}M{LEFT},{LOSS[0]}V{LOSS[1]}" stroke="{theme["ink"]}" fill="none"/>',
        curves(training, "trained", 9, theme),
        curves(theory, "predicted", 1.8, theme),
        *names,
        text(LEFT - 12, LOSS[0] + 10, "loss", anchor="end"),
        text(LEFT - 12, LOSS[1] + 4, "0", anchor="end"),
        text((LEFT + RIGHT) / 2, LOSS[1] + 24, "time", anchor="middle"),
        f'<path d="M{LEFT},20h34" stroke="{mixed(GREY, *theme["predicted"])}" stroke-width="1.8"/>',
        text(LEFT + 42, 24, "predicted, before training"),
        appearing(trained + text(LEFT + 282, 24, "trained"), PREDICTS),
        appearing(text(LEFT + 342, 24, result), PREDICTS + TRAINS),
        "</svg>",
    ]
    return "\n".join(parts)


folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)
for name, theme in (("learning.svg", LIGHT), ("learning_dark.svg", DARK)):
    (folder / name).write_text(drawing(theme), encoding="utf-8")
print(f"area between the predicted and the trained loss: {100 * area:.2g} % of the area below")
print(f"wrote {folder / 'learning.svg'} and {folder / 'learning_dark.svg'}")

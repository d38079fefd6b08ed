r"""Names of users are drawn as they are: ``$`` is no formula, even where it would be a wrong one."""

import io
from functools import cache

import numpy as np
import pytest
from matplotlib.text import Text

import festina as fs

NAMES = [r"US$ \frac{", r"$\nosuch$", r"a$b$c_^", r"\$ $$ %"]
TASK = fs.Task(np.eye(4), np.eye(4), inputs=NAMES, outputs=NAMES, items=NAMES, name="$x_{$")


def texts(figure):
    """Every text of a figure, which is drawn once: Matplotlib reads formulas only then."""
    figure.savefig(io.BytesIO(), format="png", dpi=20)
    return {part.get_text().replace(r"\$", "$") for part in figure.findobj(Text)}


@cache
def explained():
    weights = [np.eye(4), np.eye(4)]
    return fs.explain(weights, TASK.x, TASK.y, feature_names=NAMES, output_names=NAMES, groups=NAMES)


def recorded():
    line = np.linspace(0.1, 1, 6)[:, None, None] * np.array([[0.0], [1.0]])
    return fs.probe.Recording(np.arange(6.0), [[0.0], [1.0]], [[0.0], [1.0]], line, dict.fromkeys(NAMES, line), "$u_{$")


def embedded(ax):
    run = fs.evolve(fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.5)), TASK, [0.0, 1.0], method=fs.Flow(),
                    observe=("loss", "hidden"))  # fmt: skip
    fs.plot.representations(run.embed(), ax, names=NAMES)


def gated(ax):
    network = fs.gated.pathways({name: [1, 1, 0] for name in NAMES[:2]}, 4, initial=fs.initial.Gaussian(0.1))
    fs.plot.schematic(network, ax=ax)


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: fs.plot.singular_vectors(TASK, ax, part="left"),
        lambda ax: fs.plot.distances(np.eye(4), ax, groups=np.array(NAMES)),
        lambda ax: fs.plot.explanation(explained(), ax, view="on"),
        lambda ax: fs.plot.explanation(explained(), ax, view="adds"),
        lambda ax: fs.plot.explanation(explained(), ax, view="map"),
        embedded,
        gated,
    ],
)
def test_names_are_drawn_as_they_are(draw):
    figure, (ax,) = fs.plot.panels(1, 1)
    draw(ax)
    assert NAMES[1] in " ".join(texts(figure))


def test_units_and_layers_are_drawn_as_they_are():
    run = fs.Trajectory.from_arrays([0.0, 1.0], [1.0, 0.5], unit="$u_{$", label="$m_{$")
    figure, (ax,) = fs.plot.panels(1, 1)
    fs.compare(run, run).plot(ax)
    assert "time ($u_{$)" in texts(figure)
    assert "$m_{$" in " ".join(texts(figure))
    assert {*NAMES, f"Points 0 and 1 in layer {NAMES[2]}"} <= texts(recorded().plot())

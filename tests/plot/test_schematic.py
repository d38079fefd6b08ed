"""What a schematic shows of a network and its task."""

import inspect
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import festina as fs
from festina import plot

START = fs.initial.Gaussian(0.01)
XOR = fs.tasks.extended_xor(1.0)


def drawn(network, task=None):
    ax = plot.schematic(network, task, Figure().subplots())
    return ax, [text.get_text() for text in ax.texts]


NETWORKS = {
    "linear": (fs.DeepLinear((16,), initial=START), fs.tasks.living_things(8)),
    "one layer": (fs.DeepLinear((), initial=START), fs.tasks.living_things(8)),
    "deep": (fs.DeepLinear((5,) * 6, initial=START), fs.tasks.living_things(8)),
    "relu": (fs.ReLU((128,), initial=START), XOR),
    "gated": (fs.gated.pathways(np.eye(4), 8, initial=START), XOR),
    "tanh": (fs.FeedForward((30, 20), activation="tanh"), XOR),
    "attention": (fs.LinearAttention(heads=6, initial=START), fs.tasks.in_context_regression([1.0, 0.5], length=9)),
    "merged": (fs.LinearAttention(heads=1, merged=True, initial=START), None),
    "recurrent": (fs.LinearRNN(8, length=9, initial=START), fs.tasks.integration(length=9)),
    "agent": (fs.behaviour.TutorExecutor(), fs.behaviour.DecisionTask()),
    "shallow agent": (fs.behaviour.Shallow(), fs.behaviour.DecisionTask()),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_everything_lies_inside_the_frame(name):
    ax, _ = drawn(*NETWORKS[name])
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    for text in ax.texts:
        x, y = text.get_position()
        assert left < x < right
        assert bottom < y < top
    for patch in ax.patches:
        box = patch.get_path().get_extents(patch.get_patch_transform())
        assert left < box.x0 <= box.x1 < right
        assert bottom < box.y0 <= box.y1 < top


def test_layers_show_their_widths_matrices_and_units():
    ax, words = drawn(*NETWORKS["linear"])
    assert [word for word in words if word.isdigit()] == ["8", "16", "15"]
    assert {"$W_{1}$", "$W_{2}$", "8 × 8", "8 × 15"} <= set(words)
    np.testing.assert_array_equal(ax.images[1].get_array(), fs.tasks.living_things(8).y)
    _, words = drawn(*NETWORKS["deep"])
    assert [word for word in words if word.startswith("$W")] == ["$W_{1}$", "$W_{2}$", "$W_{7}$"]


def test_convolutions_show_channels_and_near_units_and_skips_are_arrows():
    def draw(**options: Any) -> Any:
        return plot.schematic(fs.FeedForward((12,) * 3, kernel=2, channels=5, **options), None, Figure().subplots())

    dense, local, skip = draw(), draw(connection="convolution"), draw(skip=True)
    words = [text.get_text() for text in local.texts]
    assert [word for word in words if "×" in word or word.isdigit()] == ["12", "5 × 11", "8"]
    assert "$W_{6}$" in words
    assert len(local.lines) < len(dense.lines)
    assert len(skip.lines) == len(dense.lines) + 1
    assert len(skip.texts) == len(dense.texts) + 1  # the arrow


def test_activations_differ():
    shapes = {name: drawn(NETWORKS[name][0])[0].lines[-1].get_ydata() for name in ("linear", "relu", "tanh")}
    bent = {name: float(np.max(np.abs(np.diff(np.asarray(y), 2)))) for name, y in shapes.items()}
    assert bent["linear"] < 1e-12 < bent["tanh"] < bent["relu"]


def test_gates_show_for_which_points_they_are_open():
    ax, words = drawn(*NETWORKS["gated"])
    assert len([word for word in words if word.endswith("8 units")]) == 4
    # the last patches are the frames of the two tables
    cells = ax.patches[:-2]
    filled = [np.mean(to_rgb(patch.get_facecolor())) < 0.5 for patch in cells]
    assert len(cells) == 16
    assert sum(filled) == 4


def test_networks_of_ones_own_are_a_box_and_other_things_are_refused():
    class Own(fs.Network):
        @property
        def predict(self):
            return lambda weights, x: x

        def start(self, task, seed):
            return ()

    assert "Own" in drawn(Own(), XOR)[1]
    # as users call it: in tests a wrapper checks types first
    unchecked: Any = inspect.unwrap(plot.schematic)
    with pytest.raises(ValueError, match="network is 3"):
        unchecked(3)
    with pytest.raises(ValueError, match="task is 'x'"):
        unchecked(Own(), "x")

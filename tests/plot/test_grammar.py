"""One way of drawing: trained is thick and pale, predicted thin and dark, and colour is what is learned."""

import re
from itertools import combinations

import matplotlib.style
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import rgb_to_hsv, to_rgb

import festina as fs
from festina import papers, plot
from festina.core.look import COLOURS, dots, kind_of, look, name_kinds, shade
from festina.representation import Pair, TwoPoint, fit

MIN_CONTRAST = 3.0
"""Least contrast of graphical objects that WCAG 2.2 asks for (success criterion 1.4.11)."""

TEXT_CONTRAST = 4.5
"""Least contrast of text (success criterion 1.4.3), which thin lines keep to."""

APART = 2 * 2.3
"""Least CIE distance between two colours as a colour-blind reader sees them: twice what is just noticeable."""

# Machado, Oliveira and Fernandes (2009), severity 1: linear RGB as each dichromat sees it
BLINDNESS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(colour):
    parts = np.array(to_rgb(colour))
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour):
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb
    x, y, z = np.cbrt(np.clip(xyz / [0.9505, 1.0, 1.089], 0, None))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.fixture(name="runs", scope="module")
def both_ways():
    network, task = fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3)), fs.tasks.living_things(8)
    times, watch = np.linspace(0, 40, 21), ("loss", "strengths")
    methods = {"trained": fs.Train(rate=0.05), "predicted": fs.Exact()}
    return {kind: fs.evolve(network, task, times, method=method, observe=watch) for kind, method in methods.items()}


def test_kind_follows_from_the_method(runs):
    assert {kind: kind_of(run) for kind, run in runs.items()} == {"trained": "trained", "predicted": "predicted"}
    assert kind_of(fs.Trajectory.from_arrays([0.0, 1.0], [1.0, 0.5])) == "trained"


@pytest.mark.parametrize("colour", COLOURS)
def test_told_apart_without_colour(colour):
    pale, dark = shade("trained", colour), shade("predicted", colour)
    assert contrast(pale, dark) >= MIN_CONTRAST
    assert contrast(dark, "white") >= TEXT_CONTRAST
    assert look("trained", colour)["linewidth"] >= 3 * look("predicted", colour)["linewidth"]
    # what is learned keeps its hue
    if colour != "#000000":
        hues = [rgb_to_hsv(np.array(to_rgb(c)))[0] for c in (colour, pale, dark)]
        np.testing.assert_allclose(hues, hues[0], atol=1e-6)


@pytest.mark.parametrize("kind", ["trained", "predicted"])
def test_hues_are_told_apart_with_every_colour_blindness(kind):
    for matrix in BLINDNESS.values():
        seen = [lab(np.clip(matrix @ linear(shade(kind, colour)), 0, 1)) for colour in COLOURS]
        assert min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)) > APART


@pytest.mark.parametrize("draw", [plot.loss, plot.strengths], ids=["loss", "strengths"])
def test_plots_draw_by_kind_and_colour_by_what_is_learned(draw, runs):
    drawn = {kind: draw(run, plot.panels(1, 1)[1][0]).lines for kind, run in runs.items()}
    assert len(drawn["trained"]) == len(drawn["predicted"])
    for trained, predicted in zip(drawn["trained"], drawn["predicted"], strict=True):
        assert trained.get_linewidth() > 3 * predicted.get_linewidth()
        assert contrast(trained.get_color(), predicted.get_color()) >= MIN_CONTRAST
        assert trained.get_zorder() < predicted.get_zorder()
    pale = [line.get_color() for line in drawn["trained"]]
    dark = [line.get_color() for line in drawn["predicted"]]
    # the same things share a colour, however they were computed
    assert [pale.index(c) for c in pale] == [dark.index(c) for c in dark]


def test_equally_strong_modes_share_a_colour_and_a_name(runs):
    ax = plot.strengths(runs["trained"], plot.panels(1, 1)[1][0])
    colours = [line.get_color() for line in ax.lines]
    assert len(set(colours)) == 4
    assert colours[4:] == colours[4:5] * 4
    named = [text.get_text() for text in ax.texts]
    assert named[1:] == ["birds | fish; trees | flowers", "animals | plants", "everything"]
    assert named[0].startswith("canary | robin; …")


def test_agreement_and_two_points_draw_measured_under_theory(runs):
    lines = fs.compare(runs["predicted"], runs["trained"]).plot(plot.panels(1, 1)[1][0]).lines
    assert lines[0].get_linewidth() > 3 * lines[1].get_linewidth()
    times = np.linspace(0, 60, 30)
    true = TwoPoint(0.25, 1.0, (0.4, 0.2), (0.01, 0.01, 0.01 - 0.1))
    found = fit(Pair(times, *true.solve(times), dx=0.25, dy=1.0))
    lines = plot.two_points(found, plot.panels(1, 1)[1][0], curves="hy").lines
    assert [line.get_linewidth() for line in lines] == [5.0, 5.0, 1.3, 1.3]
    assert contrast(lines[0].get_color(), lines[2].get_color()) >= MIN_CONTRAST


def test_one_scale_for_compared_distances():
    matrix = np.arange(16.0).reshape(4, 4)
    images = [plot.distances(scale * matrix, plot.panels(1, 1)[1][0], top=40.0).images[0] for scale in (1, 2)]
    assert [image.get_clim() for image in images] == [(0.0, 40.0)] * 2


def test_single_numbers_that_were_trained_are_large_pale_dots_below_lines():
    style = dots(COLOURS[0])
    assert style["color"] == shade("trained", COLOURS[0])
    assert style["markersize"] > 3 * look("predicted")["linewidth"]
    assert style["zorder"] < look("predicted")["zorder"]
    assert dots(COLOURS[0], marker="^")["marker"] == "^"
    assert look("predicted", linestyle="--")["linestyle"] == "--"


def test_the_legend_names_both_kinds_without_a_colour():
    ax = plot.panels(1, 1)[1][0]
    name_kinds(ax)
    trained, predicted = ax.get_legend_handles_labels()[0]
    assert trained.get_linewidth() > 3 * predicted.get_linewidth()
    assert all(rgb_to_hsv(np.array(line.get_color()))[1] == 0 for line in (trained, predicted))


def test_titles_of_experiments_leave_line_styles_to_the_legend():
    panels = [panel for name in papers.names() for panel in papers.find(name).panels]
    titles = [panel.title for panel in panels if isinstance(panel.title, str)]
    assert len(titles) > 50
    assert not [title for title in titles if re.search(r"dashed|dotted|\(lines|\(dots|thick|thin\b", title)]


@pytest.mark.parametrize("colour", COLOURS)
def test_a_dark_theme_has_dim_bands_and_bright_lines(colour):
    with matplotlib.style.context("dark_background"):
        dim, bright = shade("trained", colour), shade("predicted", colour)
        assert contrast(dim, bright) >= MIN_CONTRAST
        assert contrast(bright, "black") >= TEXT_CONTRAST
        ax = plot.schematic(fs.ReLU((4,), initial=fs.initial.Gaussian(0.1)), ax=plot.panels(1, 1)[1][0])
    unit = ax.patches[0]
    assert contrast(unit.get_facecolor(), "black") < MIN_CONTRAST < contrast(unit.get_edgecolor(), "black")


def test_long_names_are_whole_in_a_figure_of_pyplot(runs):
    names = [f"a property with quite a long name, number {k}" for k in range(15)]
    task = fs.Task(runs["predicted"].task.x, runs["predicted"].task.y, outputs=names)
    pyplot.close("all")
    ax = plot.singular_vectors(task)
    ax.figure.canvas.draw()
    assert all(label.get_window_extent().x0 >= 0 for label in ax.get_yticklabels())
    pyplot.close("all")

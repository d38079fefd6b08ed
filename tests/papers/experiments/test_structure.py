"""What a predicted structure is compared with: which baseline is chosen, and how it is shown."""

import math

import numpy as np
import pytest

import festina as fs
from festina.analysis import squared_distances
from festina.papers import Claim, find
from festina.papers.experiments import blobs, digits, mnist
from festina.papers.setups import structure
from festina.papers.setups.structure import BASELINES, CLASSES, INPUTS, JOINT, LAZY, LINEAR, TRAINED
from festina.papers.table import record, row
from festina.plot import panels

SCORES = {INPUTS: math.nan, CLASSES: 0.3, LINEAR: 0.9, LAZY: 0.6}


def score(curves, name):
    return curves[name]


def test_the_best_baseline_has_the_largest_score_or_the_smallest_error():
    assert structure.best(score)[1](SCORES) == (LINEAR, 0.9)
    assert structure.best(score, smallest=True)[1](SCORES) == (CLASSES, 0.3)


def test_the_nearest_baseline_is_next_to_what_networks_have():
    assert structure.nearest(score)[1](SCORES | {TRAINED: 0.5}) == (LAZY, 0.6)
    assert structure.nearest(score)[1](SCORES | {TRAINED: 7.0}) == (LINEAR, 0.9)


def test_equal_baselines_are_all_named_and_none_is_no_number():
    assert structure.best(score)[1](SCORES | {INPUTS: 0.9}) == (f"{INPUTS} and {LINEAR}", 0.9)
    claim = Claim("c", "A sentence.", lambda _: 0.5, 1.0, baseline=structure.best(score))
    nothing = claim.decide(dict.fromkeys(BASELINES, math.nan))
    assert nothing.chosen == ""
    assert nothing.baseline is not None
    assert math.isnan(nothing.baseline)


def test_the_table_names_the_baseline_that_was_chosen():
    claim = Claim("c", "A sentence.", lambda _: 0.5, 1.0, baseline=structure.best(score))
    verdict = claim.decide(SCORES)
    assert (verdict.baseline, verdict.chosen) == (0.9, LINEAR)
    assert row(record(verdict, claim, None)).measured == "0.5 (best of the baselines, linear network: 0.9)"


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("xor_structure", set()),
        ("blobs", {"one layer, rich"}),  # of its bound, 1, the images are the baseline
        ("digits", {"tracked pair"}),  # curves of two points and no structure
        ("mnist", {"tracked pair", "weighted theory, early"}),  # the same theory at another flow time
    ],
)
def test_claims_of_structure_have_a_baseline(name, without):
    assert {claim.name for claim in find(name).claims if claim.baseline is None} == without


def test_the_weighted_theory_in_blocks_is_that_of_the_whole_matrix(monkeypatch):
    rng = np.random.default_rng(0)
    task = fs.Task(rng.random((23, 5)), np.eye(3)[rng.integers(3, size=23)])
    low = np.sqrt(squared_distances(task.x) * squared_distances(task.y))
    monkeypatch.setattr(mnist, "BLOCK", 6)
    np.testing.assert_allclose(mnist.weighted(task, 7), np.exp(-low[:7]) @ low @ np.exp(-low[:7]).T, rtol=1e-5)


def test_a_row_per_predictor_tells_theories_from_baselines_without_colour():
    _, (ax,) = panels(1, 1)
    numbers = dict.fromkeys((LAZY, JOINT, INPUTS), (0.1, 0.2)) | {TRAINED: (0.3, 0.4)}
    structure.compare(ax, numbers, things=("a", "b"))
    assert [text.get_text() for text in ax.get_yticklabels()] == [JOINT, INPUTS, LAZY]
    dots = [line for line in ax.lines if line.get_marker() in ("o", "s") and len(line.get_xdata())]
    heights = dict(zip(ax.get_yticks(), ("o", "s", "s"), strict=True))
    for dot in dots:
        nearest = min(heights, key=lambda at: abs(at - dot.get_ydata()[0]))
        assert dot.get_marker() == heights[nearest]
        assert (dot.get_markerfacecolor() == "white") == (dot.get_marker() == "s")
    assert sorted(dot.get_xdata()[0] for dot in dots) == [0.1] * 3 + [0.2] * 3
    assert {text.get_text().strip() for text in ax.get_legend().get_texts()} == {
        "trained",
        "theory",
        "baseline",
        "a",
        "b",
        "",
    }


def test_images_keep_both_positions_and_targets_one():
    task = blobs.task(4)
    images, targets = (blobs.by_position(part[None]) for part in (task.x, task.y))
    assert blobs.collapse(images) == pytest.approx(1)
    assert blobs.collapse(targets) == pytest.approx(0)
    assert blobs.gap(targets) == pytest.approx(0)
    assert blobs.gap(images) > 0.1


def test_distances_within_classes_are_compared_with_those_between():
    labels = np.array([0, 0, 1])
    distances = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 6.0], [2.0, 6.0, 0.0]])
    assert digits.class_ratio(labels, distances) == pytest.approx(0.25)

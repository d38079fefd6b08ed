"""The published settings, and digits from wherever the user has them."""

import numpy as np
import pytest

from festina.papers import published
from festina.papers.experiments import digits
from festina.papers.published import SETTINGS
from festina.representation import TwoPoint
from festina.representation._two_point import Rates
from festina.tasks import two_points

pytestmark = pytest.mark.slow


def test_fifteen_settings():
    assert len(SETTINGS) == 15
    assert len(published("shallow").network.hidden) == 2
    assert published("swish").rate == pytest.approx(
        0.0025
    )  # of half the mean squared error, as the released code has it
    with pytest.raises(ValueError, match=r"name 'resnet' is unknown\. Known: convolution"):
        published("resnet")


def test_fewer_epochs_go_through_the_same_flow_time():
    small = published("tanh", 60, 1500)
    assert small.network.hidden == (60,) * 20
    assert small.duration == pytest.approx(published("tanh").rate * 6000)
    assert small.times(4)[-1] == pytest.approx(small.duration)
    assert published("narrow", 200).network.hidden[0] == 50
    assert published("convolution", 10).network.pixels[-1] >= 1


def test_two_points_are_at_the_distances_asked_for():
    task = two_points("text")
    with pytest.raises(ValueError, match="dy is missing"):
        two_points(0.5)
    assert (task.x.ravel().tolist(), task.y.ravel().tolist()) == ([-1.0, -0.5], [0.6, 1.6])


def test_a_pair_takes_its_rates_with_or_without_the_third():
    start = (0.1, 0.1, 0.0)
    assert TwoPoint(1.0, 1.0, Rates(1.0, 2.0), start).rates == Rates(1.0, 2.0, None)
    assert TwoPoint(1.0, 1.0, [1.0, 2.0, 3.0], start).rates.mean == 3.0


def test_digits_come_from_a_file_or_from_scikit_learn(tmp_path):
    x, y = digits.load("", 20)
    assert x.shape == (20, 64)
    assert x.max() == 1
    path = tmp_path / "mine.npz"
    np.savez(path, x=np.arange(90.0).reshape(10, 3, 3), y=np.arange(10))
    x, y = digits.load(str(path), 4)
    assert x.shape == (4, 9)
    assert y.tolist() == [0, 1, 2, 3]
    np.savez(path, images=np.ones(3))
    with pytest.raises(ValueError, match=r"which holds \['images'\]; arrays x and y are needed"):
        digits.load(str(path), 4)
    with pytest.raises(ValueError, match="there is no such file"):
        digits.load(str(tmp_path / "nope.npz"), 4)

"""Where the networks start."""

import numpy as np
import pytest

from festina.behaviour import DecisionTask, Shallow, TutorExecutor

TASK = DecisionTask()


def test_shallow_starts_at_the_map_of_the_deep_one():
    w, W = TutorExecutor(offset=0.1, noise=0).start(TASK, 0)
    one, shallow = Shallow(offset=0.1, noise=0).start(TASK, 0)
    np.testing.assert_array_equal(one, 1)
    np.testing.assert_allclose(W * w, shallow, atol=1e-16)


@pytest.mark.parametrize("network", [TutorExecutor(spread=0.3, offset=0.1), Shallow(spread=0.3, offset=0.1)])
def test_initial_bias_has_the_spread_and_mean_asked_for(network):
    starts = [network.start(TASK, k) for k in range(4000)]
    values = np.array([W * w for w, W in starts])
    bias = values[:, 1, 2] - values[:, 0, 2]
    assert bias.mean() == pytest.approx(0.1, abs=4 * 0.3 / np.sqrt(4000))
    assert bias.std() == pytest.approx(0.3, rel=4 / np.sqrt(8000))
    assert np.all(values >= 0)


def test_without_spread_only_noise_differs():
    one, other = (TutorExecutor().start(TASK, k)[1] for k in (0, 1))
    assert 0 < np.max(np.abs(one - other)) < 1e-4


@pytest.mark.parametrize(("changes", "words"), [
    ({"beta": -1.0}, "beta is -1.0; a number > 0"),
    ({"rule": "hebb"}, "rule 'hebb' is unknown. Known: gradient, partial"),
    ({"spread": -0.1}, "spread is -0.1; a number >= 0"),
    ({"noise": -0.1}, "noise is -0.1; a number >= 0"),
    ({"tutor": (0.1, 0.1, -1.0)}, "tutor is .*; three weights >= 0 are needed, for left, right, constant"),
    ({"tutor": (0.1, 0.1, 0.0), "offset": 0.1}, "no initial bias is possible"),
])  # fmt: skip
def test_what_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        TutorExecutor(**changes)
    if "tutor" not in changes:
        with pytest.raises(ValueError, match=words):
            Shallow(**changes)


def test_in_words():
    assert repr(TutorExecutor(offset=0.1)) == "TutorExecutor(offset=0.1)"
    assert repr(Shallow(rule="gradient")) == "Shallow(rule='gradient')"

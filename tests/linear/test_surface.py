"""The two-weight surface against the loss of the network itself."""

import numpy as np
import pytest

import festina as fs


def test_loss_is_the_networks_and_minima_and_saddle_are_stationary():
    s, d = 2.0, 0.5
    found = fs.linear.surface(s, d, count=21)
    task = fs.Task([[1.0], [0.0]], [[4.0], [0.0]])  # Σx = 0.5, Σyx = 2
    for i, b in enumerate(found.b):
        for j, a in enumerate(found.a):
            loss = 0.5 * np.mean((task.y - b * a * task.x) ** 2)
            assert found.loss[i, j] == pytest.approx(loss, abs=1e-12)
    velocity = fs.DeepLinear(hidden=(1,), initial=fs.initial.Gaussian(1.0)).velocity(task)
    for a, b in (*found.minima[0], *found.minima[1], found.saddle):
        assert np.abs(velocity((np.array([[a]]), np.array([[b]])))).max() < 1e-12
    assert found.a[-1] == pytest.approx(2 * np.sqrt(s / d))


def test_errors():
    with pytest.raises(ValueError, match=r"s is -1\.0"):
        fs.linear.surface(-1.0)
    with pytest.raises(ValueError, match=r"extent is 0\.5; the minima start at 1"):
        fs.linear.surface(1.0, extent=0.5)

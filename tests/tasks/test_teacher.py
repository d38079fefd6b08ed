import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-10
"""Products of orthogonal matrices in double precision."""


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), st.integers(0, 20), st.floats(0, 2))
def test_whitened_inputs_show_the_teacher_exactly(inputs, outputs, rank, seed, noise):
    rank = min(rank, inputs, outputs)
    strengths = np.arange(1.0, rank + 1)
    task = fs.tasks.teacher(inputs, outputs, rank, 3 * inputs, seed, strengths=strengths, noise=noise)
    statistics = task.statistics
    assert np.abs(statistics.input_correlation - np.eye(inputs)).max() < ROUNDING
    assert np.abs(statistics.strengths - strengths[::-1]).max() < ROUNDING
    assert statistics.noncommuting < ROUNDING


def test_floor_is_the_noise():
    noise, outputs, inputs, items = 0.7, 5, 4, 4000
    task = fs.tasks.teacher(inputs, outputs, items=items, noise=noise)
    expected = 0.5 * noise**2 * outputs * (items - inputs) / items
    # a mean of items·outputs squares has relative standard error √(2/(items·outputs))
    assert abs(task.statistics.floor / expected - 1) < 5 * (2 / (items * outputs)) ** 0.5


def test_plain_inputs_are_gaussian_and_targets_linear():
    task = fs.tasks.teacher(3, 2, items=5000, whitened=False)
    assert np.abs(task.statistics.input_correlation - np.eye(3)).max() < 5 * (2 / 5000) ** 0.5
    learned = np.linalg.lstsq(task.x, task.y, rcond=None)[0]
    assert np.abs(task.x @ learned - task.y).max() < ROUNDING
    assert np.allclose(np.linalg.svd(learned, compute_uv=False), [1.0, 0.5], rtol=ROUNDING)


def test_defaults():
    task = fs.tasks.teacher()
    assert task.x.shape == (40, 10)
    assert np.allclose(task.statistics.strengths, np.arange(10, 0, -1) / 10, rtol=ROUNDING)
    assert fs.tasks.teacher(rank=3).statistics.rank == 3
    assert not np.array_equal(task.y, fs.tasks.teacher(seed=1).y)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="rank is 4; with these inputs and outputs at most 3"):
        fs.tasks.teacher(3, 5, rank=4)
    with pytest.raises(ValueError, match="for rank 2; give that many numbers > 0"):
        fs.tasks.teacher(3, 5, rank=2, strengths=[1.0])
    with pytest.raises(ValueError, match=r"strengths is \[1.0, 0.0\]; a list of numbers > 0"):
        fs.tasks.teacher(3, 5, strengths=[1.0, 0.0])
    with pytest.raises(ValueError, match="items is 3 for 5 inputs; whitened inputs need at least 5 items"):
        fs.tasks.teacher(5, 5, items=3)
    with pytest.raises(ValueError, match=r"noise is -1\.0; a number >= 0"):
        fs.tasks.teacher(noise=-1.0)
    with pytest.raises(ValueError, match="inputs is 0"):
        fs.tasks.teacher(0)

import numpy as np
import pytest

import festina as fs

SAMPLE = 0.06  # a sample of a thousand units


def test_one_point_has_the_share_of_a_sector():
    """Units with w > 0 and w + a > 0 grow: E[(w+a)²/4] over three eighths of the plane is (3π/8 + ¼)/2π."""
    found = fs.relu.initial_strengths(fs.Task([[1.0]], [[1.0]]), [[1]], hidden=100, std=0.1, draws=20_000)
    assert found[0] == pytest.approx(100 * 0.1**2 * (3 * np.pi / 8 + 0.25) / (2 * np.pi), rel=0.03)


def test_two_orthogonal_points_are_two_single_points():
    """Units of one point do not see the other."""
    task = fs.Task(np.eye(2), np.array([[1.0, 0.0], [0.0, 1.0]]))
    alone = fs.relu.initial_strengths(fs.Task([[1.0]], [[1.0]]), [[1]], hidden=10, std=1.0, draws=20_000)
    # both modes grow at one rate: every unit is on at both points, or at one, and all that it has there counts
    both = fs.relu.initial_strengths(task, [[1, 1], [1, 0], [0, 1]], hidden=10, std=1.0, draws=4000)
    assert (both > 0).all()
    assert both.max() < 2 * alone[0]


def test_open_points_share_and_closed_ones_divide():
    xor = fs.tasks.extended_xor(0.0)
    points = fs.relu.initial_strengths(xor, np.eye(4), hidden=128, std=0.01)
    whole = 128 * 0.01**2 / 2
    assert points / whole == pytest.approx(np.full(4, 1 / 3), abs=SAMPLE)
    task = fs.tasks.context(2)
    common = np.ones(16)
    part = np.repeat([1, 0], 8)
    both = fs.relu.initial_strengths(task, [common, part], hidden=128, std=0.01, draws=256)
    assert both[1] == pytest.approx(both[0])
    assert both[0] / whole == pytest.approx(0.54, abs=2 * SAMPLE)


def test_strength_is_quadratic_in_std_and_linear_in_width():
    task = fs.tasks.extended_xor(2.0)
    gates = [task.y[:, 0] > 0]
    one, other = (fs.relu.initial_strengths(task, gates, hidden=h, std=s, draws=64) for h, s in ((10, 0.1), (20, 0.3)))
    assert other == pytest.approx(18 * one)


def test_steps_do_not_change_the_strength_of_one_point():
    """Growing and decaying parts of a unit, w ± a, are multiplied by 1 ± ηs: the sector that grows is the same."""
    task = fs.Task([[1.0]], [[1.0]])
    flow, steps = (
        fs.relu.initial_strengths(task, [[1]], hidden=100, std=1e-3, rate=rate, draws=4000) for rate in (None, 0.2)
    )
    assert steps == pytest.approx(flow, rel=1e-6)


def test_steps_that_jump_about_a_boundary_grow_more_slowly():
    """XOR at Δ = 0 holds a unit of one point on the boundary of two others, which lie opposite to each other.

    With p along its point, q along the others and κ = ηs a step is p + κa, a + κ(p − |q|), q − κa sign q. As q changes
    sign at every step, |q| is κa/2, and the unit grows by the largest eigenvalue of [[1, κ], [κ, 1 − κ²/2]].
    """
    task, rate, hidden, std = fs.tasks.extended_xor(0.0), 0.4, 128, float(np.sqrt(4e-8 / 128))
    flow, steps = (
        fs.relu.initial_strengths(task, np.eye(4), hidden=hidden, std=std, rate=r, draws=4000).mean()
        for r in (None, rate)
    )
    k = rate * np.sqrt(2) / 4
    count = np.ceil(np.log(1 / np.sqrt(2) / (hidden * std**2)) / 2 / np.log1p(k))
    slower = np.linalg.eigvalsh([[1, k], [k, 1 - k**2 / 2]])[-1] / (1 + k)
    assert steps / flow == pytest.approx(slower ** (2 * count), rel=0.1)
    fine = fs.relu.initial_strengths(task, np.eye(4), hidden=hidden, std=std, rate=0.01, draws=4000).mean()
    assert fine == pytest.approx(flow, rel=0.03)


def test_errors():
    task = fs.tasks.extended_xor(1.0)
    with pytest.raises(ValueError, match="gates has 3 columns for 4 data points"):
        fs.relu.initial_strengths(task, np.eye(3), hidden=4, std=0.1)
    with pytest.raises(ValueError, match="std is 0"):
        fs.relu.initial_strengths(task, np.eye(4), hidden=4, std=0)
    nothing = fs.Task([[1.0]], [[0.0]])
    assert fs.relu.initial_strengths(nothing, [[1]], hidden=4, std=0.1).tolist() == [0.0]

"""Agreement of curves whose differences are known."""

import numpy as np
import pytest

import festina as fs

TIMES = np.linspace(0, 10, 201)


def curve(loss, times=TIMES, seeds=None, **facts):
    return fs.Trajectory(times, {"loss": np.asarray(loss, float)}, seeds=seeds, **facts)


def sigmoid(times, centre):
    return 1 / (1 + np.exp(3 * (times - centre)))


def test_constant_curves():
    found = fs.compare(curve(np.full(201, 1.5)), curve(np.full(201, 2.0)))
    assert found.area == pytest.approx(0.25)
    assert found.max == pytest.approx(0.25)
    assert found.time_shift == 0
    assert found.areas == (found.area,)


def test_equal_curves_agree_exactly():
    found = fs.compare(curve(sigmoid(TIMES, 4)), curve(sigmoid(TIMES, 4)))
    assert (found.area, found.max, found.time_shift) == (0, 0, 0)
    nothing = fs.compare(curve(0 * TIMES), curve(0 * TIMES))
    assert (nothing.area, nothing.max) == (0, 0)
    assert fs.compare(curve(TIMES), curve(0 * TIMES)).area == np.inf


@pytest.mark.parametrize("later", [-2.0, -0.013, 0.3, 1.7])
def test_the_time_shift_is_how_much_later_a_is(later):
    found = fs.compare(curve(sigmoid(TIMES, 5 + later)), curve(sigmoid(TIMES, 5)))
    assert found.time_shift == pytest.approx(later, abs=0.01)
    assert found.area == pytest.approx(abs(later) / 5, rel=0.02)


def test_curves_on_other_times_are_interpolated_over_the_common_span():
    a = curve(2 * np.linspace(0, 8, 9), np.linspace(0, 8, 9))
    b = curve(np.linspace(3, 10, 57), np.linspace(3, 10, 57))
    found = fs.compare(a, b)
    assert found.area == pytest.approx(1.0)
    assert found.max == pytest.approx(1.0)


def test_seeds_are_compared_one_by_one():
    two = curve([np.full(201, 1.0), np.full(201, 3.0)], seeds=(0, 1))
    one = curve(np.full(201, 2.0))
    assert fs.compare(two, one).areas == pytest.approx((0.5, 0.5))
    assert fs.compare(one, two).areas == pytest.approx((1.0, 1 / 3))
    assert fs.compare(two, two).area == 0
    assert fs.compare(two, one).area == pytest.approx(0.5)
    assert fs.compare(two, one).max == pytest.approx(0.5)
    assert fs.compare(two.mean(), one).area == 0


def test_a_run_that_diverged_does_not_agree():
    found = fs.compare(curve(np.full(201, 1.0)), curve(np.where(TIMES > 5, np.nan, 1.0)))
    assert found.area == np.inf
    found = fs.compare(curve(np.where(TIMES > 5, np.nan, 1.0)), curve(np.full(201, 1.0)))
    assert found.area == found.max == np.inf


def test_the_table_names_what_was_compared():
    words = str(fs.compare(curve(TIMES, method="theory"), curve(TIMES, method="training")))
    assert words.startswith("theory against training\nThe area between the loss curves is 0.00%")
    assert "mean of 2 seeds" in str(fs.compare(curve([TIMES, TIMES], seeds=(0, 1)), curve(TIMES)))


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (curve(TIMES), curve(TIMES, TIMES + 20), "fewer than two of b's times are in both"),
        (curve(TIMES), curve(TIMES, unit="depth × flow time"), "a is in flow time and b in depth × flow time"),
        (curve([TIMES] * 2, seeds=(0, 1)), curve([TIMES] * 3, seeds=(0, 1, 2)), "a has 2 seeds and b has 3"),
    ],
)
def test_curves_that_cannot_be_compared(a, b, message):
    with pytest.raises(ValueError, match=message):
        fs.compare(a, b)


@pytest.mark.usefixtures("untyped")
def test_only_trajectories_are_compared():
    with pytest.raises(ValueError, match=r"b is array.*ndarray\); a trajectory, as fs.evolve"):
        fs.compare(curve(TIMES), TIMES)  # pyright: ignore[reportArgumentType]


def test_a_loss_that_was_not_observed():
    with pytest.raises(ValueError, match="a observed strengths; to be compared"):
        fs.compare(fs.Trajectory(TIMES, {"strengths": np.ones((201, 1))}), curve(TIMES))


def test_what_neither_run_learns_is_no_row():
    network = fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3))
    runs = [
        fs.evolve(network, fs.tasks.living_things(4), np.linspace(0, 12, 61), method=m) for m in (fs.Exact(), fs.Flow())
    ]
    agreement = fs.compare(*runs)
    assert len(agreement.stages) == 3
    rows = str(agreement).splitlines()[1:-1]
    assert [row.split("  ")[-1] for row in rows] == [
        "what is learned",
        "everything: grow",
        "animals | plants: move ↔ roots",
    ]
    assert "never" not in str(agreement)

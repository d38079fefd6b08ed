"""Cases in which 0.1.0 gave a wrong answer that looked right: tiny, huge and nearly equal numbers."""

import numpy as np
import pytest

import festina as fs

SMALL = 1e-5
"""Size of features that are correlated among themselves, beside one of size 1."""


def small_correlation() -> fs.Task:
    """One large feature, and two small ones that are correlated at .8."""
    x = np.array([[1, 0, 0], [0, SMALL, 0.8 * SMALL], [0, 0, 0.6 * SMALL]])
    y = np.diag([1.0, 1.0, 0.7])
    return fs.Task(np.vstack([x, -x]), np.vstack([y, -y]))


def test_correlations_of_small_features_are_judged_by_their_own_size():
    task = small_correlation()
    with pytest.raises(fs.AssumptionError, match="commuting"):
        fs.evolve(fs.DeepLinear((3,), initial=fs.initial.Aligned(0.1)), task, None)
    with pytest.raises(fs.AssumptionError):
        fs.evolve(fs.gated.pathways(np.ones((1, 6)), 3, initial=fs.gated.Decoupled(0.1)), task, None)


def test_a_pathway_of_negative_strength_is_refused():
    task = fs.Task([[1.0]], [[1.0]])
    weights = [np.array([[0.1]]), np.array([[-0.1 * (1 + 1e-11)]])]
    network = fs.gated.pathways([[1.0]], 1, initial=fs.initial.Weights(weights))
    with pytest.raises(fs.AssumptionError, match="sign"):
        fs.evolve(network, task, [0.0, 1.0, 3.0])


@pytest.mark.parametrize("apart", [1e-8, 1e-6, 1e-3])
def test_columns_that_hardly_differ_are_both_learned(apart):
    rng = np.random.default_rng(0)
    column = rng.standard_normal(6)
    x = np.column_stack([column, column * (1 + apart * rng.standard_normal(6))])
    task = fs.Task(x, x @ np.array([[1.0], [-1.0]]) / apart)
    floor = 0.5 * np.mean((task.y - x @ np.linalg.lstsq(x, task.y, rcond=1e-15)[0]) ** 2)
    loss = fs.evolve(fs.DeepLinear((), initial=fs.initial.Gaussian(0.1)), task, None).loss[-1]
    assert loss <= floor + 1e-6 * task.statistics.power


def test_a_mode_that_starts_at_nearly_nothing_is_learned():
    task = fs.Task(np.eye(2), np.diag([2.0, 2.0]))
    network = fs.DeepLinear((2,), initial=fs.initial.Weights([np.diag([1.0, 1e-17]), np.diag([1.0, 1e-17])]))
    times = np.array([0.0, 45.0])
    found = [
        fs.evolve(network, task, times, method=method).loss[-1] for method in (fs.Exact(), fs.Reduced(), fs.Flow())
    ]
    np.testing.assert_allclose(found, found[-1], atol=1e-6)


@pytest.mark.parametrize("strength", [1e-300, 1e-310, 5e-324])
def test_subnormal_strengths_give_numbers(strength):
    task = fs.Task(np.eye(2), np.diag([3.0, 1e-3]))
    run = fs.evolve(fs.DeepLinear((2,), initial=fs.initial.Aligned(strength)), task, np.linspace(0, 2000, 9))
    assert np.all(np.isfinite(run.loss))
    assert np.all(np.diff(run.loss) <= 1e-12)


def test_more_steps_than_can_be_counted_are_refused():
    network = fs.DeepLinear((2,), initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match="times"):
        fs.evolve(network, fs.tasks.living_things(4), [0.0, 1e10], method=fs.Train(rate=1e-10))


@pytest.mark.parametrize("factor", [1e160, 1e-160])
@pytest.mark.parametrize("which", ["x", "y"])
def test_units_that_cannot_be_squared_are_refused(factor, which):
    x, y = (np.eye(2) * (factor if which == name else 1.0) for name in ("x", "y"))
    with pytest.raises(ValueError, match=rf"{which} .*units"):
        fs.Task(x, y)


def test_dense_times_of_training_come_once():
    network = fs.DeepLinear((2,), initial=fs.initial.Gaussian(0.1))
    run = fs.evolve(network, fs.tasks.living_things(4), np.linspace(0, 1, 101), method=fs.Train(rate=0.1))
    assert np.all(np.diff(run.times) > 0)

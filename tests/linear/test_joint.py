"""Modes that are learned jointly, against SciPy on the weights; and the warning where modes alone are not enough."""

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import festina as fs

TIMES = np.linspace(0, 60, 61)


def two_cues(count=400):
    """A weak cue that is always right and a strong one that is right nine times in ten."""
    y = np.where(np.arange(count) % 2, 1.0, -1.0)
    spurious = np.where(np.arange(count) // 2 % 10 == 0, -y, y)
    return fs.Task(np.column_stack([0.5 * y, spurious]), y[:, None], inputs=["core", "spurious"])


def by_scipy(weights, task, times):
    """The flow of all weights on all data points, which knows nothing of correlations or rotations."""
    shapes = [w.shape for w in weights]
    cuts = np.cumsum([w.size for w in weights])[:-1]

    def split(flat):
        return [part.reshape(shape) for part, shape in zip(np.split(flat, cuts), shapes, strict=True)]

    def field(_, flat):
        layers = split(flat)
        activity = [task.x]
        for w in layers:
            activity.append(activity[-1] @ w.T)
        back, changes = (task.y - activity[-1]) / len(task.x), []
        for w, into in zip(reversed(layers), reversed(activity[:-1]), strict=True):
            changes.append(back.T @ into)
            back = back @ w
        return np.concatenate([change.ravel() for change in reversed(changes)])

    first = np.concatenate([w.ravel() for w in weights])
    found = solve_ivp(field, (0, times[-1]), first, t_eval=times, rtol=1e-10, atol=1e-13, method="DOP853").y.T
    outputs = np.array([task.x @ np.linalg.multi_dot([w.T for w in split(flat)]) for flat in found])
    return 0.5 * np.sum((task.y - outputs) ** 2, axis=(1, 2)) / len(task.x)


def test_the_cue_that_is_always_right_wins_in_the_end():
    network = fs.DeepLinear((8,), initial=fs.initial.Gaussian(1e-2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = fs.evolve(network, two_cues(), TIMES, method=fs.Reduced(), observe=("loss", "map"))
    assert run.notes["theory"] == "joint modes"
    first, last = run["map"][6, 0], run["map"][-1, 0]
    assert first[1] > first[0]  # early on the spurious cue leads
    np.testing.assert_allclose(last, [2.0, 0.0], atol=0.05)
    assert run.relative_error < 1e-4


def test_modes_alone_warn_on_correlated_cues_and_name_what_fails_and_what_helps():
    network, task = fs.DeepLinear((8,), initial=fs.initial.Gaussian(1e-2)), two_cues()
    with pytest.warns(
        UserWarning,
        match=r"estimated error of (\d+|more than 100)% \(area between.*commuting.*Reduced\('joint modes'\)",
    ):
        alone = fs.evolve(network, task, TIMES, method=fs.Reduced("independent modes"))
    flow = fs.evolve(network, task, TIMES, method=fs.Flow())
    assert alone.relative_error == pytest.approx(fs.compare(alone, flow).area, rel=1e-3)


@pytest.mark.parametrize(("hidden", "outputs"), [((16,), 1), ((16,), 3), ((3, 5), 2), ((2,), 3), ((4, 4), 1)])
def test_joint_modes_are_the_flow_of_all_weights(hidden, outputs):
    rng = np.random.default_rng(len(hidden) + outputs)
    x = rng.standard_normal((30, 4)) @ rng.standard_normal((4, 4)) / 2
    task = fs.Task(x, x @ rng.standard_normal((4, outputs)) + 0.3 * rng.standard_normal((30, outputs)))
    network = fs.DeepLinear(hidden, initial=fs.initial.Gaussian(0.1))
    times = np.linspace(0, 8, 17)
    run = fs.evolve(network, task, times, method=fs.Reduced(fs.linear.JointModes()), observe=("loss", "weights", "map"))
    np.testing.assert_allclose(run.loss, by_scipy(network.start(task, 0), task, times), rtol=1e-5)
    assert run.weights[0].shape[1:] == (hidden[0], 4)
    product = np.linalg.multi_dot([w[-1] for w in reversed(run.weights)])
    np.testing.assert_allclose(product, run["map"][-1], atol=1e-9)


@pytest.mark.parametrize("bias", [False, True])
def test_in_the_limit_it_is_the_best_map_of_the_networks_rank(bias):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((40, 3)) @ rng.standard_normal((3, 3)) + (1.0 if bias else 0.0)
    task = fs.Task(x, x @ rng.standard_normal((3, 3)) + 0.1 * rng.standard_normal((40, 3)) + (0.5 if bias else 0.0))
    network = fs.DeepLinear((2,), initial=fs.initial.Gaussian(0.05), bias=bias)
    end = fs.evolve(network, task, None, method=fs.Reduced(), observe=("loss", "map", "outputs"))
    flow = fs.evolve(network, task, [0.0, 3000.0], method=fs.Flow(rtol=1e-8), observe=("loss", "map", "outputs"))
    np.testing.assert_allclose(end.loss[0], flow.loss[-1], rtol=1e-4)
    np.testing.assert_allclose(end["map"][0], flow["map"][-1], atol=2e-2)
    np.testing.assert_allclose(end.outputs[0], flow.outputs[-1], atol=2e-2)


def test_drawn_tasks_of_correlated_inputs_are_within_two_per_cent_or_warn():
    """The full count of 200 is in benchmarks/theories.py."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        inputs, outputs, depth = rng.integers(2, 7), rng.integers(1, 4), rng.integers(1, 3)
        x = rng.standard_normal((50, inputs)) @ rng.standard_normal((inputs, inputs)) / np.sqrt(inputs)
        task = fs.Task(x, x @ rng.standard_normal((inputs, outputs)) + rng.standard_normal((50, outputs)))
        network = fs.DeepLinear(
            (int(rng.integers(2, 20)),) * depth, initial=fs.initial.Gaussian(10 ** rng.uniform(-3, 0))
        )
        run = fs.evolve(network, task, TIMES, method=fs.Reduced(), seed=seed)
        assert fs.compare(run, fs.evolve(network, task, TIMES, method=fs.Flow(), seed=seed)).area < 0.02

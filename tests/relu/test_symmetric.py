"""(Leaky) ReLU networks on symmetric data: SciPy on all weights, linear networks, and what excludes the theory."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import festina as fs

DRAW = np.random.default_rng(0).standard_normal
HALF = np.sqrt(3) * np.linalg.qr(DRAW((3, 3)))[0]
TARGETS = HALF @ DRAW((3, 2))
TASK = fs.Task(np.vstack([HALF, -HALF]), np.vstack([TARGETS, -TARGETS]))
TIMES = np.linspace(0, 30, 61)


def balanced(scale=1e-2):
    """Balanced layers of two units."""
    basis = scale * np.linalg.qr(DRAW((3, 3)))[0]
    second = np.linalg.qr(DRAW((2, 2)))[0] @ np.eye(2, 3) @ basis.T / np.linalg.norm(basis, 2)
    return second.T @ np.linalg.qr(DRAW((3, 3)))[0][:2], second


def paired(first, second):
    """The same units and their mirror images."""
    return np.vstack([first, -first]), np.hstack([second, -second])


LAYERS = balanced()


def network(slope=None, layers=None, bias=False):
    """A ReLU network, or a feed-forward one with that slope."""
    w, a = paired(*LAYERS) if layers is None else layers
    initial = fs.initial.Weights([w, a])
    if slope is None:
        return fs.ReLU((len(w),), initial=initial, bias=bias)
    return fs.FeedForward((len(w),), "leaky relu", negative_slope=slope, initial=initial, bias=bias)


def followed(layers, task, slope, times):
    """Outputs along the gradient flow of all weights, by SciPy."""
    w, a = layers

    def parts(state):
        return state[: w.size].reshape(w.shape), state[w.size :].reshape(a.shape)

    def outputs(state):
        w, a = parts(state)
        h = task.x @ w.T
        return np.where(h > 0, h, slope * h) @ a.T

    def field(_, state):
        w, a = parts(state)
        h = task.x @ w.T
        gates, residual = np.where(h > 0, 1.0, slope), task.y - outputs(state)
        moved = ((residual @ a * gates).T @ task.x, residual.T @ (gates * h))
        return np.concatenate([m.ravel() for m in moved]) / len(task.x)

    start = np.concatenate([w.ravel(), a.ravel()])
    found = solve_ivp(field, (0, times[-1]), start, t_eval=times, rtol=1e-11, atol=1e-13)
    return np.stack([outputs(state) for state in found.y.T])


def excluded(network, task=TASK):
    """Names of the assumptions that fail."""
    rows = {row.theory.name: row for row in fs.theories(network, task).rows}
    return [a.name for a in rows["symmetric data"].assumptions if not a.holds]


@pytest.mark.parametrize("slope", [None, 0.0, 0.01, 0.3, 1.0, 2.5])
def test_outputs_are_those_of_all_weights(slope):
    exact = fs.evolve(network(slope), TASK, TIMES, observe=("loss", "outputs", "hidden", "weights"))
    assert exact.notes["theory"] == "symmetric data"
    expected = followed(paired(*LAYERS), TASK, slope or 0.0, TIMES)
    np.testing.assert_allclose(exact.outputs, expected, atol=1e-9)
    np.testing.assert_allclose(exact.loss, ((TASK.y - expected) ** 2).sum(axis=(1, 2)) / 12, atol=1e-9)
    first, second = exact.weights
    hidden = TASK.x @ np.swapaxes(first, 1, 2)
    active = np.where(hidden > 0, hidden, (slope or 0.0) * hidden)
    np.testing.assert_allclose(np.asarray(exact["hidden"]).reshape(active.shape), active, atol=1e-12)
    np.testing.assert_allclose(active @ np.swapaxes(second, 1, 2), expected, atol=1e-9)


def test_at_slope_one_it_is_the_linear_network_and_at_zero_the_relu_network():
    w, a = paired(*LAYERS)
    linear = fs.evolve(fs.DeepLinear((6,), initial=fs.initial.Weights([w, a])), TASK, TIMES, observe=("outputs",))
    leaky = {slope: fs.evolve(network(slope), TASK, TIMES, observe=("outputs",)).outputs for slope in (0.0, 1.0)}
    np.testing.assert_allclose(leaky[1.0], linear.outputs, atol=1e-12)
    relu = fs.evolve(network(), TASK, TIMES, observe=("outputs",)).outputs
    np.testing.assert_allclose(leaky[0.0], relu, atol=1e-12)
    named = fs.FeedForward((6,), "relu", bias=False, initial=fs.initial.Weights([w, a]))
    np.testing.assert_allclose(fs.evolve(named, TASK, TIMES, observe=("outputs",)).outputs, relu, atol=1e-12)


def test_flow_and_training_agree():
    exact = fs.evolve(network(0.2), TASK, TIMES)
    assert exact.loss[-1] < 1e-3 * exact.loss[0]
    assert fs.compare(exact, fs.evolve(network(0.2), TASK, TIMES, method=fs.Flow(rtol=1e-9))).area < 1e-4
    areas = [
        fs.compare(fs.evolve(network(0.2), TASK, TIMES, method=fs.Train(rate=rate)), exact).area
        for rate in (0.02, 0.01)
    ]
    assert areas[1] == pytest.approx(areas[0] / 2, rel=0.1)


def test_what_excludes_it_is_measured():
    assert excluded(network()) == excluded(network(0.3)) == []
    other = fs.Task(TASK.x, TASK.y**2)
    assert excluded(network(), other) == excluded(network(0.3), other) == ["symmetry"]
    assert excluded(network(0.3), fs.Task(TASK.x[:-1], TASK.y[:-1]))[0] == "symmetry"
    assert excluded(network(layers=LAYERS)) == excluded(network(0.3, layers=LAYERS)) == ["pairs"]
    w, a = paired(*LAYERS)
    assert excluded(network(0.3, layers=(w[:-1], a[:, :-1])))[0] == "pairs"
    biased = fs.FeedForward((4,), "leaky relu")
    assert excluded(biased) == ["bias"]
    assert excluded(fs.ReLU((4, 4), initial=fs.initial.Gaussian(0.1))) == ["one hidden layer"]
    with pytest.raises(fs.AssumptionError, match="mirror image"):
        fs.evolve(network(), other, TIMES, method=fs.Exact("symmetric data"))


@pytest.mark.parametrize(
    "others",
    [
        {"hidden": (8, 8)},
        {"activation": "tanh"},
        {"dropout": 0.1},
        {"connection": "convolution", "kernel": 2, "channels": 2},
    ],
)
def test_other_networks_do_not_list_it(others):
    found = fs.FeedForward(**{"hidden": (8,), "bias": False, "activation": "leaky relu", **others})
    assert all(theory.name != "symmetric data" for theory in found.theories)


def test_units_that_stay_between_open_and_closed_exclude_it():
    """A ReLU unit with w·x = 0 has two closed gates there, at x and at −x; leaky units leave."""
    x, turn = np.sqrt(2) * np.eye(2), np.array([[0.6, -0.8], [0.8, 0.6]])
    task = fs.Task(np.vstack([x, -x]), np.vstack([np.diag([2.0, 1.0]), -np.diag([2.0, 1.0])]))
    layers = paired(0.1 * np.eye(2), 0.1 * turn)

    def missed(slope, layers):
        pace = (1 + slope) / 2
        linear = followed([np.sqrt(pace) * w for w in layers], task, 1.0, pace * TIMES)
        return np.abs(followed(layers, task, slope, TIMES) - linear).max()

    assert excluded(network(0.0, layers), task) == ["open or closed"]
    assert missed(0.0, layers) > 0.1
    others = ((0.0, paired(0.1 * turn, 0.1 * turn)), (0.3, layers), (1.0, layers))
    for slope, those in others:
        assert excluded(network(slope, those), task) == []
        assert missed(slope, those) < 1e-9


def test_rows_are_paired_each_once():
    from festina.relu._symmetric import _mirrored

    rows = np.random.default_rng(1).standard_normal((200, 5))
    both = np.random.default_rng(2).permutation(np.vstack([rows, -rows, np.zeros((1, 5))]))
    assert _mirrored(both) < 1e-15
    assert _mirrored(np.vstack([both, rows[:1], rows[:1]])) > 0.1
    assert _mirrored(np.vstack([both, rows[:1], -rows[:1]])) < 1e-15
    assert _mirrored(both + 1e-6 * rows[0]) > 1e-7
    assert _mirrored(np.zeros((3, 2))) == _mirrored(np.zeros((0, 2))) == 0


def test_a_theory_of_another_slope_is_refused():
    theory = fs.relu.SymmetricData(0.3)
    assert fs.evolve(network(0.3), TASK, [0.0], method=fs.Exact(theory)).notes["theory"] == "symmetric data"
    for other in (network(0.2), network()):
        with pytest.raises(ValueError, match=f"symmetric data.*{type(other).__name__}"):
            fs.evolve(other, TASK, [0.0], method=fs.Exact(theory))
    with pytest.raises(ValueError, match=r"slope is -0\.5; a number >= 0"):
        fs.relu.SymmetricData(-0.5)

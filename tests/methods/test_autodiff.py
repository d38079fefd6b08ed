"""The flow of any network, by differentiating its loss, beside SciPy on the same gradient written out."""

import jax.numpy as jnp
import numpy as np
import pytest
import scipy

import festina as fs

TIMES = np.array([0.0, 0.3, 4.0, 4.5, 20.0])


def forward(weights, x):
    return jnp.tanh(x @ weights["in"]) @ weights["out"]


class Tanh(fs.Network):
    """One hidden layer of three units."""

    predict = property(lambda self: forward)

    def start(self, task, seed):
        draw = np.random.default_rng(seed).normal
        return {"in": 0.5 * draw(size=(2, 3)), "out": 0.5 * draw(size=(3, 1))}


class Still(Tanh):
    """A start from which nothing moves."""

    def start(self, task, seed):
        return {"in": np.zeros((2, 3)), "out": np.zeros((3, 1))}


@pytest.fixture(scope="module", name="task")
def small_task():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((12, 2))
    return fs.Task(x, np.sin(2 * x[:, :1]) + x[:, 1:])


@pytest.fixture(scope="module", name="reference")
def by_scipy(task):
    """Loss at the times, of one start."""

    def velocity(_, flat):
        first, second = flat[:6].reshape(2, 3), flat[6:].reshape(3, 1)
        hidden = np.tanh(task.x @ first)
        error = (hidden @ second - task.y) / len(task.x)
        return -np.concatenate(
            [(task.x.T @ ((error @ second.T) * (1 - hidden**2))).ravel(), (hidden.T @ error).ravel()]
        )

    def solve(seed):
        start = Tanh().start(task, seed)
        flat = np.concatenate([start["in"].ravel(), start["out"].ravel()])
        path = scipy.integrate.solve_ivp(velocity, (0, 20), flat, "DOP853", TIMES, rtol=1e-12, atol=1e-14).y.T
        outputs = [np.tanh(task.x @ w[:6].reshape(2, 3)) @ w[6:].reshape(3, 1) for w in path]
        return np.array([0.5 * np.mean(np.sum((task.y - o) ** 2, axis=1)) for o in outputs])

    return np.stack([solve(seed) for seed in range(3)])


STEPS = 10
"""Errors of single steps, each within the tolerance, that add up to the error of the loss; there are some dozens."""


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-10])
def test_the_flow_is_that_of_scipy_to_the_tolerance(task, reference, rtol):
    run = fs.evolve(Tanh(), task, TIMES, method=fs.Flow(rtol=rtol), seeds=3)
    np.testing.assert_allclose(run.loss, reference, atol=STEPS * rtol)


def test_a_seed_is_the_same_alone_and_the_times_asked_for_change_little(task, reference):
    together = fs.evolve(Tanh(), task, TIMES, method=fs.Flow(), seeds=3)
    alone = fs.evolve(Tanh(), task, TIMES, method=fs.Flow(), seed=2)
    np.testing.assert_allclose(alone.loss, together.loss[2], rtol=1e-12)
    assert alone.notes["steps"] == together.notes["steps"][2:]
    many = fs.evolve(Tanh(), task, np.linspace(0, 20, 81), method=fs.Flow())
    np.testing.assert_allclose(many.loss[-1], reference[0, -1], atol=STEPS * 1e-6)


def test_where_nothing_moves_few_steps_are_taken(task):
    run = fs.evolve(Still(), task, TIMES, method=fs.Flow())
    assert np.ptp(run.loss) == 0
    assert run.notes["steps"][0] < 50


def test_a_limit_on_steps_is_told(task, monkeypatch):
    from festina.methods import _autodiff

    monkeypatch.setattr(_autodiff, "MOST_STEPS", 5)
    with pytest.raises(RuntimeError, match=r"the solver took 5 steps and did not reach t=21; .*larger rtol"):
        fs.evolve(Tanh(), task, [0.0, 1.0, 21.0], method=fs.Flow(rtol=1e-7))


def test_curvature_that_grows_by_orders_of_magnitude_on_the_way_is_followed():
    """Small weights and large targets: the smallest step is that of the start, where the loss is almost flat."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((8, 3))
    task, times = fs.Task(x, 1000 * np.sin(x @ rng.standard_normal((3, 2)))), np.linspace(0, 2, 3)
    network = fs.FeedForward((4, 4), "linear", gain=5e-3, bias=False)
    deep = fs.DeepLinear((4, 4), initial=fs.initial.Weights(network.start(task, 0)[0]))
    expected = fs.evolve(deep, task, times, method=fs.Flow(rtol=1e-8)).loss  # by SciPy, on the gradient written out
    assert expected[-1] < 0.1 * expected[0]
    found = fs.evolve(network, task, times, method=fs.Flow()).loss
    np.testing.assert_allclose(found, expected, atol=1e-4 * expected[0])


def test_steps_that_stay_too_large_are_told(task, monkeypatch):
    from festina.methods import _autodiff

    monkeypatch.setattr(_autodiff, "_smaller", lambda loss, data, smallest, *_: [step / 2 for step in smallest])
    with pytest.raises(RuntimeError, match=r"the curvature of the loss grows .* on the way to t=1 .*; scale inputs"):
        fs.evolve(Tanh(), task, [0.0, 1.0], method=fs.Flow())


@pytest.mark.parametrize("scale", [0.05, 0.5])
def test_stabilised_steps_follow_the_flow(scale):
    network, times = fs.ReLU((20,), initial=fs.initial.Gaussian(scale)), np.linspace(0, 60, 61)
    x = np.random.default_rng(0).standard_normal((50, 4))
    task = fs.Task(x, np.sin(x[:, :2]))
    flow, areas = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-7), seed=1), []
    for rtol in (1e-2, 1e-4):
        runs = fs.evolve(network, task, times, method=fs.Flow(solver="Chebyshev", rtol=rtol), seeds=2)
        alone = fs.evolve(network, task, times, method=fs.Flow(solver="Chebyshev", rtol=rtol), seed=1)
        assert runs.loss[1] == pytest.approx(alone.loss, rel=1e-12)
        areas.append(fs.compare(alone, flow).area)
    assert areas[0] < 0.03
    assert areas[1] < 0.003
    with pytest.raises(ValueError, match=r"solver 'Tchebychev' is unknown\. Did you mean 'Chebyshev'"):
        fs.Flow(solver="Tchebychev")


def test_stabilised_steps_take_fewer_gradients_than_training_over_long_times():
    network = fs.ReLU((20,), initial=fs.initial.Torch())
    x = np.random.default_rng(0).standard_normal((50, 4))
    run = fs.evolve(network, fs.Task(x, np.sin(x[:, :2])), [0.0, 2000.0], rate=1e-3, method=fs.Flow("Chebyshev"))
    stable = 2000 * max(run.notes["rate_times_sharpness"].values()) / 1e-3 / 2
    assert stable > 1000
    assert run.notes["gradients"][0] < stable

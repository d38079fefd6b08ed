"""Training is gradient descent, step by step, however seeds are batched and observations scheduled."""

import numpy as np
import pytest

import festina as fs
from festina.runtime.progress import shown

ROUNDING = 1e-12
"""Double precision over some hundred steps of a contracting or slowly growing map."""

SINGLE = 1e-4
"""Single precision over the same steps."""

RATE = 0.05
OBSERVE = ("loss", "strengths", "map", "outputs", "weights", "hidden")


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(3)
    return fs.Task(rng.standard_normal((20, 4)), rng.standard_normal((20, 3)))


def network(hidden=(5,), std=0.1):
    return fs.DeepLinear(hidden=hidden, initial=fs.initial.Gaussian(std))


def descend(weights, task, steps):
    """Plain gradient descent on the data themselves, written out for any depth."""
    weights = [w.copy() for w in weights]
    for _ in range(steps):
        layers = [task.x]
        for w in weights:
            layers.append(layers[-1] @ w.T)
        back = (layers[-1] - task.y) / len(task.x)
        changes = []
        for w, before in zip(reversed(weights), reversed(layers[:-1]), strict=True):
            changes.append(back.T @ before)
            back = back @ w
        weights = [w - RATE * c for w, c in zip(weights, reversed(changes), strict=True)]
    return weights


@pytest.mark.parametrize("hidden", [(), (5,), (5, 6)])
def test_every_step_is_gradient_descent_on_the_data(task, hidden):
    steps = np.array([0, 1, 2, 50, 200])
    run = fs.evolve(network(hidden), task, steps * RATE, method=fs.Train(rate=RATE), observe=OBSERVE)
    for i, count in enumerate(steps):
        weights = descend(network(hidden).start(task, 0), task, count)
        for ours, theirs in zip(run.weights, weights, strict=True):
            np.testing.assert_allclose(ours[i], theirs, rtol=ROUNDING, atol=ROUNDING)
        outputs = task.x
        for w in weights:
            outputs = outputs @ w.T
        np.testing.assert_allclose(run.outputs[i], outputs, atol=ROUNDING)
        loss = 0.5 * np.sum((task.y - outputs) ** 2) / len(task.x)
        np.testing.assert_allclose(run.loss[i], loss, rtol=ROUNDING)


@pytest.mark.parametrize("batching", ["vmap", "map"])
@pytest.mark.parametrize("seeds", [1, 2, 5])
def test_seeds_together_are_seeds_alone(task, batching, seeds):
    times = np.linspace(0, 5, 7)
    method = fs.Train(rate=RATE, batching=batching)
    together = fs.evolve(network(), task, times, method=method, seed=2, seeds=seeds, observe=OBSERVE)
    assert together.loss.shape == (seeds, 7)
    assert together.weights[0].shape == (seeds, 7, 5, 4)
    for i, seed in enumerate(range(2, 2 + seeds)):
        alone = fs.evolve(network(), task, times, method=fs.Train(rate=RATE), seed=seed, observe=OBSERVE)
        np.testing.assert_allclose(together.loss[i], alone.loss, rtol=ROUNDING)
        np.testing.assert_allclose(together.weights[1][i], alone.weights[1], atol=ROUNDING)


def test_single_precision_is_near_double(task):
    times = np.linspace(0, 10, 5)
    double = fs.evolve(network(), task, times, method=fs.Train(rate=RATE))
    single = fs.evolve(network(), task, times, method=fs.Train(rate=RATE, precision="single"))
    assert single.loss.dtype == np.float32
    assert double.loss.dtype == np.float64
    np.testing.assert_allclose(single.loss, double.loss, rtol=SINGLE)


def test_equal_shapes_compile_once(task):
    from festina.methods import _step

    rng = np.random.default_rng(9)
    other = fs.Task(rng.standard_normal((20, 4)), rng.standard_normal((20, 3)))
    fs.evolve(network(), task, np.linspace(0, 1, 3), method=fs.Train(rate=RATE), seeds=3)
    before = _step.compiled.cache_info().misses
    for again in (task, other):
        for count in (3, 40):
            for rate in (RATE, RATE / 2):
                fs.evolve(network(std=0.3), again, np.linspace(0, 1, count), method=fs.Train(rate=rate), seeds=3)
    assert _step.compiled.cache_info().misses == before


def test_progress_changes_nothing(task, capfd):
    times = np.array([0.0, 30.0, 31.0])
    quiet = fs.evolve(network(), task, times, method=fs.Train(rate=RATE), observe=("loss", "weights"))
    loud = fs.evolve(network(), task, times, method=fs.Train(rate=RATE), observe=("loss", "weights"), progress=True)
    np.testing.assert_array_equal(quiet.loss, loud.loss)
    np.testing.assert_array_equal(quiet.weights[0], loud.weights[0])
    assert capfd.readouterr().out == ""


def test_progress_is_shown_once_however_nested():
    from festina.runtime.progress import active

    assert not active()
    with shown(), shown():
        assert active()
    assert not active()


def test_times_move_onto_whole_steps(task):
    run = fs.evolve(network(), task, np.array([0.0, 0.12, 0.13, 1.0]), method=fs.Train(rate=RATE))
    assert run.notes["steps"] == [0, 2, 3, 20]
    np.testing.assert_allclose(run.times, [0.0, 0.1, 0.15, 1.0])
    assert {"seconds_compiling", "seconds_running", "batching", "threads", "device"} <= set(run.notes)


def test_divergence_is_reported_in_the_result(task):
    with pytest.warns(UserWarning, match=r"diverged: at step \d+ of seed 0 .*allows rates up to about [\d.]+"):
        run = fs.evolve(network(), task, np.linspace(0, 5000, 11), method=fs.Train(rate=50.0))
    assert "diverged" in run.notes["diverged"]
    assert "The second run diverged" in str(fs.compare(fs.evolve(network(), task, run.times, method=fs.Reduced()), run))
    (finite,) = run.assumptions
    assert not finite.holds
    assert finite.measured == pytest.approx(np.mean(~np.isfinite(run.loss)))


def test_training_sets_no_flag_and_leaves_single_precision_to_others(task):
    import jax.numpy as jnp

    fs.evolve(network(), task, np.array([0.0, 1.0]), method=fs.Train(rate=RATE))
    assert jnp.asarray(1.0).dtype == jnp.float32


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rate": 0}, r"rate is 0; a number > 0 is needed"),
        ({"rate": -1.0}, r"rate is -1.0"),
        ({"rate": float("nan")}, r"rate is nan; a number > 0 is needed"),
        ({"rate": 0.1, "precision": "half"}, r"precision 'half'.*double, single, tf32"),
        ({"rate": 0.1, "batching": "all"}, r"batching 'all'.*auto, fused, map, vmap"),
    ],
)
def test_bad_settings_get_words(settings, message):
    with pytest.raises(ValueError, match=message):
        fs.Train(**settings)


def test_the_fused_kernel_is_refused_where_there_is_no_gpu(task):
    with pytest.raises(ValueError, match=r"batching is 'fused'.*on a GPU.*use batching='auto'"):
        fs.evolve(network(), task, np.array([0.0]), method=fs.Train(rate=RATE, precision="single", batching="fused"))


def test_infinite_time_is_refused(task):
    with pytest.raises(ValueError, match=r"times is None.*no training run reaches; give times, or use fs\.Exact"):
        fs.evolve(network(), task, None, method=fs.Train(rate=RATE))


def test_one_compilation_serves_gains_rates_and_data():
    from festina.methods import _step

    first = fs.Task(x=[[-1.0], [0.0]], y=[[0.6], [1.3]])
    _step.compiled.cache_clear()
    for gain, rate in ((0.8, 0.1), (1.1, 0.02)):
        for task in (first, fs.Task([[0.0], [2.0]], [[1.0], [0.0]])):
            fs.evolve(fs.FeedForward((7, 7), gain=gain), task, rate * np.arange(4), method=fs.Train(rate),
                      observe=("distances", "loss"))  # fmt: skip
    assert _step.compiled.cache_info().misses == 1

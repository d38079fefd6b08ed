"""Optimisers and mini-batches against the same steps written out."""

from functools import partial

import numpy as np
import optax
import pytest

import festina as fs

pytestmark = pytest.mark.slow

ROUNDING = 1e-10
"""Double precision over forty steps; Adam divides by roots that start near zero."""

RATE, STEPS = 0.05, 40
TIMES = np.arange(STEPS + 1) * RATE


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(3)
    return fs.Task(rng.standard_normal((20, 4)), rng.standard_normal((20, 3)))


def network():
    return fs.DeepLinear(hidden=(5,), initial=fs.initial.Gaussian(0.3))


def gradients(weights, task):
    first, second = weights
    back = (task.x @ first.T @ second.T - task.y) / len(task.x)
    return [(back @ second).T @ task.x, back.T @ (task.x @ first.T)]


def heavy_ball(task, mass=0.9):
    weights, path = [*network().start(task, 0)], []
    speed = [np.zeros_like(w) for w in weights]
    for _ in range(STEPS + 1):
        path.append(weights)
        speed = [mass * v + g for v, g in zip(speed, gradients(weights, task), strict=True)]
        weights = [w - RATE * v for w, v in zip(weights, speed, strict=True)]
    return path


def adam(task, b1=0.9, b2=0.999, eps=1e-8):
    weights, path = [*network().start(task, 0)], []
    mean, square = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    for k in range(1, STEPS + 2):
        path.append(weights)
        slope = gradients(weights, task)
        mean = [b1 * m + (1 - b1) * g for m, g in zip(mean, slope, strict=True)]
        square = [b2 * s + (1 - b2) * g**2 for s, g in zip(square, slope, strict=True)]
        weights = [
            w - RATE * (m / (1 - b1**k)) / (np.sqrt(s / (1 - b2**k)) + eps)
            for w, m, s in zip(weights, mean, square, strict=True)
        ]
    return path


@pytest.mark.parametrize(
    ("settings", "reference"),
    [
        ({"optimiser": "momentum", "momentum": 0.5}, partial(heavy_ball, mass=0.5)),
        ({"optimiser": partial(optax.sgd, momentum=0.9)}, heavy_ball),
        ({"optimiser": "adam"}, adam),
        ({"optimiser": optax.adam(RATE, b1=0.8)}, partial(adam, b1=0.8)),
    ],
)
def test_every_step_is_the_optimisers(task, settings, reference):
    run = fs.evolve(network(), task, TIMES, method=fs.Train(rate=RATE, **settings), seeds=2, observe="weights")
    for layer, path in enumerate(zip(*reference(task), strict=True)):
        np.testing.assert_allclose(run.weights[layer][0], np.stack(path), atol=ROUNDING)
    assert run.unit == "steps × rate"


def test_without_momentum_it_is_descent(task):
    plain = fs.evolve(network(), task, TIMES, method=fs.Train(rate=RATE), observe="weights")
    light = fs.evolve(
        network(), task, TIMES, method=fs.Train(rate=RATE, optimiser="momentum", momentum=0.0), observe="weights"
    )
    np.testing.assert_allclose(light.weights[0], plain.weights[0], atol=ROUNDING)
    assert plain.unit == "flow time"


def test_optimisers_print_as_one_would_write_them():
    assert repr(fs.Train(rate=0.1, optimiser="adam", batch=4)) == "Train(rate=0.1, optimiser='adam', batch=4)"
    assert repr(fs.Train(rate=0.1, optimiser=optax.lion)).endswith("lion)")
    assert repr(fs.Train(rate=0.1, optimiser=optax.sgd(0.1))).count("0x") == 0


ITEMS, BATCH = 11, 3
PER = ITEMS // BATCH


def drawn(net=None, seeds=2, times=None):
    """Which items each step was of: with one-hot inputs and a shallow network it moves their columns only."""
    task = fs.Task(np.eye(ITEMS), 1 + np.random.default_rng(0).random((ITEMS, 2)))
    net = net or fs.DeepLinear(initial=fs.initial.Gaussian(0.1))
    steps = np.arange(4 * PER + 1) if times is None else times
    run = fs.evolve(
        net, task, steps * RATE, method=fs.Train(rate=RATE, batch=BATCH), seeds=seeds, observe=("weights", "loss")
    )
    return run, np.abs(np.diff(run.weights[0], axis=1)).sum(axis=2) > 0, task


def test_batches_take_each_point_once_in_an_order_drawn_anew():
    run, moved, task = drawn()
    assert np.all(moved.sum(axis=2) == BATCH)
    epochs = moved.reshape(2, 4, PER, ITEMS)
    assert np.all(epochs.sum(axis=2) <= 1)
    assert len({e.tobytes() for seed in epochs for e in seed}) == 8
    before, after = run.weights[0][1, 0], run.weights[0][1, 1]
    rows = np.flatnonzero(moved[1, 0])
    slope = (before - task.y.T)[:, rows] / BATCH
    np.testing.assert_allclose(after[:, rows], before[:, rows] - RATE * slope, atol=ROUNDING)
    # the loss observed is that of all points
    np.testing.assert_allclose(run.loss[1, 1], 0.5 * np.sum((after - task.y.T) ** 2) / ITEMS, rtol=ROUNDING)


def test_batches_depend_on_the_seed_alone():
    run, _, task = drawn()
    again, _, _ = drawn()
    np.testing.assert_array_equal(run.weights[0], again.weights[0])
    rarely, _, _ = drawn(times=np.array([0, 2, 7, 4 * PER]))
    np.testing.assert_array_equal(rarely.weights[0], run.weights[0][:, [0, 2, 7, 4 * PER]])
    alone = fs.evolve(
        fs.DeepLinear(initial=fs.initial.Gaussian(0.1)), task, np.array([0.0, 7 * RATE]),
        method=fs.Train(rate=RATE, batch=BATCH), seed=1, observe="weights",
    )  # fmt: skip
    np.testing.assert_allclose(alone.weights[0][1], run.weights[0][1, 7], atol=ROUNDING)


def test_gates_go_with_their_points():
    import networkx as nx

    closed = np.arange(ITEMS) % 4 == 1
    net = fs.Gated(nx.DiGraph([("x", "y")]), {("x", "y"): ~closed}, initial=fs.initial.Gaussian(0.1))
    _, moved, _ = drawn(net)
    _, free, _ = drawn()
    np.testing.assert_array_equal(moved, free & ~closed)


def test_a_batch_of_all_points_is_a_full_step(task):
    whole = fs.evolve(network(), task, TIMES, method=fs.Train(rate=RATE), seeds=2)
    batch = fs.evolve(network(), task, TIMES, method=fs.Train(rate=RATE, batch=20), seeds=2)
    np.testing.assert_allclose(batch.loss, whole.loss, rtol=ROUNDING)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"optimiser": "lbfgs"}, r"optimiser 'lbfgs' is unknown. Known: adam, adamw, gd"),
        ({"optimiser": 3}, r"optimiser is 3; a name \(adam, adamw, gd, momentum, rmsprop\), a function that makes"),
        ({"momentum": 1.0}, r"momentum is 1.0; a number >= 0 and < 1"),
        ({"momentum": -0.1}, r"momentum is -0.1; a number >= 0"),
        ({"batch": 0}, r"batch is 0; a whole number >= 1"),
    ],
)
def test_bad_settings_get_words(settings, message):
    with pytest.raises(ValueError, match=message):
        fs.Train(rate=0.1, **settings)


def test_bad_runs_get_words(task):
    with pytest.raises(ValueError, match=r"batch is 21 with 20 data points; give at most that many"):
        fs.evolve(network(), task, TIMES, method=fs.Train(rate=RATE, batch=21))
    with pytest.raises(ValueError, match=r"optimiser makes float of the rate; .* such as optax.lion"):
        fs.evolve(network(), task, TIMES, method=fs.Train(rate=RATE, optimiser=abs))


def test_momentum_makes_descent_into_momentum_and_is_refused_beside_another_optimiser():
    assert fs.Train(0.1, momentum=0.5) == fs.Train(0.1, optimiser="momentum", momentum=0.5)
    assert fs.Train(0.1, optimiser="momentum").momentum == 0.9
    assert repr(fs.Train(0.1, momentum=0.5)) == "Train(rate=0.1, optimiser='momentum', momentum=0.5)"
    with pytest.raises(ValueError, match=r"momentum is 0.5 and optimiser 'adam', which has none of its kind"):
        fs.Train(0.1, optimiser="adam", momentum=0.5)


def test_an_optimiser_of_another_library_is_refused():
    def optimiser(parameters):
        return [float(p) for p in parameters]

    with pytest.raises(ValueError, match=r"optimiser is .* fails on the rate 0.1 \(TypeError.* such as optax.adamw"):
        fs.evolve(fs.DeepLinear((2,), initial=fs.initial.Gaussian(0.1)), fs.tasks.living_things(4), [0.0, 1.0],
                  method=fs.Train(0.1, optimiser=optimiser))  # fmt: skip

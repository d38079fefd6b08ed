"""Linear recurrent networks: modes against all weights, closed forms, kernel, and the cases at their edges."""

from typing import Any

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

import festina as fs
from festina.recurrent._observe import tangent_kernel
from festina.recurrent._theory import TemporalModes
from festina.tasks import Sequences

STRENGTHS = np.array([[0.2, 0.1], [0.4, 0.0], [0.5, -0.3], [0.7, 0.6], [0.8, 0.9], [1.0, 2.0]])
BAD: Any = None
TIMES = np.linspace(0, 20, 6)


def _all_weights(task, length, weights, times):
    """A_l(t) from all weights: loss over white inputs, gradient by complex steps through the product of matrices."""
    shapes = [w.shape for w in weights]
    cuts = np.cumsum([w.size for w in weights])[:-1]
    maps = np.asarray(task.maps)[::-1]

    def lag_maps(flat):
        first, recurrent, last = (part.reshape(s) for part, s in zip(np.split(flat, cuts), shapes, strict=True))
        return np.stack([last @ np.linalg.matrix_power(recurrent, lag) @ first for lag in range(length)])

    def loss(flat):
        return 0.5 * np.sum((maps - lag_maps(flat)) ** 2)

    def field(_, flat):
        return -np.array([loss(flat + 1e-30j * unit).imag / 1e-30 for unit in np.eye(len(flat))])

    start = np.concatenate([w.ravel() for w in weights])
    found = scipy.integrate.solve_ivp(field, (0, times[-1]), start, "DOP853", times, rtol=1e-11, atol=1e-13)
    return np.stack([lag_maps(flat) for flat in found.y.T])


def test_flow_agrees_with_all_weights_by_scipy():
    task = fs.tasks.sensory_integration(STRENGTHS[:3])
    network = fs.LinearRNN(3, length=3, initial=fs.initial.Gaussian(0.3))
    times = np.linspace(0, 4, 3)
    found = fs.evolve(network, task, times, method=fs.Flow(), observe=("map",))["map"]
    np.testing.assert_allclose(found, _all_weights(task, 3, network.start(task, 0), times), atol=1e-9)


def test_modes_are_exact_from_an_aligned_start():
    task = fs.tasks.sensory_integration(STRENGTHS)
    network = fs.LinearRNN(8, length=6, initial=fs.recurrent.AlignedRecurrence(0.01, recurrent=0.1))
    seen = ("loss", "strengths", "map", "eigenvalues", "kernel")
    race = fs.evolve(network, task, TIMES, method=fs.Reduced(), observe=seen)
    flow = fs.evolve(network, task, TIMES, method=fs.Flow(), observe=seen)
    assert all(assumption.holds for assumption in race.assumptions)
    for name in seen:
        # eigenvalues of a matrix that is symmetric up to rounding have half the digits where they are zero
        np.testing.assert_allclose(race[name], flow[name], atol=1e-9 if name != "eigenvalues" else 1e-6)


def test_modes_of_random_orientation_are_found():
    rng = np.random.default_rng(2)
    u, v = (np.linalg.qr(rng.standard_normal((3, 3)))[0] for _ in range(2))
    maps = np.stack([u[:, :2] * row @ v[:, :2].T for row in STRENGTHS])
    modes = TemporalModes(fs.tasks.sensory_integration(maps), 6)
    assert modes.unshared < 1e-12
    np.testing.assert_allclose(np.sort(np.abs(modes.strengths)), np.sort(np.abs(STRENGTHS[::-1])), atol=1e-12)


@pytest.mark.parametrize("recurrent", [0.6, -0.3, 0.0])
def test_a_fixed_recurrence_has_a_closed_form(recurrent):
    task = fs.tasks.sensory_integration(np.abs(STRENGTHS))
    start = fs.recurrent.AlignedRecurrence((0.01, 0.02), recurrent=recurrent)
    network = fs.LinearRNN(5, length=6, initial=start, learn_recurrent=False)
    theory = fs.evolve(network, task, TIMES, observe=("loss", "strengths", "weights"))
    flow = fs.evolve(network, task, TIMES, method=fs.Flow(), observe=("loss", "strengths", "weights"))
    np.testing.assert_allclose(theory.loss, flow.loss, atol=1e-9)
    np.testing.assert_allclose(theory.strengths, flow.strengths, atol=1e-9)
    for a, b in zip(theory.weights, flow.weights, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_training_approaches_the_closed_form_with_slope_one_in_the_step():
    task = fs.tasks.integration(length=3, strengths=0.8)
    start = fs.recurrent.AlignedRecurrence(0.01, recurrent=0.4)
    network = fs.LinearRNN(4, length=3, initial=start, learn_recurrent=False)
    exact = fs.evolve(network, task, TIMES[:3]).loss
    rates = np.array([0.04, 0.02, 0.01])
    gaps = [np.abs(fs.evolve(network, task, TIMES[:3], method=fs.Train(rate=r)).loss - exact).max() for r in rates]
    assert np.polyfit(np.log(rates), np.log(gaps), 1)[0] == pytest.approx(1.0, abs=0.1)


def test_one_time_step_is_a_two_layer_network():
    task = fs.tasks.sensory_integration([[2.0, 1.0]])
    network = fs.LinearRNN(4, length=1, initial=fs.recurrent.AlignedRecurrence(1e-2))
    flat = fs.DeepLinear((4,), initial=fs.initial.Aligned(1e-2))
    np.testing.assert_allclose(fs.evolve(network, task, TIMES).loss, fs.evolve(flat, task, TIMES).loss, atol=1e-10)


def test_a_delayed_response_is_never_learned_from_no_recurrence():
    task = fs.tasks.delayed_response(length=4)
    network = fs.LinearRNN(4, length=4, initial=fs.recurrent.AlignedRecurrence(1e-2, recurrent=0.0))
    theory = fs.evolve(network, task, [0.0, 10.0, 100.0])
    flow = fs.evolve(network, task, [0.0, 10.0, 100.0], method=fs.Flow())
    np.testing.assert_allclose(theory.loss, flow.loss, atol=1e-9)
    assert theory.loss[-1] == pytest.approx(0.5, abs=1e-3)  # ½ s²: as if nothing were to be remembered
    with pytest.raises(fs.AssumptionError, match="fixed recurrence"):
        fs.evolve(network, fs.tasks.integration(length=4), [0.0, 1.0])


def test_input_and_output_strength_keep_their_difference_of_squares():
    task = fs.tasks.integration(length=4)
    start = [[[0.3], [0.1]], [[0.2, 0.0], [0.1, 0.1]], [[0.1, 0.4]]]
    network = fs.LinearRNN(2, length=4, initial=fs.initial.Weights(start))
    first, _, last = fs.evolve(network, task, [0.0, 8.0], method=fs.Flow(), observe=("weights",)).weights
    # W_x W_xᵀ and W_yᵀ W_y have equal gain in trace: what flows in through one flows out through the other
    difference = (first**2).sum(axis=(1, 2)) - (last**2).sum(axis=(1, 2))
    assert difference[1] == pytest.approx(difference[0], abs=1e-10)


def test_the_tangent_kernel_is_that_of_the_derivatives():
    import jax
    import jax.numpy as jnp

    rng = np.random.default_rng(0)
    weights = (rng.standard_normal((3, 2)), 0.5 * rng.standard_normal((3, 3)), rng.standard_normal((2, 3)))

    def maps(weights):
        first, recurrent, last = weights
        return jnp.stack([last @ jnp.linalg.matrix_power(recurrent, lag) @ first for lag in range(4)]).ravel()

    with jax.enable_x64(True):
        parts = jax.jacobian(maps)(tuple(map(jnp.asarray, weights)))
        jacobian = np.concatenate([np.asarray(p).reshape(16, -1) for p in parts], axis=1)
    np.testing.assert_allclose(tangent_kernel(weights, 4), jacobian @ jacobian.T, atol=1e-11)


@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_extrapolation_is_the_loss_on_longer_sequences(noise):
    network = fs.LinearRNN(3, length=2, initial=fs.initial.Gaussian(0.6))
    for make in (fs.tasks.integration, fs.tasks.delayed_response):
        task = make(length=2, noise=noise)
        weights = network.start(task, 0)
        found = network.observables(network.context(task))["extrapolation"](weights)
        expected = []
        for length in range(2, 7):
            longer = fs.LinearRNN(3, length=length, initial=fs.initial.Weights(weights))
            expected.append(fs.evolve(longer, task.extended(length), [0.0], method=fs.Flow()).loss[0])
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(("strengths", "first"), [([[2.0, 0.0], [0.0, 1.0]], 1), ([[0.0, 1.0], [2.0, 0.0]], 0)])
def test_what_comes_later_or_is_larger_is_learned_first(strengths, first):
    # mode 0 is larger; in the first task it comes one step earlier, in the second one step later
    task = fs.tasks.sensory_integration(strengths)
    network = fs.LinearRNN(4, length=2, initial=fs.recurrent.AlignedRecurrence(1e-3, recurrent=0.05))
    race = fs.evolve(network, task, np.linspace(0, 60, 121), method=fs.Reduced(), observe=("strengths", "loss"))
    explained = np.abs(race.strengths).max(axis=1)  # (times, modes) of either sign and order
    target = np.abs(network.modes(task).strengths).max(axis=0)
    half = [race.times[np.argmax(explained[:, m] > target[m] / 2)] for m in range(2)]
    order = np.argsort(half)
    assert target[order[0]] == pytest.approx([2.0, 1.0][first])


@given(length=st.integers(1, 4), width=st.integers(1, 4), seed=st.integers(0, 20))
def test_training_and_flow_see_the_same_gradient(length, width, seed):
    task = fs.tasks.integration(length=length, strengths=0.7, noise=0.2)
    network = fs.LinearRNN(width, length=length, initial=fs.initial.Gaussian(0.5))
    weights, context = network.start(task, seed), network.context(task)
    change = network.velocity(task)(weights)

    def loss(step):
        return float(
            network.loss(tuple(w + step * c for w, c in zip(weights, change, strict=True)), context["data"], None)
        )

    slope = (loss(1e-6) - loss(-1e-6)) / 2e-6
    assert slope == pytest.approx(-sum(np.sum(c**2) for c in change), rel=1e-5, abs=1e-9)


def test_sampled_sequences_and_tanh_units():
    task = fs.tasks.integration(length=2, strengths=0.3)
    start = fs.initial.Gaussian(0.3)
    linear = fs.LinearRNN(4, length=2, initial=start)
    tanh = fs.recurrent.TanhRNN(4, length=2, initial=start, sequences=100)
    for network in (linear, tanh):
        loss = fs.evolve(network, task, [0.0, 40.0], method=fs.Train(rate=0.2, batch=20)).loss
        assert loss[-1] < 0.2 * loss[0]
    flow = fs.evolve(tanh, task, [0.0, 1.0], method=fs.Flow(rtol=1e-6), observe=("loss", "strengths", "eigenvalues"))
    assert flow.loss[1] < flow.loss[0]


def test_a_trajectory_on_a_task_over_time_comes_back_whole(tmp_path):
    task = fs.tasks.integration(length=2, noise=0.1)
    network = fs.LinearRNN(3, length=2, initial=fs.recurrent.AlignedRecurrence(0.1), learn_recurrent=False)
    path = fs.evolve(network, task, [0.0, 1.0], observe=("loss", "strengths"))
    again = fs.load(path.save(tmp_path / "run.nc"))
    assert again.network == network
    np.testing.assert_array_equal(again.strengths, path.strengths)
    assert isinstance(again.task, Sequences)
    assert again.task.extended(4).length == 4
    assert again.task.draw == task.draw


def test_fs_theories_answers_for_recurrent_networks():
    network = fs.LinearRNN(3, length=4, initial=fs.initial.Gaussian(0.01))
    table = str(fs.theories(network, fs.tasks.integration(length=4)))
    assert "fixed recurrence" in table
    assert "recurrent modes" in table


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fs.LinearRNN(0, length=2, initial=fs.initial.Gaussian(0.1)), "width is 0"),
        (lambda: fs.LinearRNN(2, length=0, initial=fs.initial.Gaussian(0.1)), "length is 0"),
        (lambda: fs.LinearRNN(2, length=2, initial=BAD), "initial is None"),
        (lambda: fs.recurrent.TanhRNN(2, length=2, initial=BAD), "initial is None"),
        (
            lambda: fs.LinearRNN(2, length=3, initial=fs.initial.Gaussian(0.1)).start(fs.tasks.living_things(4), 0),
            "length is 3 for a task with 4 inputs",
        ),
        (lambda: fs.recurrent.AlignedRecurrence(-1.0), "strength is -1.0"),
        (
            lambda: fs.LinearRNN(1, length=2, initial=fs.recurrent.AlignedRecurrence(0.1)).start(
                fs.tasks.integration(length=2, strengths=(2.0, 1.0)), 0
            ),
            "width is 1 for 2 modes",
        ),
        (
            lambda: fs.LinearRNN(3, length=2, initial=fs.recurrent.AlignedRecurrence((0.1, 0.1))).start(
                fs.tasks.integration(length=2), 0
            ),
            "strength has 2 values for 1 modes",
        ),
        (
            lambda: fs.evolve(
                fs.LinearRNN(3, length=2, initial=fs.recurrent.AlignedRecurrence(0.1)), fs.tasks.integration(length=2),
                None, method=fs.Reduced(),
            ),
            "t → ∞",
        ),
    ],
)  # fmt: skip
def test_bad_arguments_get_an_error_that_says_what_to_do(call, message, untyped):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_recurrence_however_small_grows_where_earlier_inputs_count():
    """b = 1e-12 reaches 1 within t = 30 here, so that a closed form with b = 0 would be wrong by a quarter."""
    task = fs.tasks.sensory_integration([[1.0], [0.0], [1.0]])
    network = fs.LinearRNN(1, length=3, initial=fs.recurrent.AlignedRecurrence(0.5, recurrent=1e-12))
    with pytest.raises(fs.AssumptionError, match="any other b grows, however small"):
        fs.evolve(network, task, [0.0, 60.0], method=fs.Exact())
    resting = fs.LinearRNN(1, length=3, initial=fs.recurrent.AlignedRecurrence(0.5))
    stays = fs.evolve(resting, task, [0.0, 60.0], method=fs.Exact()).loss[-1]
    assert stays > 1.3 * fs.evolve(network, task, [0.0, 60.0], method=fs.Flow()).loss[-1]


def test_a_task_without_anything_to_learn_has_no_modes():
    nothing = fs.tasks.sensory_integration([[0.0, 0.0], [0.0, 0.0]])
    network = fs.LinearRNN(3, length=2, initial=fs.initial.Gaussian(0.1))
    race = fs.evolve(network, nothing, [0.0, 1.0], method=fs.Reduced("recurrent modes"))
    np.testing.assert_array_equal(race.loss, 0.0)
    np.testing.assert_allclose(
        np.abs(np.asarray(race.error)), fs.evolve(network, nothing, [0.0, 1.0], method=fs.Flow()).loss, rtol=1e-5
    )


@pytest.mark.parametrize("size", [1e-10, 1e-13])
def test_weights_that_begin_small_keep_their_digits_beside_a_large_recurrence(size):
    """Against the logarithm of a = c, which has no small numbers."""
    times = np.linspace(0, 60, 61)

    def field(_, state):
        grown, b = np.exp(2 * state[0]), state[1]
        left = 1 - grown * np.array([1, b, b * b])
        return [left @ [1, b, b * b], grown * (left @ [0, 1, 2 * b])]

    path = scipy.integrate.solve_ivp(field, (0, 60), [np.log(size), 0.5], "LSODA", times, rtol=1e-11, atol=1e-11).y.T
    true = [0.5 * np.sum((1 - np.exp(2 * u) * np.array([1, b, b * b])) ** 2) for u, b in path]
    start = fs.initial.Weights((np.array([[size]]), np.array([[0.5]]), np.array([[size]])))
    network, task = fs.LinearRNN(1, length=3, initial=start), fs.tasks.integration(length=3)
    race = fs.evolve(network, task, times, method=fs.Reduced())
    np.testing.assert_allclose(race.loss, true, atol=1e-7)
    assert np.abs(np.asarray(race.error)).max() < 1e-4


def _noisy(weights, task, *, tau, sigma_in, sigma_h, window):
    """Expected loss of a network with leak and noise, every source followed by itself step by step."""
    first, recurrent, last = weights
    steps, outputs, inputs = task.maps.shape
    count = len(recurrent)
    lead = np.concatenate([np.eye(inputs), sigma_in * np.eye(inputs), np.zeros((inputs, count))], axis=1)
    private = np.concatenate([np.zeros((count, 2 * inputs)), sigma_h * np.eye(count)], axis=1)
    total = 0.0
    for answer in range(steps - window, steps):
        for source in range(answer + 1):
            state = np.zeros((count, 2 * inputs + count))
            for t in range(source, answer + 1):
                drive = recurrent @ state + (first @ lead + private if t == source else 0.0)
                state = state + (drive - state) / tau
            target = np.zeros((outputs, state.shape[1]))
            target[:, :inputs] = task.maps[source + steps - 1 - answer]
            total = total + 0.5 * np.sum((target - last @ state) ** 2)
    return total


OPTIONS = [
    {"tau": 1.0, "sigma_in": 0.0, "sigma_h": 0.0, "window": 3},
    {"tau": 2.5, "sigma_in": 0.0, "sigma_h": 0.0, "window": 1},
    {"tau": 1.0, "sigma_in": 0.4, "sigma_h": 0.3, "window": 2},
    {"tau": 4.0, "sigma_in": 0.2, "sigma_h": 0.5, "window": 4},
]


def _build(width, given, **options):
    return fs.LinearRNN(
        width, length=4, time_constant=given["tau"], input_noise=given["sigma_in"], private_noise=given["sigma_h"],
        window=given["window"], **options,
    )  # fmt: skip


@pytest.mark.parametrize("given", OPTIONS)
def test_loss_and_flow_with_leak_noise_and_a_window_are_those_of_every_source_by_itself(given):
    maps = np.random.default_rng(0).normal(size=(4, 2, 1))
    task = fs.tasks.sensory_integration(maps, window=given["window"])
    network = _build(3, given, initial=fs.initial.Gaussian(0.4))
    weights, context = network.start(task, 0), network.context(task)
    assert network.loss(weights, context["data"], None) == pytest.approx(_noisy(weights, task, **given), rel=1e-12)
    change = network.velocity(task)(weights)
    for k, matrix in enumerate(weights):
        for at in np.ndindex(matrix.shape):
            moved = [w.astype(complex) for w in weights]
            moved[k][at] += 1e-30j
            assert change[k][at] == pytest.approx(-_noisy(moved, task, **given).imag / 1e-30, rel=1e-9, abs=1e-12)
    flow = fs.evolve(network, task, [0.0, 3.0], method=fs.Flow())
    train = fs.evolve(network, task, [0.0, 3.0], method=fs.Train(rate=1e-3))
    np.testing.assert_allclose(train.loss, flow.loss, rtol=5e-3)


@pytest.mark.parametrize("given", OPTIONS)
def test_modes_with_leak_noise_and_a_window_are_exact_from_an_aligned_start(given):
    task = fs.tasks.integration(4, strengths=(1.0, 0.6), window=given["window"])
    network = _build(6, given, initial=fs.recurrent.AlignedRecurrence(0.05, recurrent=0.2))
    times, seen = np.linspace(0, 10, 6), ("loss", "strengths", "kernel", "extrapolation")
    race = fs.evolve(network, task, times, method=fs.Reduced(), observe=seen)
    flow = fs.evolve(network, task, times, method=fs.Flow(), observe=seen)
    assert race.notes["theory"] == "recurrent modes"
    for name in seen:
        np.testing.assert_allclose(race[name], flow[name], atol=1e-9)


@pytest.mark.parametrize("given", OPTIONS[:2])
def test_a_fixed_recurrence_with_leak_and_a_window_has_a_closed_form(given):
    task = fs.tasks.integration(4, window=given["window"])
    start = fs.recurrent.AlignedRecurrence(0.05, recurrent=0.6)
    network = _build(4, given, initial=start, learn_recurrent=False)
    theory = fs.evolve(network, task, TIMES, observe=("loss", "strengths"))
    flow = fs.evolve(network, task, TIMES, method=fs.Flow(), observe=("loss", "strengths"))
    np.testing.assert_allclose(theory.loss, flow.loss, atol=1e-9)
    np.testing.assert_allclose(theory.strengths, flow.strengths, atol=1e-9)


def test_private_noise_has_no_closed_form():
    network = _build(4, OPTIONS[3], initial=fs.recurrent.AlignedRecurrence(0.05), learn_recurrent=False)
    with pytest.raises(fs.AssumptionError, match="private noise"):
        fs.evolve(network, fs.tasks.integration(4, window=4), TIMES)


@pytest.mark.parametrize(("make", "end"), [(fs.tasks.integration, 25), (fs.tasks.delayed_response, 300)])
@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_a_few_hidden_directions_learn_as_all_units_from_random_weights(make, end, noise):
    task, times = make(length=3), np.linspace(0, end, 61)
    network = fs.LinearRNN(32, length=3, initial=fs.initial.Gaussian(0.02), private_noise=noise, time_constant=1.25)
    few = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "weights", "eigenvalues"))
    all_units = fs.evolve(network, task, times, method=fs.Flow())
    assert few.notes == {"theory": "hidden subspace", "dimensions": 6}
    assert all(assumption.holds for assumption in few.assumptions)
    assert fs.compare(few, all_units).area < 0.05
    # weights start as they are, in all units
    for own, drawn in zip(few["weights"], network.start(task, 0), strict=True):
        np.testing.assert_allclose(own[0], drawn, atol=1e-12)


def test_a_large_recurrence_has_no_reduction_and_this_is_said():
    task, times = fs.tasks.integration(length=4), np.linspace(0, 8, 9)
    network = fs.LinearRNN(8, length=4, initial=fs.initial.Gaussian(0.3))
    found = fs.evolve(network, task, times, method=fs.Reduced())
    (failing,) = (assumption for assumption in found.assumptions if not assumption.holds)
    assert failing.name == "fewer units"
    assert "8 of 8" in failing.statement
    np.testing.assert_allclose(found.loss, fs.evolve(network, task, times, method=fs.Flow()).loss, atol=1e-6)


def test_targets_at_every_step_are_what_the_sequences_say():
    task = fs.tasks.delayed_response(length=4, delay=1, strengths=2.0, window=3, noise=0.3)
    drawn = task.sampled(20_000, 0)
    x, y = np.asarray(drawn.x), np.asarray(drawn.y)
    sign = np.sign(task.maps[2, 0, 0])
    for k, t in enumerate((1, 2, 3)):
        assert np.std(y[:, k] - 2 * sign * x[:, t - 1]) == pytest.approx(0.3, rel=0.02)
    assert fs.tasks.integration(length=4, window=3).extended(6).window == 3
    with pytest.raises(ValueError, match="window is 5"):
        fs.tasks.integration(length=4, window=5)
    network = fs.LinearRNN(3, length=4, initial=fs.initial.Gaussian(0.1), window=2)
    with pytest.raises(ValueError, match="window is 2 for a task with 1 outputs"):
        network.start(fs.tasks.integration(length=4), 0)
    with pytest.raises(ValueError, match=r"time_constant is 0\.5; a number of steps >= 1"):
        fs.LinearRNN(3, length=4, initial=fs.initial.Gaussian(0.1), time_constant=0.5)

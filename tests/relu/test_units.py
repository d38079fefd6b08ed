import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import festina as fs
from festina.relu import _reduce

pytestmark = pytest.mark.slow

DIALS = (1e-2, 3e-4)
SMALL = fs.initial.Gaussian(0.02)


def reference(network, task, times, seed=0):
    """Loss of all weights by SciPy, with a smooth enough tolerance for gates; biases are columns of ones."""
    first, second = network.start(task, seed)
    x = network.inputs(task)
    cut, shape = first.size, first.shape

    def outputs(z):
        w, a = z[:cut].reshape(shape), z[cut:].reshape(second.shape)
        h = np.maximum(x @ w.T, 0)
        full = np.column_stack([h, np.ones(len(x))]) if network.bias else h
        return w, a, h, full, full @ a.T

    def flow(_, z):
        w, a, h, full, y = outputs(z)
        r = (task.y - y) / len(x)
        back = (r @ a[:, : len(w)]) * (h > 0)
        return np.concatenate([(back.T @ x).ravel(), (r.T @ full).ravel()])

    start = np.concatenate([first.ravel(), second.ravel()])
    run = solve_ivp(flow, (0, times[-1]), start, "RK23", times, rtol=1e-4, atol=1e-7)
    loss = [((task.y - outputs(z)[-1]) ** 2).sum() / (2 * len(x)) for z in run.y.T]
    return fs.Trajectory.from_arrays(times, loss)


def tasks():
    rng = np.random.default_rng(0)
    line = np.linspace(-1, 1, 12)
    two = np.eye(5)[[0, 1, 2, 0, 1, 2]]
    two[np.arange(6), np.repeat([3, 4], 3)] = 1
    return {
        "XOR": (fs.tasks.extended_xor(0.0), 60.0, False),
        "linear": (fs.tasks.hierarchy(2), 60.0, False),
        "random": (fs.Task(rng.standard_normal((8, 3)), rng.standard_normal((8, 2))), 30.0, False),
        "regression": (fs.Task(line[:, None], np.sin(3 * line)[:, None] + 0.5), 60.0, True),
        "contexts": (fs.Task(two, np.column_stack([np.eye(3)[[0, 1, 2] * 2], two[:, 3:]])), 60.0, False),
    }


@pytest.mark.parametrize("name", ["XOR", "linear", "random", "regression", "contexts"])
def test_the_finer_the_dial_the_nearer_to_gradient_flow(name):
    task, until, bias = tasks()[name]
    network = fs.ReLU((24,), initial=SMALL, bias=bias)
    times = np.linspace(0, until, 61)
    expected = reference(network, task, times)
    areas = []
    for accuracy in DIALS:
        run = fs.evolve(network, task, times, method=fs.Reduced(fs.relu.UnitGrowth(accuracy=accuracy)))
        areas.append(fs.compare(run, expected).area)
    assert areas[1] < areas[0]
    assert areas[1] < 3e-3
    if name != "linear":
        fewer = [fs.relu.UnitGrowth(accuracy=3e-4, units=units) for units in (4, 12)]
        coarse, fine = (fs.compare(fs.evolve(network, task, times, method=fs.Reduced(f)), expected).area for f in fewer)
        assert fine < coarse


def test_one_point_is_the_closed_form_of_two_layers():
    """All units that are on are one linear layer: u(t) from the Riccati equation with their second moments."""
    task = fs.Task([[2.0]], [[1.5]])
    network = fs.ReLU((1,), initial=fs.initial.Weights([np.array([[1e-3]]), np.array([[1e-3]])]))
    times = np.linspace(0, 6, 61)
    s, d, u0 = 3.0, 4.0, 1e-6
    u = (s / d) / (1 - (1 - s / (d * u0)) * np.exp(-2 * s * times))
    run = fs.evolve(network, task, times, method=fs.Reduced(fs.relu.UnitGrowth(accuracy=1e-5)))
    assert run.loss == pytest.approx((1.5 - 2 * u) ** 2 / 2, abs=1e-3)


@pytest.mark.parametrize(("c", "d"), [(1e3, 1e-3), (1e-6, 1e6), (1e5, 1e5)])
def test_the_unit_of_inputs_and_targets_does_not_matter(c, d):
    task, times = fs.tasks.extended_xor(0.7), np.linspace(0, 60, 31)
    scaled = fs.Task(c * task.x, d * task.y)
    theory = fs.Reduced(fs.relu.UnitGrowth(units=12))
    plain = fs.evolve(fs.ReLU((32,), initial=fs.initial.Gaussian(1e-3)), task, times, method=theory)
    network = fs.ReLU((32,), initial=fs.initial.Gaussian(1e-3 * np.sqrt(d / c)))
    other = fs.evolve(network, scaled, times / (c * d), method=theory)
    assert other.loss / d**2 == pytest.approx(plain.loss, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("hidden", [1, 2, 4])
def test_the_width_matters(hidden):
    """Few units cannot learn XOR; which plateau they end on is what training ends on."""
    task, times = fs.tasks.extended_xor(0.0), np.linspace(0, 100, 41)
    network = fs.ReLU((hidden,), initial=SMALL)
    theory = fs.evolve(network, task, times, method=fs.Reduced(), seeds=3)
    trained = fs.evolve(network, task, times, method=fs.Train(rate=0.05), seeds=3)
    assert theory.loss[:, -1] == pytest.approx(trained.loss[:, -1], abs=5e-3)
    assert (theory.loss[:, -1] > 0.1).any()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("merged", [False, True])
def test_the_order_of_units_points_and_outputs_does_not_matter(seed, merged):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((7, 3)), rng.standard_normal((7, 2))
    first, second = 0.01 * rng.standard_normal((20, 3)), 0.01 * rng.standard_normal((2, 20))
    units, points, outputs = rng.permutation(20), rng.permutation(7), rng.permutation(2)
    times, theory = np.linspace(0, 12, 13), fs.Reduced(fs.relu.UnitGrowth(units=9 if merged else None))
    plain = fs.ReLU((20,), initial=fs.initial.Weights([first, second]))
    turned = fs.ReLU((20,), initial=fs.initial.Weights([first[units], second[outputs][:, units]]))
    a = fs.evolve(plain, fs.Task(x, y), times, method=theory)
    b = fs.evolve(turned, fs.Task(x[points], y[points][:, outputs]), times, method=theory)
    # gates amplify rounding; a start on the edge between two attractors may go either way, these do not
    assert b.loss == pytest.approx(a.loss, abs=1e-6)


def test_single_precision_is_as_good_as_double_where_it_is_used(monkeypatch):
    task, times = fs.tasks.context(3), np.linspace(0, 40, 21)
    network = fs.ReLU((200,), initial=fs.initial.Gaussian(0.005 / 200))
    drawn = network.start(task, 0)[0]
    single, double = (_reduce.precision(drawn * scale, len(task.x), 1e-3) for scale in (1.0, 1e-12))
    assert (single, double) == (np.float32, np.float64)
    runs = []
    for least in (_reduce.LARGE, np.inf):
        monkeypatch.setattr(_reduce, "LARGE", least)
        runs.append(fs.evolve(network, task, times, method=fs.Reduced()))
    assert runs[0].loss[-1] < 0.5 * runs[0].loss[0]
    np.testing.assert_allclose(runs[0].loss, runs[1].loss, rtol=1e-4)
    assert runs[0].loss.dtype == float


@pytest.mark.parametrize("units", [None, 10])
def test_weights_compute_the_loss_and_continue_the_run(units):
    task, network = fs.tasks.extended_xor(1.0), fs.ReLU((24,), initial=SMALL, bias=True)
    times, theory = np.linspace(0, 30, 16), fs.Reduced(fs.relu.UnitGrowth(units=units))
    names = ("loss", "outputs", "weights", "hidden", "gates", "active_units", "contributions")
    run = fs.evolve(network, task, times, method=theory, observe=names)
    assert [w.shape for w in run.weights] == [(16, 24, 4), (16, 1, 25)]
    assert ((task.y - run.outputs) ** 2).sum(axis=(1, 2)) / 8 == pytest.approx(run.loss)
    assert run["contributions"].shape == (16, 24)
    assert (run["active_units"] <= 24).all()
    assert run.notes["integrated"] == pytest.approx(units or 24, abs=4)
    assert run.error is not None
    assert run.error.shape == (16,)
    if units is None:
        half = fs.evolve(network, fs.sequence([task, task]), np.linspace(0, 15, 9), method=theory)
        assert half.loss[-1] == pytest.approx(run.loss[-1], abs=2e-3)


def test_the_error_estimate_covers_the_error():
    task, times = fs.tasks.context(3), np.linspace(0, 100, 41)
    network = fs.ReLU((60,), initial=fs.initial.Gaussian(1e-4))
    exact = fs.evolve(network, task, times, method=fs.Reduced(fs.relu.UnitGrowth(accuracy=1e-4)))
    for theory in (fs.relu.UnitGrowth(accuracy=2e-3), fs.relu.UnitGrowth(units=30)):
        run = fs.evolve(network, task, times, method=fs.Reduced(theory))
        assert run.error is not None
        wrong = np.trapezoid(np.abs(run.loss - exact.loss), times)
        assert wrong < 3 * np.trapezoid(run.error, times)
        assert wrong > 0


def one_network(found):
    """The modules of a run without seeds."""
    assert not isinstance(found, list)
    return found


@pytest.mark.parametrize(("seed", "between"), [(0, False), (2, True)])
def test_a_start_between_two_attractors_has_a_large_error_estimate(seed, between):
    """On these points the finite step of training sends seed 2, but not seed 0, another way than the flow goes."""
    rng = np.random.default_rng(100)
    task = fs.Task(rng.standard_normal((8, 4)), rng.standard_normal((8, 1)))
    network = fs.ReLU((128,), initial=fs.initial.Gaussian(float(np.sqrt(4e-8 / 128))))
    times = np.linspace(0, 8000, 81) * 0.1 / float(np.linalg.eigvalsh(task.x.T @ task.x / 8)[-1])
    run = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed)
    assert run.error is not None
    assert (np.trapezoid(run.error, times) / np.trapezoid(run.loss, times) > 0.1) == between
    rate = float(times[1]) / 100
    trained = fs.evolve(network, task, times, method=fs.Train(rate=rate), seed=seed)
    stepwise = fs.Reduced(fs.relu.UnitGrowth(rate=rate))
    assert (fs.compare(run, trained).area > 0.1) == between
    assert fs.compare(fs.evolve(network, task, times, method=stepwise, seed=seed), trained).area < 0.003


@pytest.mark.parametrize("name", ["XOR", "linear", "random", "regression", "contexts"])
def test_with_a_rate_it_is_gradient_descent(name):
    task, until, bias = tasks()[name]
    network, times = fs.ReLU((24,), initial=SMALL, bias=bias), np.linspace(0, until / 2, 31)

    def areas(rate, accuracy):
        trained = fs.evolve(network, task, times, method=fs.Train(rate=rate))
        for step in (None, rate):
            theory = fs.Reduced(fs.relu.UnitGrowth(accuracy=accuracy, rate=step))
            yield fs.compare(fs.evolve(network, task, times, method=theory), trained).area

    flow, stepwise = areas(0.1, 3e-4)
    assert stepwise < flow / 4
    if name == "linear":
        # of the order of the step in flow; of its square with it, where units do not slide along boundaries
        (flow, stepwise), (finer_flow, finer) = areas(0.1, 1e-5), areas(0.05, 1e-5)
        assert finer_flow == pytest.approx(flow / 2, rel=0.2)
        assert finer < 0.35 * stepwise


def test_a_unit_ends_in_the_module_that_it_is_said_to_end_in():
    rng = np.random.default_rng(4)
    task = fs.Task(rng.standard_normal((8, 4)), rng.standard_normal((8, 1)))
    network, times = fs.ReLU((64,), initial=fs.initial.Gaussian(1e-4)), np.linspace(0, 80, 41)
    runs = [
        fs.evolve(network, task, times, method=m, observe=("loss", "weights")) for m in (fs.Reduced(), fs.Train(0.05))
    ]
    theory, trained = (one_network(fs.relu.final_modules(run)) for run in runs)
    right = sum(
        module.share / len(module.units)
        for module in trained
        for unit in module.units
        if (theory[theory.of_unit[unit]].pattern == module.pattern).all()
    )
    assert right > 0.9
    assert theory[0].time == pytest.approx(trained[0].time, rel=0.05)
    assert sum(module.share for module in theory) == pytest.approx(1.0)
    by_half = one_network(fs.relu.final_modules(runs[0], groups=np.arange(8) // 4))
    assert by_half.patterns.shape[1] == 2


def test_the_expected_start_is_the_mean_of_networks():
    task, times = fs.tasks.extended_xor(2.0), np.linspace(0, 20, 41)
    network = fs.ReLU((64,), initial=fs.initial.Gaussian(1e-3))
    mean = fs.evolve(network, task, times, method=fs.Reduced(), seeds=16).mean()
    expected = fs.evolve(network, task, times, method=fs.Reduced(fs.relu.UnitGrowth(draws=16)))
    assert fs.compare(expected, mean).area < 0.02
    assert expected.notes["units"] == 16 * 64


def test_nothing_to_learn_and_dead_units():
    times = np.linspace(0, 5, 6)
    silent = fs.evolve(
        fs.ReLU((8,), initial=SMALL), fs.Task([[1.0], [2.0]], [[0.0], [0.0]]), times, method=fs.Reduced()
    )
    assert silent.loss.max() < 1e-5
    dead = fs.ReLU((2,), initial=fs.initial.Weights([-np.ones((2, 1)), np.ones((1, 2))]))
    run = fs.evolve(dead, fs.Task([[1.0], [2.0]], [[1.0], [1.0]]), times, method=fs.Reduced())
    assert run.loss == pytest.approx(np.full(6, 0.5))
    assert run.notes["integrated"] == 0


@given(
    points=st.integers(1, 4),
    target=st.floats(-3, 3).filter(lambda y: abs(y) > 1e-3),
    size=st.sampled_from([1e-6, 1.0, 1e6]),
    until=st.sampled_from([0.1, 5.0, 100.0]),
    rate=st.sampled_from([None, 1e-3]),
)
@example(points=3, target=-1 / 3, size=1.0, until=5.0, rate=1e-3)  # the mean is zero up to rounding
@settings(max_examples=20)
def test_where_all_inputs_are_zero_only_the_output_bias_learns(points, target, size, until, rate):
    y = size * (target + np.r_[np.arange(points - 1), 0.0][:, None])
    task, times = fs.Task(np.zeros((points, 2)), y), np.linspace(0, until, 5)
    mean, spread = y.mean(), float(np.mean((y - y.mean()) ** 2))
    run = fs.evolve(
        fs.ReLU((5,), initial=fs.initial.Gaussian(0.1), bias=True), task, times,
        method=fs.Reduced(fs.relu.UnitGrowth(rate=rate)), observe=("loss", "outputs"),
    )  # fmt: skip
    # db/dt = ȳ − b; a step η makes it faster by η/2, which is below the accuracy here
    expected = mean * (1 - np.exp(-times))
    assert run.outputs[:, 0, 0] == pytest.approx(expected, abs=2e-3 * np.abs(y).max())
    assert run.loss == pytest.approx(0.5 * (spread + (mean - expected) ** 2), abs=2e-3 * np.abs(y).max() ** 2)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([[1.0, 2.0]], [[1.0]]),
        ([[1.0, -2.0]] * 4, [[1.0], [0.0], [2.0], [5.0]]),
        ([[0.0, 0.0]] * 3, [[1.0], [2.0], [0.5]]),
    ],
    ids=["one point", "identical points", "zero inputs"],
)
@pytest.mark.parametrize("bias", [False, True])
def test_points_that_cannot_be_told_apart(x, y, bias):
    task, times = fs.Task(x, y), np.linspace(0, 5, 11)
    # hidden biases that are not zero, so that units are on also where inputs are zero
    rng = np.random.default_rng(1)
    weights = [0.3 * rng.standard_normal((5, 2 + bias)), 0.3 * rng.standard_normal((1, 5 + bias))]
    network = fs.ReLU((5,), initial=fs.initial.Weights(weights), bias=bias)
    run = fs.evolve(network, task, times, method=fs.Reduced())
    assert run.loss == pytest.approx(reference(network, task, times).loss, abs=2e-3 * run.loss[0])


def test_errors():
    task, times = fs.tasks.extended_xor(1.0), np.linspace(0, 5, 6)
    network, deep = fs.ReLU((8,), initial=SMALL), fs.ReLU((8, 8), initial=SMALL)
    for settings_, words in (
        ({"accuracy": 0}, "accuracy is 0"), ({"accuracy": 0.5}, "below 0.1"), ({"units": 0}, "units is 0"),
        ({"draws": 0}, "draws is 0"), ({"rate": 0}, "rate is 0"), ({"rate": 0.1, "units": 9}, "give one of the two"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            fs.relu.UnitGrowth(**settings_)  # pyright: ignore[reportArgumentType]
    with pytest.raises(fs.AssumptionError, match="one hidden layer"):
        fs.evolve(deep, task, times, method=fs.Reduced(fs.relu.UnitGrowth(draws=2)))
    with pytest.raises(ValueError, match="give times"):
        fs.evolve(network, task, None, method=fs.Reduced())
    run = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "weights"))
    with pytest.raises(ValueError, match="groups has shape"):
        fs.relu.final_modules(run, groups=[0, 1])
    with pytest.raises(ValueError, match="weights are needed"):
        fs.relu.final_modules(fs.evolve(network, task, times, method=fs.Reduced()))


@pytest.mark.parametrize(("away", "ties"), [(0.0, True), (1e-3, True), (0.3, False)])
def test_a_tie_between_two_points_is_measured_and_trained_networks_part_there(away, ties):
    """One unit that is on at two points far apart, between them: its output weights decide which of them it learns."""
    x = np.array([[1.0, 0.0], [-0.9, np.sqrt(1 - 0.9**2)]])
    task, times = fs.Task(x, np.eye(2)), np.linspace(0, 40, 41)

    def one(away):
        weights = [1e-3 * x.sum(axis=0, keepdims=True), 1e-3 * np.array([[1.0 + away], [1.0]])]
        return fs.ReLU((1,), initial=fs.initial.Weights(weights))

    row = fs.theories(one(away), task, errors=True, times=times, rate=0.02).rows[2]
    assert row.theory.name == "growing units"
    (tie,) = (a for a in row.assumptions if a.name == "no tie")
    assert tie.holds != ties
    ends = [
        fs.evolve(one(away + side), task, times, method=fs.Train(rate=0.02), observe=("outputs",)).outputs[-1]
        for side in (1e-2, -1e-2)
    ]
    assert (np.abs(ends[0] - ends[1]).max() > 0.5) == ties

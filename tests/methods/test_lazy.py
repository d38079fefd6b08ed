"""The lazy limit of any network, against finite differences, matrix exponentials and the infinite-width kernel."""

import jax.numpy as jnp
import numpy as np
import pytest
import scipy

import festina as fs
from festina.core.theory import Start
from festina.methods import _lazy

RNG = np.random.default_rng(0)
X, NEW = RNG.standard_normal((12, 3)), RNG.standard_normal((5, 3))
TASK = fs.Task(X, np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]]), test=(NEW, np.zeros((5, 2))))
LABELS = fs.Task(X, labels=[str(int(v > 0)) for v in X[:, 0]], loss="cross_entropy")
TIMES = np.linspace(0, 6, 13)
LINEAR = fs.methods.Lazy(order=0)


def tanh_network(weights, x):
    return jnp.tanh(x @ weights["in"] + weights["bias"]) @ weights["out"]


def normalised(weights, x):
    h = x @ weights["in"]
    return jnp.tanh((h - h.mean(axis=0)) / jnp.sqrt(h.var(axis=0) + 1e-3)) @ weights["out"]


class Mine(fs.Network):
    def __init__(self, forward=tanh_network, width=8, scale=1.0):
        self.forward, self.width, self.scale = forward, width, scale

    predict = property(lambda self: self.forward)

    def start(self, task, seed):
        draw, inputs = np.random.default_rng(seed).normal, task.x.shape[1]
        found = {"in": draw(size=(inputs, self.width)), "out": draw(size=(self.width, task.y.shape[1]))}
        return {name: self.scale * w for name, w in found.items()} | {"bias": np.zeros(self.width)}


def numbers(weights):
    """The weights as one vector in the order of their names, and the way back."""
    names = sorted(weights)
    shapes, cuts = [np.shape(weights[n]) for n in names], np.cumsum([np.size(weights[n]) for n in names])[:-1]

    def back(flat):
        return {n: p.reshape(s) for n, p, s in zip(names, np.split(flat, cuts), shapes, strict=True)}

    return np.concatenate([np.ravel(weights[n]) for n in names]), back


def derivatives(network, weights, x, step=1e-6):
    """∂f/∂W by central differences in NumPy's precision."""
    import jax

    flat, back = numbers(weights)
    with jax.enable_x64(True):
        columns = [
            np.asarray(network.predict(back(flat + e), x) - network.predict(back(flat - e), x)).ravel() / (2 * step)
            for e in step * np.eye(len(flat))
        ]
        return np.asarray(network.predict(weights, x)), np.stack(columns, axis=1)


def lazy(network, task, times=TIMES, *, theory: fs.Theory | str = "lazy limit", **given):
    return fs.evolve(network, task, times, method=fs.Reduced(theory), **given)


pytestmark = pytest.mark.filterwarnings("ignore:the theory 'lazy limit' (has an estimated error of|does not hold here)")


@pytest.mark.parametrize("formed", [True, False])
@pytest.mark.parametrize("forward", [tanh_network, normalised])
def test_squared_error_is_the_exponential_of_the_kernel(forward, formed, monkeypatch):
    if not formed:
        monkeypatch.setattr(_lazy, "FORMED", 0)
    network = Mine(forward)
    run = lazy(network, TASK, theory=LINEAR, observe=("loss", "outputs", "weights"))
    assert run.notes["kernel"] == ("formed" if formed and forward is tanh_network else "multiplied")
    first, j = derivatives(network, network.start(TASK, 0), X)
    for t, outputs, loss in zip(TIMES, run.outputs, run.loss, strict=True):
        left = scipy.linalg.expm(-j @ j.T * t / len(X)) @ (first - TASK.y).ravel()
        np.testing.assert_allclose((outputs - TASK.y).ravel(), left, atol=2e-6)
        assert loss == pytest.approx(0.5 * left @ left / len(X), abs=1e-6)
    start = network.start(TASK, 0)
    change = np.concatenate([(w[-1] - start[n]).ravel() for n, w in zip(sorted(start), run.weights, strict=True)])
    np.testing.assert_allclose(j @ change, (run.outputs[-1] - first).ravel(), atol=1e-5)


def test_test_points_are_those_of_the_linear_network():
    network = Mine()
    run = lazy(network, TASK, theory=LINEAR, observe=("loss", "test_outputs", "test_loss"))
    (_, j), (at_new, j_new) = (
        derivatives(network, network.start(TASK, 0), X),
        derivatives(network, network.start(TASK, 0), NEW),
    )
    first = derivatives(network, network.start(TASK, 0), X)[0]
    kernel = j @ j.T / len(X)
    spent = np.linalg.solve(kernel, np.eye(len(kernel)) - scipy.linalg.expm(-kernel * TIMES[-1]))
    change = j.T @ (spent @ (TASK.y - first).ravel()) / len(X)
    np.testing.assert_allclose(run["test_outputs"][-1].ravel(), at_new.ravel() + j_new @ change, atol=1e-4)
    np.testing.assert_allclose(run["test_loss"], 0.5 * (run["test_outputs"] ** 2).sum(axis=(1, 2)) / len(NEW))


def test_cross_entropy_is_the_flow_of_the_linear_weights():
    network = Mine()
    run = lazy(network, LABELS, theory=LINEAR, observe=("loss", "outputs"))
    start = network.start(LABELS, 0)
    first, j = derivatives(network, start, X)

    def field(_, change):
        outputs = first + (j @ change).reshape(first.shape)
        return j.T @ (LABELS.y - scipy.special.softmax(outputs, axis=1)).ravel() / len(X)

    found = scipy.integrate.solve_ivp(field, (0, TIMES[-1]), np.zeros(j.shape[1]), t_eval=TIMES, rtol=1e-9, atol=1e-10)
    outputs = first + (found.y.T @ j.T).reshape(-1, *first.shape)
    np.testing.assert_allclose(run.outputs, outputs, atol=1e-4)


def test_descent_with_a_finite_step_of_the_linear_network():
    network, rate = Mine(), 0.25
    run = lazy(network, TASK, np.asarray(rate * np.arange(9), float), theory=fs.methods.Lazy(rate=rate, order=0))
    first, j = derivatives(network, network.start(TASK, 0), X)
    change, losses = np.zeros(j.shape[1]), []
    for _ in range(9):
        left = TASK.y.ravel() - first.ravel() - j @ change
        losses.append(0.5 * left @ left / len(X))
        change = change + rate * j.T @ left / len(X)
    np.testing.assert_allclose(run.loss, losses, atol=1e-6)
    with pytest.raises(ValueError, match=r"rate is 50, at which the linear network diverges.*rates below"):
        lazy(network, TASK, theory=fs.methods.Lazy(rate=50.0))
    with pytest.raises(ValueError, match="rate is for loss='squared' only"):
        lazy(network, LABELS, theory=fs.methods.Lazy(rate=0.1))


def test_a_network_that_is_linear_in_its_weights_is_solved_exactly():
    network = fs.DeepLinear(initial=fs.initial.Gaussian(0.3))
    found, exact = (
        lazy(network, TASK, observe=("loss", "outputs")),
        fs.evolve(network, TASK, TIMES, observe=("loss", "outputs")),
    )
    np.testing.assert_allclose(found.loss, exact.loss, atol=1e-12)
    np.testing.assert_allclose(found.outputs, exact.outputs, atol=1e-10)
    assert next(a.measured for a in found.assumptions) < 1e-12
    assert found.relative_error < 1e-12
    end = fs.evolve(network, TASK, None, method=fs.Reduced("lazy limit"))
    assert end.loss[0] == pytest.approx(TASK.statistics.floor, rel=1e-9)


def infinite(x):
    """The tangent kernel of one hidden layer of ReLU units without biases at infinite width, weights of variance 1/H.

    With unit variances and u = cos of the angle, E σ(a)σ(b) = ‖x‖‖x'‖ (√(1−u²) + u(π − arccos u))/2π and
    E σ'(a)σ'(b) = (π − arccos u)/2π (arc-cosine kernels of degree 1 and 0): Θ is the first plus x·x' times the second.
    """
    size = np.linalg.norm(x, axis=1)
    u = np.clip((x @ x.T) / np.outer(size, size), -1, 1)
    angle = np.pi - np.arccos(u)
    return (np.outer(size, size) * (np.sqrt(1 - u**2) + u * angle) + (x @ x.T) * angle) / (2 * np.pi)


def test_the_kernel_of_wide_relu_networks_is_the_infinite_one_in_the_mean():
    from festina.analysis import tangent
    from festina.runtime.device import in_double

    width, seeds = 400, 40
    network, task = fs.ReLU((width,), initial=fs.initial.Gaussian(1.0)), fs.Task(X, TASK.y[:, :1])
    with in_double():
        kernels = [tangent.tangent_kernel(network.predict, network.start(task, s), X) for s in range(seeds)]
    found = np.array(kernels) / width
    mean, spread = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(seeds)
    assert np.abs((mean - infinite(X)) / spread).max() < 5  # 144 numbers, a normal distribution allows about 3.5
    assert np.linalg.norm(mean - infinite(X)) < 2 * np.linalg.norm(spread)


NEURAL_TANGENTS = {
    1.0: (0.299749878, 0.188320702, -0.058874253, -0.209655581, -0.402592069, -0.078770133, 0.202466940),
    10.0: (1.153310398, 0.693696991, -0.394442704, -0.424836403, -1.535963491, -0.438629202, 0.790033377),
    100.0: (1.224085459, 0.912589684, -0.637749141, 0.148421066, -1.943623950, -1.122222238, 0.411143363),
}
"""Outputs by time: neural_tangents.predict.gradient_descent_mse of its own infinite kernel of one hidden layer of ReLU
units (neural-tangents 0.6.5, stax, double precision), on the points of the next test: benchmarks/infinite_width.py."""


def test_the_lazy_limit_is_learning_with_the_infinite_kernel():
    """Units whose input weights lie evenly on a circle stand for all draws of two normal inputs: sums are integrals.

    The mean of ‖w‖² is 2. Data points lie such that gates switch half way between units, where the sum over units is
    exact for the gates and of second order for what is between them. A unit and its opposite cancel at the start.
    """
    count, points = 4000, np.array([0, 130, 900, 1700, 2310, 3000, 3470])
    directions, angles = 2 * np.pi * (np.arange(count) + 0.5) / count, 2 * np.pi * points / count
    x = np.array([1.0, 0.7, 1.4, 0.9, 1.1, 0.6, 1.2])[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    first = np.sqrt(2) * np.column_stack([np.cos(directions), np.sin(directions)])
    both = np.concatenate([np.ones(count), -np.ones(count)])
    scale = 1 / np.sqrt(2 * count)
    start = fs.initial.Weights([scale * np.vstack([first, first]), scale * both[None]])
    y, times = np.sin(3 * angles)[:5, None] + x[:5, :1], np.array([0.0, 1.0, 10.0, 100.0])
    task = fs.Task(x[:5], y, test=(x[5:], np.zeros((2, 1))))
    run = lazy(fs.ReLU((2 * count,), initial=start), task, times, theory=LINEAR, observe=("outputs", "test_outputs"))
    for t, ours in zip(times[1:], np.concatenate([run.outputs, run["test_outputs"]], axis=1)[1:, :, 0], strict=True):
        np.testing.assert_allclose(ours, NEURAL_TANGENTS[t], atol=1e-6)
    kernel = infinite(x)
    for t, seen, new in zip(times, run.outputs, run["test_outputs"], strict=True):
        spent = np.linalg.solve(kernel[:5, :5], y - scipy.linalg.expm(-kernel[:5, :5] * t / 5) @ y)
        np.testing.assert_allclose(seen, kernel[:5, :5] @ spent, atol=1e-6)
        np.testing.assert_allclose(new, kernel[5:, :5] @ spent, atol=1e-6)


@pytest.mark.parametrize("task", [TASK, LABELS], ids=["squared", "cross-entropy"])
def test_wide_networks_are_lazy_and_the_estimate_covers_narrow_ones(task):
    times = np.linspace(0, 1.5, 16)
    for width, scale in ((1000, 0.7), (20, 0.5)):
        network = Mine(width=width, scale=scale)
        found, flow = lazy(network, task, times), fs.evolve(network, task, times, method=fs.Flow(), observe=("loss",))
        area, change = fs.compare(found, flow).area, found.assumptions[0]
        assert change.holds == (width == 1000)
        if change.holds:
            assert area < 0.02
            assert found.relative_error < 0.1
        else:
            assert found.relative_error > area


FIRST = Mine(scale=0.7).start(TASK, 0)
SCALED = [lambda w, x, a=a: a * (tanh_network(w, x) - tanh_network(FIRST, x)) for a in (2.0, 4.0)]
"""Outputs that start at 0 and are multiplied by a number, with weights that then move little (chizat2019)."""


def flow_of(task, factor, times):
    """The loss under gradient flow from ``FIRST``, by backpropagation in NumPy and SciPy's solver."""
    start, back = numbers(FIRST)

    def outputs(weights):
        hidden = np.tanh(X @ weights["in"] + weights["bias"])
        return hidden, factor * (hidden @ weights["out"] - np.tanh(X @ FIRST["in"]) @ FIRST["out"])

    def velocity(_, flat):
        weights = back(flat)
        hidden, found = outputs(weights)
        pull = factor * np.asarray(task.loss.residual(found, task.y)) / len(X)
        inside = pull @ weights["out"].T * (1 - hidden**2)
        parts = {"in": X.T @ inside, "bias": inside.sum(axis=0), "out": hidden.T @ pull}
        return numbers(parts)[0]

    path = scipy.integrate.solve_ivp(velocity, (0, times[-1]), start, t_eval=times, rtol=1e-9, atol=1e-11).y.T
    return [float(task.loss.mean(outputs(back(flat))[1], task.y)) for flat in path]


@pytest.mark.parametrize("task", [TASK, LABELS], ids=["squared", "cross-entropy"])
def test_the_first_change_of_the_kernel_leaves_an_error_of_second_order(task):
    """With outputs times α the kernel moves by 1/α in times 1/α²: α twice as large leaves ½, and ¼, of the errors."""
    areas, weights = [], []
    for factor, forward in zip((2, 4), SCALED, strict=True):
        network, times = Mine(forward, scale=0.7), np.linspace(0, 6, 13) / factor**2
        flow = fs.Trajectory.from_arrays(times, flow_of(task, factor, times))
        names = ("loss", "outputs", "weights")
        linear, moving = (lazy(network, task, times, theory=fs.methods.Lazy(order=k), observe=names) for k in (0, 1))
        areas.append([fs.compare(run, flow).area for run in (linear, moving)])
        assert moving.relative_error > areas[-1][1]
        assert linear.relative_error > areas[-1][0]
        end = dict(zip(sorted(network.start(task, 0)), (w[-1] for w in moving.weights), strict=True))
        weights.append(np.linalg.norm(network.predict(end, X) - moving.outputs[-1]))
    first, second = np.array(areas[0]) / areas[1]
    assert first == pytest.approx(2, rel=0.25)
    assert second == pytest.approx(4, rel=0.25)
    assert weights[0] / weights[1] > 3  # so that test points follow the network to this order as well


def test_a_prediction_that_is_not_lazy_warns():
    network, times = Mine(width=6, scale=1.0), np.linspace(0, 2, 41)
    with pytest.warns(UserWarning, match=r"'lazy limit' has an estimated error of.*kernel hardly moves.*fs.Flow"):
        fs.evolve(network, TASK, times, method=fs.Reduced())


def test_where_the_kernel_is_more_new_than_old_there_is_no_estimate():
    """Not a number that looks like one: the linear network, a warning, and no error in what is printed."""
    network, times = Mine(width=6, scale=0.3), np.linspace(0, 100, 41)
    with pytest.warns(UserWarning, match=r"lazy limit' does not hold here: the tangent kernel moves by .* no estimate"):
        run = fs.evolve(network, TASK, times, method=fs.Reduced())
    np.testing.assert_allclose(run.loss, lazy(network, TASK, times, theory=LINEAR).loss)
    assert np.isnan(run.relative_error)
    assert "no estimate" in repr(run)
    assert "no estimate" in run._repr_html_()
    assert "nan" not in repr(run) + str(run)


@pytest.mark.parametrize(
    "network",
    [
        Mine(), fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.1)),
        fs.ReLU((4, 4), initial=fs.initial.Gaussian(0.1), bias=True),
        fs.FeedForward((5, 5), "tanh"),
    ],
    ids=["own", "linear", "relu", "feed-forward"],
)  # fmt: skip
def test_every_network_has_it_and_the_table_says_which_regime_the_start_is_in(network):
    table = fs.theories(network, TASK)
    row = table.rows[-1]
    assert row.theory.name == "lazy limit"
    assert row.applies
    assert row.assumptions[-1].measured > 0
    assert "Start:" in str(table)
    assert np.isfinite(lazy(network, TASK).loss).all()


def test_the_start_alone_has_no_error():
    network = fs.DeepLinear((3,), initial=fs.initial.Gaussian(0.1))
    run = fs.evolve(network, fs.Task(np.eye(3), np.diag([1.0, 0.6, 0.3])), [0.0], method=fs.Reduced("lazy limit"))
    assert run.relative_error == 0
    assert run.error == 0


def test_the_change_of_the_kernel_is_that_of_the_linear_network_for_any_loss(monkeypatch):
    """Against the kernel by finite differences, at the weights after the steps of descent of the linear network."""
    monkeypatch.setattr(_lazy, "PROBES", 300)
    for task, factor in ((TASK, 1.0), (LABELS, 2.0)):
        network = Mine(width=30, scale=0.5)
        start = network.start(task, 0)
        first, j = derivatives(network, start, X)
        rate = factor / (np.linalg.eigvalsh(j @ j.T).max() / len(X))
        change = np.zeros(j.shape[1])
        for _ in range(100):
            outputs = first + (j @ change).reshape(first.shape)
            change += rate * j.T @ np.asarray(task.loss.residual(outputs, task.y)).ravel() / len(X)
        flat, back = numbers(start)
        after = derivatives(network, back(flat + change), X)[1]
        expected = np.linalg.norm(after @ after.T - j @ j.T) / np.linalg.norm(j @ j.T)
        found = _lazy.kernel_change(network, task, Start(network, task, 0))
        assert found == pytest.approx(expected, rel=0.1)  # norms from random vectors

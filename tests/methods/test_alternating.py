"""Stages of units: against SciPy's flow of the weights, in the limit of vanishing weights, and degenerate cases."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import scipy
import sklearn.datasets

import festina as fs

GENEROUS = 0.02
"""Area between loss curves that steps of the default accuracy stay below."""


def linear(weights, x):
    return x @ weights["in"] @ weights["out"]


def quadratic(weights, x):
    return (x @ weights["in"]) ** 2 @ weights["out"]


def tanh(weights, x):
    import jax.numpy as jnp

    return jnp.tanh(x @ weights["in"]) @ weights["out"] + weights["bias"]


def rectified(weights, x):
    import jax.numpy as jnp

    return jnp.maximum(x @ weights["in"], 0.0) @ weights["out"]


def deep(weights, x):
    import jax.numpy as jnp

    return jnp.tanh(jnp.tanh(x @ weights["in"]) @ weights["out"]) @ weights["last"]


AXES = {"in": 1, "out": 0}


@dataclass(frozen=True)
class Mine(fs.Network):
    """A two-layer network of one's own."""

    forward: Any
    scale: float = 1e-3
    count: int = 12
    extra: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def predict(self):
        return self.forward

    def start(self, task, seed):
        draw = np.random.default_rng(seed).standard_normal
        shapes = {"in": (task.x.shape[1], self.count), "out": (self.count, task.y.shape[1]), **dict(self.extra)}
        return {name: self.scale * draw(shape) for name, shape in shapes.items()}

    def units(self, weights: Any):
        return {name: AXES.get(name) for name in weights}


def a_task(outputs=2, points=30, inputs=4, seed=1):
    draw = np.random.default_rng(seed).standard_normal
    x = draw((points, inputs))
    return fs.Task(x, np.maximum(x @ draw((inputs, 3)), 0.0) @ draw((3, outputs)))


def reduced(network, task, times, **settings):
    return fs.evolve(network, task, times, method=fs.Reduced(fs.methods.AlternatingFlow(**settings)))


def test_it_follows_the_weights_as_an_independent_solver_does() -> None:
    """Quadratic units by their gradient written out, in SciPy."""
    task, network, times = a_task(1), Mine(quadratic, 0.05, 6), np.linspace(0, 15, 31)
    start = network.start(task, 3)
    shape = start["in"].shape

    def velocity(_, flat):
        w, a = flat[:w_size].reshape(shape), flat[w_size:].reshape(-1, 1)
        h = task.x @ w
        r = (task.y - h**2 @ a) / len(task.x)
        return np.concatenate([(task.x.T @ (2 * h * (r @ a.T))).ravel(), ((h**2).T @ r).ravel()])

    w_size = start["in"].size
    first = np.concatenate([start["in"].ravel(), start["out"].ravel()])
    path = scipy.integrate.solve_ivp(velocity, (0, 15), first, t_eval=times, rtol=1e-10, atol=1e-14).y.T
    outputs = [(task.x @ flat[:w_size].reshape(shape)) ** 2 @ flat[w_size:, None] for flat in path]
    loss = [0.5 * np.mean((task.y - found) ** 2) for found in outputs]
    for accuracy in (1e-2, 1e-3, 1e-4):  # a method of second order errs by its tolerance to the power 2/3
        run = fs.evolve(network, task, times, method=fs.Reduced(fs.methods.AlternatingFlow(accuracy)), seed=3)
        assert np.max(np.abs(run.loss - loss)) < 3 * accuracy ** (2 / 3) * loss[0]
    assert run.notes["degree"] == pytest.approx(3.0)


@pytest.mark.parametrize("scale", [1e-2, 1e-4, 1e-6])
def test_theory_flow_and_training_agree_at_every_scale(scale) -> None:
    task, times = a_task(), np.linspace(0, 12, 61)
    network = Mine(tanh, scale, 10, (("bias", (2,)),))
    theory = reduced(network, task, times)
    flow = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-7, atol=1e-7 * scale))
    trained = fs.evolve(network, task, times, method=fs.Train(rate=2e-3))
    assert fs.compare(theory, flow).area < 0.005
    assert fs.compare(theory, trained).area < 0.01


def test_the_wait_of_linear_units_grows_with_the_logarithm_of_the_scale() -> None:
    """Slope 1/s₁: the largest utility of a unit a·(w·x) is s₁/2, half the largest singular value of Σyx."""
    task = a_task()
    largest = np.linalg.svd(task.y.T @ task.x / len(task.x))[1][0]
    scales, found = np.array([1e-4, 1e-8, 1e-16]), []
    for scale in scales:
        run = reduced(Mine(linear, scale), task, np.linspace(0, 45 / largest, 901))
        fall = run.loss[0] - run.loss
        found.append(np.interp(0.05 * run.loss[0], fall, run.times))
    slopes = np.diff(found) / np.diff(np.log(1 / scales))
    np.testing.assert_allclose(slopes, 1 / largest, rtol=5e-3)


def teacher(seed, points=400, inputs=4):
    """Three rectified units, each half as strong as the one before; targets of size one."""
    draw = np.random.default_rng(seed).standard_normal
    x, w, a = draw((points, inputs)), draw((inputs, 3)), draw((3, 2))
    strength = 0.5 ** np.arange(3)[:, None] / np.linalg.norm(a, axis=1, keepdims=True)
    y = np.maximum(x @ (w / np.linalg.norm(w, axis=0)), 0.0) @ (strength * a)
    return fs.Task(x, y / np.sqrt((y**2).sum(axis=1).mean()))


def largest_utility(task, start):
    """The largest ⟨a·y relu(w·x)⟩ of length one that any unit climbs to, by ascent from its own direction."""
    w, a = start["in"].T, start["out"]
    for _ in range(20_000):
        size = np.sqrt((w**2).sum(axis=1) + (a**2).sum(axis=1))[:, None]
        w, a = w / size, a / size
        h, back = task.x @ w.T, task.y @ a.T
        utility = (np.maximum(h, 0.0) * back).mean(axis=0)
        up, out = (back * (h > 0)).T @ task.x / len(task.x), np.maximum(h, 0.0).T @ task.y / len(task.x)
        w, a = w + 0.1 * up, a + 0.1 * out
    return utility.max()


@pytest.mark.parametrize(
    "method",
    [fs.Reduced("stages of units"), fs.Flow(rtol=1e-6, atol=1e-18), fs.Train(rate=2e-3)],
    ids=["theory", "flow", "training"],
)
def test_the_wait_of_rectified_units_grows_by_one_over_twice_the_largest_utility(method) -> None:
    """The slope in the logarithm of the scale is the same for all three, that of utility by independent ascent."""
    task, found, scales = teacher(0, points=60), [], np.array([1e-6, 1e-9, 1e-12])
    utility = largest_utility(task, Mine(rectified, 1.0).start(task, 0))
    for scale in scales:
        times = np.linspace(0, 20 / utility, 601)
        run = fs.evolve(Mine(rectified, scale), task, times, method=method, observe=("loss",))
        found.append(np.interp(0.05, 1 - run.loss / run.loss[0], times))
    np.testing.assert_allclose(np.diff(found) / np.diff(np.log(1 / scales)), 1 / (2 * utility), rtol=5e-3)


@pytest.mark.parametrize("seed", range(3))
def test_units_that_change_their_order_while_others_move_are_followed(seed) -> None:
    """At weights of 1e-12 small units pass each other while active ones move; levels and their times are the flow's."""
    task, network, times = teacher(seed), Mine(rectified, 1e-12, 40), np.linspace(0, 150, 301)
    theory = reduced(network, task, times)
    flow = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-6, atol=1e-18))
    assert fs.compare(theory, flow).area < 0.005
    for one, other in zip(theory.stages().plateaus, flow.stages().plateaus, strict=True):
        np.testing.assert_allclose((one.loss, one.begins, one.ends), (other.loss, other.begins, other.ends), rtol=0.01)


def test_many_units_that_join_at_nearly_the_same_time_keep_the_order_of_digits() -> None:
    """600 handwritten digits: when each of the ten classes is half learned, and in which order."""
    x, label = sklearn.datasets.load_digits(return_X_y=True)
    x, label = x[:600] - x[:600].mean(axis=0), label[:600]
    target = np.eye(10)[label] - np.eye(10)[label].mean(axis=0)
    task = fs.Task(x / np.sqrt((x**2).sum(axis=1).mean()), target)
    network, times = fs.ReLU((64,), initial=fs.initial.Gaussian(1e-5)), np.linspace(0, 400, 201)

    def halves(run):
        means = np.array([run.outputs[:, label == k].mean(axis=1) for k in range(10)])
        wanted = np.array([target[label == k][0] for k in range(10)])
        come = np.einsum("kto,ko->kt", means, wanted) / (wanted**2).sum(axis=1)[:, None]
        return np.array([np.interp(0.5, one, times) for one in come])

    theory = reduced(network, task, times, accuracy=1e-2)
    trained = fs.evolve(network, task, times, method=fs.Train(rate=0.1, precision="single"))
    assert fs.compare(theory, trained).area < GENEROUS
    np.testing.assert_allclose(halves(theory), halves(trained), rtol=0.03)
    assert scipy.stats.spearmanr(halves(theory), halves(trained)).statistic > 0.99


@pytest.mark.parametrize(
    ("method", "scales"),
    [
        (fs.Reduced("stages of units"), [1e-3, 1e-4, 1e-6]),
        (fs.Flow(rtol=1e-6, atol=1e-10), [4e-3, 2e-3, 1e-3]),
        (fs.Train(rate=0.05), [4e-3, 2e-3, 1e-3]),
    ],
    ids=["theory", "flow", "training"],
)
def test_the_wait_of_quadratic_units_has_one_slope_in_the_inverse_of_the_scale(method, scales) -> None:
    """θ = scale ϑ(scale t) while units are small: the slope is the time at which the first ϑ is infinite, by SciPy."""
    task, found = a_task(1), []
    start = Mine(quadratic, 1.0).start(task, 0)

    def alone(_, flat):
        """One unit a (w·x)² in the first residual."""
        h = task.x @ flat[:4]
        return np.append(task.x.T @ (2 * h * flat[4] * task.y[:, 0]), h**2 @ task.y[:, 0]) / len(task.x)

    far = lambda _, flat: np.linalg.norm(flat) - 1e6  # noqa: E731
    far.terminal = True  # type: ignore[attr-defined]
    infinite = [
        scipy.integrate.solve_ivp(alone, (0, 50), np.append(w, a), "LSODA", events=far, rtol=1e-10).t[-1]
        for w, a in zip(start["in"].T, start["out"], strict=True)
    ]
    for scale in scales:
        times = np.linspace(0, 1.3 * min(infinite) / scale, 801)
        run = fs.evolve(Mine(quadratic, scale), task, times, method=method, observe=("loss",))
        found.append(np.interp(0.05, 1 - run.loss / run.loss[0], times))
    np.testing.assert_allclose(np.diff(found) / np.diff(1 / np.array(scales)), min(infinite), rtol=5e-3)


def test_it_agrees_with_the_exact_theory_of_relu_units() -> None:
    network, task, times = fs.ReLU((40,), initial=fs.initial.Gaussian(1e-6)), a_task(), np.linspace(0, 40, 81)
    exact = fs.evolve(network, task, times, method=fs.Reduced())
    assert exact.notes["theory"] == "growing units"
    general = reduced(network, task, times)
    assert fs.compare(general, exact).area < GENEROUS
    assert abs(general.loss - exact.loss).max() <= 3 * np.max(np.abs(np.asarray(general.error))) + 0.01 * exact.loss[0]


def test_any_loss_is_descended() -> None:
    task = fs.Task(a_task().x, labels=list("abc" * 10), loss="cross_entropy")
    network, times = Mine(rectified, 1e-4), np.linspace(0, 80, 81)
    theory = reduced(network, task, times)
    assert fs.compare(theory, fs.evolve(network, task, times, method=fs.Train(rate=0.01))).area < GENEROUS


LABELLED = fs.Task(
    a_task().x, labels=["abc"[k] for k in np.digitize(a_task().x[:, 0], [0.1, 0.9])], loss="cross_entropy"
)


@pytest.mark.parametrize("scale", [1e-5, 0.5])
@pytest.mark.parametrize("kind", [fs.ReLU, fs.FeedForward])
def test_units_beside_a_bias_of_the_outputs_learn_by_any_loss(kind, scale) -> None:
    """Layers as PyTorch makes them, a bias in each, small at the start and as large as PyTorch draws them."""
    network, times = kind((12,), initial=fs.initial.Gaussian(scale), bias=True), np.linspace(0, 60, 61)
    theory = fs.evolve(network, LABELLED, times, method=fs.Reduced())
    assert theory.notes["theory"] == "stages of units"
    trained = fs.evolve(network, LABELLED, times, method=fs.Train(rate=0.01))
    assert fs.compare(theory, trained).area < 0.005
    assert trained.loss[-1] < 0.8 * trained.loss[0]


def test_the_bias_of_the_outputs_learns_first_what_no_unit_is_needed_for() -> None:
    """Small units are nothing beside it: it flows alone, here by SciPy, to the frequencies of classes."""
    network, times = fs.ReLU((12,), initial=fs.initial.Gaussian(1e-6), bias=True), np.linspace(0, 12, 25)
    frequencies = LABELLED.y.mean(axis=0)
    bias = scipy.integrate.solve_ivp(
        lambda _, b: frequencies - scipy.special.softmax(b), (0, 12), np.zeros(3), t_eval=times, rtol=1e-10
    ).y.T
    loss = -(frequencies * scipy.special.log_softmax(bias, axis=1)).sum(axis=1)
    run = fs.evolve(network, LABELLED, times, method=fs.Reduced(), observe=("loss", "outputs", "active_units"))
    np.testing.assert_allclose(run.loss, loss, rtol=1e-3)
    outputs = run.outputs - run.outputs.mean(axis=-1, keepdims=True)
    np.testing.assert_allclose(outputs, np.broadcast_to(bias[:, None], outputs.shape), atol=3e-3)
    assert not run["active_units"].any()
    balanced = fs.Task(LABELLED.x, labels=list("abc" * 10), loss="cross_entropy")
    steps = fs.evolve(network, balanced, times, method=fs.Reduced(), observe=("loss",)).notes["integration_steps"]
    assert steps < 200  # a bias that stays at zero is followed to an error that is absolute


def test_times_without_a_seed_are_a_median_and_a_range_over_seeds() -> None:
    """The distribution of predicted times over drawn starts is that of trained networks."""
    task, network, times = a_task(1), Mine(quadratic, 0.05, 10), np.linspace(0, 60, 301)
    predicted = fs.evolve(network, task, times, method=fs.Reduced(), seeds=6, observe=("loss",))
    trained = fs.evolve(network, task, times, method=fs.Train(rate=0.01), seeds=6, observe=("loss",))
    first = [np.interp(0.2, 1 - run / run[0], times) for run in predicted.loss]
    seen = [np.interp(0.2, 1 - run / run[0], times) for run in trained.loss]
    np.testing.assert_allclose(first, seen, rtol=0.02)
    assert np.ptp(first) > 0.1 * np.median(first)
    assert "(" in str(predicted.stages()).splitlines()[2]  # the range of 90 % of the seeds


def test_when_the_first_stage_of_linear_units_begins_is_a_quantile_of_chi_squared() -> None:
    """The part of a unit that grows is one Gaussian number; those of H units add up to χ² of H degrees of freedom."""
    task, scale, count = a_task(), 1e-4, 8
    largest = np.linalg.svd(task.y.T @ task.x / len(task.x))[1][0]
    first = 0.5 * (task.y**2).sum(axis=1).mean()
    theory, times = fs.methods.AlternatingFlow(), np.linspace(0, 12, 401)
    for units in (count, 5 * count):
        found = theory.first_stage(Mine(linear, scale, count), task, times, units=units, seeds=200)
        utility = largest * scale**2 * scipy.stats.chi2.ppf((0.95, 0.5, 0.05), units) / 2
        np.testing.assert_allclose(found, np.log(0.05 * first / utility) / (2 * largest), rtol=0.01)


def test_when_the_first_stage_begins_without_a_seed_is_how_it_is_distributed_over_seeds() -> None:
    """Quadratic units, of which the most useful one decides: shares of other seeds that are below each quantile."""
    task, network, times, seeds = a_task(1), Mine(quadratic, 0.01, 10), np.linspace(0, 200, 401), 80
    levels = np.array([0.1, 0.5, 0.9])
    theory = fs.methods.AlternatingFlow()
    found = theory.first_stage(network, task, times, seeds=200, quantiles=levels)
    runs = fs.evolve(network, task, times, method=fs.Reduced(), seed=1000, seeds=seeds, observe=("loss",))
    begins = [np.interp(0.05, 1 - run / run[0], times) for run in runs.loss]
    below = np.mean(np.array(begins)[:, None] < found, axis=0)
    assert np.all(np.abs(below - levels) < 3 * np.sqrt(levels * (1 - levels) / seeds))
    late = theory.first_stage(network, task, [0.0, 1.0], seeds=2)
    assert np.all(np.isinf(late))


def test_the_first_stage_says_what_it_needs() -> None:
    theory, task, times = fs.methods.AlternatingFlow(), a_task(1), [0.0, 1.0]
    refused: tuple[tuple[dict[str, Any], str], ...] = (
        ({"units": 0}, "units is 0"), ({"share": 0.0}, "share is 0"), ({"seeds": 0}, "seeds is 0"),
        ({"quantiles": [2]}, "quantiles is 2"),
    )  # fmt: skip
    for settings, words in refused:
        with pytest.raises(ValueError, match=words):
            theory.first_stage(Mine(linear), task, times, **settings)
    with pytest.raises(fs.AssumptionError, match="names no units"):
        theory.first_stage(fs.ReLU((4, 4), initial=fs.initial.Gaussian(0.1)), task, times)
    diagonal = type("Diagonal", (Mine,), {"units": lambda self, weights: {"in": 0, "out": 0}})
    by_place = diagonal(lambda weights, x: x @ (weights["in"][:, :1] * weights["out"]), 0.1, 4)
    with pytest.raises(ValueError, match="known by their place"):
        theory.first_stage(by_place, task, times)


def equal(task, network):
    """Two units that are the same stay so."""
    start = network.start(task, 0)
    return {"in": np.repeat(start["in"][:, :1], 2, axis=1), "out": np.repeat(start["out"][:1], 2, axis=0)}


@dataclass(frozen=True)
class From(Mine):
    """The same from given weights."""

    given: Any = None

    def start(self, task, seed):
        return dict(self.given)

    def __hash__(self):
        return id(self)


def test_equal_units_share_what_one_would_learn() -> None:
    task, network = a_task(), Mine(rectified, 1e-3)
    two = From(rectified, given=equal(task, network))
    run = fs.evolve(two, task, np.linspace(0, 20, 21), method=fs.Reduced(), observe=("loss", "weights"))
    into, _ = run["weights"]
    np.testing.assert_allclose(into[..., 0], into[..., 1])
    assert run.loss[-1] < 0.9 * run.loss[0]


@pytest.mark.parametrize(
    ("forward", "targets"),
    [(linear, lambda x: 0 * x[:, :1]), (linear, lambda x: x[:, :1] ** 2 - (x[:, :1] ** 2).mean())],
    ids=["targets are zero", "no utility"],
)
def test_nothing_is_learned_where_there_is_nothing_to_learn(forward, targets) -> None:
    half = np.random.default_rng(0).standard_normal((10, 3))
    x = np.concatenate([half, -half])
    run = reduced(Mine(forward, 1e-3), fs.Task(x, targets(x)), np.linspace(0, 10, 11))
    np.testing.assert_allclose(run.loss, run.loss[0], rtol=1e-3, atol=1e-10)
    assert run.stages().reason


def test_one_unit_a_dead_one_and_outputs_out_of_reach() -> None:
    x = np.abs(np.random.default_rng(0).standard_normal((20, 3)))
    task, times = fs.Task(x, np.column_stack([x[:, 0], -np.ones(20)])), np.linspace(0, 30, 61)
    one = reduced(Mine(rectified, 1e-3, 1), task, times)
    flow = fs.evolve(Mine(rectified, 1e-3, 1), task, times, method=fs.Flow())
    assert fs.compare(one, flow).area < GENEROUS
    assert one.loss[-1] > 0.01
    dead = From(rectified, given={"in": -np.ones((3, 1)), "out": np.ones((1, 2))})
    np.testing.assert_allclose(reduced(dead, task, times).loss, 0.5 * np.mean((task.y**2).sum(axis=1)))
    zero = From(rectified, given={"in": np.zeros((3, 4)), "out": np.zeros((4, 2))})
    np.testing.assert_allclose(reduced(zero, task, times).loss, 0.5 * np.mean((task.y**2).sum(axis=1)))


def test_deep_networks_and_wrong_axes_are_refused() -> None:
    task = a_task()
    network = Mine(deep, 1e-2, 2, (("last", (2, 2)),))
    with pytest.raises(fs.AssumptionError, match="deep networks"):
        fs.evolve(network, task, [0.0, 1.0], method=fs.Reduced("stages of units"))
    with pytest.raises(fs.AssumptionError, match="names no units"):
        reduced(fs.ReLU((4, 4), initial=fs.initial.Gaussian(0.1)), task, [0.0, 1.0])
    with pytest.raises(ValueError, match="theory is"):
        reduced(fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.1)), task, [0.0, 1.0])
    for axes, words in (
        ({"in": 1}, "2 arrays"), ({"in": 5, "out": 0}, "axis 5"), ({"in": 0, "out": 0}, r"lengths \[4, 12\]"),
        ({"in": None, "out": None}, "2 arrays"),
    ):  # fmt: skip
        wrong = type("Wrong", (Mine,), {"units": lambda self, weights, axes=axes: axes})
        with pytest.raises(ValueError, match=words):
            fs.evolve(wrong(linear), task, [0.0, 1.0], method=fs.Reduced())
    with pytest.raises(ValueError, match="accuracy"):
        fs.methods.AlternatingFlow(accuracy=0.5)
    with pytest.raises(ValueError, match="times is None"):
        fs.evolve(Mine(linear), task, None, method=fs.Reduced())


def test_theories_says_how_far_the_start_is_from_small() -> None:
    row, lazy = fs.theories(Mine(rectified, 1e-3), a_task(), errors=True).rows
    assert lazy.error > row.error
    assert row.theory.name == "stages of units"
    assert row.applies
    assert row.error < 0.05
    assert [a.holds for a in row.assumptions] == [True, True, True]
    assert row.assumptions[2].name == "no tie"
    assert row.assumptions[2].measured < 0.005
    large = fs.theories(Mine(rectified, 1.0), a_task()).rows[0].assumptions
    assert not large[1].holds


@pytest.mark.parametrize(("away", "ties"), [(0.0, True), (1e-5, True), (0.3, False)])
def test_a_tie_between_two_stages_is_measured_and_trained_networks_part_there(away, ties) -> None:
    """One quadratic unit between two targets that are equal but for the order of inputs."""
    x = np.random.default_rng(0).standard_normal((40, 2))
    x, times = np.concatenate([x, x[:, ::-1]]), np.linspace(0, 120, 61)
    task = fs.Task(x, x**2)

    def one(shift):
        along = 1e-2 * np.array([[1.0 + shift, 1.0]])
        return From(quadratic, given={"in": along.T, "out": along})

    measured = fs.theories(one(away), task, errors=True, times=times).rows[0].assumptions
    (tie,) = (a for a in measured if a.name == "no tie")
    assert tie.holds != ties
    ends = [
        fs.evolve(one(away + side), task, times, method=fs.Train(rate=0.02), observe=("outputs",)).outputs[-1]
        for side in (1e-3, -1e-3)
    ]
    apart = np.sqrt(((ends[0] - ends[1]) ** 2).mean() / (task.y**2).mean())
    assert (apart > 0.5) == ties
    assert "no tie" not in [a.name for a in fs.theories(one(away), task).rows[0].assumptions]

"""Stationary points: the numerical gradient and Hessian of the loss are the reference; they know nothing of modes."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs
from festina.core.network import Network

GRADIENT_TOLERANCE = 1e-12
"""Rounding error of a handful of products of matrices of order one."""
EIGENVALUE_TOLERANCE = 1e-9
"""Rounding error of a dense Hessian's eigenvalues, far below the smallest one that is not zero (0.01)."""
EXACT = 1e-10


def make(strengths: tuple[float, ...], curvatures: tuple[float, ...], inputs: int, outputs: int, seed: int = 0):
    """A task with these s and d on random orthonormal vectors; directions beyond the modes have d = 0.7."""
    rng = np.random.default_rng(seed)
    v = np.linalg.qr(rng.standard_normal((inputs, inputs)))[0]
    u = np.linalg.qr(rng.standard_normal((outputs, outputs)))[0]
    rank = len(strengths)
    d = np.r_[curvatures, np.full(inputs - rank, 0.7)]
    x = np.sqrt(inputs * d)[:, None] * v.T
    ends = np.array(strengths) / np.array(curvatures)
    return fs.Task(x, x @ (u[:, :rank] * ends @ v[:, :rank].T).T)


def network(*hidden: int) -> fs.DeepLinear:
    return fs.DeepLinear(hidden=hidden, initial=fs.initial.Gaussian(0.01))


def hessian(task: fs.Task, weights: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Gradient and Hessian of the mean loss over all weights, from the data points, by complex steps: no step error."""
    shapes = [w.shape for w in weights]
    cuts = np.cumsum([w.size for w in weights])[:-1]

    def gradient(flat: np.ndarray) -> np.ndarray:
        layers = [part.reshape(shape) for part, shape in zip(np.split(flat, cuts), shapes, strict=True)]
        active = [task.x.T]
        for w in layers:
            active.append(w @ active[-1])
        back, found = (active[-1] - task.y.T) / len(task.x), []
        for w, h in zip(reversed(layers), reversed(active[:-1]), strict=True):
            found.append((back @ h.T).ravel())
            back = w.T @ back
        return np.concatenate(found[::-1])

    flat = np.concatenate([w.ravel() for w in weights])
    rows = [np.imag(gradient(flat + 1e-30j * e)) / 1e-30 for e in np.eye(len(flat))]
    return gradient(flat), np.array(rows)


CASES: dict[str, tuple[Callable[[], fs.Task], tuple[int, ...]]] = {
    "whitened": (lambda: make((3, 2, 1), (1, 1, 1), 4, 3), (4,)),
    "bottleneck": (lambda: make((3, 2, 1), (1, 1, 1), 3, 4), (2,)),
    "curvatures that change the order": (lambda: make((3, 2, 1), (9, 1, 0.2), 4, 3), (3,)),
    "equal modes": (lambda: make((2, 2, 1), (1, 1, 1), 3, 3), (3,)),
    "equal s²/d, unequal s": (lambda: make((2, 1), (4, 1), 3, 2), (3,)),
    "three layers": (lambda: make((3, 2, 1), (1, 1, 1), 3, 3), (3, 4)),
    "three layers, curvatures, bottleneck": (lambda: make((3, 2, 1), (9, 1, 0.2), 3, 3), (3, 2)),
    "four layers": (lambda: make((2, 1), (1.5, 0.4), 2, 3), (2, 3, 2)),
    "hierarchy": (lambda: fs.tasks.hierarchy(levels=2), (3,)),
}


@pytest.mark.parametrize("case", CASES)
def test_gradient_index_and_eigenvalues_are_those_of_the_numerical_hessian(case):
    task, hidden = CASES[case][0](), CASES[case][1]
    for point in network(*hidden).stationary_points(task):
        gradient, matrix = hessian(task, point.weights)
        assert np.abs(gradient).max() < GRADIENT_TOLERANCE
        eigenvalues = np.linalg.eigvalsh(matrix)
        negative = eigenvalues[eigenvalues < -EIGENVALUE_TOLERANCE]
        assert len(negative) == point.index, point
        np.testing.assert_allclose(point.eigenvalues, negative, atol=EIGENVALUE_TOLERANCE)
        product = point.weights[0]
        for layer in point.weights[1:]:
            product = layer @ product
        np.testing.assert_allclose(product, point.map, atol=EXACT)
        loss = 0.5 * np.mean(np.sum((task.y - task.x @ point.map.T) ** 2, axis=1))
        assert point.loss == pytest.approx(loss, abs=EXACT)


def test_the_reference_itself_against_automatic_differentiation():
    import jax
    import jax.numpy as jnp

    task = make((2, 1), (1.5, 0.4), 2, 3)
    point = network(2, 2).stationary_points(task)[1]
    with jax.enable_x64(True):

        def loss(weights):
            h = jnp.asarray(task.x)
            for w in weights:
                h = h @ w.T
            return 0.5 * jnp.mean(jnp.sum((task.y - h) ** 2, axis=1))

        blocks = jax.hessian(loss)(tuple(jnp.asarray(w) for w in point.weights))
        sizes = [w.size for w in point.weights]
        rows = [[np.asarray(b).reshape(n, m) for b, m in zip(row, sizes, strict=True)]
                for row, n in zip(blocks, sizes, strict=True)]  # fmt: skip
    np.testing.assert_allclose(hessian(task, point.weights)[1], np.block(rows), atol=1e-12)


def test_printed_order_by_strength_is_wrong_where_inputs_are_not_white():
    # s orders the modes 1, 2, 3 but s²/d, what a mode is worth, orders them 3, 2, 1
    task = make((3, 2, 1), (9, 1, 0.2), 3, 3)
    points = {p.name: p for p in network(3).stationary_points(task)}
    by_strength = (3 - 1) * 2
    assert points["{1}"].index == by_strength + 2
    assert points["{3}"].index == by_strength
    assert points["{3}"].loss < points["{2}"].loss < points["{1}"].loss


@given(
    s=st.lists(st.floats(0.2, 3.0), min_size=1, max_size=4, unique=True),
    width=st.integers(1, 4),
    depth=st.integers(2, 4),
)
def test_index_formula_of_the_theory_on_white_inputs(s, width, depth):
    s = tuple(sorted(s, reverse=True))
    task = make(s, (1.0,) * len(s), 4, 4)
    for point in network(*(width,) * (depth - 1)).stationary_points(task):
        swaps = sum(s[b] > s[a] * (1 + 1e-6) for a in point.modes for b in point.absent)
        free = (width - len(point.modes)) * len(point.absent) if depth == 2 else 0
        near = [s[b] - s[a] for a in point.modes for b in point.absent]
        if all(abs(gap) > 1e-5 for gap in near):
            assert point.index == free + swaps
        expected = min([-s[b] for b in point.absent] * (free > 0)
                       + [(s[a] - s[b]) * s[a] ** (1 - 2 / depth) for a in point.modes for b in point.absent]
                       + [0.0])  # fmt: skip
        assert point.rate == pytest.approx(-expected, abs=1e-8)


@given(
    st.lists(st.tuples(st.sampled_from((0.5, 1.0, 2.0)), st.sampled_from((0.25, 1.0, 2.0))), min_size=1, max_size=3),
    st.lists(st.integers(1, 3), min_size=1, max_size=3),
)
def test_any_task_and_widths_against_the_numerical_hessian(modes, hidden):
    # few values, so that modes are often equal in s, in d, in s²/d or in all of them, and never nearly so
    task = make(tuple(s for s, _ in modes), tuple(d for _, d in modes), 3, 3)
    points = network(*hidden).stationary_points(task)
    for point in points:
        gradient, matrix = hessian(task, point.weights)
        assert np.abs(gradient).max() < GRADIENT_TOLERANCE
        eigenvalues = np.linalg.eigvalsh(matrix)
        np.testing.assert_allclose(
            point.eigenvalues, eigenvalues[eigenvalues < -EIGENVALUE_TOLERANCE], atol=EIGENVALUE_TOLERANCE
        )
    best = min(point.loss for point in points)
    assert {point.kind for point in points if point.loss < best + EXACT} == {"minimum"}
    assert {point.kind for point in points if point.loss > best + EXACT} <= {"saddle", "non-strict saddle"}


@given(st.integers(1, 5), st.integers(1, 6))
def test_all_subsets_once_lowest_loss_first(rank, width):
    task = make(tuple(np.linspace(3, 1, rank)), tuple(np.linspace(1, 2, rank)), 5, 5)
    points = network(width).stationary_points(task)
    subsets = [c for r in range(min(rank, width) + 1) for c in itertools.combinations(range(rank), r)]
    assert sorted(p.modes for p in points) == sorted(subsets)
    losses = [p.loss for p in points]
    assert losses == sorted(losses) or np.all(np.diff(losses) > -EXACT)
    best = network(width).stationary_points(task, top=3)
    assert [p.modes for p in best] == [p.modes for p in points[:3]]


def test_equal_modes_are_counted_not_told_apart():
    task = fs.tasks.hierarchy(levels=3)
    points = network(16).stationary_points(task)
    assert len(points) == 2 * 2 * 3 * 5  # multiplicities 1, 1, 2, 4
    assert (2,) in [p.modes for p in points]
    assert (3,) not in [p.modes for p in points]


def test_kinds():
    task = make((3, 2, 1), (1, 1, 1), 3, 3)
    two = {p.name: p for p in network(3).stationary_points(task)}
    deep = {p.name: p for p in network(3, 3).stationary_points(task)}
    narrow = {p.name: p for p in network(3, 2).stationary_points(task)}
    assert {name for name, p in two.items() if p.kind == "minimum"} == {"{1,2,3}"}
    assert all(p.kind == "saddle" for name, p in two.items() if name != "{1,2,3}")
    assert {n for n, p in deep.items() if p.kind == "non-strict saddle"} == {"∅", "{1}", "{1,2}"}
    assert deep["∅"].rate == 0
    assert narrow["{1,2}"].kind == "minimum"
    assert narrow["{1,3}"].kind == "saddle"
    assert "index" in repr(two["∅"])


def test_shallow_network_has_only_the_minimum():
    task = make((3, 2), (1, 2), 3, 2)
    (point,) = network().stationary_points(task)
    assert point.kind == "minimum"
    assert point.gap == math.inf
    gradient, matrix = hessian(task, point.weights)
    assert np.abs(gradient).max() < GRADIENT_TOLERANCE
    assert np.linalg.eigvalsh(matrix).min() > -EIGENVALUE_TOLERANCE


def test_task_without_modes():
    task = fs.Task(np.eye(2), np.zeros((2, 2)))
    (point,) = network(2).stationary_points(task)
    assert point.name == "∅"
    assert point.kind == "minimum"
    assert point.index == 0


def test_a_small_departure_grows_at_the_escape_rate():
    task = make((3, 2, 1), (1, 2, 1), 3, 3)
    for point in network(3).stationary_points(task):
        if point.kind == "minimum":
            continue
        matrix = hessian(task, point.weights)[1]
        direction = np.linalg.eigh(matrix)[1][:, 0]
        cuts = [w.size for w in point.weights][:-1]
        steps = [p.reshape(w.shape) for p, w in zip(np.split(direction, cuts), point.weights, strict=True)]
        start = fs.initial.Weights([w + 1e-6 * p for w, p in zip(point.weights, steps, strict=True)])
        net = fs.DeepLinear(hidden=(3,), initial=start)
        path = fs.evolve(net, task, np.array([0.0, 1.0]), method=fs.Flow(), observe=("weights",))
        lengths = [
            np.sqrt(sum(np.sum((w[i] - c) ** 2) for w, c in zip(path.weights, point.weights, strict=True)))
            for i in (0, 1)
        ]
        # the linear regime: corrections are of the order of the departure, 1e-6·e³
        assert np.log(lengths[1] / lengths[0]) == pytest.approx(point.rate, abs=1e-3)


class Other(Network):
    """A network of another kind."""

    start = predict = observables = None  # type: ignore[assignment]


def test_errors():
    task = make((3, 2), (1, 1), 3, 2)
    many = make(tuple(np.linspace(2, 1, 6)), (1.0,) * 6, 6, 6)
    with pytest.raises(ValueError, match=r"6 modes give 64 stationary sets, more than limit=50.*top=100"):
        network(6).stationary_points(many, limit=50)
    assert len(network(6).stationary_points(many, top=7, limit=50)) == 7
    with pytest.raises(ValueError, match="top is 0"):
        network(3).stationary_points(task, top=0)
    with pytest.raises(ValueError, match="infinite depth"):
        fs.DeepLinear(depth=math.inf, initial=fs.initial.Aligned(0.1)).stationary_points(task)
    with pytest.raises(ValueError, match=r"stationary points of Other are not known; fs\.DeepLinear"):
        Other().stationary_points(task)
    rng = np.random.default_rng(0)
    crooked = fs.Task(rng.standard_normal((9, 3)), rng.standard_normal((9, 2)))
    with pytest.raises(fs.AssumptionError, match=r"whiten the inputs.*\(commuting: "):
        network(3).stationary_points(crooked)


def test_with_biases_on_centred_data_every_point_is_one_of_the_network():
    import jax
    from jax.flatten_util import ravel_pytree

    x = np.vstack([np.eye(3), -np.eye(3)]) * [1.0, 2.0, 0.5]
    # the part of the targets that is even in x has mean zero and no linear map reaches it
    even = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    task = fs.Task(x, x @ np.array([[3.0, 0.0], [0.0, 1.0], [0.0, 0.0]]) + np.vstack([even, even]))
    for hidden, count in (((), 1), ((3,), 4), ((2, 2), 4)):
        biased = fs.DeepLinear(hidden, initial=fs.initial.Gaussian(0.1), bias=True)
        loss = biased.observables(biased.context(task))["loss"]
        _, restore = ravel_pytree(biased.start(task, 0))
        slope = jax.grad(lambda flat, see=loss, form=restore: see(form(flat)))
        both = jax.jit(lambda flat, slope=slope: (slope(flat), jax.jacfwd(slope)(flat)))
        points = biased.stationary_points(task)
        assert len(points) == count
        for point in points:
            assert [w.shape for w in point.weights] == [w.shape for w in biased.start(task, 0)]
            assert loss(point.weights) == pytest.approx(point.loss)
            with jax.enable_x64(True):
                gradient, curvature = both(np.concatenate([w.ravel() for w in point.weights]))
            assert np.abs(gradient).max() < GRADIENT_TOLERANCE
            found = np.linalg.eigvalsh(curvature)
            np.testing.assert_allclose(
                found[found < -EIGENVALUE_TOLERANCE], point.eigenvalues, atol=EIGENVALUE_TOLERANCE
            )


@pytest.mark.parametrize("move_inputs", [False, True])
def test_biases_on_data_that_are_not_centred_are_refused(move_inputs):
    rng = np.random.default_rng(1)
    x = np.linalg.qr(rng.normal(size=(8, 3)))[0] * 8**0.5
    x = x if move_inputs else np.vstack([x, -x])
    task = fs.Task(x, x @ rng.normal(size=(3, 2)) + (0 if move_inputs else 2))
    biased = fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.1), bias=True)
    path = fs.evolve(biased, task, [0.0, 1.0], method=fs.Flow(), observe=("loss", "map", "offset"))
    points = network(4).stationary_points(task)
    for ask in (
        lambda: biased.stationary_points(task),
        path.saddle_distances,
        lambda: path.saddle_distances(points),
        path.saddle_passages,
    ):
        with pytest.raises(fs.AssumptionError, match=r"x\.mean.*bias=False.*mean zero.*\(centred: .* 0\.\d+"):
            ask()
    known = fs.Task.from_statistics(np.eye(2), np.eye(2), power=3.0)
    with pytest.raises(ValueError, match="only stand for its correlations"):
        biased.stationary_points(known)

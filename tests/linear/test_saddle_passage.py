"""Distances to stationary points and the saddles passed, against brute force over maps."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

EXACT = 1e-9
"""A distance is the square root of a difference: rounding error of 1e-18 in the square is 1e-9 in it."""


def make(strengths: tuple[float, ...], curvatures: tuple[float, ...], seed: int = 0) -> fs.Task:
    rng = np.random.default_rng(seed)
    size = len(strengths)
    u, v = (np.linalg.qr(rng.standard_normal((size, size)))[0] for _ in range(2))
    d, s = np.array(curvatures), np.array(strengths)
    x = np.sqrt(size * d)[:, None] * v.T
    return fs.Task(x, x @ (u * (s / d) @ v.T).T)


def path_of(maps: np.ndarray, task: fs.Task | None = None, width: int = 2, **more) -> fs.Trajectory:
    times = np.arange(float(maps.shape[-3]))
    return fs.Trajectory(times, {"map": maps, **more}, network=network(width), task=task)


def network(*hidden: int, std: float = 1e-4) -> fs.DeepLinear:
    return fs.DeepLinear(hidden=hidden, initial=fs.initial.Gaussian(std))


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_distance_is_that_of_the_outputs_and_nearest_is_the_smallest(seed, width):
    task = make((3, 2, 1), (4, 1, 0.3))
    rng = np.random.default_rng(seed)
    maps = rng.standard_normal((5, 3, 3))
    points = network(width).stationary_points(task)
    found = path_of(maps).saddle_distances(points)
    for k, point in enumerate(points):
        miss = np.einsum("toi,ni->tno", maps - point.map, task.x)
        np.testing.assert_allclose(found[:, k], np.sqrt(np.mean(np.sum(miss**2, -1), -1)), atol=EXACT)
    names = [points[k].name for k in found.argmin(1)]
    visits = path_of(maps, task, width).saddle_passages()
    assert [v.name for v in visits] == [n for i, n in enumerate(names) if i == 0 or n != names[i - 1]]
    for visit in visits:
        inside = (np.arange(5) > visit.enter - 1e-12) & (np.arange(5) < visit.leave + 1e-12)
        column = found[inside, [p.name for p in points].index(visit.name)]
        assert visit.closest == pytest.approx(column.min(), abs=EXACT)


def test_gap_is_the_distance_between_stationary_points():
    task = make((3, 2, 1), (4, 1, 0.3))
    for width in (1, 2, 3):
        points = network(width).stationary_points(task)
        table = path_of(np.stack([p.map for p in points])).saddle_distances(points)
        np.testing.assert_allclose(np.diag(table), 0, atol=1e-7)
        nearest = (table + np.diag(np.full(len(points), np.inf))).min(0)
        np.testing.assert_allclose([p.gap for p in points], nearest, atol=EXACT)


@given(st.floats(-3, 3), st.floats(0.1, 2.0))
def test_equal_modes_turned_into_each_other_are_the_same_stationary_set(angle, other):
    # half of a degenerate pair learned, along any direction: stationary, so the distance must vanish
    task = make((2, 2, other), (1, 1, 1)) if abs(other - 2) > 1e-6 else make((2, 2, 1), (1, 1, 1))
    s, u, v = task.statistics.strengths, task.statistics.left, task.statistics.right
    pair = np.flatnonzero(np.abs(s - 2) < 1e-6)
    turn = np.array([math.cos(angle), math.sin(angle)])
    learned = 2 * np.outer(u[:, pair] @ turn, v[:, pair] @ turn)
    points = network(3).stationary_points(task)
    found = path_of(learned[None]).saddle_distances(points)[0]
    assert points[int(found.argmin())].modes == (int(pair[0]),)
    assert found.min() < 1e-7
    gradient = u.T @ (task.statistics.cross_correlation - learned @ task.statistics.input_correlation) @ v
    assert np.abs(learned.T @ u @ gradient).max() < 1e-12


def test_small_start_visits_the_saddles_in_the_order_of_the_strengths():
    # mode 1 is strongest but worth least (s²/d): the order of learning follows s, not the loss
    task = make((3, 2, 1), (9, 1, 0.2))
    net = network(5)
    path = fs.evolve(net, task, np.linspace(0, 25, 501), method=fs.Flow(rtol=1e-8), seeds=2, observe=("loss", "map"))
    for visits in path.saddle_passages():
        assert [v.name for v in visits] == ["∅", "{1}", "{1,2}", "{1,2,3}"]
        assert all(a.leave == b.enter for a, b in itertools.pairwise(visits))
        assert visits[0].enter == 0
        assert visits[-1].leave == 25
        assert all(v.approach < 0.1 for v in visits)
        # the loss is linear in the map: a departure of 1/20 in mode 2 shows as such
        assert visits[1].loss == pytest.approx(visits[1].point.loss, rel=5e-2)
        assert visits[1].enter <= visits[1].at <= visits[1].leave
        assert visits[1].dwell > 0


def test_strengths_suffice_where_the_map_is_decoupled():
    task, times = make((3, 1), (1, 2)), np.linspace(0, 12, 301)
    net = fs.DeepLinear(hidden=(2,), initial=fs.initial.Aligned(1e-4))
    points = net.stationary_points(task)
    by_map = fs.evolve(net, task, times, observe=("map",))
    by_strength = fs.evolve(net, task, times, observe=("strengths",))
    np.testing.assert_allclose(by_map.saddle_distances(points), by_strength.saddle_distances(points), atol=1e-7)
    visits = by_strength.saddle_passages()
    assert [v.name for v in visits] == ["∅", "{1}", "{1,2}"]
    assert math.isnan(visits[0].loss)
    # a mode is half learned when the closed form says so
    half = fs.linear.time_to_strength(1.5, 3.0, 1.0, 1e-4, 2)
    assert visits[0].leave == pytest.approx(float(half), abs=1e-3)


def test_shallow_network_is_always_at_its_only_stationary_point():
    task = make((3, 1), (1, 2))
    net = fs.DeepLinear(initial=fs.initial.Gaussian(1e-3))
    path = fs.evolve(net, task, np.linspace(0, 9, 50), observe=("map",))
    (visit,) = path.saddle_passages()
    assert visit.name == "{1,2}"
    assert visit.approach == 0


def test_task_without_modes():
    task = fs.Task(np.eye(2), np.zeros((2, 2)))
    (visit,) = path_of(np.ones((3, 2, 2)), task).saddle_passages()
    assert visit.name == "∅"
    assert visit.closest == pytest.approx(np.sqrt(2))


def test_errors():
    task = make((3, 1), (1, 2))
    bare = fs.Trajectory(np.arange(2.0), {"loss": np.zeros(2)}, network=network(2), task=task)
    with pytest.raises(ValueError, match=r"trajectory has loss; observe 'map'"):
        bare.saddle_passages()
    with pytest.raises(ValueError, match="points is empty"):
        bare.saddle_distances([])
    with pytest.raises(ValueError, match=r"'map' that are not finite: training has diverged"):
        path_of(np.full((2, 2, 2), np.inf), task).saddle_passages()


def test_what_biases_put_out_counts_as_distance():
    x = np.vstack([np.eye(2), -np.eye(2)]) * [2.0, 1.0]
    task = fs.Task(x, x @ np.diag([2.0, 1.0]))
    rng = np.random.default_rng(0)
    start = fs.initial.Weights([0.1 * rng.standard_normal((3, 3)), 0.1 * rng.standard_normal((2, 4))])
    biased = fs.DeepLinear((3,), initial=start, bias=True)
    seen = ("loss", "map", "outputs", "offset")
    path = fs.evolve(biased, task, np.linspace(0, 20, 21), method=fs.Flow(), observe=seen)
    points = biased.stationary_points(task)
    expected = [np.sqrt(np.mean(np.sum((path.outputs - x @ p.map.T) ** 2, -1), -1)) for p in points]
    np.testing.assert_allclose(path.saddle_distances(points), np.transpose(expected), atol=1e-6)
    without = fs.evolve(biased, task, path.times, method=fs.Flow(), observe=("map", "outputs"))
    np.testing.assert_allclose(without.saddle_distances(), path.saddle_distances(points), atol=1e-6)
    visits = path.saddle_passages()
    assert [v.name for v in visits] == ["∅", "{1}", "{1,2}"]
    assert visits[-1].point.weights[0].shape == (3, 3)
    with pytest.raises(ValueError, match=r"bias=True; observe 'outputs' as well"):
        fs.evolve(biased, task, [0.0, 1.0], method=fs.Flow(), observe=("map",)).saddle_distances()

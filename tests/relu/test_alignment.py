import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

import festina as fs
from festina.relu._alignment import certify, fastest

EXACT = 1e-9  # rounding error of an SVD of data of order one
ANGLES = 200_000  # directions of the plane; maxima are then known to a rate of 1e-9, places to 3e-5


def planar(seed, count=7, outputs=1):
    rng = np.random.default_rng(seed)
    return fs.Task(rng.standard_normal((count, 2)), rng.standard_normal((count, outputs)))


def maxima_on_the_circle(task):
    """Rates and patterns of all local maxima of G, by looking at every direction; one output has two signs."""
    angle = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    directions = np.stack([np.cos(angle), np.sin(angle)])
    found = []
    for sign in (1.0, -1.0):
        rate = sign * (np.maximum(task.x @ directions, 0) * task.y).mean(axis=0)
        top = (rate > np.roll(rate, 1)) & (rate >= np.roll(rate, -1)) & (rate > 1e-6)
        for k in np.flatnonzero(top):
            found.append((rate[k], task.x @ directions[:, k] > 1e-4 * np.linalg.norm(task.x, axis=1)))
    return sorted(found, key=lambda pair: -pair[0])


@pytest.mark.parametrize("seed", range(5))
def test_attractors_are_all_maxima_of_the_circle(seed):
    task = planar(seed)
    expected, found = maxima_on_the_circle(task), fs.relu.attractors(task)
    assert len(found) == len(expected)
    for (rate, pattern), one in zip(expected, found, strict=True):
        assert one.rate == pytest.approx(rate, abs=1e-6)
        assert (one.pattern == pattern).all()


def test_the_circle_has_maxima_on_boundaries_and_inside():
    held = [one.boundary.any() for seed in (0, 2) for one in fs.relu.attractors(planar(seed))]
    assert any(held)
    assert not all(held)


def test_attractors_are_all_that_implementable_patterns_allow():
    """Brute force: every dichotomy that a linear programme allows; its top singular pair, if that has these gates."""
    rng = np.random.default_rng(3)
    task = fs.Task(rng.standard_normal((7, 3)), rng.standard_normal((7, 2)))
    expected = []
    for bits in range(1, 2**7):
        pattern = np.array([bits >> k & 1 for k in range(7)], bool)
        sides = np.where(pattern, -1.0, 1.0)[:, None] * task.x
        if not scipy.optimize.linprog(np.zeros(3), sides, -np.ones(7), bounds=(None, None)).success:
            continue
        _, s, right = np.linalg.svd((task.y * pattern[:, None]).T @ task.x / 7)
        for sign in (1, -1):
            if ((task.x @ right[0] * sign > 0) == pattern).all():
                expected.append((s[0], pattern.tobytes()))
    inside = [(a.rate, a.pattern.tobytes()) for a in fs.relu.attractors(task, starts=2048) if not a.boundary.any()]
    assert expected
    assert {p for _, p in inside} == {p for _, p in expected}
    assert sorted(r for r, _ in inside) == pytest.approx(sorted(r for r, _ in expected), abs=EXACT)


@pytest.mark.parametrize("delta", [0.3, 1.0, 2.0])
def test_xor_attractors_have_the_rates_of_the_two_gatings(delta):
    found = {a.pattern.tobytes(): a.rate for a in fs.relu.attractors(fs.tasks.extended_xor(delta))}
    pair, point = np.array([1, 0, 0, 1], bool), np.array([1, 0, 0, 0], bool)
    if pair.tobytes() in found:
        assert found[pair.tobytes()] == pytest.approx(delta / 2, abs=EXACT)
    if delta < np.sqrt(2):
        assert found[point.tobytes()] == pytest.approx(np.sqrt(2 + delta**2) / 4, abs=EXACT)
    assert np.isclose(sum(a.share for a in fs.relu.attractors(fs.tasks.extended_xor(delta))), 1.0)


def test_a_unit_ends_in_an_attractor():
    """SciPy follows one unit on its own, both layers, from weights that were never balanced."""
    rng = np.random.default_rng(0)
    task = fs.Task(rng.standard_normal((6, 3)), rng.standard_normal((6, 2)))
    known = fs.relu.attractors(task)
    inside = [a for a in known if not a.boundary.any()]
    met = 0
    for _ in range(4):
        start = rng.standard_normal(5)

        def climb(_, z):
            h = task.x @ z[:3]
            change = np.append(((h > 0) * (task.y @ z[3:])) @ task.x, np.maximum(h, 0.0) @ task.y) / len(task.x)
            return change - z * (z @ change) / (z @ z)

        run = scipy.integrate.solve_ivp(climb, (0, 60 / fastest(task.x, task.y)), start, "RK45", rtol=1e-4)
        w, v = run.y[:3, -1], run.y[3:, -1]
        w, v = w / np.linalg.norm(w), v / np.linalg.norm(v)
        closest = max(inside, key=lambda a: a.w @ w + a.v @ v)
        met += closest.w @ w + closest.v @ v > 2 - 1e-3
    assert met >= 2  # the rest ends on boundaries, where the solver hovers


@pytest.mark.parametrize("seed", range(6))
def test_a_boundary_is_certified_where_it_is_a_maximum_and_nowhere_else(seed):
    """On the circle: every direction orthogonal to a point, both signs, against its neighbours on either side."""
    task = planar(seed)
    for i, point in enumerate(task.x):
        for side in (1.0, -1.0):
            w = side * np.array([-point[1], point[0]]) / np.linalg.norm(point)
            held = np.arange(7) == i
            on = (task.x @ w > 0) & ~held
            for v in (1.0, -1.0):
                turned = [np.cos(d) * w + np.sin(d) * np.array([-w[1], w[0]]) for d in (-1e-5, 0.0, 1e-5)]
                below, here, above = (v * np.mean(np.maximum(task.x @ u, 0) * task.y[:, 0]) for u in turned)
                found = certify(task.x, task.y, on, held, w, np.array([v]))
                assert (found is not None) == (here > max(below, above, 0.0))


def test_a_saddle_is_not_certified():
    task = fs.tasks.extended_xor(0.5)
    pair = np.array([True, False, False, True])
    nothing = np.zeros(4, bool)
    assert certify(task.x, task.y, pair, nothing, np.array([0.0, 0.0, -1.0]), np.array([-1.0])) is not None
    assert certify(task.x, task.y, pair, nothing, np.array([0.0, 0.0, -1.0]), np.array([1.0])) is None
    assert certify(task.x, task.y, ~pair, nothing, np.array([0.0, 0.0, -1.0]), np.array([-1.0])) is None


@settings(max_examples=8)
@given(st.integers(0, 2**31), st.floats(0.2, 5.0))
def test_rescaled_targets_change_rates_and_times_alone(seed, factor):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((5, 2)), rng.standard_normal((5, 1))
    plain, scaled = fs.relu.attractors(fs.Task(x, y), starts=32), fs.relu.attractors(fs.Task(x, factor * y), starts=32)
    assert [a.pattern.tolist() for a in plain] == [a.pattern.tolist() for a in scaled]
    assert [factor * a.rate for a in plain] == pytest.approx([a.rate for a in scaled])


def test_errors_of_attractors():
    with pytest.raises(ValueError, match="starts is 0"):
        fs.relu.attractors(fs.tasks.extended_xor(1.0), starts=0)


def test_rotated_inputs_change_no_attractor():
    rng = np.random.default_rng(5)
    task = planar(5, outputs=2)
    turn = np.linalg.qr(rng.standard_normal((2, 2)))[0]
    first, second = fs.relu.attractors(task), fs.relu.attractors(fs.Task(task.x @ turn, task.y))
    assert [a.rate for a in first] == pytest.approx([a.rate for a in second])
    assert [a.pattern.tolist() for a in first] == [a.pattern.tolist() for a in second]


@pytest.mark.parametrize("task", [
    fs.Task([[1.0, 0.0]], [[0.0]]), fs.Task([[0.0, 0.0], [0.0, 0.0]], [[1.0], [2.0]]), fs.Task([[1.0]], [[-1.0]]),
])  # fmt: skip
def test_nothing_to_learn_or_one_point(task):
    assert len(fs.relu.attractors(task)) == int(bool(np.any(task.x) and np.any(task.y)))

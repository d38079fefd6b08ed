import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

import festina as fs
from festina.papers.experiments import winners
from festina.papers.experiments._winners import among_seeds, pairs, removals, score
from festina.relu._climb import certify, fastest, velocity

STD = 1e-5
EXACT = 1e-9  # rounding error of an SVD of data of order one
ANGLES = 200_000  # directions of the plane; maxima are then known to a rate of 1e-9, places to 3e-5
STEP_ERROR = 0.03  # a midpoint rule with a tenth of the shortest turning time, beside an adaptive solver
FLICKER = 0.01  # a direction held on a boundary is off it by a tenth of a step, its rate by the square of that
ONE_TIME = 0.02  # share of a learning time by which a sample of 256 random units misses the mean of 128


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
            dw, da = velocity(z[None, :3], z[None, 3:], (z[None, :3] @ task.x.T) > 0, task.x, task.y)
            return np.append(dw, da) - z * (z @ np.append(dw, da)) / (z @ z)

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


@pytest.mark.parametrize("delta", [0.0, 0.5, 2.0])
def test_xor_is_predicted_with_its_closed_form_time(delta):
    """t = ln(s/(d a0) − 1)/(2s) with a0 = n σ²/2 for the n = H/4 or H/2 units of a pattern."""
    found = fs.relu.predict_modules(fs.tasks.extended_xor(delta), std=STD, hidden=128)
    linear = delta > np.sqrt(2 / 3)
    assert found.patterns.sum(axis=1).tolist() == ([2, 2] if linear else [1, 1, 1, 1])
    s, d, share = (delta / 2, delta**2 / 2, 2) if linear else (np.sqrt(2 + delta**2) / 4, (2 + delta**2) / 4, 4)
    half = np.log(s / (d * 128 / share * STD**2 / 2) - 1) / (2 * s)
    assert np.mean([module.time for module in found]) == pytest.approx(half, rel=2 * ONE_TIME)
    assert [module.rate for module in found] == pytest.approx([s] * len(found), rel=FLICKER)
    assert found.loss[-1] < 1e-3
    assert all(assumption.holds for assumption in found.assumptions)


def test_one_linear_mode_is_the_sigmoid():
    """One input, one positive point: u(t) of the two-layer closed form, nothing left to choose."""
    task = fs.Task([[2.0]], [[1.5]])
    found = fs.relu.predict_modules(task, std=STD, hidden=256, probes=256, until=9.0)
    assert len(found) == 1
    s, d = 3.0, 4.0
    half = np.log(s / (d * 128 * STD**2 / 2) - 1) / (2 * s)
    assert found[0].time == pytest.approx(half, rel=ONE_TIME)
    assert found[0].rate == pytest.approx(s, rel=1e-6)
    u = (s / d) / (1 - (1 - s / (d * 128 * STD**2 / 2)) * np.exp(-2 * s * found.times))
    # the loss curve shifts with the time, which a random sample knows to a few hundredths of e-folds
    assert np.abs(found.loss - (1.5 - 2 * u) ** 2 / 2).max() < 0.3
    assert np.trapezoid(np.abs(found.loss - (1.5 - 2 * u) ** 2 / 2), found.times) < 0.05 * half


def test_the_predicted_loss_is_that_of_a_trained_network():
    """Full training of the layer, by gradient descent on all of its units, judges times and plateaus."""
    task = winners.random_task((8, 4, 3), 10)
    rate = 0.1 / float(np.linalg.eigvalsh(task.x.T @ task.x / len(task.x))[-1])
    times = np.arange(0, 3001, 10) * rate
    run = fs.evolve(fs.ReLU((128,), initial=fs.initial.Gaussian(STD)), task, times, method=fs.Train(rate=rate), seeds=2)
    found = fs.relu.predict_modules(task, std=STD, hidden=128, until=times[-1])
    guess = fs.Trajectory(run.times, {"loss": np.interp(run.times, found.times, found.loss)})
    assert fs.compare(guess, run.mean()).area < 0.08


def test_a_context_task_learns_the_common_module_first_and_its_modes_in_order():
    task = fs.tasks.context(3)
    found = fs.relu.predict_modules(task, std=0.005 / 700, hidden=700, until=30.0, route="modules", probes=128)
    first = min(found, key=lambda module: module.born)
    assert first.pattern.all()
    assert first.rate == pytest.approx(task.statistics.strengths[0], rel=1e-3)


def test_smaller_starts_are_learned_later_by_the_logarithm():
    """Every e-fold of the initial weights costs 1/s of time, s the rate of the first module."""
    task = fs.tasks.extended_xor(2.0)
    early, late = (fs.relu.predict_modules(task, std=std) for std in (1e-5, 1e-7))
    assert late[0].time - early[0].time == pytest.approx(np.log(100) / early[0].rate, rel=STEP_ERROR)


@settings(max_examples=8)
@given(st.integers(0, 2**31), st.floats(0.2, 5.0))
def test_rescaled_targets_change_rates_and_times_alone(seed, factor):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((5, 2)), rng.standard_normal((5, 1))
    plain, scaled = fs.relu.attractors(fs.Task(x, y), starts=32), fs.relu.attractors(fs.Task(x, factor * y), starts=32)
    assert [a.pattern.tolist() for a in plain] == [a.pattern.tolist() for a in scaled]
    assert [factor * a.rate for a in plain] == pytest.approx([a.rate for a in scaled])


@pytest.mark.parametrize("route", ["units", "modules"])
def test_rotated_inputs_change_no_attractor_and_no_pattern(route):
    rng = np.random.default_rng(5)
    task = planar(5, outputs=2)
    turn = np.linalg.qr(rng.standard_normal((2, 2)))[0]
    turned = fs.Task(task.x @ turn, task.y)
    first, second = fs.relu.attractors(task), fs.relu.attractors(turned)
    assert [a.rate for a in first] == pytest.approx([a.rate for a in second])
    assert [a.pattern.tolist() for a in first] == [a.pattern.tolist() for a in second]
    assert fs.relu.predict_modules(task, route=route, until=1.0).patterns.size == 0


@pytest.mark.parametrize("task", [
    fs.Task([[1.0, 0.0]], [[0.0]]), fs.Task([[0.0, 0.0], [0.0, 0.0]], [[1.0], [2.0]]), fs.Task([[1.0]], [[-1.0]]),
])  # fmt: skip
def test_nothing_to_learn_or_one_point(task):
    found = fs.relu.predict_modules(task)
    learnable = bool(np.any(task.x) and np.any(task.y))
    assert len(found) == len(fs.relu.attractors(task)) == int(learnable)
    assert found.assumptions[1].holds == (learnable or not np.any(task.y))


def test_words():
    found = fs.relu.predict_modules(fs.tasks.extended_xor(2.0))
    assert str(found).startswith("2 modules predicted for extended XOR, Δ = 2 (times are flow times)\n#··#  born")
    assert "small start holds" in str(found)
    assert [module.share for module in found] == pytest.approx([0.5, 0.5], abs=0.01)
    assert found[0] in tuple(found)


@pytest.mark.parametrize(("change", "words"), [
    ({"std": 0.0}, "std is 0"), ({"hidden": 0}, "hidden is 0"), ({"probes": 0}, "probes is 0"),
    ({"gain": -1}, "gain is -1"), ({"until": 0}, "until is 0"), ({"route": "race"}, "route is 'race'"),
    ({"seed": -1}, "seed is -1"),
])  # fmt: skip
def test_errors_of_predictions(change, words):
    with pytest.raises(ValueError, match=words):
        fs.relu.predict_modules(fs.tasks.extended_xor(1.0), **change)


def test_errors_of_attractors():
    with pytest.raises(ValueError, match="starts is 0"):
        fs.relu.attractors(fs.tasks.extended_xor(1.0), starts=0)


def test_a_large_start_is_said_to_be_large():
    assert not fs.relu.predict_modules(fs.tasks.extended_xor(1.0), std=0.1).assumptions[0].holds


def planted(patterns, delays):
    """A run of one network whose units have these patterns on one-hot points and these learning times."""
    times = np.arange(11.0)
    rise = 1.0 * (times[:, None] >= np.array(delays)[None])
    first = rise[:, :, None] * np.array(patterns, float)[None]
    second = np.repeat(rise[:, None], 2, axis=1)
    return fs.Trajectory(times, {"weights": (first[None], second[None])}, (0,))


def test_scores_know_what_was_planted():
    patterns = np.array([[1, 1, 0, 0], [0, 0, 1, 0]], bool)
    run, x = planted(patterns, [3, 6]), np.eye(4)
    right = score(patterns, np.array([1.0, 2.0]), run, x, [0])
    assert (right.precision, right.recall, right.agreeing, right.disagreeing) == (1.0, 1.0, 1, 0)
    assert right.learned.tolist() == [3.0, 6.0]
    wrong = score(patterns[[0]] ^ True, np.array([1.0]), run, x, [0])
    assert (wrong.precision, wrong.recall) == (0.0, 0.0)
    half = score(np.vstack([patterns[0], [1, 0, 0, 1]]).astype(bool), np.array([1.0, 1.0]), run, x, [0])
    assert half.precision == 0.5
    # contributions ‖a‖‖activity‖ of 2 and √2
    assert half.recall == pytest.approx(2 / (2 + np.sqrt(2)))
    assert pairs(np.array([1.0, 2.0, 2.001]), np.array([5.0, 4.0, 9.0])) == (1, 1)


def test_seeds_predict_each_other_when_they_are_alike():
    one = planted(np.array([[1, 1, 0, 0], [0, 0, 1, 0]], bool), [3, 6])
    both = fs.Trajectory(one.times, {"weights": tuple(np.concatenate([w, w]) for w in one.weights)}, (0, 1))
    found = among_seeds(both, np.eye(4))
    assert (found.precision, found.recall, found.disagreeing) == (1.0, 1.0, 0)


@settings(max_examples=20)
@given(st.integers(0, 2**31))
def test_interlacing(seed):
    rng = np.random.default_rng(seed)
    task = fs.Task(rng.standard_normal((6, 3)), rng.standard_normal((6, 2)))
    assert removals(task).max() <= 1 + 1e-12
    assert len(removals(task)) == 5

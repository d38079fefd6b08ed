"""The effective theory against judges that do not know its closed form: SciPy on h, y, w and on the maps themselves."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from festina.analysis.distance import final_distance
from festina.representation import TwoPoint

pytestmark = pytest.mark.slow

SOLVER = 1e-10
"""SciPy at rtol 1e-13 keeps ten digits over a run; measured 1.3e-11 at worst over six decades of gain."""
INVARIANT = 1e-9
"""What the issue of conservation is held to."""

positive = st.floats(0.05, 20.0)


def maps(dx, dy, rates, a, b):
    """Gradient descent on ½‖a b − Δ‖² with the paper's rates: encoder dh = a e, decoder b."""
    target = np.zeros(len(b))
    target[0] = np.sqrt(dy)

    def field(_, state):
        a, b = state[0], state[1:]
        error = a * b - target
        return np.append(-dx * rates[0] / 2 * b @ error, -rates[1] / 2 * a * error)

    out = a * b
    start = (a**2, out @ out, out @ out - out @ target)
    return field, np.append(a, b), target, start


def three(dx, dy, rates):
    """vanrossem2024 eq. (7)."""
    fast_h, fast_y = rates

    def field(_, s):
        h, y, w = s
        return [
            -fast_h * dx * w,
            -w * (fast_y * h + fast_h * dx * y / h),
            -fast_y / 2 * (3 * w - y + dy) * h - fast_h / 2 * dx * (y + w) * w / h,
        ]

    return field


def draw(seed, gain):
    rng = np.random.default_rng(seed)
    dx, dy = rng.uniform(0.1, 3, 2)
    rates = tuple(10 ** rng.uniform(-1, 1, 2))
    return dx, dy, rates, gain * rng.normal(), gain * rng.normal(size=3)


def span(pair):
    """Long enough to arrive: twenty over the sum of the saddle's eigenvalues."""
    return 20 / np.abs(pair.fixed_points[0].eigenvalues).sum()


@pytest.mark.parametrize("gain", 10.0 ** np.arange(-3, 4))
@pytest.mark.parametrize("seed", range(4))
def test_solution_is_that_of_the_maps_over_six_decades_of_gain(seed, gain):
    dx, dy, rates, a, b = draw(seed, gain)
    field, state, target, start = maps(dx, dy, rates, a, b)
    pair = TwoPoint(dx, dy, rates, start)
    times = np.linspace(0, span(pair), 40)
    path = solve_ivp(field, (0, times[-1]), state, "DOP853", times, rtol=1e-13, atol=1e-16 * gain).y
    out = path[0] * path[1:]
    y = np.sum(out**2, axis=0)
    expected = (path[0] ** 2, y, y - target @ out)
    for found, wanted in zip(pair.solve(times), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=SOLVER, atol=SOLVER * np.abs(wanted).max())


@pytest.mark.parametrize("seed", range(4))
def test_solution_is_that_of_the_three_variables(seed):
    dx, dy, rates, a, b = draw(seed, 0.5)
    b[0] = abs(b[0]) * np.sign(a)  # towards the target, so that h stays away from zero and may be divided by
    pair = TwoPoint(dx, dy, rates, maps(dx, dy, rates, a, b)[3])
    times = np.linspace(0, span(pair), 30)
    path = solve_ivp(three(dx, dy, rates), (0, times[-1]), pair.start[:3], "DOP853", times, rtol=1e-13, atol=1e-15).y
    for found, wanted in zip(pair.solve(times), path, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=SOLVER, atol=SOLVER)


def test_representations_pass_through_each_other():
    dx, dy, rates = 1.0, 2.0, (0.7, 0.3)
    field, state, *_, start = maps(dx, dy, rates, 0.4, np.array([-0.9, 0.0]))
    pair = TwoPoint(dx, dy, rates, start)
    times = np.linspace(0, span(pair), 4001)
    path = solve_ivp(field, (0, times[-1]), state, "DOP853", times, rtol=1e-13, atol=1e-16).y
    assert path[0].min() < 0 < path[0].max()
    h = pair.solve(times).h
    assert h.min() < 1e-6
    np.testing.assert_allclose(h, path[0] ** 2, rtol=SOLVER, atol=SOLVER)


@given(dx=positive, dy=st.one_of(st.just(0.0), positive), fast=st.tuples(positive, positive), h=st.floats(1e-8, 1e3),
       y=st.one_of(st.just(0.0), st.floats(1e-8, 1e3)), cosine=st.floats(-1, 1))  # fmt: skip
@example(dx=1.0, dy=0.0, fast=(1.0, 1.0), h=1.0, y=1.0, cosine=0.0)
@example(dx=1.0, dy=0.0, fast=(1.0, 1.0), h=1.0, y=0.0, cosine=1.0)
@example(dx=1.0, dy=1.0, fast=(1.0, 1.0), h=1e-8, y=1e3, cosine=-1.0)
def test_every_start_is_finite_conserves_and_ends_at_the_fixed_point(dx, dy, fast, h, y, cosine):
    pair = TwoPoint(dx, dy, fast, (h, y, y - cosine * np.sqrt(y * dy)))
    rate = max(abs(v) for v in pair.fixed_points[0].eigenvalues)
    times = np.append(np.array([0.0, 1e-6, 0.1, 1.0, 3.0, 10.0, 1e3]) / max(rate, 1e-3), np.inf)
    state = pair.solve(times)
    assert np.all(np.isfinite(state))
    np.testing.assert_allclose(np.array(state)[:, 0], pair.start[:3], rtol=1e-9, atol=1e-12 * max(y, h))
    ratio = pair.rates.y / pair.rates.h
    kept = state.y - ratio * state.h**2 / dx - pair.invariant * state.h
    size = np.maximum(np.abs(state.y) + ratio * state.h**2 / dx + abs(pair.invariant) * state.h, 1e-300)
    assert np.all(np.abs(kept) <= INVARIANT * size)
    blocked = y > 0 and dy > 0 and cosine == -1  # exactly opposed outputs may be heading into the saddle
    if not blocked:
        expected = pair.final_distance
        assert state.h[-1] == pytest.approx(expected, rel=1e-6, abs=1e-12 * max(h, 1))


@given(
    parts=st.tuples(st.floats(0.01, 3), st.floats(0.01, 3)),
    seed=st.integers(0, 50),
    gain=st.sampled_from([0.03, 1, 30]),
)
def test_restarting_in_the_middle_changes_nothing(parts, seed, gain):
    dx, dy, rates, a, b = draw(seed, gain)
    pair = TwoPoint(dx, dy, rates, maps(dx, dy, rates, abs(a), np.abs(b))[3])
    first, second = np.array(parts) / np.abs(pair.fixed_points[0].eigenvalues).sum()
    middle = pair.solve(first)
    again = TwoPoint(dx, dy, rates, tuple(float(v) for v in middle)).solve(second)
    straight = pair.solve(first + second)
    for found, wanted, scale in zip(again, straight, pair.solve([0.0, first]), strict=True):
        # the angle of the outputs is recovered from y − w, whose rounding is amplified by up to their size
        assert found == pytest.approx(wanted, rel=1e-6, abs=1e-7 * float(np.abs(scale).max() + dy))


def jacobian(pair, h, w):
    step = 1e-30j
    columns = [pair.velocity(h + step, w), pair.velocity(h, w + step)]
    return np.array([[v.imag / 1e-30 for v in column] for column in columns]).T


@pytest.mark.parametrize("seed", range(6))
def test_fixed_points_and_eigenvalues_are_those_of_the_numerical_jacobian(seed):
    dx, dy, rates, a, b = draw(seed, 10 ** (seed / 2 - 1.5))
    pair = TwoPoint(dx, dy, rates, maps(dx, dy, rates, a, b)[3])
    saddle, end = pair.fixed_points
    np.testing.assert_allclose(pair.velocity(end.h, 0.0), 0, atol=1e-12 * (1 + pair.high**2))
    numeric = np.sort(np.linalg.eigvals(jacobian(pair, end.h, 0.0)).real)
    np.testing.assert_allclose(numeric, np.sort(end.eigenvalues), rtol=1e-9)
    assert end.stable
    assert not saddle.stable
    # at h = 0 the field depends on the direction w/h of approach; along each eigenvector it is λ times the displacement
    for value in saddle.eigenvalues:
        direction = np.array([1.0, -value / (pair.rates.h * dx)])
        moved = np.array(pair.velocity(*(1e-12 * direction))) / 1e-12
        np.testing.assert_allclose(moved, value * direction, rtol=1e-6)


def test_two_variables_are_three_with_the_invariant():
    dx, dy, rates, a, b = draw(3, 0.7)
    pair = TwoPoint(dx, dy, rates, maps(dx, dy, rates, a, b)[3])
    h, y, w = pair.start[:3]
    full = three(dx, dy, rates)(0, [h, y, w])
    np.testing.assert_allclose(pair.velocity(h, w), [full[0], full[2]], rtol=1e-12)


def test_identical_targets_have_the_logistic_solution():
    dx, rates, h, y = 0.7, (0.4, 1.3), 0.9, 0.3
    pair = TwoPoint(dx, 0.0, rates, (h, y, y))
    times = np.linspace(0, 20, 50)
    high = pair.high
    expected = high / (1 + (high / h - 1) * np.exp(-high * times * rates[1]))
    np.testing.assert_allclose(pair.solve(times).h, expected, rtol=1e-12)


@pytest.mark.parametrize("gain", [1e3, 1e5])
def test_large_weights_tend_to_identical_targets(gain):
    pair = TwoPoint(0.5, 1.0, (0.6, 0.9), (1.2, 0.4, 0.4 - 0.3))
    times = np.linspace(0, 10, 30)
    large = pair.scaled(gain).solve(times / gain)
    limit = pair.large_weight_limit.solve(times)
    np.testing.assert_allclose(large.h / gain, limit.h, atol=10 / gain)
    np.testing.assert_allclose(large.y / gain**2, limit.y, atol=10 / gain)


def test_loss_is_the_loss_of_the_maps():
    dx, dy, rates, a, b = draw(5, 0.3)
    field, state, target, start = maps(dx, dy, rates, a, b)
    offset = np.array([0.3, -0.2, 0.1])
    pair = TwoPoint(dx, dy, (*rates, 0.8), (*start, offset @ offset))
    times = np.linspace(0, span(pair), 20)
    path = solve_ivp(field, (0, times[-1]), state, "DOP853", times, rtol=1e-13, atol=1e-16).y
    half = (path[0] * path[1:]).T / 2 - target / 2
    mean = np.exp(-0.8 * times)[:, None] * offset
    expected = 0.25 * (np.sum((mean + half) ** 2, axis=1) + np.sum((mean - half) ** 2, axis=1))
    np.testing.assert_allclose(pair.loss(times), expected, rtol=1e-9)


def test_final_distance_keeps_its_digits_when_high_is_negative():
    assert final_distance(-1e12, 1.0) == pytest.approx(1e-12, rel=1e-12)
    assert final_distance(0.0, 0.0) == 0
    assert final_distance(-3.0, 0.0) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: TwoPoint(0.0, 1.0, (1, 1), (1, 1, 0.5)), "dx is 0: equal inputs have equal representations"),
        (lambda: TwoPoint(1.0, -1.0, (1, 1), (1, 1, 0.5)), "dy is -1.0; a number >= 0"),
        (lambda: TwoPoint(1.0, 1.0, (1, 0), (1, 1, 0.5)), r"rates are \(1.0, 0.0\); effective learning rates are"),
        (lambda: TwoPoint(1.0, 1.0, (1,), (1, 1, 0.5)), r"rates has shape \(1,\); \(1/τh, 1/τy\)"),
        (lambda: TwoPoint(1.0, 1.0, (1, 1), (0, 1, 0.5)), "start is h=0, y=1.*representations coincide"),
        (lambda: TwoPoint(1.0, 1.0, (1, 1), (1, 1, 5)), r"start has w=5 .*\|y − w\| <= √\(y·dy\) = 1 is needed"),
        (lambda: TwoPoint(1.0, 1.0, (1, 1), (1, 1, np.nan)), "start holds 1 value.* not finite"),
        (lambda: TwoPoint(1.0, 1.0, (1, 1), (1, 1, 0.5)).solve(-1.0), "times go down to -1"),
        (lambda: TwoPoint(1.0, 1.0, (1, 1), (1, 1, 0.5, 1.0)).loss(1.0), "rates hold no third number 1/τȳ"),
        (lambda: TwoPoint(1.0, 1.0, (1, 1), (1, 1, 0.5)).scaled(0.0), "gain is 0.0; a number > 0"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()

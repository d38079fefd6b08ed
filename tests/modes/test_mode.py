"""One mode against references that do not know its closed form: mpmath, SciPy's ODE solver, gradient descent itself."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import festina as fs
from festina.linear import strength, time_to_strength
from festina.modes.mode import best_rate, grow

DEPTHS = [1, 1.2, 2, 2.5, 3, 5, 10, math.inf]
ROUNDING = 16 * np.finfo(float).eps
"""A closed form may lose four bits, and what the conditioning of the question itself takes."""
SOLVER = 1e-9
"""SciPy at rtol 1e-12 accumulates a thousandfold over a sigmoid."""

positive = st.floats(1e-3, 1e3)
depths = st.one_of(st.sampled_from(DEPTHS), st.floats(1.0, 40.0))


def field(u, s, d, depth):
    """du/dt; at infinite depth du/dT with T = D t."""
    return (1 if depth == math.inf else depth) * u ** (2 - 2 / depth) * (s - d * u)


def mp_time(start, end, s, d, depth) -> float:
    """Time between two strengths by quadrature of 1/(du/dt) over ln u, in 30 digits."""
    with mpmath.workdps(30):
        start, end, s, d = (mpmath.mpf(float(v)) for v in (start, end, s, d))
        factor = mpmath.mpf(1 if depth == math.inf else depth)
        power = 1 if depth == math.inf else 1 - 2 / mpmath.mpf(depth)
        cuts = mpmath.linspace(mpmath.log(start), mpmath.log(end), 24)
        found: Any = mpmath.quad(lambda z: 1 / (factor * mpmath.exp(power * z) * (s - d * mpmath.exp(z))), cuts)
        return float(found)


@pytest.mark.parametrize("depth", [*DEPTHS, 2 + 1e-9, 1e8])
@pytest.mark.parametrize(
    ("start", "end"), [(1e-200, 1e-199), (1e-6, 1e-5), (1e-6, 0.5), (0.3, 0.9), (0.9, 0.99), (40, 3), (1e8, 10)]
)
def test_strength_and_time_are_those_of_mpmath(depth, start, end):
    s, d = 1.3, 0.7
    start, end = start * s / d, end * s / d
    time = mp_time(start, end, s, d, depth)
    assert time_to_strength(end, s, d, start, depth) == pytest.approx(time, rel=100 * ROUNDING)
    # the relative change of u per relative change of t: what rounding the time to a double costs by itself
    conditioning = time * abs(field(end, s, d, depth)) / end
    assert strength(time, s, d, start, depth) == pytest.approx(end, rel=ROUNDING * (1 + conditioning))


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("start", [1e-3, 0.4, 0.999, 1.001, 30.0])
def test_strength_follows_the_ode(depth, start):
    s, d = 0.8, 1.7
    start = start * s / d
    late = float(time_to_strength(s / d * (1 - 5e-4 if start < s / d else 1 + 5e-4), s, d, start, depth))
    times = np.linspace(0, late, 30)
    found = solve_ivp(lambda _, u: field(u, s, d, depth), (0, times[-1]), [start], "DOP853", times, rtol=1e-12,
                      atol=1e-15)  # fmt: skip
    np.testing.assert_allclose(strength(times, s, d, start, depth), found.y[0], rtol=SOLVER)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("start", [1e-300, 1e-12, 0.5, 2.0, 1e12])
def test_limits_keep_every_digit_and_warn_of_nothing(depth, start):
    s, d = 1.3, 0.7
    times = np.array([0.0, 1e-9, 1.0, 1e9, np.inf])
    found = strength(times, s, d, start, depth)
    assert found[0] == start
    assert found[-1] == pytest.approx(s / d, rel=ROUNDING)
    assert np.all(np.isfinite(found))
    assert np.all(np.diff(found) * np.sign(s / d - start) >= 0)
    if (
        start <= 1e-12 and depth > 2
    ):  # far from its end a deep mode obeys du/dt = D s u^{2−2/D}, whose solution is known
        power, factor = 2 / depth - 1, (1 if depth == math.inf else depth)
        growth = (1 + power * factor * s * start**-power * times[:3]) ** (1 / power)
        np.testing.assert_allclose(found[:3] / start, growth, rtol=1e-11)


@pytest.mark.parametrize("depth", DEPTHS)
def test_ends_and_zeros_stay_where_they_are(depth):
    times = np.array([0.0, 1.0, 1e9, np.inf])
    assert np.all(strength(times, 1.0, 2.0, 0.5, depth) == pytest.approx(0.5, rel=ROUNDING))
    if depth > 1:
        assert np.all(strength(times, 1.0, 2.0, 0.0, depth) == 0)
        assert time_to_strength(0.1, 1.0, 2.0, 0.0, depth) == np.inf
    assert time_to_strength(0.1, 1.0, 2.0, 0.1, depth) == 0
    assert np.all(np.isinf(time_to_strength(np.array([0.05, 0.5, 0.6]), 1.0, 2.0, 0.1, depth)))


@pytest.mark.parametrize("depth", DEPTHS)
def test_an_array_is_a_loop(depth):
    times = np.array([0.0, 0.7, 3.0, 400.0, np.inf])[:, None]
    s, d, start = np.array([0.3, 1.0, 2.0]), np.array([1.0, 0.2, 3.0]), np.array([1e-4, 0.2, 5.0])
    table = strength(times, s, d, start, depth)
    assert table.shape == (5, 3)
    for i, j in np.ndindex(table.shape):
        one = strength(float(times[i, 0]), float(s[j]), float(d[j]), float(start[j]), depth)
        np.testing.assert_allclose(table[i, j], one, rtol=ROUNDING)


@given(depth=depths, s=positive, d=positive, share=st.floats(1e-6, 3.0), parts=st.tuples(positive, positive))
@example(depth=3.0, s=1.0, d=1.0, share=1.0, parts=(1.0, 1.0))
@example(depth=2 + 1e-12, s=1.0, d=1.0, share=1e-6, parts=(3.0, 4.0))
def test_restarting_in_the_middle_changes_nothing(depth, s, d, share, parts):
    start = share * s / d
    first, second = np.array(parts) / s
    middle = strength(first, s, d, start, depth)
    straight = strength(first + second, s, d, start, depth)
    again = strength(second, s, d, middle, depth)
    steepness = (first + second) * abs(field(straight, s, d, depth)) / straight
    # an error made at the restart is carried on as du(t)/du(t1) = field(u(t))/field(u(t1))
    carried = np.abs(field(straight, s, d, depth) * middle / (field(middle, s, d, depth) or np.inf) / straight)
    assert again == pytest.approx(straight, rel=ROUNDING * (10 + 4 * steepness + 4 * carried))


@given(depth=depths, s=positive, d=positive, share=st.floats(1e-4, 20.0), time=st.floats(1e-2, 3.0))
def test_the_derivative_is_the_vector_field(depth, s, d, share, time):
    start = share * s / d
    time = time / (s * max(share, 1) ** (2 - 2 / depth) * (s / d) ** (1 - 2 / depth))
    h = 1e-4 * time
    u = strength(time + h * np.array([-2, -1, 0, 1, 2]), s, d, start, depth)
    slope = (u[0] - 8 * u[1] + 8 * u[3] - u[4]) / (12 * h)
    # five-point rule at a step of 1e-4: truncation 1e-16 of the fifth derivative, rounding 1e-12 of u/t
    assert slope == pytest.approx(field(u[2], s, d, depth), rel=1e-7, abs=1e-10 * u[2] / time)


@given(depth=depths, s=positive, d=positive, share=st.floats(1e-3, 0.9), step=st.floats(0.05, 0.95))
def test_time_to_strength_inverts_strength(depth, s, d, share, step):
    start, end = share * s / d, (share + (1 - share) * step) * s / d
    time = time_to_strength(end, s, d, start, depth)
    conditioning = time * field(end, s, d, depth) / end
    assert strength(time, s, d, start, depth) == pytest.approx(end, rel=ROUNDING * (10 + conditioning))


@pytest.mark.parametrize("depth", [3, 5, 10])
def test_tiny_strengths_keep_all_their_digits(depth):
    start = np.array([3.3e-250, 1.7e-200, 7e-280, 2.2e-150])
    time = time_to_strength(7.7 * start, 1.3, 0.7, start, depth)
    np.testing.assert_allclose(strength(time, 1.3, 0.7, start, depth), 7.7 * start, rtol=ROUNDING)


@pytest.mark.parametrize("start", [1e-3, 0.2, 7.0])
def test_depth_two_and_infinity_are_limits(start):
    times = np.linspace(0, 8, 40)
    for tiny in (1e-5, -1e-5, 1e-9, -1e-9, 1e-14):
        near = strength(times, 1.1, 0.6, start, 2 + tiny)
        np.testing.assert_allclose(near, strength(times, 1.1, 0.6, start, 2), rtol=100 * abs(tiny) + 1e-13)
    for deep in (1e4, 1e8, 1e12):
        near = strength(times / deep, 1.1, 0.6, start, deep)
        np.testing.assert_allclose(near, strength(times, 1.1, 0.6, start, math.inf), rtol=100 / deep + 1e-13)


def test_a_shallow_mode_may_start_below_zero():
    s, d, times = 0.8, 1.7, np.array([0.0, 0.4, 2.0])
    np.testing.assert_allclose(
        strength(times, s, d, -2.0, 1), s / d + (-2.0 - s / d) * np.exp(-d * times), rtol=ROUNDING
    )


parts = st.one_of(st.just(0.0), st.floats(1e-12, 10.0))


@given(rho=parts, kappa=parts, s=st.one_of(st.just(0.0), st.floats(0.05, 5.0)), d=st.floats(0.05, 5.0))
@example(rho=0.0, kappa=0.0, s=0.0, d=1.0)
@example(rho=2.0, kappa=0.0, s=0.0, d=1.0)
def test_grow_keeps_its_invariants(rho, kappa, s, d):
    times = np.array([0.0, 1e-3, 1.0, 30.0, 1e9, np.inf])
    grown, decayed = grow(times, s, d, rho, kappa)
    assert (grown[0], decayed[0]) == pytest.approx((rho, kappa), rel=ROUNDING)
    assert np.all(np.isfinite(grown))
    assert np.all(np.isfinite(decayed))
    assert np.all(grown >= 0)
    assert np.all(decayed >= 0)
    np.testing.assert_allclose(grown * decayed, rho * kappa, rtol=1e-12, atol=1e-300)
    if rho > 0 and s > 0:
        assert grown[-1] - decayed[-1] == pytest.approx(s / d, rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_grow_is_the_flow_of_two_layers_of_vectors(seed):
    rng = np.random.default_rng(seed)
    units, (s, d), scale = 5, rng.uniform(0.3, 2, 2), 10.0 ** rng.uniform(-3, 0.5)
    start = scale * rng.standard_normal(2 * units)

    def vectors(_, state):
        p, q = state[:units], state[units:]
        drive = s - d * p @ q
        return np.concatenate([drive * q, drive * p])

    times = np.linspace(0, 12 / s, 25)
    state = solve_ivp(vectors, (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-13 * scale).y
    p, q = state[:units], state[units:]
    rho, kappa = np.sum(((p + q) / 2) ** 2, axis=0), np.sum(((p - q) / 2) ** 2, axis=0)
    grown, decayed = grow(times, s, d, rho[0], kappa[0])
    np.testing.assert_allclose(grown, rho, rtol=SOLVER)
    np.testing.assert_allclose(grown - decayed, np.sum(p * q, axis=0), rtol=SOLVER, atol=SOLVER * scale**2)


@given(share=st.floats(1e-4, 2.0), s=positive, d=positive)
def test_balance_is_the_limit_of_vanishing_imbalance(share, s, d):
    start, times = share * s / d, np.array([0.0, 0.3, 1.0, 5.0, 100.0, np.inf]) / s
    grown, decayed = grow(times, s, d, start, 1e-30 * start)
    np.testing.assert_allclose(grown - decayed, strength(times, s, d, start, 2), rtol=1e-12)


def test_lambda_balanced_modes_follow_their_equation():
    s, lambda_, start = 0.9, 2.5, 0.01
    strong = np.sqrt((np.hypot(lambda_, 2 * start) + lambda_) / 2)
    weak = start / strong
    times = np.linspace(0, 6, 30)
    found = solve_ivp(lambda _, a: np.sqrt(lambda_**2 + 4 * a**2) * (s - a), (0, 6), [start], "DOP853", times,
                      rtol=1e-12, atol=1e-14)  # fmt: skip
    grown, decayed = grow(times, s, 1.0, ((strong + weak) / 2) ** 2, ((strong - weak) / 2) ** 2)
    np.testing.assert_allclose(grown - decayed, found.y[0], rtol=SOLVER)


def descend(start, s, d, depth, rate, steps):
    """Strengths of a scalar chain of equal layers under plain gradient descent."""
    layer, found = np.asarray(start, float) ** (1 / depth), []
    for _ in range(steps + 1):
        found.append(layer**depth)
        layer = layer + rate * layer ** (depth - 1) * (s - d * layer**depth)
    return np.array(found)


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_best_rate_is_the_fastest_and_twice_it_the_last_stable_one(depth):
    s, d = 1.4, 0.6
    best = float(best_rate(s, d, depth))
    near = s / d * (1 - 1e-4)
    rates = best * np.linspace(0.2, 1.9, 171)
    left = [abs(descend(near, s, d, depth, rate, 1)[-1] - s / d) for rate in rates]
    assert rates[np.argmin(left)] == pytest.approx(best, rel=0.01)
    for factor, grows in ((1.99, False), (2.01, True)):
        path = np.abs(descend(near, s, d, depth, factor * best, 100) - s / d)
        assert (path[-1] > path[0]) == grows


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: strength(1.0, 1.0, 1.0, 0.1, depth=0.5), "depth is 0.5; a number of layers >= 1"),
        (lambda: strength(1.0, 1.0, 1.0, 0.1, depth=math.nan), "depth is nan"),
        (lambda: strength(1.0, 0.0, 1.0, 0.1), "s and d must be > 0"),
        (lambda: strength(1.0, 1.0, -1.0, 0.1), "s and d must be > 0"),
        (lambda: strength(-1.0, 1.0, 1.0, 0.1, depth=3), "times go down to -1; flow time starts at 0"),
        (lambda: strength(1.0, 1.0, 1.0, -0.1), "start goes down to -0.1; a balanced mode of depth 2 needs"),
        (lambda: strength(1.0, 1.0, 1.0, math.nan), "start holds a value that is not finite"),
        (lambda: grow(1.0, 1.0, 1.0, -0.1, 0.0), "growing and decaying are squared lengths"),
        (lambda: time_to_strength(0.5, 1.0, 0.0, 0.1), "s and d must be > 0"),
        (lambda: best_rate(1.0, 1.0, 0), "depth is 0; a number of layers"),
        (lambda: fs.linear.FiniteStep(-0.3), "rate is -0.3; a number > 0 is needed"),
        (lambda: strength(1.0, 1.0, 1.0, 1e-310, 3), "has no digits left in double precision"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()

"""Slips in vanrossem2024: the printed form fails a check that does not know it, the corrected form passes."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from festina.representation import TwoPoint

DX, DY, RATES = 0.6, 1.4, (0.7, 0.3)
START = (0.5, 0.4, 0.4 - 0.6)


def differs(a, b):
    return not np.allclose(a, b, rtol=1e-3)


def test_eq_17_the_gradient_has_a_quarter():
    rng = np.random.default_rng(0)
    decoder, encoder = rng.normal(size=(2, 3)), rng.normal(size=(3, 4))
    x, y, mean = rng.normal(size=(2, 4)), rng.normal(size=(2, 2)), rng.normal(size=2)

    def loss(encoder):
        signed = np.array([1, -1])[:, None] * (x[0] - x[1])
        return 0.25 * np.sum((mean + 0.5 * signed @ encoder.T @ decoder.T - y) ** 2)

    step = 1e-6
    numeric = np.array([[(loss(encoder + step * e) - loss(encoder - step * e)) / (2 * step)
                         for e in row] for row in np.eye(12).reshape(3, 4, 3, 4)])  # fmt: skip
    span, target = x[1] - x[0], y[1] - y[0]
    inner = decoder.T @ np.outer(decoder @ encoder @ span - target, span)
    np.testing.assert_allclose(numeric, inner / 4, atol=1e-8)
    assert differs(numeric, inner / 2)


def test_eq_25_the_last_term_belongs_in_the_bracket():
    pair = TwoPoint(DX, DY, RATES, START)
    (fast_h, fast_y), (h, y, w) = RATES, START
    constant = pair.invariant
    first = -(fast_y**2) / fast_h / DX * h**3 + fast_y * DY * h + 4 * fast_y * h * w + fast_h * DX * w**2 / h
    last = constant * (fast_h * DX * w - fast_y * h**2)
    truth = -fast_y / 2 * (3 * w - y + DY) * h - fast_h / 2 * DX * (y + w) * w / h  # eq. (7)
    assert -0.5 * (first + last) == pytest.approx(truth, rel=1e-12)
    assert pair.velocity(h, w)[1] == pytest.approx(truth, rel=1e-12)
    assert differs(-0.5 * first + last, truth)


def test_eq_39_and_40_time_is_in_units_of_tau_y():
    h, y = 0.9, 0.3
    pair = TwoPoint(DX, 0.0, RATES, (h, y, y))
    high = pair.high
    times = np.linspace(0, 5, 9)
    truth = solve_ivp(lambda _, h: RATES[1] * h * (high - h), (0, 5), [h], "DOP853", times, rtol=1e-12, atol=1e-14).y[0]

    def logistic(exponent):
        return high / (1 + (high / h - 1) * np.exp(-exponent))

    np.testing.assert_allclose(logistic(high * times * RATES[1]), truth, rtol=1e-9)
    np.testing.assert_allclose(pair.solve(times).h, truth, rtol=1e-9)
    assert differs(logistic(high * times), truth)


def test_eq_42_the_exponents_are_inverted():
    gain, times = 7.0, np.linspace(0, 4, 9)
    pair = TwoPoint(DX, DY, RATES, START)
    large = pair.scaled(gain)
    h, y, w, _ = large.start
    # what the corrected variables obey: targets dy/G², started where they start
    corrected = TwoPoint(DX, DY / gain**2, RATES, (h / gain, y / gain**2, w / gain**2))
    for power, found, wanted in zip((1, 2, 2), large.solve(times / gain), corrected.solve(times), strict=True):
        np.testing.assert_allclose(found / gain**power, wanted, rtol=1e-9, atol=1e-12)
    # the printed variables: their derivative by the chain rule against the right-hand side of eq. (43)
    h, y, w = START
    fast_h, fast_y = RATES

    def slope(h, y, w, dy):
        return -fast_y / 2 * (3 * w - y + dy) * h - fast_h / 2 * DX * (y + w) * w / h

    for power, right in ((-1, True), (1, False)):
        h_new, y_new, w_new = h * gain**power, y * gain ** (2 * power), w * gain ** (2 * power)
        chain = gain ** (3 * power) * slope(h, y, w, DY)
        assert np.isclose(chain, slope(h_new, y_new, w_new, DY / gain**2), rtol=1e-9) == right


def test_section_4_1_large_weights_end_at_a_high_only_where_it_is_positive():
    for y, positive in ((0.01, True), (4.0, False)):
        pair = TwoPoint(DX, DY, RATES, (0.5, y, y - 0.9 * np.sqrt(y * DY))).scaled(1e4)
        assert (pair.high > 0) == positive
        assert np.isclose(pair.final_distance, pair.high, rtol=1e-3) == positive
        if not positive:
            assert pair.final_distance == pytest.approx(pair.low**2 / abs(pair.high), rel=1e-3)

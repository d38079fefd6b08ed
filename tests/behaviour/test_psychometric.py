"""Psychometric curves: definitions, the fit against a general optimiser, its uncertainty against resampling."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit

from festina.behaviour import DecisionTask, TutorExecutor, fit_psychometric
from festina.behaviour import _psychometric as module

CONTRASTS = np.array([-0.5, -0.25, 0.0, 0.25, 0.5])
OPTIMISED = 1e-4
"""Of a general optimiser that uses finite differences, in logits."""


def test_shape_is_read_off_the_curve():
    q = np.random.default_rng(0).random((4, 2, 3))
    p = module.curve(q, CONTRASTS, 9.0)
    bias, left, right = module.shape(module.logits(q, 9.0), (0.5, 0.5)).T
    np.testing.assert_allclose(bias, p[:, 2] - 0.5)
    np.testing.assert_allclose(left, (p[:, 2] - p[:, 0]) / 0.5)
    np.testing.assert_allclose(right, (p[:, 4] - p[:, 2]) / 0.5)


def test_observables_agree_with_one_another():
    network, task = TutorExecutor(), DecisionTask()
    rng = np.random.default_rng(1)
    w, W = rng.random((6, 3)), rng.random((6, 2, 3))
    known = network.observables(network.context(task))
    seen = {name: known[name]((w, W)) for name in ("curve", "accuracy", "map")}
    p = seen["curve"]
    correct = np.where(CONTRASTS < 0, 1 - p, np.where(CONTRASTS > 0, p, 0.5))
    np.testing.assert_allclose(seen["accuracy"], correct @ np.array(task.probabilities))
    np.testing.assert_allclose(seen["map"], W * w[:, None])


@given(st.lists(st.integers(0, 12), min_size=5, max_size=5))
def test_fit_is_the_mode_under_jeffreys_prior(hits):
    """Also for choices that are all alike or separate perfectly; against Nelder-Mead on the posterior itself."""
    contrasts = np.repeat(CONTRASTS, 12)
    right = np.concatenate([np.arange(12) < k for k in hits])
    fit = fit_psychometric(contrasts, right)

    def negative(value):
        logit = value[0] + contrasts * np.where(contrasts > 0, value[2], value[1])
        x = np.stack([np.ones(60), np.minimum(contrasts, 0), np.maximum(contrasts, 0)], axis=1)
        p = expit(logit)
        information = x.T @ (x * (p * (1 - p))[:, None])
        return -np.sum(np.where(right, logit, 0) - np.logaddexp(0, logit)) - 0.5 * np.linalg.slogdet(information)[1]

    found = minimize(negative, fit.parameters + 0.3, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-13})
    np.testing.assert_allclose(fit.parameters, found.x, atol=OPTIMISED * (1 + np.max(np.abs(found.x))))
    assert np.all(np.isfinite(fit.error))


def test_errors_are_the_spread_of_repeated_sessions():
    """Six hundred sessions from one curve: estimates scatter as the errors say, around the truth."""
    rng, truth = np.random.default_rng(2), np.array([0.4, 3.0, 5.0])
    contrasts = np.repeat(CONTRASTS, [72, 36, 24, 36, 72])
    p = expit(truth[0] + contrasts * np.where(contrasts > 0, truth[2], truth[1]))
    fits = [fit_psychometric(contrasts, rng.random(240) < p) for _ in range(600)]
    shapes, errors = np.stack([f.shape for f in fits]), np.stack([f.error for f in fits])
    z = (shapes - module.shape(truth, (0.5, 0.5))) / errors
    # 600 sessions know a standard deviation to 3 %, and the first-order error is good to some per cent
    np.testing.assert_allclose(z.std(axis=0), 1, atol=0.12)
    np.testing.assert_allclose(z.mean(axis=0), 0, atol=0.15)


def test_band_holds_the_curve_and_narrows_with_trials():
    contrasts, right = np.repeat(CONTRASTS, 20), np.tile(np.arange(20) < 9, 5)
    few, many = fit_psychometric(contrasts, right), fit_psychometric(np.tile(contrasts, 16), np.tile(right, 16))
    low, high = few.band(CONTRASTS, width=2)
    assert np.all((low < few.curve(CONTRASTS)) & (few.curve(CONTRASTS) < high))
    np.testing.assert_allclose(many.error, few.error / 4, rtol=0.1)


def test_span_only_changes_where_slopes_are_taken():
    contrasts, right = np.repeat(CONTRASTS, 20), np.concatenate([np.arange(20) < k for k in (2, 5, 9, 15, 18)])
    fit = fit_psychometric(contrasts, right, span=(0.25, 0.5))
    low, middle, high = fit.curve(np.array([-0.25, 0.0, 0.5]))
    np.testing.assert_allclose(fit.shape, [middle - 0.5, (middle - low) / 0.25, (high - middle) / 0.5])


@pytest.mark.parametrize("contrasts", [[0.5, 0.5], [-0.5, 0.0], [0.5, -0.5]])
def test_one_side_only_has_no_curve(contrasts):
    fit = fit_psychometric(np.array(contrasts), np.array([True, False]))
    assert np.isnan(fit.shape).all()


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="one of each per trial"):
        fit_psychometric(np.array([0.5]), np.array([True, False]))
    nothing = fit_psychometric(np.array([]), np.array([]))
    assert nothing.trials == 0
    assert np.isnan(nothing.shape).all()

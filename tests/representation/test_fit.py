"""Fits of curves whose rates are known, exact and noisy; and of curves that say nothing."""

import numpy as np
import pytest

from festina.representation import Pair, TwoPoint, fit

pytestmark = pytest.mark.slow

EXACT = 1e-6
"""What a fit of exact curves must recover; it comes to 1e-10."""

TIMES = np.linspace(0, 400, 300)


def curves(rates=(0.03, 0.01, 0.02), start=(0.02, 0.01, 0.01 - 0.08, 1.3), noise=0.0, times=TIMES, seed=0):
    theory = TwoPoint(0.4, 0.9, rates, start)
    rng = np.random.default_rng(seed)
    noisy = [c + noise * rng.standard_normal(len(times)) for c in (*theory.solve(times), theory.loss(times))]
    return theory, Pair(times, *noisy[:3], dx=0.4, dy=0.9, loss=noisy[3], offset=theory.start.offset)


@pytest.mark.parametrize("seed", range(16))
def test_exact_curves_give_back_their_rates(seed):
    rng = np.random.default_rng(seed)
    rates = tuple(10 ** rng.uniform(-2, 2) * np.array([1.0, 10 ** rng.uniform(-1.5, 1.5)]))
    y = 10 ** rng.uniform(-5, 1)
    h, cosine = 0.1 * y, rng.choice([-1.0, 0.3, 1.0])
    theory = TwoPoint(0.4, 0.9, rates, (h, y, y - cosine * np.sqrt(0.9 * y)))
    slow = min(abs(v) for v in theory.fixed_points[1].eigenvalues)
    times = np.linspace(0, 5 / slow + 10 / theory.fixed_points[0].eigenvalues[0], 400)
    found = fit(Pair(times, *theory.solve(times), dx=0.4, dy=0.9))
    assert found.rates[:2] == pytest.approx(rates, rel=EXACT)
    assert found.rates.mean is None
    assert found.error < EXACT


def test_the_loss_gives_the_rate_of_the_mean():
    theory, pair = curves()
    found = fit(pair)
    assert found.rates == pytest.approx(theory.rates, rel=EXACT)
    assert set(found.errors) == {"h", "y", "w", "loss"}
    np.testing.assert_allclose(found.theory.loss(pair.times), pair.loss, rtol=1e-6)
    assert "1/τh  0.03 ±" in str(found)


@pytest.mark.parametrize("balanced", [False, True])
def test_noisy_curves_are_within_the_stated_uncertainty(balanced):
    scores = []
    for seed in range(20):
        theory, pair = curves(noise=0.02, seed=seed)
        found = fit(pair, start=theory.start[:3], balanced=balanced)
        scores.append([(f - t) / u for f, t, u in zip(found.rates, theory.rates, found.uncertainty, strict=True)])
    # standard scores of 20 fits: their spread is 1 ± 0.16 and their mean 0 ± 0.22 where the uncertainty is right
    assert np.all(np.abs(np.std(scores, axis=0) - 1) < 0.45)
    assert np.all(np.abs(np.mean(scores, axis=0)) < 0.6)


def test_a_free_start_recovers_rates_from_noise_in_the_first_point():
    theory, pair = curves(noise=0.01, seed=3)
    found = fit(pair, start=(0.03, 0.02, 0.02 - 0.1), free_start=True)
    for rate, true, spread in zip(found.rates[:2], theory.rates[:2], found.uncertainty[:2], strict=True):
        assert abs(rate - true) < 4 * spread
        assert spread < 0.2 * true


def test_only_the_elapsed_time_counts():
    theory, pair = curves()
    moved = Pair(pair.times + 50, pair.h, pair.y, pair.w, pair.dx, pair.dy)
    assert fit(moved).rates[:2] == pytest.approx(theory.rates[:2], rel=EXACT)


def test_flat_curves_say_that_nothing_is_known():
    times = np.linspace(0, 10, 20)
    found = fit(Pair(times, np.full(20, 0.5), np.zeros(20), np.zeros(20), dx=1.0, dy=0.0))
    assert found.uncertainty.h == np.inf
    assert found.error == 0


def test_a_diverged_run_is_fitted_up_to_where_it_diverged():
    theory, pair = curves()
    h = pair.h.copy()
    h[200:] = np.inf
    cut = Pair(pair.times, h, pair.y, pair.w, pair.dx, pair.dy)
    assert cut.cut == 100
    assert "100 later ones not finite" in repr(cut)
    assert fit(cut).rates[:2] == pytest.approx(theory.rates[:2], rel=EXACT)


def test_a_pair_is_made_of_distances_and_outputs():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 3)), rng.normal(size=(2, 2))
    outputs = rng.normal(size=(6, 2, 2))
    pair = Pair.from_outputs(np.arange(6), x, y, np.ones(6), outputs)
    moved = outputs[3, 1] - outputs[3, 0]
    assert pair.w[3] == pytest.approx(moved @ (moved - (y[1] - y[0])))
    assert pair.loss[3] == pytest.approx(0.5 * np.mean(np.sum((outputs[3] - y) ** 2, axis=1)))
    assert pair.start.offset == pytest.approx(np.sum((outputs[0].mean(axis=0) - y.mean(axis=0)) ** 2))


def test_curves_that_hardly_change_have_no_rates():
    times = np.linspace(0, 1e-6, 20)
    still = TwoPoint(0.25, 1.0, (0.4, 0.2), (0.01, 0.01, 0.01 - 0.1)).solve(times)
    found = fit(Pair(times, *still, dx=0.25, dy=1.0))
    assert found.error < 1e-3
    assert any("change by" in flag for flag in found.flags)
    assert "not to be trusted" in str(found)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit("curves"), "curves is str; a Pair is needed"),
        (lambda: Pair([0, 1, 2, 3], [1] * 4, [1] * 4, [1] * 4, 0.0, 1.0), "dx is 0: the two points have equal inputs"),
        (lambda: Pair([0, 1, 2, 3], [1] * 3, [1] * 4, [1] * 4, 1.0, 1.0), r"h has shape \(3,\) and times \(4,\)"),
        (
            lambda: Pair([0, 1, 2, 3], [1, 1, np.nan, 1], [1] * 4, [1] * 4, 1.0, 1.0),
            "have 2 finite values at the start",
        ),
        (
            lambda: Pair.from_outputs([0], [[1.0]], [[1.0]], [1.0], [[[1.0]]]),
            r"x has shape \(1, 1\); \(2, …\) is needed",
        ),
        (
            lambda: Pair.from_outputs([0], [[1.0], [2.0]], [[1.0], [2.0]], np.ones(4), np.ones((4, 2, 3))),
            r"outputs has shape \(4, 2, 3\) and y \(2, 1\)",
        ),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()

"""Fits: the maximum, its uncertainty, degenerate animals, populations and models side by side."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import ndtri

import festina as fs
from festina.behaviour import DecisionTask, Fit, Parameter, compare_models, fit, fit_population, read_table
from festina.behaviour._likelihood import Evaluation, Likelihood, answer
from festina.behaviour._model import MODELS, find_model
from festina.behaviour._profile import find_ends
from festina.behaviour._recovery import simulate_animals

pytestmark = pytest.mark.slow

OPTIMISED = 2e-3
"""Coordinates of a maximum that Nelder and Mead's search finds to 1e-9 in the log-likelihood, in standard errors."""
PROFILED = 0.03
"""Ends of profiles, whose search ends at one per cent of the reach, in standard errors."""
TRUE = {"rate": 0.03, "beta": 5.0, "intercept": 0.4}


@cache
def animals(count=4, sessions=4, spread=0.0, model="q-learning"):
    likelihood = Likelihood(MODELS[model], 5)
    at = np.array([float(p.coordinate(TRUE[p.name])) for p in likelihood.parameters])
    moved = spread * np.random.default_rng(1).standard_normal((count, len(at)))
    return simulate_animals(likelihood, at + moved, DecisionTask(), sessions, 240, seed=2)


def columns(contrast, right, reward=None, session=None):
    contrast, right = np.asarray(contrast), np.asarray(right, dtype=bool)
    count = len(contrast)
    return read_table({
        "subject": ["mouse"] * count, "session": np.ones(count, int) if session is None else session,
        "contrast": contrast, "choice": right, "reward": right == (contrast > 0) if reward is None else reward,
    })  # fmt: skip


def value_learner(table, coordinates):
    """Minus the log-likelihood of plain Q-learning, by a loop."""
    rate, beta, intercept = np.exp(coordinates[0]), np.exp(coordinates[1]), coordinates[2]
    Q, total = {}, 0.0
    for c, right, reward in zip(table.contrast.tolist(), table.right.tolist(), table.reward.tolist(), strict=True):
        values = Q.setdefault(c, [0.0, 0.0])
        z = beta * (values[1] - values[0]) + intercept
        total += np.logaddexp(0, -z if right else z)
        values[right] += rate * (reward - values[right])
    return total


def test_the_maximum_and_its_errors_are_those_of_a_plain_search():
    table = animals()
    found = fit(table, "q-learning")["animal 0"]
    own = table.select("animal 0")
    start = found.coordinates + 0.2
    plain = minimize(
        lambda x: value_learner(own, x), start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9}
    )
    errors = np.sqrt(np.diag(found.covariance))
    assert found.log_likelihood == pytest.approx(-plain.fun, abs=1e-6)
    np.testing.assert_allclose((found.coordinates - plain.x) / errors, 0, atol=OPTIMISED)
    step = 0.05 * errors
    hessian = np.empty((3, 3))
    for i, j in np.ndindex(3, 3):
        signs = [(a, b) for a in (1, -1) for b in (1, -1)]
        moves = [(a * b, a * step * np.eye(3)[i] + b * step * np.eye(3)[j]) for a, b in signs]
        hessian[i, j] = sum(s * value_learner(own, found.coordinates + m) for s, m in moves) / (4 * step[i] * step[j])
    np.testing.assert_allclose(found.covariance, np.linalg.inv(hessian), rtol=0.02, atol=0.02 * errors.min() ** 2)


def test_what_a_fit_tells():
    fits = fit(animals(), "q-learning")
    assert [one.subject for one in fits] == [f"animal {n}" for n in range(4)]
    one = fits["animal 1"]
    assert one.trials == 960
    assert one.aic == pytest.approx(6 - 2 * one.log_likelihood)
    assert one.bic == pytest.approx(3 * np.log(960) - 2 * one.log_likelihood)
    wide, narrow = one.intervals(0.99), one.intervals(0.5)
    for name, value in one.estimates.items():
        assert wide[name][0] < narrow[name][0] < value < narrow[name][1] < wide[name][1]
    for one in fits:
        for p, found, error in zip(one.parameters, one.coordinates, one.standard_errors.values(), strict=True):
            assert abs(found - p.coordinate(TRUE[p.name])) < 3.5 * error
    one = fits["animal 1"]
    p, right = one.probabilities, animals().select("animal 1").right
    assert np.sum(np.log(np.where(right, p, 1 - p))) == pytest.approx(one.log_likelihood)
    frame = fits.to_pandas()
    assert len(frame) == 12
    assert {"subject", "parameter", "estimate", "low", "high", "standard_error"} <= set(frame)
    with pytest.raises(ValueError, match="is not a network"):
        _ = one.network


def test_bootstrap_and_hessian_agree():
    table = animals(count=1)
    one = fit(table, "q-learning", bootstrap=48)[0]
    assert one.draws is not None
    ratio = one.draws.std(axis=0, ddof=1) / np.sqrt(np.diag(one.covariance))
    # 48 draws know a deviation to 10 %
    assert np.all((ratio > 0.65) & (ratio < 1.5))
    low, high = one.intervals()["beta"]
    assert low < one.estimates["beta"] < high


def test_replicates_look_like_the_animal():
    table = animals(count=1)
    one = fit(table, "q-learning")[0]
    copies = one.replicate(table, draws=40)
    own = table.select("animal 0")
    spread = copies.reward.mean(axis=1).std()
    assert abs(copies.reward.mean() - own.reward.mean()) < 4 * spread
    assert copies.right.shape == (40, 960)
    again = fit(table, "logistic")[0].replicate(table, draws=5)
    assert abs(again.right.mean() - own.right.mean()) < 0.1


CONTRAST = np.tile([-0.5, -0.25, 0.0, 0.25, 0.5], 12)
DEGENERATE = {
    "always left": (columns(CONTRAST, np.zeros(60)), "chose left on every trial"),
    "never rewarded": (columns(CONTRAST, CONTRAST > 0, np.zeros(60)), "was never rewarded"),
    "perfect": (columns(CONTRAST, CONTRAST > 0), None),
    "two trials": (columns([-0.5, 0.5], [False, True]), None),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("model", ["tutor-executor", "q-learning", "logistic"])
def test_degenerate_animals_give_messages_or_wide_intervals(name, model):
    table, words = DEGENERATE[name]
    one = fit(table, model)[0]
    assert np.isfinite(one.log_likelihood)
    if words is not None:
        assert any(words in message for message in one.messages)
    for parameter, (low, high) in one.intervals().items():
        assert low <= one.estimates[parameter] <= high
    if model == "tutor-executor":
        low, high = one.intervals()["rate"]
        assert high / low > 10


def test_intervals_are_the_ends_of_the_profile_likelihood():
    """The ends by SciPy's constrained search on a loop in plain Python; they are not symmetric."""
    table = animals()
    one = fit(table, "q-learning")["animal 0"]
    own, bound = table.select("animal 0"), -one.log_likelihood + ndtri(0.95) ** 2 / 2
    limit = {"type": "ineq", "fun": lambda x: bound - value_learner(own, x)}
    for k, (name, ends) in enumerate(one.intervals().items()):
        error = one.standard_errors[name]
        for sign, end in zip((1, -1), ends, strict=True):
            start = one.coordinates - sign * error * np.eye(3)[k]
            plain = minimize(lambda x, k=k, sign=sign: sign * x[k], start, method="SLSQP", constraints=limit)
            assert abs(one.parameters[k].coordinate(end) - plain.x[k]) < PROFILED * error


def test_intervals_of_bent_likelihoods_end_where_they_have_to():
    """A ridge b = a² + 2a, a parameter with an upper end at its bound, and one that changes nothing."""

    def evaluate(at):
        a, b, c, _ = at.T
        bend, hinge = b - a**2 - 2 * a, np.minimum(c, 0)
        one, zero = np.ones_like(a), np.zeros_like(a)
        by = [[one, zero, zero, zero], [-10 * a - 10, 5 * one, zero, zero], [zero, zero, 1.0 * (c < 0), zero]]
        by, residual = np.moveaxis(np.array(by), 2, 0), np.stack([a, 5 * bend, hinge], axis=-1)
        value = -0.5 * np.sum(residual**2, axis=1)
        return value, -np.einsum("nr,nri->ni", residual, by), np.einsum("nri,nrj->nij", by, by)

    bounds = np.array([[-9.0], [9.0]]) * np.ones(4)
    search = find_ends(np.zeros(4), 0.0, 2.0, evaluate(np.zeros((1, 4)))[2][0], *bounds)
    ends = answer(search, lambda at: Evaluation(*evaluate(at)))
    # the edge of the set: a and five times the bend on a circle with radius two, on which b is known
    angle = np.linspace(0, 2 * np.pi, 10_001)
    b = 4 * np.cos(angle) ** 2 + 4 * np.cos(angle) + 0.4 * np.sin(angle)
    expected = [[-2, b.min(), -2, -9], [2, b.max(), 9, 9]]
    np.testing.assert_allclose(ends, expected, rtol=0.02)


def test_an_interval_reaches_over_maxima_that_are_nearly_as_high():
    """−8(x² − 1)² + 0.3x: the maximum near 1, and one near −1 that is lower by 0.6."""

    def evaluate(at):
        x = at[:, 0]
        slope = -32 * x * (x**2 - 1) + 0.3
        return -8 * (x**2 - 1) ** 2 + 0.3 * x, slope[:, None], np.full((len(at), 1, 1), 64.0)

    line = np.linspace(-2, 2, 400_001)
    value = evaluate(line[:, None])[0]
    top, fall = value.max(), ndtri(0.95) ** 2 / 2
    inside, x = line[value >= top - fall], line[[value.argmax()]]
    one = Fit(
        "a", "own", (Parameter("x", -9.0, 9.0),), x, np.eye(1) / 64, float(top), 10, evaluate=evaluate,
        peaks=np.array([[-1.2], [1.1]]),
    )  # fmt: skip
    np.testing.assert_allclose(one.intervals()["x"], [inside.min(), inside.max()], atol=0.01)
    alone = replace(one, peaks=None).intervals()["x"]
    np.testing.assert_allclose(alone, [inside[inside > 0].min(), inside.max()], atol=0.01)


def test_a_fitted_network_goes_back_into_the_verb():
    one = fit(columns(CONTRAST, CONTRAST > 0), "tutor-executor")[0]
    run = fs.evolve(one.network, DecisionTask(), [0.0, 0.1], method=fs.Flow(), observe="bias")
    assert np.isfinite(run["bias"]).all()
    assert one.rate == one.estimates["rate"]


@pytest.mark.parametrize(
    "network", [fs.behaviour.TutorExecutor(rule="gradient"), fs.behaviour.Shallow(rule="gradient")]
)
def test_a_fitted_network_keeps_its_rule(network):
    one = fit(columns(CONTRAST, CONTRAST > 0), network, starts=1)[0]
    assert type(one.network) is type(network)
    assert one.network.rule == "gradient"


def test_what_is_refused():
    table = animals()
    with pytest.raises(ValueError, match=r"model 'hebb' is unknown\. Known: drifting, engagement"):
        fit(table, "hebb")
    with pytest.raises(ValueError, match=r"part of a model 'three' is unknown\. Known: history, lapse, lapses"):
        fit(table, find_model("shallow") + "three")
    silent = read_table({"subject": ["a"], "session": [1], "contrast": [0.5], "choice": ["none"], "reward": [0]})
    with pytest.raises(ValueError, match="no trial with a choice of subject 'a'"):
        fit(silent)
    with pytest.raises(ValueError, match="table has 1 subject; a population needs two or more"):
        fit_population(animals(count=1), "q-learning")
    asleep = {name: [*silent.to_pandas()[name], *animals(count=1).to_pandas()[name]] for name in silent.to_pandas()}
    with pytest.raises(ValueError, match="no trial with a choice of subject 'a'"):
        fit_population(read_table(asleep), "q-learning")
    with pytest.raises(ValueError, match="bootstrap is 3 with model='logistic', which has none; use bootstrap=0"):
        fit(table, "logistic", bootstrap=3)
    with pytest.raises(ValueError, match="folds is 1, which holds out every session; use 2 or more"):
        compare_models(table, ["logistic"], folds=1)
    with pytest.raises(ValueError, match=r"level is 2.0; a number between 0 and 1"):
        fit(columns(CONTRAST, CONTRAST > 0), "q-learning")[0].intervals(2.0)


@pytest.mark.parametrize("shown", [(-0.5, 0.5), (0.1, 0.9), (0.2, 0.5, 1.0)])
def test_a_curve_per_session_follows_choices_also_where_contrasts_are_few(shown):
    """With two contrasts the model is free at both: the likelihood is that of two shares, by brute force."""
    contrast = np.tile(shown, 120)[:240]
    right = np.random.default_rng(0).random(240) < np.where(contrast > np.median(shown), 0.9, 0.2)
    rows = {"subject": ["a"] * 240, "session": np.repeat([1, 2], 120), "contrast": contrast, "choice": right}
    table = read_table({**rows, "reward": right == (contrast > 0)})
    one = fit(table, "logistic")[0]
    assert list(one.estimates) == ["intercept 1", "slope 1", "intercept 2", "slope 2"]
    if len(shown) == 2:
        brute = 0.0
        for session in np.split(np.arange(240), 2):
            for level in shown:
                own = right[session][contrast[session] == level]
                # Jeffreys' prior of a share is half a choice on either side
                p = (own.sum() + 0.5) / (len(own) + 1)
                brute += own.sum() * np.log(p) + (~own).sum() * np.log1p(-p)
        assert one.log_likelihood == pytest.approx(brute, rel=1e-9)
    held = compare_models(table, ["logistic"], confusion=0).frame["held_out"].tolist()
    assert -0.55 < held[0] < -0.3


def test_no_choice_is_predicted_from_itself():
    """An animal whose choices are all in one session has nothing else to predict them from."""
    played = np.arange(60) < 40
    rows = {"subject": ["a"] * 60, "session": np.where(played, 1, 2), "contrast": np.tile([-0.5, 0.0, 0.5], 20)}
    table = read_table({**rows, "choice": np.where(played, np.arange(60) % 2, np.nan), "reward": [1] * 60})
    frame = compare_models(table, ["q-learning", "logistic"], confusion=0).frame
    assert np.isnan(frame["held_out"].tolist()).all()
    assert frame["parameters"].tolist() == [3, 3]

"""Recovery: what separates models, which lanes are computed together, and what is refused."""

import numpy as np
import pytest

from festina.behaviour import DecisionTask, Fit, Model, Parameter, recover_models, recover_parameters
from festina.behaviour._likelihood import CHUNK, WIDE, Likelihood, _chunks, stack
from festina.behaviour._model import MODELS
from festina.behaviour._recovery import _separate, draw_coordinates, simulate_animals

ROUNDING = 1e-9
"""Sums over a thousand trials in another order, relative."""


def plain_fit(model, trials, probabilities):
    parameters = MODELS[model].parameters
    count = len(parameters)
    zero, one = np.zeros(count), np.eye(count)
    return Fit("a", model, parameters, zero, one, 0.0, trials, probabilities=probabilities)


def test_the_expected_ratio_and_its_deviation_are_those_of_simulated_choices():
    rng, trials = np.random.default_rng(0), 2000
    logit = rng.normal(size=trials)
    p, q = (1 / (1 + np.exp(-z)) for z in (logit, logit + 0.1 * rng.normal(size=trials)))
    right = rng.random((4000, trials)) < p
    ratio = np.where(right, np.log(p / q), np.log((1 - p) / (1 - q))).sum(axis=1)
    same = plain_fit("tutor-executor", trials, p), plain_fit("tutor-executor-gradient", trials, q)
    # between models of five parameters fits change the expected ratio by 5/2 − 5
    expected = (ratio.mean() - 2.5) / ratio.std()
    assert _separate(p, *same) == pytest.approx(expected, abs=0.1)
    assert ratio.var() == pytest.approx(2 * ratio.mean(), rel=0.1)


def test_a_simpler_rival_is_favoured_by_its_penalty():
    rng = np.random.default_rng(1)
    p, q = rng.uniform(0.2, 0.8, (2, 1000))
    own, larger = plain_fit("tutor-executor", 1000, p), plain_fit("tutor-executor-gradient", 1000, q)
    smaller = plain_fit("shallow", 1000, q)
    divergence = np.sum(p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)))
    difference = (_separate(p, own, larger) - _separate(p, own, smaller)) * np.sqrt(2 * divergence)
    assert difference == pytest.approx(np.log(1000) / 2 - 1)


def test_a_rival_that_excludes_a_choice_is_separated_for_certain():
    p, q = np.full(10, 0.5), np.append(np.full(9, 0.5), 1.0)
    same = plain_fit("tutor-executor", 10, p), plain_fit("tutor-executor-gradient", 10, q)
    assert _separate(p, *same) == np.inf


@pytest.mark.parametrize("count", [1, 8, 9, 64, 65, 200])
@pytest.mark.parametrize("trials", [100, 10_000])
def test_every_lane_is_computed_once_and_in_two_shapes(count, trials):
    chunks = _chunks(count, trials)
    assert {len(chunk) for chunk in chunks} <= {CHUNK, WIDE}
    np.testing.assert_array_equal(np.concatenate(chunks)[:count], np.arange(count))
    assert np.concatenate(chunks).max() == count - 1


def test_wide_and_narrow_chunks_give_the_same_likelihoods(monkeypatch):
    likelihood = Likelihood(MODELS["q-learning"], 5)
    at = draw_coordinates(likelihood.parameters, 30, 0)
    table = simulate_animals(likelihood, at, DecisionTask(), 1, 240, 0)
    trials = stack([table.trials(subject) for subject in table.subjects])
    narrow = likelihood.evaluate(at, trials)
    monkeypatch.setattr("festina.behaviour._likelihood.MUCH", 0)
    for first, second in zip(narrow, likelihood.evaluate(at, trials), strict=True):
        np.testing.assert_allclose(first, second, rtol=ROUNDING, atol=ROUNDING)


def test_longer_records_are_of_the_same_animals():
    names = ["q-learning", "logistic"]
    found = recover_models(names[:1], candidates=names, animals=3, sessions=(1, 2), trials=100, starts=1)
    once = recover_models(names[:1], candidates=names, animals=3, sessions=(2,), trials=100, starts=1)
    assert found["choices"].tolist() == [100] * 3 + [200] * 3
    assert found.tail(3).reset_index(drop=True).equals(once)


class Side(Model):
    """An animal that prefers one side."""

    name = "side"
    parameters = (Parameter("lean", -3.0, 3.0, (1.0, 2.0)),)

    def logit(self, values, state, trial):
        return values["lean"] + 0 * trial.left


def test_models_of_ones_own_and_models_with_parts_are_recovered():
    """One that prefers a side wins on its own animals: it has fewer parameters than what it is part of."""
    rivals = [Side(), "q-learning + history", "logistic"]
    found = recover_models([Side()], candidates=rivals, animals=3, sessions=(2,), trials=100, starts=1)
    assert found["winner"].tolist() == ["side"] * 3
    found = recover_parameters(Side(), animals=3, sessions=2, trials=100, starts=1)
    np.testing.assert_allclose(found["estimate"], found["true"], atol=1.0)
    with pytest.raises(ValueError, match="models has 'logistic', which makes no animals"):
        recover_models(["logistic"], candidates=rivals)


def test_candidates_without_the_true_model_are_refused():
    with pytest.raises(ValueError, match="candidates are shallow; two or more are needed"):
        recover_models(["shallow"], candidates=["shallow"])
    with pytest.raises(ValueError, match=r"among them every one of models \(shallow\)"):
        recover_models(["shallow"], candidates=["drifting", "q-learning"])


def test_levels_are_checked_before_anything_is_fitted(monkeypatch):
    monkeypatch.setattr("festina.behaviour._recovery.simulate_animals", None)
    for level in (0, 1, 90, np.nan):
        with pytest.raises(ValueError, match=r"level is .*; a number"):
            recover_parameters("q-learning", level=level)

"""Does any model describe the animal? Tests of fits, against simulated animals whose model is known."""

from functools import cache

import numpy as np
import pytest

from animals import simulate
from festina.behaviour import Fit, check_fit, fit, read_table
from festina.behaviour._adequacy import Look, _follow, _history, _score_test
from festina.behaviour._model import MODELS

TRIALS = 3000


@cache
def animals(kind, count=2):
    return simulate(kind, count, TRIALS, seed=1)[0]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "model"), [
    ("lapse, win-stay", "psychometric + history"), ("REINFORCE", "reinforce"), ("shallow", "shallow"),
])  # fmt: skip
def test_the_true_model_is_not_rejected(kind, model):
    table = animals(kind)
    for one in fit(table, model, starts=3):
        found = check_fit(one, table, draws=50)
        assert found.adequate, found
        assert found.sentence.startswith(f"{model} describes {one.subject}: no test rejects it")
        assert [test.name for test in found.tests] == ["contrast", "sessions", "history", "predictive"]


@pytest.mark.slow
def test_what_a_model_does_not_know_is_named():
    table = animals("lapse, win-stay")
    found = check_fit(fit(table, "psychometric")[0], table, draws=50)
    assert not found.adequate
    assert "choices depend on the previous rewarded choice (z = " in found.sentence
    table = animals("REINFORCE")
    found = check_fit(fit(table, "psychometric")[0], table, draws=50)
    assert "the curve differs in part" in found.sentence
    assert found.to_pandas()["name"].tolist() == ["contrast", "sessions", "history", "predictive"]


def test_the_score_test_has_the_level_it_says():
    """Choices of a logistic curve that was fitted to them: p-values are uniform, fitting included."""
    rng = np.random.default_rng(0)
    small = []
    for _ in range(300):
        contrast = rng.choice([-0.5, 0.0, 0.5], 400)
        right = rng.random(400) < 1 / (1 + np.exp(-0.3 - 2 * contrast))
        rows = {"subject": ["a"] * 400, "session": [1] * 400, "contrast": contrast, "choice": right.astype(int)}
        table = read_table({**rows, "reward": (right == (contrast > 0)).astype(int)})
        (one,) = fit(table, "logistic")
        x = np.stack([np.ones(400), -np.maximum(-contrast, 0), np.maximum(contrast, 0)], axis=1)
        small.append(_score_test("history", table, one.probabilities, x, *_history(table)).p < 0.1)
    # three standard errors of a share of 0.1 of 300
    assert abs(np.mean(small) - 0.1) < 0.052


def test_choices_of_a_rival_are_followed_and_those_of_the_model_are_not():
    """Two curves of one slope that do not hold each other: at p < 0.05 the true one is rejected as often as it says."""
    rng = np.random.default_rng(2)
    t = np.arange(300) / 300
    small = {True: [], False: []}
    for _ in range(200):
        directions, right = {"early": 1 - t, "late": t}, rng.random(300) < 1 / (1 + np.exp(-1.5 * t))
        rows = {"subject": ["a"] * 300, "session": [1] * 300, "contrast": [0.5] * 300, "choice": 1 * right}
        table = read_table({**rows, "reward": 1 * right})
        looks = {}
        for name, x in directions.items():
            w = 0.0
            for _ in range(8):
                p = 1 / (1 + np.exp(-w * x))
                w += x @ (right - p) / (x**2 @ (p * (1 - p)))
            p = 1 / (1 + np.exp(-w * x))
            fitted = Fit(
                "a", name, (), np.array([w]), np.eye(1), 0.0, 300, probabilities=p, recursion=MODELS["shallow"]
            )
            looks[name] = Look(fitted, w * x, x[:, None])
        for name, rival in (("early", "late"), ("late", "early")):
            found = _follow(table, looks[name], [looks[rival]])
            small[name == "late"].append(found.p < 0.05)
            assert f"follow the predictions of {rival}" in found.words
    # three standard errors of a share of 0.05 of 200
    assert abs(np.mean(small[True]) - 0.05) < 0.046
    assert np.mean(small[False]) > 0.9


def test_features_that_are_fitted_leave_nothing_to_test():
    rng = np.random.default_rng(1)
    contrast = rng.choice([-0.5, 0.0, 0.5], 300)
    right = rng.random(300) < 0.5 + 0.3 * np.sign(contrast)
    rows = {"subject": ["a"] * 300, "session": np.repeat([1, 2, 3], 100), "contrast": contrast, "choice": 1 * right}
    table = read_table({**rows, "reward": 1 * (right == (contrast > 0))})
    found = check_fit(fit(table, "logistic")[0], table, draws=20)
    tests = {test.name: test for test in found.tests}
    assert tests["sessions"].freedom == 0
    assert found.adequate


def test_what_is_refused():
    table = animals("lapse, win-stay")
    rows = {"subject": ["a"] * 4, "session": [1] * 4, "contrast": [-0.5, 0.5] * 2, "choice": [0, 1, 1, 1]}
    small = read_table({**rows, "reward": [1, 1, 0, 1]})
    (one,) = fit(small, "logistic")
    with pytest.raises(ValueError, match="subject 'a' is unknown"):
        check_fit(one, table)
    (other,) = fit(read_table({**rows, "subject": ["b"] * 4, "reward": [1, 1, 0, 1]}), "logistic")
    with pytest.raises(ValueError, match="rivals has a fit of b; the fit is of a: give fits of one animal"):
        check_fit(one, small, rivals=[other], draws=0)

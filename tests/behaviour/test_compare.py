"""Models side by side, verdicts in words, and how often one model is taken for another."""

import numpy as np
import pandas as pd
import pytest

from animals import simulate
from festina.behaviour import Model, Parameter, compare_models, read_table
from festina.behaviour._compare import CONFUSED, judge

CONTRAST = np.tile([-0.5, -0.25, 0.0, 0.25, 0.5], 12)


class Fixed(Model):
    """A curve of one's own: one slope."""

    name = "fixed"
    parameters = (Parameter("slope", -20.0, 20.0), Parameter("bias", -5.0, 5.0))

    def logit(self, values, state, trial):
        return values["bias"] + values["slope"] * (trial.right - trial.left)


@pytest.mark.slow
def test_models_side_by_side():
    table = simulate("lapse, win-stay", 2, 2000)[0]
    found = compare_models(
        table, ["psychometric", "psychometric + history", Fixed(), "logistic"], starts=2, confusion=8
    )
    frame = found.frame
    assert frame["model"].tolist() == ["psychometric", "psychometric + history", "fixed", "logistic"] * 2
    assert frame["best"].tolist() == [False, True, False, False] * 2
    assert frame["describes"].tolist() == [False, True, False, False] * 2
    assert frame["parameters"].tolist()[:4] == [5, 7, 2, 24]
    assert min(frame["held_out"].tolist()) > np.log(0.5)
    for subject, words in found.sentences.items():
        assert words.startswith(f"{subject} is described best by psychometric + history.")
    assert set(found.confusion["rival"]) == {"psychometric", "fixed"}
    assert np.max(found.confusion["mistaken"].to_numpy()) < 0.3


@pytest.mark.slow
def test_stopping_early_where_a_rival_is_far_changes_no_answer(monkeypatch):
    """Near: the same curve without history, which differs by two parameters. Far: a network that learns."""
    table = simulate("lapse, win-stay", 1, 2000)[0]
    models = ["psychometric + history", "psychometric", "shallow"]
    found = compare_models(table, models, starts=2, folds=0, confusion=12).confusion.set_index("rival")
    monkeypatch.setattr("festina.behaviour._compare.FIRST", 12)
    whole = compare_models(table, models, starts=2, folds=0, confusion=12).confusion.set_index("rival")
    assert set(whole["animals"]) == {12}
    assert found["animals"].to_dict() == {"psychometric": 12, "shallow": 7}
    assert found["mistaken"].equals(whole["mistaken"])


def test_verdicts_are_as_sure_as_the_numbers():
    columns = ["subject", "model", "describes", "finding", "bic"]
    rows = [["a", "tutor-executor", True, "", 10.0], ["a", "shallow", False, "the curve differs", 40.0]]

    def verdict(rows, mistaken=None):
        confusion = [] if mistaken is None else [["a", "tutor-executor", "shallow", mistaken, 20]]
        return judge("a", pd.DataFrame(rows, columns=columns), pd.DataFrame(confusion, columns=list(CONFUSED)))

    assert verdict(rows, 0.0).startswith(
        "a is described best by tutor-executor: it learns as a deep network. None of 1"
    )
    assert verdict(rows, 0.35).endswith("shallow is taken for it in 35% of animals like this; depth is not shown.")
    assert verdict(rows).endswith("depth is not shown, since no rivals were simulated.")
    rejected = [[*row[:2], False, "choices depend on the previous choice (z = 20.0)", row[4]] for row in rows]
    assert verdict(rejected).startswith("No model here describes a: choices depend on the previous choice (z = 20.0)")
    # the true model is rejected once in twenty: a larger one that is not must not be claimed then
    other = [["a", "tutor-executor", True, "", 30.0], ["a", "shallow", False, "the curve differs", 20.0]]
    assert "depth is not shown" in verdict(other, 0.0)
    assert "could be fitted" in verdict([["a", "shallow", False, "the fit failed", np.nan]])


def test_what_is_refused():
    right = CONTRAST > 0
    rows = {"subject": ["a"] * 60, "session": [1] * 60, "contrast": CONTRAST, "choice": 1 * right}
    table = read_table({**rows, "reward": 1 * (right == (CONTRAST > 0))})
    with pytest.raises(ValueError, match="models 'hebb' is unknown"):
        compare_models(table, ["hebb"])
    with pytest.raises(ValueError, match="models is empty"):
        compare_models(table, [])
    alone = compare_models(table, ["logistic"], confusion=0).frame
    assert np.isnan(alone["held_out"].tolist()).all()

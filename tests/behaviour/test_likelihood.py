"""The likelihood against a plain loop over trials, and its derivatives against finite differences."""

import math

import numpy as np
import pytest

from festina.behaviour._likelihood import Likelihood, stack
from festina.behaviour._model import MODELS, bounds, draw_starts
from festina.behaviour._table import Trial

CONTRASTS = np.array([-0.5, -0.25, 0.0, 0.25, 0.5])
LOOP = 1e-10
"""Relative difference of two orders of the same sums over some hundred trials."""
DIFFERENCED = 2e-6
"""Relative: central differences with step 1e-5 of log-likelihoods near 100, with rounding of 1e-14."""

CASES = [
    ("tutor-executor", None),
    ("tutor-executor", "two"),
    ("tutor-executor-gradient", None),
    ("shallow", "one"),
    ("drifting", None),
    ("q-learning", None),
]
AT = {
    "tutor-executor": (0.1, 6.0, 0.3, 0.3, 0.4),
    "tutor-executor-gradient": (0.1, 6.0, -0.2, 0.3, 0.4),
    "shallow": (0.1, 6.0, 0.3, 0.4),
    "drifting": (0.05, 0.3, 0.4, 2.0),
    "q-learning": (0.1, 3.0, 0.3),
}
LAPSED = {None: (), "one": (0.1,), "two": (0.05, 0.12)}


def animal(count=150, seed=0):
    """Random choices, with some trials on which none was made."""
    rng = np.random.default_rng(seed)
    c = rng.choice(CONTRASTS, count)
    right = (rng.random(count) < 0.6).astype(float)
    reward = (right == (c + 1e-9 * rng.standard_normal(count) > 0)).astype(float)
    played = (rng.random(count) > 0.05).astype(float)
    level = np.searchsorted(CONTRASTS, c).astype(float)
    return Trial(np.maximum(-c, 0), np.maximum(c, 0), level, right, reward, played, played)


def network_logits(values, trials, *, deep, partial):
    """The learning rule for one trial after another, in plain Python."""
    w = [values["tutor"], values["tutor"], 1.0] if deep else [1.0, 1.0, 1.0]
    W = [[values["executor"], values["executor"], max(s * values["bias"], 0.0)] for s in (-1, 1)]
    found = []
    for left, right, _, chose, reward, played, _ in zip(*trials, strict=True):
        x, ch = (left, right, 1.0), int(chose)
        Q = [[W[a][i] * w[i] * x[i] for i in range(3)] for a in (0, 1)]
        found.append(values["beta"] * (sum(Q[1]) - sum(Q[0])))
        if not played:
            continue
        total, stim = reward - sum(Q[ch]), reward - Q[ch][0] - Q[ch][1]
        errors = (stim, stim, reward - Q[ch][2]) if partial else (total,) * 3
        before = list(w)
        for i in range(3):
            if deep:
                w[i] = max(w[i] + values["rate"] * total * W[ch][i] * x[i], 0.0)
            W[ch][i] = max(W[ch][i] + values["rate"] * errors[i] * before[i] * x[i], 0.0)
    return found


def drifting_logits(values, trials):
    """The same filter with matrices."""
    m, P = np.array([values["intercept"], values["slope"], values["slope"]]), np.zeros((3, 3))
    Q = np.diag([values["drift_bias"], values["drift_slope"], values["drift_slope"]]) ** 2
    found = []
    for left, right, _, ch, _, played, _ in zip(*trials, strict=True):
        x = np.array([1.0, -left, right])
        ahead = P + Q
        variance = x @ ahead @ x
        found.append(m @ x / math.sqrt(1 + math.pi / 8 * variance))
        if played:
            p = 1 / (1 + math.exp(-m @ x))
            # the precision after the trial is the one before plus that of the choice
            P = np.linalg.inv(np.linalg.inv(ahead) + p * (1 - p) * np.outer(x, x))
            m = m + P @ x * (ch - p)
    return found


def table_logits(values, trials):
    Q = np.zeros((5, 2))
    found = []
    for _, _, level, chose, reward, played, _ in zip(*trials, strict=True):
        n, ch = int(level), int(chose)
        found.append(values["beta"] * (Q[n, 1] - Q[n, 0]) + values["intercept"])
        if played:
            Q[n, ch] += values["rate"] * (reward - Q[n, ch])
    return found


def plain(name, lapse, natural, trials):
    """Log-likelihood by a plain loop."""
    names = [p.name for p in Likelihood(MODELS[name], lapse, 5).parameters]
    values = dict(zip(names, natural, strict=True))
    if name == "drifting":
        logits = drifting_logits(values, trials)
    elif name == "q-learning":
        logits = table_logits(values, trials)
    else:
        logits = network_logits(values, trials, deep=name != "shallow", partial=not name.endswith("gradient"))
    low, high = {None: (0, 0), "one": (natural[-1] / 2,) * 2, "two": natural[-2:]}[lapse]
    total = 0.0
    for z, ch, counted in zip(logits, trials.chose_right, trials.counted, strict=True):
        p = high + (1 - low - high) / (1 + math.exp(-z))
        total += counted * math.log(p if ch else 1 - p)
    return total


@pytest.mark.parametrize(("name", "lapse"), CASES)
def test_is_the_plain_loop_and_so_are_its_derivatives(name, lapse):
    likelihood = Likelihood(MODELS[name], lapse, 5)
    natural = (*AT[name], *LAPSED[lapse])
    at = np.array([float(p.coordinate(v)) for p, v in zip(likelihood.parameters, natural, strict=True)])
    one, other = animal(), animal(90, seed=1)
    # held-out trials still teach
    other = other._replace(counted=other.counted * (np.arange(90) % 3 > 0))
    found = likelihood.evaluate(np.stack([at, at]), stack([one, other]))
    for n, trials in enumerate((one, other)):
        assert found.value[n] == pytest.approx(plain(name, lapse, natural, trials), rel=LOOP)

    def value(c):
        return plain(name, lapse, [float(p.value(v)) for p, v in zip(likelihood.parameters, c, strict=True)], one)

    step = 1e-5
    slopes = [(value(at + step * e) - value(at - step * e)) / (2 * step) for e in np.eye(len(at))]
    np.testing.assert_allclose(found.score[0], slopes, rtol=DIFFERENCED, atol=DIFFERENCED * np.max(np.abs(slopes)))
    assert np.all(np.linalg.eigvalsh(found.information[0]) > 0)


def test_information_is_the_variance_of_the_score_over_simulated_animals():
    likelihood = Likelihood(MODELS["q-learning"], None, 5)
    at = np.array([float(p.coordinate(v)) for p, v in zip(likelihood.parameters, AT["q-learning"], strict=True)])
    count = 320
    trials = stack([animal(60)] * count)
    uniform = np.random.default_rng(3).random(trials.left.shape)
    found = likelihood.evaluate(np.tile(at, (count, 1)), likelihood.simulate(np.tile(at, (count, 1)), trials, uniform))
    error = found.score.std(axis=0) / np.sqrt(count)
    assert np.all(np.abs(found.score.mean(axis=0)) < 4 * error)
    expected = found.information.mean(axis=0)
    scale = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(
        np.cov(found.score.T) / np.outer(scale, scale), expected / np.outer(scale, scale), atol=0.25
    )


def test_simulated_choices_follow_their_probabilities():
    likelihood = Likelihood(MODELS["shallow"], "one", 5)
    at = np.array([float(p.coordinate(v)) for p, v in zip(likelihood.parameters, (*AT["shallow"], 0.1), strict=True)])
    trials = stack([animal(400)])
    uniform = np.random.default_rng(4).random(trials.left.shape)
    made = likelihood.simulate(at[None], trials, uniform)
    p = likelihood.probabilities(at[None], made)
    played = made.played > 0
    np.testing.assert_array_equal((uniform < p)[played], made.chose_right[played] > 0)
    side = np.where(trials.reward > 0, trials.chose_right, 1 - trials.chose_right)
    np.testing.assert_array_equal(made.reward[played], (made.chose_right == side)[played])


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_starts_lie_within_bounds(model):
    low, high = bounds(model.parameters)
    starts = draw_starts(model.parameters, 8)
    assert starts.shape == (8, len(low))
    assert np.all((starts >= low) & (starts <= high))
    np.testing.assert_array_equal(starts, draw_starts(model.parameters, 8))

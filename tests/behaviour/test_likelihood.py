"""The likelihood against a plain loop over trials, and its derivatives against finite differences."""

import math
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
import scipy

from festina.behaviour import fit, read_table
from festina.behaviour._likelihood import Evaluation, Likelihood, answer, ascend, stack
from festina.behaviour._model import MODELS, Extended, Model, Parameter, bounds, draw_starts, find_model
from festina.behaviour._table import Trial

CONTRASTS = np.array([-0.5, -0.25, 0.0, 0.25, 0.5])
LOOP = 1e-10
"""Relative difference of two orders of the same sums over some hundred trials."""
DIFFERENCED = 2e-6
"""Relative: central differences with step 1e-5 of log-likelihoods near 100, with rounding of 1e-14."""

AT = {
    "tutor-executor": (0.1, 6.0, 0.3, 0.3, 0.4),
    "tutor-executor-gradient": (0.1, 6.0, -0.2, 0.3, 0.4),
    "shallow": (0.1, 6.0, 0.3, 0.4),
    "rescorla-wagner": (0.1, 0.03, 5.0, 0.2),
    "reinforce": (0.3, 0.4, 0.2, 1.0),
    "q-learning": (0.1, 3.0, 0.3),
    "drifting": (0.05, 0.3, 0.4, 2.0),
    "engagement": (0.3, 3.0, 5.0, -0.5, 0.1, 0.05),
    "psychometric": (0.3, 3.0, 5.0),
}
PARTS = {"history": (0.4, -0.3), "blocks": (0.7,), "lapse": (0.1,), "lapses": (0.05, 0.12)}
CASES = [
    "tutor-executor", "tutor-executor + lapses", "tutor-executor-gradient", "shallow + lapse", "shallow + history",
    "rescorla-wagner", "rescorla-wagner + history", "reinforce", "reinforce + history + lapse", "q-learning",
    "q-learning + history", "drifting", "drifting + history", "engagement", "engagement + history", "psychometric",
    "psychometric + history",
]  # fmt: skip


def animal(count=150, seed=0):
    """Random choices, with some trials on which none was made."""
    rng = np.random.default_rng(seed)
    c = rng.choice(CONTRASTS, count)
    right = (rng.random(count) < 0.6).astype(float)
    reward = (right == (c + 1e-9 * rng.standard_normal(count) > 0)).astype(float)
    played = (rng.random(count) > 0.05).astype(float)
    level = np.searchsorted(CONTRASTS, c).astype(float)
    extra = (np.arange(count) % 40 == 0).astype(float), np.where(np.arange(count) % 60 < 30, 1.4, -1.4), np.zeros(count)
    return Trial(np.maximum(-c, 0), np.maximum(c, 0), level, right, reward, played, played, *extra)


def network_logits(values, trials, _, *, deep=True, partial=True):
    """The learning rule for one trial after another, in plain Python."""
    w = [values["tutor"], values["tutor"], 1.0] if deep else [1.0, 1.0, 1.0]
    W = [[values["executor"], values["executor"], max(s * values["bias"], 0.0)] for s in (-1, 1)]
    found = []
    for left, right, _, chose, reward, played, *_ in zip(*trials, strict=True):
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


def rescorla_logits(values, trials, _):
    W = np.array([[0, 0, -values["bias"] / 2], [0, 0, values["bias"] / 2]])
    found = []
    for left, right, _, chose, reward, played, *_ in zip(*trials, strict=True):
        x = np.array([left, right, 1.0])
        Q = W @ x
        found.append(values["beta"] * (Q[1] - Q[0]))
        error = reward - Q[int(chose)]
        W[int(chose)] += played * values["rate_up" if error > 0 else "rate_down"] * error * x
    return found


def policy_logits(values, trials, offset):
    w = np.array([values["slope"], values["slope"], values["intercept"]])
    found = []
    for added, (left, right, _, chose, reward, played, *_) in zip(offset, zip(*trials, strict=True), strict=True):
        x = np.array([-left, right, 1.0])
        found.append(w @ x)
        p = 1 / (1 + math.exp(-w @ x - added))
        w = w + played * values["rate"] * (reward - values["baseline"]) * (chose - p) * x
    return found


def drifting_logits(values, trials, offset):
    """The same filter with matrices."""
    m, P = np.array([values["intercept"], values["slope"], values["slope"]]), np.zeros((3, 3))
    Q = np.diag([values["drift_bias"], values["drift_slope"], values["drift_slope"]]) ** 2
    found = []
    for added, (left, right, _, ch, _, played, *_) in zip(offset, zip(*trials, strict=True), strict=True):
        x = np.array([1.0, -left, right])
        ahead = P + Q
        variance = x @ ahead @ x
        kappa = 1 / math.sqrt(1 + math.pi / 8 * variance)
        found.append(m @ x * kappa)
        if played:
            p = 1 / (1 + math.exp(-m @ x * kappa - added))
            curvature = kappa**2 * p * (1 - p)
            m = m + ahead @ x * kappa * (ch - p)
            # the precision after the trial is the one before plus that of the choice
            P = np.linalg.inv(np.linalg.inv(ahead) + curvature / (1 - curvature * variance) * np.outer(x, x))
    return found


def test_the_filter_of_a_drifting_curve_is_calibrated():
    """Residuals of animals that drift have the variance that their probabilities say, also along the logit."""
    values, scores = {"drift_bias": 0.02, "drift_slope": 0.1, "intercept": 0.0, "slope": 1.5}, []
    model, step = MODELS["drifting"], np.array([0.02, 0.1, 0.1])
    for seed in range(20):
        rng = np.random.default_rng(seed)
        contrast = rng.choice([-0.5, -0.25, 0.0, 0.25, 0.5], 4000)
        x = np.stack([np.ones(4000), -np.maximum(-contrast, 0), np.maximum(contrast, 0)], axis=1)
        curve = np.array([0.0, 1.5, 1.5]) + np.cumsum(rng.standard_normal((4000, 3)) * step, axis=0)
        right = rng.random(4000) < scipy.special.expit(np.sum(curve * x, axis=1))
        rows = {"subject": ["a"] * 4000, "session": [1] * 4000, "contrast": contrast, "choice": 1 * right}
        table = read_table({**rows, "reward": (right == (contrast > 0)) * 1})
        at = np.array([[float(p.coordinate(values[p.name])) for p in model.parameters]])
        likelihood = Likelihood(model, 5)
        p = likelihood.probabilities(at, stack([table.trials("a")]))[0, :4000]
        logit = scipy.special.logit(p)
        for feature in (logit, x[:, 1], x[:, 2]):
            scores.append(feature @ (right - p) / np.sqrt(feature**2 @ (p * (1 - p))))
    # 60 scores, not quite independent; one Newton step per trial, at the mean, fails
    assert 0.75 < np.sqrt(np.mean(np.square(scores))) < 1.25


def table_logits(values, trials, _):
    Q = np.zeros((5, 2))
    found = []
    for _, _, level, chose, reward, played, *_ in zip(*trials, strict=True):
        n, ch = int(level), int(chose)
        found.append(values["beta"] * (Q[n, 1] - Q[n, 0]) + values["intercept"])
        if played:
            Q[n, ch] += values["rate"] * (reward - Q[n, ch])
    return found


def curve_logits(values, trials, _):
    return values["intercept"] - values["left_slope"] * trials.left + values["right_slope"] * trials.right


def hidden_logits(values, trials, offset):
    """Two states by their joint probability with the choices, which the transition matrix carries on."""
    leave, enter = values["leave"], values["enter"]
    move = np.array([[1 - leave, leave], [enter, 1 - enter]])
    joint = np.array([enter, leave]) / (enter + leave)
    found = []
    rows = zip(curve_logits(values, trials, offset), offset, trials.chose_right, trials.played, strict=True)
    for z, added, chose, played in rows:
        right = 1 / (1 + np.exp(-np.array([z, values["idle"]]) - added))
        p = joint @ right / joint.sum()
        found.append(math.log(p / (1 - p)) - added)
        joint = (joint * (right if chose else 1 - right) if played else joint) @ move
        joint = joint / joint.sum()
    return found


LOOPS = {
    "tutor-executor": network_logits,
    "tutor-executor-gradient": partial(network_logits, partial=False),
    "shallow": partial(network_logits, deep=False),
    "rescorla-wagner": rescorla_logits,
    "reinforce": policy_logits,
    "q-learning": table_logits,
    "drifting": drifting_logits,
    "engagement": hidden_logits,
    "psychometric": curve_logits,
}


def added(values, trials):
    """What choice history and blocks add to the logits."""
    stay = won = 0.0
    found = []
    for chose, reward, played, first, prior in zip(
        trials.chose_right, trials.reward, trials.played, trials.first, trials.prior, strict=True
    ):
        if first:
            stay = won = 0.0
        found.append(values.get("repeat", 0) * stay + values.get("win_stay", 0) * won + values.get("block", 0) * prior)
        if played:
            stay = 2 * chose - 1
            won = stay * (2 * reward - 1)
    return found


def plain(model, natural, trials):
    """Log-likelihood by a plain loop."""
    values = dict(zip([p.name for p in model.parameters], natural, strict=True))
    offset = added(values, trials)
    logits = LOOPS[model.name.split(" + ")[0]](values, trials, offset)
    low, high = values.get("lapse_left", 0), values.get("lapse_right", 0)
    if "lapse" in values:
        low = high = values["lapse"] / 2
    total = 0.0
    for z, more, ch, counted in zip(logits, offset, trials.chose_right, trials.counted, strict=True):
        p = high + (1 - low - high) / (1 + math.exp(-z - more))
        total += counted * math.log(p if ch else 1 - p)
    return total


# blocks add to the logit of any model in the same way: two models are enough
@pytest.mark.parametrize(
    ("name", "blocks"), [*((name, False) for name in CASES), ("shallow + history", True), ("psychometric", True)]
)
def test_is_the_plain_loop_and_so_are_its_derivatives(name, blocks):
    model = find_model(name, blocks=blocks)
    likelihood = Likelihood(model, 5)
    parts = model.parts if isinstance(model, Extended) else ()
    natural = (*AT[name.split(" + ")[0]], *(v for part in parts for v in PARTS[part]))
    at = np.array([float(p.coordinate(v)) for p, v in zip(likelihood.parameters, natural, strict=True)])
    one, other = animal(), animal(90, seed=1)
    # held-out trials still teach
    other = other._replace(counted=other.counted * (np.arange(90) % 3 > 0))
    found = likelihood.evaluate(np.stack([at, at]), stack([one, other]))
    for n, trials in enumerate((one, other)):
        assert found.value[n] == pytest.approx(plain(model, natural, trials), rel=LOOP)

    def value(c):
        return plain(model, [float(p.value(v)) for p, v in zip(likelihood.parameters, c, strict=True)], one)

    step = 1e-5
    slopes = [(value(at + step * e) - value(at - step * e)) / (2 * step) for e in np.eye(len(at))]
    np.testing.assert_allclose(found.score[0], slopes, rtol=DIFFERENCED, atol=DIFFERENCED * np.max(np.abs(slopes)))
    assert np.all(np.linalg.eigvalsh(found.information[0]) > 0)


def test_information_is_the_variance_of_the_score_over_simulated_animals():
    likelihood = Likelihood(MODELS["q-learning"], 5)
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
    likelihood = Likelihood(find_model("shallow + lapse"), 5)
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


def test_the_hidden_states_are_those_of_every_sequence():
    """The likelihood of engagement against the sum over all sequences of states."""
    trials = animal(9)._replace(played=np.ones(9), counted=np.ones(9))
    values = dict(zip((p.name for p in MODELS["engagement"].parameters), AT["engagement"], strict=True))
    leave, enter = values["leave"], values["enter"]
    right = np.stack([curve_logits(values, trials, None), np.full(9, values["idle"])])
    chance = 1 / (1 + np.exp(-np.where(trials.chose_right > 0, right, -right)))
    move, total = np.array([[1 - leave, leave], [enter, 1 - enter]]), 0.0
    for states in np.ndindex(*(2,) * 9):
        p = [enter, leave][states[0]] / (enter + leave)
        for before, now in pairwise(states):
            p *= move[before, now]
        total += p * np.prod(chance[list(states), np.arange(9)])
    likelihood = Likelihood(MODELS["engagement"], 5)
    at = np.array([float(p.coordinate(v)) for p, v in zip(likelihood.parameters, AT["engagement"], strict=True)])
    assert likelihood.evaluate(at[None], stack([trials])).value[0] == pytest.approx(math.log(total), rel=LOOP)


def test_a_search_that_overflows_is_given_up():
    """One lane without a finite likelihood does not stop the others."""

    def evaluate(at, lanes):
        bad = (lanes == 0) | (at[:, 0] > 2)
        value = np.where(bad, np.nan, -((at[:, 0] - 1) ** 2))
        return Evaluation(value, np.where(bad, np.inf, -2 * (at[:, 0] - 1))[:, None], np.full((len(at), 1, 1), 2.0))

    found = answer(ascend(np.array([[0.0], [0.5]]), np.array([-5.0]), np.array([5.0])), lambda asked: evaluate(*asked))
    assert found.converged.tolist() == [False, True]
    assert found.found.value[0] == -np.inf
    assert found.coordinates[1, 0] == pytest.approx(1.0, abs=1e-3)


def test_parts_and_parameters_are_checked():
    with pytest.raises(ValueError, match="model 'psychometric' has lapses already; leave out 'lapse'"):
        find_model("psychometric + lapse")
    with pytest.raises(ValueError, match="part of a model 'fun' is unknown"):
        find_model("shallow + fun")
    assert (find_model("shallow") + "lapse" + "history").name == find_model("shallow + history + lapse").name
    with pytest.raises(ValueError, match="rate has low 2 and high 1; low < high is needed"):
        Parameter("rate", 2.0, 1.0)
    with pytest.raises(ValueError, match="0 < low < high"):
        Parameter("rate", 0.0, 1.0, scale="log")
    with pytest.raises(TypeError, match="Empty gives no P"):
        type("Empty", (Model,), {})
    assert Parameter("rate", 1e-4, 1.0, scale="log").typical == pytest.approx((1e-3, 0.1))


def short(shown, right, reward):
    """An animal of a few trials; letters are contrasts."""
    contrast = [{"a": -0.5, "b": -0.25, "c": 0.25, "d": 0.5}[letter] for letter in shown]
    count, right, reward = len(shown), [int(bit) for bit in right], [int(bit) for bit in reward]
    rows = {"subject": ["a"] * count, "session": [1] * count, "contrast": contrast, "choice": right, "reward": reward}
    return read_table(rows)


def test_a_step_that_a_bound_cuts_short_is_no_maximum():
    # the first step of one start promised a loss, and the search ended there, 7.5 nats below what a plain search finds
    table = short(
        "babccadcdacbbcbaddddabbcdabaadbbcdbdaabc", "0011100111100101101100011000010011010001",
        "1101110110111110101111111111111111111111",
    )  # fmt: skip
    assert fit(table, "shallow")[0].log_likelihood > -19.95


FAR = {
    "q-learning": ("bbbbbbbdcdabdbcdcdaccbcdcbaabdbdbccdcddc", "0101010101010101010101010101010101010101",
                   "0011010110001110100100011111111001010111", (0.22, 200.0, -7.81, 0.6)),
    "shallow": ("addadbcbdaabbaddccdbadabacdcdbaaadadaaba", "0110101110000010111101000111000001010000",
                "1111111011111110111011111111011111111111", (0.2434, 200.0, 0.2824, 0.0, 0.25)),
}  # fmt: skip
"""Short records whose highest maximum is far from the typical ranges, and a point near it."""


@pytest.mark.parametrize("model", list(FAR))
def test_the_highest_maximum_of_a_short_record_is_found_far_from_the_typical_ranges(model):
    *record, point = FAR[model]
    table, extended = short(*record), find_model(f"{model} + lapse")
    known = plain(extended, point, table.trials("a"))
    assert fit(table, extended)[0].log_likelihood > known

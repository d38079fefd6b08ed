"""Fits of choices against brute force: the same likelihood by a plain loop, and a search that knows no derivatives."""

import numpy as np
import scipy
from draw import Case
from dynamics import HELD, refused

import festina as fs

ANIMALS, TRIALS = 20, 40
"""Of every case: one shape, so that the likelihood is compiled once."""

CONTRASTS = np.array([-0.5, -0.25, 0.25, 0.5])

SAME = 1e-8
"""Relative difference of log-likelihoods from two orders of summation."""

BETTER = 0.5
"""Nats by which a search may find more than the fit: what one standard error costs. Likelihoods of 40 choices have many
maxima that differ by less."""

SEARCHED, ROUNDS = 64, 14
"""Points of a round of the search, and rounds, each with half the spread of the one before."""


def draw_choices(rng: np.random.Generator) -> Case:
    """Choices of animals that learn, guess, persevere or are rewarded at random."""
    shape = (ANIMALS, TRIALS)
    cue = rng.integers(len(CONTRASTS), size=shape)
    stronger, kind = CONTRASTS[cue] > 0, rng.integers(4, size=(ANIMALS, 1))
    bias = np.select([kind == 0, kind == 1, kind == 2], [np.where(stronger, 0.9, 0.1), 0.5, 0.1], np.arange(TRIALS) % 2)
    right = rng.random(shape) < bias
    reward = np.where(rng.random((ANIMALS, 1)) < 0.75, right == stronger, rng.random(shape) < 0.5)
    return {
        "cue": cue, "right": right, "reward": reward, "model": str(rng.choice(["q-learning", "shallow"])),
        "lapse": bool(rng.integers(2)), "seed": int(rng.integers(1000)),
    }  # fmt: skip


def log_likelihood(case: Case, values: dict[str, np.ndarray]) -> np.ndarray:
    """One trial after another, for values (animals, points)."""
    shape = values["beta"].shape
    animals, points = np.arange(shape[0])[:, None], np.arange(shape[1])
    q, bias = np.zeros((len(CONTRASTS), 2, *shape)), values.get("bias", 0.0)
    w = np.zeros((2, 3, *shape))
    for action, side in enumerate((-1, 1)):
        w[action, :2], w[action, 2] = values.get("executor", 0.0), np.maximum(side * bias, 0.0)
    total, lapse = np.zeros(shape), values.get("lapse", 0.0)
    for cue, chose, reward in zip(case["cue"].T, case["right"].T, case["reward"].T, strict=True):
        c, ch, r = CONTRASTS[cue][:, None], chose.astype(int)[:, None], reward.astype(float)[:, None]
        if case["model"] == "q-learning":
            z = values["beta"] * (q[cue[:, None], 1, animals, points] - q[cue[:, None], 0, animals, points])
            z = z + values["intercept"]
            own = (cue[:, None], ch, animals, points)
            q[own] += values["rate"] * (r - q[own])
        else:
            x = [np.maximum(-c, 0.0), np.maximum(c, 0.0), 1.0]
            value = [[w[a, i] * x[i] for i in range(3)] for a in (0, 1)]
            z = values["beta"] * (sum(value[1]) - sum(value[0]))
            own = [np.where(ch, value[1][i], value[0][i]) for i in range(3)]
            stimulus = r - own[0] - own[1]
            for i, error in enumerate((stimulus, stimulus, r - own[2])):
                changed = np.maximum(w[ch, i, animals, points] + values["rate"] * error * x[i], 0.0)
                w[ch, i, animals, points] = changed
        p = lapse / 2 + (1 - lapse) * scipy.special.expit(z)
        with np.errstate(divide="ignore"):
            total += np.log(np.where(ch, p, 1 - p))
    return total


def check_choices(case: Case) -> str:
    """The likelihood of a fit is that of its estimates, and nothing that a search finds within the bounds is better."""
    count, each = case["cue"].size, np.repeat(np.arange(len(case["cue"])), TRIALS)
    columns = {name: case[name].ravel().astype(int) for name in ("right", "reward")}
    rows = {"subject": each.astype(str), "session": np.ones(count, int), "contrast": CONTRASTS[case["cue"]].ravel()}
    table = fs.behaviour.read_table({**rows, "choice": columns["right"], "reward": columns["reward"]})
    try:
        fits = fs.behaviour.fit(table, case["model"] + " + lapse" * case["lapse"])
    except ValueError as error:
        return refused(error)
    fits = [fits[str(k)] for k in range(len(case["cue"]))]
    parameters, found = fits[0].parameters, np.array([fit.log_likelihood for fit in fits])
    names = [p.name for p in parameters]
    plain = log_likelihood(case, {n: np.array([[fit.estimates[n]] for fit in fits]) for n in names})[:, 0]
    off = np.abs(plain - found) / np.maximum(np.abs(plain), 1.0)
    assert np.all(off <= SAME), f"{found[off.argmax()]} is not {plain[off.argmax()]} (animal {off.argmax()})"
    low, high = (np.array([float(p.coordinate(getattr(p, end))) for p in parameters]) for end in ("low", "high"))
    rng = np.random.default_rng(case["seed"])
    at, spread = (low + high) / 2 * np.ones((len(fits), 1, 1)), (high - low) / 2
    best = np.full(len(fits), -np.inf)
    for k in range(ROUNDS):
        # the first rounds look everywhere, the others about the best so far
        drawn = rng.uniform(-1, 1, (len(fits), SEARCHED, len(low))) * (spread if k < 4 else spread / 2 ** (k - 4))
        points = np.clip((low + high) / 2 + drawn if k < 4 else at + drawn, low, high)
        values = {p.name: p.value(points[..., i]) for i, p in enumerate(parameters)}
        reached = np.nan_to_num(log_likelihood(case, values), nan=-np.inf)
        pick = reached.argmax(axis=1)[:, None]
        better = np.take_along_axis(reached, pick, 1)[:, 0] > best
        best = np.maximum(best, reached.max(axis=1))
        at = np.where(better[:, None, None], np.take_along_axis(points, pick[..., None], 1), at)
    more = best - found
    assert np.all(more <= BETTER), f"a search finds {best[more.argmax()]}, the fit {found[more.argmax()]}"
    return HELD

"""Fits of choices against brute force: the same likelihood by a plain loop, and a search that knows no derivatives."""

import numpy as np
import scipy
from draw import Case
from dynamics import HELD, refused

import festina as fs

TRIALS = 40
"""Of every drawn animal: one length, so that the likelihood is compiled once."""

CONTRASTS = np.array([-0.5, -0.25, 0.25, 0.5])

SAME = 1e-8
"""Relative difference of log-likelihoods from two orders of summation."""

BETTER = 0.5
"""Nats by which a search may find more than the fit: what one standard error costs. Likelihoods of 40 choices have many
maxima that differ by less."""


def draw_choices(rng: np.random.Generator) -> Case:
    """Choices of an animal that learns, guesses, perseveres or is rewarded at random."""
    contrast = rng.choice(CONTRASTS, TRIALS)
    kind = str(rng.choice(["learns", "guesses", "left", "alternates"]))
    bias = {"learns": np.where(contrast > 0, 0.9, 0.1), "guesses": np.full(TRIALS, 0.5), "left": np.full(TRIALS, 0.1)}
    right = rng.random(TRIALS) < bias.get(kind, np.arange(TRIALS) % 2)
    reward = right == (contrast > 0) if rng.integers(4) else rng.random(TRIALS) < 0.5
    return {
        "contrast": contrast, "right": right, "reward": reward, "model": str(rng.choice(["q-learning", "shallow"])),
        "lapse": bool(rng.integers(2)), "seed": int(rng.integers(1000)),
    }  # fmt: skip


def log_likelihood(case: Case, values: dict[str, float]) -> float:
    """One trial after another, in plain Python."""
    q = {c: [0.0, 0.0] for c in CONTRASTS.tolist()}
    bias = values.get("bias", 0.0)
    w = [[values.get("executor", 0.0)] * 2 + [max(side * bias, 0.0)] for side in (-1, 1)]
    total = 0.0
    for c, chose, reward in zip(case["contrast"].tolist(), case["right"], case["reward"], strict=True):
        x, ch = (max(-c, 0.0), max(c, 0.0), 1.0), int(chose)
        if case["model"] == "q-learning":
            z = values["beta"] * (q[c][1] - q[c][0]) + values["intercept"]
            q[c][ch] += values["rate"] * (float(reward) - q[c][ch])
        else:
            value = [[w[a][i] * x[i] for i in range(3)] for a in (0, 1)]
            z = values["beta"] * (sum(value[1]) - sum(value[0]))
            stimulus = float(reward) - value[ch][0] - value[ch][1]
            for i, error in enumerate((stimulus, stimulus, float(reward) - value[ch][2])):
                w[ch][i] = max(w[ch][i] + values["rate"] * error * x[i], 0.0)
        p = scipy.special.expit(z)
        lapse = values.get("lapse", 0.0)
        p = lapse / 2 + (1 - lapse) * p
        total += float(np.log(p if chose else 1 - p))
    return total


def check_choices(case: Case) -> str:
    """The fit's likelihood is that of its estimates, and nothing that a search finds within the bounds is better."""
    rows = {"subject": ["a"] * TRIALS, "session": [1] * TRIALS, "contrast": case["contrast"]}
    table = fs.behaviour.read_table({**rows, "choice": case["right"].astype(int), "reward": case["reward"].astype(int)})
    try:
        (found,) = fs.behaviour.fit(table, case["model"], lapse="one" if case["lapse"] else None)
    except ValueError as error:
        return refused(error)
    parameters = found.parameters
    plain = log_likelihood(case, found.estimates)
    assert abs(plain - found.log_likelihood) <= SAME * max(abs(plain), 1.0), f"{found.log_likelihood} is not {plain}"
    rng = np.random.default_rng(case["seed"])
    ranges = [(float(p.coordinate(p.low)), float(p.coordinate(p.high))) for p in parameters]

    def worse(at: np.ndarray) -> float:
        inside = zip(parameters, np.clip(at, *np.transpose(ranges)), strict=True)
        return -log_likelihood(case, {p.name: float(p.value(c)) for p, c in inside})

    drawn = min((np.array([rng.uniform(*r) for r in ranges]) for _ in range(60)), key=worse)
    best = -min(worse(drawn), scipy.optimize.minimize(worse, drawn, method="Nelder-Mead", options={"maxfev": 150}).fun)
    assert best <= found.log_likelihood + BETTER, f"a search finds {best}, the fit {found.log_likelihood}"
    return HELD

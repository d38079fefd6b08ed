"""Animals of six kinds, simulated by code that shares nothing with the library, and what fits make of them.

``python benchmarks/animals.py OUT.json`` fits all models to 20 animals of every kind with 8,000 trials each. It prints
how often the absolute check rejects each model, how often intervals of 90 % hold the true parameters of 60 animals,
alone and in three populations of 20, and how often depth is claimed. Every part takes a few minutes and is written when
it is done; a second run goes on where the first ended. A word after the file, such as ``covered`` or ``deep: judged``,
leaves out the parts without it.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

CONTRASTS, SHOWN = np.array([-0.5, -0.25, 0.0, 0.25, 0.5]), np.array([0.3, 0.15, 0.1, 0.15, 0.3])
SESSION = 250


def stimuli(rng, trials):
    """Signed contrasts and the rewarded side (1 right) of trials."""
    contrast = rng.choice(CONTRASTS, trials, p=SHOWN)
    return contrast, np.where(contrast == 0, rng.random(trials) < 0.5, contrast > 0).astype(int)


def play(rng, trials, decide, learn):
    """Choices and rewards of an animal: ``decide(x)`` gives P(right), ``learn(x, choice, reward)`` changes it."""
    contrast, side = stimuli(rng, trials)
    choice, reward = np.empty(trials, int), np.empty(trials, int)
    for t, c in enumerate(contrast.tolist()):
        x = np.array([max(-c, 0.0), max(c, 0.0), 1.0])
        choice[t] = rng.random() < decide(x)
        reward[t] = choice[t] == side[t]
        learn(x, choice[t], reward[t])
    return contrast, choice, reward


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def network(rng, trials, true, *, depth, partial):
    """The tutor-executor network and its control without depth."""
    w = np.array([true["tutor"], true["tutor"], 1.0]) if depth else np.ones(3)
    W = np.full((2, 3), true["executor"])
    W[:, 2] = max(-true["bias"], 0.0), max(true["bias"], 0.0)

    def learn(x, a, r):
        part = W[a] * w * x
        total = r - part.sum()
        errors = np.array([r - part[0] - part[1]] * 2 + [r - part[2]]) if partial else np.full(3, total)
        dW, dw = true["rate"] * errors * w * x, true["rate"] * total * W[a] * x
        W[a] = np.maximum(W[a] + dW, 0)
        if depth:
            w[:] = np.maximum(w + dw, 0)

    return play(rng, trials, lambda x: sigmoid(true["beta"] * ((W[1] - W[0]) * w @ x)), learn)


def policy(rng, trials, true):
    """A logistic policy that follows the gradient of reward."""
    w = np.array([-true["slope"], true["slope"], true["intercept"]])

    def learn(x, a, r):
        w[:] += true["rate"] * (r - true["baseline"]) * (a - sigmoid(w @ x)) * x

    return play(rng, trials, lambda x: sigmoid(w @ x), learn)


def drift(rng, trials, true):
    """A psychometric curve that performs a random walk."""
    w, step = (
        np.array([-true["slope"], true["slope"], true["intercept"]]),
        [true["drift_slope"]] * 2 + [true["drift_bias"]],
    )

    def decide(x):
        w[:] += rng.standard_normal(3) * step
        return sigmoid(w @ x)

    return play(rng, trials, decide, lambda x, a, r: None)


def habit(rng, trials, true):
    """A fixed curve with lapses whose rewarded choices are repeated."""
    last, count = [0.0, 0.0], [0]
    low, high = true["lapse_left"], true["lapse_right"]

    def decide(x):
        if count[0] % SESSION == 0:
            last[:] = 0.0, 0.0
        count[0] += 1
        z = true["intercept"] - true["left_slope"] * x[0] + true["right_slope"] * x[1]
        return high + (1 - low - high) * sigmoid(z + true["repeat"] * last[0] + true["win_stay"] * last[1])

    def learn(x, a, r):
        last[:] = 2 * a - 1, (2 * a - 1) * (2 * r - 1)

    return play(rng, trials, decide, learn)


BRAIN = {"rate": (0.004, 0.012), "beta": (6.0, 12.0), "bias": (-0.2, 0.2), "executor": (0.1, 0.3)}
KINDS = {
    "deep": ("tutor-executor", {**BRAIN, "tutor": (0.05, 0.2)}, lambda *a: network(*a, depth=True, partial=True)),
    "deep, gradient": (
        "tutor-executor-gradient", {**BRAIN, "tutor": (0.05, 0.2)}, lambda *a: network(*a, depth=True, partial=False),
    ),
    "shallow": (
        "shallow", {**BRAIN, "rate": (0.001, 0.006), "executor": (0.02, 0.2)},
        lambda *a: network(*a, depth=False, partial=True),
    ),
    "REINFORCE": (
        "reinforce",
        {"rate": (0.03, 0.2), "baseline": (0.05, 0.4), "intercept": (-0.5, 0.5), "slope": (0.1, 1.0)}, policy,
    ),
    "drifting": (
        "drifting",
        {"drift_bias": (0.01, 0.03), "drift_slope": (0.03, 0.1), "intercept": (-0.5, 0.5), "slope": (0.5, 2.0)}, drift,
    ),
    "lapse, win-stay": (
        "psychometric + history",
        {
            "intercept": (-0.3, 0.3), "left_slope": (3.0, 7.0), "right_slope": (3.0, 7.0), "repeat": (0.1, 0.4),
            "win_stay": (0.2, 0.5), "lapse_left": (0.02, 0.1), "lapse_right": (0.02, 0.1),
        },
        habit,
    ),
}  # fmt: skip
"""By kind: its model, ranges of its parameters (uniform; of logarithms for rates, drifts and β), and its simulation."""

MODELS = tuple(dict.fromkeys([model for model, _, _ in KINDS.values()] + ["rescorla-wagner", "psychometric"]))
DEEP = ("tutor-executor", "tutor-executor-gradient")
DEEP_KINDS, FEW = ("deep", "deep, gradient"), 3
"""Kinds of which depth is true, and the number of their animals whose rivals are simulated."""
POPULATIONS, STUDIES, PIECE = 3, 200, 40
"""Populations of which intervals are counted, studies of two groups, and how many of these are one part."""
LOGARITHMIC = ("rate", "beta", "drift_bias", "drift_slope")


def simulate(kind, count, trials, seed=0, first=0):
    """A table of animals of a kind, from the number ``first``, and the true parameters of each by subject."""
    import festina as fs

    _, ranges, make = KINDS[kind]
    columns = {name: [] for name in ("subject", "session", "contrast", "choice", "reward")}
    true = {}
    for n in range(first, first + count):
        rng = np.random.default_rng([seed, n, list(KINDS).index(kind)])
        drawn = {}
        for name, (low, high) in ranges.items():
            u = rng.random()
            drawn[name] = low * (high / low) ** u if name in LOGARITHMIC else low + u * (high - low)
        contrast, choice, reward = make(rng, trials, drawn)
        subject = f"{kind} {n}"
        true[subject] = drawn
        columns["subject"] += [subject] * trials
        columns["session"] += (np.arange(trials) // SESSION + 1).tolist()
        for name, values in (("contrast", contrast), ("choice", choice), ("reward", reward)):
            columns[name] += values.tolist()
    return fs.behaviour.read_table(columns), true


def compare(kind, count, trials):
    """How often each model is rejected on animals of one kind, which is the best, and which animals seem deep."""
    import festina as fs

    table, _ = simulate(kind, count, trials)
    compared = fs.behaviour.compare_models(table, MODELS, folds=0, starts=4, confusion=0)
    frame: Any = compared.frame
    best = frame[frame["best"]]
    return {
        "rejected": {name: float(np.mean(~frame[frame["model"] == name]["describes"])) for name in MODELS},
        "best": best["model"].value_counts().to_dict(),
        # only where a deep model is the best can depth be claimed
        "seem deep": best[best["model"].isin(DEEP)]["subject"].tolist(),
    }  # fmt: skip


def cover(kind, first, count, trials):
    """In how many animals intervals of 90 % of the true model hold the true parameters, alone and in one population."""
    import festina as fs

    table, true = simulate(kind, count, trials, first=first)
    model, ranges, _ = KINDS[kind]
    ways = {
        "alone": fs.behaviour.fit(table, model, starts=4),
        "pooled": fs.behaviour.fit_population(table, model, starts=4).animals,
    }
    held = {}
    for way, fits in ways.items():
        ends = [(true[one.subject], one.intervals(0.9)) for one in fits]
        held[way] = {name: sum(e[name][0] <= t[name] <= e[name][1] for t, e in ends) for name in ranges}
    return held


def judge(kind, count, trials, subjects, confusion):
    """What is said of animals that seem deep, after their rivals have been simulated."""
    import festina as fs

    table, _ = simulate(kind, count, trials)
    said = []
    for subject in subjects if kind not in DEEP_KINDS else subjects[:FEW]:
        alone = fs.behaviour.compare_models(table.select(subject), MODELS, folds=0, starts=4, confusion=confusion)
        said.append(alone.sentences[subject])
    return {"asked": len(said), "said deep": sum("deep network" in words for words in said), "sentences": said}


def group(count, first, animals=10, trials=300):
    """How often groups that do not differ are found to differ (p ≤ 0.05), by parameter: whole studies, simulated."""
    import festina as fs

    truth, found = fs.behaviour.find_model("q-learning"), []
    for study in range(first, first + count):
        rng = np.random.default_rng([7, study])
        columns = {name: [] for name in ("subject", "session", "contrast", "choice", "reward")}
        for n in range(animals):
            rate, beta, lean = 0.03 * np.exp(0.5 * rng.normal()), 4 * np.exp(0.3 * rng.normal()), 0.4 * rng.normal()
            value = np.zeros((2, len(CONTRASTS)))

            def decide(x, value=value, beta=beta, lean=lean):
                k = int(np.searchsorted(CONTRASTS, x[1] - x[0]))
                return sigmoid(beta * (value[1, k] - value[0, k]) + lean)

            def learn(x, a, r, value=value, rate=rate):
                k = int(np.searchsorted(CONTRASTS, x[1] - x[0]))
                value[a, k] += rate * (r - value[a, k])

            contrast, choice, reward = play(rng, trials, decide, learn)
            columns["subject"] += [f"{n}"] * trials
            columns["session"] += [1] * trials
            for name, values in (("contrast", contrast), ("choice", choice), ("reward", reward)):
                columns[name] += values.tolist()
        groups = {f"{n}": "ab"[n % 2] for n in range(animals)}
        pooled = fs.behaviour.fit_population(fs.behaviour.read_table(columns), truth, groups=groups, starts=2)
        found.append(pooled.compare_groups().set_index("parameter")["p"])
    return {name: sum(bool(p[name] <= 0.05) for p in found) for name in found[0].index}


def main(path, only="", count=20, trials=8000, confusion=20):
    """Measure all that the file does not hold yet, and write each part as it comes."""
    out = Path(path)
    found = json.loads(out.read_text()) if out.exists() else {}

    def keep(kind, part, work, *settings):
        if only and only not in f"{kind}: {part}":
            return
        if part not in found.setdefault(kind, {}):
            began = time.process_time()
            made = work(kind, *settings)
            found[kind][part] = {**made, "settings": settings, "processor seconds": time.process_time() - began}
            out.write_text(json.dumps(found, indent=1))
        print(kind, part, json.dumps({k: v for k, v in found[kind][part].items() if k != "sentences"}), flush=True)

    for kind in KINDS:
        keep(kind, "compared", compare, count, trials)
    for kind in KINDS:
        for n in range(POPULATIONS):
            keep(kind, f"covered {n}", cover, n * count, count, trials)
    for first in range(0, STUDIES, PIECE):
        keep("groups", f"false positives {first}", lambda kind, *settings: group(*settings), PIECE, first)
    # kinds without depth first: only they can be called deep falsely
    for kind in sorted(KINDS, key=lambda kind: kind in DEEP_KINDS):
        if "compared" in found.get(kind, {}):
            keep(kind, "judged", judge, count, trials, found[kind]["compared"]["seem deep"], confusion)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")

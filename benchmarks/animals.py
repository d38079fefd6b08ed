"""Animals of six kinds, simulated by code that shares nothing with the library, and what fits make of them.

``python benchmarks/animals.py OUT.json`` fits all models to 20 animals of every kind with 8,000 trials each. It prints
how often the absolute check rejects each model, how often depth is claimed, and how often groups without a difference
differ. Intervals of 90 % are counted for 200 animals of every kind, alone and in populations of 10. Every part takes
about a minute and is written when it is done; a second run goes on where the first ended. A second word, such as
``covered`` or ``deep: compared``, leaves out the parts without it. A third is the number of processes, one per core.
"""

import json
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
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
FEW = 3
"""Animals of a kind that is deep of which rivals are simulated; of other kinds all that seem deep."""
TRIALS, ANIMALS, PIECE = 8000, 20, 5
"""Trials of an animal, animals of a kind to which all models are fitted, and how many of these are one part."""
POPULATIONS, SIZE, SOON = 20, 10, 6
"""Populations of a kind of which intervals are counted, the animals in each, and how many come before comparisons."""
STUDIES, BATCH, CONFUSION = 200, 20, 20
"""Studies of two groups, how many of these are one part, and animals that are simulated from every rival."""
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


def compare(kind, first):
    """How often each model is rejected on animals of one kind, which is the best, and which are called deep."""
    import festina as fs

    table, _ = simulate(kind, PIECE, TRIALS, first=first)
    compared = fs.behaviour.compare_models(table, MODELS, folds=0, starts=4, confusion=0)
    frame: Any = compared.frame
    best = frame[frame["best"]]
    # depth can be claimed only where a deep model is the best, and only after rivals were simulated
    seem = best[best["model"].isin(DEEP)]["subject"].tolist()
    asked = seem if KINDS[kind][0] not in DEEP else seem[: max(0, FEW - first)]
    said = []
    for subject in asked:
        alone = fs.behaviour.compare_models(table.select(subject), MODELS, folds=0, starts=4, confusion=CONFUSION)
        said.append(alone.sentences[subject])
    return {
        "animals": PIECE,
        "rejected": {name: int(np.sum(~frame[frame["model"] == name]["describes"])) for name in MODELS},
        "best": best["model"].value_counts().to_dict(),
        "seem deep": len(seem), "asked": len(said), "said deep": sum("deep network" in words for words in said),
        "sentences": said,
        "findings": frame[~frame["describes"] & (frame["model"] == KINDS[kind][0])]["finding"].tolist(),
    }  # fmt: skip


def cover(kind, first):
    """In how many animals intervals of 90 % of the true model hold the true parameters, alone and in one population,
    and whether those of its mean and spread hold the ones from which animals were drawn.
    """
    import festina as fs

    table, true = simulate(kind, SIZE, TRIALS, first=first)
    model, ranges, _ = KINDS[kind]
    pooled = fs.behaviour.fit_population(table, model, starts=4)
    held: dict[str, Any] = {"animals": SIZE}
    for way, fits in (("alone", fs.behaviour.fit(table, model, starts=4)), ("pooled", pooled.animals)):
        ends = [(true[one.subject], one.intervals(0.9)) for one in fits]
        held[way] = {name: sum(e[name][0] <= t[name] <= e[name][1] for t, e in ends) for name in ranges}
        held[f"{way}, ends"] = [[[*e[name], t[name]] for name in ranges] for t, e in ends]
    rows = pooled.to_pandas().set_index("parameter")
    for name, span in ranges.items():
        ends, row = np.log(span) if name in LOGARITHMIC else np.array(span), rows.loc[name]
        middle, wide = ends.mean(), (ends[1] - ends[0]) / np.sqrt(12)
        typical = np.exp(middle) if name in LOGARITHMIC else middle
        held.setdefault("mean", {})[name] = int(row["low"] <= typical <= row["high"])
        held.setdefault("spread", {})[name] = int(row["spread_low"] <= wide <= row["spread_high"])
    return held


def group(first, animals=10, trials=300):
    """How often groups that do not differ are found to differ (p ≤ 0.05), by parameter: whole studies, simulated."""
    import festina as fs

    truth, found = fs.behaviour.find_model("q-learning"), []
    for study in range(first, first + BATCH):
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
    return {"studies": BATCH, "p ≤ .05": {name: sum(bool(p[name] <= 0.05) for p in found) for name in found[0].index}}


def parts():
    """All parts by name: what is measured, and where its animals or studies begin. What is asked first comes first."""
    covered = [[(f"{kind}: covered {n}", cover, (kind, n * SIZE)) for kind in KINDS] for n in range(POPULATIONS)]
    compared = [[(f"{kind}: compared {n}", compare, (kind, n)) for kind in KINDS] for n in range(0, ANIMALS, PIECE)]
    groups = [[(f"groups: false positives {first}", group, (first,)) for first in range(0, STUDIES, BATCH)]]
    for of in covered[:SOON] + compared[:1] + covered[SOON : 2 * SOON] + compared[1:] + groups + covered[2 * SOON :]:
        yield from of


def pin(free):
    """This process takes one core: the library would use all."""
    os.sched_setaffinity(0, {free.get()})


def measure(name, work, settings):
    """One part, with the seconds of processor time that it took."""
    began = time.process_time()
    made = work(*settings)
    return name, {**made, "processor seconds": round(time.process_time() - began, 1)}


def add(one, other):
    """Sums of the numbers of two parts; lists are left out."""
    numbers = {k: v for k, v in other.items() if not isinstance(v, list)}
    return one | {k: add(one.get(k, {}), v) if isinstance(v, dict) else one.get(k, 0) + v for k, v in numbers.items()}


def main(path, only="", processes=1):
    """Measure all that the file does not hold yet, and write each part as it comes."""
    out = Path(path)
    found = json.loads(out.read_text()) if out.exists() else {}
    spawn = multiprocessing.get_context("spawn")
    free = spawn.Queue()
    cores = sorted(os.sched_getaffinity(0))[:processes]
    for core in cores:
        free.put(core)
    with ProcessPoolExecutor(len(cores), spawn, pin, (free,)) as pool:
        asked = [pool.submit(measure, *part) for part in parts() if only in part[0] and part[0] not in found]
        for done in as_completed(asked):
            if error := done.exception():
                print(f"a part failed: {error!r}", flush=True)
                continue
            name, found[name] = done.result()[0], done.result()[1]
            half = out.with_suffix(".part")
            half.write_text(json.dumps(found))
            half.replace(out)  # whole also where the next part is interrupted
            print(name, found[name]["processor seconds"], flush=True)
    summed = {}
    for name, made in found.items():
        kind = name.rsplit(" ", 1)[0]
        summed[kind] = add(summed.get(kind, {}), made)
    print(json.dumps(summed, indent=1))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "", int(sys.argv[3]) if len(sys.argv) > 3 else 1)

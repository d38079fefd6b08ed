"""How often do intervals hold the truth: of many animals alone, and pooled if nothing but the pooling mattered?

``python benchmarks/pooling.py`` samples the exact posterior of populations of ten animals with one parameter each,
measured with a normal error (Gibbs). The prior is flat in the mean, and in the spread or in its square. Animals are
drawn from a normal or from a uniform distribution of variance 1.

``python benchmarks/pooling.py KIND`` fits 200 animals of a kind of ``animals.py``, simulated by the library, and counts
how often the intervals of ``fs.behaviour.fit`` hold their parameters. It then pools their estimates, each with its
standard error, in populations of ten, in the same way. The models of drifting animals do not drift themselves, so
these come from ``animals.py``.
"""

import sys

import numpy as np

ANIMALS, DRAWS, WARMING = 10, 2000, 300
POPULATIONS, MANY, SESSIONS, TRIALS, STARTS = 1500, 200, 32, 250, 4
PRIORS = {1: "spread", 2: "spread²"}
"""By the degrees of freedom that the spread loses: in what the prior is flat."""


def cover(truth, seen, error, mean, lost):
    """Which 90 % intervals hold the truth: of animals (populations, animals), of their means and of spreads of 1."""
    rng, spread = np.random.default_rng(1), np.maximum(seen.std(axis=1, ddof=1), 0.1)
    animals, means, spreads = [], [], []
    for n in range(-WARMING, DRAWS):
        # the mean given the spread, animals given both, the spread given the others
        weight = 1 / (error**2 + spread[:, None] ** 2)
        deviation = 1 / np.sqrt(weight.sum(axis=1))
        middle = np.sum(weight * seen, axis=1) * deviation**2 + deviation * rng.standard_normal(len(seen))
        precision = 1 / error**2 + (1 / spread**2)[:, None]
        at = (seen / error**2 + (middle / spread**2)[:, None]) / precision
        at = at + rng.standard_normal(truth.shape) / np.sqrt(precision)
        squares = np.sum((at - middle[:, None]) ** 2, axis=1)
        spread = np.clip(np.sqrt(squares / rng.chisquare(ANIMALS - lost, len(seen))), 1e-3, 20)
        if n >= 0:
            animals.append(at.astype(np.float32))
            means.append(middle)
            spreads.append(spread)
    found = []
    for draws, true in ((animals, truth), (means, mean), (spreads, 1.0)):
        low, high = np.quantile(draws, [0.05, 0.95], axis=0)
        found.append((low <= true) & (true <= high))
    return found


def pool_normal():
    """Shares of intervals that hold the truth, by the error of an animal and the distribution of animals."""
    print("error / spread, animals, prior flat in: animals, means, spreads held (%)")
    draw = {
        "normal": lambda rng, shape: rng.standard_normal(shape),
        "uniform": lambda rng, shape: rng.uniform(-(3**0.5), 3**0.5, shape),
    }
    for error in (0.25, 0.5, 1.0, 2.0):
        for kind, make in draw.items():
            for lost, prior in PRIORS.items():
                rng = np.random.default_rng(0)
                truth = make(rng, (POPULATIONS, ANIMALS))
                seen = truth + error * rng.standard_normal(truth.shape)
                held = cover(truth, seen, np.full(truth.shape, error), 0.0, lost)
                print(error, kind, prior, ":", *(f"{100 * one.mean():.0f}" for one in held))


def pool_kind(kind):
    """The same by parameter of animals of a kind, with intervals of animals alone."""
    import festina as fs
    from animals import KINDS, LOGARITHMIC, simulate

    model, ranges, _ = KINDS[kind]
    if kind == "drifting":
        table, true = simulate(kind, MANY, SESSIONS * TRIALS, first=1000)
        fits = fs.behaviour.fit(table, model, starts=STARTS)
        rows = [
            (name, true[one.subject][name], one.estimates[name], one.standard_errors[name], *ends[name])
            for one, ends in zip(fits, fits.intervals(), strict=True)
            for name in ranges
        ]
    else:
        frame = fs.behaviour.recover_parameters(
            model, ranges=ranges, animals=MANY, sessions=SESSIONS, trials=TRIALS, starts=STARTS, seed=1
        )
        columns = [frame[name].to_numpy() for name in ("parameter", "true", "estimate", "error", "low", "high")]
        log = np.isin(columns[0], LOGARITHMIC)
        at = [np.where(log, np.log(np.maximum(column, 1e-300)), column) for column in columns[1:3]]
        columns[3] = (at[1] - at[0]) / columns[3]
        rows = list(zip(*columns, strict=True))
    for name, span in ranges.items():
        truth, seen, error, low, high = np.array([row[1:] for row in rows if row[0] == name], dtype=float).T
        alone, log = (low <= truth) & (truth <= high), name in LOGARITHMIC
        ends = np.log(span) if log else np.array(span)
        wide = (ends[1] - ends[0]) / 12**0.5
        true, estimate = ((np.log(of) if log else of) / wide for of in (truth, seen))
        shape, kept = (-1, ANIMALS), np.maximum(error, 1e-6) / wide
        said = [f"{kind}, {name}: alone {100 * alone.mean():.1f}; error / spread {np.median(kept):.2f}"]
        for lost, prior in PRIORS.items():
            held = cover(true.reshape(shape), estimate.reshape(shape), kept.reshape(shape), ends.mean() / wide, lost)
            said.append(f"flat in {prior}: {', '.join(f'{100 * one.mean():.1f}' for one in held)}")
        print("; ".join(said), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        pool_kind(sys.argv[1])
    else:
        pool_normal()

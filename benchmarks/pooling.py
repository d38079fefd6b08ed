"""How often would intervals of pooled animals hold the truth if every likelihood were normal and nothing approximated?

Each animal has one parameter, measured with a normal error of known size. Its posterior in a population of ten is
sampled exactly (Gibbs), with a flat prior on the mean and on the spread, as ``fs.behaviour.fit_population`` has, or on
the square of the spread. Animals are drawn from a normal or from a uniform distribution of variance 1.

    python benchmarks/pooling.py [populations]
"""

import sys

import numpy as np

ANIMALS, DRAWS, WARMING = 10, 2000, 300


def cover(draw, error, populations, lost, rng):
    """Shares of 90 % intervals that hold the truth: of animals, of means and of spreads."""
    truth = draw(rng, (populations, ANIMALS))
    seen = truth + error * rng.standard_normal(truth.shape)
    spread = np.maximum(seen.std(axis=1, ddof=1), 0.1)
    animals, means, spreads = [], [], []
    for n in range(-WARMING, DRAWS):
        # the mean given the spread, animals given both, the spread given the others
        deviation = np.sqrt((error**2 + spread**2) / ANIMALS)
        mean = seen.mean(axis=1) + deviation * rng.standard_normal(populations)
        precision = (1 / error**2 + 1 / spread**2)[:, None]
        middle = (seen / error**2 + (mean / spread**2)[:, None]) / precision
        at = middle + rng.standard_normal(truth.shape) / np.sqrt(precision)
        squares = np.sum((at - mean[:, None]) ** 2, axis=1)
        spread = np.clip(np.sqrt(squares / rng.chisquare(ANIMALS - lost, populations)), 1e-3, 20)
        if n >= 0:
            animals.append(at.astype(np.float32))
            means.append(mean)
            spreads.append(spread)
    found = []
    for draws, true in ((animals, truth), (means, 0.0), (spreads, 1.0)):
        low, high = np.quantile(draws, [0.05, 0.95], axis=0)
        found.append(float(np.mean((low <= true) & (true <= high))))
    return found


KINDS = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "uniform": lambda rng, shape: rng.uniform(-(3**0.5), 3**0.5, shape),
}

if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    print("error / spread, animals, prior flat in: animals, means, spreads held (%)")
    for error in (0.25, 0.5, 1.0, 2.0):
        for kind, draw in KINDS.items():
            for lost, prior in ((1, "spread"), (2, "spread²")):
                held = cover(draw, error, count, lost, np.random.default_rng(0))
                print(error, kind, prior, ":", *(f"{100 * share:.0f}" for share in held))

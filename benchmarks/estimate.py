"""How well the error estimate of fs.Reduced tells its true error: drawn tasks, widths and starts, linear and gated.

python benchmarks/estimate.py --cases 240
"""

import argparse

import numpy as np
from scipy.stats import spearmanr

import festina as fs


def draw(seed: int) -> tuple[fs.Network, fs.Task]:
    """A network and a task: every third one gated, the others linear of one to three hidden layers."""
    rng = np.random.default_rng(seed)
    inputs, outputs, points = (int(rng.integers(low, high)) for low, high in ((2, 9), (1, 6), (4, 30)))
    mixing = rng.standard_normal((inputs, inputs)) * rng.uniform(0, 1) + np.eye(inputs)
    x = rng.standard_normal((points, inputs)) @ mixing / np.sqrt(inputs)
    y = x @ rng.standard_normal((inputs, outputs)) + rng.uniform(0, 1) * rng.standard_normal((points, outputs))
    start = fs.initial.Gaussian(float(10 ** rng.uniform(-3, -0.5)))
    width = int(rng.integers(max(inputs, outputs), 40))
    if seed % 3 == 0:
        gates = (rng.random((int(rng.integers(1, 4)), points)) < 0.6).astype(float)
        gates[0, 0] = 1.0
        return fs.gated.pathways(gates, width, initial=start), fs.Task(x, y)
    return fs.DeepLinear((width,) * int(rng.integers(1, 3)), initial=start), fs.Task(x, y)


def measure(seed: int) -> tuple[float, float]:
    """True and estimated area of one case, over times in which most of the loss goes."""
    network, task = draw(seed)
    spread = max(float(task.statistics.strengths.max(initial=0.0)), 1e-3)
    times = np.linspace(0, 12 / spread * (len(network.hidden) if isinstance(network, fs.DeepLinear) else 1), 121)
    race = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed)
    flow = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-10), seed=seed)
    return fs.compare(race, flow).area, race.relative_error


def main() -> None:
    """Print the rank correlation and the share within a factor of three."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=240)
    found = np.array([measure(seed) for seed in range(parser.parse_args().cases)])
    true, estimated = found.T
    ratio = estimated / true
    within = np.mean((ratio > 1 / 3) & (ratio < 3))
    print(f"{len(found)} cases, true areas from {true.min():.2g} to {true.max():.2g}")
    print(f"Spearman correlation {spearmanr(true, estimated)[0]:.3f}")
    print(f"within a factor of 3: {within:.3f}; worst ratios {ratio.min():.2g} and {ratio.max():.2g}")


if __name__ == "__main__":
    main()

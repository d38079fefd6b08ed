"""How near training comes to a GPU's own rate: ``python benchmarks/gpu.py`` on a machine with one.

It checks correctness first, against double precision on the host, and then prints the table. It needs jax, numpy,
scipy, equinox and xarray only. The work counted is that of the network, 2N(2·inputs·units + 3·units·outputs) per seed
and step.
"""

import sys
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
import festina as fs

INPUTS, UNITS, OUTPUTS, CONTEXTS = 11, 700, 60, 3
RATE, CHECK, STEPS = 0.024, 200, 4000
MATRIX = 8192
SEEDS = tuple(map(int, sys.argv[1:])) or (132, 1024, 1056)
"""Numbers of networks; others can be given as arguments."""


def task():
    """Eight items in three contexts as one-hot inputs, and random targets."""
    items, contexts = np.meshgrid(np.arange(8), np.arange(CONTEXTS))
    x = np.hstack([np.eye(8)[items.ravel()], np.eye(CONTEXTS)[contexts.ravel()]])
    return fs.Task(x, np.random.default_rng(0).standard_normal((len(x), OUTPUTS)))


def matmul_rate():
    """FLOP/s of a large float32 product at full accuracy."""
    a = jax.random.normal(jax.random.key(0), (MATRIX, MATRIX))
    product = jax.jit(lambda a: jnp.dot(a, a, precision="highest"))
    product(a).block_until_ready()
    begun = time.perf_counter()
    for _ in range(10):
        found = product(a)
    found.block_until_ready()
    return 10 * 2 * MATRIX**3 / (time.perf_counter() - begun)


def evolve(network, job, steps, seeds, **how):
    observe = ("loss", "weights") if steps == CHECK else ("loss",)
    method = fs.Train(rate=RATE, device="gpu", **how)
    return fs.evolve(network, job, np.array([0.0, steps * RATE]), method=method, seeds=seeds, observe=observe)


def worst(found, truth):
    """Largest difference of a weight, relative to the largest weight."""
    pairs = zip(found.weights, truth.weights, strict=True)
    return max(np.abs(a[:, -1] - b[:, -1]).max() / np.abs(b).max() for a, b in pairs)


def main():
    print(f"jax {jax.__version__}, {jax.devices()[0].device_kind}")
    job = task()
    flop = 2 * len(job.x) * (2 * INPUTS * UNITS + 3 * UNITS * OUTPUTS)
    ways = (("plain vmap", {"precision": "single", "batching": "vmap"}), ("festina, single", {"precision": "single"}),
            ("festina, tf32", {"precision": "tf32"}))  # fmt: skip
    for name, network in (
        ("ReLU", fs.ReLU(hidden=(UNITS,), initial=fs.initial.Gaussian(0.05))),
        ("linear", fs.DeepLinear(hidden=(UNITS,), initial=fs.initial.Gaussian(0.05))),
    ):
        truth = fs.evolve(network, job, np.array([0.0, CHECK * RATE]), method=fs.Train(rate=RATE, device="cpu"),
                          seeds=2, observe=("loss", "weights"))  # fmt: skip
        for label, how in ways:
            found = evolve(network, job, CHECK, 2, **how)
            print(
                f"{name:<7}{label:<17} error after {CHECK} steps {worst(found, truth):.1e}  [{found.notes['batching']}]"
            )
    rate = matmul_rate()
    print(f"float32 matmul of {MATRIX}: {rate / 1e12:.1f} TFLOP/s")
    network = fs.ReLU(hidden=(UNITS,), initial=fs.initial.Gaussian(0.05))
    print(f"{'11-700-60 ReLU':<17}{'seeds':>7}{'M seed-steps/s':>16}{'TFLOP/s':>9}{'of matmul':>11}")
    for label, how in ways:
        for seeds in SEEDS:
            steps = STEPS // 4 if label == "plain vmap" else STEPS
            evolve(network, job, steps, seeds, **how)
            seconds = evolve(network, job, steps, seeds, **how).notes["seconds_running"]
            speed = seeds * steps / seconds
            share = speed * flop / rate
            print(f"{label:<17}{seeds:>7}{speed / 1e6:>16.2f}{speed * flop / 1e12:>9.1f}{share:>11.1%}")


if __name__ == "__main__":
    main()

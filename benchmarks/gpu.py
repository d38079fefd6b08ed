"""How near training comes to a GPU's own rate: ``python benchmarks/gpu.py`` on a machine with one.

It checks correctness first, against double precision on the host, and then prints the table. It needs jax, numpy,
scipy, equinox and xarray only. The work counted is that of the network per seed and step: two operations per weight
and data point forward, as many for the gradient of the weights, and for that of every layer's inputs but the first's.
"""

import sys
import time
from itertools import pairwise, product
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
import festina as fs

OUTPUTS, CONTEXTS = 60, 3
HIDDEN = {(700,): (132, 1024, 1056), (420, 420): (10, 100, 1024), (420, 420, 420): (100,)}
"""Hidden layers of the networks that are timed, and how many of them train together."""

RATE, CHECK, STEPS = 0.024, 200, 4000
MATRIX = 8192


def task():
    """Eight items in three contexts as one-hot inputs, and random targets."""
    items, contexts = np.meshgrid(np.arange(8), np.arange(CONTEXTS))
    x = np.hstack([np.eye(8)[items.ravel()], np.eye(CONTEXTS)[contexts.ravel()]])
    return fs.Task(x, np.random.default_rng(0).standard_normal((len(x), OUTPUTS)))


def matmul_rate():
    """FLOP/s of a large float32 product at full accuracy."""
    a = jax.random.normal(jax.random.key(0), (MATRIX, MATRIX))
    squared = jax.jit(lambda a: jnp.dot(a, a, precision="highest"))
    squared(a).block_until_ready()
    begun = time.perf_counter()
    for _ in range(10):
        found = squared(a)
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


def flop(hidden, items):
    """Operations of a seed's step."""
    layers = [a * b for a, b in pairwise((8 + CONTEXTS, *hidden, OUTPUTS))]
    return 2 * items * (3 * sum(layers) - layers[0])


def start(hidden):
    """Weights of which every layer keeps the size of its inputs."""
    return fs.initial.Gaussian(0.05 if len(hidden) == 1 else 1 / np.sqrt(hidden[0]))


def main():
    print(f"jax {jax.__version__}, {jax.devices()[0].device_kind}")
    job = task()
    ways = (("plain vmap", {"precision": "single", "batching": "vmap"}), ("festina, single", {"precision": "single"}),
            ("festina, tf32", {"precision": "tf32"}))  # fmt: skip
    for kind, hidden in product((fs.ReLU, fs.DeepLinear), HIDDEN):
        network = kind(hidden, initial=start(hidden))
        truth = fs.evolve(network, job, np.array([0.0, CHECK * RATE]), method=fs.Train(rate=RATE, device="cpu"),
                          seeds=2, observe=("loss", "weights"))  # fmt: skip
        for label, how in ways:
            found = evolve(network, job, CHECK, 2, **how)
            print(
                f"{kind.__name__:<11}{hidden!s:<16}{label:<17} error after {CHECK} steps {worst(found, truth):.1e}  "
                f"[{found.notes['batching']}]", flush=True
            )  # fmt: skip
    rate = matmul_rate()
    print(f"float32 matmul of {MATRIX}: {rate / 1e12:.1f} TFLOP/s")
    print(f"{'ReLU 11-…-60':<16}{'':<17}{'seeds':>7}{'M seed-steps/s':>16}{'TFLOP/s':>9}{'of matmul':>11}")
    for hidden, (label, how) in product(HIDDEN, ways):
        network, work = fs.ReLU(hidden, initial=start(hidden)), flop(hidden, len(job.x))
        for seeds in HIDDEN[hidden]:
            steps = STEPS if len(hidden) == 1 and label != "plain vmap" else STEPS // 8
            evolve(network, job, steps, seeds, **how)
            seconds = evolve(network, job, steps, seeds, **how).notes["seconds_running"]
            speed = seeds * steps / seconds
            print(f"{hidden!s:<16}{label:<17}{seeds:>7}{speed / 1e6:>16.3f}{speed * work / 1e12:>9.1f}"
                  f"{speed * work / rate:>11.1%}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()

"""How to form products of single precision on a GPU: ``python benchmarks/gpu_products.py`` on a machine with one.

Networks of one, two and three hidden layers and gated pathways are trained with each way of forming float32 products
that XLA offers; printed are the error after some steps against double precision and the share of the rate of a plain
float32 matrix product. A way whose error is that of plain float32 and whose rate is higher should be the engine's.
"""

import sys
import time
from itertools import pairwise
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
import festina as fs
from festina.methods import _step

WAYS = ("highest", "TF32_TF32_F32_X3", "BF16_BF16_F32_X6", "BF16_BF16_F32_X9", "default")
CHECK, STEPS, SEEDS, RATE, MATRIX = 200, 500, 100, 0.01, 8192


def task():
    rng = np.random.default_rng(0)
    return fs.Task(rng.standard_normal((24, 11)), rng.standard_normal((24, 60)))


def networks():
    rng = np.random.default_rng(1)
    gates = {f"module {k + 1}": row for k, row in enumerate(rng.integers(0, 2, (4, 24)).astype(float))}
    for hidden in ((700,), (420, 420), (420, 420, 420)):
        units = np.sqrt(hidden[0])
        yield f"ReLU {hidden}", fs.ReLU(hidden, initial=fs.initial.Gaussian(0.7 / units)), hidden
    yield "gated, 4 × 71", fs.gated.pathways(gates, 71, initial=fs.initial.Gaussian(0.08)), None


def flop(hidden, items=24):
    """Operations of a seed's step: forward, back, and the gradient of each layer."""
    widths = (11, *hidden, 60)
    layers = [a * b for a, b in pairwise(widths)]
    return 2 * items * (3 * sum(layers) - layers[0])


def matmul_rate():
    a = jax.random.normal(jax.random.key(0), (MATRIX, MATRIX))
    product = jax.jit(lambda a: jnp.dot(a, a, precision="highest"))
    product(a).block_until_ready()
    begun = time.perf_counter()
    for _ in range(10):
        found = product(a)
    found.block_until_ready()
    return 10 * 2 * MATRIX**3 / (time.perf_counter() - begun)


def main():
    job, rate = task(), matmul_rate()
    print(f"jax {jax.__version__}, {jax.devices()[0].device_kind}; float32 matmul {rate / 1e12:.1f} TFLOP/s")
    print(f"{'network':<24}{'products':<22}{'error':>9}{'seconds':>9}{'ms/step':>9}{'of matmul':>11}{'compiling':>11}")
    for name, network, hidden in networks():
        given = {"seeds": 2, "observe": ("loss", "outputs")}
        truth = fs.evolve(network, job, [0.0, CHECK * RATE], method=fs.Train(RATE, device="cpu"), **given)
        for way in WAYS:
            _step.SINGLE_PRODUCTS = way
            _step.lower.cache_clear()
            _step.compiled.cache_clear()
            method = fs.Train(RATE, precision="single", batching="vmap", device="gpu", cache=False)
            try:
                near = fs.evolve(network, job, [0.0, CHECK * RATE], method=method, **given)
                error = np.abs(near.outputs - truth.outputs).max() / np.abs(truth.outputs).max()
                runs = [
                    fs.evolve(network, job, [0.0, STEPS * RATE], method=method, seeds=SEEDS).notes for _ in range(3)
                ]
            except Exception as problem:
                print(f"{name:<24}{way:<22} not available: {str(problem).splitlines()[0][:70]}", flush=True)
                continue
            seconds = min(run["seconds_running"] for run in runs[1:])
            share = "" if hidden is None else f"{SEEDS * STEPS * flop(hidden) / seconds / rate:>11.1%}"
            print(
                f"{name:<24}{way:<22}{error:>9.1e}{seconds:>9.2f}{1e3 * seconds / STEPS:>9.3f}{share:>11}"
                f"{runs[0]['seconds_compiling']:>11.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()

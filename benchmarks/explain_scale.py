"""What an explanation of a large network costs: 60,000 images of 784 pixels, two hidden layers of 1000 units.

python benchmarks/explain_scale.py                  # drawn images: strokes, moved, turned and blurred
python benchmarks/explain_scale.py --data mnist.npz # your own: x (points, 784) and y (points,)

The network is trained a little and written to a file with the data; ``festina explain`` then reads both in a process of
its own, whose time and memory are what is printed.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

SIDE, CLASSES = 28, 10


def draw_images(points: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Images of ten classes: three strokes each, whose ends move from image to image, of random width and noise."""
    rng = np.random.default_rng(seed)
    ends = rng.uniform(-0.7, 0.7, (CLASSES, 3, 2, 2))
    labels = rng.integers(CLASSES, size=points)
    axis = np.linspace(-1, 1, SIDE)
    pixels = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    x = np.empty((points, SIDE * SIDE), np.float32)
    for start in range(0, points, 500):
        own = labels[start : start + 500]
        count = len(own)
        angle = rng.normal(0, 0.15, count)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]).transpose(2, 0, 1)
        moved = ends[own] + rng.normal(0, 0.08, (count, 3, 2, 2)) + rng.normal(0, 0.08, (count, 1, 1, 2))
        a, b = np.moveaxis(np.einsum("nij,nsej->nsei", turn, moved), 2, 0)
        along = b - a
        # distance of every pixel from every stroke
        part = np.einsum("nsi,nspi->nsp", along, pixels - a[:, :, None]) / (along**2).sum(axis=-1)[..., None]
        near = a[:, :, None] + np.clip(part, 0, 1)[..., None] * along[:, :, None]
        distance = ((pixels - near) ** 2).sum(axis=-1).min(axis=1)
        width = rng.uniform(0.06, 0.12, (count, 1))
        x[start : start + 500] = np.exp(-distance / (2 * width**2)) + rng.normal(0, 0.05, distance.shape)
    return np.clip(x, 0, 1), labels


def train(
    x: np.ndarray, y: np.ndarray, widths: tuple[int, ...], steps: int, seed: int = 0
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and biases after a little of Adam on cross-entropy, batches of 128."""
    import jax
    import jax.numpy as jnp
    import optax

    sizes = (x.shape[1], *widths, int(y.max()) + 1)
    rng = np.random.default_rng(seed)
    weights = [
        (jnp.asarray(rng.normal(0, np.sqrt(2 / a), (b, a)), jnp.float32), jnp.zeros(b, jnp.float32))
        for a, b in pairwise(sizes)
    ]
    adam = optax.adam(1e-3)

    def loss(w, batch, labels):
        for matrix, bias in w[:-1]:
            batch = jax.nn.relu(batch @ matrix.T + bias)
        logits = batch @ w[-1][0].T + w[-1][1]
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    @jax.jit
    def step(w, state, batch, labels):
        updates, state = adam.update(jax.grad(loss)(w, batch, labels), state)
        return optax.apply_updates(w, updates), state

    state = adam.init(weights)
    for _ in range(steps):
        rows = rng.integers(len(x), size=128)
        weights, state = step(weights, state, jnp.asarray(x[rows]), jnp.asarray(y[rows]))
    return [(np.asarray(matrix), np.asarray(bias)) for matrix, bias in weights]


def main() -> None:
    """Print time, memory and the first line of the explanation."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--points", type=int, default=60_000)
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--folder", type=Path, help="Where the files are kept; those that are there are used again.")
    given, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as made:
        folder = given.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        data, weights = folder / "data.npz", folder / "weights.npz"
        if not data.exists() or not weights.exists():
            x, y = draw_images(given.points) if given.data is None else np.load(given.data).values()
            found = train(x, y, (given.width, given.width), given.steps)
            np.savez(data, x=x, y=y)
            arrays: dict[str, Any] = {
                f"{i}.{kind}": a for i, pair in enumerate(found) for kind, a in zip("wb", pair, strict=True)
            }
            np.savez(weights, **arrays)
        command = [sys.executable, "-m", "festina", "explain", str(weights), "--data", str(data), "--image",
                   f"{SIDE}x{SIDE}", "--out", str(folder / "out"), *rest]  # fmt: skip
        start = time.perf_counter()
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(done.stdout)
        print(f"{seconds:.0f} s by the clock, {used.ru_utime + used.ru_stime:.0f} s of processor on {os.cpu_count()} "
              f"cores, at most {used.ru_maxrss / 2**20:.2f} GiB")  # fmt: skip


if __name__ == "__main__":
    main()

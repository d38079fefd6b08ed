"""Why linear stand-ins of random deep networks stay on the plateau: ``python benchmarks/plateau.py [NAME …]``.

Networks of vanrossem2024 Table 1 learn two points: first their mean, and after a plateau their difference f, at a rate
in proportion to k = ‖∂f/∂θ‖². A stand-in has in place of every unit the straight line through its two activities, so
that a unit has one slope. For each architecture this prints medians over networks of

- the error of the stand-in made at the start, over h, y and w of the middle layer;
- the flow time at which the network, and the stand-in, has learned half of the difference;
- halfway to this time, k of the network over k of a stand-in that is made then and has the same outputs: what slopes
  that differ between the two points add;
- the share of units that are on at one point only, at the start and halfway.
"""

import sys
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import festina as fs
from festina.papers import published

WIDTH, EPOCHS, PART, SEEDS = 100, 3000, 100, 3
NAMES = ("shallow", "tanh", "elu", "swish", "skip connections", "dropout", "convolution", "narrow", "relu", "default")
ACTIVATIONS: dict[str, Any] = {
    "leaky relu": lambda z: jnp.where(z > 0, z, 0.01 * z), "relu": jax.nn.relu, "elu": jax.nn.elu,
    "swish": jax.nn.swish, "tanh": jnp.tanh,
}  # fmt: skip


def forward(kind: tuple[str, bool], lines: Any, theta: Any, x: Any) -> tuple[Any, list[Any], list[Any]]:
    """Outputs, activities and pre-activations; ``lines`` are offset and slope of every unit, or None."""
    (activation, skip), weights, biases = kind, *theta
    a, hidden, pre = x, [], []
    for layer, (w, b) in enumerate(zip(weights[:-1], biases[:-1], strict=True)):
        z = _times(a, w, b)
        a = ACTIVATIONS[activation](z) if lines is None else lines[layer][0] + lines[layer][1] * z
        a = a + hidden[-2] if skip and layer > 1 else a
        hidden, pre = [*hidden, a], [*pre, z]
    return _times(a, weights[-1], biases[-1]), hidden, pre


def _times(a: Any, w: Any, b: Any) -> Any:
    """A dense layer, or a convolution (out, in, pixels) without padding; units in one row."""
    if w.ndim == 2:
        return a.reshape(len(a), -1) @ w.T + b
    a = a.reshape(len(a), w.shape[1], -1)
    pixels = a.shape[2] - w.shape[2] + 1
    windows = jnp.stack([a[:, :, k : k + pixels] for k in range(w.shape[2])], axis=2)
    return (jnp.einsum("ock,nckp->nop", w, windows) + b[:, None]).reshape(len(a), -1)


def lines_of(kind: tuple[str, bool], theta: Any, x: Any) -> list[tuple[Any, Any]]:
    """Offset and slope of the line through the two activities of every unit."""
    act, lines = ACTIVATIONS[kind[0]], []
    for first, second in forward(kind, None, theta, x)[2]:
        same = jnp.abs(first - second) < 1e-12
        slope = (act(first) - act(second)) / jnp.where(same, 1.0, first - second)
        slope = jnp.where(same, jax.vmap(jax.grad(act))(second), slope)
        lines.append((act(second) - slope * second, slope))
    return lines


@partial(jax.jit, static_argnums=0)
def part(kind: tuple[str, bool], lines: Any, theta: Any, task: Any) -> tuple[Any, Any]:
    """Some epochs of gradient descent on (x, y, rate): the weights after them, and h, y and w after each."""
    x, y, rate = task

    def step(theta: Any, _: Any) -> tuple[Any, Any]:
        slope = jax.grad(lambda theta: ((y - forward(kind, lines, theta, x)[0]) ** 2).sum() / (2 * len(x)))(theta)
        theta = jax.tree.map(lambda w, g: w - rate * g, theta, slope)
        outputs, hidden, _ = forward(kind, lines, theta, x)
        middle, f = hidden[len(hidden) // 2], outputs[1] - outputs[0]
        return theta, jnp.array([((middle[1] - middle[0]) ** 2).sum(), f @ f, f @ f - f @ (y[1] - y[0])])

    return jax.lax.scan(step, theta, length=PART)


def train(kind: tuple[str, bool], lines: Any, theta: Any, task: Any) -> tuple[list[Any], np.ndarray]:
    """Weights at the start and after every part, and the curves (3, epochs)."""
    states, curves = [theta], []
    for _ in range(EPOCHS // PART):
        theta, seen = part(kind, lines, states[-1], task)
        states, curves = [*states, theta], [*curves, np.asarray(seen)]
    return states, np.concatenate(curves).T


@partial(jax.jit, static_argnums=0)
def kernel(kind: tuple[str, bool], lines: Any, theta: Any, x: Any) -> Any:
    """‖∂f/∂θ‖² of the difference of the outputs."""
    slope = jax.grad(lambda theta: (forward(kind, lines, theta, x)[0] * jnp.array([[-1.0], [1.0]])).sum())(theta)
    return sum((leaf**2).sum() for leaf in jax.tree.leaves(slope))


def single(kind: tuple[str, bool], theta: Any, x: Any) -> float:
    """Share of units that are on at one of the two points only."""
    return float(np.mean(np.concatenate([(z[0] > 0) != (z[1] > 0) for z in forward(kind, None, theta, x)[2]])))


def measure(name: str, seed: int) -> list[float]:
    """The numbers of one network; those of halfway are NaN where it does not leave the plateau."""
    plan, task = published(name, WIDTH, EPOCHS), fs.tasks.two_points("released")
    kind = (plan.network.activation, plan.network.skip)
    start, x, y = jax.tree.map(jnp.asarray, (plan.network.start(task, seed), task.x, task.y))
    lines = lines_of(kind, start, x)
    states, true = train(kind, None, start, (x, y, plan.rate))
    _, guess = train(kind, lines, start, (x, y, plan.rate))
    half = 0.25 * float(((y[1] - y[0]) ** 2).sum())
    left = [np.argmax(found[1] > half) if (found[1] > half).any() else np.inf for found in (true, guess)]
    error = float(np.sqrt(((guess - true) ** 2).sum() / (true**2).sum()))
    told = [error, *(plan.rate * epoch for epoch in left), np.nan, single(kind, start, x), np.nan]
    if np.isfinite(left[0]):
        then = states[int(left[0]) // 2 // PART]
        told[3] = float(kernel(kind, None, then, x) / kernel(kind, lines_of(kind, then, x), then, x))
        told[5] = single(kind, then, x)
    return told


def main() -> None:
    """A line per architecture."""
    print(
        "architecture: error, left at, stand-in left at, k over k of a stand-in, on at one point at the start, halfway"
    )
    with jax.enable_x64(True):
        for name in sys.argv[1:] or NAMES:
            found = np.nanmedian([measure(name, seed) for seed in range(SEEDS)], axis=0)
            print(f"{name}: " + ", ".join(f"{number:.3g}" for number in found), flush=True)


if __name__ == "__main__":
    main()

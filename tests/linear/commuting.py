"""Tasks with prescribed modes, and networks that start on them, for the tests of linear networks."""

import numpy as np
from hypothesis import strategies as st

import festina as fs
from festina.core.initial import orthonormal


def task_of(s, d, *, inputs, outputs, items, floor=0.0, seed=0):
    """A task whose Σyx has singular values ``s`` and whose Σx has eigenvalues ``d`` (the first belong to the modes).

    ``floor`` is the size of the targets outside the span of the inputs.
    """
    rng = np.random.default_rng(seed)
    s, d = np.asarray(s, float), np.asarray(d, float)
    items_of, right = orthonormal(items, len(d), rng), orthonormal(inputs, len(d), rng)
    left = orthonormal(outputs, len(s), rng)
    x = np.sqrt(items) * items_of * np.sqrt(d) @ right.T
    y = np.sqrt(items) * items_of[:, : len(s)] * (s / np.sqrt(d[: len(s)])) @ left.T
    rest = floor * (items > len(d)) * rng.standard_normal((items, outputs))
    return fs.Task(x, y + rest - items_of @ (items_of.T @ rest))


@st.composite
def draws(draw):
    """Arguments of ``task_of``: rank 0, repeated singular values, one data point, few items, many items."""
    inputs, outputs = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    items = draw(st.sampled_from([1, 2, 3, inputs, 40]))
    varying = draw(st.integers(1, min(inputs, items)))
    rank = draw(st.integers(0, min(varying, outputs)))
    size = st.sampled_from([0.5, 1.0, 1.0, 1.7, 3.0])
    return {
        "s": [draw(size) for _ in range(rank)],
        "d": [draw(size) for _ in range(varying)],
        "inputs": inputs,
        "outputs": outputs,
        "items": items,
        "floor": draw(st.sampled_from([0.0, 0.3])),
        "seed": draw(st.integers(0, 99)),
    }


def chain_weights(task, layers, widths, seed=0):
    """Weights that carry mode α of the task with strengths ``layers[:, α]``, along random hidden directions."""
    rng = np.random.default_rng(seed)
    layers = np.asarray(layers, float)
    frames = [
        task.statistics.right,
        *(orthonormal(width, layers.shape[1], rng) for width in widths),
        task.statistics.left,
    ]
    return tuple(frames[i + 1] * layers[i] @ frames[i].T for i in range(len(layers)))


def given_start(task, layers, widths, seed=0):
    """The deep linear network that starts from ``chain_weights``."""
    return fs.DeepLinear(tuple(widths), initial=fs.initial.Weights(chain_weights(task, layers, widths, seed)))

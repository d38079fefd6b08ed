"""Measures of representations: similarity matrices, the neural tangent kernel, how far it has moved.

Every function takes weights: one matrix per layer with any leading axes (times, seeds), of NumPy or JAX. No result
depends on the basis of the hidden units, so weights known up to a rotation are enough.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.analysis.observed import lead, learned_task, weights_over_time
from festina.checks.shapes import Array, Tree, Weights
from festina.core.network import Context, Data, task_context
from festina.runtime.device import in_double

if TYPE_CHECKING:
    from festina.core import Observations

MOST = 4096
"""Outputs on all data points together up to which a kernel is formed: its square in double precision takes 134 MB."""

Parts = tuple[list[Array], list[Array]]
"""C_l = W_D…W_{l+1}(W_D…W_{l+1})ᵀ and G_l = (W_{l−1}…W_1 x)ᵀ(W_{l−1}…W_1 x): the kernel is Σ_l C_l ⊗ G_l."""


def _flip(array: Array) -> Array:
    return array.swapaxes(-1, -2)


def _dot(a: Array, b: Array) -> Array:
    return (a * b).sum((-1, -2))


def _sum(terms: Iterable[Array]) -> Array:
    return reduce(operator.add, terms)


def parts(weights: Weights, x: Array) -> Parts:
    """The factors C_l (outputs × outputs) and G_l (items × items) of the kernel, one each per layer."""
    activity, forward = x, []
    for matrix in weights:
        forward.append(activity @ _flip(activity))
        activity = activity @ _flip(matrix)
    # times and seeds of the weights, also where the kernel of one layer does not depend on them
    back: Array = np.eye(weights[-1].shape[-2]) + 0 * weights[-1].sum((-1, -2))[..., None, None]
    backward = []
    for matrix in reversed(weights):
        backward.append(back @ _flip(back))
        back = back @ matrix
    return backward[::-1], forward


def overlap(a: Parts, b: Parts) -> Array:
    """⟨K_a, K_b⟩ (Frobenius) from the factors: Σ_lm ⟨C_l, C_m⟩⟨G_l, G_m⟩; the kernel itself is never formed."""
    return _sum(_dot(ca, cb) * _dot(ga, gb) for ca, ga in zip(*a, strict=True) for cb, gb in zip(*b, strict=True))


def kernel(weights: Weights, x: Array) -> Array:
    """Neural tangent kernel Σ_l C_l ⊗ G_l, (outputs·items, outputs·items), output by output.

    Two layers: I ⊗ XW1ᵀW1Xᵀ + W2W2ᵀ ⊗ XXᵀ.

    Source: domine2025 (rich and lazy).
    """
    backward, forward = parts(weights, x)
    total = _sum(c[..., :, None, :, None] * g[..., None, :, None, :] for c, g in zip(backward, forward, strict=True))
    size = total.shape[-1] * total.shape[-2]
    return total.reshape(*total.shape[:-4], size, size)


def distance(a: Parts, b: Parts) -> Array:
    """1 − ⟨K_a, K_b⟩/(‖K_a‖‖K_b‖): 0 for kernels that differ by a factor only (or are zero), 1 for orthogonal ones."""
    norms = (overlap(a, a) * overlap(b, b)) ** 0.5
    return (norms > 0) * (1 - overlap(a, b) / (norms + (norms == 0)))


def kernel_distance(trajectory: Observations) -> np.ndarray:
    """How far the neural tangent kernel has turned since time 0, along any trajectory that observed ``weights``.

    1 − ⟨K(0), K(t)⟩/(‖K(0)‖‖K(t)‖), the same number for theory, flow and training; ``fs.Exact`` also gives it as the
    observable ``kernel_distance``. For deep linear networks without biases the kernel is never formed. For others it is
    computed from the derivatives of all outputs on all data points by all weights.

    Args:
        trajectory: a trajectory of a network that observes ``outputs``, with ``observe=("weights", …)`` and times from
            0.

    Returns:
        ([seeds,] times).

    Raises:
        ValueError: weights were not observed, or not from time 0; a network without outputs on data points, or too many
            outputs and data points for a kernel.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Balanced(1e-2))
        >>> training = fs.evolve(network, task, np.array([0.0, 60.0]), method=fs.Train(rate=0.1), observe=("weights",))
        >>> theory = fs.evolve(network, task, np.array([0.0, 60.0]), observe=("kernel_distance",))
        >>> bool(np.allclose(training.kernel_distance(), theory["kernel_distance"], atol=1e-3))
        True

    Source: domine2025 (rich and lazy).
    """
    task = learned_task(trajectory, "weights")
    if trajectory.times[0] != 0:
        raise ValueError(f"trajectory starts at {trajectory.times[0]:g}; the distance is from time 0: add it to times.")
    watch = trajectory.network.observables(task_context(trajectory.network, task))
    if "qq" not in watch:  # only linear layers without biases have QQᵀ
        return measured_kernels(trajectory)[0]
    x = task.statistics.compressed[0]
    first = tuple(w[..., :1, :, :] for w in trajectory.weights)
    return np.maximum(distance(parts(first, x), parts(trajectory.weights, x)), 0.0)


def measured_kernels(trajectory: Observations) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distance, change and alignment with the targets of the tangent kernel of any network, ([seeds,] times) each.

    Args:
        trajectory: one that observed ``weights``.

    Raises:
        ValueError: no outputs on data points, weights that are not all there, or too many outputs and data points.
    """
    import jax

    task, network = learned_task(trajectory, "weights"), trajectory.network
    watch = network.observables(task_context(network, task))
    if "outputs" not in watch:
        raise ValueError(f"trajectory is of {network!r}, which has no outputs on data points, and so no kernel.")

    def derivatives(weights: Tree) -> Any:
        outputs = jax.tree.leaves(jax.jacobian(lambda w: watch["outputs"](w).ravel())(weights))
        return sum(j.reshape(len(j), -1) @ j.reshape(len(j), -1).T for j in outputs)

    distance, change, aligned = (np.zeros(lead(trajectory)) for _ in range(3))
    targets, first = np.asarray(task.y, float).ravel(), {}
    compiled = jax.jit(derivatives)
    with in_double():
        for at, given in weights_over_time(trajectory, task):
            weights = jax.tree.map(lambda w: np.asarray(w, float), given)
            size = 0 if first else len(jax.eval_shape(derivatives, weights))
            if size > MOST:
                raise ValueError(
                    f"trajectory has {size} outputs on all data points together, whose kernel would have {size}² "
                    f"entries; at most {MOST} are allowed: use a task of fewer data points."
                )
            now = np.asarray(compiled(weights))
            before, norm = first.setdefault(at[:-1], now), np.linalg.norm(now)
            both = np.linalg.norm(before) * norm
            distance[at] = max(1 - float(np.sum(before * now)) / both, 0.0) if both > 0 else 0.0
            change[at] = np.linalg.norm(now - before) / np.linalg.norm(before)
            aligned[at] = targets @ now @ targets / (norm * (targets @ targets)) if norm > 0 else 0.0
    return distance, change, aligned


def views(context: Context) -> Mapping[str, Callable[[Weights], Any]]:
    """Observables of weights that a rotation of hidden units leaves as they are.

    ``similarity`` (one items × items matrix per hidden layer), ``input_similarity`` W1ᵀW1, ``output_similarity``
    W_DW_Dᵀ, ``kernel``, ``alignment`` (of the kernel with the targets) and, for two layers, ``qq``: QQᵀ, Q = [W1ᵀ; W2].
    """
    data: Data = context["data"]

    def similarity(weights: Weights) -> tuple[Array, ...]:
        activity, found = context["x"], []
        for matrix in weights[:-1]:
            activity = activity @ _flip(matrix)
            found.append(activity @ _flip(activity))
        return tuple(found)

    def alignment(weights: Weights) -> Array:
        """yᵀKy/(‖K‖‖y‖²), y all targets in one vector; what no linear map can reach of them is in the floor."""
        backward, forward = parts(weights, data.x)
        found = _sum(_dot(c, data.y.T @ g @ data.y) for c, g in zip(backward, forward, strict=True))
        power = (data.y**2).sum() + 2 * data.count * data.floor
        norm = overlap((backward, forward), (backward, forward)) ** 0.5 * power
        return found / (norm + (norm == 0))

    return {
        "similarity": similarity,
        "input_similarity": lambda weights: _flip(weights[0]) @ weights[0],
        "output_similarity": lambda weights: weights[-1] @ _flip(weights[-1]),
        "kernel": lambda weights: kernel(weights, context["x"]),
        "alignment": alignment,
        "qq": squared,
    }


def squared(weights: Weights) -> Array:
    """QQᵀ of two layers, Q = [W1ᵀ; W2]: all that a rotation of the hidden units leaves of them."""
    if len(weights) != 2:
        raise ValueError(f"observe holds 'qq' with {len(weights)} layers; QQᵀ is defined for two.")
    q = weights[0].__array_namespace__().concat([_flip(weights[0]), weights[1]], axis=-2)
    return q @ _flip(q)

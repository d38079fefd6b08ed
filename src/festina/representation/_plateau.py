"""The plateau before representations part: a network is run until its mean output is learned."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks.shapes import Tree
from festina.core.task import Task
from festina.representation._architecture import Architecture, Layers
from festina.runtime.device import in_double

LEARNED = 0.03
"""Share of the first error of the mean output that is left when it counts as learned."""

LEFT = 0.9
"""Share of the loss of output differences that is left on a plateau; a run that falls below it first has none."""

STEP, STEPS = 0.05, 20000
"""Step over the inverse of the largest curvature at the start, and most steps that are taken."""


@dataclass(frozen=True, eq=False)
class Plateau:
    """State at which a run stopped: its time, its weights, and how to see what was before."""

    time: float
    weights: Layers
    network: Architecture
    task: Task
    rate: float
    first: Layers

    def look(self, time: float, layer: int) -> tuple[np.ndarray, np.ndarray]:
        """Representations and outputs at a time before, at the nearest step."""
        import jax

        from festina.representation._forward import forward

        with in_double():
            at = _descend(self.network, self.task, self.first, self.rate, round(time / self.rate), stop=False)[0]
            seen = forward(self.network, at, jax.numpy.asarray(self.task.x))
            return np.asarray(seen.hidden[layer]), np.asarray(seen.outputs)


def reach_plateau(network: Architecture, task: Task, weights: Layers) -> Plateau:
    """Descend the loss until the mean output is learned, or output differences begin to be."""
    import jax

    from festina.representation._kernel import measure_kernels

    # the largest eigenvalue of the tangent kernel over N bounds the curvature of the loss
    kernel = measure_kernels(network, weights, task.x, network.layers[0]).whole
    rate = STEP / max(float(np.linalg.eigvalsh(kernel)[-1]) / len(task.x), np.finfo(float).tiny)
    with in_double():
        reached, steps = _descend(network, task, weights, rate, STEPS, stop=True)
        plain: Any = jax.tree.map(np.asarray, reached)
    return Plateau(int(steps) * rate, plain, network, task, rate, weights)


def _descend(
    network: Architecture, task: Task, weights: Tree, rate: float, most: int, *, stop: bool
) -> tuple[Any, Any]:
    import jax
    import jax.numpy as jnp
    from jax import lax

    from festina.representation._forward import Forward, Loss

    weights = jax.tree.map(lambda a: jnp.asarray(a, float), weights)
    data, loss, predict = network.points(task), Loss(network.bare), Forward(network.bare)

    def parts(layers: Tree) -> tuple[Any, Any]:
        residual = predict(layers, data.x) - data.y
        mean = residual.mean(axis=0)
        return jnp.sum(mean**2), jnp.mean(jnp.sum((residual - mean) ** 2, axis=1))

    first_mean, first_rest = parts(weights)

    def go_on(state: tuple[Tree, jax.Array]) -> Any:
        mean, rest = parts(state[0])
        waiting = (mean > LEARNED**2 * first_mean) & (rest > LEFT * first_rest)
        return (state[1] < most) & (waiting | (not stop))

    def step(state: tuple[Tree, jax.Array]) -> tuple[Any, Any]:
        slope = jax.grad(lambda layers: loss(layers, data, None))(state[0])
        return jax.tree.map(lambda w, g: w - rate * g, state[0], slope), state[1] + 1

    return jax.jit(lambda layers: lax.while_loop(go_on, step, (layers, 0)))(weights)

"""The exact ReLN of a training run: a gated network that learns as the ReLU network does, step by step."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks.shapes import Array, Weights
from festina.core import Data, LayeredForward, Task, mean_loss
from festina.relu._replay import Replay
from festina.runtime.device import on_cpu


@dataclass(frozen=True, eq=False)
class ReLN:
    """A gated network that was trained like a ReLU network, with its gates.

    Attributes:
        trajectory: ``loss``, ``outputs``, ``weights`` and ``gates`` (1 where a unit is on) of the gated network, at the
            times of the run.
        max_output_difference: largest |ŷ − ŷ'| between the two networks over all times, items and outputs.
        max_weight_difference: the same of the weights.
        max_loss_difference: the same of the loss.
    """

    trajectory: Trajectory
    max_output_difference: float
    max_weight_difference: float
    max_loss_difference: float

    @property
    def gates(self) -> tuple[np.ndarray, ...]:
        """Gates over time, one array ([seeds,] times, items, units) per hidden layer."""
        return self.trajectory["gates"]

    def __str__(self) -> str:
        return (
            f"exact ReLN of {self.trajectory.network}: outputs differ by at most {self.max_output_difference:.3g}, "
            f"weights by {self.max_weight_difference:.3g}, loss by {self.max_loss_difference:.3g}"
        )


def gated_predict(weights: Weights, x: tuple[Array, tuple[Array, ...]]) -> Array:
    """Outputs of linear layers, each multiplied by its gates: ŷ = W_D (g_{D−1} ∘ W_{D−1} … (g_1 ∘ W_1 x)).

    Source: jarvis2025 eq. (1).
    """
    h, gates = x
    for matrix, gate in zip(weights[:-1], gates, strict=True):
        h = gate * (h @ matrix.T)
    return h @ weights[-1].T


def reln(run: Trajectory, task: Task | None = None) -> ReLN:
    """The gated deep linear network that learns exactly as a ReLU network did.

        ŷ = W_D (g_{D−1}(t) ∘ W_{D−1} … (g_1(t) ∘ W_1 x)),   g_l(t) = step(h_l(t))

    where h_l(t) are the pre-activations of the ReLU network in that step of its training. The gated network starts from
    the run's initial weights and then takes its own gradient steps. Its gates are given, and it never sees the ReLU
    network's weights again. Both have the same weights, outputs and loss at every step, for any depth and task.

    Args:
        run: training of an ``fs.ReLU`` that observed ``weights``, with seeds or without. Where it did not observe every
            step, the ReLU network is trained again from one observation to the next, to know its gates between.
        task: what it was trained on; a trajectory that was read from a file does not hold it.

    Returns:
        The gates and the trajectory of the gated network, and how far it is from the run.

    Raises:
        ValueError: weights were not observed; another task; a run that is not plain gradient descent.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.extended_xor(0.5), fs.ReLU((8, 8), initial=fs.initial.Gaussian(0.3))
        >>> run = fs.evolve(network, task, np.arange(0, 60, 5), method=fs.Train(rate=0.2), observe=("loss", "weights"))
        >>> bool(fs.relu.reln(run).max_output_difference < 1e-12)
        True

    Source: jarvis2025 section 3, Definition 3.1.
    """
    replay = Replay.read(run, task)
    replay.require_training()
    found = _follow(replay)
    replay.require_descent(found.pop("drift"), found.pop("size"))
    theirs = {"outputs": replay.outputs, "loss": replay.loss}
    apart = {name: float(np.abs(found[name] - value).max()) for name, value in theirs.items()}
    weights = max(float(np.abs(a - b).max()) for a, b in zip(found["weights"], replay.weights, strict=True))
    values = {name: replay.shaped(found[name]) for name in ("loss", "outputs", "weights", "gates")}
    trajectory = Trajectory(
        run.times, values, run.network, replay.task, "ReLN, gradient descent", run.seeds, run.unit,
        sources=("jarvis2025",), notes={"steps": [int(s) for s in replay.steps]},
    )  # fmt: skip
    return ReLN(trajectory, apart["outputs"], weights, apart["loss"])


def _follow(replay: Replay) -> dict[str, Any]:
    """Train the gated network of every seed; also how far the ReLU network, trained again, is from the run."""
    import jax
    import jax.numpy as jnp

    double = replay.dtype == np.float64
    with jax.enable_x64(double), jax.default_matmul_precision("highest"), on_cpu():
        weights = tuple(jnp.asarray(w) for w in replay.weights)
        x, y = (jnp.asarray(a, replay.dtype) for a in (replay.task.x, replay.task.y))
        counts, rate = jnp.asarray(np.diff(replay.steps)), jnp.asarray(replay.rate, replay.dtype)
        found = _trained()(weights, x, y, rate, counts)
        return jax.tree.map(np.asarray, found)


@lru_cache(maxsize=1)
def _trained() -> Any:
    """The compiled training of a gated network with the gates of a recorded run, one seed after another."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    def gates_of(weights: Weights, x: Array) -> tuple[Array, ...]:
        return tuple((h > 0).astype(x.dtype) for h in LayeredForward(rectifies=True).layers(weights, x)[:-1])

    def run(weights: Weights, x: Array, y: Array, rate: Array, counts: Array) -> dict[str, Any]:
        count = float(len(x))

        def gated_loss(weights: Weights, gates: tuple[Array, ...]) -> Array:
            return mean_loss(gated_predict, weights, Data((x, gates), y, count))

        def relu_loss(weights: Weights) -> Array:
            return mean_loss(LayeredForward(rectifies=True), weights, Data(x, y, count))

        def descend(weights: Weights, gradient: Weights) -> Weights:
            return jax.tree.map(lambda w, g: w - rate * g, weights, gradient)

        def step(_: Array, state: tuple[Weights, Weights]) -> tuple[Weights, Weights]:
            relu, own = state
            gates = gates_of(relu, x)
            return descend(relu, jax.grad(relu_loss)(relu)), descend(own, jax.grad(gated_loss)(own, gates))

        def see(own: Weights, recorded: Weights) -> dict[str, Any]:
            gates = gates_of(recorded, x)
            outputs = gated_predict(own, (x, gates))
            return {"outputs": outputs, "loss": gated_loss(own, gates), "weights": own, "gates": gates}

        def stage(own: Weights, part: tuple[Weights, Weights, Array]) -> tuple[Weights, dict[str, Any]]:
            before, after, count = part
            relu, own = lax.fori_loop(0, count, step, (before, own))
            drift = jnp.max(jnp.stack([jnp.abs(a - b).max() for a, b in zip(relu, after, strict=True)]))
            size = jnp.max(jnp.stack([jnp.abs(a).max() for a in after]))
            return own, {**see(own, after), "drift": drift, "size": size}

        start = tuple(w[0] for w in weights)
        before, after = tuple(w[:-1] for w in weights), tuple(w[1:] for w in weights)
        _, seen = lax.scan(stage, start, (before, after, counts))
        first = {**see(start, start), "drift": jnp.zeros((), x.dtype), "size": jnp.ones((), x.dtype)}
        return jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), first, seen)

    def every(weights: Weights, x: Array, y: Array, rate: Array, counts: Array) -> dict[str, Any]:
        return lax.map(lambda own: run(own, x, y, rate, counts), weights)

    return jax.jit(every)

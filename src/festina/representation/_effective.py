"""The effective theory of many points at once, with rates from the network's own tangent kernels."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times, Tree
from festina.core import Assumption, Network, Solution, Start, Task, Theory
from festina.methods import loss_error
from festina.representation._architecture import Architecture, Layers
from festina.representation._kernel import Kernels, measure_kernels, nothing_dropped
from festina.representation._structure import pair_distances
from festina.runtime.device import in_double
from festina.solvers.ode import LARGEST, integrate

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


TOLERANCE = 1e-6
"""Relative tolerance of the integration, far below the error of the theory."""

GROWN = 0.5
"""Growth of kernels up to which distances are right to a tenth: tanh networks are off by 1, 3, 6, 24 and 47 % where the
growth is 0.34, 0.47, 0.67, 1.5 and 4.0."""

LONG = 1e3
"""Times of the slowest start rate after which t → ∞ is taken to be reached."""


@dataclass(frozen=True, repr=False)
class Effective(Theory):
    """Representations of all points of a task, as a linear decoder and an encoder with features of its own learn them.

    The network is cut at the observed layer into an encoder h(x) and a decoder ŷ(h). Near the start both are linear in
    their weights, and their tangent kernels give the rates. These are k (points × points) of the encoder along the
    decoder's Jacobian J, and κ hᵢ·hⱼ + κ₀ of the decoder. With residuals R = H Jᵀ + c − Y (plus what the linear decoder
    leaves of the outputs at the start) gradient flow on the mean loss over N points is

        Ḣ = −k R J/N,    J̇ = −κ Rᵀ H/N,    ċ = −κ₀ 1ᵀR/N:

    a two-layer linear network whose inputs are features with the Gram matrix k. It is integrated in the space that H
    and J span at the start. For two points it is the two-point theory (``TwoPoint``), without the assumption that
    representations do not turn, and with 1/τh = (k₁₁ + k₂₂ − 2k₁₂)/(2dx), 1/τy = κ/2. Nothing is fitted.

    Args:
        at: where kernels are measured: ``"start"``, or ``"plateau"``: after a short run of the network itself, until
            the mean output is learned. Biases then have moved, and with them the gates of ReLU units; until then the
            values are those of that run.
        growth: let each half's kernel grow with it as in a balanced linear chain of its depth m,
            k ∝ (‖H‖²/‖H(0)‖²)^{1−1/m}; without it kernels keep their first values, as in the paper.

    Example:
        >>> import numpy as np, festina as fs
        >>> network, task = fs.FeedForward((40, 40), "tanh", gain=0.5), fs.tasks.two_points(1.0, 0.7)
        >>> theory = fs.evolve(network, task, np.linspace(0, 60, 7), method=fs.Reduced(), observe=("loss", "distances"))
        >>> theory["distances"].shape, theory.notes["theory"]
        ((7, 1, 1), 'effective theory of representations')

    Source: vanrossem2024 eq. (5)-(7), extended from two points to any number and from fitted rates to measured ones.
    """

    at: str = "start"
    growth: bool = field(default=False, kw_only=True)

    name: ClassVar[str] = "effective theory of representations"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("vanrossem2024",)

    def __post_init__(self) -> None:
        check.known("at", self.at, ("plateau", "start"))

    def suits(self, network: Network) -> bool:
        """Feed-forward networks."""
        return isinstance(network, Architecture)

    def assumptions(self, network: Architecture, task: Task, start: Start) -> tuple[Assumption, ...]:
        """How far the decoder is from one linear map, where the kernels are measured, and how far these will grow."""
        _, found = self._measured(network, task, start, network.layers[0])
        centred = found.hidden - found.hidden.mean(axis=0)
        moved = found.outputs - found.outputs.mean(axis=0)
        size = float(np.linalg.norm(moved))
        grown = 1.0 if self.growth else found.growth(task.y, self._depths(network, network.layers[0]))
        bent = float(np.linalg.norm(moved - centred @ found.jacobian.T)) / size if size > 0 else 0.0
        return (
            *nothing_dropped(network),
            Assumption(
                "linear decoder",
                "outputs differ as the mean Jacobian of the decoder says",
                bent, 0.1, quantity="relative error at the measured weights",
            ),
            Assumption("one Jacobian", "the decoder's Jacobian is the same at all points",
                       found.turning, 0.1, quantity="share that differs"),
            Assumption("linear decoder kernel", "the decoder's tangent kernel is κ hᵢ·hⱼ",
                       found.misfit, 0.1, quantity="relative error"),
            Assumption("constant kernels", "the kernels of encoder and decoder keep their first values", grown - 1,
                       GROWN, quantity="share by which they would grow with the representations of linear chains"),
        )  # fmt: skip

    def _depths(self, network: Architecture, layer: int) -> tuple[int, int]:
        """Layers of the encoder and of the decoder."""
        return layer + 1, len(network.shapes(1, 1)) - layer - 1

    def _measured(self, network: Architecture, task: Task, start: Start, layer: int) -> tuple[Any, Kernels]:
        """Point at which the plateau was reached (None at the start), and the kernels there."""

        def measure() -> tuple[Any, Kernels]:
            if self.at == "start":
                return None, measure_kernels(network, start.weights, task.x, layer)
            reached = start.recall("plateau", lambda: reach_plateau(network, task, start.weights))
            return reached, measure_kernels(network, reached.weights, task.x, layer)

        return start.recall(f"kernels at the {self.at}, layer {layer}", measure)

    def solve(self, network: Architecture, task: Task, start: Start, times: Times) -> Solution:
        """Integrate the joint system once for each observed layer."""
        rows = list(network.items(task))
        paths: dict[int, tuple[np.ndarray, np.ndarray]] = {}

        def path(layer: int) -> tuple[np.ndarray, np.ndarray]:
            if layer not in paths:
                paths[layer] = self._path(network, task, start, times, layer)
            return paths[layer]

        def outputs() -> np.ndarray:
            return path(network.layers[0])[1]

        def hidden() -> tuple[np.ndarray, ...]:
            return tuple(path(layer)[0][:, rows] for layer in network.layers)

        reached, found = self._measured(network, task, start, network.layers[0])
        notes: dict[str, Any] = {"rate_decoder": found.decoder_rate, "rate_mean": found.mean_rate}
        if len(task.x) == 2:
            dx = float(np.sum((task.x[1] - task.x[0]) ** 2))
            notes["rates"] = [float(rate) for rate in found.rates(dx) if rate is not None] if dx > 0 else []
        if reached is not None:
            notes["plateau"] = reached.time

        return replace(represented(network, task, start, times, outputs, hidden), notes=notes)

    def _path(
        self, network: Architecture, task: Task, start: Start, times: Times, layer: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Representations and outputs of all points at the times."""
        reached, kernels = self._measured(network, task, start, layer)
        begin = 0.0 if reached is None else reached.time
        later = times[times >= begin] - begin
        seen = [] if reached is None else [reached.look(time, layer) for time in times[times < begin]]
        if len(later):
            depths = self._depths(network, layer) if self.growth else (1, 1)
            seen += list(zip(*_integrate(kernels, task.y, later, depths), strict=True))
        return np.stack([h for h, _ in seen]), np.stack([y for _, y in seen])


def represented(
    network: Architecture, task: Task, start: Start, times: Times, outputs: Callable[[], np.ndarray],
    hidden: Callable[[], tuple[np.ndarray, ...]],
) -> Solution:  # fmt: skip
    """A solution from its outputs and the representations of the observed items, with an estimate of its error."""

    def loss() -> np.ndarray:
        return 0.5 * np.sum((outputs() - task.y) ** 2, axis=(1, 2)) / len(task.x)

    found = {
        "loss": loss,
        "outputs": outputs,
        "hidden": hidden,
        "distances": lambda: np.stack([pair_distances(h) for h in hidden()], axis=1),
    }
    # the flow of a network that draws noise in every step is not defined, so that no error can be measured
    return Solution(found, error=None if network.noisy else lambda: loss_error(network, task, start, times, loss()))


def _integrate(
    kernels: Kernels, targets: np.ndarray, times: np.ndarray, depths: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """H and outputs at the times, from the kernels' own start."""
    count, outputs = targets.shape
    k, kappa, beta = kernels.encoder, kernels.decoder_rate, kernels.shift_rate
    basis = np.linalg.qr(np.vstack([kernels.hidden, kernels.jacobian]).T)[0]
    first_h, first_j = kernels.hidden @ basis, kernels.jacobian @ basis
    rest = kernels.outputs - first_h @ first_j.T - targets
    cut_h, cut_j = first_h.size, first_h.size + first_j.size
    size_h, size_j = float(np.sum(first_h**2)) or 1.0, float(np.sum(first_j**2)) or 1.0
    power_h, power_j = (1 - 1 / depth for depth in depths)

    def split(state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return state[:cut_h].reshape(first_h.shape), state[cut_h:cut_j].reshape(first_j.shape), state[cut_j:]

    def field(_: float, state: np.ndarray) -> np.ndarray:
        h, j, c = split(state)
        residual = (h @ j.T + (c + rest)) / -count
        grown_h = (float(np.sum(h**2)) / size_h) ** power_h if power_h else 1.0
        grown_j = (float(np.sum(j**2)) / size_j) ** power_j if power_j else 1.0
        found = np.empty_like(state)
        np.multiply(k @ (residual @ j), grown_h, out=found[:cut_h].reshape(h.shape))
        np.multiply(residual.T @ h, grown_j * kappa, out=found[cut_h:cut_j].reshape(j.shape))
        np.multiply(residual.sum(axis=0), beta, out=found[cut_j:])
        return found

    first = np.concatenate([first_h.ravel(), first_j.ravel(), np.zeros(outputs)])
    if np.isinf(times).any():
        slowest = min((x for x in (kappa, beta, float(np.trace(k)) / count) if x > 0), default=1.0)
        times = np.where(np.isinf(times), LONG / slowest * count, times)
    solver = "LSODA" if len(first) <= LARGEST else "RK45"
    parts = [split(state) for state in integrate(field, first, times, TOLERANCE, solver=solver)]
    return (
        np.stack([h @ basis.T for h, _, _ in parts]),
        np.stack([h @ j.T + c + rest + targets for h, j, c in parts]),
    )

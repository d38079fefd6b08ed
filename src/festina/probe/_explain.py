"""What a user's own ReLU network consists of: modules, what each sees and what it is good for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina import _check
from festina._task import Task
from festina._trajectory import Trajectory
from festina.probe._decompose import MOST, TOLERANCE, ExplainedLayer, ExplainedModule, decompose, power
from festina.probe._probe import points
from festina.probe._weights import Chain, read
from festina.relu import FoundGates, find_gates


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """A ReLU network as a gated network of few modules; made by ``fs.explain``.

    Attributes:
        layers: for every hidden layer its modules and how well they imitate it.
        loss: mean loss 1/(2N) Σ ‖y − ŷ‖² of the network.
        baseline: that of always giving the mean target.
        outputs: of the network, (points, outputs).
        imitated: outputs of the gated network: the same weights, each unit switched by its module's pattern.
        error: Σ‖ŷ − ŷ'‖²/Σ‖ŷ‖² between the two.
        times: of the checkpoints, the last of which is the network: steps where told, else their numbers.
        errors: ``error`` at each checkpoint.
        losses: ``loss`` at each checkpoint.
        reln: the modules trained beside the network from its first checkpoint, where the rate is known.
        hidden: units of every hidden layer.
        notes: what the reader should know, in sentences.
    """

    layers: tuple[ExplainedLayer, ...]
    loss: float
    baseline: float
    outputs: np.ndarray
    imitated: np.ndarray
    error: float
    times: np.ndarray
    errors: np.ndarray
    losses: np.ndarray
    reln: FoundGates | None
    hidden: tuple[int, ...]
    notes: tuple[str, ...]

    @property
    def modules(self) -> tuple[ExplainedModule, ...]:
        """Modules of the last hidden layer, whose sum the output is."""
        return self.layers[-1].modules

    @property
    def gates(self) -> np.ndarray:
        """Their gating patterns, one row of booleans each."""
        return np.array([module.pattern for module in self.modules])

    def to_json(self) -> dict[str, Any]:
        """Everything but the outputs, as plain data."""
        found = {
            "hidden": list(self.hidden),
            "loss": self.loss,
            "baseline": self.baseline,
            "error": self.error,
            "times": self.times.tolist(),
            "errors": self.errors.tolist(),
            "losses": self.losses.tolist(),
            "layers": [layer.to_json() for layer in self.layers],
            "notes": list(self.notes),
        }
        if self.reln is not None:
            found["reln"] = {
                "modules": self.reln.chosen,
                "gates": self.reln.gates.astype(int).tolist(),
                "imitation": {str(k): float(v) for k, v in self.reln.imitation.items()},
            }
        return found

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{len(layer.modules)} of {n} units" for layer, n in zip(self.layers, self.hidden, strict=True)
        )
        return f"Explanation(modules: {counts}; they give {max(0.0, 1 - self.error):.1%} of the output)"

    def __str__(self) -> str:
        widths = " and ".join(map(str, self.hidden))
        lines = [
            f"A ReLU network with {widths} hidden units on {len(self.outputs)} data points: loss {self.loss:.3g}; "
            f"giving the mean target has {self.baseline:.3g}.",
            f"As a gated network of the modules below it has an imitation error of {self.error:.2g}.",
        ]
        for layer in self.layers:
            lines += ["", *str(layer).splitlines()]
        if self.reln is not None:
            error = self.reln.imitation[self.reln.chosen]
            lines += [
                "",
                f"Trained beside it from the first checkpoint, {len(self.reln.gates)} modules have an imitation error "
                f"of {error:.2g} over all of training.",
            ]
        return "\n".join([*lines, *(["", *self.notes] if self.notes else [])])


def explain(
    model: Any,
    x: Any,
    y: Any,
    checkpoints: Sequence[Any] | None = None,
    *,
    modules: int | str = "auto",
    most: int = MOST,
    tolerance: float = TOLERANCE,
    steps: Sequence[int] | None = None,
    rate: float | None = None,
    seed: int = 0,
) -> Explanation:
    """Explain your own ReLU network: which units work together, on which data points, and what each group is good for.

    Units that are on at the same data points form a module. A module is linear on the points it sees, so that the
    network is a gated deep linear network of its modules:

        ŷ = b + Σ_m g_m(x) W_m [x; 1],   W_m = Σ_{j ∈ m} w_out,j w_in,jᵀ

    for one hidden layer, and likewise in every layer of a deeper one. Gates are grouped by k-means, units weighed by
    |w_out|·|activity|, so that those that contribute nothing do not count. ``"auto"`` takes the fewest modules whose
    gated network has an imitation error Σ‖ŷ − ŷ'‖²/Σ‖ŷ‖² within the tolerance.

    Args:
        model: a ``torch.nn.Module`` or an equinox module whose layers are Linear with ReLU between them, however nested
            (its own outputs on x are compared); a list of matrices (out, in) or of pairs (matrix, bias), or arrays by
            name; or a ``.npz`` or ``.safetensors`` file of them. Files are never unpickled.
        x: inputs, (points, …), flattened as the network takes them.
        y: targets, (points, outputs); class labels as one-hot rows.
        checkpoints: the same network earlier in training, first to last, each as ``model`` may be given. Gates are then
            grouped through all of training, and each module tells when it became active.
        modules: per hidden layer, or ``"auto"``.
        most: largest number that ``"auto"`` tries.
        tolerance: imitation error that is small enough: 0.01 leaves a hundredth of the outputs' power unexplained.
        steps: training steps of the checkpoints and, last, of the model.
        rate: step size on the mean loss 1/(2N) Σ ‖y − ŷ‖², if the network was trained by plain full-batch descent: with
            it a gated network of the modules is trained beside it (``fs.relu.find_gates``, one hidden layer).
        seed: of the random starts of k-means.

    Returns:
        An ``Explanation``; print it, draw it with ``fs.plot.explanation``.

    Raises:
        ValueError: not a ReLU network, a file of another kind, data of another width, or a network that never learned.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.extended_xor(0.0), fs.ReLU((64,), initial=fs.initial.Gaussian(1e-3))
        >>> run = fs.evolve(network, task, [0.0, 40.0], method=fs.Train(rate=0.4), observe=("weights",))
        >>> found = fs.explain([w[-1] for w in run.weights], task.x, task.y)
        >>> found
        Explanation(modules: 4 of 64 units; they give 100.0% of the output)
        >>> found.gates.astype(int).tolist()
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

    Source: jarvis2025 section 3, Algorithm 1 (contributions, tolerance and files are ours).
    """
    modules = modules if modules == "auto" else _check.whole("modules", modules)
    most, tolerance = _check.whole("most", most), _check.positive("tolerance", tolerance)
    x, y = points("x", x), points("y", y)
    if len(x) != len(y):
        raise ValueError(f"x has {len(x)} points and y has {len(y)}; both need one row per data point.")
    given = () if checkpoints is None else _check.listing("checkpoints", checkpoints, "networks or files")
    chain = read("model", model, x, y.shape[1])
    chains = [*(read(f"checkpoints[{i}]", part, x, y.shape[1]) for i, part in enumerate(given)), chain]
    for i, other in enumerate(chains):
        if other.hidden != chain.hidden:
            raise ValueError(
                f"checkpoints[{i}] has {other.hidden} hidden units and the model {chain.hidden}; "
                "give checkpoints of the same network."
            )
    times = _times(steps, len(chains))
    losses = np.array([power(y - part.outputs(x)) / 2 for part in chains])
    baseline = power(y - y.mean(axis=0)) / 2
    notes = _learned(chain.outputs(x), y, float(losses[-1]), baseline)
    reln = None if rate is None else _train_beside(chains, x, y, steps, rate, modules, most, seed)
    layers = decompose(chains, times, x, y, modules, most, tolerance, seed)
    outputs = [part.outputs(x) for part in chains]
    gates = [dict(enumerate(layer.switched(h) for layer, h in zip(layers, c.layers(x), strict=True))) for c in chains]
    imitated = [part.outputs(x, own) for part, own in zip(chains, gates, strict=True)]
    pairs = zip(outputs, imitated, strict=True)
    errors = np.array([power(a - b) / power(a) if a.any() else 0.0 for a, b in pairs])
    if errors[-1] > tolerance:
        counts = " and ".join(str(len(layer.modules)) for layer in layers)
        notes += (
            f"These {counts} modules leave {min(errors[-1], 1):.0%} of the output's power unexplained: its units are "
            "not few groups on these data. Ask for more with most or modules, or for fewer data points.",
        )
    return Explanation(
        layers, float(losses[-1]), baseline, outputs[-1], imitated[-1], float(errors[-1]), times, errors, losses, reln,
        chain.hidden, notes,
    )  # fmt: skip


def _times(steps: Any, count: int) -> np.ndarray:
    if steps is None:
        return np.arange(count, dtype=float)
    found = _check.times(steps)
    if len(found) != count:
        raise ValueError(
            f"steps has {len(found)} values for {count - 1} checkpoint(s) and the model; give one for each, the "
            "model's last."
        )
    return found


def _learned(outputs: np.ndarray, y: np.ndarray, loss: float, baseline: float) -> tuple[str, ...]:
    """Raise for a network that has not learned these data; a sentence for a classifier whose outputs are no targets."""
    least = min(baseline, power(y) / 2)
    if loss < least:
        return ()
    if y.shape[1] > 1 and np.isin(y, (0.0, 1.0)).all() and (y.sum(axis=1) == 1).all():
        right = float((outputs.argmax(axis=1) == y.argmax(axis=1)).mean())
        if right > y.mean(axis=0).max():
            return (
                f"Its outputs are no estimates of y, but the largest is right at {right:.0%} of the points: a "
                "classifier. Read the shares of the output, not the losses.",
            )
    raise ValueError(
        f"model has the loss {loss:.4g} on these data, no less than {least:.4g} without any input (the mean target, or "
        "zero): it has not learned them, and has no modules to explain. Check that x and y are scaled and ordered as "
        "in training, that its hidden layers are ReLU, or train it longer."
    )


def _train_beside(
    chains: Sequence[Chain],
    x: np.ndarray,
    y: np.ndarray,
    steps: Any,
    rate: Any,
    modules: int | str,
    most: int,
    seed: int,
) -> FoundGates:
    """``find_gates`` on the checkpoints, as the training run they are."""
    rate = _check.positive("rate", rate)
    if steps is None or len(chains) < 3:
        raise ValueError("rate needs steps and at least two checkpoints: a gated network is trained between them.")
    if any(len(chain.hidden) != 1 or chain.biases[-1].any() for chain in chains):
        raise ValueError(
            "rate is given, but modules are trained beside networks of one hidden layer without an output bias; leave "
            "rate out."
        )
    biased = any(chain.biased for chain in chains)
    # the bias of the first layer is the weight of an input that is always one
    inputs = np.hstack([x, np.ones((len(x), 1))]) if biased else x
    first = [np.hstack([c.matrices[0], c.biases[0][:, None]]) if biased else c.matrices[0] for c in chains]
    weights = (np.stack(first), np.stack([c.matrices[1] for c in chains]))
    numbers = [int(s) for s in steps]
    run = Trajectory(np.array(numbers) * rate, {"weights": weights}, method="checkpoints", notes={"steps": numbers})
    return find_gates(run, Task(inputs, y), modules, most=max(most, 3), seed=seed)

"""The modules that the theory predicts for a network's own start, beside those that were found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from festina.core.task import Task
from festina.explanation._findings import ExplainedModule, Match
from festina.explanation._network import Chain
from festina.interop.operation import Dense


def check_start(start: Chain) -> None:
    """Refuse networks for which no modules are predicted.

    Raises:
        ValueError: more than one hidden layer, or another activation function than ReLU.
    """
    if len(start.activations) != 1 or len(start.operations) != 3 or start.activation(0).name != "relu":
        raise ValueError(
            "rate is given, but the theory predicts ReLU networks with one hidden layer of matrices; leave rate out."
        )


def predict(start: Chain, x: np.ndarray, y: np.ndarray, times: np.ndarray) -> list[list[tuple[np.ndarray, np.ndarray]]]:
    """Weights (matrix, bias) of both layers at every flow time, as ``fs.Reduced()`` predicts them from a start."""
    from festina.initial import Weights
    from festina.methods import Reduced, evolve
    from festina.relu import ReLU

    dense = [step for step in start.operations if isinstance(step, Dense)]
    is_biased = any(step.bias.any() for step in dense)
    matrices = [np.column_stack([s.matrix, s.bias]) if is_biased else s.matrix for s in dense]
    network = ReLU((len(dense[0].matrix),), initial=Weights(matrices), bias=is_biased)
    run = evolve(network, Task(x, y), times, method=Reduced(), observe=("weights",))
    first, second = (np.asarray(layer, float) for layer in run.weights)
    return [[_layer(first[i], is_biased), _layer(second[i], is_biased)] for i in range(len(times))]


def _layer(matrix: np.ndarray, is_biased: bool) -> tuple[np.ndarray, np.ndarray]:
    return (matrix[:, :-1], matrix[:, -1]) if is_biased else (matrix, np.zeros(len(matrix)))


def match(found: Sequence[ExplainedModule], predicted: Sequence[ExplainedModule]) -> tuple[Match, ...]:
    """Found and predicted modules in pairs such that gates agree best in all; what is left over stands alone."""
    from scipy.optimize import linear_sum_assignment

    agreement = np.array([[float((one.gate == other.gate).mean()) for other in predicted] for one in found])
    rows, columns = linear_sum_assignment(-agreement)
    pairs = [
        Match(found[i].number, predicted[j].number, float(agreement[i, j]), found[i].active_at, predicted[j].active_at)
        for i, j in zip(rows, columns, strict=True)
    ]
    pairs += [Match(m.number, None, 0.0, m.active_at, None) for i, m in enumerate(found) if i not in rows]
    pairs += [Match(None, m.number, 0.0, None, m.active_at) for j, m in enumerate(predicted) if j not in columns]
    return tuple(pairs)

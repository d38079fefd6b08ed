"""The modules that the theory predicts for a network's own start, beside those that were found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from festina._task import Task
from festina.explanation._module import ExplainedModule
from festina.explanation._network import Chain
from festina.explanation._operation import Dense


@dataclass(frozen=True, eq=False)
class Match:
    """A module that was found beside the predicted one that is on most alike.

    Attributes:
        found, predicted: numbers of the modules, from 1.
        agreement: share of data points at which both gates are equal.
        found_at, predicted_at: first checkpoint time at which each contributes half of the most it ever does.
    """

    found: int
    predicted: int
    agreement: float
    found_at: float
    predicted_at: float

    def __str__(self) -> str:
        return (
            f"Module {self.found} is on as predicted module {self.predicted} at {self.agreement:.0%} of the data "
            f"points; active at {self.found_at:g}, predicted {self.predicted_at:g}."
        )


def predict(start: Chain, x: np.ndarray, y: np.ndarray, times: np.ndarray) -> list[list[tuple[np.ndarray, np.ndarray]]]:
    """Weights (matrix, bias) of both layers at every flow time, as ``fs.Race()`` predicts them from a start.

    Raises:
        ValueError: a start with more than one hidden layer, or not a ReLU network.
    """
    from festina._evolve import evolve
    from festina.initial import Weights
    from festina.methods import Race
    from festina.relu import ReLU

    dense = [step for step in start.operations if isinstance(step, Dense)]
    if len(start.activations) != 1 or len(start.operations) != 3 or start.activation(0).name != "relu":
        raise ValueError(
            "rate is given, but the theory predicts ReLU networks with one hidden layer of matrices; leave rate out."
        )
    is_biased = any(step.bias.any() for step in dense)
    matrices = [np.column_stack([s.matrix, s.bias]) if is_biased else s.matrix for s in dense]
    network = ReLU((len(dense[0].matrix),), initial=Weights(matrices), bias=is_biased)
    run = evolve(network, Task(x, y), times, method=Race(), observe=("weights",))
    first, second = (np.asarray(layer, float) for layer in run.weights)
    return [[_layer(first[i], is_biased), _layer(second[i], is_biased)] for i in range(len(times))]


def _layer(matrix: np.ndarray, is_biased: bool) -> tuple[np.ndarray, np.ndarray]:
    return (matrix[:, :-1], matrix[:, -1]) if is_biased else (matrix, np.zeros(len(matrix)))


def match(found: Sequence[ExplainedModule], predicted: Sequence[ExplainedModule]) -> tuple[Match, ...]:
    """Every found module with the predicted one that is on most alike."""
    matches = []
    for module in found:
        agreement = [float((module.gate == other.gate).mean()) for other in predicted]
        best = int(np.argmax(agreement))
        other = predicted[best]
        matches.append(Match(module.number, other.number, agreement[best], module.active_at, other.active_at))
    return tuple(matches)

"""Modules through training: when each appears, splits or dies, and which modules the theory predicts for its start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from festina.core.task import Task
from festina.explanation._findings import Event, ExplainedModule, Match
from festina.explanation._group import by_gates, vote
from festina.explanation._network import Chain
from festina.explanation._view import View, view
from festina.initial import Weights
from festina.interop.operation import Dense
from festina.methods import Reduced, evolve
from festina.relu import ReLU

MAX_POINTS = 1_000
"""Data points on which checkpoints are looked at."""

SAME = 0.95
"""Share of data points at which two gates agree from which their modules count as one."""

GONE = 0.1
"""Share of its largest contribution below which a group of units counts as gone."""


@dataclass(frozen=True, eq=False)
class Course:
    """One layer through training.

    Attributes:
        contributions: (modules, checkpoints).
        events: in order of time.
    """

    contributions: np.ndarray
    events: tuple[Event, ...]


def follow(
    chains: Sequence[Chain], times: np.ndarray, x: np.ndarray, frame: np.ndarray, layer: int, labels: np.ndarray,
    seed: int,
) -> Course:  # fmt: skip
    """A layer at every checkpoint, by the modules of the last."""
    few = x[:MAX_POINTS]
    views = []
    for chain in chains:
        inputs, pre, _ = chain.look(few)
        views.append(view(chain, layer, inputs, pre, frame))
    count = int(labels.max()) + 1
    contributions = np.array([[v.contribution[labels == m].sum() for v in views] for m in range(count)])
    events = [*_appearing(contributions, times, layer), *_splitting(views, contributions, times, layer, labels)]
    events += _dying(views, times, layer, count, seed)
    return Course(contributions, tuple(sorted(events, key=lambda event: event.time)))


def active_at(contributions: np.ndarray, times: np.ndarray) -> float:
    """The first time with half of the largest contribution."""
    return float(times[np.argmax(contributions >= contributions.max() / 2)])


def _appearing(contributions: np.ndarray, times: np.ndarray, layer: int) -> list[Event]:
    found = []
    for m, course in enumerate(contributions):
        time = active_at(course, times)
        if time > times[0]:
            text = f"Module {m + 1} of layer {layer + 1} reaches half of its largest contribution by {time:g}."
            found.append(Event(time, layer + 1, "appears", (m + 1,), text))
    return found


def _splitting(
    views: Sequence[View], contributions: np.ndarray, times: np.ndarray, layer: int, labels: np.ndarray
) -> list[Event]:
    """Pairs of modules whose gates agreed at a checkpoint and differ from the next on."""
    count = len(contributions)
    gates = [vote(v.on, v.contribution, labels, count) for v in views]
    active = contributions >= GONE * contributions.max(axis=1, keepdims=True)
    found = []
    for a in range(count):
        for b in range(a + 1, count):
            agree = np.array([float((g[:, a] == g[:, b]).mean()) for g in gates]) >= SAME
            both = active[a] & active[b]
            for t in range(1, len(times)):
                if agree[t - 1] and both[t - 1] and not agree[t:].any():
                    pair = f"Modules {a + 1} and {b + 1} of layer {layer + 1}"
                    text = f"{pair}, on together until then, part by {times[t]:g}."
                    found.append(Event(float(times[t]), layer + 1, "splits", (a + 1, b + 1), text))
                    break
    return found


def _dying(views: Sequence[View], times: np.ndarray, layer: int, count: int, seed: int) -> list[Event]:
    """Groups of units that contribute at some checkpoint and no longer at the end; each unit is counted once."""
    found: list[Event] = []
    counted = np.zeros(len(views[0].contribution), bool)
    for t in reversed(range(len(views) - 1)):
        now = views[t].contribution
        rows = np.arange(len(views[t].pre))[:MAX_POINTS]
        labels = by_gates(views[t], rows, count, seed)
        if labels is None or not now.any():
            continue
        for group in range(count):
            own = labels == group
            strength = now[own].sum()
            later = np.array([v.contribution[own].sum() for v in views[t + 1 :]])
            if counted[own].any() or strength < GONE * now.sum() or later[-1] > GONE * strength:
                continue
            counted |= own
            end = float(times[t + 1 + int(np.argmax(later <= GONE * strength))])
            text = (
                f"{int(own.sum())} units of layer {layer + 1} that gave {strength / now.sum():.0%} of its contribution "
                f"at {times[t]:g} give less than a tenth of that by {end:g}."
            )
            found.append(Event(end, layer + 1, "dies", (), text))
    return found


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
    dense = [step for step in start.operations if isinstance(step, Dense)]
    is_biased = any(step.bias.any() for step in dense)
    matrices = [np.column_stack([s.matrix, s.bias]) if is_biased else s.matrix for s in dense]
    network = ReLU((len(dense[0].matrix),), initial=Weights(matrices), bias=is_biased)
    run = evolve(network, Task(x, y), times, method=Reduced(), observe=("weights",))
    first, second = (np.asarray(layer, float) for layer in run.weights)
    return [[_layer(first[i], is_biased), _layer(second[i], is_biased)] for i in range(len(times))]


def _layer(matrix: np.ndarray, is_biased: bool) -> tuple[np.ndarray, np.ndarray]:
    return (matrix[:, :-1], matrix[:, -1]) if is_biased else (matrix, np.zeros(len(matrix)))


def match(found: Sequence[ExplainedModule], predicted: Sequence[ExplainedModule], first: float) -> tuple[Match, ...]:
    """Pairs of found and predicted modules with the best total agreement of gates; the rest remain without partner.

    Where a module of a pair is active at the ``first`` checkpoint already, neither time is given.
    """
    from scipy.optimize import linear_sum_assignment

    def at(module: ExplainedModule, partner: ExplainedModule) -> float | None:
        return module.active_at if min(module.active_at, partner.active_at) > first else None

    agreement = np.array([[float((one.gate == other.gate).mean()) for other in predicted] for one in found])
    rows, columns = linear_sum_assignment(-agreement)
    pairs = []
    for i, j in zip(rows, columns, strict=True):
        one, other = found[i], predicted[j]
        pairs.append(Match(one.number, other.number, float(agreement[i, j]), at(one, other), at(other, one)))
    pairs += [Match(m.number, None, 0.0, at(m, m), None) for i, m in enumerate(found) if i not in rows]
    pairs += [Match(None, m.number, 0.0, None, at(m, m)) for j, m in enumerate(predicted) if j not in columns]
    return tuple(pairs)

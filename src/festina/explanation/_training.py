"""Modules through training: when each becomes active, when two that were one part, and groups that die."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from festina.explanation._findings import Event
from festina.explanation._group import by_gates, vote
from festina.explanation._network import Chain
from festina.explanation._view import View, view

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

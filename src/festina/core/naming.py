"""Names for what a network learns, in the words of the task: which things are set apart, and by which outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from festina.core.task import Task

SHARE = 0.5
"""Share of the largest weight from which an item, an input or an output belongs to a distinction."""

FIRST = 0.8
"""Share of the largest weight from which a data point may decide which side of a distinction stands first."""

MOST = 3
"""Names in one list; of longer ones the rest is counted."""

EVERYTHING = "everything"
"""Everything that all data points have in common."""

ALL_OUTPUTS = "all outputs"
"""Difference between things that have more, or less, of every output."""

FREQUENCIES = "class frequencies"
"""Knowledge of a network that gives each class the same output at all data points."""

PART = 0.1
"""Share of the largest weight from which the smallest takes part, where all have one sign."""

MANY_ITEMS = 24
"""Above this number of unnamed data points, or where inputs have names, a distinction is named by the inputs that it
follows."""


def name_distinction(task: Task, items: np.ndarray, outputs: np.ndarray) -> str:
    """A distinction between data points in words: ``"animals | plants: move ↔ roots"``.

    The data points on one side of the bar have more of the outputs on the same side of the arrow. Where the task has
    classes or categories, these are named; in a table of numbers with many rows, the inputs that the distinction
    follows.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.living_things(8)
        >>> name_distinction(task, task.statistics.right[:, 1], task.statistics.left[:, 1])
        'animals | plants: move ↔ roots'
    """
    items, outputs = np.asarray(items, float), np.asarray(outputs, float)
    # which side stands first says nothing: it is the one that the data begin with
    if items[np.argmax(np.abs(items) >= FIRST * np.abs(items).max())] < 0:
        items, outputs = -items, -outputs
    if task.classes is not None:
        counts = np.bincount(task.classes, minlength=len(task.outputs))
        weights = np.bincount(task.classes, items, minlength=len(task.outputs)) / np.maximum(counts, 1)
        names = [f"class {name}" if name.isdigit() else name for name in task.outputs]
        found = _versus(*(_listed(side, names) for side in _split(names, weights)))
        return FREQUENCIES if found == EVERYTHING else found
    up, down = _split(task.outputs, outputs)
    all_alike = MOST < len(task.outputs) in (len(up), len(down))
    sides = (ALL_OUTPUTS,) if all_alike else (_listed(up, ()), _listed(down, ()))
    moved = " ↔ ".join(side for side in sides if side)
    things = _things(task, items)
    return things if len(task.outputs) == 1 and not task.named("outputs") else f"{things}: {moved}" if moved else things


def name_group(names: Sequence[str]) -> str:
    """One name for distinctions that are learned together.

    Example:
        >>> name_group(["canary | robin: sing ↔ red breast", "oak | pine: acorns ↔ needles"])
        'canary | robin; oak | pine'
    """
    if len(names) == 1:
        return names[0]
    things = [name.partition(":")[0] for name in names]
    return "; ".join(things[:MOST]) + (f"; and {len(things) - MOST} more" if len(things) > MOST else "")


def _things(task: Task, weights: np.ndarray) -> str:
    """Kind of things that a distinction separates: items, categories of items, or inputs."""
    few = len(task.items) <= MANY_ITEMS and not task.named("inputs")
    if task.categories or task.contexts or task.named("items") or few:
        categories = dict(task.categories)
        for item, context in zip(task.items, task.contexts, strict=False):
            categories[context] = (*categories.get(context, ()), item)
        sides = _split(task.items, weights)
        listed = [_listed(side, task.items) for side in sides]
        most = not sides[1] and len(sides[0]) > MOST
        whole = EVERYTHING in listed or (most and weights.min() >= PART * weights.max())
        others = [item for item in task.items if item not in sides[0]]
        if not sides[1] and 0 < len(others) <= MOST < len(sides[0]):
            return f"{EVERYTHING} but {_listed(others, ())}"
        return _versus(
            *((EVERYTHING, "") if whole else (_as_categories(categories, side) or _listed(side, ()) for side in sides))
        )
    centred = task.x - task.x.mean(axis=0)
    size = np.linalg.norm(centred, axis=0) * np.linalg.norm(weights - weights.mean())
    follows = np.divide(centred.T @ weights, size, out=np.zeros(len(size)), where=size > 0)
    whole = task.inputs if len(task.inputs) > MOST else ()
    high, low = (_listed(side, whole) for side in _split(task.inputs, follows))
    return ", ".join(filter(None, (high and f"high {high}", low and f"low {low}"))) or EVERYTHING


def _split(names: Sequence[str], weights: np.ndarray) -> tuple[list[str], list[str]]:
    """The names with large positive and those with large negative weights, largest first."""
    largest = float(np.abs(weights).max(initial=0.0))
    if largest == 0:
        return [], []
    # equal weights keep the order of the names in spite of rounding
    size = (weights / largest).round(6)
    order = np.argsort(-np.abs(size), kind="stable")
    every = list(names)
    return [every[i] for i in order if size[i] > SHARE], [every[i] for i in order if size[i] < -SHARE]


def _versus(first: str, second: str) -> str:
    return f"{first} | {second}" if first and second else first or (f"not {second}" if second else EVERYTHING)


def _as_categories(categories: Mapping[str, Sequence[str]], side: list[str]) -> str:
    """The categories that together make up these items; empty if none do."""
    left, found = set(side), []
    for name, members in sorted(categories.items(), key=lambda pair: -len(pair[1])):
        if left and set(members) <= left:
            found.append(name)
            left -= set(members)
    return "" if left or not 0 < len(found) <= MOST else _listed(found, ())


def _listed(names: list[str], whole: Sequence[str]) -> str:
    """At most ``MOST`` names, then how many more; numbered ones as ``items 1, 2``; all of them as one word."""
    if len(names) == len(whole) > 1:
        return EVERYTHING
    words = {name.rpartition(" ")[0] for name in names}
    numbered = all(word.isalpha() for word in words) and len(words) == 1
    numbered = numbered and all(name.rpartition(" ")[2].isdigit() for name in names)
    shown = [name.rpartition(" ")[2] for name in names] if numbered else names
    rest = len(shown) - MOST
    listed = ", ".join(shown[:MOST]) + (f" and {rest} more" if rest > 0 else "")
    if not numbered:
        return listed
    word = words.pop()
    plural = "" if len(names) == 1 else "es" if word.endswith("s") else "s"
    return f"{word}{plural} {listed}"

"""Shared by the context experiments: gated networks that stand for ReLU networks."""

import numpy as np

import festina as fs


def published_subsets(contexts: int) -> list[tuple[int, ...]]:
    """The paper's pathways: on in all contexts, and in all but one."""
    every = range(contexts)
    return [tuple(every), *(tuple(k for k in every if k != off) for off in reversed(every))]


def reln(
    contexts: int, subsets: list, task: fs.Task, hidden: int, std: float, rate: float = 0.0, *, units: int | None = None
) -> fs.Gated:
    """Pathways open in the given subsets of contexts, each with ``units`` or as many as a ReLU network gives it.

    n linear units with weights of variance σ² start a mode with nσ²/2; ``fs.relu.initial_strengths`` is what the random
    units of the ReLU layer amount to (4096 draws: 2 % of sampling error). Numbered pathways compile once for all gates.
    """
    outputs, items = task.y.shape[1], task.x.shape[1] - contexts
    gates = np.array([np.isin(np.argmax(task.x[:, items:], axis=1), subset) for subset in subsets])
    counts = [units or 0] * len(subsets)
    if units is None:
        strengths = fs.relu.initial_strengths(task, gates, hidden=hidden, std=std, rate=rate, draws=4096)
        counts = [max(round(2 * float(strength) / std**2), 1) for strength in strengths]
    common = [len(subset) == contexts for subset in subsets]
    widths = [min(n, outputs + items + contexts * every) for n, every in zip(counts, common, strict=True)]
    drawn = fs.gated.RandomPathways(std, {f"pathway {i + 1}": n for i, n in enumerate(counts)})
    return fs.gated.pathways(gates, widths, inputs=[None if every else range(items) for every in common], initial=drawn)

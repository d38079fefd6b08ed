"""What the context experiments share: gated networks that stand for ReLU networks, and where ReLU units are on."""

import numpy as np

import festina as fs


def reln(contexts: int, subsets: list, task: fs.Task, hidden: int, std: float, rate: float) -> fs.Gated:
    """Pathways open in the given subsets of contexts, each with as many random units as a ReLU network gives it.

    n linear units with weights of variance σ² start a mode with nσ²/2; ``fs.relu.initial_strengths`` is what the random
    units of the ReLU layer amount to (of 4096 draws: 2 % of sampling error). Pathways are numbered, not named by
    contexts, so that networks which differ in gates only are compiled once.
    """
    outputs, items = task.y.shape[1], task.x.shape[1] - contexts
    gates = np.array([np.isin(np.argmax(task.x[:, items:], axis=1), subset) for subset in subsets])
    strengths = fs.relu.initial_strengths(task, gates, hidden=hidden, std=std, rate=rate, draws=4096)
    counts = [max(round(2 * float(strength) / std**2), 1) for strength in strengths]
    common = [len(subset) == contexts for subset in subsets]
    widths = [min(n, outputs + items + contexts * every) for n, every in zip(counts, common, strict=True)]
    units = fs.gated.RandomPathways(std, {f"pathway {i + 1}": n for i, n in enumerate(counts)})
    return fs.gated.pathways(gates, widths, inputs=[None if every else range(items) for every in common], initial=units)


def contexts_on(activity: np.ndarray, contexts: int, threshold: float = 0.0) -> np.ndarray:
    """Number of contexts in which each unit is on, (…, units), from activities (…, points, units).

    A unit is on in a context where its mean activity is above this share of its largest; 0 is the paper's threshold.
    """
    level = activity.reshape(*activity.shape[:-2], contexts, -1, activity.shape[-1]).mean(axis=-2)
    return (level > threshold * level.max(axis=-2, keepdims=True)).sum(axis=-2)


def shares_on(activity: np.ndarray, out: np.ndarray, contexts: int, threshold: float = 0.0) -> np.ndarray:
    """Share of what units contribute by the number of contexts they are on in, 1 to C: (…, contexts).

    A unit counts with ‖activity‖·‖output weights‖, what it adds to the map; ``out`` is (…, outputs, units).
    """
    size = np.linalg.norm(activity, axis=-2) * np.linalg.norm(out, axis=-2)
    on = contexts_on(activity, contexts, threshold)
    found = np.stack([np.where(on == k, size, 0.0).sum(axis=-1) for k in range(1, contexts + 1)], axis=-1).astype(float)
    return found / found.sum(axis=-1, keepdims=True)

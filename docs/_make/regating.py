"""Draws docs/figures/regating.png: units on in all contexts at the first plateau, and in fewer afterwards.

Run from the root of the repository: ``python docs/_make/regating.py``.
"""

from pathlib import Path

import numpy as np

import festina as fs
from festina.core.look import COLOURS, kind_of, look
from festina.plot import loss, panels, style

CONTEXTS, ITEMS, UNITS = 3, 8, 120
ON = 0.1
"""A unit is on in a context where its mean activity is above this share of its largest."""


def shares(run: fs.Trajectory, x: np.ndarray) -> np.ndarray:
    """(times, contexts): part of the contributions ‖activity‖‖a‖ of units that are on in 1, 2, … contexts."""
    found = []
    for first, second in zip(*run.weights, strict=True):
        activity = np.maximum(x @ first.T, 0.0)
        size = np.linalg.norm(activity, axis=0) * np.linalg.norm(second, axis=0)
        level = activity.reshape(CONTEXTS, ITEMS, -1).mean(axis=1)
        on = (level > ON * np.maximum(level.max(axis=0), 1e-300)).sum(axis=0)
        found.append([size[on == k + 1].sum() / size.sum() for k in range(CONTEXTS)])
    return np.array(found)


def main() -> None:
    """Train one network, predict it from its own weights, and draw both."""
    task = fs.tasks.context(CONTEXTS)
    network = fs.ReLU((UNITS,), initial=fs.initial.Gaussian(0.005 / UNITS))
    times = np.linspace(0, 120, 121)
    methods = {"trained": fs.Train(rate=0.05), "predicted": fs.Reduced()}
    runs = {k: fs.evolve(network, task, times, method=m, observe=("loss", "weights")) for k, m in methods.items()}
    with style():
        figure, axes = panels(1, 2, width=4.2)
        for name, run in runs.items():
            loss(run, axes[0], label=name)
            for k, part in enumerate(shares(run, task.x).T):
                label = ("on in one context", "on in two", "on in all three")[k] if name == "trained" else None
                axes[1].plot(times, part, label=label, **look(kind_of(run), (COLOURS[4], COLOURS[0], COLOURS[2])[k]))
        axes[0].set_title("Three contexts")
        axes[1].set(xlabel="time (flow time)", ylabel="share of what units put out")
        axes[1].set_title("Units re-gate after a plateau")
        axes[1].set(ylim=(-0.04, 1.45), yticks=np.linspace(0, 1, 6))
        for ax in axes:
            ax.legend(loc="upper right")
        figure.savefig(Path(__file__).parents[1] / "figures" / "regating.png")


if __name__ == "__main__":
    main()

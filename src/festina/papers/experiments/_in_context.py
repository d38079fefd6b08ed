"""Staircases of linear attention: one network on one task, by flow and by the race of heads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy

import festina as fs

if TYPE_CHECKING:
    from festina.tasks import InContextRegression

FLOW = fs.Flow(solver="LSODA", rtol=1e-8)
"""Plateaus that last thousands of time constants are stiff."""

PROMINENT = 0.05
"""Height of a drop, in units of the highest, from which it is counted: a twentieth is above every shoulder seen."""


@dataclass(frozen=True, eq=False)
class Staircase:
    """One network with separate key and query on one task, by flow and by the race of heads."""

    task: InContextRegression
    network: fs.LinearAttention
    flow: fs.Trajectory
    race: fs.Trajectory

    @property
    def passages(self):
        """Saddles that the flow passes."""
        return self.network.saddle_passages(self.flow)

    @property
    def ordered(self) -> bool:
        """Whether the flow passes ∅, {1}, {1, 2}, … and nothing else."""
        count = len(self.task.eigenvalues)
        return [p.components for p in self.passages] == [tuple(range(m)) for m in range(count + 1)]

    @property
    def plateau_error(self) -> float:
        """Largest distance of the loss at a passage from its saddle's; nan where the staircase is another."""
        if not self.ordered:
            return np.nan
        return float(np.abs([p.loss for p in self.passages] - self.task.plateaus).max())

    @property
    def times(self) -> tuple[np.ndarray, np.ndarray]:
        """When half of each component is learned: predicted and measured."""
        half = self.task.final_strengths / 2
        measured = [first(self.flow.times, self.flow.strengths[:, d] > half[d]) for d in range(len(half))]
        predicted = np.full(len(half), np.nan)
        for component, time in zip(self.race.notes["components"], self.race.notes["times"], strict=True):
            predicted[component] = time
        return predicted, np.array(measured)


def first(times: np.ndarray, reached: np.ndarray) -> float:
    """The first time at which something is reached; nan where it is not."""
    return float(times[np.argmax(reached)]) if reached.any() else np.nan


def climb(spectrum: tuple[float, ...], length: int, scale: float, seed: int) -> Staircase:
    """Flow and race from one start; times are dense where components are predicted to be learned."""
    task = fs.tasks.in_context_regression(spectrum, length)
    network = fs.LinearAttention(heads=len(spectrum) + 2, initial=fs.initial.Gaussian(scale))
    known = fs.evolve(network, task, [0.0], method=fs.Reduced(), seed=seed).notes["times"]
    end = 1.2 * max(known, default=1.0) + 20 / min(spectrum) ** 2
    around = [t * np.linspace(0.85, 1.15, 101) for t in known]
    times = np.unique(np.concatenate([[0.0], np.linspace(0, end, 200), np.geomspace(end / 1e3, end, 200), *around]))
    seen = ("loss", "strengths", "risk", "component_distance")
    flow = fs.evolve(network, task, times, method=FLOW, seed=seed, observe=seen)
    race = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed, observe=("loss", "strengths"))
    return Staircase(task, network, flow, race)


def count_drops(times: np.ndarray, loss: np.ndarray) -> int:
    """Drops of a loss curve: peaks of its fall per unit of logarithmic time."""
    later = times > 0
    log = np.log(times[later])
    grid = np.linspace(log[0], log[-1], 400)
    smooth = scipy.ndimage.gaussian_filter1d(np.interp(grid, log, loss[later]), 4)
    fall = np.concatenate([[0.0], -np.gradient(smooth, grid), [0.0]])
    return len(scipy.signal.find_peaks(fall, prominence=PROMINENT * fall.max())[0])


def time_errors(stairs: list[Staircase]) -> np.ndarray:
    """Relative error of every predicted time."""
    pairs = [stair.times for stair in stairs]
    return np.concatenate([np.abs(predicted / measured - 1) for predicted, measured in pairs])

"""Choices of a recurrent network from noisy evidence, and the psychophysical kernel: which evidence they depend on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis import Trajectory
from festina.analysis.observed import learned_task
from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.core.look import axis, styled
from festina.recurrent._network import LinearRNN

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Deadline:
    """The choice is the sign of the answer a fixed time after the last evidence.

    Args:
        delay: steps without evidence between the end of the sequence and the answer.

    Example:
        >>> import festina as fs
        >>> fs.recurrent.Deadline(delay=2).delay
        2
    """

    delay: int = 0

    def __post_init__(self) -> None:
        check.whole("delay", self.delay, least=0)


@dataclass(frozen=True)
class Bound:
    """The choice is made when the answer first reaches a bound, on either side; at the end of the sequence otherwise.

    Args:
        height: the height of the bound, in units of the answer, > 0.

    Example:
        >>> import festina as fs
        >>> fs.recurrent.Bound(1.5).height
        1.5
    """

    height: float

    def __post_init__(self) -> None:
        check.positive("height", self.height)


@dataclass(frozen=True, eq=False, repr=False)
class Decisions:
    """Trials on which a network decided; made by ``decide``. The first axis of arrays is trials.

    Attributes:
        evidence: along the direction of the mode, at each step (trials, steps).
        coherence: its mean on the trial.
        right: whether the answer was positive.
        steps: when the choice was made, in steps from 1.

    Example:
        >>> import numpy as np, festina as fs
        >>> noise = np.random.default_rng(0).normal(size=(1000, 3))
        >>> told = fs.recurrent.Decisions(noise, np.zeros(1000), noise[:, 2] > 0, np.full(1000, 3))
        >>> (told.kernel.round(1) + 0).tolist()
        [0.0, -0.1, 1.7]
    """

    evidence: np.ndarray
    coherence: np.ndarray
    right: np.ndarray
    steps: np.ndarray

    @property
    def kernel(self) -> np.ndarray:
        """The psychophysical kernel: mean fluctuation of the evidence at each step before choices of right, less that
        before choices of left. Fluctuations are about the coherence.
        """
        away = self.evidence - self.coherence[:, None]
        if self.right.all() or not self.right.any():
            return np.full(away.shape[1], np.nan)
        return away[self.right].mean(axis=0) - away[~self.right].mean(axis=0)

    @property
    def kernel_error(self) -> np.ndarray:
        """Standard errors of the kernel."""
        away = self.evidence - self.coherence[:, None]
        parts = [away[which] for which in (self.right, ~self.right)]
        return np.sqrt(sum(part.var(axis=0) / max(len(part), 1) for part in parts))

    def to_pandas(self) -> pd.DataFrame:
        """One row per coherence: number of trials, share of right choices, and mean time of the choice in steps."""
        import pandas as pd

        rows = []
        for coherence in np.unique(self.coherence):
            own = self.coherence == coherence
            rows.append({
                "coherence": coherence, "trials": int(own.sum()), "right": self.right[own].mean(),
                "steps": self.steps[own].mean(),
            })  # fmt: skip
        return pd.DataFrame(rows)

    @styled
    def plot(self, ax: Axes | None = None, *, label: str | None = None) -> Axes:
        """Draw the psychophysical kernel, with standard errors.

        Args:
            ax: axes to draw into; None is pyplot's current axes.
            label: for the legend.
        """
        ax = axis(ax)
        steps = np.arange(1, self.evidence.shape[1] + 1)
        ax.errorbar(steps, self.kernel, self.kernel_error, marker="o", label=label)
        ax.set(xlabel="step of the evidence", ylabel="psychophysical kernel")
        return ax

    def __repr__(self) -> str:
        count, length = self.evidence.shape
        return f"Decisions({count} trials of {length} steps: {self.right.mean():.0%} right)"


def decide(
    trajectory: Trajectory,
    readout: Deadline | Bound = Deadline(),
    *,
    coherences: ArrayLike = 0.0,
    trials: int = 1000,
    time: float | None = None,
    mode: int = 0,
    seed: int = 0,
) -> Decisions:
    """Let the networks of a trajectory, trained or predicted, decide on noisy evidence.

    At each step the evidence is x_t = coherence·v + ε_t. Here ε_t is standard normal, and v is the input direction of a
    mode. The answer is read along the mode's output direction u. The network's own noise is drawn on each trial.

    Args:
        trajectory: a trajectory of ``fs.LinearRNN``, with ``"weights"`` observed.
        readout: ``Deadline`` or ``Bound``.
        coherences: means of the evidence; trials are divided among them.
        trials: trials of each network.
        time: the last time of the trajectory up to which it has learned; None is its end.
        mode: number of the mode.
        seed: draws evidence and noise.

    Raises:
        ValueError: another network, weights that were not observed, or counts that are none.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.integration(length=4)
        >>> network = fs.LinearRNN(8, length=4, initial=fs.initial.Gaussian(0.05))
        >>> run = fs.evolve(network, task, [0.0, 40.0], method=fs.Flow(), observe=("weights",))
        >>> found = fs.recurrent.decide(run, trials=4000)
        >>> found.kernel.round(1)  # √(2/π)·2/√4: a network that sums gives all evidence the same weight
        array([0.8, 0.8, 0.8, 0.8])

    Source: proca2025 (integration over time).
    """
    check.instance("trajectory", trajectory, Trajectory, "what fs.evolve gives")
    network = trajectory.network
    if not isinstance(network, LinearRNN):
        raise ValueError(f"trajectory is of {type(network).__name__}; fs.recurrent.decide is for fs.LinearRNN.")
    if "weights" not in trajectory.values:
        raise ValueError("trajectory did not observe 'weights'; use fs.evolve(..., observe=('weights',)).")
    check.instance("readout", readout, (Deadline, Bound), "fs.recurrent.Deadline() or fs.recurrent.Bound(height)")
    levels = np.atleast_1d(check.numbers("coherences", coherences))
    task = learned_task(trajectory, "weights")
    modes, trials = network.modes(task), check.whole("trials", trials)
    mode = check.whole("mode", mode, least=0, most=modes.strengths.shape[1] - 1)
    at = len(trajectory.times) - 1 if time is None else int(np.searchsorted(trajectory.times, time, side="right")) - 1
    if at < 0:
        raise ValueError(f"time is {time:g}; the trajectory begins at {trajectory.times[0]:g}.")
    v, u = modes.right[:, mode], modes.left[:, mode] * np.sign(modes.strengths[:, mode].sum() or 1.0)
    matrices = [np.asarray(part) if trajectory.seeds else np.asarray(part)[None] for part in trajectory["weights"]]
    count = matrices[0].shape[0]
    check.size("trials", trials * count, network.length, max(network.width, len(v)))
    rng, found = np.random.default_rng(check.seed("seed", seed)), []
    for k in range(count):
        coherence = levels[np.arange(trials) % len(levels)]
        noise = rng.standard_normal((trials, network.length, len(v)))
        weights = tuple(part[k, at] for part in matrices)
        found.append(_follow(network, weights, readout, coherence, noise, v, u, rng))
    return Decisions(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _follow(
    network: LinearRNN, weights: tuple[np.ndarray, ...], readout: Deadline | Bound, coherence: np.ndarray,
    noise: np.ndarray, v: np.ndarray, u: np.ndarray, rng: np.random.Generator,
) -> tuple[np.ndarray, ...]:  # fmt: skip
    """Evidence, coherence, choices and their steps, of one network."""
    step, (first, recurrent, last) = network.step, network.step.matrices(weights)
    shown = coherence[:, None, None] * v + noise
    state, answer = np.zeros((len(noise), network.width)), np.zeros(len(noise))
    end = network.length + (readout.delay if isinstance(readout, Deadline) else 0)
    steps = np.full(len(noise), end)
    open_ = np.ones(len(noise), dtype=bool)
    for t in range(end):
        x = shown[:, t] if t < network.length else np.zeros_like(shown[:, 0])
        x = x + step.input_noise * rng.standard_normal(x.shape) if step.input_noise else x
        state = state @ recurrent.T + x @ first.T
        if step.private_noise:
            state = state + step.leak * step.private_noise * rng.standard_normal(state.shape)
        now = state @ last.T @ u
        answer = np.where(open_, now, answer)
        if isinstance(readout, Bound):
            reached = open_ & (np.abs(now) >= readout.height)
            steps[reached], open_ = t + 1, open_ & ~reached
    return shown @ v, coherence, answer > 0, steps

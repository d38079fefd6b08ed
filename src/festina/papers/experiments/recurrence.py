"""What does a linear recurrent network learn first, and what does recurrence do to its solution?

Later inputs and larger singular values are learned first. A task in which early inputs count more has a solution that
is unstable on longer sequences; a task that sums its inputs has one that goes on. Inputs that do not count act against
the recurrence. Recurrence that is learned moves the tangent kernel further than recurrence that is fixed. Three
strengths per mode follow the loss from small random weights, not from large ones. tanh units keep the order.

Source: proca2025 abstract
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import Worst, mean, two_networks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.tasks import Sequences

GROWTH = 1.2
"""Factor by which an input counts more (or less) with each step into the past."""

EACH = 2.5
"""Width in points of the pale line of one network where every network is drawn."""


@dataclass(frozen=True)
class Settings:
    """Tasks, scales and sizes."""

    length: int = setting(5, "time steps of a sequence", least=3)
    width: int = setting(16, "hidden units", least=2)
    scale: float = setting(0.01, "standard deviation of the first weights", above=0)
    scales: tuple[float, ...] = setting((0.01, 0.1, 0.3), "standard deviations at which the modes are tested", above=0)
    seeds: int = setting(5, "networks per task", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    rate: float = setting(0.02, "step of gradient descent for tanh units", above=0)
    sequences: int = setting(500, "fixed sequences for tanh units", least=1)


quick = Settings(length=4, width=8, seeds=2, scales=(0.01, 0.3), sequences=200)
layout = (2, 3)
caption = (
    "Recurrent networks learn late inputs and large modes first, and learned recurrence moves the tangent kernel. "
    "(a) Two modes of equal size, one carried by the last input and one by an earlier input: the later one is learned "
    "first (strength over its end; a pale line for each network). (b) Two modes of different size. (c) Expected loss "
    "per step, on longer sequences, of networks that have learned to sum their inputs. (d) Recurrent strength while "
    "only the last input counts, predicted. (e) Distance of the tangent kernel from its start, recurrence learned or "
    "fixed, predicted. (f) Area between the loss by three numbers per mode and by all weights, against the size of "
    "the first weights; one dot per network."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """All runs."""

    settings: Settings
    late: fs.Trajectory
    large: fs.Trajectory
    tanh: fs.Trajectory
    integration: fs.Trajectory
    early: fs.Trajectory
    fading: fs.Trajectory
    last_only: fs.Trajectory
    learned: fs.Trajectory
    fixed: fs.Trajectory
    modes: list[tuple[fs.Trajectory, fs.Trajectory]]
    delays: list[float]


def _timing_task(settings: Settings, size: float = 1.0) -> Sequences:
    """Two modes of equal size: the first comes with the last input, the second two steps earlier."""
    strengths = np.zeros((settings.length, 2))
    strengths[-1, 0] = strengths[-3, 1] = size
    # inputs between carry a little of the second, so that some gradient reaches the recurrence
    strengths[-2, 1] = size / 2
    return fs.tasks.sensory_integration(strengths)


def _geometric(settings: Settings, factor: float) -> Sequences:
    """One mode whose inputs count by a factor more with each step into the past."""
    return fs.tasks.sensory_integration(factor ** np.arange(settings.length)[::-1, None])


def _random(settings: Settings, scale: float | None = None) -> fs.LinearRNN:
    start = fs.initial.Gaussian(settings.scale if scale is None else scale)
    return fs.LinearRNN(settings.width, length=settings.length, initial=start)


def _flow(
    settings: Settings, network: fs.Network, task: fs.Task, end: float, observe: tuple[str, ...]
) -> fs.Trajectory:
    times = np.linspace(0, end, 81)
    method = fs.Flow(solver="LSODA", rtol=1e-8)
    return fs.evolve(network, task, times, method=method, seed=settings.seed, seeds=settings.seeds, observe=observe)


def compute(settings: Settings) -> Curves:
    """Flow, race and training of all networks."""
    seen, random = ("loss", "strengths"), _random(settings)
    small = _timing_task(settings, 0.3)
    tanh = fs.recurrent.TanhRNN(
        settings.width, length=settings.length, initial=fs.initial.Gaussian(0.05), sequences=settings.sequences
    )  # fmt: skip
    total = fs.tasks.integration(settings.length)
    start = fs.recurrent.AlignedRecurrence(0.5, recurrent=0.3)
    pair = [
        fs.LinearRNN(settings.width, length=settings.length, initial=start, learn_recurrent=learn)
        for learn in (True, False)
    ]
    kernels = [
        fs.evolve(n, total, np.linspace(0, 15, 61), method=fs.Reduced(), observe=("loss", "kernel")) for n in pair
    ]
    modes = []
    for scale in settings.scales:
        network, end = _random(settings, scale), 12 + 3 * np.log(1 / scale)
        race = fs.evolve(
            network, total, np.linspace(0, end, 81), method=fs.Reduced(), seed=settings.seed,
            seeds=settings.seeds,
        )  # fmt: skip
        modes.append((race, _flow(settings, network, total, end, ("loss",))))
    return Curves(
        settings,
        _flow(settings, random, _timing_task(settings), 60.0, seen),
        _flow(settings, random, fs.tasks.integration(settings.length, (2.0, 1.0)), 25.0, seen),
        fs.evolve(
            tanh, small, np.linspace(0, 150, 76), method=fs.Train(rate=settings.rate * 10), seed=settings.seed,
            seeds=settings.seeds, observe=seen,
        ),
        _flow(settings, random, total, 60.0, ("loss", "extrapolation", "eigenvalues")),
        _flow(settings, random, _geometric(settings, GROWTH), 60.0, ("loss", "eigenvalues", "weights")),
        _flow(settings, random, _geometric(settings, 1 / GROWTH), 60.0, ("loss", "eigenvalues", "weights")),
        fs.evolve(
            fs.LinearRNN(settings.width, length=settings.length,
                         initial=fs.recurrent.AlignedRecurrence(0.1, recurrent=0.8)),
            fs.tasks.delayed_response(settings.length, delay=0), np.linspace(0, 60, 121), method=fs.Reduced(),
            observe=("loss", "strengths", "eigenvalues"),
        ),
        kernels[0],
        kernels[1],
        modes,
        [_delay_time(settings, delay) for delay in range(1, 4)],
    )  # fmt: skip


def _delay_time(settings: Settings, delay: int) -> float:
    """When the loss of a delayed response falls to half, from a recurrent strength of 0.3."""
    task = fs.tasks.delayed_response(delay + 1)
    start = fs.recurrent.AlignedRecurrence(0.1, recurrent=0.3)
    network = fs.LinearRNN(settings.width, length=delay + 1, initial=start)
    times = np.concatenate([[0.0], np.geomspace(0.1, 400, 80)])
    loss = fs.evolve(network, task, times, method=fs.Reduced()).loss
    return float(times[np.argmax(loss < loss[0] / 2)]) if np.any(loss < loss[0] / 2) else np.inf


def _half(run: fs.Trajectory, lag: int, column: int) -> np.ndarray:
    """When the strength of a mode at a lag first is at half its last value, per seed."""
    strengths = np.abs(run.strengths[:, :, lag, column])
    return run.times[np.argmax(strengths > strengths[:, -1:] / 2, axis=1)]


def _order(run: fs.Trajectory) -> np.ndarray:
    """Time of the early mode over that of the late one, per seed; the modes are found by where they end."""
    last = np.abs(run.strengths[:, -1]).mean(axis=0)
    late = int(np.argmax(last[0]))
    return _half(run, 2, 1 - late) / _half(run, 0, late)


def _sizes(run: fs.Trajectory) -> np.ndarray:
    """Time of the smaller mode over that of the larger one, per seed."""
    large = int(np.argmax(np.abs(run.strengths[:, -1, 0]).mean(axis=0)))
    return _half(run, 0, 1 - large) / _half(run, 0, large)


def _radius(run: fs.Trajectory) -> np.ndarray:
    """Largest modulus of an eigenvalue of W_h at the end, per seed."""
    return np.linalg.norm(run["eigenvalues"][:, -1, 0], axis=-1)


def _turned(run: fs.Trajectory) -> np.ndarray:
    """1 − cos of the angle between the tangent kernel and its start, over time."""
    kernels = run["kernel"].reshape(len(run.times), -1)
    cosines = kernels @ kernels[0] / np.linalg.norm(kernels, axis=1) / np.linalg.norm(kernels[0])
    return np.maximum(1 - cosines, 0.0)


def _longer(curves: Curves) -> np.ndarray:
    """Loss on sequences three times as long over that of a network that puts out nothing, per seed."""
    steps = 3 * curves.settings.length
    return curves.integration["extrapolation"][:, -1, -1] / (0.5 * steps)


def values(curves: Curves) -> dict[str, Any]:
    """Numbers behind the claims."""
    return {
        "early_over_late": _order(curves.late),
        "small_over_large": _sizes(curves.large),
        "tanh_early_over_late": _order(curves.tanh),
        "longer_loss": _longer(curves),
        "radius": {"integration": _radius(curves.integration), "early": _radius(curves.early),
                   "fading": _radius(curves.fading)},
        "kernel_turned": {"learned": _turned(curves.learned)[-1], "fixed": _turned(curves.fixed)[-1]},
        "race_areas": {
            scale: fs.compare(*pair).areas for scale, pair in zip(curves.settings.scales, curves.modes, strict=True)
        },
        "delay_times": curves.delays,
    }  # fmt: skip


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "later first",
        "A linear recurrent network learns a mode of the last input before a mode of equal size of an earlier input "
        "(time "
        "of the early one over that of the late one, from small random weights).",
        lambda curves: mean(_order(curves.late)),
        1.0,
        ">=",
        source="proca2025 abstract, property (1)",
        reason="equal times",
    ),
    Claim(
        "larger first",
        "A linear recurrent network learns a larger singular value before a smaller one (time of the smaller one "
        "over that "
        "of the larger one, from small random weights).",
        lambda curves: mean(_sizes(curves.large)),
        1.0,
        ">=",
        source="proca2025 abstract, property (1)",
        reason="equal times",
    ),
    Claim(
        "stable sum",
        "A linear recurrent network that has learned to sum its inputs goes on to sequences three times as long "
        "(loss over "
        "that of no answer).",
        lambda curves: mean(_longer(curves)),
        0.01,
        source="proca2025 abstract, property (2)",
        reason="1 % of the loss without an answer",
    ),
    Claim(
        "unstable memory",
        "A task in which early inputs count more leads to a recurrence that is unstable on longer sequences (largest "
        "modulus of an eigenvalue of the recurrent matrix).",
        lambda curves: mean(_radius(curves.early)),
        1.0,
        ">=",
        source="proca2025 abstract, property (2)",
        reason="1, where activity neither grows nor fades",
    ),
    Claim(
        "small recurrence",
        "Inputs that do not count act against the recurrence: where only the last input counts, its strength falls "
        "(last "
        "over first).",
        lambda curves: float(np.linalg.norm(curves.last_only["eigenvalues"][-1, 0]) / 0.8),
        0.1,
        source="proca2025 abstract, property (3)",
        reason="a tenth of its start",
    ),
    Claim(
        "kernel",
        "Recurrence that is learned moves the tangent kernel further from its start than recurrence that is fixed "
        "(ratio of "
        "the distances).",
        lambda curves: float(_turned(curves.learned)[-1] / _turned(curves.fixed)[-1]),
        1.0,
        ">=",
        source="proca2025 abstract, property (4)",
        reason="equal distances",
    ),
    Claim(
        "modes from random weights",
        "Three numbers per mode, the strengths of its input, recurrent and output weights, predict the loss of a "
        "linear recurrent network from small random weights (area between loss curves).",
        lambda curves: mean(np.array(fs.compare(*curves.modes[0]).areas)),
        0.05,
        kind="extension",
        source="proca2025, for aligned weights",
        reason="5 % of the area under the curve",
        floor=("two networks", lambda c: two_networks(c.modes[0][1].times, c.modes[0][1].loss)),
    ),
    Claim(
        "modes from large weights",
        "Three numbers per mode, the strengths of its input, recurrent and output weights, fail to predict the "
        "loss of any linear recurrent network from large random weights (smallest area between loss curves).",
        lambda curves: Worst(float(min(fs.compare(*curves.modes[-1]).areas)), curves.settings.seeds),
        0.1,
        ">=",
        kind="extension",
        source="proca2025, for aligned weights",
        reason="a tenth of the area under the curve: visibly another curve",
    ),
    Claim(
        "tanh",
        "A recurrent network with tanh units learns a mode of the last input before one of equal size of an earlier "
        "input "
        "(time of the early one over that of the late one).",
        lambda curves: mean(_order(curves.tanh)),
        1.0,
        ">=",
        kind="extension",
        source="proca2025, for linear units",
        reason="equal times",
    ),
    Claim(
        "longer delays",
        "A delayed response takes longer to learn with every step of delay (smallest ratio of times between delays "
        "of one "
        "step more and less).",
        lambda curves: float(np.min(np.divide(curves.delays[1:], curves.delays[:-1]))),
        1.0,
        ">=",
        kind="extension",
        source="proca2025 abstract, property (1)",
        reason="equal times",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Order, size, extrapolation, recurrence, kernel, and where the modes fail."""
    from festina.plot import COLOURS, dots, look

    flat: list[Axes] = list(np.ravel(axes))
    rows = ((flat[0], curves.late, (0, 2), ("last input", "two steps earlier"), "When an input comes"),
            (flat[1], curves.large, (0, 0), ("larger", "smaller"), "How large a mode is"))  # fmt: skip
    for ax, run, lags, labels, title in rows:
        first = int(np.argmax(np.abs(run.strengths[:, -1, 0]).mean(axis=0)))
        for i, (lag, mode) in enumerate(zip(lags, (first, 1 - first), strict=True)):
            strengths = np.abs(run.strengths[:, :, lag, mode])
            for k, row in enumerate(strengths / strengths[:, -1:]):
                line = look("trained", COLOURS[i], linewidth=EACH, label=labels[i] if k == 0 else None)
                ax.plot(run.times, row, **line)
        ax.set(xlabel="flow time", ylabel="strength over its end", title=title)
        ax.legend(loc="center")
    lengths = np.arange(curves.settings.length, 3 * curves.settings.length + 1)
    for row in curves.integration["extrapolation"][:, -1]:
        flat[2].semilogy(lengths, row / lengths, **look("trained", linewidth=EACH))
    flat[2].set(xlabel="length of the sequence", ylabel="loss per step", title="A sum goes on")
    strength = np.linalg.norm(curves.last_only["eigenvalues"][:, 0], axis=-1)
    flat[3].plot(curves.last_only.times, strength, **look("predicted"))
    flat[3].set(xlabel="flow time", ylabel="recurrent strength", title="Only the last input counts", ylim=(0, None))
    for run, label, style in ((curves.learned, "learned", "-"), (curves.fixed, "fixed", "--")):
        flat[4].plot(run.times, _turned(run), label=f"recurrence {label}", **look("predicted", linestyle=style))
    flat[4].set(xlabel="flow time", ylabel="distance of the kernel", title="Recurrence moves the kernel")
    flat[4].legend()
    for scale, (race, flow) in zip(curves.settings.scales, curves.modes, strict=True):
        areas = fs.compare(race, flow).areas
        flat[5].loglog([scale] * len(areas), areas, **dots())
    flat[5].set(xlabel="standard deviation of first weights", ylabel="area between losses", title="Where modes fail")
    flat[5].set_xticks(curves.settings.scales, [f"{scale:g}" for scale in curves.settings.scales])
    flat[5].set_xticks([], minor=True)

"""Can a deep network unlearn a task and learn its opposite?

Not at λ = 0: it goes to zero and stays on the saddle there for ever. Any imbalance lets it pass, in a time that grows
only like ln(1/|λ|): time from −s to s/2, for each λ, by the exact solution of the whole network, by quadrature of the
mode's equation da/dt = √(λ²+4a²)(s − a), and by gradient descent. A shallow network never slows down: ln 4 for white
inputs.

Source: braun2022 (reversal); domine2025 (continual learning); saxe_lecture "Exact continual learning dynamics"
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import resampled
from festina.runtime import track

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Settings:
    """Task, imbalances and training."""

    strengths: tuple[float, ...] = setting(
        (2.0, 1.5, 1.0), "singular values of the task; the first one is timed", above=0
    )
    width: int = setting(3, "inputs, outputs and hidden units", least=1)
    lambdas: tuple[float, ...] = setting((0.0, 0.01, 0.1, 1.0), "imbalances λ")
    rate: float = setting(0.002, "step of gradient descent", above=0)
    span: float = setting(1.5, "flow time of the curves, in units of the slowest recovery", above=0)
    seeds: int = setting(3, "networks per λ", least=1)
    seed: int = setting(0, "first of the seeds", least=0)


quick = Settings(rate=0.005, seeds=1)
layout = (1, 2)
caption = (
    "After its task is reversed a balanced network stays on the saddle at zero for ever; any imbalance λ "
    "lets it recover in a time that grows like ln(1/|λ|). (a) Strength of the first mode after the reversal: "
    "gradient descent (thick, pale), exact solution (thin, dark) and a shallow network (dashed). (b) Recovery time "
    "against |λ|: gradient descent (dots), the exact solution (crosses) and the equation of one mode (line)."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Strength of the first mode over time, and recovery times by theory, quadrature and training."""

    settings: Settings
    times: np.ndarray
    exact: dict[float, np.ndarray]
    trained: dict[float, np.ndarray]
    training_times: np.ndarray
    recovery: dict[float, float]
    quadrature: dict[float, float]
    training: dict[float, np.ndarray]
    shallow: float
    shallow_curve: np.ndarray
    limit: float
    sweep: tuple[np.ndarray, np.ndarray]


def recovery_time(strength: float, lambda_: float) -> float:
    """∫ from −s to s/2 of da/[√(λ²+4a²)(s − a)]; infinite at λ = 0."""
    if lambda_ == 0:
        return np.inf
    # with a = (|λ|/2) sinh θ the square root cancels: smooth however small λ
    ends = [np.arcsinh(2 * a / abs(lambda_)) for a in (-strength, strength / 2)]
    tolerance = {"epsabs": 1e-12, "epsrel": 1e-12}
    return scipy.integrate.quad(lambda x: 0.5 / (strength - 0.5 * abs(lambda_) * np.sinh(x)), *ends, **tolerance)[0]


def _crossing(times: np.ndarray, values: np.ndarray, level: float) -> float:
    """First time at which a curve that starts below reaches ``level``."""
    above = np.flatnonzero(values >= level)
    if not len(above):
        return np.inf
    i = above[0]
    return float(np.interp(level, values[i - 1 : i + 1], times[i - 1 : i + 1]))


def compute(settings: Settings) -> Curves:
    """Start at the learned opposite of the task, exactly, and learn the task."""
    s = settings
    task = fs.tasks.teacher(s.width, s.width, strengths=s.strengths)
    old = -task.statistics.cross_correlation
    top, goal = s.strengths[0], s.strengths[0] / 2
    quadrature = {v: recovery_time(top, v) for v in s.lambdas}
    slowest = max((t for t in quadrature.values() if np.isfinite(t)), default=1.0)
    times = np.linspace(0, s.span * slowest, 4001)
    exact, trained, recovery, training = {}, {}, {}, {}
    train = fs.Train(rate=s.rate)
    seen = times
    for lambda_ in track(s.lambdas, "λ"):
        network = fs.DeepLinear(hidden=(s.width,), initial=fs.initial.Balanced(1.0, lambda_, map=old))
        exact[lambda_] = fs.evolve(network, task, times, observe="strengths").strengths[:, 0]
        recovery[lambda_] = _crossing(times, exact[lambda_], goal)
        run = fs.evolve(network, task, times[::4], method=train, seed=s.seed, seeds=s.seeds, observe="strengths")
        training[lambda_] = np.array([_crossing(run.times, path, goal) for path in run.strengths[..., 0]])
        trained[lambda_], seen = run.strengths[0, ::5, 0], run.times[::5]
    shallow = fs.DeepLinear(initial=fs.initial.Weights([old]))
    curve = fs.evolve(shallow, task, times, observe="strengths").strengths[:, 0]
    stuck = fs.DeepLinear(hidden=(s.width,), initial=fs.initial.Balanced(1.0, 0.0, map=old))
    limit = float(np.abs(fs.evolve(stuck, task, None, observe="strengths").strengths).max())
    sizes = np.geomspace(1e-6, 10, 60)
    sweep = (sizes, np.array([recovery_time(top, v) for v in sizes]))
    return Curves(
        s,
        times,
        exact,
        trained,
        seen,
        recovery,
        quadrature,
        training,
        _crossing(times, curve, goal),
        curve,
        limit,
        sweep,
    )


def _gap(curves: Curves, found: dict[float, float]) -> float:
    """Largest relative deviation of recovery times from the quadrature, over λ ≠ 0."""
    return max(abs(found[v] / curves.quadrature[v] - 1) for v in curves.settings.lambdas if v)


def _trained_gap(curves: Curves) -> tuple[float, float]:
    """The same of gradient descent, mean over networks, and its error."""
    kept = [v for v in curves.settings.lambdas if v]

    def gap(*times: np.ndarray) -> float:
        return _gap(curves, {v: float(each.mean()) for v, each in zip(kept, times, strict=True)})

    return resampled(gap, *(curves.training[v] for v in kept))


def values(curves: Curves) -> dict[str, Any]:
    """Recovery time by λ (null: never), by gradient descent, and of a shallow network."""
    return {
        "recovery_time": {f"{v:g}": t for v, t in curves.recovery.items()},
        "recovery_time_trained": {f"{v:g}": t.mean() for v, t in curves.training.items()},
        "recovery_time_shallow": curves.shallow,
    }


def draw(curves: Curves, axes: list[Axes]) -> None:
    """Strength over time; recovery time against λ."""
    from festina.plot import COLOURS, dots, look, name_kinds

    for lambda_, colour in zip(curves.settings.lambdas, COLOURS, strict=False):
        trained = curves.trained[lambda_]
        axes[0].plot(curves.training_times, trained, label=f"λ = {lambda_:g}", **look("trained", colour))
        axes[0].plot(curves.times, curves.exact[lambda_], **look("predicted", colour))
    name_kinds(axes[0])
    axes[0].plot(curves.times, curves.shallow_curve, "--", color="0.4", linewidth=1.3, label="predicted, shallow")
    axes[0].axhline(curves.settings.strengths[0] / 2, color="0.8", lw=0.8, zorder=0)
    axes[0].set_xlabel("time since reversal (flow time)")
    axes[0].set_ylabel("strength of the first mode")
    axes[0].legend(loc="lower right", ncols=2, columnspacing=1.0)
    axes[0].set_ylim(bottom=-3.6)
    axes[0].set_title("After a reversal")
    sizes, slow = curves.sweep
    known = [v for v in curves.settings.lambdas if v]
    axes[1].semilogx(known, [curves.training[v].mean() for v in known], label="gradient descent", **dots())
    axes[1].semilogx(known, [curves.recovery[v] for v in known], "kx", ms=5, zorder=4, label="exact solution")
    axes[1].semilogx(sizes, slow, label="equation of a mode", **look("predicted"))
    axes[1].axhline(curves.shallow, ls="--", color="0.4", linewidth=1.3, label="shallow")
    axes[1].set_ylim(0, None)
    axes[1].set_xlabel("|λ|")
    axes[1].set_ylabel("time from −s to s/2 (flow time)")
    axes[1].legend()
    axes[1].set_title("Time to recover")


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "saddle",
        "After a reversal of its task a balanced two-layer network (λ = 0) stays on the saddle at zero for "
        "ever (largest strength at t → ∞).",
        lambda curves: curves.limit,
        1e-9,
        source="braun2022 (continual learning)",
        reason="rounding",
    ),
    Claim(
        "escape",
        "After a reversal of its task an unbalanced two-layer network (λ ≠ 0) recovers in the time that the "
        "equation of a single mode gives (largest relative deviation over λ).",
        lambda curves: _gap(curves, curves.recovery),
        0.002,
        source="domine2025 (continual learning)",
        reason="0.2 %, interpolation between observed times",
    ),
    Claim(
        "training",
        "Gradient descent recovers from a reversal in the time of the exact solution (mean over networks, largest "
        "relative deviation over λ).",
        _trained_gap,
        0.02,
        source="domine2025 (continual learning)",
        reason="2 %, the step of gradient descent",
    ),
    Claim(
        "logarithm",
        "The recovery time after a reversal grows like ln(1/|λ|)/s as λ goes to zero (relative deviation of "
        "the slope below λ = 1e-3).",
        lambda curves: abs(
            float(np.polyfit(-np.log(curves.sweep[0][:20]), curves.sweep[1][:20], 1)[0]) * curves.settings.strengths[0]
            - 1
        ),
        0.02,
        source="domine2025 (continual learning)",
        reason="2 %, a conventional tolerance",
    ),
    Claim(
        "shallow",
        "A shallow network recovers from a reversal sooner than a deep one at the smallest λ ≠ 0 (ratio of "
        "their times).",
        lambda curves: curves.shallow / max(t for t in curves.recovery.values() if np.isfinite(t)),
        1.0,
        source="braun2022 (continual learning)",
        reason="equal times",
    ),
)

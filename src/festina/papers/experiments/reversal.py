"""Can a deep network unlearn a task and learn its opposite?

Not at λ = 0: it goes to zero and stays on the saddle there for ever. Any imbalance lets it pass, in a time that grows
only like ln(1/|λ|). The time from −s to s/2 is given for each λ in three ways. They are the exact solution of the whole
network, quadrature of the mode's equation da/dt = √(λ²+4a²)(s − a), and gradient descent. A shallow network never slows
down: ln 4 for white inputs.

Source: braun2022 (reversal); domine2025 (continual learning); saxe_lecture "Exact continual learning dynamics"
"""

import numpy as np
import scipy

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, dots, look, name_kinds
from festina.runtime import track


class Settings(papers.Settings):
    strengths: tuple[float, ...] = setting(
        (2.0, 1.5, 1.0), "singular values of the task; the first one is timed", above=0
    )
    width: int = setting(3, "inputs, outputs and hidden units", least=1)
    lambdas: tuple[float, ...] = setting((0.0, 0.01, 0.1, 1.0), "imbalances λ")
    rate: float = setting(0.002, "step of gradient descent", "flow time per step", above=0)
    span: float = setting(1.5, "flow time of the curves, in units of the slowest recovery", above=0)
    seeds: int = setting(3, "networks per λ", least=1)


quick = Settings(rate=0.005, seeds=1)
caption = (
    "After its task is reversed a balanced network stays on the saddle at zero for ever; any imbalance λ "
    "lets it recover in a time that grows like ln(1/|λ|). (a) Strength of the first mode after the reversal: "
    "gradient descent (thick, pale), exact solution (thin, dark) and a shallow network (dashed). (b) Recovery time "
    "against |λ|: gradient descent (dots), the exact solution (crosses) and the equation of one mode (line)."
)


def recovery_time(strength: float, lambda_: float) -> float:
    """∫ from −s to s/2 of da/[√(λ²+4a²)(s − a)]; infinite at λ = 0."""
    if lambda_ == 0:
        return np.inf
    # with a = (|λ|/2) sinh θ the square root cancels: smooth however small λ
    ends = [np.arcsinh(2 * a / abs(lambda_)) for a in (-strength, strength / 2)]
    tolerance = {"epsabs": 1e-12, "epsrel": 1e-12}
    return scipy.integrate.quad(lambda x: 0.5 / (strength - 0.5 * abs(lambda_) * np.sinh(x)), *ends, **tolerance)[0]


def compute(settings: Settings) -> papers.Results:
    """Start at the learned opposite of the task, exactly, and learn the task."""
    c, s = papers.Results(settings), settings
    task = fs.tasks.teacher(s.width, s.width, strengths=s.strengths)
    old, top, goal = -task.statistics.cross_correlation, s.strengths[0], s.strengths[0] / 2
    c.sizes = np.geomspace(1e-6, 10, 60)
    c.sweep = np.array([recovery_time(top, v) for v in c.sizes])
    c.quadrature = {v: recovery_time(top, v) for v in s.lambdas}
    slowest = max((t for t in c.quadrature.values() if np.isfinite(t)), default=1.0)
    times = np.linspace(0, s.span * slowest, 4001)
    train = fs.Train(rate=s.rate)

    def recovered(times: np.ndarray, path: np.ndarray) -> float:
        return fs.analysis.first_passage(times, -path, -goal)

    def exact(network: fs.DeepLinear) -> tuple[np.ndarray, np.ndarray]:
        return times, resting(network, times)[:, 0]

    def resting(network: fs.DeepLinear, at: np.ndarray | None) -> np.ndarray:
        return fs.evolve(network, task, at, observe="strengths").strengths

    c.curves, c.recovery, c.trained = {}, {}, {}
    for v in track(s.lambdas, "λ"):
        network = fs.DeepLinear((s.width,), initial=fs.initial.Balanced(1.0, v, map=old))
        run = fs.evolve(network, task, times[::4], method=train, seed=s.seed, seeds=s.seeds, observe="strengths")
        c.curves[v] = (run.times[::5], run.strengths[0, ::5, 0]), exact(network)
        c.recovery[v] = recovered(*c.curves[v][1])
        c.trained[v] = np.array([recovered(run.times, path) for path in run.strengths[..., 0]])
    c.shallow_curve = exact(fs.DeepLinear(initial=fs.initial.Weights([old])))
    c.shallow = recovered(*c.shallow_curve)
    stuck = fs.DeepLinear((s.width,), initial=fs.initial.Balanced(1.0, 0.0, map=old))
    c.limit = float(np.abs(resting(stuck, None)).max())
    return c


BELOW = {"loc": "lower right", "ncols": 2, "columnspacing": 1.0}


@papers.panel("After a reversal", "time since reversal (flow time)", "strength of the first mode", legend=BELOW)
def _strengths(c, ax):
    for (lambda_, pair), colour in zip(c.curves.items(), COLOURS, strict=False):
        papers.curve_pair(ax, *pair, label=f"λ = {lambda_:g}", colour=colour)
    name_kinds(ax)
    ax.plot(*c.shallow_curve, "--", color="0.4", linewidth=1.3, label="predicted, shallow")
    ax.axhline(c.settings.strengths[0] / 2, color="0.8", lw=0.8, zorder=0)
    ax.set_ylim(bottom=-3.6)


@papers.panel("Time to recover", "|λ|", "time from −s to s/2 (flow time)", ylim=(0, None))
def _times(c, ax):
    known = [v for v in c.settings.lambdas if v]
    ax.semilogx(known, [c.trained[v].mean() for v in known], label="gradient descent", **dots())
    ax.semilogx(known, [c.recovery[v] for v in known], "kx", ms=5, zorder=4, label="exact solution")
    ax.semilogx(c.sizes, c.sweep, label="equation of a mode", **look("predicted"))
    ax.axhline(c.shallow, ls="--", color="0.4", linewidth=1.3, label="shallow")


BRAUN, DOMINE = "braun2022 (continual learning)", "domine2025 (continual learning)"


def _gap(c, *found):
    """Largest relative deviation of mean recovery times from the quadrature, over λ ≠ 0."""
    known = [t for v, t in c.quadrature.items() if v]
    return max(abs(np.mean(times) / t - 1) for times, t in zip(found, known, strict=True))


@papers.claim(BRAUN, at_most=1e-9, because="rounding")
def saddle(c):
    """After a reversal of its task a balanced two-layer network (λ = 0) stays on the saddle at zero (largest strength
    at t → ∞)."""
    return c.limit


@papers.claim(DOMINE, at_most=0.002, because="0.2 %, interpolation between observed times")
def escape(c):
    """After a reversal of its task an unbalanced two-layer network (λ ≠ 0) recovers in the time predicted by the
    equation of a single mode (largest relative deviation over λ)."""
    return _gap(c, *(t for v, t in c.recovery.items() if v))


@papers.claim(DOMINE, at_most=0.02, because="2 %, the step of gradient descent")
def training(c):
    """Gradient descent recovers from a reversal in the time of the exact solution (mean over networks, largest relative
    deviation over λ)."""
    return papers.resampled(lambda *times: _gap(c, *times), *(times for v, times in c.trained.items() if v))


@papers.claim(DOMINE, at_most=0.02, because="2 %, a conventional tolerance")
def logarithm(c):
    """The recovery time after a reversal grows like ln(1/|λ|)/s as λ goes to zero (relative deviation of the slope
    below λ = 1e-3)."""
    return abs(np.polyfit(-np.log(c.sizes[:20]), c.sweep[:20], 1)[0] * c.settings.strengths[0] - 1)


@papers.claim(BRAUN, at_most=1.0, because="equal times")
def shallow(c):
    """A shallow network recovers from a reversal sooner than a deep one at the smallest λ ≠ 0 (ratio of their
    times)."""
    return c.shallow / max(t for t in c.recovery.values() if np.isfinite(t))

"""How well the stages of units are predicted: drawn tasks of many architectures, against training from equal weights.

python benchmarks/units.py --tasks 9 prints, for each architecture and scale: how many predicted plateaus are in the
network within 1 % of their level, how many plateaus of the network are predicted, in how many tasks stages come in the
predicted order, how many times are within 5 %, and how many of the others the stated error covers. Every failure is
listed. ``--cost`` compares the processor time with that of training; ``--cost quadratic`` does so for some networks.
"""

import argparse
import time
import warnings
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import jax
import numpy as np
from jax.flatten_util import ravel_pytree
from scipy.integrate import solve_ivp

import festina as fs
from festina.analysis import Stage, StageAgreement
from festina.papers.setups.architectures import CUBIC, FORWARD, Architecture, teacher

LEVEL, TIME = 0.01, 0.05
"""Relative error up to which a level and a time are right."""

RATE = 0.005
"""Step of training: its times differ from those of the flow by about half a step times the growth rate."""

UNITS, LONGEST = 24, 4000.0
"""Units of a network, and the longest time that is trained; what waits longer is followed by SciPy's solver."""

ACCURACIES = (0.07, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4)
"""Accuracies of the prediction that are tried, the coarsest first."""

RATES = (0.4, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002)
"""Steps of training that are tried, the largest first."""

LASTS = 0.03
"""A plateau lasts if it takes this share of the time."""


@dataclass
class Score:
    """Counts over tasks."""

    levels: list[bool] = field(default_factory=list)
    foreseen: list[bool] = field(default_factory=list)
    orders: list[bool] = field(default_factory=list)
    times: list[bool] = field(default_factory=list)
    covered: list[bool] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def horizon(network: Architecture, task: fs.Task, seed: int) -> float:
    """A time by which the predicted loss hardly falls any more."""
    longest = LONGEST if trainable(network) else 5 / network.scale
    end = 20.0 if trainable(network) else 1 / network.scale
    method = fs.Reduced("stages of units")
    while end < longest:
        loss = fs.evolve(network, task, [0.0, 0.5 * end, end], method=method, seed=seed, observe=("loss",)).loss
        if loss[0] - loss[1] > 0.8 * loss[0] and loss[1] - loss[2] < 0.02 * (loss[0] - loss[2]):
            break
        end *= 1.5
    return min(end, longest)


def trainable(network: Architecture) -> bool:
    """Whether training ends within a reasonable time: units of degree 3 wait as long as one over the scale."""
    return network.kind not in CUBIC or network.scale >= 1e-3


def flow(network: Architecture, task: fs.Task, times: np.ndarray, seed: int) -> fs.Trajectory:
    """The gradient flow of the weights by SciPy's LSODA, with JAX's gradient and Hessian."""
    with jax.enable_x64(True):
        first, back = ravel_pytree(network.start(task, seed))

        def loss(flat: Any) -> Any:
            return 0.5 * ((network.predict(back(flat), task.x) - task.y) ** 2).sum() / len(task.x)

        pull, bend = jax.jit(jax.grad(loss)), jax.jit(jax.hessian(loss))
        path = solve_ivp(
            lambda _, w: -np.asarray(pull(w)), (0, times[-1]), np.asarray(first), "LSODA", times, rtol=1e-8,
            atol=1e-8 * network.scale, jac=lambda _, w: -np.asarray(bend(w)),
        ).y.T  # fmt: skip
        outputs = np.array([np.asarray(network.predict(back(w), task.x)) for w in path])
    found = 0.5 * ((outputs - task.y) ** 2).sum(axis=-1).mean(axis=-1)
    return fs.Trajectory.from_arrays(times, found, outputs=outputs)


def half(run: fs.Trajectory, stage: Stage) -> float:
    """When half of a stage is learned for good: an earlier stage may pass that mark and come back."""
    along = np.einsum("tij,ki,kj->tk", run.outputs, stage.items, stage.outputs)
    progress = (along - stage.base).mean(axis=-1)
    below = np.flatnonzero(progress < 0.5)
    if not len(below) or below[-1] == len(progress) - 1:
        return np.inf
    two = slice(below[-1], below[-1] + 2)
    return float(np.interp(0.5, progress[two], run.times[two]))


def judge(score: Score, kind: str, scale: float, seed: int) -> None:
    """Predict and train one network, and count what is right."""
    task, network = teacher(kind, seed), Architecture(kind, UNITS, scale)
    times = np.linspace(0, horizon(network, task, seed), 801)
    see = ("loss", "outputs")
    predicted = fs.evolve(network, task, times, method=fs.Reduced("stages of units"), seed=seed, observe=see)
    trained = (
        fs.evolve(network, task, times, method=fs.Train(rate=RATE), seed=seed, observe=see)
        if trainable(network)
        else flow(network, task, times, seed)
    )
    stages = predicted.stages(errors=True)
    where, error = f"{kind}, scale {scale:g}, seed {seed}", np.abs(np.asarray(predicted.error))
    seen = trained.stages().plateaus
    for kept, what, ones, others, other in (
        (score.levels, "predicted", stages.plateaus, seen, trained),
        (score.foreseen, "trained", seen, stages.plateaus, predicted),
    ):
        for plateau in (p for p in ones if p.length > LASTS * times[-1] and p.begins > 0.02 * times[-1]):
            away = min((abs(p.loss / plateau.loss - 1) for p in others), default=np.inf)
            # a plateau that the one analysis cuts off and the other does not is still there in the loss
            at = np.interp((plateau.begins + plateau.ends) / 2, other.times, other.loss)
            away = min(away, abs(at / plateau.loss - 1))
            kept.append(bool(away < LEVEL))
            if away >= LEVEL:
                score.failures.append(
                    f"{where}: {what} level {plateau.loss:.4f} at t = {plateau.begins:.3g}–{plateau.ends:.3g} is off "
                    f"by {away:.2g}"
                )
    halves, found = [], []
    for stage in (s for s in stages if s.importance > 0.02 and np.isfinite(s.when)):
        row = StageAgreement(stage.what, half(predicted, stage), half(trained, stage), stage.uncertainty)
        halves.append(row.predicted)
        found.append(row.measured)
        right = abs(row.difference) < TIME * row.predicted
        score.times.append(right)
        if not right:
            inside = (times >= stage.begins.min()) & (times <= max(row.measured, row.predicted))
            gap = np.abs(predicted.loss - trained.loss)[inside].max() if np.isfinite(row.measured) else np.inf
            score.covered.append(
                bool(abs(row.difference) <= row.uncertainty or gap <= 2 * error[inside].max(initial=0.0))
            )
            score.failures.append(
                f"{where}: {row.predicted:.4g} ± {row.uncertainty:.2g}, trained {row.measured:.4g}"
                f"{'' if score.covered[-1] else ' (not covered)'}"
            )
    later = np.diff(found)[np.diff(halves) > TIME * np.array(halves[:-1])]
    score.orders.append(bool(np.all(later > 0)))
    if not score.orders[-1]:
        score.failures.append(f"{where}: order {np.round(halves, 2).tolist()}, trained {np.round(found, 2).tolist()}")


def quality(tasks: int) -> None:
    """Print the table."""
    every: list[Score] = []
    print(f"{'':<32}{'levels':>12}{'foreseen':>10}{'order':>10}{'times':>12}{'covered':>10}")
    for kind in (name for name in FORWARD if name != "diagonal"):
        for scale in (1e-2, 1e-3, 1e-4, 1e-6) if kind in CUBIC else (1e-2, 1e-4, 1e-6):
            score = Score()
            for seed in range(tasks):
                judge(score, kind, scale, seed)
            every.append(score)
            print(f"{kind + f', scale {scale:g}':<32}{_row(score)}", flush=True)
    names = ("levels", "foreseen", "orders", "times", "covered", "failures")
    whole = Score(*([one for score in every for one in getattr(score, name)] for name in names))
    print(f"{'all':<32}{_row(whole)}", *whole.failures, sep="\n")


def _row(score: Score) -> str:
    parts = (score.levels, 12), (score.foreseen, 10), (score.orders, 10), (score.times, 12), (score.covered, 10)
    return "".join(f"{f'{sum(x)}/{len(x)}':>{width}}" for x, width in parts)


def cost(only: str) -> None:
    """Print the processor time of predicting 700 units on 24 points to the last stage beside that of training them.

    Both take the coarsest setting whose loss curve is as near to that of a finer prediction as is asked for.
    """
    contexts = fs.tasks.context(3, "different").spanned()[0]
    published = fs.ReLU((700,), initial=fs.initial.Gaussian(0.005 / 700))
    cases = [("ReLU, three contexts as published", published, contexts, 192.0)]
    cases += [
        (f"{kind}, scale {scale:g}", Architecture(kind, 700, scale), teacher(kind, 0, points=24), end)
        for kind, scale, end in (
            ("ReLU", 1e-6, 60.0),
            ("quadratic", 1e-3, 1.5e3),
            ("quadratic", 1e-5, 1.5e5),
            ("quadratic", 1e-6, 1.5e6),
        )
    ]
    print(f"{'':<36}{'until':>8}{'predicted':>18}{'trained':>34}{'ratio':>8}")
    for name, network, task, end in (case for case in cases if only in case[0]):
        whole = _reduced(network, task, np.linspace(0, end, 301), 1e-3, ("loss", "outputs"))
        last = max(s.ends[0] for s in whole.stages() if s.importance > 0.02 and np.isfinite(s.ends[0]))
        times = np.linspace(0, last, 61)
        fine = _reduced(network, task, times, 1e-4)
        for goal in (1e-2, 1e-3):
            spent, area, accuracy = _coarsest(partial(_reduced, network, task, times), ACCURACIES, fine, goal)
            cost, apart, rate = _coarsest(partial(_trained, network, task, times), RATES, fine, goal)
            print(
                f"{name:<36}{last:>8.4g}{1e3 * spent:>8.0f} ms, {area:.4f}, {accuracy:<6g}{1e3 * cost:>10.0f} ms, "
                f"{apart:.4f}, rate {rate:<6g}{cost / spent:>8.1f}",
                flush=True,
            )


def _reduced(network: fs.Network, task: fs.Task, times: Any, accuracy: float, see: Any = ("loss",)) -> fs.Trajectory:
    return fs.evolve(network, task, times, method=fs.Reduced(fs.methods.AlternatingFlow(accuracy)), observe=see)


def _trained(network: fs.Network, task: fs.Task, times: Any, rate: float) -> fs.Trajectory:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # steps that are too large diverge
        return fs.evolve(network, task, times, method=fs.Train(rate=rate), observe=("loss",))


def _coarsest(job: Any, settings: Any, fine: fs.Trajectory, goal: float) -> tuple[float, float, float]:
    """Processor time, area and setting of the first setting that is near enough, or of the last."""
    for setting in settings:
        area = fs.compare(job(setting), fine).area
        if area <= goal:
            break
    return _measure(lambda: job(setting)), area, setting


def _measure(job: Any) -> float:
    """The least processor time of a few runs, the programs being compiled."""
    spent: list[float] = []
    for _ in range(3):
        began = time.process_time()
        job()
        spent.append(time.process_time() - began)
        if spent[0] > 1:
            break
    return min(spent)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--cost", nargs="?", const="")
    chosen = parser.parse_args()
    if chosen.cost is not None:
        cost(chosen.cost)
    else:
        quality(chosen.tasks)


if __name__ == "__main__":
    main()

"""Errata of jarvis2025."""

from itertools import combinations

import numpy as np

import festina as fs
from festina.papers.errata.erratum import erratum, off


def _residual(contexts: int) -> fs.Task:
    """The part of the context task that a linear map leaves."""
    task = fs.tasks.context(contexts)
    linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]
    return fs.Task(task.x, task.y - task.x @ linear)


def _all_but_one(contexts: int, start: float) -> fs.Gated:
    subsets = list(combinations(range(contexts), contexts - 1))
    return fs.gated.contextual(contexts, subsets, 8, initial=fs.gated.Decoupled(start))


@erratum("jarvis2025 App. C", "XOR pathway d = 1/8 + Δ²/16", "(2 + Δ²)/4", "final loss of the flow at Δ = ½")
def curvature() -> tuple[float, float]:
    """The final loss ½ − 2s²/d of the XOR gating at Δ = ½, which is learned: 0."""
    delta = 0.5
    s = np.sqrt(2 + delta**2) / 4
    task = fs.tasks.extended_xor(delta)
    network = fs.gated.pathways(np.eye(4), 2, initial=fs.gated.Decoupled(0.1))
    end = fs.evolve(network, task, [1e3], method=fs.Flow()).loss[0]
    losses = [0.5 - 2 * s**2 / d for d in (1 / 8 + delta**2 / 16, (2 + delta**2) / 4)]
    return abs(losses[0] - end), abs(losses[1] - end)


@erratum("jarvis2025 App. G", "U_pᵀU_j = −1/6, −1/12", "−1/(C−1)", "statistics of the task, C = 4")
def overlap() -> tuple[float, float]:
    """Overlap of two contextual pathways at C = 4, from the statistics of the task."""
    task = _residual(4)
    found = task.statistics(_all_but_one(4, 0.1)).overlap(0, 1)[0, 0]
    return off(-1 / 6, found), off(-1 / 3, found)


@erratum(
    "jarvis2025 App. F, G",
    "B(t) with e^{+2St}, 1 − S/(D B0)",
    "e^{−2St}, 1 − (C−1)S/(D B0)",
    "ODE solve of the weights, C = 3",
    bound=1e-7,
)
def strength() -> tuple[float, float]:
    """Strength of a contextual pathway, C = 3."""
    task, network, times = _residual(3), _all_but_one(3, 0.2), np.array([0.0, 20.0, 60.0])
    reference = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-11), observe=("strengths",)).strengths[:, 0]
    own = task.statistics(network).effective[0]
    s, d, b0, c = own.strengths[0], own.curvatures[0], 0.04, 2
    printed = c * s / d / (1 - (1 - s / (d * b0)) * np.exp(2 * s * times))
    return off(printed, reference), off(c * s / d / (1 - (1 - c * s / (d * b0)) * np.exp(-2 * s * times)), reference)


@erratum(
    "jarvis2025 eqs. (2), (3)",
    "τ = 1/(Nε) with the mean loss",
    "τ = 1/ε",
    "1000 steps of training at ε = 0.001",
    bound=1e-2,
)
def time_constant() -> tuple[float, float]:
    """Loss after 1000 small steps on the mean loss, against the closed form at k·ε and at N·k·ε."""
    task = fs.tasks.extended_xor(2.0)
    network = fs.gated.pathways(np.eye(4), 2, initial=fs.gated.Decoupled(0.3))
    rate, steps = 1e-3, 1000
    reference = fs.evolve(network, task, [rate * steps], method=fs.Train(rate=rate)).loss[0]
    correct, printed = fs.evolve(network, task, [rate * steps, len(task.x) * rate * steps]).loss
    return off(printed, reference), off(correct, reference)


@erratum("jarvis2025 App. A", "ΔW = +ε dL/dW", "−ε dL/dW", "rise of the loss after one step", bound=0.0)
def sign() -> tuple[float, float]:
    """Relative rise of the loss after one step either way."""
    task = fs.tasks.extended_xor(1.0)
    network = fs.gated.pathways(np.eye(4), 3, initial=fs.initial.Gaussian(0.5))
    loss = network.observables(network.context(task))["loss"]
    weights = network.start(task, 0)
    down = network.velocity(task)(weights)
    rises = [loss(tuple(w + way * 0.01 * v for w, v in zip(weights, down, strict=True))) / loss(weights) - 1
             for way in (-1, 1)]  # fmt: skip
    return float(rises[0]), float(max(rises[1], 0.0))


@erratum("jarvis2025 App. F", "X is (N+3)×N, Y (2N−1)×N", "(O+C)×N, (2O−1)(C+1)×N, N = OC", "the task itself")
def shapes() -> tuple[float, float]:
    """Rows of X and Y at O = 8, C = 3, against the task itself."""
    task, items, contexts = fs.tasks.context(3), 8, 3
    reference, count = [task.x.shape[1], task.y.shape[1]], len(task.x)
    printed = [count + 3, 2 * count - 1]
    return off(printed, reference), off([items + contexts, (2 * items - 1) * (contexts + 1)], reference)


@erratum(
    "jarvis2025 App. G.1",
    "four pathways, three contextual, each on in two",
    "five, four, three",
    "share of the residual loss that the race leaves, C = 4",
    bound=1e-6,
)
def pathways() -> tuple[float, float]:
    """Loss that remains of the residual at C = 4."""
    task = _residual(4)
    subsets = ([(0, 1), (0, 2), (1, 2)], list(combinations(range(4), 3)))
    ends = [
        fs.evolve(
            fs.gated.contextual(4, s, 8, initial=fs.gated.Decoupled(0.3)), task, [0.0, 900.0], method=fs.Reduced()
        )
        for s in subsets
    ]
    return tuple(float(end.loss[-1] / end.loss[0]) for end in ends)  # type: ignore[return-value]


@erratum(
    "jarvis2025 Lemma 4.1",
    "gates by context or single points only",
    "other dichotomies too",
    "sign patterns of 20,000 random hyperplanes, 2 items × 2 contexts",
)
def dichotomies() -> tuple[float, float]:
    """Share of the implementable dichotomies of 2 items × 2 contexts that the lemma knows, against all of them."""
    x = np.array([[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1]], float)
    rng = np.random.default_rng(0)
    drawn = rng.standard_normal((20_000, 4))
    # the lemma's gates: none, all, a context, a single point
    patterns = {tuple(row) for row in drawn @ x.T > 0}
    lemma = {
        p for p in patterns if sum(p) in (0, 1, 4) or p in {(True, True, False, False), (False, False, True, True)}
    }
    found = fs.relu.realisable_gates(x)
    return off(len(lemma), len(patterns)), off(len(found), len(patterns))

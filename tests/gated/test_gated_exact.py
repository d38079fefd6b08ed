"""Closed forms of gated networks against the flow of their weights."""

from itertools import combinations

import numpy as np
import pytest

import festina as fs

SOLVED = 1e-8
"""The flow is integrated to 1e-11; closed forms are exact."""


def residual(contexts: int) -> fs.Task:
    task = fs.tasks.context(contexts)
    linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]
    return fs.Task(task.x, task.y - task.x @ linear)


@pytest.mark.parametrize("contexts", [3, 4, 5])
def test_symmetric_contexts(contexts):
    task = residual(contexts)
    subsets = list(combinations(range(contexts), contexts - 1))
    network = fs.gated.contextual(contexts, subsets, 9, initial=fs.gated.Decoupled(0.05))
    times = np.linspace(0, 60 * contexts, 5)
    exact = fs.evolve(network, task, times, observe=("loss", "strengths", "outputs"))
    flow = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-11), observe=("loss", "strengths", "outputs"))
    np.testing.assert_allclose(exact.loss, flow.loss, atol=SOLVED)
    np.testing.assert_allclose(exact.outputs, flow.outputs, atol=SOLVED)
    statistics = task.statistics(network)
    modes = statistics.effective[0]
    # theory: S = √((C−1)/C) s(H̃)/N, D = (C−1)/N, and S/D·(C−1) at the end
    tree = fs.tasks.hierarchy(3).y
    centred = np.linalg.svd(tree - tree.mean(0), compute_uv=False)[:7]
    count = len(task.x)
    np.testing.assert_allclose(modes.strengths, np.sqrt((contexts - 1) / contexts) * centred / count, rtol=1e-10)
    np.testing.assert_allclose(modes.curvatures, (contexts - 1) / count, rtol=1e-10)
    end = fs.evolve(network, task, None, observe=("strengths",)).strengths[0][:7]
    np.testing.assert_allclose(end, (contexts - 1) * modes.strengths / modes.curvatures, rtol=1e-9)


def test_routing():
    domains, trained = 5, 3
    task = fs.tasks.routing(domains, trained)
    middle = {("encoded", "decoded"): 0.2 * np.sqrt(domains)}
    start = fs.gated.Decoupled({"encoded": 0.2, "decoded": 0.2, **middle})
    network = fs.gated.routing(domains, trained, 6, initial=start)
    times = np.linspace(0, 30, 6)
    exact = fs.evolve(network, task, times, observe=("loss", "strengths"))
    flow = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-11), observe=("loss", "strengths"))
    np.testing.assert_allclose(exact.loss, flow.loss, atol=SOLVED)
    np.testing.assert_allclose(exact.strengths, flow.strengths, atol=SOLVED)
    end = fs.evolve(network, task, None, observe=("weights",)).weights
    index = network.graph.index
    s = np.linalg.svd(fs.tasks.routing(1, 1).y, compute_uv=False)
    shared = np.linalg.svd(end[index["encoded", "decoded"]][0], compute_uv=False)[:4]
    own = np.linalg.svd(end[index["x 1", "encoded"]][0], compute_uv=False)
    np.testing.assert_allclose(shared, (domains * s) ** (1 / 3), rtol=1e-6)
    np.testing.assert_allclose(own, s ** (1 / 3) * domains ** (-1 / 6), rtol=1e-6)


def test_unbalanced_routing_conserves():
    """From equal layers c0 = M b1² − b2² is conserved by the race, and Exact refuses."""
    task, start = fs.tasks.routing(4, 2), fs.gated.Decoupled(0.1)
    network = fs.gated.routing(4, 2, 5, initial=start)
    with pytest.raises(fs.AssumptionError, match="and b2² = M b1² at the start"):
        fs.evolve(network, task, [0.0, 1.0])
    race = fs.evolve(network, task, np.linspace(0, 20, 5), method=fs.Reduced(), observe=("weights",))
    index = network.graph.index
    b1 = np.linalg.norm(race.weights[index["x 1", "encoded"]], axis=(1, 2)) ** 2
    b2 = np.linalg.norm(race.weights[index["encoded", "decoded"]], axis=(1, 2)) ** 2
    np.testing.assert_allclose(4 * b1 - b2, (4 * b1 - b2)[0], atol=1e-7)


def test_exact_refuses_what_it_cannot_solve():
    task = fs.tasks.context(3)
    subsets = [(0, 1, 2), *combinations(range(3), 2)]
    network = fs.gated.contextual(3, subsets, 16, initial=fs.gated.Decoupled(0.01))
    with pytest.raises(fs.AssumptionError, match=r"Use method=fs\.Reduced\(\)"):
        fs.evolve(network, task, [0.0, 1.0])
    random = fs.gated.pathways(np.eye(4), 3, initial=fs.initial.Gaussian(0.1))
    with pytest.raises(fs.AssumptionError, match=r"\(alignment: "):
        fs.evolve(random, fs.tasks.extended_xor(1.0), [0.0, 1.0])


@pytest.mark.parametrize("delta", [0.3, 1.5])
def test_xor_gatings_follow_the_formulas(delta):
    task, times, start = fs.tasks.extended_xor(delta), np.linspace(0, 40, 9), 1e-3
    sign = task.y[:, 0]
    for gates, s, d, share in (
        ([sign > 0, sign < 0], delta / 2, delta**2 / 2, 1),
        (np.eye(4), np.sqrt(2 + delta**2) / 4, (2 + delta**2) / 4, 2),
    ):
        network = fs.gated.pathways(gates, 2, initial=fs.gated.Decoupled(np.sqrt(start)))
        a = fs.linear.strength(times, s, d, start, 2)
        loss = fs.evolve(network, task, times).loss
        np.testing.assert_allclose(loss, 0.5 - 2 * share * s * a + share * d * a**2, atol=1e-12)
    # a finite step slows a mode by ln(1+ηs)/(ηs)
    rate = 0.4
    slowed = fs.evolve(network, task, times, method=fs.Reduced(fs.gated.FiniteStepPathways(rate))).loss
    a = fs.linear.strength(times * np.log1p(rate * s) / (rate * s), s, d, start, 2)
    np.testing.assert_allclose(slowed, 0.5 - 4 * s * a + 2 * d * a**2, atol=1e-12)


def test_primed_closed_form_follows_the_race():
    """Symmetric contexts with a common pathway: the closed form with priming against the joint race."""
    task, std, units = fs.tasks.context(3), 1e-5, 300
    subsets = [(0, 1, 2), *combinations(range(3), 2)]
    names = ["common", "on in 1, 2", "on in 1, 3", "on in 2, 3"]
    start = fs.gated.Decoupled.expected(std, dict.fromkeys(names, units))
    network = fs.gated.contextual(3, subsets, [11, 8, 8, 8], initial=start)
    times = np.linspace(0, 160, 161)
    race = fs.evolve(network, task, times, method=fs.Reduced())
    closed = fs.evolve(network, task, times, method=fs.Reduced(fs.gated.Priming()))
    # what is left out: while the common pathway takes over, both grow at rates between the two that are used
    assert fs.compare(closed, race).area < 0.02
    assert closed.error is not None
    # contextual pathways that start from a hundredth of a hundredth learn late: the start matters as theory says
    small = fs.gated.Decoupled.expected(std, {**dict.fromkeys(names, 1), "common": units})
    late = fs.evolve(network.starting(small), task, times, method=fs.Reduced(fs.gated.Priming()))
    assert fs.compare(late, race).area > 0.05


def test_pathways_of_equal_strength_that_are_slowed_down_differently_are_refused():
    """One is open at both points, the other at one: both see the same correlation, and the first has more input."""
    task = fs.Task([[1.0], [1.0]], [[-2.0], [0.0]])
    network = fs.gated.pathways([[1.0, 1.0], [1.0, 0.0]], 1, initial=fs.gated.Decoupled(0.3))
    with pytest.raises(fs.AssumptionError, match="symmetry"):
        fs.evolve(network, task, [0.0, 3.0])

"""Slips of the printed equations on gated networks: the printed form fails the check, the corrected one passes."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

import festina as fs
from festina.papers.experiments import context as experiment

DIGITS = 1e-8
"""Closed forms against a flow integrated to 1e-11."""


def residual(contexts):
    task = fs.tasks.context(contexts)
    linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]
    return fs.Task(task.x, task.y - task.x @ linear)


def test_xor_curvature():
    """jarvis2025 App. C prints d = 1/8 + Δ²/16; with it the loss falls below zero."""
    delta = 0.5
    task = fs.tasks.extended_xor(delta)
    network = fs.gated.pathways(np.eye(4), 2, initial=fs.gated.Decoupled(0.1))
    own = task.statistics(network).effective[0]
    s, printed, correct = np.sqrt(1 / 8 + delta**2 / 16), 1 / 8 + delta**2 / 16, (2 + delta**2) / 4
    np.testing.assert_allclose([own.strengths[0], own.curvatures[0]], [s, correct], rtol=1e-12)
    # at the end a = s/d, where the loss ½ − 4sa + 2da² is ½ − 2s²/d
    assert 0.5 - 2 * s**2 / printed < -1
    assert abs(0.5 - 2 * s**2 / correct) < 1e-12


@pytest.mark.parametrize(("contexts", "printed"), [(4, -1 / 6), (5, -1 / 12)])
def test_overlaps(contexts, printed):
    """jarvis2025 App. G prints U_pᵀU_j = −1/6 and −1/12; −1/(C−1) gives its coefficients 1/3 and 1/4."""
    task = residual(contexts)
    network = fs.gated.contextual(contexts, fs.gated.context_subsets(contexts, contexts - 1), 8, initial=fs.gated.Decoupled(0.1))
    statistics = task.statistics(network)
    overlap = statistics.overlap(0, 1)[0, 0]
    np.testing.assert_allclose(overlap, -1 / (contexts - 1), atol=1e-12)
    assert abs(overlap - printed) > 0.1
    ratio = (contexts - 2) / (contexts - 1)
    np.testing.assert_allclose(1 + (contexts - 1) * ratio * overlap, 1 / (contexts - 1), atol=1e-12)


@pytest.mark.parametrize("contexts", [3, 4, 5])
def test_contextual_strength(contexts):
    """jarvis2025 App. F, G print B(t) with e^{+2St} and 1 − S/(D B0)."""
    task = residual(contexts)
    network = fs.gated.contextual(contexts, fs.gated.context_subsets(contexts, contexts - 1), 8, initial=fs.gated.Decoupled(0.2))
    times = np.array([0.0, 20.0, 60.0])
    flow = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-11), observe=("strengths",)).strengths[:, 0]
    own = task.statistics(network).effective[0]
    s, d, b0, c = own.strengths[0], own.curvatures[0], 0.04, contexts - 1
    np.testing.assert_allclose(c * s / d / (1 - (1 - c * s / (d * b0)) * np.exp(-2 * s * times)), flow, atol=DIGITS)
    printed = c * s / d / (1 - (1 - s / (d * b0)) * np.exp(2 * s * times))
    assert np.abs(printed - flow).max() > 0.05


@pytest.mark.parametrize("contexts", [3, 4])
def test_shapes(contexts):
    """jarvis2025 App. F prints X as (N+3)×N and Y as (2N−1)×N with N data points."""
    task, items = fs.tasks.context(contexts), 8
    count = items * contexts
    assert task.x.T.shape == (items + contexts, count) != (count + 3, count)
    assert task.y.T.shape == ((2 * items - 1) * (contexts + 1), count) != (2 * count - 1, count)


def test_number_of_pathways():
    """jarvis2025 G.1 speaks of four pathways, three contextual, each on in two; with four contexts it is 5, 4 and 3."""
    subsets = [tuple(range(4)), *fs.gated.context_subsets(4, 3)]
    network = fs.gated.contextual(4, subsets, 8, initial=fs.initial.Gaussian(0.1))
    assert len(network.graph.paths) == 5
    assert [len(s) for s in subsets[1:]] == [3, 3, 3, 3]


def test_initial_scale():
    """jarvis2025 Table 1 prints an initial scale of 1e-7; the released runs, and their onset, have 0.005/H."""
    settings = experiment.Settings()
    assert settings.scale / settings.hidden == pytest.approx(0.005 / 700)
    task = fs.tasks.context(3, "different")
    own = task.statistics
    drop = []
    for std in (0.005 / 700, 1e-7):
        start = settings.hidden / 2 * std**2 / 2
        half = fs.linear.time_to_strength(own.targets[0] / 2, own.strengths[0], own.curvatures[0], start)
        drop.append(float(half) / (settings.step * len(task.x)))
    # ReLU networks at 0.005/H fall between steps 300 and 400; from 1e-7 they would do so after 500
    assert 300 < drop[0] < 400
    assert drop[1] > 500


def test_implementable_gates():
    """jarvis2025 Lemma 4.1 allows gates by context or single points; 14 of 16 dichotomies are implementable."""
    x = np.array([[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1]], float)
    feasible = []
    for on in product((False, True), repeat=4):
        rows = np.where(np.array(on)[:, None], -x, x)
        bounds = np.where(on, -1.0, 0.0)
        if linprog(np.zeros(4), rows, bounds, bounds=(None, None)).status == 0:
            feasible.append(on)
    assert len(feasible) == 14
    assert sum(sum(on) == 3 for on in feasible) == 4
    assert (False, True, True, False) not in feasible


def test_residual_does_not_select_the_winner():
    """The race argument: residual singular values tie subsets of 1 and of C−1 contexts; priming decides."""
    contexts = 4
    task = residual(contexts)
    top = {}
    for size in (1, 2, 3):
        network = fs.gated.contextual(contexts, fs.gated.context_subsets(contexts, size), 8, initial=fs.gated.Decoupled(0.1))
        top[size] = task.statistics(network).effective[0].strengths[0]
    np.testing.assert_allclose(top[1], top[3], rtol=1e-12)
    np.testing.assert_allclose(top[2] / top[1], np.sqrt((2 * (1 - 2 / 4)) / (1 - 1 / 4)), rtol=1e-12)

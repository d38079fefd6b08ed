"""Linear attention: expected loss, gradient flow, closed forms, and the cases at their edges."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import integrate_heads, sampled_losses

import festina as fs
from festina.attention._map import in_context_risk
from festina.tasks import InContextRegression


def saddles(task):
    """All stationary points; the number of heads plays no part."""
    return fs.LinearAttention(1, initial=fs.initial.Gaussian(0.01)).stationary_points(task)


EIGENVALUES = [1.6, 1.0, 0.5]
BAD: Any = 0.1
TURN = np.linalg.qr(np.random.default_rng(5).standard_normal((3, 3)))[0]
TURNED = TURN * EIGENVALUES @ TURN.T


@pytest.mark.parametrize("length", [1, 6])
def test_the_expected_loss_is_the_mean_over_sampled_sequences(length):
    task = fs.tasks.in_context_regression(TURNED, length)
    matrix = np.random.default_rng(1).standard_normal((3, 3)) * 0.3
    losses = sampled_losses(matrix, TURNED, length, 200_000, seed=2)
    network = fs.LinearAttention(heads=3, initial=fs.initial.Weights([TURN.T, TURN.T @ matrix.T, [[1.0, 1.0, 1.0]]]))
    watch = network.observables(network.context(task))
    weights = network.start(task, 0)
    np.testing.assert_allclose(watch["map"](weights), (TURN.T @ matrix.T).T @ TURN.T)
    found = float(watch["loss"](weights))
    used = sampled_losses(watch["map"](weights), TURNED, length, 200_000, seed=2)
    assert abs(used.mean() - found) < 5 * used.std() / np.sqrt(len(used))
    risk = in_context_risk(matrix, TURNED, np.array([float(length)]))[0]
    assert abs(losses.mean() - risk) < 5 * losses.std() / np.sqrt(len(losses))


def test_the_observed_loss_is_the_risk_at_the_trained_length():
    task = fs.tasks.in_context_regression(TURNED, 7)
    network = fs.LinearAttention(heads=2, rank=2, initial=fs.initial.Gaussian(0.5))
    watch = network.observables(network.context(task))
    weights = network.start(task, 3)
    assert watch["risk"](weights)[-1] == pytest.approx(float(watch["loss"](weights)), rel=1e-12)


@pytest.mark.parametrize(("rank", "heads"), [(1, 4), (2, 2), (5, 1)])
def test_flow_agrees_with_all_weights_by_scipy(rank, heads):
    task = fs.tasks.in_context_regression(TURNED, 9)
    network = fs.LinearAttention(heads=heads, rank=rank, initial=fs.initial.Gaussian(0.3))
    times = np.linspace(0, 6, 7)
    found = fs.evolve(network, task, times, method=fs.Flow(), observe=("map",))["map"]
    np.testing.assert_allclose(found, integrate_heads(TURNED, 9, network.start(task, 0), rank, times), atol=1e-9)


@pytest.mark.parametrize("length", [1, 31, math.inf])
def test_aligned_heads_are_solved_exactly(length):
    task = fs.tasks.in_context_regression(TURNED, length)
    network = fs.LinearAttention(heads=3, initial=fs.attention.AlignedHeads((1e-3, 2e-3, 5e-3)))
    times, seen = np.linspace(0, 40, 9), ("loss", "strengths", "map", "risk", "component_distance", "weights")
    theory = fs.evolve(network, task, times, observe=seen)
    flow = fs.evolve(network, task, times, method=fs.Flow(), observe=seen)
    assert theory.notes["theory"] == "chains of three"
    for name in seen:
        pairs = zip(theory[name], flow[name], strict=True) if name == "weights" else [(theory[name], flow[name])]
        for a, b in pairs:
            np.testing.assert_allclose(a, b, atol=1e-9)


def test_closed_forms_end_at_the_least_loss_and_go_on_from_where_they_are():
    task = fs.tasks.in_context_regression(TURNED, 31)
    network = fs.LinearAttention(heads=3, initial=fs.attention.AlignedHeads(1e-3))
    assert fs.evolve(network, task, None).loss[0] == pytest.approx(task.statistics.floor, rel=1e-12)
    whole = fs.evolve(network, task, [0.0, 5.0, 20.0], observe=("loss", "weights"))
    middle = fs.initial.Weights([w[1] for w in whole.weights])
    again = fs.evolve(fs.LinearAttention(heads=3, initial=middle), task, [0.0, 15.0])
    np.testing.assert_allclose(again.loss, whole.loss[1:], rtol=1e-10)
    one_by_one = [fs.evolve(network, task, [t]).loss[0] for t in whole.times]
    np.testing.assert_array_equal(one_by_one, whole.loss)


@pytest.mark.parametrize(
    ("covariance", "network"),
    [
        (TURNED, fs.LinearAttention(heads=3, initial=fs.attention.AlignedHeads(0.01))),
        (0.8 * np.eye(2), fs.LinearAttention(heads=3, merged=True, initial=fs.initial.Balanced(0.05))),
    ],
)
def test_training_approaches_the_closed_form_with_slope_one_in_the_step(covariance, network):
    task, times = fs.tasks.in_context_regression(covariance, 10), np.linspace(0, 8, 5)
    exact = fs.evolve(network, task, times).loss
    rates = np.array([0.04, 0.02, 0.01])
    gaps = [np.abs(fs.evolve(network, task, times, method=fs.Train(rate=r)).loss - exact).max() for r in rates]
    assert np.polyfit(np.log(rates), np.log(gaps), 1)[0] == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize(
    ("heads", "initial"),
    [
        (5, fs.initial.Aligned(1e-3)),
        (5, fs.initial.Balanced(0.05)),
        (4, fs.initial.Balanced(0.05, lambda_=-0.3)),
        (1, fs.initial.Gaussian(0.1)),
    ],
)
def test_merged_heads_on_white_inputs_are_solved_exactly(heads, initial):
    task = fs.tasks.in_context_regression(0.7 * np.eye(2), 10)
    network = fs.LinearAttention(heads=heads, merged=True, initial=initial)
    times = np.linspace(0, 20, 6)
    theory = fs.evolve(network, task, times, observe=("loss", "map"))
    flow = fs.evolve(network, task, times, method=fs.Flow(), observe=("loss", "map"))
    np.testing.assert_allclose(theory["map"], flow["map"], atol=1e-9)
    np.testing.assert_allclose(theory.loss, flow.loss, atol=1e-9)


def test_merged_attention_is_a_two_layer_network_on_cubic_features():
    task, times = fs.tasks.in_context_regression(TURNED, 10), np.linspace(0, 4, 5)
    start = fs.initial.Gaussian(0.1)
    attention = fs.evolve(fs.LinearAttention(4, merged=True, initial=start), task, times, method=fs.Flow())
    twin = fs.evolve(fs.DeepLinear((4,), initial=start), task, times, method=fs.Flow())
    np.testing.assert_allclose(attention.loss, twin.loss, rtol=1e-10)


def test_merged_heads_on_inputs_that_are_not_white_have_no_closed_form():
    task = fs.tasks.in_context_regression(TURNED, 10)
    network = fs.LinearAttention(heads=2, merged=True, initial=fs.initial.Aligned(1e-3))
    with pytest.raises(fs.AssumptionError, match="commuting"):
        fs.evolve(network, task, [0.0, 1.0])


def test_random_heads_have_no_closed_form():
    task = fs.tasks.in_context_regression(TURNED, 10)
    with pytest.raises(fs.AssumptionError, match="alignment"):
        fs.evolve(fs.LinearAttention(heads=2, initial=fs.initial.Gaussian(0.1)), task, [0.0, 1.0])


@pytest.mark.parametrize("heads", [1, 2])
def test_heads_of_higher_rank_are_coupled_chains(heads):
    task = fs.tasks.in_context_regression(EIGENVALUES, 31)
    network = fs.LinearAttention(heads=heads, rank=2, initial=fs.attention.AlignedHeads(1e-3))
    times = np.linspace(0, 120, 9)
    race = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "strengths"))
    flow = fs.evolve(network, task, times, method=fs.Flow(), observe=("loss", "strengths"))
    assert all(assumption.holds for assumption in race.assumptions)
    np.testing.assert_allclose(race.strengths, flow.strengths, atol=1e-8)
    learned = min(3, 2 * heads)
    assert race.loss[-1] == pytest.approx(task.plateaus[learned], abs=1e-6)


def test_one_head_of_rank_one_learns_the_first_component_only():
    task = fs.tasks.in_context_regression(EIGENVALUES, 31)
    network = fs.LinearAttention(heads=1, initial=fs.initial.Gaussian(0.02))
    times = np.linspace(0, 400, 3)
    for method in (fs.Reduced(), fs.Flow()):
        loss = fs.evolve(network, task, times, method=method).loss[-1]
        assert loss == pytest.approx(task.plateaus[1], abs=1e-6)


def test_rank_above_the_dimension_adds_nothing_to_what_can_be_learned():
    task = fs.tasks.in_context_regression([1.6, 1.0], 31)
    network = fs.LinearAttention(heads=1, rank=4, initial=fs.initial.Gaussian(0.2))
    loss = fs.evolve(network, task, [0.0, 400.0], method=fs.Flow()).loss[-1]
    assert loss == pytest.approx(task.statistics.floor, abs=1e-8)


def test_directions_without_variance_are_left_alone():
    task = fs.tasks.in_context_regression([1.6, 0.0, 1.0, 0.0], 31)
    np.testing.assert_allclose(task.plateaus[2:], task.statistics.floor)
    assert len(saddles(task)) == 4
    network = fs.LinearAttention(heads=4, initial=fs.attention.AlignedHeads(1e-3))
    end = fs.evolve(network, task, [0.0, 200.0], observe=("loss", "strengths"))
    flow = fs.evolve(network, task, [0.0, 200.0], method=fs.Flow(), observe=("strengths",))
    np.testing.assert_allclose(end.strengths, flow.strengths, atol=1e-9)
    np.testing.assert_allclose(end.strengths[-1, 2:], 1e-3)  # no gradient reaches them
    random = fs.LinearAttention(heads=4, initial=fs.initial.Gaussian(0.01))
    assert sorted(fs.evolve(random, task, [0.0, 1.0], method=fs.Reduced()).notes["components"]) == [0, 1]


@given(
    seed=st.integers(0, 30), size=st.integers(1, 4), length=st.one_of(st.integers(1, 40), st.just(math.inf)),
    equal=st.booleans(),
)  # fmt: skip
def test_saddles_are_stationary_and_have_their_loss(seed, size, length, equal):
    rng = np.random.default_rng(seed)
    eigenvalues = np.full(size, 1.3) if equal else rng.uniform(0, 2, size) + 1e-3
    turn = np.linalg.qr(rng.standard_normal((size, size)))[0]
    task = fs.tasks.in_context_regression(turn * eigenvalues @ turn.T, length)
    network = fs.LinearAttention(heads=size, initial=fs.attention.AlignedHeads(0.0))
    watch, velocity = network.observables(network.context(task)), network.velocity(task)
    final = task.final_strengths
    for saddle in saddles(task):
        strength = np.where(np.isin(np.arange(size), saddle.components), final, 0.0)
        weights = fs.attention.AlignedHeads(strength).draw([(size, size), (size, size), (1, size)], task, rng)
        assert float(watch["loss"](weights)) == pytest.approx(saddle.loss, abs=1e-11)
        assert max(np.abs(change).max() for change in velocity(weights)) < 1e-10


def test_conserved_quantities_stay():
    task = fs.tasks.in_context_regression(TURNED, 10)
    network = fs.LinearAttention(heads=2, rank=2, initial=fs.initial.Gaussian(0.4))
    query, key, value = fs.evolve(network, task, [0.0, 5.0], method=fs.Flow(), observe=("weights",)).weights
    rows = (key**2).sum(axis=-1)
    np.testing.assert_allclose(np.diff(rows - (query**2).sum(axis=-1), axis=0), 0, atol=1e-10)
    np.testing.assert_allclose(np.diff(value[:, 0] ** 2 - rows.reshape(2, 2, 2).sum(axis=-1), axis=0), 0, atol=1e-10)


def test_a_trajectory_of_attention_comes_back_whole(tmp_path):
    task = fs.tasks.in_context_regression(TURNED, 10)
    network = fs.LinearAttention(heads=3, initial=fs.attention.AlignedHeads(0.01))
    path = fs.evolve(network, task, [0.0, 1.0], observe=("loss", "strengths"))
    again = fs.load(path.save(tmp_path / "run.nc"))
    assert again.network == network
    assert isinstance(again.task, InContextRegression)
    np.testing.assert_array_equal(again.task.covariance, task.covariance)
    assert again.task.draw == task.draw
    assert [p.components for p in again.saddle_passages()] == [p.components for p in path.saddle_passages()]


def test_fs_theories_answers_for_attention():
    task = fs.tasks.in_context_regression(TURNED, 10)
    table = str(fs.theories(fs.LinearAttention(heads=3, initial=fs.initial.Gaussian(0.01)), task))
    assert "chains of three" in table
    assert "race of heads" in table


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fs.LinearAttention(heads=0, initial=fs.initial.Gaussian(0.1)), "heads is 0"),
        (lambda: fs.LinearAttention(heads=1, rank=0, initial=fs.initial.Gaussian(0.1)), "rank is 0"),
        (lambda: fs.LinearAttention(1, rank=2, merged=True, initial=fs.initial.Gaussian(0.1)), "rank is 2 with merged"),
        (lambda: fs.LinearAttention(heads=1, initial=BAD), "initial is 0.1"),
        (lambda: fs.attention.AlignedHeads(-1.0), "strength is -1.0"),
        (lambda: fs.attention.SoftmaxAttention(heads=1, initial=BAD), "initial is 0.1"),
        (lambda: fs.attention.SoftmaxAttention(1, initial=fs.initial.Gaussian(0.1), sequences=0), "sequences is 0"),
        (
            lambda: fs.LinearAttention(heads=1, initial=fs.initial.Gaussian(0.1)).start(fs.tasks.living_things(4), 0),
            "attention regresses in context",
        ),
        (
            lambda: fs.LinearAttention(1, merged=True, initial=fs.attention.AlignedHeads(0.1)).start(
                fs.tasks.in_context_regression([1.0], 3), 0
            ),
            "AlignedHeads with merged",
        ),
        (
            lambda: fs.LinearAttention(1, initial=fs.attention.AlignedHeads((0.1, 0.1))).start(
                fs.tasks.in_context_regression([1.0], 3), 0
            ),
            "strength has 2 values for 1 components",
        ),
    ],
)
def test_bad_arguments_get_an_error_that_says_what_to_do(call, message, untyped):
    with pytest.raises(ValueError, match=message):
        call()

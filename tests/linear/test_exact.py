"""Closed forms of whole networks against the flow of all weights, and against training."""

import math

import numpy as np
import pytest
from commuting import draws, given_start, task_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

import festina as fs
from festina.core.initial import orthonormal
from festina.linear._decoupled import DecoupledModes

FLOW = 1e-9
"""The flow is solved to 1e-12 a step; an instability e^{st} multiplies that by up to a thousand."""
EVERYTHING = ("loss", "strengths", "map", "outputs", "weights", "hidden")


def both(network, task, times, observe=EVERYTHING, **options):
    exact, flow = (
        fs.evolve(network, task, times, method=m, observe=observe, **options) for m in (fs.Exact(), fs.Flow())
    )
    return exact, flow


def assert_alike(a, b, tolerance=FLOW):
    for name in a.values:
        one, two = ((v if isinstance(v, tuple) else (v,)) for v in (a[name], b[name]))
        assert len(one) == len(two)
        for x, y in zip(one, two, strict=True):
            np.testing.assert_allclose(x, y, rtol=0, atol=tolerance * max(1.0, np.abs(y).max(initial=0.0)))


@settings(max_examples=40)
@given(facts=draws(), depth=st.integers(1, 4), start=st.sampled_from([0.0, 1e-3, 0.2, 4.0]), extra=st.integers(0, 2))
@example(facts={"s": [], "d": [1.0], "inputs": 3, "outputs": 2, "items": 1}, depth=3, start=0.1, extra=0)
@example(facts={"s": [1, 1, 1], "d": [2, 1, 0.5], "inputs": 3, "outputs": 3, "items": 3}, depth=2, start=1e-3, extra=0)
def test_exact_is_the_flow_from_aligned_starts(facts, depth, start, extra):
    task = task_of(**facts)
    width = max(task.statistics.rank + extra, 1)
    network = fs.DeepLinear((width,) * (depth - 1), initial=fs.initial.Aligned(start))
    theory, flow = both(network, task, np.array([0.0, 0.5, 2.0, 7.0, 30.0]), seed=3)
    assert_alike(theory, flow)


def test_modes_may_start_at_different_strengths():
    task = task_of([3.0, 2.0, 0.5], [1.0, 2.0, 0.3], inputs=5, outputs=4, items=30, floor=0.2)
    network = fs.DeepLinear((4, 3), initial=fs.initial.Aligned([0.2, 0.4, 0.0]))
    assert_alike(*both(network, task, np.linspace(0, 5, 9)))


@pytest.mark.parametrize(
    "layers",
    [
        [[0.9, 0.01], [0.02, 0.7]],
        [[0.3, 0.0], [0.0, 0.5]],
        [[0.4, 0.5], [-0.3, -0.8]],
        [[1e-3, -2.0], [5.0, -1e-3]],
        [[0.0, 0.0], [0.0, 0.3]],
    ],
)
def test_two_layers_need_not_be_balanced(layers):
    task = task_of([1.5, 0.8], [1.0, 0.4, 2.0], inputs=4, outputs=3, items=9)
    network = given_start(task, layers, (3,))
    assert_alike(*both(network, task, np.array([0.0, 0.3, 1.0, 4.0, 8.0])))


def test_a_mode_of_opposite_layers_decays():
    task = task_of([1.5, 0.8], [1.0, 0.4], inputs=2, outputs=2, items=4)
    network = given_start(task, [[0.6, 0.3], [-0.6, 0.3]], (2,))
    found = fs.evolve(network, task, [0.0, 0.5, 1.0], observe="strengths").strengths
    flow = fs.evolve(network, task, [0.0, 0.5, 1.0], method=fs.Flow(), observe="strengths").strengths
    np.testing.assert_allclose(found, flow, atol=FLOW)
    assert found[0, 0] == pytest.approx(-0.36)


@pytest.mark.parametrize("items", [1, 3, 50])
def test_a_shallow_network_is_solved_from_any_start_on_any_data(items):
    rng = np.random.default_rng(items)
    task = fs.Task(rng.standard_normal((items, 4)), rng.standard_normal((items, 3)))
    assert task.statistics.noncommuting > 0.01 or items == 1
    network = fs.DeepLinear(initial=fs.initial.Gaussian(0.7))
    assert_alike(*both(network, task, np.array([0.0, 0.1, 1.0, 10.0])))
    end = fs.evolve(network, task, None, observe=("loss", "outputs", "map"))
    assert end.loss[0] == pytest.approx(task.statistics.floor, abs=1e-15)
    still = np.eye(4) - np.linalg.pinv(task.x) @ task.x
    start = network.start(task, 0)[0]
    np.testing.assert_allclose(end["map"][0] @ still, start @ still, atol=1e-12)  # inputs that never occur keep theirs


def test_a_shallow_finite_step_is_gradient_descent_itself():
    task = task_of([1.0], [2.0, 0.5], inputs=4, outputs=2, items=7)  # two inputs directions never occur
    network = fs.DeepLinear(initial=fs.initial.Gaussian(0.7))
    rate, w = 0.45, network.start(task, 0)[0]
    method = fs.Reduced(fs.linear.FiniteStep(rate))
    found = fs.evolve(network, task, rate * np.arange(6), method=method, observe=("map", "loss"))
    for k in range(6):
        np.testing.assert_allclose(found["map"][k], w, atol=1e-13)
        assert found.loss[k] == pytest.approx(0.5 * np.sum((task.y - task.x @ w.T) ** 2) / 7, rel=1e-12)
        w = w + rate * (task.y - task.x @ w.T).T @ task.x / 7
    slow = task_of([0.1], [0.1], inputs=3, outputs=1, items=4)
    # 5 × 0.1 < 1; directions of no variance do not count
    fs.evolve(network, slow, [1.0], method=fs.Reduced(fs.linear.FiniteStep(5.0)))


@pytest.mark.parametrize("hidden", [(), (4,), (4, 3), (3, 4, 3)])
def test_start_and_limit(hidden):
    task = task_of([3.0, 2.0, 0.5], [1.0, 2.0, 0.3], inputs=5, outputs=4, items=30, floor=0.2)
    network = fs.DeepLinear(hidden, initial=fs.initial.Aligned(1e-2))
    start = fs.evolve(network, task, [0.0], observe=("weights", "loss"), seed=5)
    for found, drawn in zip(start.weights, network.start(task, 5), strict=True):
        np.testing.assert_allclose(found[0], drawn, atol=1e-15)
    late = fs.evolve(network, task, [1e7], observe=EVERYTHING)
    limit = fs.evolve(network, task, None, observe=EVERYTHING)
    assert_alike(late, limit, 1e-13)
    assert limit.loss[0] == pytest.approx(task.statistics.floor, rel=1e-14)
    assert np.isinf(limit.times[0])


@pytest.mark.parametrize("hidden", [(3,), (3, 3)])
def test_restarting_from_the_weights_in_the_middle_changes_nothing(hidden):
    task = task_of([3.0, 2.0, 1.5], [1.0, 2.0, 0.3], inputs=4, outputs=3, items=12)
    network = fs.DeepLinear(hidden, initial=fs.initial.Aligned(0.05))
    straight = fs.evolve(network, task, [0.0, 0.5, 1.5], observe=EVERYTHING)
    middle = fs.initial.Weights([w[1] for w in straight.weights])
    again = fs.evolve(fs.DeepLinear(hidden, initial=middle), task, [1.0], observe=EVERYTHING)
    np.testing.assert_allclose(again.loss[0], straight.loss[2], rtol=1e-10)
    for a, b in zip(again.weights, straight.weights, strict=True):
        np.testing.assert_allclose(a[0], b[2], atol=1e-10)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_training_approaches_theory_in_proportion_to_the_step(depth):
    task = task_of([1.0, 0.6], [1.0, 0.5], inputs=3, outputs=2, items=8)
    network = fs.DeepLinear((3,) * (depth - 1), initial=fs.initial.Aligned(0.05))
    times, rates = np.linspace(0, 8, 9), np.array([0.02, 0.01, 0.005])
    theory = fs.evolve(network, task, times).loss
    errors = [np.abs(fs.evolve(network, task, times, method=fs.Train(rate=r)).loss - theory).max() for r in rates]
    slope = np.polyfit(np.log(rates), np.log(errors), 1)[0]
    assert slope == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("hidden", [(), (3,), (4, 3)])
def test_rotations_and_permutations_of_the_task_carry_over(hidden):
    rng = np.random.default_rng(0)
    task = task_of([2.0, 1.0, 1.0], [1.0, 0.7, 0.2], inputs=4, outputs=3, items=6)
    turn_in, turn_out = orthonormal(4, 4, rng), orthonormal(3, 3, rng)
    order = rng.permutation(6)
    network, times = fs.DeepLinear(hidden, initial=fs.initial.Aligned(1e-2)), np.linspace(0, 10, 6)
    seen = ("loss", "map", "outputs")
    plain = fs.evolve(network, task, times, observe=seen)
    turned = fs.evolve(network, fs.Task(task.x @ turn_in.T, task.y @ turn_out.T), times, observe=seen)
    mixed = fs.evolve(network, fs.Task(task.x[order], task.y[order]), times, observe=seen)
    twice = fs.evolve(network, fs.Task(np.vstack([task.x] * 2), np.vstack([task.y] * 2)), times, observe=seen)
    near = {"rtol": 0, "atol": 1e-12}
    np.testing.assert_allclose(turned["map"], turn_out @ plain["map"] @ turn_in.T, **near)
    np.testing.assert_allclose(turned.loss, plain.loss, **near)
    np.testing.assert_allclose(mixed.outputs, plain.outputs[:, order], **near)
    np.testing.assert_allclose(mixed["map"], plain["map"], **near)
    np.testing.assert_allclose(twice.loss, plain.loss, **near)


def test_infinite_depth_is_the_limit_of_deep_networks():
    task = task_of([1.0, 0.6], [1.0, 0.5], inputs=3, outputs=2, items=8, floor=0.1)
    times = np.linspace(0, 30, 12)
    endless = fs.evolve(fs.DeepLinear(depth=math.inf, initial=fs.initial.Aligned(0.2)), task, times)
    assert endless.unit == "depth × flow time"
    gaps = []
    for depth in (10, 20):
        network = fs.DeepLinear((2,) * (depth - 1), initial=fs.initial.Aligned(0.2))
        gaps.append(np.abs(fs.evolve(network, task, times / depth).loss - endless.loss).max())
    assert gaps[1] == pytest.approx(gaps[0] / 2, rel=0.2)


def refused(network, task, method=None):
    with pytest.raises(fs.AssumptionError) as caught:
        fs.evolve(network, task, [0.0, 1.0], method=method)
    return caught.value


def test_exact_raises_outside_its_assumptions_and_says_the_number():
    task = task_of([1.0, 0.6], [1.0, 0.5], inputs=3, outputs=2, items=8)
    rng = np.random.default_rng(0)
    skew = fs.Task(rng.standard_normal((9, 3)), rng.standard_normal((9, 2)))
    error = refused(fs.DeepLinear((3, 3), initial=fs.initial.Aligned(0.1)), skew)
    assert error.assumption.name == "commuting"
    assert error.assumption.measured == pytest.approx(skew.statistics.noncommuting)
    error = refused(fs.DeepLinear((3, 3), initial=fs.initial.Gaussian(0.1)), task)
    assert error.assumption.name == "alignment"
    assert "fs.Reduced()" in str(error)
    error = refused(given_start(task, [[0.1, 0.1], [0.1, 0.1], [0.1, 0.2]], (3, 3)), task)
    assert error.assumption.name == "balance"
    assert error.assumption.measured == pytest.approx(0.75)
    error = refused(given_start(task, [[0.1, 0.1], [0.1, 0.1], [-0.1, 0.1]], (3, 3)), task)
    assert error.assumption.name == "sign"
    assert error.assumption.measured == pytest.approx(1e-3)


def test_a_weak_mode_is_judged_by_its_own_size():
    task = task_of([1.0, 0.6], [1.0, 0.5], inputs=3, outputs=2, items=8)
    weak = [[1.0, 3e-5], [1.0, 2.95e-5], [1.0, 3e-5]]
    assert refused(given_start(task, weak, (3, 3)), task).assumption.name == "balance"
    weights = [w.copy() for w in given_start(task, [[1.0, 1e-6], [1.0, 1e-6]], (3,)).start(task, 0)]
    hidden = np.random.default_rng(0).standard_normal(3)
    weights[0] += 1e-11 * np.outer(hidden, task.statistics.right[:, 1])
    network = fs.DeepLinear((3,), initial=fs.initial.Weights(weights))
    decoupled = fs.Exact(DecoupledModes())
    assert refused(network, task, decoupled).assumption.name == "alignment"


@pytest.mark.parametrize(
    ("network", "method", "message"),
    [
        (fs.DeepLinear(depth=math.inf, initial=fs.initial.Gaussian(1)), fs.Exact(), "infinite depth; only fs.initial"),
        (fs.DeepLinear((3, 3), initial=fs.initial.Aligned(1)), fs.Reduced(fs.linear.FiniteStep(0.1)), "3 layers: the"),
        (
            fs.DeepLinear((3,), initial=fs.initial.Aligned(1)),
            fs.Reduced(fs.linear.FiniteStep(0.9)),
            "offered up to 0.5",
        ),
        (fs.DeepLinear(depth=math.inf, initial=fs.initial.Aligned(1)), fs.Flow(), "depth is infinite: there are no"),
        (fs.DeepLinear((1,), initial=fs.initial.Aligned(1)), fs.Exact(), "width 1 below the task's rank 2"),
        (fs.DeepLinear((2,), initial=fs.initial.Aligned([1, 2, 3])), fs.Exact(), "strength has 3 values for 2 modes"),
    ],
)
def test_errors(network, method, message):
    task = task_of([1.0, 0.6], [1.0, 0.5], inputs=3, outputs=2, items=8)
    with pytest.raises(ValueError, match=message):
        fs.evolve(network, task, [0.0, 1.0], method=method)

"""The race reduction against closed forms where it is exact, and against the flow where it is not."""

import numpy as np
import pytest
from commuting import draws, given_start, task_of
from hypothesis import given, settings
from hypothesis import strategies as st

import festina as fs
from festina.linear import strength
from festina.linear._race import finite_step
from festina.modes.mode import descend, parts

REDUCED = 1e-8
"""Deep chains are integrated at a tolerance of 1e-10 a step."""


def run(network, task, times, method, seed=0, observe=("loss", "strengths", "map")):
    return fs.evolve(network, task, times, method=method, seed=seed, observe=observe)


def measured(trajectory):
    return {a.name: a.measured for a in trajectory.assumptions}


@settings(max_examples=30)
@given(facts=draws(), depth=st.integers(1, 4), start=st.sampled_from([1e-3, 0.2, 4.0]))
def test_race_is_exact_from_aligned_starts(facts, depth, start):
    task = task_of(**facts)
    network = fs.DeepLinear((task.statistics.rank + 1,) * (depth - 1), initial=fs.initial.Aligned(start))
    times = np.array([0.0, 0.5, 2.0, 7.0, 30.0])
    race, exact = run(network, task, times, fs.Reduced()), run(network, task, times, fs.Exact())
    for name in ("loss", "strengths", "map"):
        np.testing.assert_allclose(race[name], exact[name], atol=REDUCED * max(1, start), rtol=REDUCED)
    assert measured(race)["alignment"] < 1e-10
    assert all(a.holds for a in race.assumptions)
    for name in ("loss", "map"):
        at_end = [run(network, task, None, method)[name] for method in (fs.Reduced(), fs.Exact())]
        np.testing.assert_allclose(*at_end, atol=1e-12)


def test_unequal_modes_of_deep_chains_are_found_along_their_own_directions():
    task = task_of([2.0, 1.0, 0.8], [1.0, 1.0, 0.5], inputs=4, outputs=3, items=6)
    layers = np.array([[1.0, 1e-3, 0.3], [0.5, 3e-3, 0.0], [0.8, 2e-3, 0.1], [1.2, 1e-3, 0.2]])
    network, times = given_start(task, layers, (5, 3, 4)), np.array([0.0, 1.0, 3.0])
    race = run(network, task, times, fs.Reduced())
    assert measured(race)["alignment"] < 1e-8
    np.testing.assert_allclose(race.strengths[0], layers.prod(axis=0), atol=1e-12)
    np.testing.assert_allclose(race.strengths, run(network, task, times, fs.Flow()).strengths, atol=REDUCED)


@pytest.mark.parametrize(
    ("layers", "end"),
    [([0.5, 0.2, 0.0], 2.0), ([0.5, 0.0, 0.0], 0.0), ([0.5, 0.4, -0.3], 2.0), ([0.5, 0.3, -0.3], 0.0)],
)
def test_where_a_deep_mode_of_no_or_negative_strength_ends(layers, end):
    task = task_of([1.0], [0.5], inputs=2, outputs=2, items=3)
    network = given_start(task, np.array(layers)[:, None], (2, 3))
    assert run(network, task, None, fs.Reduced()).strengths[0, 0] == pytest.approx(end, abs=1e-12)
    late = run(network, task, np.array([0.0, 60.0]), fs.Reduced()).strengths[-1, 0]
    assert late == pytest.approx(end, abs=0.05)  # a stuck mode nears its saddle as 1/t only


def test_the_assumptions_say_what_is_missing():
    rng = np.random.default_rng(0)
    skew = fs.Task(rng.standard_normal((9, 3)), rng.standard_normal((9, 2)))
    network, alone = fs.DeepLinear((1,), initial=fs.initial.Gaussian(0.1)), fs.Reduced("independent modes")
    race = run(network, skew, np.array([0.0, 1.0]), alone)
    assert measured(race)["commuting"] == pytest.approx(skew.statistics.noncommuting)
    assert measured(race)["width"] == 1
    assert measured(race)["alignment"] > 0.1
    assert not any(a.holds for a in race.assumptions)


def test_the_loss_is_that_of_the_map_even_where_correlations_do_not_commute():
    rng = np.random.default_rng(1)
    task = fs.Task(rng.standard_normal((9, 3)), rng.standard_normal((9, 2)))
    race = run(fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.3)), task, np.linspace(0, 9, 4), fs.Reduced())
    direct = [0.5 * np.sum((task.y - task.x @ w.T) ** 2) / 9 for w in race["map"]]
    np.testing.assert_allclose(race.loss, direct, rtol=1e-12)


@pytest.mark.filterwarnings("ignore:the theory 'independent modes' has an estimated error of")
@pytest.mark.parametrize("seed", range(3))
def test_race_nears_the_flow_of_random_weights_as_they_get_smaller(seed):
    task, times = fs.tasks.hierarchy(levels=2), np.linspace(0, 70, 141)
    areas = []
    for std in (0.3, 0.1, 0.01):
        network = fs.DeepLinear((16,), initial=fs.initial.Gaussian(std))
        race = run(network, task, times, fs.Reduced(), seed)
        flow = run(network, task, times, fs.Flow(rtol=1e-9), seed, ("loss",))
        areas.append(fs.compare(race, flow).area)
    assert areas[0] > areas[1] > areas[2]
    assert areas[2] < 0.015


def test_a_narrow_layer_carries_the_strongest_modes():
    task, times = fs.tasks.hierarchy(levels=2), np.linspace(0, 150, 61)  # modes 1, 1, 2 of strengths √7, √3, 1
    network = fs.DeepLinear((2,), initial=fs.initial.Gaussian(1e-3))
    race, flow = (run(network, task, times, method) for method in (fs.Reduced(), fs.Flow(rtol=1e-9)))
    assert measured(race)["width"] == 2
    assert race.loss[-1] == pytest.approx(flow.loss[-1], rel=1e-6)
    assert race.loss[-1] == pytest.approx(0.5 * 4 * task.statistics.strengths[-1] ** 2 * 2, rel=1e-6)
    np.testing.assert_allclose(race["map"][-1], flow["map"][-1], atol=1e-5)
    assert fs.compare(race, flow).area < 0.15


def test_growing_parts_add_up_to_the_strengths():
    task = fs.tasks.hierarchy(levels=2)
    first, second = weights = fs.DeepLinear((6,), initial=fs.initial.Gaussian(0.4)).start(task, 1)
    rho, kappa = parts(first, second, task.statistics.left, task.statistics.right)
    strengths = np.einsum("om,oi,im->m", task.statistics.left, weights[1] @ weights[0], task.statistics.right)
    np.testing.assert_allclose(rho - kappa, strengths, atol=1e-13)
    assert np.all(rho >= 0)
    assert np.all(kappa >= 0)


@pytest.mark.parametrize(("std", "times"), [(0.0, [0.0, 1.0]), (0.3, [0.0])])
def test_a_deep_network_without_weights_or_time_stays_where_it_is(std, times):
    network = fs.DeepLinear(hidden=(4, 4), initial=fs.initial.Gaussian(std))
    task = fs.tasks.hierarchy(levels=1)
    assert (
        run(network, task, times, fs.Flow()).strengths.shape == run(network, task, times, fs.Reduced()).strengths.shape
    )
    found = run(network, task, times, fs.Reduced()).strengths
    assert np.array_equal(found, np.broadcast_to(found[0], found.shape))


@pytest.mark.parametrize("rate", [0.02, 0.2])
def test_the_finite_step_follows_gradient_descent(rate):
    s, d, start, steps = 1.2, 0.8, 1e-5, int(12 / rate)
    times = rate * np.arange(steps + 1)
    layer, trained = start**0.5, np.zeros(steps + 1)
    for step in range(steps + 1):
        trained[step] = layer**2
        layer += rate * layer * (s - d * layer**2)
    flow, corrected = (strength(t, s, d, start, 2) for t in (times, finite_step(times, s, rate)))
    growth = trained < 0.01 * s / d
    np.testing.assert_allclose(corrected[growth], trained[growth], rtol=0.05)  # exact but for the 1 % of saturation
    assert np.abs(corrected - trained).max() < 0.4 * np.abs(flow - trained).max()
    # the recursion of a mode is the descent of its chain
    np.testing.assert_allclose(descend(np.arange(steps + 1), s, d, start, rate), trained, rtol=1e-9)


def test_a_gaussian_mode_starts_to_grow_from_half_the_width_times_the_variance():
    width, std, seeds = 12, 0.3, 400
    task = fs.tasks.teacher(4, 3, seed=0)
    network = fs.DeepLinear((width,), initial=fs.initial.Gaussian(std))
    left, right = task.statistics.left, task.statistics.right
    starts = (network.start(task, seed) for seed in range(seeds))
    found = np.array([parts(first, second, left, right) for first, second in starts])
    expected = width * std**2 / 2
    # a sum of H squares: relative spread √(2/H), over 400 seeds and 3 modes 0.012; five of them
    np.testing.assert_allclose(found.mean(axis=(0, 2)), expected, rtol=0.06)

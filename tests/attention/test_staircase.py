"""From small random heads: order, plateaus and times, against the flow of all weights."""

import numpy as np
import pytest

import festina as fs

pytestmark = pytest.mark.slow

SPECTRA = [
    (1.6, 1.0, 0.5), (2.0, 1.0), (1.5, 1.1, 0.8), (1.2, 0.7, 0.4), (1.9, 1.3, 0.9, 0.6),
    (1.0, 0.6), (1.7, 1.2, 0.7), (1.4, 0.9, 0.6), (0.9, 0.6, 0.45), (1.8, 1.4, 1.0),
]  # fmt: skip
"""Ten spectra whose neighbours differ by a quarter or more: components that are closer are learned together."""

SCALE = 2e-3
"""Standard deviation of the initial weights: small against the final ones, which are of order one."""

STIFF = fs.Flow(solver="LSODA", rtol=1e-8)
"""Plateaus that last thousands of time constants are stiff."""

PLATEAU, TIME = 1e-3, 0.05
"""What is asked of the plateaus of the loss, and of the times at which half a component is learned."""


def _run(spectrum, seed, scale=SCALE):
    task = fs.tasks.in_context_regression(spectrum, length=31)
    network = fs.LinearAttention(heads=len(spectrum) + 2, initial=fs.initial.Gaussian(scale))
    race = fs.evolve(network, task, [0.0], method=fs.Reduced(), seed=seed)
    end = 1.15 * max(race.notes["times"]) + 20 / min(spectrum) ** 2
    around = [t * np.linspace(0.9, 1.1, 101) for t in race.notes["times"]]
    times = np.unique(np.concatenate([np.linspace(0, end, 100), *around]))
    flow = fs.evolve(network, task, times, method=STIFF, seed=seed, observe=("loss", "strengths"))
    return task, race, flow


def test_components_that_are_half_there_at_the_start_are_taken_from_the_other_heads():
    """From weights of 0.05 a chain starts above the smallest share at which its time is tabulated."""
    task = fs.tasks.in_context_regression((1.6, 1.0, 0.5), length=31)
    network = fs.LinearAttention(heads=6, initial=fs.initial.Gaussian(0.05))
    times = np.linspace(0, 250, 1001)
    flow = fs.evolve(network, task, times, method=STIFF, seed=1, observe="strengths").strengths
    race = fs.evolve(network, task, [0.0], method=fs.Reduced(), seed=1)
    assert race.notes["components"] == [0, 1, 2]
    halves = [times[np.argmax(flow[:, d] > half)] for d, half in enumerate(task.final_strengths / 2)]
    np.testing.assert_allclose(race.notes["times"], halves, rtol=0.15)


def test_no_component_is_learned_twice():
    """Large heads still read a component that another one has learned."""
    task = fs.tasks.in_context_regression((2.0, 1.2, 0.7, 0.4), length=31)
    for seed in range(3):
        network = fs.LinearAttention(heads=8, initial=fs.initial.Gaussian(0.3))
        notes = fs.evolve(network, task, [0.0], method=fs.Reduced(), seed=seed).notes
        assert sorted(notes["components"]) == [0, 1, 2, 3]


@pytest.mark.parametrize("number", range(len(SPECTRA)))
def test_order_plateaus_and_times_from_small_random_heads(number):
    spectrum = SPECTRA[number]
    task, race, flow = _run(spectrum, seed=number)
    final = task.final_strengths
    learned = [int(np.argmax(flow.strengths[:, d] > final[d] / 2)) for d in range(len(spectrum))]
    # order
    assert race.notes["components"] == list(range(len(spectrum)))
    assert learned == sorted(learned)
    # plateaus: the loss where the trajectory passes each saddle
    passages = flow.saddle_passages()
    assert [p.components for p in passages] == [tuple(range(m)) for m in range(len(spectrum) + 1)]
    np.testing.assert_allclose([p.loss for p in passages], task.plateaus, atol=PLATEAU)
    # times
    np.testing.assert_allclose(race.notes["times"], flow.times[learned], rtol=TIME)


def test_the_race_reports_where_it_cannot_be_trusted():
    near = fs.tasks.in_context_regression([1.9, 1.85, 1.7], length=31)
    network = fs.LinearAttention(heads=5, initial=fs.initial.Gaussian(0.1))
    race = fs.evolve(network, near, [0.0, 30.0], method=fs.Reduced())
    assert {a.name for a in race.assumptions if not a.holds} == {"small start", "apart"}
    assert race.error is not None


def test_equal_eigenvalues_are_learned_in_directions_of_the_heads_own():
    task = fs.tasks.in_context_regression([1.2, 1.2], length=31)
    network = fs.LinearAttention(heads=4, initial=fs.initial.Gaussian(1e-3))
    race = fs.evolve(network, task, [0.0, 1e5], method=fs.Reduced(), observe=("loss", "map"))
    flow = fs.evolve(network, task, [0.0, 2e4], method=STIFF, observe=("loss", "map"))
    np.testing.assert_allclose(race["map"][-1], flow["map"][-1], atol=1e-6)


def test_merged_heads_drop_once_whatever_the_inputs():
    task = fs.tasks.in_context_regression([1.6, 1.0, 0.5], length=31)
    network = fs.LinearAttention(heads=8, merged=True, initial=fs.initial.Gaussian(1e-3))
    times = np.linspace(0, 30, 601)
    race = fs.evolve(network, task, times, method=fs.Reduced())
    flow = fs.evolve(network, task, times, method=STIFF)
    assert fs.compare(race, flow).area < 0.01
    half = [times[np.argmax(run.loss < (run.loss[0] + run.loss[-1]) / 2)] for run in (race, flow)]
    assert half[0] == pytest.approx(half[1], rel=0.05)


def test_in_context_risk_falls_with_the_number_of_components_and_of_examples():
    task = fs.tasks.in_context_regression([1.6, 1.0, 0.5], length=31)
    network = fs.LinearAttention(heads=3, initial=fs.attention.AlignedHeads(1e-6))
    path = fs.evolve(network, task, [0.0, 70.0, 250.0, 1000.0], observe=("risk", "component_distance"))
    assert np.all(np.diff(path["risk"][:, -1]) < 0)
    assert np.all(np.diff(path["risk"][-1]) < 0)
    # on each plateau attention is principal-component regression with as many components as it has learned
    assert np.argmin(path["component_distance"], axis=1).tolist() == [0, 1, 2, 3]
    assert np.min(path["component_distance"], axis=1).max() < 1e-4


def test_sampled_sequences_train_like_the_expected_loss():
    task = fs.tasks.in_context_regression([1.6, 1.0], length=15)
    network = fs.LinearAttention(heads=2, initial=fs.attention.AlignedHeads(0.01))
    times = [0.0, 2.0, 6.0]
    full = fs.evolve(network, task, times, method=fs.Train(rate=0.02)).loss
    drawn = fs.evolve(network, task, times, method=fs.Train(rate=0.02, batch=100), seeds=4).loss
    gap = np.abs(drawn.mean(axis=0) - full)[1:]
    assert np.all(gap < 5 * drawn.std(axis=0, ddof=1)[1:] / 2 + 0.01)


def test_softmax_attention_trains_and_flows():
    task = fs.tasks.in_context_regression([1.6, 1.0], length=15)
    network = fs.attention.SoftmaxAttention(heads=2, initial=fs.initial.Gaussian(0.3), sequences=50)
    train = fs.evolve(network, task, [0.0, 1.0], method=fs.Train(rate=0.001), observe=("loss", "strengths")).loss
    flow = fs.evolve(network, task, [0.0, 1.0], method=fs.Flow(rtol=1e-8), observe=("loss", "strengths")).loss
    np.testing.assert_allclose(train, flow, rtol=1e-3)
    with pytest.raises(ValueError, match="no closed form"):
        fs.evolve(network, task, [0.0, 1.0])
    with pytest.raises(ValueError, match="which is not enough for SoftmaxAttention"):
        fs.evolve(network, task, [0.0, 1.0], method=fs.Reduced())


@pytest.mark.parametrize(
    ("eigenvalues", "length", "heads", "std", "end"),
    [((1.6, 1.0, 0.5), 31, 4, 0.01 * 1.6 ** (-1 / 3), 3000 * 1.6 ** (-5 / 3)), ((1.0, 1.0, 1.0), 5, 3, 0.01, 40.0)],
)
def test_the_estimate_of_the_error_is_the_error(eigenvalues, length, heads, std, end):
    """On the first a reference with five digits per step understates the largest error by 7 %."""
    task, times = fs.tasks.in_context_regression(eigenvalues, length), np.linspace(0, end, 60)
    network = fs.LinearAttention(heads, merged=heads == 3, initial=fs.initial.Gaussian(std))
    race, flow = (fs.evolve(network, task, times, method=method) for method in (fs.Reduced(), fs.Flow(solver="LSODA")))
    true = np.abs(race.loss - flow.loss)
    assert true.max() > 1e-4
    np.testing.assert_allclose(np.abs(np.asarray(race.error)), true, atol=0.02 * true.max())

"""The exact ReLN: a gated network that learns as the ReLU network did, whatever the depth."""

import dataclasses

import numpy as np
import pytest

import festina as fs

pytestmark = pytest.mark.slow

ROUNDING = 1e-13
"""Outputs and weights here are of order 1; a few hundred steps leave some units in the last place."""

SINGLE = 1e-5
"""The same in single precision."""

RATE = 0.2


def trained(hidden=(7, 6), steps=200, every=1, seeds=None, observe=("loss", "outputs", "weights", "gates"), **method):
    task, network = fs.tasks.extended_xor(0.5), fs.ReLU(hidden, initial=fs.initial.Gaussian(0.6))
    times = RATE * np.arange(0, steps + 1, every)
    return fs.evolve(network, task, times, method=fs.Train(rate=RATE, **method), seeds=seeds, observe=observe)


@pytest.fixture(name="task")
def learned():
    return fs.tasks.extended_xor(0.5)


@pytest.fixture(name="run", scope="module")
def two_layers():
    return trained()


@pytest.mark.filterwarnings("ignore:the loss rose")  # the step is large, and both networks take it alike
@pytest.mark.parametrize("hidden", [(8,), (8, 7, 6)])
def test_weights_outputs_and_loss_are_the_same_at_every_step(hidden, task):
    run = trained(hidden, seeds=2)
    found = fs.relu.reln(run, task)
    assert np.all(run.loss[:, -1] < 0.6 * run.loss[:, 0]), "something was learned"
    assert found.max_output_difference <= ROUNDING
    assert found.max_weight_difference <= ROUNDING
    assert found.max_loss_difference <= ROUNDING
    for mine, theirs in zip(found.gates, run["gates"], strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_allclose(found.trajectory.outputs, run.outputs, atol=ROUNDING)
    assert found.trajectory.seeds == run.seeds


def descend(weights, gates, task):
    """One gradient step of a gated linear network, derived by hand: no JAX, no ReLU."""
    before = [task.x]
    for matrix, gate in zip(weights[:-1], gates, strict=True):
        before.append(gate * (before[-1] @ matrix.T))
    back = (before[-1] @ weights[-1].T - task.y) / len(task.x)
    steps = []
    for i in reversed(range(len(weights))):
        steps.insert(0, back.T @ before[i])
        if i:
            back = (back @ weights[i]) * gates[i - 1]
    return [w - RATE * step for w, step in zip(weights, steps, strict=True)]


def test_gates_are_all_that_the_gated_network_takes_from_the_run(run, task):
    """Linear layers, started alike and trained by hand with the recorded gates, arrive at the same weights."""
    found = fs.relu.reln(run, task)
    assert max(found.max_output_difference, found.max_weight_difference, found.max_loss_difference) <= ROUNDING
    weights, frozen = [w[0] for w in run.weights], [w[0] for w in run.weights]
    for step in range(200):
        weights = descend(weights, [g[step] for g in run["gates"]], task)
        frozen = descend(frozen, [g[0] for g in run["gates"]], task)
    for mine, theirs, relu in zip(weights, found.trajectory.weights, run.weights, strict=True):
        np.testing.assert_allclose(theirs[-1], mine, atol=ROUNDING)
        np.testing.assert_allclose(relu[-1], mine, atol=ROUNDING)
    assert any(np.any(g[0] != g[-1]) for g in found.gates)
    assert max(np.abs(a - b).max() for a, b in zip(weights, frozen, strict=True)) > 0.01, "the first gates do not do"


def test_a_run_seen_at_few_steps_in_single_precision_and_read_from_a_file(run, task, tmp_path):
    """Between observations the ReLU network is trained again, in the precision it had."""
    sparse = trained(every=50, observe=("weights",), precision="single")
    some = fs.relu.reln(fs.load(sparse.save(tmp_path / "run.nc")), task)
    assert some.max_output_difference <= SINGLE
    for a, b in zip(run.weights, some.trajectory.weights, strict=True):
        np.testing.assert_allclose(a[::50], b, atol=SINGLE)
        assert b.dtype == np.float32
    assert "outputs differ by at most" in str(some)


def test_what_is_no_training_run_of_this_task_is_refused(run, task, untyped):
    def told(**changes):
        return dataclasses.replace(run, **changes)

    with pytest.raises(ValueError, match="run is int; a trajectory"):
        fs.relu.reln(3, task)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="task is int"):
        fs.relu.reln(run, 3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"run observed loss; its weights are needed"):
        fs.relu.reln(told(values={"loss": run.loss}), task)
    with pytest.raises(ValueError, match="run has 3 inputs and 1 outputs, the task has 11 and 60"):
        fs.relu.reln(run, fs.tasks.context())
    with pytest.raises(ValueError, match=r"not full-batch gradient descent at rate 0\.2 on this task"):
        fs.relu.reln(run, fs.tasks.extended_xor(0.6))
    with pytest.raises(ValueError, match=r"run was made by hand; a run of full-batch gradient descent"):
        fs.relu.reln(told(notes={}, method=""), task)
    for method in (fs.Train(rate=0.2, optimiser="adam"), fs.Train(rate=0.2, batch=2)):
        with pytest.raises(ValueError, match=r"made by Train\(rate=0.2, .*a run of full-batch gradient descent"):
            fs.relu.reln(told(method=method), task)
    last = {"weights": tuple(w[-1:] for w in run.weights)}
    with pytest.raises(ValueError, match="one observation"):
        fs.relu.reln(told(times=run.times[-1:], values=last, notes={"steps": [200]}), task)
    with pytest.raises(ValueError, match=r"weights of shapes \[\(7, 3\)\]"):
        fs.relu.reln(told(values={"weights": run.weights[:1]}), task)
    lost = tuple(np.where(w > 0, w, np.inf) for w in run.weights)
    with pytest.raises(ValueError, match="it diverged"):
        fs.relu.reln(told(values={"weights": lost}), task)


def test_the_task_is_the_runs_own_also_from_a_file(tmp_path):
    task, network = fs.tasks.extended_xor(0.5), fs.ReLU((6,), initial=fs.initial.Gaussian(0.3))
    run = fs.evolve(network, task, np.arange(0, 5.0), method=fs.Train(rate=0.2), observe=("loss", "weights"))
    assert fs.relu.reln(run).max_output_difference == fs.relu.reln(run, task).max_output_difference
    read = fs.load(run.save(tmp_path / "run.nc"))
    assert fs.relu.reln(read).max_output_difference < 1e-12
    assert fs.relu.reln(read, task).max_output_difference < 1e-12

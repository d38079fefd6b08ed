"""Features of 1e-10 of the largest: each small mode is its own, and loss, outputs and strengths agree."""

import numpy as np
import pytest

import festina as fs
from festina.core.theory import Start
from festina.linear._decoupled import DecoupledModes

POINTS = np.sqrt(6) * np.linalg.qr(np.random.default_rng(0).standard_normal((6, 3)))[0]
TINY = np.array([1.0, 1e-10, 3e-10])


def task(mix: np.ndarray) -> fs.Task:
    """One large and two small features without correlations; ``mix`` says which outputs the small ones teach."""
    targets = np.eye(3)
    targets[1:, 1:] = mix
    return fs.Task(POINTS * TINY, POINTS @ targets)


def network(task: fs.Task) -> fs.DeepLinear:
    return fs.DeepLinear((3,), initial=fs.initial.Aligned(0.1 * float(task.statistics.targets.min())))


def test_small_modes_of_different_strength_are_not_one_subspace():
    own = task(np.diag([1.0, 0.2]))
    assert own.statistics.strengths == pytest.approx([1.0, 1e-10, 0.6e-10], rel=1e-4)
    run = fs.evolve(network(own), own, None, observe=("loss", "outputs", "strengths"))
    assert np.abs(run.outputs[-1] - own.y).max() < 1e-4  # what rounding of 1e-16 leaves of features of 1e-10
    assert run.loss[-1] == pytest.approx(0.5 * np.mean(np.sum((own.y - run.outputs[-1]) ** 2, axis=1)), abs=1e-6)


def test_small_features_that_do_not_commute_are_refused():
    turned = task(np.array([[1.0, 0.8], [-0.5, 1.0]]))
    with pytest.raises(fs.AssumptionError, match="uncorrelated") as error:
        fs.evolve(network(turned), turned, None)
    assert error.value.assumption.name == "commuting"


def test_equal_small_modes_are_one_subspace():
    equal = task(np.diag([1.0, 1 / 3]))  # singular values 1e-10 both
    run = fs.evolve(network(equal), equal, None, observe=("outputs",))
    assert np.abs(run.outputs[-1] - equal.y).max() < 1e-4


def test_an_answer_whose_loss_contradicts_its_outputs_is_refused():
    own = task(np.diag([1.0, 0.2]))
    left, s, right = own.statistics._modes
    turn = np.eye(3)
    turn[1:, 1:] = [[0.6, 0.8], [-0.8, 0.6]]
    own.statistics.__dict__["_modes"] = (left @ turn, s, right)
    found = {a.name: a for a in DecoupledModes().assumptions(network(own), own, Start(network(own), own))}
    assert not found["agreement"].holds


def test_a_mode_that_is_taken_for_rounding_is_missed_and_refused():
    targets = np.diag([1.0, 1.0, 0.0])
    faint = fs.Task(POINTS[:, :2] * [1.0, 1.2e-12], POINTS @ targets)
    assert faint.statistics.rank == 1
    assert faint.statistics.floor == pytest.approx(0.0, abs=1e-5)
    narrow = fs.DeepLinear((3,), initial=fs.initial.Aligned(0.1))
    with pytest.raises(fs.AssumptionError, match="least loss of a linear map"):
        fs.evolve(narrow, faint, None)

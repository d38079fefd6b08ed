"""Dissimilarities between representations, against rsatoolbox on the same activity."""

import numpy as np
import pytest
from rsatoolbox.data.dataset import Dataset
from rsatoolbox.rdm.calc import calc_rdm
from rsatoolbox.rdm.rdms import RDMs as Theirs
from rsatoolbox.rdm.rdms import load_rdm

import festina as fs
from festina.analysis import RDMs

RNG = np.random.default_rng(0)
ACTIVITY = RNG.normal(size=(3, 2, 5, 7))
PRECISION = np.linalg.inv(np.cov(RNG.normal(size=(40, 7)).T))


def theirs(patterns, measure, noise=None, folds=1):
    """One session by rsatoolbox: (folds · conditions, units)."""
    labels = {"conds": list("abcde") * folds, "fold": np.repeat(np.arange(folds), 5).tolist()}
    dataset = Dataset(patterns, obs_descriptors=labels)
    extra = {"noise": noise} if noise is not None else {}
    if measure == "crossnobis":
        extra["cv_descriptor"] = "fold"
    found = calc_rdm(dataset, method=measure, descriptor="conds", **extra)
    assert isinstance(found, Theirs)
    return found.get_matrices()[0]


@pytest.mark.parametrize(("measure", "noise"), [("euclidean", None), ("correlation", None), ("mahalanobis", PRECISION)])
def test_dissimilarities_are_those_of_rsatoolbox(measure, noise):
    ours = RDMs.from_activity(ACTIVITY, measure=measure, noise=noise)
    assert ours.matrices.shape == (3, 2, 5, 5)
    for repeat in range(3):
        for session in range(2):
            expected = theirs(ACTIVITY[repeat, session], measure, noise)
            assert np.allclose(ours.matrices[repeat, session], expected, rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")  # inside rsatoolbox, for integer labels
@pytest.mark.parametrize("noise", [None, PRECISION], ids=["identity", "precision"])
def test_cross_validated_distances_are_those_of_rsatoolbox_and_average_to_zero(noise):
    ours = RDMs.from_activity(ACTIVITY, measure="crossnobis", noise=noise)
    for session in range(2):
        expected = theirs(ACTIVITY[:, session].reshape(-1, 7), "crossnobis", noise, folds=3)
        assert np.allclose(ours.matrices[0, session], expected, rtol=0, atol=1e-12)
    unbiased = RDMs.from_activity(RNG.normal(size=(2, 500, 5, 7)), measure="crossnobis").vectors
    assert abs(unbiased.mean()) < 4 * unbiased.std() / np.sqrt(unbiased.size / 4)  # pairs that share a condition


def test_a_trajectory_has_dissimilarities_at_every_time():
    task, network = fs.tasks.living_things(4), fs.DeepLinear((6,), initial=fs.initial.Gaussian(0.1))
    run = fs.evolve(network, task, [0.0, 5.0], method=fs.Train(rate=0.1), seeds=3, observe=("hidden", "outputs"))
    found = run.rdm()
    assert found.matrices.shape == (3, 2, 4, 4)
    assert (found.conditions, found.unit) == (task.items, "flow time")
    assert np.allclose(found.matrices, fs.analysis.squared_distances(run["hidden"][0]) / 6)
    assert np.allclose(run.rdm("outputs").matrices, fs.analysis.squared_distances(run.outputs) / 7)
    assert np.allclose(run.rdm("inputs").matrices[0, 1], fs.analysis.squared_distances(task.x) / 4)
    # a theory without noise has the expectation of the cross-validated distance
    assert np.allclose(run.rdm(measure="crossnobis").matrices, found.matrices)
    with pytest.raises(ValueError, match=r"layer is 1; a whole number from 0 to 0"):
        run.rdm(1)
    with pytest.raises(ValueError, match=r"this analysis needs fs.evolve\(..., observe=\('hidden',\)\)"):
        fs.evolve(network, task, [0.0, 5.0], observe=("loss",), method=fs.Flow()).rdm()


def test_files_are_those_of_rsatoolbox(tmp_path):
    ours = RDMs.from_activity(ACTIVITY, conditions=list("vwxyz"), times=[1.0, 4.0], unit="day", measure="correlation")
    path = ours.save(tmp_path / "rdms.h5")
    other = load_rdm(str(path))
    assert other.n_rdm == 6
    again = RDMs.load(path)
    assert np.array_equal(again.matrices, ours.matrices)
    assert (again.conditions, again.unit, again.measure) == (ours.conditions, "day", "correlation")
    assert again.times.tolist() == [1.0, 4.0]
    other.save(str(tmp_path / "theirs.h5"))
    assert np.array_equal(RDMs.load(tmp_path / "theirs.h5").matrices, ours.matrices)
    (tmp_path / "theirs.pkl").write_bytes(b"a pickle, which is not opened as such")
    with pytest.raises(ValueError, match="not an HDF5 file of rsatoolbox"):
        RDMs.load(tmp_path / "theirs.pkl")
    plain = Theirs(np.ones((2, 3)))
    assert RDMs.from_rsatoolbox(plain).matrices.shape == (1, 2, 3, 3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: RDMs(np.ones((3, 3))), "have 1 on the diagonal"),
        (lambda: RDMs(np.zeros((3, 4))), r"matrices has shape \(3, 4\)"),
        (lambda: RDMs(np.zeros((3, 3)), ["a", "a", "b"]), "3 names, 2 of them different, for 3"),
        (lambda: RDMs(np.zeros((2, 3, 3)), times=[1.0]), "times has 1 numbers for 2 sessions"),
        (lambda: RDMs.from_activity(np.ones((1, 3))), "at least two conditions"),
        (lambda: RDMs.from_activity(np.ones((4, 3)), measure="correlation"), "the same in all units"),
        (lambda: RDMs.from_activity(np.eye(3), measure="crossnobis"), "cross-validated and needs at least two"),
        (lambda: RDMs.from_activity(np.eye(3), noise=np.eye(3)), "noise is given for measure 'euclidean'"),
        (lambda: RDMs.from_activity(np.eye(3), measure="mahalanobis", noise=np.eye(2)), r"\(3, 3\) is needed"),
    ],
)
def test_what_does_not_fit_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()

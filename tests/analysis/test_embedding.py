"""Embeddings: distances are the reference."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

import festina as fs
from festina.analysis import embedding

EXACT = 1e-9


def path(hidden: np.ndarray, **more) -> fs.Trajectory:
    return fs.Trajectory(np.arange(float(len(hidden))), {"hidden": (hidden,)}, **more)


def test_planar_representations_keep_every_distance():
    rng = np.random.default_rng(0)
    plane = np.linalg.qr(rng.standard_normal((6, 2)))[0]
    hidden = rng.standard_normal((5, 4, 2)) @ plane.T
    found = path(hidden).embed()
    assert found.stress < EXACT
    np.testing.assert_allclose(pdist(found.points.reshape(-1, 2)), pdist(hidden.reshape(-1, 6)), atol=EXACT)


def test_rotated_and_shifted_representations_give_the_same_map():
    rng = np.random.default_rng(1)
    hidden = rng.standard_normal((4, 5, 6))
    turn = np.linalg.qr(rng.standard_normal((6, 6)))[0]
    first, second = path(hidden).embed(), path(hidden @ turn + 3.0).embed()
    # scaling stops when the stress hardly falls any more, at rounding error that differs between the two
    np.testing.assert_allclose(first.points, second.points, atol=1e-6)
    assert first.stress == pytest.approx(second.stress, abs=1e-9)


def test_scaling_improves_on_principal_components():
    hidden = np.random.default_rng(2).standard_normal((5, 6, 8))
    flat = hidden.reshape(-1, 8) - hidden.reshape(-1, 8).mean(0)
    u, s, _ = np.linalg.svd(flat, full_matrices=False)
    plain = (u * s)[:, :2]
    stress = np.sqrt(np.sum((pdist(plain) - pdist(flat)) ** 2) / np.sum(pdist(flat) ** 2))
    assert path(hidden).embed().stress < stress


def test_paths_are_continuous_and_branch_as_the_hierarchy_does():
    task = fs.tasks.hierarchy(levels=2)
    network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
    trajectory = fs.evolve(network, task, np.linspace(0, 30, 31), observe=("hidden",))
    found = trajectory.embed()
    assert found.points.shape == (31, 4, 2)
    steps = np.linalg.norm(np.diff(found.points, axis=0), axis=-1)
    hidden = trajectory["hidden"][0]
    moved = np.linalg.norm(np.diff(hidden, axis=0), axis=-1)
    assert steps.max() < 2 * moved.max()
    end = found.points[-1]
    assert np.linalg.norm(end[0] - end[1]) < np.linalg.norm(end[0] - end[2])


def test_representations_that_coincide_and_one_dimension():
    still = path(np.ones((3, 2, 4))).embed()
    assert still.stress == 0
    assert np.all(still.points == 0)
    line = path(np.arange(6.0).reshape(3, 2, 1)).embed(dimensions=1)
    np.testing.assert_allclose(pdist(line.points.reshape(-1, 1)), pdist(np.arange(6.0)[:, None]), atol=EXACT)


def test_fewer_points_than_dimensions():
    found = path(np.ones((1, 1, 4))).embed()
    assert found.points.shape == (1, 1, 2)


def test_errors(monkeypatch):
    hidden = np.ones((3, 2, 4))
    with pytest.raises(ValueError, match=r"trajectory observed loss; this analysis needs .*'hidden'"):
        fs.Trajectory(np.arange(2.0), {"loss": np.ones(2)}).embed()
    with pytest.raises(ValueError, match="trajectory has 2 seeds"):
        path(hidden, seeds=(0, 1)).embed()
    with pytest.raises(ValueError, match="layer is 1; the network has 1 hidden layers"):
        path(hidden).embed(1)
    with pytest.raises(ValueError, match="dimensions is 5; the layer has 4 units"):
        path(hidden).embed(dimensions=5)
    monkeypatch.setattr(embedding, "LIMIT", 5)
    with pytest.raises(ValueError, match=r"6 points, more than 5.*at most 2 times"):
        path(hidden).embed()

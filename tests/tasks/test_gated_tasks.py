"""The tasks of gated networks: extended XOR, contexts, routing."""

import numpy as np
import pytest

import festina as fs
from festina.tasks import routing_pairs


def test_extended_xor():
    task = fs.tasks.extended_xor(0.7)
    np.testing.assert_allclose(task.x, [[-1, -1, -0.7], [1, -1, 0.7], [-1, 1, 0.7], [1, 1, -0.7]])
    np.testing.assert_array_equal(task.y[:, 0], [-1, 1, 1, -1])
    assert fs.tasks.extended_xor(0.0).statistics.rank == 0
    with pytest.raises(ValueError, match="delta is -1"):
        fs.tasks.extended_xor(-1)


@pytest.mark.parametrize("contexts", [2, 3, 5])
def test_same_contexts(contexts):
    task, tree = fs.tasks.context(contexts), fs.tasks.hierarchy(3).y
    blocks = task.y.reshape(contexts, 8, contexts + 1, 15)
    for c in range(contexts):
        np.testing.assert_array_equal(blocks[c, :, 0], tree)
        for b in range(contexts):
            np.testing.assert_array_equal(blocks[c, :, 1 + b], tree * (b == c))
    np.testing.assert_array_equal(task.x.sum(axis=1), 2)
    assert len(np.unique(task.x, axis=0)) == 8 * contexts


def test_different_contexts():
    task = fs.tasks.context(3, "different")
    blocks = task.y.reshape(3, 8, 4, 15)
    ring, crossed = blocks[1, :, 2], blocks[2, :, 3]
    np.testing.assert_array_equal(ring[:, 0], 1)
    np.testing.assert_allclose(ring[:, 1], [0, 0.33, 0.66, 1, 1, 0.66, 0.33, 0])
    np.testing.assert_allclose(ring[:, 2], np.roll(ring[:, 1], 1))
    np.testing.assert_array_equal(crossed[:, 3], [1, 0, 1, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(crossed.sum(axis=0), fs.tasks.hierarchy(3).y.sum(axis=0))


def test_context_arguments():
    with pytest.raises(ValueError, match="contexts is 1"):
        fs.tasks.context(1)
    with pytest.raises(ValueError, match="structure 'other'"):
        fs.tasks.context(3, "other")
    with pytest.raises(ValueError, match="defined for 3 contexts"):
        fs.tasks.context(4, "different")


def test_routing_pairs():
    pairs = routing_pairs(7, 4)
    assert pairs[:4].tolist() == [[0, 6], [0, 0], [0, 1], [0, 2]]
    assert np.bincount(pairs[:, 1]).tolist() == [4] * 7
    task = fs.tasks.routing(7, 4)
    np.testing.assert_array_equal(task.x.sum(axis=1), 1)
    s = np.linalg.svd(fs.tasks.routing(1, 1).y, compute_uv=False)
    np.testing.assert_allclose(s**2, [185, 41, 9, 9])
    with pytest.raises(ValueError, match="trained is 8 with 7 domains"):
        fs.tasks.routing(7, 8)

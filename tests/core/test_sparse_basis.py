"""A basis that is chosen by sparsity does not depend on the one that it came from."""

import numpy as np
import pytest
from scipy.stats import ortho_group

import festina as fs
from festina.core.sparse_basis import sparse_rotation

SPACES = {
    "pairs": np.kron(np.eye(4), [[1], [-1]]) / np.sqrt(2),
    "single": np.eye(5),
    "sum zero": np.linalg.qr(np.column_stack([np.ones(4), np.eye(4)[:, :3]]))[0][:, 1:],
    "drawn": np.linalg.qr(np.random.default_rng(0).normal(size=(12, 3)))[0],
}


@pytest.mark.parametrize("name", SPACES)
def test_every_rotation_leads_to_the_same_basis(name):
    space = SPACES[name]
    size = space.shape[1]
    chosen = []
    for seed in range(5):
        mixed = space @ ortho_group.rvs(size, random_state=seed)
        turn = sparse_rotation(mixed)
        np.testing.assert_allclose(turn.T @ turn, np.eye(size), atol=1e-12)
        found = mixed @ turn
        chosen.append(found * np.sign(found[np.argmax(np.abs(found).round(6), axis=0), np.arange(size)]))
    for other in chosen[1:]:
        np.testing.assert_allclose(other, chosen[0], atol=1e-9)
    assert np.abs(chosen[0]).sum() <= np.abs(space).sum() + 1e-9


def test_it_is_as_sparse_as_brute_force_finds():
    # two columns have one angle: a fine search of it is the reference
    space = np.linalg.qr(np.random.default_rng(3).normal(size=(9, 2)))[0]
    angles = np.linspace(0, np.pi / 2, 20001)
    sums = [np.abs(space @ np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])).sum() for a in angles]
    assert np.abs(space @ sparse_rotation(space)).sum() == pytest.approx(min(sums), abs=1e-3)


def test_equal_modes_of_a_task_set_single_pairs_apart():
    right = fs.tasks.living_things(8).statistics.right[:, 4:]
    assert (np.abs(right) > 1e-9).sum(axis=0).tolist() == [2, 2, 2, 2]
    assert fs.Task(np.eye(12), np.eye(12)).mode_names[:2] == ("item 1: output 1", "item 2: output 2")

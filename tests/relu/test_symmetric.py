"""ReLU networks on symmetric data against their own flow, and what excludes the theory."""

import numpy as np
import pytest

import festina as fs

DRAW = np.random.default_rng(0).standard_normal
HALF = np.sqrt(3) * np.linalg.qr(DRAW((3, 3)))[0]
TARGETS = HALF @ DRAW((3, 2))
TASK = fs.Task(np.vstack([HALF, -HALF]), np.vstack([TARGETS, -TARGETS]))
TIMES = np.linspace(0, 30, 61)


def network(scale=1e-2, pairs=True, bias=False):
    """Balanced layers of three units, and their mirror images."""
    basis = scale * np.linalg.qr(DRAW((3, 3)))[0]
    first, second = basis, np.linalg.qr(DRAW((2, 2)))[0] @ np.eye(2, 3) @ basis.T / np.linalg.norm(basis, 2)
    first = second.T @ np.linalg.qr(DRAW((3, 3)))[0][:2]
    w, a = (np.vstack([first, -first]), np.hstack([second, -second])) if pairs else (first, second)
    return fs.ReLU((len(w),), initial=fs.initial.Weights([w, a]), bias=bias)


def test_it_is_the_linear_network_at_half_the_speed() -> None:
    relu = network()
    exact = fs.evolve(relu, TASK, TIMES, observe=("loss", "outputs"))
    assert exact.notes["theory"] == "symmetric data"
    flow = fs.evolve(relu, TASK, TIMES, method=fs.Flow(rtol=1e-9), observe=("loss", "outputs"))
    np.testing.assert_allclose(exact.loss, flow.loss, atol=2e-4 * exact.loss[0])
    np.testing.assert_allclose(exact.outputs, flow.outputs, atol=2e-2)
    assert exact.loss[-1] < 1e-3 * exact.loss[0]


def test_what_excludes_it_is_measured() -> None:
    odd = {a.name: a for a in fs.relu.SymmetricData().assumptions(network(), TASK, fs.core.Start(network(), TASK))}
    assert all(a.holds for a in odd.values())
    other = fs.Task(TASK.x, TASK.y**2)
    rows = {row.theory.name: row for row in fs.theories(network(), other).rows}["symmetric data"]
    assert [a.name for a in rows.assumptions if not a.holds] == ["symmetry"]
    alone = {row.theory.name: row for row in fs.theories(network(pairs=False), TASK).rows}["symmetric data"]
    assert [a.name for a in alone.assumptions if not a.holds] == ["pairs"]
    with pytest.raises(fs.AssumptionError, match="mirror image"):
        fs.evolve(network(), other, TIMES, method=fs.Exact("symmetric data"))

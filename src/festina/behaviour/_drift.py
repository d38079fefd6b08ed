"""Maps at which a network with three partial errors comes to rest although its weights never do.

Where the constant and a stimulus pathway are both active, the executor's errors ask for more than the tutor's allows:
W grows and w shrinks, ever more slowly (W² ∝ time), around a fixed map q = W diag(w). The faster, the tutor, sits
where its own error vanishes; the slower, the executor, grows without turning.
"""

from collections.abc import Sequence

import numpy as np

from festina.behaviour import _expected
from festina.behaviour._network import Decider
from festina.behaviour._task import DecisionTask

STEP = 1e-6
"""Of central differences of smooth functions of order 1: error near 1e-10, far below the slopes whose sign is asked."""


def residual(network: Decider, task: DecisionTask, q: np.ndarray, stimuli: Sequence[int]) -> np.ndarray:
    """Zero where the tutor's drive vanishes, and the executor's for the constant is parallel to its weights."""
    c, e = _expected.drives(network, task, q)
    return np.array([*(c[i, i] for i in stimuli), c[:, 2] @ q[:, 2], e[0, 2] * q[1, 2] - e[1, 2] * q[0, 2]])


def attracts(network: Decider, task: DecisionTask, q: np.ndarray, active: Sequence[int]) -> bool:
    """Whether networks with these active pathways drift towards the map ``q``.

    With executor directions v_i (unit columns), norms S_i and z_i = S_i w_i, the fast variables obey
    dz_i/dt = S_i² Σ_a c[a, i] v[a, i], where S_i² → 2t·Σ_a e[a, i] q[a, i]; the slow one is the angle of the
    constant's direction, which turns by e across v.
    """
    size = np.linalg.norm(q, axis=0)
    angle = np.arctan2(q[1, 2], q[0, 2])

    def drive(z: np.ndarray, turned: float) -> tuple[np.ndarray, float]:
        direction = np.eye(2, 3)
        direction[:, 2] = np.cos(turned), np.sin(turned)
        c, e = _expected.drives(network, task, direction * z)
        across = e[1, 2] * direction[0, 2] - e[0, 2] * direction[1, 2]
        return np.sum(c * direction, axis=0)[list(active)], float(across)

    def slope(along: np.ndarray, turn: float) -> tuple[np.ndarray, float]:
        ahead, behind = drive(size + STEP * along, angle + STEP * turn), drive(size - STEP * along, angle - STEP * turn)
        return (ahead[0] - behind[0]) / (2 * STEP), (ahead[1] - behind[1]) / (2 * STEP)

    growth = np.sum(_expected.drives(network, task, q)[1] * q, axis=0)[list(active)]
    units = [np.eye(3)[i] for i in active]
    fast = np.stack([slope(unit, 0.0)[0] for unit in units], axis=1)
    if np.any(growth <= 0) or np.any(np.linalg.eigvals(growth[:, None] * fast).real >= 0):
        return False
    follow = -np.linalg.solve(fast, slope(np.zeros(3), 1.0)[0])
    return slope(sum((f * unit for f, unit in zip(follow, units, strict=True)), np.zeros(3)), 1.0)[1] < 0

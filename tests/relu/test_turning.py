"""When a grown unit turns, and to which pattern: the statement of docs/theory/relu.md against SciPy."""

import numpy as np
import pytest
import scipy

from festina.relu._alone import grow_alone

POINTS, INPUTS, OUTPUTS = 6, 4, 3
SMALL = 1e-5
"""Size of the small components of a grown unit: far below what it has grown to, far above the reference's tolerance."""


def grown_unit(seed: int) -> tuple[np.ndarray, ...]:
    """A unit that is on everywhere and has learned: R = ⟨r xᵀ⟩ does not act on it. Small components are added.

    Gives x, r, w, a, singular values and vectors of R, and the growing part of the small components along the first.
    """
    rng = np.random.default_rng(seed)
    w, a = rng.standard_normal(INPUTS), rng.standard_normal(OUTPUTS)
    x = rng.standard_normal((POINTS, INPUTS))
    x *= np.sign(x @ w)[:, None]
    # singular vectors at right angles to what the unit has learned
    right = np.linalg.qr(np.column_stack([w, rng.standard_normal((INPUTS, 2))]))[0][:, 1:]
    left = np.linalg.qr(np.column_stack([a, rng.standard_normal((OUTPUTS, 2))]))[0][:, 1:]
    s = np.array([1.0, 0.4])
    r = POINTS * x @ np.linalg.solve(x.T @ x, (left * s @ right.T).T)
    small = SMALL * rng.standard_normal(2)
    return x, r, w + right @ small, a + left @ small, s, right, small


def predicted(x: np.ndarray, w: np.ndarray, s: np.ndarray, right: np.ndarray, small: np.ndarray) -> tuple[float, int]:
    """The statement: gate i turns at t = ln(h_i/|c v·x_i|)/s, the first of those at which c v·x_i is negative."""
    push = small[0] * (x @ right[:, 0])
    times = np.where(push < 0, np.log(x @ w / np.where(push < 0, -push, 1.0)) / s[0], np.inf)
    return float(times.min()), int(times.argmin())


@pytest.mark.parametrize("seed", range(8))
def test_a_grown_unit_turns_when_and_where_it_is_said_to(seed) -> None:
    x, r, w, a, s, right, small = grown_unit(seed)

    def velocity(_: float, u: np.ndarray) -> np.ndarray:
        h = x @ u[:INPUTS]
        return np.concatenate([((h > 0) * (r @ u[INPUTS:])) @ x, np.maximum(h, 0.0) @ r]) / POINTS

    def boundary(_: float, u: np.ndarray) -> float:
        return float((x @ u[:INPUTS]).min())

    boundary.terminal, boundary.direction = True, -1  # type: ignore[attr-defined]
    when, where = predicted(x, w, s, right, small)
    found = scipy.integrate.solve_ivp(velocity, (0, 3 * when), np.append(w, a), events=boundary, rtol=1e-11, atol=1e-14)
    time, state = found.t_events[0][0], found.y_events[0][0]
    # the second singular value is 0.4 of the first, so that its part is then of the order SMALL^0.6, a thousandth
    assert time == pytest.approx(when, rel=3e-3)
    assert int((x @ state[:INPUTS]).argmin()) == where


@pytest.mark.parametrize("seed", range(4))
def test_where_units_come_to_rest_gates_are_those_of_their_own_singular_vector(seed) -> None:
    """The end of turning: w is along the first singular vector of its own gates, or held on boundaries."""
    rng = np.random.default_rng(seed)
    x, r = rng.standard_normal((POINTS, INPUTS)), rng.standard_normal((POINTS, OUTPUTS))
    w, a, _ = grow_alone(rng.standard_normal((12, INPUTS)), rng.standard_normal((12, OUTPUTS)), x, r, 60.0)
    for one, out in zip(w, a, strict=True):
        level = x @ one / (np.linalg.norm(one) * np.linalg.norm(x, axis=1))
        on, held = level > 1e-6, np.abs(level) <= 1e-6
        if not on.any():
            continue
        cross = (r * on[:, None]).T @ x / POINTS
        if held.any():
            basis = scipy.linalg.null_space(x[held])
            cross = cross @ basis @ basis.T
        left, s, right = np.linalg.svd(cross)
        if s[1] > 0.8 * s[0]:
            continue  # not yet decided between two that grow almost equally fast
        growing = (one @ right[0] + out @ left[:, 0]) / 2
        assert np.linalg.norm(one - growing * right[0]) < 0.05 * np.linalg.norm(one)


@pytest.mark.parametrize("seed", [0, 3, 4, 5, 6, 7, 9, 10, 11])
def test_at_a_boundary_a_gate_closes_or_is_held_as_the_pulls_on_it_say(seed) -> None:
    """Both pulls, with the point itself and without it, are negative: it closes. Only the first is: it is held."""
    rng = np.random.default_rng(seed)
    x, r = rng.standard_normal((POINTS, INPUTS)), rng.standard_normal((POINTS, OUTPUTS))
    w, a, step = rng.standard_normal(INPUTS), rng.standard_normal(OUTPUTS), 1e-4
    for _ in range(100_000):
        h = x @ w
        after = w + step * ((h > 0) * (r @ a)) @ x / POINTS
        reached = np.flatnonzero((h > 0) & (x @ after <= 0))
        if len(reached):
            break
        w, a = after, a + step * np.maximum(h, 0.0) @ r / POINTS
    else:
        pytest.fail("no gate of this unit closes")
    i, alike = reached[0], x @ x[reached[0]]
    pull = ((h > 0) * (r @ a) * alike) / POINTS
    with_point, without = pull.sum(), pull.sum() - pull[i]
    assert with_point < 0
    for _ in range(200):
        h = x @ w
        w, a = w + step * ((h > 0) * (r @ a)) @ x / POINTS, a + step * np.maximum(h, 0.0) @ r / POINTS
    far = 200 * step * min(abs(with_point), abs(without))
    if without < 0:
        assert x[i] @ w < -0.5 * far
    else:
        assert abs(x[i] @ w) < 2 * step * (abs(with_point) + abs(without))

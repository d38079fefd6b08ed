import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from festina.relu._alone import grow_alone

CLOSED = 1e-9  # an ODE solver at 1e-12 over a few growth times
CROSSED = 1e-5  # the same solver, which steps over gates that it does not know of
TIME = 3.0


def layer(seed, points=6, inputs=3, outputs=2, units=12):
    rng = np.random.default_rng(seed)
    shapes = ((units, inputs), (units, outputs), (points, inputs), (points, outputs))
    return tuple(rng.standard_normal(shape) for shape in shapes)


def follow(w, a, x, r, time, rtol=1e-12):
    """One unit after the other by SciPy."""
    found = []
    for z in np.hstack([w, a]):

        def flow(_, z):
            h = x @ z[: x.shape[1]]
            return np.append(((h > 0) * (r @ z[x.shape[1] :])) @ x, np.maximum(h, 0) @ r) / len(x)

        found.append(solve_ivp(flow, (0, time), z, "DOP853", rtol=rtol, atol=rtol, max_step=0.01).y[:, -1])
    return np.array(found)


def descend(w, a, x, r, time, steps):
    for _ in range(steps):
        h = w @ x.T
        dw, da = ((h > 0) * (a @ r.T)) @ x / len(x), np.maximum(h, 0) @ r / len(x)
        w, a = w + time / steps * dw, a + time / steps * da
    return np.hstack([w, a])


def test_without_gate_changes_it_is_the_matrix_exponential():
    w, a, x, r = layer(0)
    x, w = np.abs(x), np.abs(w)
    r, a = np.abs(r), np.abs(a)
    w2, a2, changes = grow_alone(w, a, x, r, TIME)
    assert changes == 0
    assert np.hstack([w2, a2]) == pytest.approx(follow(w, a, x, r, TIME), rel=CLOSED)


def test_gates_that_open_and_close():
    """Units that SciPy follows through gate changes at which they are not held."""
    met = 0
    for seed in range(30):
        w, a, x, r = layer(seed, 4, 3, 2, 1)
        w2, a2, changes = grow_alone(w, a, x, r, TIME)
        if changes and np.abs(w2 @ x.T).min() > 1e-6:
            assert np.hstack([w2, a2]) == pytest.approx(follow(w, a, x, r, TIME), rel=CROSSED)
            met += 1
    assert met >= 5


@pytest.mark.parametrize("seed", range(4))
def test_descent_with_shorter_steps_comes_nearer_in_proportion(seed):
    """Also where units are held on boundaries: the sliding solution is the limit of descent."""
    w, a, x, r = layer(seed, 12, 3, 1, 16)
    mine = np.hstack(grow_alone(w, a, x, r, TIME)[:2])
    errors = [np.median(np.abs(descend(w, a, x, r, TIME, steps) - mine).max(axis=1)) for steps in (1000, 10000)]
    assert errors[0] / errors[1] == pytest.approx(10, rel=0.3)


def test_a_unit_is_held_on_the_boundary_of_a_point_it_would_overshoot():
    """Point 1 drives w·x₂ up, point 2 drives it down when on: w·x₂ = 0, and w moves along x₂'s normal only."""
    x = np.array([[1.0, 0.5], [0.0, 1.0]])
    r = np.array([[1.0], [-5.0]])
    w, a, _ = grow_alone(np.array([[1.0, -0.1]]), np.array([[1.0]]), x, r, 2.0)
    assert w[0, 1] == pytest.approx(0.0, abs=1e-12)
    # along the boundary R = ⟨r x⟩ of point 1 alone: growth at ½, from where the boundary was met
    meet = descend(np.array([[1.0, -0.1]]), np.array([[1.0]]), x, r, 2.0, 50_000)
    assert np.append(w, a) == pytest.approx(meet[0], abs=4e-4)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_conserved_in_pieces_and_in_any_order(seed):
    w, a, x, r = layer(seed, 10, 3, 2, 20)
    w2, a2, _ = grow_alone(w, a, x, r, TIME)
    before, after = (w**2).sum(1) - (a**2).sum(1), (w2**2).sum(1) - (a2**2).sum(1)
    assert after == pytest.approx(before, abs=1e-8 * float((w2**2).sum(1).max()))
    w3, a3, _ = grow_alone(*grow_alone(w, a, x, r, 0.4 * TIME)[:2], x, r, 0.6 * TIME)
    assert np.hstack([w3, a3]) == pytest.approx(np.hstack([w2, a2]), abs=1e-7 * float(np.abs(w2).max()))
    units, points = np.random.default_rng(0).permutation(20), np.random.default_rng(1).permutation(10)
    w4, a4, _ = grow_alone(w[units], a[units], x[points], r[points], TIME)
    assert np.hstack([w4, a4]) == pytest.approx(np.hstack([w2, a2])[units], abs=1e-8 * float(np.abs(w2).max()))
    w5, a5, _ = grow_alone(1e-200 * w, 1e-200 * a, x, r, TIME)
    assert np.hstack([w5, a5]) * 1e200 == pytest.approx(np.hstack([w2, a2]), rel=1e-8)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from(["twice", "zero point", "opposite", "no residual", "zero unit", "line"]))
def test_degenerate_data(seed, kind):
    w, a, x, r = layer(seed, 5, 2, 1, 6)
    if kind == "twice":
        x[1], x[2] = x[0], x[0]
    elif kind == "zero point":
        x[0] = 0
    elif kind == "opposite":
        x[1] = -x[0]
    elif kind == "no residual":
        r[:] = 0
    elif kind == "zero unit":
        w[0], a[1] = 0, 0
    else:
        x[:] = x[:, :1] * np.array([1.0, 2.0])
    found = np.hstack(grow_alone(w, a, x, r, TIME)[:2])
    other = descend(w, a, x, r, TIME, 2000)
    assert np.abs(found - other).max() < 0.02 * np.abs(found).max()
    if kind == "no residual":
        assert (found == np.hstack([w, a])).all()


def test_no_time():
    w, a, x, r = layer(0)
    w2, a2, changes = grow_alone(w, a, x, r, 0.0)
    assert (w2 == w).all()
    assert (a2 == a).all()
    assert changes == 0

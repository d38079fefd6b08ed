"""The stepper against SciPy's coefficients and solutions in closed form, in NumPy and compiled by JAX."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy

from festina.solvers.chebyshev import Chebyshev, coefficients
from festina.solvers.compiled import Leap, leap, reach
from festina.solvers.stepper import BOGACKI_SHAMPINE, DORMAND_PRINCE, PLAIN, Stepper, begin

TURN = np.array([[0.0, 1.0], [-1.0, 0.0]])


def turned(times):
    """The rotation from (1, 0)."""
    return np.column_stack([np.cos(times), -np.sin(times)])


def by(scheme, accuracy, slope=lambda y: TURN @ y):
    return Stepper(scheme, slope, lambda wrong, *_: np.abs(wrong).max() / accuracy)


@pytest.mark.parametrize(
    ("ours", "scipys"), [(BOGACKI_SHAMPINE, scipy.integrate.RK23), (DORMAND_PRINCE, scipy.integrate.RK45)]
)
def test_coefficients_are_those_of_scipy(ours, scipys):
    count = len(scipys.B)
    np.testing.assert_allclose(ours.stages[:count, : scipys.A.shape[1]], scipys.A, rtol=1e-15)
    np.testing.assert_allclose(ours.stages[count, :count], scipys.B, rtol=1e-15)
    np.testing.assert_allclose(np.abs(ours.error), np.abs(scipys.E), rtol=1e-14)
    assert ours.order == scipys.order


@pytest.mark.parametrize("scheme", [BOGACKI_SHAMPINE, DORMAND_PRINCE])
def test_the_error_falls_with_the_order(scheme):
    """Steps of equal length: halving them divides the error at the end by 2^order."""

    def error(step):
        state, slope = np.array([1.0, 0.0]), TURN @ np.array([1.0, 0.0])
        for _ in range(round(1 / step)):
            state, slope, _ = scheme.attempt(lambda y: TURN @ y, begin(state, slope, step), step, PLAIN)
        return np.linalg.norm(state - turned([1.0])[0])

    assert np.log2(error(0.1) / error(0.05)) == pytest.approx(scheme.order, abs=0.3)


@pytest.mark.parametrize("make", [lambda: BOGACKI_SHAMPINE, lambda: Chebyshev(lambda y, along: (1.0, along))])
@pytest.mark.parametrize("times", [[0.0], [0.0, 0.7], [0.3, 2.0, 2.0, 9.0], np.linspace(0, 6, 50)])
def test_states_at_any_times_are_those_of_the_closed_form(make, times):
    times, stepper = np.array(times), by(make(), 1e-7)
    found = np.array(list(stepper.run(np.array([1.0, 0.0]), times)))
    np.testing.assert_allclose(found, turned(times), atol=1e-3)
    assert stepper.evaluations >= stepper.steps


def test_starting_later_and_from_zero():
    [found] = by(BOGACKI_SHAMPINE, 1e-8).run(np.array([1.0, 0.0]), np.array([5.0]), start=3.0)
    np.testing.assert_allclose(found, turned([2.0])[0], atol=1e-5)
    [grown] = by(BOGACKI_SHAMPINE, 1e-8, lambda y: 1 - y).run(np.zeros(1), np.array([2.0]))
    np.testing.assert_allclose(grown, 1 - np.exp(-2), atol=1e-5)
    assert list(by(BOGACKI_SHAMPINE, 1e-8).run(np.zeros(2), np.array([]))) == []


def test_stabilised_steps_are_long_where_what_is_fast_has_relaxed():
    rates = np.array([1e6, 1.0])
    curvature = Chebyshev(lambda y, along: (1e6, along))
    stepper = by(curvature, 1e-5, lambda y: -rates * (y - 1))
    [found] = stepper.run(np.zeros(2), np.array([2.0]))
    np.testing.assert_allclose(found, 1 - np.exp(-2 * rates), rtol=1e-3)
    assert stepper.evaluations < 1e5  # plain explicit steps would need more than a million
    assert coefficients(5)[0] > 0


def test_where_a_solution_ends_so_does_the_integration():
    stepper = Stepper(
        BOGACKI_SHAMPINE, lambda y: y * np.nan, lambda wrong, *_: np.abs(wrong).max(), "the test", "Do less."
    )
    with pytest.raises(RuntimeError, match=r"the test cannot be followed beyond t = 0: .* not finite\. Do less\."):
        list(stepper.run(np.ones(1), np.array([1.0]), step=0.1))


def test_compiled_steps_are_those_of_numpy():
    times = np.array([0.0, 0.3, 4.0])
    with jax.enable_x64(True):
        end, found = jax.jit(
            lambda first: reach(
                DORMAND_PRINCE, lambda y: TURN @ y, lambda wrong, *_: jnp.abs(wrong).max() / 1e-9, first,
                jnp.asarray(times), 1e-9, lambda now: now.tried < 1000,
            )
        )(np.array([1.0, 0.0]))  # fmt: skip
    np.testing.assert_allclose(found, turned(times), atol=1e-7)
    plain = by(DORMAND_PRINCE, 1e-9)
    [last] = plain.run(np.array([1.0, 0.0]), times[-1:])
    np.testing.assert_allclose(found[-1], last, atol=1e-7)
    assert abs(int(end.taken) - plain.steps) < 20


def test_a_stabilised_step_is_as_long_as_accuracy_allows_where_a_rest_is_long():
    """A number grows while others relax towards it 10⁸ times as fast; in closed form it is eᵗ and λeᵗ/(λ + 1)."""
    rates, times = np.array([1e8, 3e7, 1e3]), np.array([0.0, 2.0, 10.0])

    def slope(state):
        return {"slow": state["slow"], "fast": -jnp.asarray(rates) * (state["fast"] - state["slow"])}

    def size(wrong, _, after):
        return jnp.maximum(jnp.abs(wrong["slow"] / after["slow"]), jnp.abs(wrong["fast"] / after["fast"]).max()) / 1e-5

    with jax.enable_x64(True):
        first = {"slow": jnp.asarray(1.0), "fast": jnp.asarray(rates / (rates + 1))}
        along = {"slow": jnp.asarray(0.3), "fast": jnp.asarray([1.0, -0.7, 0.4])}
        zero = jnp.asarray(0.0)
        now = Leap(zero, first, slope(first), jnp.asarray(1e-8), along, zero, 0, 0, 0, 1)
        now, kept = jax.jit(lambda now: leap(slope, size, lambda state: state, now, jnp.asarray(times), 1e-3, 10_000))(
            now
        )
    np.testing.assert_allclose(kept["slow"], np.exp(times), rtol=2e-3)
    np.testing.assert_allclose(kept["fast"], np.exp(times)[:, None] * rates / (rates + 1), rtol=2e-3)
    # with steps of 650,000 over the largest curvature, which a thousand stages allow, these are 1,800 at least
    assert int(now.taken) < 400

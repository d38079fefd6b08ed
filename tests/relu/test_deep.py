"""ReLU networks of several hidden layers followed by stabilised steps, against SciPy and against gradient flow."""

from dataclasses import replace

import numpy as np
import pytest
import scipy

import festina as fs
from festina.relu._layer import Layers
from festina.solvers.chebyshev import coefficients

XOR = fs.tasks.extended_xor(0.5)


def of(hidden: tuple[int, ...], seed: int = 0, bias: bool = False) -> tuple[Layers, np.ndarray]:
    """Layers with random weights of size one third."""
    network = fs.ReLU(hidden, initial=fs.initial.Gaussian(0.3), bias=bias)
    weights = network.start(XOR, seed)
    layers = Layers(network.inputs(XOR), XOR.y, tuple(w.shape for w in weights), bias)
    return layers, np.concatenate([w.ravel() for w in weights])


def loss(layers: Layers, z: np.ndarray) -> float:
    """The mean loss."""
    return float(np.sum((layers.y - layers.outputs(z)) ** 2)) / (2 * len(layers.y))


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("hidden", [(5, 4), (3, 4, 5)])
def test_velocity_is_the_slope_of_the_loss(hidden, bias) -> None:
    layers, z = of(hidden, bias=bias)
    slope = scipy.optimize.approx_fprime(z, lambda v: loss(layers, v), 1e-7)
    np.testing.assert_allclose(layers.velocity(z), -slope, atol=1e-6)


def test_the_largest_curvature_is_that_of_the_jacobian() -> None:
    layers, z = of((6, 5))
    steps = 1e-6 * np.eye(len(z))
    jacobian = np.array([(layers.outputs(z + e) - layers.outputs(z - e)).ravel() / 2e-6 for e in steps])
    expected = np.linalg.norm(jacobian, 2) ** 2 / len(XOR.x)
    assert layers.curvature(z, layers.velocity(z))[0] == pytest.approx(expected, rel=0.05)


def test_stages_are_of_second_order_and_stable() -> None:
    """On z' = −λz the s-stage polynomial is 1 − λ + λ²/2 + O(λ³), and below 1 up to 0.65 s²."""

    def factor(stages: int, rate: float) -> float:
        first, rows = coefficients(stages)
        two, one = 1.0, 1.0 - first * rate
        for mu, nu, part, start in rows:
            two, one = one, (1 - mu - nu) + mu * one + nu * two - part * rate * one - start * rate
        return one

    for stages in (2, 5, 20, 100):
        assert factor(stages, 1e-3) == pytest.approx(np.exp(-1e-3), abs=1e-9)
        assert max(abs(factor(stages, r)) for r in np.linspace(0.1, 0.65 * (stages**2 - 1), 400)) < 1


@pytest.mark.parametrize("bias", [False, True])
def test_the_states_are_those_of_scipy(bias) -> None:
    """Positive weights and data: no gate changes, for where one slides along a data point SciPy takes minute steps."""
    drawn, z = of((8, 6), seed=3, bias=bias)
    layers, z, times = replace(drawn, x=np.abs(drawn.x), y=4 + np.abs(drawn.y)), np.abs(z), np.linspace(0, 1, 5)
    expected = scipy.integrate.solve_ivp(
        lambda _, v: layers.velocity(v), (0, 1), z, t_eval=times, rtol=1e-9, atol=1e-11
    )
    solver = layers.stepper(1e-5)
    states = np.array(list(solver.run(z, times)))
    assert np.abs(states - expected.y.T).max() < 1e-3 * np.abs(expected.y[:, -1] - z).max()
    rough = layers.stepper(1e-3)
    assert len(list(rough.run(z, times))) == 5
    assert rough.steps < solver.steps


def test_race_converges_to_the_flow() -> None:
    """From small weights, through the plateaus: the error falls with the accuracy and is estimated."""
    network = fs.ReLU((24, 20), initial=fs.initial.Gaussian(0.03))
    task, times = fs.tasks.extended_xor(1.0), np.linspace(0, 45, 61)
    flow = fs.evolve(network, task, times, method=fs.Flow(), seed=1)
    assert flow.loss[-1] < 0.05 < flow.loss[0] / 4
    areas = [
        fs.compare(fs.evolve(network, task, times, method=fs.Reduced(fs.relu.UnitGrowth(accuracy)), seed=1), flow).area
        for accuracy in (0.05, 1e-3)
    ]
    assert areas[1] < min(areas[0], 5e-3)
    run = fs.evolve(network, task, times, method=fs.Reduced(), seed=1, observe=("loss", "gates"))
    assert run.error is not None
    assert run.notes["integrated"] == 44
    assert run["gates"][1].shape == (61, 4, 20)


def test_permuting_units_or_points_changes_nothing() -> None:
    network = fs.ReLU((7, 6), initial=fs.initial.Gaussian(0.2))
    times, rng = np.linspace(0, 20, 11), np.random.default_rng(0)
    first, second, third = network.start(XOR, 0)
    p, q, points = rng.permutation(7), rng.permutation(6), rng.permutation(4)
    turned = fs.initial.Weights((first[p], second[q][:, p], third[:, q]))
    a = fs.evolve(network, XOR, times, method=fs.Reduced())
    b = fs.evolve(fs.ReLU((7, 6), initial=turned), fs.Task(XOR.x[points], XOR.y[points]), times, method=fs.Reduced())
    np.testing.assert_allclose(a.loss, b.loss, rtol=1e-6)


def test_dead_starts_stay() -> None:
    network = fs.ReLU((3, 3), initial=fs.initial.Gaussian(0.0))
    run = fs.evolve(network, XOR, np.array([0.0, 5.0]), method=fs.Reduced())
    assert np.array_equal(run.loss, [0.5, 0.5])

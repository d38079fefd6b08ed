"""The closed form of ReLU networks whose gates never change, and its refusal where they might."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

import festina as fs

AGREES = 1e-7
"""Distance from the integrated weights, relative to the largest: the tolerance of the integration."""


def integrate(weights: tuple[np.ndarray, np.ndarray], task: fs.Task, times: np.ndarray) -> list[tuple]:
    """The gradient flow of the ReLU network itself, by SciPy: the reference, which knows nothing of groups."""
    shapes = [w.shape for w in weights]
    cut = shapes[0][0] * shapes[0][1]

    def split(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return z[:cut].reshape(shapes[0]), z[cut:].reshape(shapes[1])

    def velocity(_: float, z: np.ndarray) -> np.ndarray:
        w, a = split(z)
        h = np.maximum(task.x @ w.T, 0.0)
        r = (task.y - h @ a.T) / len(task.x)
        return np.concatenate([(((r @ a) * (h > 0)).T @ task.x).ravel(), (r.T @ h).ravel()])

    start = np.concatenate([w.ravel() for w in weights])
    found = scipy.integrate.solve_ivp(velocity, (0, times[-1]), start, t_eval=times, method="DOP853", rtol=1e-11,
                                      atol=1e-14)  # fmt: skip
    return [split(z) for z in found.y.T]


def xor(delta: float, copies: int = 1) -> tuple[fs.Task, tuple[np.ndarray, np.ndarray]]:
    """Extended XOR, and units that are on at one data point each."""
    task = fs.tasks.extended_xor(delta)
    size = np.linspace(1e-3, 3e-3, 4 * copies)
    return task, (size[:, None] * np.tile(task.x, (copies, 1)), 2 * size * np.tile(task.y.T, copies))


def positive() -> tuple[fs.Task, tuple[np.ndarray, np.ndarray]]:
    """Items with positive features: one mode is learned by units that are all on at all points."""
    x = np.array([[2.0, 1.0], [1.0, 2.0]])
    task = fs.Task(x, np.array([[1.5], [1.5]]))
    w = np.array([[0.1, 0.1], [0.2, 0.2], [0.05, 0.05]])
    return task, (w, np.sqrt(2) * w[:, :1].T)


@pytest.mark.parametrize("case", [xor(0.0), xor(0.5), xor(1.0, copies=2), positive()])
def test_the_closed_form_is_the_flow(case) -> None:
    task, weights = case
    times = np.linspace(0, 25, 6)
    network = fs.ReLU((len(weights[0]),), initial=fs.initial.Weights(weights))
    run = fs.evolve(network, task, times, method=fs.Exact(), observe=("loss", "weights", "gates"))
    for i, expected in enumerate(integrate(weights, task, times)):
        for mine, theirs in zip(run.weights, expected, strict=True):
            assert np.abs(mine[i] - theirs).max() < AGREES * np.abs(theirs).max()
    assert run.notes["theory"] == "fixed gates"
    assert np.all(run["gates"][0] == run["gates"][0][:1])


def test_the_end_is_reached() -> None:
    task, weights = xor(0.5)
    network = fs.ReLU((4,), initial=fs.initial.Weights(weights))
    assert fs.evolve(network, task, None, method=fs.Exact()).loss[-1] < 1e-12


def test_units_that_are_off_everywhere_stay() -> None:
    task, (w, a) = positive()
    weights = (np.vstack([w, [[-1.0, -1.0]]]), np.append(a, [[3.0]], axis=1))
    network = fs.ReLU((4,), initial=fs.initial.Weights(weights))
    run = fs.evolve(network, task, np.array([0.0, 9.0]), method=fs.Exact(), observe=("weights",))
    assert np.array_equal(run.weights[0][-1, 3], [-1.0, -1.0])
    assert run.weights[1][-1, 0, 3] == 3.0


def test_a_gate_that_changes_is_found() -> None:
    """The unit's mode is along (1, 1); before it turns there it is off at the second point, later it is not."""
    task = fs.Task(np.array([[1.0, 0.0], [-0.2, 1.0]]), np.array([[1.0], [1.0]]))
    weights = (np.array([[1e-3, 0.0]]), np.array([[1e-3]]))
    network = fs.ReLU((1,), initial=fs.initial.Weights(weights))
    run = fs.evolve(network, task, np.array([0.0, 40.0]), method=fs.Exact())
    assert run.assumptions[-1].holds  # it moves along its own point alone and stays off at the other
    turned = fs.Task(np.array([[1.0, 1.0], [-1.0, 1.0]]), np.array([[1.0], [-1.0]]))
    # Σyx = (1, 0), Σx = 1: the linear solution turns the unit's weights from (.1, .2) towards (1, 0), off at the second
    network = fs.ReLU((1,), initial=fs.initial.Weights((np.array([[0.1, 0.2]]), np.array([[np.sqrt(0.05)]]))))
    with pytest.raises(fs.AssumptionError, match=r"Reduced.*gate ever changes ") as error:
        fs.evolve(network, turned, np.array([0.0, 40.0]), method=fs.Exact())
    assert error.value.assumption.name == "gates"


@pytest.mark.parametrize(
    ("network", "name"),
    [
        (fs.ReLU((16,), initial=fs.initial.Gaussian(1e-3)), "overlap"),
        (fs.ReLU((4,), initial=fs.initial.Gaussian(1e-3), bias=True), "bias"),
    ],
)
def test_random_starts_and_biases_are_refused(network, name) -> None:
    with pytest.raises(fs.AssumptionError, match="Reduced") as error:
        fs.evolve(network, fs.tasks.extended_xor(0.5), np.array([0.0, 1.0]), method=fs.Exact())
    assert error.value.assumption.name == name


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3))
def test_whatever_is_accepted_is_the_flow(seed: int, inputs: int, units: int) -> None:
    """Orthogonal points and units near one of them each: where the proof succeeds the flow agrees."""
    rng = np.random.default_rng(seed)
    x = np.linalg.qr(rng.standard_normal((3, 3)))[0][:, :inputs]
    task = fs.Task(x, rng.standard_normal((3, 1)))
    w = x[rng.integers(0, 3, units)] * rng.uniform(0.1, 1, (units, 1))
    a = np.linalg.norm(w, axis=1)[None] * rng.choice([-1.0, 1.0, 0.5], (1, units))
    network, times = fs.ReLU((units,), initial=fs.initial.Weights((w, a))), np.linspace(0, 6, 4)
    try:
        run = fs.evolve(network, task, times, method=fs.Exact(), observe=("weights",))
    except fs.AssumptionError:
        return
    expected = integrate((w, a), task, times)
    for layer in (0, 1):
        assert np.abs(run.weights[layer][-1] - expected[-1][layer]).max() < 1e-6


@pytest.mark.parametrize(
    ("x", "target", "answered"),
    [
        ([[0.3, 0.1], [-0.1, 0.3]], 1.0, False),  # (0.3, 0.1)·(−0.1, 0.3) is 0 or rounding, as it is added up
        ([[0.3, 0.1], [-0.1, 0.3]], -1.0, True),  # the second point pushes the unit away: it stays off
        ([[3.0, 1.0], [-1.0, 3.0]], 1.0, False),  # exactly 0 at the start, but not after some steps
        ([[0.3, 0.0], [0.0, 0.3]], 1.0, True),  # a sum of zeros is 0 at all times
    ],
)
def test_a_gate_at_rounding_is_refused_where_it_would_open(x, target, answered) -> None:
    task = fs.Task(np.array(x), np.array([[1.0], [target]]))
    weights = (0.1 * task.x[:1], np.array([[0.1 * np.linalg.norm(task.x[0])]]))
    network, times = fs.ReLU((1,), initial=fs.initial.Weights(weights)), np.linspace(0, 200, 4)
    if not answered:
        with pytest.raises(fs.AssumptionError, match="no gate ever changes"):
            fs.evolve(network, task, times, method=fs.Exact())
        return
    run = fs.evolve(network, task, times, method=fs.Exact(), observe=("outputs",))
    assert np.abs(run.outputs[:, 1]).max() < 1e-12
    first, second = integrate(weights, task, times)[-1]
    assert np.abs(run.outputs[-1] - np.maximum(task.x @ first.T, 0) @ second.T).max() < AGREES


def test_of_many_groups_that_are_excluded_for_one_reason_the_worst_is_told() -> None:
    task, network = fs.tasks.living_things(8), fs.ReLU((20,), initial=fs.initial.Gaussian(1e-2))
    names = [a.name for a in fs.theories(network, task).rows[0].assumptions]
    assert len(names) == len(set(names)) > 3

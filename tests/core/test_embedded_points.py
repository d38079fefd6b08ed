"""Embedded stationary points: gradients by differences, the known points of linear networks, and a run that passes."""

from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import festina as fs


def linear(weights, x):
    return x @ weights["in"] @ weights["out"]


@dataclass(frozen=True)
class Linear(fs.Network):
    """Two layers, which say what their units are."""

    count: int = 4
    scale: float = 1e-4

    @property
    def predict(self):
        return linear

    def start(self, task, seed):
        draw = np.random.default_rng(seed).standard_normal
        return {
            "in": self.scale * draw((task.x.shape[1], self.count)),
            "out": self.scale * draw((self.count, task.y.shape[1])),
        }

    def units(self, weights: Any):
        return {"in": 1, "out": 0}


@dataclass(frozen=True)
class Biased(Linear):
    """ReLU units with biases; all share those of the outputs."""

    @property
    def predict(self):
        return rectified

    def start(self, task, seed):
        draw = np.random.default_rng(seed).standard_normal
        shift, mean = self.scale * draw(self.count), np.zeros(task.y.shape[1])
        return {**super().start(task, seed), "shift": shift, "mean": mean}

    def units(self, weights: Any):
        return {"in": 1, "out": 0, "shift": 0, "mean": None}


@dataclass(frozen=True)
class Tanh(Linear):
    """Units that are linear only where they are small."""

    @property
    def predict(self):
        return tanh


def tanh(weights, x):
    return jnp.tanh(x @ weights["in"]) @ weights["out"]


def rectified(weights, x):
    h = x @ weights["in"] + weights["shift"]
    return (h * (h > 0)) @ weights["out"] + weights["mean"]


DRAW = np.random.default_rng(2).standard_normal
X = np.sqrt(20) * np.linalg.qr(DRAW((20, 3)))[0]
TASK = fs.Task(X, X @ np.diag([2.0, 1.0, 0.3]) @ DRAW((3, 2)))


def differences(network, task, weights):
    """The gradient of ½⟨‖y − f‖²⟩ by central differences in NumPy."""
    found = []
    for name, array in weights.items():
        for at in np.ndindex(array.shape):
            pair = []
            for step in (1e-6, -1e-6):
                moved = {key: np.array(value) for key, value in weights.items()}
                moved[name][at] += step
                pair.append(0.5 * np.mean(np.sum((task.y - np.asarray(network.predict(moved, task.x))) ** 2, axis=1)))
            found.append((pair[0] - pair[1]) / 2e-6)
    return np.array(found)


def test_points_of_linear_units_are_those_that_are_known() -> None:
    known = fs.DeepLinear((4,), initial=fs.initial.Gaussian(1e-4)).stationary_points(TASK)
    least = {rank: min(p.loss for p in known if len(p.modes) == rank) for rank in (0, 1, 2)}
    for units in (0, 1, 2):
        points = Linear().stationary_points(TASK, units=units)
        assert {point.extra for point in points} == ({"zero", "idle"} if not units else {"zero", "copies", "idle"})
        for point in points:
            assert point.loss == pytest.approx(least[units], abs=1e-9)
            assert point.gradient < 1e-8
            assert np.abs(differences(Linear(), TASK, point.weights)).max() < 1e-6
            assert (point.index == 0) == (units == 2)


def test_relu_units_have_the_three_embeddings() -> None:
    task = fs.Task(X, np.maximum(X @ DRAW((3, 2)), 0.0) @ [[1.0, 0.3], [-0.2, 0.6]])
    points = fs.ReLU((4,), initial=fs.initial.Gaussian(0.1)).stationary_points(task, units=1)
    assert {point.extra for point in points} >= {"zero", "copies"}
    for point in points:
        first, second = point.weights
        outputs = np.maximum(task.x @ first.T, 0.0) @ second.T
        np.testing.assert_allclose(outputs, point.outputs, atol=1e-12)
        assert np.linalg.matrix_rank(outputs, tol=1e-6) == 1
    assert any(point.index > 0 for point in points if point.extra == "copies")


def test_what_all_units_share_is_at_rest_too() -> None:
    """Without units the bias of the outputs is the mean of the targets; with units it learns beside them."""
    task = fs.Task(X, np.maximum(X @ DRAW((3, 2)), 0.0) + np.array([1.0, -2.0]))
    network = Biased()
    none, one = (network.stationary_points(task, units=k) for k in (0, 1))
    assert [point.extra for point in none] == ["idle", "zero"]
    for point in none:
        np.testing.assert_allclose(point.outputs, np.tile(task.y.mean(axis=0), (20, 1)), atol=1e-9)
    assert {point.extra for point in one} >= {"zero", "copies"}
    for point in (*none, *one):
        assert np.abs(differences(network, task, point.weights)).max() < 1e-6
    for point in one:
        assert np.linalg.matrix_rank(point.outputs - point.outputs.mean(axis=0), tol=1e-6) == 1
        assert point.loss < none[0].loss
    torch_like = fs.ReLU((4,), initial=fs.initial.Gaussian(0.1), bias=True)
    assert min(p.loss for p in torch_like.stationary_points(task, units=1)) == pytest.approx(one[0].loss, rel=1e-6)


def test_a_run_passes_the_points_of_one_unit_after_the_other() -> None:
    network = Linear(scale=1e-8)
    run = fs.evolve(network, TASK, np.linspace(0, 150, 601), method=fs.Reduced())
    passages = run.saddle_passages()
    assert [passage.point.units for passage in passages] == [0, 1, 2]
    assert max(passage.distance for passage in passages) < 0.02
    assert [passage.loss for passage in passages] == pytest.approx([p.point.loss for p in passages], rel=0.02, abs=1e-4)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="units is 9, and the network has 4"):
        Linear().stationary_points(TASK, units=9)
    run = fs.evolve(Linear(), TASK, [0.0, 1.0], method=fs.Reduced(), seeds=2)
    with pytest.raises(ValueError, match="without seeds"):
        run.saddle_passages()
    gated = fs.gated.pathways(np.ones((1, 20)), 4, initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match="not known"):
        gated.stationary_points(TASK)


@pytest.mark.parametrize(("units", "passes"), [(2, True), (20, False)])
def test_many_small_tanh_units_are_not_one(units, passes) -> None:
    """They share what one unit would learn, each nearer to linear: the run rests beside the point of one unit."""

    rng = np.random.default_rng(7)
    x = rng.normal(size=(40, 3))
    task = fs.Task(x, np.tanh(x @ rng.normal(size=(3, 2))) * [2.0, 0.5])
    run = fs.evolve(Tanh(units, 1e-6), task, np.linspace(0, 60, 301), method=fs.Reduced())
    one = next(p for p in run.saddle_passages(units=1, within=1.0) if p.point.units == 1)
    assert one.distance < 0.05 if passes else one.distance > 0.1
    assert (len(run.saddle_passages(units=1)) == 2) == passes

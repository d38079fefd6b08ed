"""The early phase of cross-entropy against the gradient flow of cross-entropy itself."""

import numpy as np
import pytest

import festina as fs
from festina.core import Binary, CrossEntropy

RNG = np.random.default_rng(3)
LABELS = np.repeat([0, 1, 2], [18, 9, 3])  # classes of unequal frequency
X = RNG.standard_normal((30, 4)) + 1.5 * np.eye(4)[LABELS]
MANY = fs.Task(X, labels=LABELS, loss="cross_entropy")
TWO = fs.Task(X, 1.0 * (LABELS[:, None] == 0), loss="binary")
SMALL = fs.initial.Gaussian(1e-3)


@pytest.mark.parametrize("loss", [CrossEntropy(), CrossEntropy(0.2), Binary()], ids=repr)
def test_the_first_order_is_that_of_the_residual(loss):
    targets, slowing = loss.near_zero(MANY.y)
    direction = RNG.standard_normal(MANY.y.shape)
    direction -= direction.mean(axis=1, keepdims=True)
    left = []
    for size in (1e-2, 1e-3):
        exact = loss.residual(size * direction, MANY.y)
        left.append(np.abs(exact - (targets - size * direction) / slowing).max())
    order = np.log10(left[0] / left[1])
    assert order == pytest.approx(3 if loss.name == "binary" else 2, abs=0.1)


@pytest.mark.parametrize(
    ("network", "task"),
    [
        (fs.DeepLinear((8,), initial=SMALL), MANY),
        (fs.DeepLinear((8,), initial=SMALL), TWO),
        (fs.ReLU((8, 6), initial=fs.initial.Gaussian(0.2)), MANY),
    ],
    ids=["linear", "binary", "deep relu"],
)
def test_the_early_phase_follows_the_flow_until_it_says_otherwise(network, task):
    with pytest.warns(UserWarning, match="no longer acts like squared error"):
        far = fs.evolve(network, task, np.linspace(0, 40, 81), method=fs.Reduced())
    until = far.notes["holds_until"]
    times = np.linspace(0, until, 41)[:-1]
    theory = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "outputs"))
    flow = fs.evolve(network, task, times, method=fs.Flow(), observe=("loss", "outputs"))
    assert flow.loss[-1] < 0.95 * flow.loss[0]  # something has been learned by then
    area = fs.compare(theory, flow).area
    assert area < 0.01
    assert theory.relative_error == pytest.approx(area, abs=1e-3)
    assert theory.loss == pytest.approx([task.loss.mean(f, task.y) for f in theory.outputs], rel=1e-12)


def test_it_is_listed_and_refuses_what_it_cannot():
    network = fs.DeepLinear((8,), initial=SMALL)
    rows = {row.theory.name: row for row in fs.theories(network, MANY, errors=True, times=np.linspace(0, 20, 41)).rows}
    assert [name for name, row in rows.items() if row.applies] == ["early phase of joint modes", "lazy limit"]
    assert rows["early phase of joint modes"].error < 0.01
    with pytest.raises(ValueError, match="only the early phase is known"):
        fs.evolve(network, MANY, None, method=fs.Reduced())
    large = fs.DeepLinear((8,), initial=fs.initial.Gaussian(2.0))
    with pytest.warns(UserWarning, match="from t = 0 on"):
        run = fs.evolve(large, MANY, [0.0, 1.0], method=fs.Reduced())
    assert next(a.name for a in run.assumptions if not a.holds) == "small outputs"
    with pytest.raises(fs.AssumptionError, match=r"assumes that the loss is squared"):
        fs.evolve(network, MANY, [0.0, 1.0], method=fs.Exact())


def test_attractors_of_faint_units_are_those_of_the_first_residual():
    found = fs.relu.attractors(MANY, starts=32)
    squared = fs.relu.attractors(fs.Task(X, 3 * MANY.y - 1), starts=32)
    assert [a.rate for a in found] == pytest.approx([a.rate / 3 for a in squared])

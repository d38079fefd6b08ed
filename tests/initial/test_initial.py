"""Each initialisation's defining property, its seed, and what it refuses."""

from itertools import pairwise

import numpy as np
import pytest

import festina as fs
from festina.core.initial import orthonormal

TASK = fs.Task(np.random.default_rng(0).standard_normal((9, 4)), np.random.default_rng(1).standard_normal((9, 3)))
RULES = [
    fs.initial.Gaussian(0.2),
    fs.initial.Aligned(0.3),
    fs.initial.Balanced(0.5),
    fs.initial.Orthogonal(0.7),
]


def start(initial, hidden=(5, 6), seed=0, task=TASK):
    return fs.DeepLinear(hidden, initial=initial).start(task, seed)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("hidden", [(), (5,), (5, 6)])
def test_a_seed_is_a_start(rule, hidden):
    one, again, other = start(rule, hidden), start(rule, hidden), start(rule, hidden, seed=1)
    assert [w.shape for w in one] == fs.DeepLinear(hidden, initial=rule).shapes(TASK)
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    if hidden or not isinstance(rule, fs.initial.Aligned):  # one aligned layer has nothing left to draw
        assert not all(np.allclose(a, b) for a, b in zip(one, other, strict=True))
    assert rule == type(rule)(**{name: getattr(rule, name) for name in rule.__dataclass_fields__})
    hash(rule)


def test_frames_are_orthonormal_and_uniform():
    rng = np.random.default_rng(0)
    frame = orthonormal(6, 3, rng)
    np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-14)
    assert orthonormal(4, 0, rng).shape == (4, 0)
    mean = np.mean([orthonormal(3, 2, rng) for _ in range(2000)], axis=0)
    assert np.abs(mean).max() < 0.06  # no preferred sign: 1/√(3·2000) = 0.013, four and a half of them


def test_gaussian_entries_have_the_given_spread():
    weights = start(fs.initial.Gaussian(0.2), hidden=(300, 200))
    for w in weights:
        assert w.std() == pytest.approx(0.2, rel=0.1)
        assert abs(w.mean()) < 0.02
    stds = (0.1, 0.2, 0.4)
    for w, unit, std in zip(start(fs.initial.Gaussian(stds)), start(fs.initial.Gaussian(1.0)), stds, strict=True):
        np.testing.assert_allclose(w, std * unit, rtol=1e-15)
    assert fs.initial.Gaussian(np.float32(0.5)) == fs.initial.Gaussian(0.5)
    assert fs.initial.Gaussian([0.5, 1]) == fs.initial.Gaussian((0.5, 1.0))
    assert not np.any(start(fs.initial.Gaussian(0))[0])


@pytest.mark.parametrize("hidden", [(), (3,), (5, 3, 4)])
def test_aligned_weights_carry_each_mode_equally_in_every_layer(hidden):
    strengths = np.array([0.5, 0.02, 0.0])
    weights = start(fs.initial.Aligned(strengths), hidden)
    product = np.linalg.multi_dot([*weights[::-1], np.eye(4)])
    found = TASK.statistics.left.T @ product @ TASK.statistics.right
    np.testing.assert_allclose(found, np.diag(strengths), atol=1e-14)
    for w in weights:
        values = np.linalg.svd(w, compute_uv=False)[:3]
        np.testing.assert_allclose(values, strengths ** (1 / len(weights)), atol=1e-14)
    for below, above in pairwise(weights):
        np.testing.assert_allclose(above.T @ above, below @ below.T, atol=1e-14)


def test_balanced_weights_are_balanced_at_any_depth():
    weights = start(fs.initial.Balanced(0.5), (5, 6))
    for below, above in pairwise(weights):
        np.testing.assert_allclose(above.T @ above, below @ below.T, atol=1e-14)
    values = np.linalg.svd(np.linalg.multi_dot(weights[::-1]), compute_uv=False)
    assert np.sqrt(np.mean(values**2)) == pytest.approx(0.5)


@pytest.mark.parametrize(("lambda_", "width"), [(2.0, 3), (2.0, 2), (-2.0, 4), (-0.1, 1), (1e-9, 3)])
def test_balanced_weights_have_the_given_imbalance(lambda_, width):
    first, second = start(fs.initial.Balanced(0.5, lambda_), (width,))
    np.testing.assert_allclose(second.T @ second - first @ first.T, lambda_ * np.eye(width), atol=1e-13)
    values = np.linalg.svd(second @ first, compute_uv=False)[: min(width, 3)]
    assert np.sqrt(np.mean(values**2)) == pytest.approx(0.5)


def test_orthogonal_layers_stretch_nothing():
    for w in start(fs.initial.Orthogonal(0.7)):
        np.testing.assert_allclose(np.linalg.svd(w, compute_uv=False), 0.7, rtol=1e-13)


def test_given_weights_are_taken_as_they_are():
    given = [np.ones((2, 4)), np.ones((3, 2))]
    rule = fs.initial.Weights(given)
    given[0][:] = 9
    found = start(rule, (2,))
    assert found[0].max() == 1
    assert np.array_equal(start(rule, (2,), seed=5)[0], found[0])
    with pytest.raises(ValueError, match="read-only"):
        found[0][0, 0] = 2


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: fs.initial.Gaussian(-1), "std is -1; a number >= 0, or one per layer, is needed"),
        (lambda: fs.initial.Gaussian("big"), "std is str that is not an array of real numbers"),
        (lambda: fs.initial.Gaussian(np.nan), "std holds 1 value"),
        (lambda: start(fs.initial.Gaussian((1, 2))), "std has 2 values for 3 layers; give one number or one per layer"),
        (lambda: fs.initial.Aligned(-0.1), "strength is -0.1; one number >= 0, or one per mode, is needed"),
        (lambda: fs.initial.Aligned([[1.0]]), r"strength is \[\[1.0\]\]; one number"),
        (lambda: start(fs.initial.Aligned([1.0])), "strength has 1 values for 3 modes"),
        (lambda: start(fs.initial.Aligned(1.0), (5, 2)), "hidden has a layer of width 2 below the task's rank 3"),
        (lambda: fs.initial.Balanced(-1), "scale is -1; a number >= 0 is needed"),
        (lambda: start(fs.initial.Balanced(1, 0.5), (4,)), "with 4 hidden units and 3 outputs: the stronger layer"),
        (lambda: start(fs.initial.Balanced(1, -0.5), (5,)), "with 5 hidden units and 4 inputs: the stronger layer"),
        (lambda: start(fs.initial.Balanced(1, 0.5)), "lambda_ is 0.5 with 3 layers; it must be 0 unless there are two"),
        (lambda: start(fs.initial.Balanced(1, 0.5), ()), "lambda_ is 0.5 with 1 layers; it must be 0 unless"),
        (lambda: fs.initial.Balanced(1, [0.5, 1.0]), r"lambda_ is \[0.5, 1.0\]; a finite number"),  # pyright: ignore
        (lambda: fs.initial.Orthogonal(0), "gain is 0; a number > 0 is needed"),
        (lambda: start(fs.initial.Weights([np.eye(4)])), r"matrices have shapes \(\(4, 4\),\); this network .* needs"),
        (lambda: fs.initial.Weights(3), "matrices is 3; a list of arrays, one per layer"),  # pyright: ignore
        (lambda: fs.initial.Weights([np.ones(3)]), r"matrices\[0\] has shape \(3,\)"),
        (lambda: fs.initial.Weights([[[np.inf]]]), r"matrices\[0\] holds 1 value"),
    ],
)
def test_rules_that_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()

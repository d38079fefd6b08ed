"""Starts whose size follows the widths: their distributions, PyTorch's own beside them, and given weights."""

from typing import Any

import numpy as np
import pytest
import scipy.stats
import torch

import festina as fs

SHAPES = [(300, 200), (100, 300)]
TASK = fs.Task([[1.0]], [[1.0]])


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("rule", "variance"),
    [
        (fs.initial.LeCun, lambda out, into: 1 / into),
        (fs.initial.He, lambda out, into: 2 / into),
        (fs.initial.Glorot, lambda out, into: 2 / (out + into)),
    ],
)
@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize("gain", [1.0, 0.3])
def test_the_variance_is_the_one_of_the_rule(rule, variance, uniform, gain):
    for matrix, (out, into) in zip(rule(gain, uniform).draw(SHAPES, TASK, rng()), SHAPES, strict=True):
        std = gain * variance(out, into) ** 0.5
        law = scipy.stats.uniform(-(3**0.5) * std, 2 * 3**0.5 * std) if uniform else scipy.stats.norm(0, std)
        assert matrix.shape == (out, into)
        assert scipy.stats.kstest(matrix.ravel(), law.cdf).pvalue > 1e-3
    assert all(not b.any() for b in rule().biases(SHAPES, TASK, rng()))


def likely_the_same(a, b):
    """Kolmogorov and Smirnov's test does not tell the two samples apart."""
    found: Any = scipy.stats.ks_2samp(a, b)
    return found.pvalue > 1e-3


def test_torch_is_the_distribution_of_pytorch():
    torch.manual_seed(0)
    ours, biases = fs.initial.Torch().draw(SHAPES, TASK, rng()), fs.initial.Torch().biases(SHAPES, TASK, rng(1))
    for matrix, bias, (out, into) in zip(ours, biases, SHAPES, strict=True):
        linear = torch.nn.Linear(into, out)
        theirs = linear.weight.detach().numpy().ravel()
        assert likely_the_same(matrix.ravel(), theirs)
        assert likely_the_same(bias, linear.bias.detach().numpy())
        assert np.abs(matrix).max() <= into**-0.5
        assert np.abs(matrix).max() > 0.999 * np.abs(theirs).max()


def test_layers_carry_biases_in_their_last_column():
    matrices = fs.initial.Torch().layers(SHAPES, TASK, rng(), bias=True)
    assert [m.shape for m in matrices] == [(300, 201), (100, 301)]
    drawing = rng()
    weights = fs.initial.Torch().draw(SHAPES, TASK, drawing)
    np.testing.assert_array_equal(matrices[0][:, :-1], weights[0])
    np.testing.assert_array_equal(matrices[1][:, -1], fs.initial.Torch().biases(SHAPES, TASK, drawing)[1])
    assert not fs.initial.Gaussian(0.1).layers(SHAPES, TASK, rng(), bias=True)[0][:, -1].any()


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize("rule", [fs.initial.LeCun, fs.initial.He, fs.initial.Glorot])
def test_bad_settings_are_refused(rule):
    with pytest.raises(ValueError, match="gain is 0; a number > 0 is needed"):
        rule(0)
    with pytest.raises(ValueError, match="uniform is 'yes'; True or False is needed"):
        rule(uniform="yes")


SMALL = [(3, 2), (2, 3)]


def test_given_weights_for_many_seeds():
    stacks = [rng().normal(size=(4, *shape)) for shape in SMALL]
    network = fs.DeepLinear((3,), initial=fs.initial.Weights(stacks))
    for seed in range(4):
        for got, stack in zip(network.initial.of_seed(seed).draw(SMALL, TASK, rng()), stacks, strict=True):
            np.testing.assert_array_equal(got, stack[seed])
    with pytest.raises(ValueError, match="seed is 4, but the initial weights are given for the seeds 0 to 3"):
        network.initial.of_seed(4)
    with pytest.raises(ValueError, match="either all have a leading seed axis of the same length, or none"):
        fs.initial.Weights([stacks[0], stacks[1][:3]])
    with pytest.raises(ValueError, match="either all have a leading seed axis"):
        fs.initial.Weights([stacks[0], stacks[1][0]])


def test_given_tensors_that_require_gradients():
    module = torch.nn.Linear(2, 3).double()
    found = fs.initial.Weights([module.weight, torch.ones(2, 3, dtype=torch.bfloat16)])
    np.testing.assert_array_equal(found.matrices[0], module.weight.detach().numpy())
    assert found.matrices[1].dtype == float
    assert module.weight.requires_grad


def test_given_biases_need_a_network_that_has_them():
    matrices = [rng().normal(size=(out, into + 1)) for out, into in SMALL]
    initial = fs.initial.Weights(matrices)
    for got, given in zip(initial.layers(SMALL, TASK, rng(), bias=True), matrices, strict=True):
        np.testing.assert_array_equal(got, given)
    with pytest.raises(ValueError, match=r"one column more than this network needs: .*bias=True"):
        initial.draw(SMALL, TASK, rng())
    plain = fs.initial.Weights([m[:, :-1] for m in matrices]).layers(SMALL, TASK, rng(), bias=True)
    assert not plain[0][:, -1].any()
    with pytest.raises(ValueError, match=r"needs \(\(4, 3\), \(2, 5\)\) \(out, in \+ 1\)"):
        initial.layers([(4, 2), (2, 4)], TASK, rng(), bias=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "matrices is empty"),
        ([np.ones(3)], r"matrices\[0\] has shape \(3,\); \(out, in\) is needed"),
        ([np.ones((2, 0))], r"matrices\[0\] has shape \(2, 0\)"),
        ([[[np.nan]]], r"matrices\[0\] holds 1 value\(s\) that are not finite"),
    ],
)
def test_bad_weights_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        fs.initial.Weights(given)

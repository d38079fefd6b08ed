"""Rich, lazy, delayed rich: the rule, and the law of the delay."""

import numpy as np
import pytest

import festina as fs
from festina.linear._regime import standard_lambda


def white(inputs, outputs, rank=None, seed=0):
    """Whitened inputs and a linear target with singular values from 1 down to 1/2."""
    rng = np.random.default_rng(seed)
    rank = min(inputs, outputs) if rank is None else rank
    task = fs.Task(rng.standard_normal((4 * inputs, inputs)), np.zeros((4 * inputs, outputs))).whitened()
    u = np.linalg.qr(rng.standard_normal((outputs, outputs)))[0][:, :rank]
    v = np.linalg.qr(rng.standard_normal((inputs, inputs)))[0][:, :rank]
    return fs.Task(task.x, task.x @ (u * np.linspace(1, 0.5, rank) @ v.T).T)


def network(hidden, lambda_, scale=1e-2):
    return fs.DeepLinear(hidden=(hidden,), initial=fs.initial.Balanced(scale, lambda_))


@pytest.mark.parametrize(
    ("shape", "lambda_", "name"),
    [
        ((4, 4, 4), 0.0, "rich"),
        ((4, 4, 4), 30.0, "lazy"),
        ((4, 4, 4), -30.0, "lazy"),
        ((10, 4, 4), 30.0, "lazy"),
        ((10, 4, 4), -30.0, "delayed rich"),
        ((4, 4, 10), 30.0, "delayed rich"),
        ((4, 4, 10), -30.0, "lazy"),
        ((10, 4, 4), 0.0, "rich"),
    ],
)
def test_shape_and_sign_decide(shape, lambda_, name):
    inputs, hidden, outputs = shape
    found = network(hidden, lambda_).regime(white(inputs, outputs))
    assert found.name == name
    assert found.lambda_ == pytest.approx(lambda_, abs=1e-12)
    assert found.imbalance == pytest.approx(abs(lambda_) / 2, abs=1e-12)
    assert name in str(found)
    assert "λ of LeCun" in str(found)


def test_a_start_near_the_target_is_lazy_without_any_imbalance():
    task = white(4, 4)
    near = fs.initial.Balanced(0.8, map=task.statistics.cross_correlation)
    assert fs.DeepLinear(hidden=(4,), initial=near).regime(task).name == "lazy"


def test_the_delay_grows_like_lambda_over_s_squared():
    task = white(10, 4)
    delays = [network(4, -size).regime(task).delay for size in (20.0, 40.0, 80.0)]
    assert np.allclose(np.diff(np.log(delays)), np.log(2), atol=0.1)
    doubled = fs.Task(task.x, 2 * task.y)
    # λ → 2λ with s → 2s: the delay |λ|/s² halves
    assert network(4, -80.0).regime(doubled).delay == pytest.approx(delays[1] / 2, rel=0.05)


def test_the_number_is_that_of_the_trajectory():
    task, chosen = white(4, 4), network(4, 0.5)
    found = chosen.regime(task)
    times = np.concatenate([[0.0], np.geomspace(1e-3, 1e3, 800)])
    moved = fs.evolve(chosen, task, times, observe="kernel_distance")["kernel_distance"]
    assert found.kernel_distance == pytest.approx(moved.max(), rel=1e-2)


def test_other_starts_are_integrated_and_say_so():
    task = white(10, 4)
    small = fs.DeepLinear(hidden=(6,), initial=fs.initial.Gaussian(1e-3)).regime(task)
    assert small.name == "rich"
    assert [a.name for a in small.assumptions if not a.holds] == ["balance"]
    strong = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian((3.0, 1e-3))).regime(task)
    assert strong.name == "delayed rich"
    assert strong.lambda_ < -30
    rng = np.random.default_rng(2)
    wild = fs.Task(rng.standard_normal((20, 4)) * [1, 2, 0.5, 1], rng.standard_normal((20, 3)))
    found = fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.1, 0.2)).regime(wild)
    assert [a.name for a in found.assumptions if not a.holds] == ["isotropy"]
    assert 0 <= found.kernel_distance <= 1


def test_integrated_and_exact_agree(monkeypatch):
    from festina.linear import _balanced

    task, chosen = white(6, 4), network(4, -3.0)
    exact = chosen.regime(task)
    assert all(a.holds for a in exact.assumptions)
    monkeypatch.setattr(_balanced, "EXACT_BOUND", -1.0)
    other = chosen.regime(task)
    assert other.kernel_distance == pytest.approx(exact.kernel_distance, rel=1e-6)
    assert other.lazy_share == pytest.approx(exact.lazy_share, rel=1e-5)
    assert (other.name, other.delay) == (exact.name, exact.delay)


def tangent_distance(start, end, x):
    """From the Jacobians of two layers with biases, by central differences that are exact for a bilinear map."""

    def jacobian(weights):
        cut, flat = weights[0].size, np.concatenate([w.ravel() for w in weights])

        def outputs(z):
            w, a = z[:cut].reshape(weights[0].shape), z[cut:].reshape(weights[1].shape)
            return ((x @ w[:, :-1].T + w[:, -1]) @ a[:, :-1].T + a[:, -1]).ravel()

        return np.array([(outputs(flat + e) - outputs(flat - e)) / 2 for e in np.eye(len(flat))])

    one, two = (j.T @ j for j in (jacobian(start), jacobian(end)))
    return 1 - np.sum(one * two) / np.sqrt(np.sum(one**2) * np.sum(two**2))


@pytest.mark.parametrize("centred", [True, False])
def test_with_biases_the_kernel_is_that_of_all_weights_and_biases(centred):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((12, 3)) + (not centred)
    y = x @ rng.standard_normal((3, 2)) + (not centred)
    task = fs.Task(x - x.mean(0), y - y.mean(0)) if centred else fs.Task(x, y)
    weights = [0.2 * rng.standard_normal((4, 4)), 0.5 * rng.standard_normal((2, 5))]
    if centred:
        for w in weights:
            w[:, -1] = 0
    biased = fs.DeepLinear((4,), initial=fs.initial.Weights(weights), bias=True)
    found = biased.regime(task)
    times = np.concatenate([[0.0], np.geomspace(1e-1, 1e2, 130)])
    path = fs.evolve(biased, task, times, method=fs.Flow(), observe="weights").weights
    moved = [tangent_distance(weights, (first, second), task.x) for first, second in zip(*path, strict=True)]
    assert found.kernel_distance == pytest.approx(max(moved), rel=1e-3)
    kept = [a[:, :-1].T @ a[:, :-1] - w @ w.T for w, a in zip(*path, strict=True)]
    assert found.lambda_ == pytest.approx(np.trace(kept[0]) / 4)
    np.testing.assert_allclose(kept[-1], kept[0], atol=1e-4)
    failing = {a.name for a in found.assumptions if not a.holds}
    assert failing == {"isotropy", "balance"} | (set() if centred else {"centred", "no bias"})


def test_standard_initialisations_have_the_expected_lambda():
    inputs, hidden, outputs = 400, 300, 200
    rng = np.random.default_rng(0)
    stds = {
        "LeCun": (inputs**-0.5, hidden**-0.5),
        "He": ((2 / inputs) ** 0.5, (2 / hidden) ** 0.5),
        "Glorot": ((2 / (inputs + hidden)) ** 0.5, (2 / (hidden + outputs)) ** 0.5),
    }
    expected = standard_lambda(inputs, hidden, outputs)
    for name, (one, two) in stds.items():
        w1, w2 = one * rng.standard_normal((hidden, inputs)), two * rng.standard_normal((outputs, hidden))
        measured = np.trace(w2.T @ w2 - w1 @ w1.T) / hidden
        assert expected[name] == pytest.approx(measured, abs=0.03)


def test_what_it_cannot_judge_is_refused():
    with pytest.raises(ValueError, match="network has 1 layers; the regimes are defined for two"):
        fs.DeepLinear(initial=fs.initial.Gaussian(0.1)).regime(white(4, 4))
    with pytest.raises(ValueError, match="no modes"):
        network(3, 0.0).regime(fs.Task(np.eye(3), np.zeros((3, 2))))
    with pytest.raises(ValueError, match="bound is 0"):
        network(4, 0.0).regime(white(4, 4), bound=0)

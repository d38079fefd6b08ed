"""λ-balanced networks through the one verb: which route, what it gives, what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

SAME = 1e-9
"""Theory against the flow's ODE solve, which runs at rtol 1e-12."""

VIEWS = ("similarity", "input_similarity", "output_similarity", "kernel", "alignment", "qq")
TIMES = np.array([0.0, 0.2, 1.0, 6.0])


def task(inputs=4, outputs=3, items=12, seed=0):
    rng = np.random.default_rng(seed)
    return fs.Task(rng.standard_normal((items, inputs)), rng.standard_normal((items, outputs)))


def layers(value):
    return value if isinstance(value, tuple) else (value,)


def close(a, b, tolerance):
    return all(np.abs(x - y).max() <= tolerance * max(np.abs(y).max(), 1) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize(("lambda_", "hidden"), [(0.0, 3), (0.0, 9), (0.5, 2), (-2.0, 4), (1e-12, 3), (30.0, 3)])
@pytest.mark.parametrize("kind", ["white", "one-hot", "fewer outputs"])
def test_every_observable_agrees_with_the_flow(lambda_, hidden, kind):
    chosen = {
        "white": task().whitened(),
        "one-hot": fs.Task(np.eye(4), np.random.default_rng(1).standard_normal((4, 3))),
        "fewer outputs": task(inputs=5, outputs=3, seed=4).whitened(),
    }[kind]
    network = fs.DeepLinear(hidden=(hidden,), initial=fs.initial.Balanced(0.2, lambda_))
    names = ("loss", "strengths", "map", "outputs", *VIEWS)
    times = TIMES / max(1.0, abs(lambda_) / 4)
    theory = fs.evolve(network, chosen, times, observe=(*names, "kernel_distance", "weights", "hidden"))
    flow = fs.evolve(network, chosen, times, observe=(*names, "weights"), method=fs.Flow())
    for name in names:
        assert close(layers(theory[name]), layers(flow[name]), SAME), name
    assert close((theory["kernel_distance"],), (flow.kernel_distance(),), SAME)
    assert close((theory.kernel_distance(),), (theory["kernel_distance"],), SAME)
    # weights are given up to a rotation of hidden units; the rotation is that of the start at time 0
    first, second = theory.weights
    assert close((first[0], second[0]), tuple(w[0] for w in flow.weights), SAME)
    assert close((second @ first,), (theory["map"],), SAME)
    assert close((theory["hidden"][0] @ second.swapaxes(1, 2),), (theory.outputs,), SAME)
    lambdas = second.swapaxes(1, 2) @ second - first @ first.swapaxes(1, 2)
    assert np.allclose(lambdas, lambda_ * np.eye(hidden), atol=1e-10)
    assert theory.sources == ("braun2022", "domine2025")
    assert all(a.holds for a in theory.assumptions)


def test_agrees_with_training_to_first_order_in_the_rate():
    chosen = task().whitened()
    network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.1, lambda_=0.3))
    times = np.linspace(0, 6, 31)
    theory = fs.evolve(network, chosen, times)
    gaps = []
    for rate in (0.02, 0.01, 0.005):
        training = fs.evolve(network, chosen, times, method=fs.Train(rate=rate))
        gaps.append(fs.compare(theory, training).area)
    slopes = np.diff(np.log(gaps)) / np.log(0.5)
    assert np.allclose(slopes, 1.0, atol=0.05)


def test_explicit_weights_are_recognised_by_measuring():
    chosen = task().whitened()
    drawn = fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.2, 0.7))
    given_ = fs.DeepLinear(hidden=(3,), initial=fs.initial.Weights(drawn.start(chosen, 0)))
    one, two = (fs.evolve(n, chosen, TIMES, observe=("loss", "qq")) for n in (drawn, given_))
    assert np.allclose(one["qq"], two["qq"], rtol=1e-11)
    balance = next(a for a in two.assumptions if a.name == "balance")
    assert "λ = 0.7" in balance.statement


def test_where_nothing_applies_the_numbers_are_said():
    wild, network = task(), fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.2, 0.7))
    with pytest.raises(fs.AssumptionError, match=r"Flow.*task\.whitened\(\).*\(isotropy: .* 0\.\d+"):
        fs.evolve(network, wild, TIMES)
    unbalanced = fs.DeepLinear(hidden=(3,), initial=fs.initial.Gaussian(0.1))
    with pytest.raises(fs.AssumptionError, match=r"fs\.initial\.Balanced.*distance over .* 0\.\d+, at most 1e-10"):
        fs.evolve(unbalanced, wild.whitened(), TIMES)
    with pytest.raises(fs.AssumptionError, match=r"Use method=fs\.Reduced\(\), fs\.Flow\(\)") as error:
        fs.evolve(unbalanced, wild, TIMES)
    assert [theory for theory, _ in error.value.excluded] == ["decoupled modes", "λ-balanced layers"]


def test_a_balanced_start_on_the_modes_needs_no_white_inputs():
    wild = fs.Task(np.diag([1.0, 2.0, 3.0]), np.diag([1.0, 1.0, 2.0]))
    network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.1, map=wild.statistics.cross_correlation))
    theory = fs.evolve(network, wild, TIMES)
    assert np.allclose(theory.loss, fs.evolve(network, wild, TIMES, method=fs.Flow()).loss, atol=SAME)


def test_inputs_that_are_all_zero_are_not_white():
    network = fs.DeepLinear(hidden=(2,), initial=fs.initial.Balanced(0.2))
    with pytest.raises(fs.AssumptionError, match=r"\(isotropy: "):
        fs.evolve(network, fs.Task(np.zeros((3, 2)), np.ones((3, 2))), TIMES)


def test_inadmissible_shapes_are_refused_with_the_reason():
    network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Balanced(0.1, lambda_=1.0))
    with pytest.raises(ValueError, match="4 hidden units and 3 outputs: the stronger layer would need rank 4"):
        fs.evolve(network, task().whitened(), TIMES)
    network = fs.DeepLinear(hidden=(5,), initial=fs.initial.Balanced(0.1, lambda_=-1.0))
    with pytest.raises(ValueError, match="5 hidden units and 4 inputs"):
        fs.evolve(network, task().whitened(), TIMES)
    network = fs.DeepLinear(hidden=(3, 3), initial=fs.initial.Balanced(0.1, lambda_=1.0))
    with pytest.raises(ValueError, match="with 3 layers; it must be 0"):
        fs.evolve(network, task().whitened(), TIMES)


def test_a_prescribed_map_is_the_start():
    chosen = task().whitened()
    wanted = np.random.default_rng(3).standard_normal((3, 4))
    for lambda_ in (0.0, 2.0, -2.0):
        network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.5, lambda_, map=wanted))
        first, second = network.start(chosen, 5)
        assert np.allclose(second @ first, 0.5 * wanted)
        assert np.allclose(second.T @ second - first @ first.T, lambda_ * np.eye(3))
        assert hash(network) == hash(fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.5, lambda_, map=wanted)))
    with pytest.raises(ValueError, match=r"map has shape \(3, 4\); \(outputs, inputs\) = \(3, 5\)"):
        network.start(task(inputs=5), 0)
    with pytest.raises(ValueError, match="map has rank above 2, the narrowest layer"):
        fs.DeepLinear(hidden=(2,), initial=fs.initial.Balanced(1.0, map=wanted)).start(chosen, 0)


def test_the_limit_is_reached_and_named_none():
    chosen = task().whitened()
    network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.1, lambda_=0.4))
    end = fs.evolve(network, chosen, None, observe=("loss", "map", "strengths"))
    assert np.allclose(end["map"][0], chosen.statistics.cross_correlation, atol=1e-12)
    assert np.allclose(end.strengths[0], chosen.statistics.strengths, atol=1e-12)
    assert end.loss[0] == pytest.approx(chosen.statistics.floor, abs=1e-14)


def test_rotating_inputs_outputs_and_hidden_units_changes_what_it_should():
    rng = np.random.default_rng(8)
    chosen = task().whitened()
    first, second = fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.3, 0.5)).start(chosen, 1)
    p, q, r = (np.linalg.qr(rng.standard_normal((n, n)))[0] for n in (4, 3, 3))
    turned = fs.Task(chosen.x @ p.T, chosen.y @ q.T)
    plain = fs.DeepLinear(hidden=(3,), initial=fs.initial.Weights([first, second]))
    other = fs.DeepLinear(hidden=(3,), initial=fs.initial.Weights([r @ first @ p.T, q @ second @ r.T]))
    a = fs.evolve(plain, chosen, TIMES, observe=("loss", "map", "alignment", "kernel_distance"))
    b = fs.evolve(other, turned, TIMES, observe=("loss", "map", "alignment", "kernel_distance"))
    assert np.allclose(a.loss, b.loss, rtol=1e-11)
    assert np.allclose(a["alignment"], b["alignment"], rtol=1e-11)
    assert np.allclose(a["kernel_distance"], b["kernel_distance"], atol=1e-12)
    assert np.allclose(q @ a["map"] @ p.T, b["map"], atol=1e-12)


def test_a_network_of_zero_weights_stays_zero():
    network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.0))
    names = ("loss", "map", "weights", "hidden", "kernel_distance", *VIEWS)
    found = fs.evolve(network, task().whitened(), TIMES, observe=names)
    assert all(not np.any(part) for name in names[1:] for part in layers(found[name]))
    assert np.ptp(found.loss) == 0


def test_many_times_are_computed_in_chunks(monkeypatch):
    from festina.linear import _balanced, _riccati

    network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Balanced(0.2, 0.3))
    times = np.linspace(0, 5, 23)
    names = ("loss", "qq", "weights")
    whole = fs.evolve(network, task().whitened(), times, observe=names)
    monkeypatch.setattr(_riccati, "CHUNK", 100)
    monkeypatch.setattr(_balanced, "KEEP", 1)
    parts = fs.evolve(network, task().whitened(), times, observe=names)
    assert all(np.allclose(a, b) for n in names for a, b in zip(layers(whole[n]), layers(parts[n]), strict=True))


@given(st.integers(1, 6), st.integers(1, 9), st.integers(0, 99))
def test_whitening_gives_white_inputs_or_says_why_not(inputs, items, seed):
    rng = np.random.default_rng(seed)
    plain = fs.Task(rng.standard_normal((items, inputs)), rng.standard_normal((items, 2)))
    if items < inputs:
        with pytest.raises(ValueError, match=rf"varies in {items} directions of its {inputs} inputs.*reduce=True"):
            plain.whitened()
    white = plain.whitened(reduce=True)
    assert np.allclose(white.statistics.input_correlation, np.eye(min(items, inputs)), atol=1e-12)
    assert white.statistics.isotropy < 1e-12
    assert white.statistics.floor == pytest.approx(plain.statistics.floor, abs=1e-12)


def test_whitening_nothing_is_refused():
    with pytest.raises(ValueError, match="all zero; there is nothing to whiten"):
        fs.Task(np.zeros((3, 2)), np.ones((3, 1))).whitened()


def reversed_network():
    """A balanced network that has learned the opposite of a task of equal strengths, and the task."""
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(2, 2)))[0]
    x = np.sqrt(2) * np.eye(2)
    return fs.DeepLinear((2,), initial=fs.initial.Balanced(1.0, 0.0, map=-turn)), fs.Task(x, x @ turn.T)


def test_the_time_from_which_rounding_decides_is_that_at_which_flow_and_training_leave_the_saddle():
    network, task = reversed_network()
    times = np.linspace(0, 60, 241)
    with pytest.warns(RuntimeWarning, match=r"From t ≈ 34.7 on rounding errors decide"):
        exact = fs.evolve(network, task, times)
    assert exact.loss[-1] == pytest.approx(1.0)  # of the zero map
    for method in (fs.Flow(), fs.Train(rate=0.02)):
        loss = fs.evolve(network, task, times, method=method).loss
        assert times[np.flatnonzero(loss > 0.5)[-1]] == pytest.approx(34.7, rel=0.15)


def test_the_perturbed_solution_leaves_the_saddle_as_the_flow_from_perturbed_weights_does():
    network, task = reversed_network()
    times, rng = np.linspace(0, 40, 401), np.random.default_rng(0)
    start = network.start(task, 0)
    size = np.sqrt(np.mean([w**2 for w in start]))
    moved = [w + 1e-6 * size * rng.normal(size=w.shape) for w in start]
    theory = fs.evolve(network, task, times, method=fs.Exact(fs.linear.LambdaBalanced(perturbation=1e-6)))
    perturbed = fs.DeepLinear((2,), initial=fs.initial.Weights(moved))
    flow = fs.evolve(perturbed, task, times, method=fs.Flow(rtol=1e-11, atol=1e-14))
    left = [times[np.flatnonzero(run.loss > 0.5)[-1]] for run in (theory, flow)]
    assert left[0] == pytest.approx(np.log(1e6), rel=0.25)
    assert abs(left[0] - left[1]) < 1.0  # the time in which a mode of strength 1 grows by e
    assert theory.loss[-1] < 1e-9

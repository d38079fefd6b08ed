"""Wide linear layers are trained and integrated in the span of their weights, and nothing that is observed differs."""

import networkx as nx
import numpy as np
import pytest

import festina as fs
from festina.methods import _rotated

pytestmark = pytest.mark.slow

ROUNDING = 1e-11
"""Double precision over some hundred steps, relative to the largest number."""

RATE, STEPS = 0.05, np.array([0, 1, 7, 60])
VIEWS = ("loss", "strengths", "map", "outputs", "similarity", "kernel")
PER_UNIT = ("weights", "hidden")


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(3)
    return fs.Task(rng.standard_normal((20, 4)), rng.standard_normal((20, 3)))


def linear(hidden=(40,), **settings):
    return fs.DeepLinear(hidden, initial=fs.initial.Gaussian(0.1), **settings)


def gated(width):
    """Two pathways that overlap on a third of the points, one of them with a gated edge."""
    graph = nx.DiGraph([("x", "a"), ("x", "b"), ("a", "y"), ("b", "y")])
    graph.add_nodes_from(["a", "b"], width=width)
    points = np.arange(20)
    gates = {"a": points % 3 < 2, "b": points % 3 > 0, ("b", "y"): 1 + 0.5 * (points % 2)}
    return fs.Gated(graph, gates, initial=fs.initial.Gaussian(0.1))


def direct(monkeypatch, *arguments, **settings):
    """The same by the weights of all hidden units."""
    with monkeypatch.context() as patch:
        patch.setattr(fs.DeepLinear, "rotate", lambda *_: None)
        patch.setattr(fs.Gated, "rotate", lambda *_: None)
        return fs.evolve(*arguments, **settings)


def same(a, b, names):
    for name in names:
        ours, theirs = (value if isinstance(value, tuple) else (value,) for value in (a[name], b[name]))
        for mine, other in zip(ours, theirs, strict=True):
            assert mine.dtype == other.dtype
            assert mine.shape == other.shape
            np.testing.assert_allclose(mine, other, atol=ROUNDING * np.abs(other).max())


TRAINED = {
    "gd": {},
    "batches, momentum": {"batch": 6, "optimiser": "momentum"},
}


@pytest.mark.parametrize("how", TRAINED)
@pytest.mark.parametrize(("network", "names"), [(linear(), VIEWS), (gated(40), VIEWS[:2])], ids=["linear", "gated"])
def test_training_is_that_of_all_units(task, monkeypatch, how, network, names):
    method, names = fs.Train(RATE, **TRAINED[how]), names if how == "gd" else names[:1]
    given = {"method": method, "seeds": 2, "observe": (*names, *PER_UNIT)}
    narrow = fs.evolve(network, task, RATE * STEPS, **given)
    wide = direct(monkeypatch, network, task, RATE * STEPS, **given)
    assert max(side for shape in narrow.notes["rotated"] for side in shape) <= 7
    assert "rotated" not in wide.notes
    same(narrow, wide, (*names, *PER_UNIT))


@pytest.mark.parametrize("network", [linear(bias=True), linear((40, 4, 40))])
def test_biases_and_deep_networks_with_wide_layers(task, monkeypatch, network):
    given = {"method": fs.Train(RATE), "observe": ("loss", "outputs", *PER_UNIT)}
    narrow = fs.evolve(network, task, RATE * STEPS, **given)
    assert narrow.notes["rotated"]
    same(narrow, direct(monkeypatch, network, task, RATE * STEPS, **given), given["observe"])


@pytest.mark.parametrize("network", [linear(bias=True), gated(40)], ids=["linear", "gated"])
def test_flow_and_sequences_are_those_of_all_units(task, monkeypatch, network):
    second = fs.Task(task.x, -task.y)
    for method in (fs.Flow(), fs.Train(RATE)):
        given = {"method": method, "seeds": 2, "observe": ("loss", "outputs", *PER_UNIT)}
        both = fs.sequence([task, second])
        narrow = fs.evolve(network, both, RATE * STEPS, **given)
        wide = direct(monkeypatch, network, both, RATE * STEPS, **given)
        same(narrow, wide, (*given["observe"], "losses"))
        assert narrow["losses"].shape == (2, 2 * len(STEPS), 2)


def test_single_precision_keeps_its_type(task):
    run = fs.evolve(
        linear(), task, RATE * STEPS, method=fs.Train(RATE, precision="single"), observe=("loss", *PER_UNIT)
    )
    assert {a.dtype for a in (run.loss, *run.weights, *run["hidden"])} == {np.dtype(np.float32)}
    start = linear().start(task, 0)
    np.testing.assert_allclose(run.weights[0][0], start[0], atol=1e-6)


def test_a_stopped_run_goes_on(task, tmp_path):
    given = {"method": fs.Train(RATE), "observe": ("loss", *PER_UNIT)}
    whole = fs.evolve(linear(), task, RATE * STEPS, **given)
    with fs.checkpoints(tmp_path):
        fs.evolve(linear(), task, RATE * STEPS, **given)
        again = fs.evolve(linear(), task, RATE * STEPS, **given)
    assert again.notes["continued_from"] == STEPS[-1]
    same(again, whole, given["observe"])


def test_adam_and_narrow_layers_are_not_rotated(task):
    assert "rotated" not in fs.evolve(linear(), task, [0.0, 1.0], method=fs.Train(RATE, optimiser="adam")).notes
    assert "rotated" not in fs.evolve(linear((7,)), task, [0.0, 1.0], method=fs.Train(RATE)).notes
    assert linear((7,)).rotate(linear((7,)).start(task, 0)) is None
    assert linear(()).rotate(linear(()).start(task, 0)) is None
    assert gated(7).rotate(gated(7).start(task, 0)) is None


def test_what_is_per_unit_is_told_by_its_shape(task):
    network = linear()
    start = network.start(task, 0)
    found = _rotated.rotate(network, network.context(task), [start], (*VIEWS, *PER_UNIT))
    assert found is not None
    assert found.per_unit == PER_UNIT
    for back, whole in zip(found.restore[0](found.starts[0]), start, strict=True):
        np.testing.assert_allclose(back, whole, atol=1e-14)


def test_rank_deficient_starts(task):
    zero = fs.DeepLinear((40,), initial=fs.initial.Weights((np.zeros((40, 4)), np.zeros((3, 40)))))
    run = fs.evolve(zero, task, [0.0, 1.0], method=fs.Train(RATE), observe=("loss", "weights"))
    assert not run.weights[0].any()
    ones = fs.DeepLinear((40,), initial=fs.initial.Weights((np.ones((40, 4)) / 9, np.ones((3, 40)) / 9)))
    run = fs.evolve(ones, task, [0.0, 1.0], method=fs.Train(RATE), observe=("loss", "weights"))
    np.testing.assert_allclose(np.ptp(run.weights[0][-1], axis=0), 0, atol=1e-14)

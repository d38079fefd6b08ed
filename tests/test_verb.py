"""Every network × method × (task, sequence) × (one seed, many): it agrees with its reference, or names what works."""

from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import festina as fs
from festina.core.method import Method

pytestmark = pytest.mark.slow


def own_network(weights, x):
    return jnp.tanh(x @ weights["in"]) @ weights["out"]


class Own(fs.Network):
    """A user's network with weights in a dictionary."""

    predict = property(lambda self: own_network)

    def start(self, task, seed):
        draw = np.random.default_rng(seed).standard_normal
        return {"in": 0.5 * draw((task.x.shape[1], 5)), "out": 0.5 * draw((5, task.y.shape[1]))}


@dataclass(frozen=True)
class Case:
    """A network, two tasks for it, when to look, and the step of training.

    ``near`` is the largest area between training and flow: the effect of the step. ``reduced`` that between the race
    and the flow: what the reduction leaves out from this start.
    """

    network: fs.Network
    tasks: tuple[fs.Task, ...]
    times: np.ndarray
    rate: float
    near: float = 0.02
    reduced: float = 0.05


SMALL = fs.initial.Gaussian(0.05)
ITEMS = (fs.tasks.hierarchy(levels=2), fs.tasks.hierarchy(levels=2).reversed())
XOR = (fs.tasks.extended_xor(0.5), fs.tasks.extended_xor(1.5))
POINTS = tuple(fs.Task([[-1.0], [-0.5]], [[0.6], [target]]) for target in (1.6, 0.2))
CONTEXTS = (fs.behaviour.DecisionTask(), fs.behaviour.DecisionTask())
PROMPTS = tuple(fs.tasks.in_context_regression(np.diag([first, 0.5]), 9) for first in (1.5, 1.0))
LAGS = tuple(fs.tasks.sensory_integration(np.array([[0.2], [0.5], [last]])) for last in (1.0, 0.7))
GATES = [XOR[0].y[:, 0] > 0, XOR[0].y[:, 0] < 0]

CASES = {
    "DeepLinear": Case(fs.DeepLinear((40,), initial=fs.initial.Gaussian(0.003)), ITEMS, np.linspace(0, 30, 16), 0.01),
    "DeepLinear with biases": Case(
        fs.DeepLinear((6,), initial=fs.initial.Torch(), bias=True), ITEMS, np.linspace(0, 10, 11), 0.01, reduced=1.0
    ),
    "Gated": Case(fs.gated.pathways(GATES, 6, initial=SMALL), XOR, np.linspace(0, 12, 13), 0.01),
    "ReLU": Case(fs.ReLU((12,), initial=SMALL), XOR, np.linspace(0, 12, 13), 0.01),
    "ReLU with biases": Case(fs.ReLU((12,), initial=SMALL, bias=True), XOR, np.linspace(0, 12, 13), 0.01),
    "FeedForward": Case(
        fs.FeedForward((8, 8, 8), activation="tanh", gain=0.8), POINTS, np.linspace(0, 8, 9), 0.01, reduced=0.5
    ),
    "TutorExecutor": Case(fs.behaviour.TutorExecutor(), CONTEXTS, np.linspace(0, 20, 6), 0.0026, near=0.15),
    "Shallow": Case(fs.behaviour.Shallow(), CONTEXTS, np.linspace(0, 10, 6), 0.0026, near=0.15),
    "LinearAttention": Case(
        fs.LinearAttention(heads=3, initial=fs.initial.Gaussian(0.1)),
        PROMPTS,
        np.linspace(0, 20, 11),
        0.01,
        reduced=0.2,
    ),
    "LinearRNN": Case(
        fs.LinearRNN(4, length=3, initial=fs.initial.Gaussian(0.2)), LAGS, np.linspace(0, 10, 11), 0.01, reduced=0.5
    ),
    "a user's": Case(Own(), ITEMS, np.linspace(0, 10, 11), 0.01),
}
METHODS: dict[str, Any] = {"Exact": fs.Exact, "Reduced": fs.Reduced, "Flow": fs.Flow, "Train": fs.Train}
SEEDS = 2


def method_of(case: Case, name: str) -> Method:
    return fs.Train(rate=case.rate) if name == "Train" else METHODS[name]()


def run(case: Case, name: str, task: Any, **seeds: Any) -> fs.Trajectory:
    return fs.evolve(case.network, task, case.times, method=method_of(case, name), **seeds)


@pytest.fixture(name="flow", scope="module")
def flows():
    """The flow of every network on a task or sequence, the reference of every other method."""
    kept = {}

    def get(key, task):
        if (key, repr(task)) not in kept:
            kept[key, repr(task)] = run(CASES[key], "Flow", task, seeds=SEEDS)
        return kept[key, repr(task)]

    return get


@pytest.mark.filterwarnings("ignore:method is Reduced", "ignore:the theory 'lazy limit'")
@pytest.mark.parametrize("sequence", [False, True], ids=["task", "sequence"])
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("key", CASES)
def test_every_cell_agrees_or_says_what_works(key, name, sequence, flow):
    case = CASES[key]
    task = fs.sequence(case.tasks) if sequence else case.tasks[0]
    has = {
        "Exact": any(t.exact for t in case.network.theories),
        "Reduced": any(not t.exact for t in case.network.theories),
    }
    refused = ""
    try:
        found = flow(key, task) if name == "Flow" else run(case, name, task, seeds=SEEDS)
    except ValueError as error:
        refused, found = str(error), None
    if found is None:
        assert name in has, f"{name} must work for every network, but: {refused}"
        assert "fs.Flow()" in refused
        assert "fs.Train(rate=...)" in refused
        return
    reference = flow(key, task)
    assert found.loss.shape == (SEEDS, len(found.times))
    assert np.all(np.isfinite(found.loss))
    assert found.segment.max() == int(sequence)
    if not sequence or name in ("Flow", "Train"):
        bound = {"Exact": 1e-6, "Flow": 0.0, "Train": case.near, "Reduced": case.reduced}[name]
        said = found.relative_error if found.notes.get("theory") == "lazy limit" else 0.0
        said = np.inf if "no_estimate" in found.notes else said  # it warns that it does not hold
        assert fs.compare(found, reference).area <= max(bound, said)
    one = run(case, name, task, seed=1)
    np.testing.assert_allclose(one.loss, found.loss[1], rtol=1e-5, atol=1e-7)
    assert repr(found).startswith("Trajectory(")
    says_what_and_when(found)


def says_what_and_when(found):
    """Stages and learning times are given, or a sentence why not."""
    stages = found.stages()
    assert len(stages) > 0 or stages.reason.endswith(".")
    for stage in stages:
        assert stage.what
        assert np.all(stage.begins <= stage.half)
        assert np.all(stage.half <= stage.ends)
    for by in ("class", "pair", "item", "output", "context", "mode"):
        try:
            told = str(found.learned(by=by))
        except ValueError as error:
            told = str(error)
        assert told.endswith(".") or f"when each {by} is learned" in told


@pytest.mark.parametrize("key", CASES)
def test_the_theories_of_every_network_can_be_asked(key):
    case = CASES[key]
    table = fs.theories(case.network, case.tasks[0])
    named = [row.theory.name for row in table.rows]
    assert named[: len(case.network.theories)] == [theory.name for theory in case.network.theories]
    assert ("lazy limit" in named) == (not case.network.learns_otherwise)
    assert "fs.Flow()" in str(table)
    assert "<table" in table._repr_html_() or not table.rows

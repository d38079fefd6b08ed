"""A theory says which networks it is for, and is refused elsewhere with a message that names both."""

import numpy as np
import pytest

import festina as fs
from festina.linear import FiniteStep

TIMES = np.array([0.0, 0.5, 2.0])
TASK = fs.Task(np.eye(3), np.diag([1.0, 0.6, 0.3]))
SMALL = fs.initial.Gaussian(0.1)
GATES = np.array([[1, 1, 0], [0, 0, 1]])
CONTEXT = fs.tasks.in_context_regression(np.diag([1.0, 0.5]), 8)
SEQUENCE = fs.tasks.sensory_integration([[1.0], [0.5]])

NETWORKS = {
    "one layer": (fs.DeepLinear(initial=SMALL), TASK),
    "two layers": (fs.DeepLinear((3,), initial=fs.initial.Aligned(0.1)), TASK),
    "three layers": (fs.DeepLinear((3, 3), initial=fs.initial.Aligned(0.1)), TASK),
    "infinitely many layers": (fs.DeepLinear(depth=np.inf, initial=fs.initial.Aligned(0.1)), TASK),
    "gated": (fs.gated.pathways(GATES, 3, initial=fs.gated.Decoupled(0.1)), TASK),
    "relu": (fs.ReLU((3,), initial=SMALL), TASK),
    "feed-forward": (fs.FeedForward((4,), "tanh", gain=0.5), TASK),
    "merged attention": (fs.LinearAttention(heads=2, merged=True, initial=SMALL), CONTEXT),
    "attention": (fs.LinearAttention(heads=2, merged=False, initial=SMALL), CONTEXT),
    "attention of rank 2": (fs.LinearAttention(heads=2, rank=2, merged=False, initial=SMALL), CONTEXT),
    "recurrent": (fs.LinearRNN(2, length=2, initial=SMALL), SEQUENCE),
}
UNLISTED = (FiniteStep(0.1), fs.gated.FiniteStepPathways(0.1), fs.gated.Priming("pathway 1"), fs.representation.Lazy())


def theories() -> dict[type, fs.Theory]:
    listed = [theory for network, _ in NETWORKS.values() for theory in network.theories]
    return {type(theory): theory for theory in [*listed, *UNLISTED]}


def test_a_network_suits_every_theory_that_it_lists():
    for network, _ in NETWORKS.values():
        assert all(theory.suits(network) for theory in network.theories)


@pytest.mark.parametrize("method", [fs.Exact, fs.Reduced])
def test_a_theory_of_another_network_is_refused_with_both_names(method):
    refused = 0
    for network, task in NETWORKS.values():
        for theory in theories().values():
            if not theory.suits(network):
                with pytest.raises(ValueError, match="is not for") as error:
                    fs.evolve(network, task, TIMES, method=method(theory))
                assert theory.name in str(error.value)
                assert repr(network) in str(error.value)
                refused += 1
    assert refused > 2 * len(NETWORKS)


@pytest.mark.parametrize("theory", [FiniteStep(0.1), fs.gated.FiniteStepPathways(0.1), fs.representation.Lazy()])
def test_a_theory_that_no_network_lists_runs_where_it_is_for(theory):
    networks = [name for name, (network, _) in NETWORKS.items() if theory.suits(network)]
    expected = {"decoupled modes, finite step": ["one layer", "two layers", "three layers"]}
    assert networks == expected.get(theory.name, ["gated" if "pathways" in theory.name else "feed-forward"])
    network, task = NETWORKS[networks[0]]
    assert np.isfinite(fs.evolve(network, task, TIMES, method=fs.Reduced(theory)).loss).all()


@pytest.mark.parametrize(
    ("network", "theory", "words"),
    [
        (fs.ReLU((5,), initial=SMALL), "fixed gates", "fixed gates.*assumes that"),
        (fs.ReLU((5,), initial=SMALL, bias=True), "fixed gates", "no biases"),
        (fs.ReLU((5, 5), initial=SMALL), "fixed gates", "one hidden layer"),
        (fs.ReLU((5,), initial=SMALL), "symmetric data", "symmetric data.*distance"),
        (fs.ReLU((5,), initial=SMALL, bias=True), "symmetric data", "no biases"),
        (fs.gated.pathways(GATES, 3, initial=SMALL), "routing through a shared edge", "share one edge"),
        (fs.gated.pathways(0 * GATES, 3, initial=SMALL), "routing through a shared edge", "share one edge"),
    ],
)
def test_a_closed_form_that_has_no_numbers_is_refused_as_a_reduction_with_what_it_needs(network, theory, words):
    with pytest.raises(fs.AssumptionError, match=words):
        fs.evolve(network, TASK, TIMES, method=fs.Reduced(theory))


def test_a_closed_form_outside_its_assumptions_is_still_a_reduction_where_it_has_numbers():
    network, task = fs.DeepLinear((3,), initial=SMALL), TASK
    run = fs.evolve(network, task, TIMES, method=fs.Reduced("decoupled modes"))
    assert np.isfinite(run.loss).all()
    assert not all(assumption.holds for assumption in run.assumptions)


class Mine(fs.Theory):
    """Nothing is learned; for networks that list it only, because it does not say more."""

    name, exact, sources = "nothing", False, ()

    def assumptions(self, network, task, start):
        return ()

    def solve(self, network, task, start, times):
        return fs.Solution({"loss": lambda: np.zeros(len(times))})


class Everywhere(Mine):
    def suits(self, network):
        return True


def test_a_theory_of_ones_own_says_where_it_belongs():
    network, task = NETWORKS["two layers"]
    with pytest.raises(ValueError, match=r"nothing\), which is not for DeepLinear.*Theory.suits"):
        fs.evolve(network, task, TIMES, method=fs.Reduced(Mine()))
    assert not fs.evolve(network, task, TIMES, method=fs.Reduced(Everywhere())).loss.any()

"""What units respond to: planted populations, analysis of variance by hand, and the context task."""

import numpy as np
import pytest

import festina as fs
from festina.explanation import selectivity

FACTORS = {"motion": list("llllrrrr"), "colour": list("rrggrrgg"), "context": list("mcmcmcmc")}


def population(seed, noise, repeats=8):
    """Ten units of each kind: silent, one factor, two that add up, and a combination."""
    rng = np.random.default_rng(seed)
    motion, colour, context = (np.where(np.array(f) == f[0], 1.0, -1.0) for f in FACTORS.values())
    clean = np.concatenate(
        [
            np.zeros((10, 8)),
            np.tile(motion, (10, 1)),
            np.tile(motion + colour, (10, 1)),
            np.tile(colour * context, (10, 1)),
        ]
    )
    return clean + noise * rng.normal(size=(repeats, 40, 8))


def test_planted_units_are_told_by_their_kind():
    found = selectivity(population(0, 0.5), FACTORS).populations[0]
    kinds = np.array(found.kinds).reshape(4, 10)
    for row, kind in enumerate(("none", "pure", "linear mixed", "nonlinear mixed")):
        assert np.mean(kinds[row] == kind) >= 0.8, kind
    assert found.p_mixed < 0.05
    assert found.preferred[10:20] == ("motion",) * 10
    assert np.all(found.stability[10:] > 0.7)
    assert found.decoding > found.additive_decoding + 0.05
    assert len(set(found.modules[10:20].tolist())) == 1


def test_strengths_are_those_of_the_analysis_of_variance():
    trials = population(1, 0.7)
    found = selectivity(trials, {name: FACTORS[name] for name in ("motion", "context")}, permutations=1).populations[0]
    unit = trials[:, 25]  # (repeats, conditions)
    whole = ((unit - unit.mean()) ** 2).sum()
    cells = unit.reshape(8, 2, 2, 2)  # repeats, motion, colour, context
    motion, context, both = cells.mean(axis=(0, 2, 3)), cells.mean(axis=(0, 1, 2)), cells.mean(axis=(0, 2))
    mixed = both - motion[:, None] - context + unit.mean()
    assert found.strengths[25] == pytest.approx(
        [32 * ((motion - unit.mean()) ** 2).sum() / whole, 32 * ((context - unit.mean()) ** 2).sum() / whole]
    )
    assert found.interaction[25] == pytest.approx(16 * (mixed**2).sum() / whole)
    assert found.strengths[25].sum() + found.interaction[25] + found.noise[25] == pytest.approx(1)


def test_units_that_respond_to_no_combination_are_found_at_the_nominal_level():
    additive = population(2, 1.0)[:, :30]
    found = [
        selectivity(np.roll(additive, k, axis=0), FACTORS, permutations=199, seed=k).populations[0] for k in range(3)
    ]
    share = np.mean([one.shares["nonlinear mixed"] for one in found])
    assert share < 0.15  # 5 % expected of 30 units; three standard errors are 12 %
    assert min(one.p_mixed for one in found) > 0.01
    assert abs(found[0].decoding - found[0].additive_decoding) < 0.03


@pytest.fixture(scope="module")
def mante():
    """The choice follows motion in one context and colour in the other; one task, trained and predicted units."""
    motion, colour, context = (np.where(np.array(f) == f[0], 1.0, -1.0) for f in FACTORS.values())
    x = np.column_stack([motion, colour, context > 0, context < 0])
    task = fs.Task(
        x, np.where(context > 0, motion, colour)[:, None], inputs=["motion", "colour", "attend m", "attend c"]
    )
    network = fs.ReLU((60,), initial=fs.initial.Gaussian(1e-2))
    times = np.linspace(0, 60, 13)
    trained = fs.evolve(network, task, times, method=fs.Train(rate=0.05), seed=1, observe=("hidden", "loss"))
    predicted = fs.evolve(network, task, times, method=fs.Reduced(), seed=1, observe=("hidden", "loss"))
    return trained, predicted


def test_trained_and_predicted_units_of_the_context_task_stand_side_by_side(mante):
    trained, predicted = mante
    assert trained.loss[-1] < 0.05
    hidden = trained["hidden"][0][-1].T
    recorded = hidden + 0.1 * hidden.max() * np.random.default_rng(0).normal(size=(6, *hidden.shape))
    found = fs.explain({"recorded": recorded, "trained": trained, "predicted": predicted}, factors=FACTORS)
    one, two, three = found.populations
    # no linear mixture of motion, colour and context gives the choice
    assert one.p_mixed <= 0.01
    assert two.shares["nonlinear mixed"] > 0.5
    assert three.shares["nonlinear mixed"] == pytest.approx(two.shares["nonlinear mixed"], abs=0.1)
    table = found.to_pandas()
    assert len(table) == 180
    assert "strength of combinations" in table.columns
    assert "recorded: " in str(found)
    assert "trained, predicted: no noise to test against" in str(found)
    _, (ax,) = fs.plot.panels(1, 1)
    assert found.plot(ax).get_ylabel() == "share of units"


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fs.explain(np.ones((3, 4)), factors={"a": [*"xyxy"]}, x=np.ones(3)), "factors is given with x or y"),  # type: ignore
        (lambda: fs.explain(np.ones((3, 4))), "x is None; give the inputs of the network, or factors"),  # type: ignore
        (lambda: fs.explain(np.ones((3, 4)), factors={"a": [*"xy"]}), r"shape \(3, 4\) and factors have 2 conditions"),
        (lambda: fs.explain(np.ones((3, 4)), factors={"a": [*"xxxx"]}), r"factors\['a'\] is 'x' in all conditions"),
        (
            lambda: fs.explain(np.ones((3, 4)), factors={"a": [*"xyxy"], "b": [*"xy"]}),
            "one label per condition in each",
        ),
        (lambda: fs.explain({}, factors={"a": [*"xyxy"]}), "activity is empty"),
    ],
)
def test_what_does_not_fit_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()

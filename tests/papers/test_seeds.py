"""Standard errors over seeds, and the chance that a verdict flips, against SciPy and against simulation."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.integrate
import scipy.stats

import festina as fs
from festina.papers import Claim, find
from festina.papers.chance import Worst, area, between, flip, mean, resampled, share, two_networks
from festina.papers.table import record, row, stored

STORE = Path(__file__).parents[2] / "docs" / "claims.json"
RECORDS = [
    (name, each) for name, fact in json.loads(STORE.read_text(encoding="utf-8")).items() for each in stored(name, fact)
]

BOOTSTRAP = 0.15
"""Four standard deviations of the standard error that 400 resamples give."""


def test_mean_is_the_usual_one():
    samples = np.random.default_rng(0).standard_normal(30)
    assert mean(samples) == pytest.approx((samples.mean(), scipy.stats.sem(samples)))
    assert mean([2.0]) == (2.0, 0.0)


def test_share_is_the_beta_posterior_and_never_certain():
    passed = [True] * 7 + [False] * 3
    assert share(passed) == pytest.approx((0.7, scipy.stats.beta(7.5, 3.5).std()))
    assert share([True] * 5)[1] == pytest.approx(scipy.stats.beta(5.5, 0.5).std())


def test_resampled_gives_the_error_of_a_mean_and_of_a_median():
    samples = np.random.default_rng(1).standard_normal(200)
    assert resampled(np.mean, samples)[1] == pytest.approx(scipy.stats.sem(samples), rel=BOOTSTRAP)
    # of Gaussian samples: √(π/2) times the error of the mean, on average
    errors = [resampled(np.median, np.random.default_rng(k).standard_normal(101))[1] for k in range(20)]
    assert np.mean(errors) == pytest.approx(math.sqrt(math.pi / 2 / 101), rel=BOOTSTRAP)
    assert resampled(np.mean, samples) == resampled(np.mean, samples)


def test_seeds_of_like_samples_are_drawn_together_and_of_others_apart():
    samples = np.random.default_rng(2).standard_normal(40)
    assert resampled(lambda a, b: np.mean(a - b), samples, samples)[1] == 0
    other = np.random.default_rng(3).standard_normal(60)
    expected = math.hypot(scipy.stats.sem(samples), scipy.stats.sem(other))
    assert resampled(lambda a, b: a.mean() - b.mean(), samples, other)[1] == pytest.approx(expected, rel=2 * BOOTSTRAP)


def test_one_seed_has_no_error():
    assert resampled(np.mean, np.array([3.0])) == (3.0, 0.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [math.inf, math.nan])
def test_a_number_that_no_draw_makes_finite_has_no_error(value):
    found, error = resampled(lambda steps: value, np.array([1.0, 2.0]))
    assert (math.isinf(found), error) == (math.isinf(value), 0.0)


def test_a_verdict_flips_as_often_as_the_normal_says():
    measured, error, bound = 0.4, 0.1, 0.55
    drawn = measured + error * np.random.default_rng(4).standard_normal(100_000)
    assert flip(measured, error, bound) == pytest.approx(np.mean(drawn > bound), abs=0.005)
    assert flip(bound, error, bound) == 0.5


def test_the_worst_of_networks_is_exceeded_by_the_next_as_often_as_stated():
    drawn = np.random.default_rng(5).standard_normal((20_000, 10))
    beaten = np.mean(drawn[:, -1] > drawn[:, :-1].max(axis=1))
    assert flip(0.1, 0.0, 1.0, worst_of=9) == pytest.approx(beaten, abs=0.01)
    assert flip(2.0, 0.0, 1.0, worst_of=9, holds=False) == 0
    assert math.isnan(flip(0.1, 0.0, 1.0))
    assert math.isnan(flip(None, 0.1, 1.0))


def test_a_claim_about_every_network_says_how_many_there_were():
    claim = Claim("c", "A sentence.", lambda _: Worst(0.5, 19), 1.0, reason="one", source="saxe2014")
    found = claim.decide(None)
    assert (found.status, found.measured, found.error, found.worst_of) == ("holds", 0.5, 0.0, 19)
    cells = row(record(found, claim, None))
    assert cells.measured == "0.5 (worst of 19)"
    assert cells.flips == "≤ 5.0 %"


def test_every_recorded_chance_is_that_of_the_normal():
    wrong, decided = [], 0
    for name, found in RECORDS:
        if not found["error"] or found["measured"] is None:
            continue
        expected = scipy.stats.norm.sf(abs(found["measured"] - found["bound"]) / found["error"])
        chance = flip(found["measured"], found["error"], found["bound"])
        # decided means two standard errors away
        is_open = bool(expected > scipy.stats.norm.sf(2))
        decided += not is_open
        if chance != pytest.approx(expected) or is_open != (found["status"] == "open"):
            wrong.append((name, found["name"], chance, expected, found["status"]))
    assert wrong == []
    assert decided > 50


def test_the_distance_of_two_networks_is_the_mean_over_pairs():
    times, rng = np.linspace(0, 3, 7), np.random.default_rng(0)
    losses = 1 + rng.random((4, 7))
    pairs = [(a, b) for a in range(4) for b in range(4) if a != b]
    areas = [scipy.integrate.trapezoid(abs(losses[a] - losses[b]), times)
             / scipy.integrate.trapezoid(losses[b], times) for a, b in pairs]  # fmt: skip
    assert two_networks(times, losses) == pytest.approx(np.mean(areas))
    assert math.isnan(two_networks(times, losses[:1])), "one network has no distance from another"


def test_a_distance_between_networks_is_the_mean_over_ordered_pairs_number_by_number():
    found = np.random.default_rng(1).uniform(1, 2, (4, 3))
    expected = [abs(found[a] / found[b] - 1) for a in range(4) for b in range(4) if a != b]
    assert between(lambda first, second: np.abs(first / second - 1), found) == pytest.approx(np.mean(expected, axis=0))
    assert between(lambda first, second: np.abs(first - second).max(), found[:1]) == pytest.approx(np.nan, nan_ok=True)


def test_an_agreement_stands_beside_two_networks_and_beside_a_simple_predictor():
    def told(**given):
        claim = Claim("c", "A sentence.", lambda _: 0.5, 1.0, reason="one", source="saxe2014", **given)
        return row(record(claim.decide(None), claim, None)).measured

    simple, floor = ("chance", lambda _: 0.25), ("two networks", lambda _: 0.125)
    assert told() == "0.5"
    assert told(floor=floor) == "0.5 (two networks: 0.125)"
    assert told(baseline=simple, floor=floor) == "0.5 (chance: 0.25; two networks: 0.125)"
    assert told(floor=("two networks", lambda _: math.nan)) == "0.5", "one network has no distance from another"


def test_a_stored_number_that_the_claim_has_no_name_for_is_not_shown():
    claim = Claim("c", "A sentence.", lambda _: 0.5, 1.0, reason="one", source="saxe2014")
    assert row(record(claim.decide(None), claim, None) | {"baseline": 0.25, "floor": 0.125}).measured == "0.5"


AGREEMENTS = {
    "semantic": {"agreement", "expected start", "modes of the figure", "half-rise times", "illusions predicted"},
    "structures": {"wavelets", "learning times"}
    | {f"{name} singular values" for name in ("partition", "tree", "ring", "grid", "ordering", "dimensions")},
    "speed": {"race"},
    "transition": {"time", "own", "trajectory"},
    "context": {"reln", "race", "closed", "outputs"},
    "contexts": {"own", "expected", "own_scale", "own_shares", "merged", "closed", "scale"},
    "turning": {"units", "scales", "scale_time", "shares", "time"},
    "equivalence": {"singular values, common", "singular values, contextual", "singular values, together",
                    "representations", "modules of Table 1"},
    "in_context": {"merged growth"},
    "recurrence": {"modes from random weights"},
}  # fmt: skip
"""Claims that a prediction, or another network, agrees with trained networks or with drawn data."""


@pytest.mark.parametrize("name", AGREEMENTS)
def test_an_agreement_has_the_distance_between_two_networks(name):
    assert {claim.name for claim in find(name).claims if claim.floor is not None} == AGREEMENTS[name]


NO_SEED = {
    "depth": {"closed form", "small start", "orthogonal", "best step", "stable step"},
    "saddles": {"index", "shallow"},
    "reversal": {"saddle", "escape", "logarithm", "shallow"},
    "continual": {"exact"},
    "speed": {"matched gates", "no unit switches"},
    "routing": {"trained"},
    "contexts": {"race"},
    "possible_gates": {"lemma_small", "lemma", "crossing"},
    "winners": {"common", "everywhere", "race", "unique", "unique, more units"},
    "decision": {"points", "partial errors", "saddles", "shallow"},
    "fixed_points": {"stability", "always stable", "zero", "distribution", "sharper"},
    "recurrence": {"small recurrence", "kernel", "longer delays"},
}
"""Claims whose number comes from equations, from aligned starts, or counts stationary points, patterns or tasks."""

COUNTED = {
    "two_points": {"rates without a fit"},
    "unfitted": {"other units"},
    "architectures": {"one after the other"},
    "modular_addition": {"order", "order with Adam", "order with minibatches", "order with larger weights"},
    "xor_structure": {"who merges"},
    "blobs": {"who collapses"},
    "layers": {"encoder"},
    "recovery": {"intervals"},
}
"""Claims that count architectures, pairs or gains, whose networks all give the same number, or whose bound is the error
over animals."""


def test_every_measured_number_has_an_error_over_seeds_unless_no_seed_enters():
    bare = {
        (name, each["name"])
        for name, each in RECORDS
        if each["kind"] != "identity" and not each["error"] and not each.get("worst_of")
    }
    assert {(name, claim) for name, claim in bare if claim not in {**NO_SEED, **COUNTED}.get(name, set())} == set()


def test_the_area_between_curves_is_that_of_compare():
    times, losses = np.linspace(0, 3, 40), np.random.default_rng(0).uniform(1, 2, (5, 40))
    paths = [fs.Trajectory(times, {"loss": part.mean(axis=0)}) for part in (losses[:2], losses[2:])]
    assert area(times, losses[:2], losses[2:]) == pytest.approx(fs.compare(*paths).area, rel=1e-12)


def test_a_number_that_no_draw_confirms_leaves_a_claim_open():
    sample = np.arange(8.0)

    def of_all(drawn):
        return 1.0 if np.array_equal(drawn, sample) else np.nan

    assert resampled(of_all, sample) == (1.0, math.inf)
    claim = Claim("a", "It is so.", lambda _: resampled(of_all, sample), 2.0, source="saxe2014")
    assert claim.decide(None).status == "open"

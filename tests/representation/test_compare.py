"""Recorded representations beside theories: similarities, ceilings, alignment and tests."""

import itertools
import warnings

import numpy as np
import pytest
import scipy
from benchmarks import neural
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from rsatoolbox.inference.noise_ceiling import boot_noise_ceiling
from rsatoolbox.rdm.compare import compare as compared_by_rsatoolbox

import festina as fs
from festina.analysis import RDMs
from festina.representation import compare, similarity
from festina.representation._compare import align, locate, within

SIMILARITY = 1e-9
"""Agreement with rsatoolbox that is asked for."""

THEIRS = {"corr": "corr", "spearman": "spearman", "tau-a": "tau-a", "cosine": "cosine", "cka": "cosine_cov"}
RNG = np.random.default_rng(1)
DATA = RDMs.from_activity(RNG.normal(size=(3, 2, 9, 20)))
OTHER = RDMs.from_activity(RNG.normal(size=(4, 9, 20)))


@pytest.mark.parametrize("method", THEIRS)
def test_similarities_are_those_of_rsatoolbox(method):
    for measure in ("euclidean", "correlation"):
        a, b = (RDMs.from_activity(RNG.normal(size=(3, 9, 20)), measure=measure) for _ in range(2))
        theirs = compared_by_rsatoolbox(a.to_rsatoolbox(), b.to_rsatoolbox(), THEIRS[method])
        assert np.abs(similarity(a, b, method) - theirs).max() < SIMILARITY
    # ties, as theories have them
    a, b = (RDMs.from_activity(RNG.integers(0, 2, size=(3, 6, 4)).astype(float)) for _ in range(2))
    theirs = compared_by_rsatoolbox(a.to_rsatoolbox(), b.to_rsatoolbox(), THEIRS[method])
    assert np.abs(similarity(a, b, method) - theirs).max() < SIMILARITY


def test_procrustes_is_the_best_rotation_and_agrees_with_rsatoolbox_up_to_the_roots_of_its_rounding_errors():
    x, y = RNG.normal(size=(2, 9, 20))
    ours = similarity(RDMs.from_activity(x), RDMs.from_activity(y), "procrustes")[0, 0]
    x, y = (part - part.mean(axis=0) for part in (x, y))
    _, sum_of_singular_values = scipy.linalg.orthogonal_procrustes(x, y)
    assert abs(ours - sum_of_singular_values / np.linalg.norm(x) / np.linalg.norm(y)) < 1e-12
    theirs = compared_by_rsatoolbox(DATA.to_rsatoolbox(), OTHER.to_rsatoolbox(), "bures")
    # rsatoolbox takes the root of each eigenvalue of a product that has zero ones: √ε each
    assert np.abs(similarity(DATA, OTHER, "procrustes") - theirs).max() < 9 * np.sqrt(np.finfo(float).eps)


@pytest.mark.parametrize("method", ["corr", "spearman", "tau-a", "cosine", "cka"])
def test_the_noise_ceiling_is_that_of_rsatoolbox(method):
    activity = RNG.normal(size=(9, 20)) + 0.7 * RNG.normal(size=(4, 2, 9, 20))
    data = RDMs.from_activity(activity)
    found = compare(data, OTHER, method=method, permutations=1, bootstraps=1).ceiling
    assert found is not None
    for session in range(2):
        one = RDMs(data.matrices[:, session]).to_rsatoolbox()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of averaged ranks
            low, high = boot_noise_ceiling(one, THEIRS[method])
        assert np.abs(found[:, session] - (low, high)).max() < SIMILARITY


@given(arrays(float, (3, 5), elements=st.floats(-1, 1, width=16)), st.sampled_from([0.0, 0.25, 0.5, np.inf]))
@settings(max_examples=60, deadline=None)
def test_the_alignment_is_the_best_of_all_that_never_go_back_within_the_band(similarities, band):
    sessions, times = np.array([1.0, 2.0, 3.0]), np.array([0.0, 2.0, 3.0, 7.0, 8.0])
    score, places = align(similarities, within(band, sessions, times))
    apart = np.abs(np.array([0.0, 0.5, 1.0])[:, None] - times / 8)
    paths = [
        path
        for path in itertools.product(range(5), repeat=3)
        if list(path) == sorted(path) and all(apart[k, t] <= max(band, apart[k].min()) for k, t in enumerate(path))
    ]
    best = max(np.mean([similarities[k, t] for k, t in enumerate(path)]) for path in paths)
    assert score == pytest.approx(best, abs=1e-12)
    assert tuple(places) in paths
    assert score == pytest.approx(np.mean(similarities[np.arange(3), places]), abs=1e-12)


@pytest.fixture(scope="module")
def learning():
    task = fs.tasks.living_things(8)
    network = fs.DeepLinear((16,), initial=fs.initial.Aligned(1e-3))
    return fs.evolve(network, task, np.linspace(0, 40, 21), observe=("hidden",))


def record(run, noise, seed=0, repeats=4):
    hidden = run.hidden[0][::5]
    return hidden + noise * np.random.default_rng(seed).normal(size=(repeats, *hidden.shape))


def test_sessions_are_found_again_and_conditions_are_matched_by_name(learning):
    activity, names = record(learning, 0.01), learning.task.items
    found = compare(activity, learning, conditions=names, permutations=99, bootstraps=99)
    assert np.abs(found.best.places - np.array([0, 5, 10, 15, 20])).max() <= 2
    itself = compare(learning.rdm(), learning, method="cka", band=None, permutations=1, bootstraps=1)
    assert itself.best.score == pytest.approx(1)
    order = np.random.default_rng(2).permutation(8)
    shuffled = compare(
        activity[:, :, order], learning, conditions=[names[i] for i in order], permutations=99, bootstraps=99
    )
    assert shuffled.best.score == pytest.approx(found.best.score, abs=1e-12)
    assert shuffled.notes == ()
    without = compare(activity[:, :, order], learning, permutations=99, bootstraps=99)
    assert without.best.score < found.best.score - 0.2
    assert "matched by position, since the data have no names" in str(without)
    with pytest.raises(ValueError, match="data has conditions that Exact\\(\\) does not have: whale"):
        compare(activity, learning, conditions=["whale", *names[1:]])


@pytest.mark.parametrize("bend", [0.7, 1.0, 1.5])
def test_sessions_in_a_plateau_and_uneven_ones_get_their_times(learning, bend):
    steps = np.round(20 * np.linspace(0, 1, 8) ** bend).astype(int)
    hidden = learning.hidden[0][steps]
    noise = 0.5 * np.sqrt(hidden.var(axis=1).mean())
    for seed in range(3):
        activity = hidden + noise * np.random.default_rng(seed).normal(size=(4, *hidden.shape))
        found = compare(activity, learning, conditions=learning.task.items, permutations=1, bootstraps=1).best
        assert np.abs(found.aligned_times - learning.times[steps]).max() <= 40 / 7


def test_no_course_of_time_is_more_probable_than_the_one_that_is_found():
    rng, sessions, times = np.random.default_rng(3), np.array([0.0, 1.0, 3.0, 4.0]), np.linspace(0, 9, 12)
    own, predicted = rng.normal(size=(4, 10)), rng.normal(size=(12, 10))

    def log_probability(course):
        places = np.abs(times / 9 - course[:, None]).argmin(axis=1)
        r = max(np.corrcoef(own.ravel(), predicted[places].ravel())[0, 1], 0)
        if not within(0.3, sessions, times)[np.arange(4), places].all():
            return places, -np.inf
        prior = scipy.stats.norm.logpdf(course, sessions / 4, 0.15) - scipy.stats.norm.logpdf(0, 0, 0.15)
        return places, -0.5 * 20 * np.log(1 - r**2) + prior.sum()

    bends = 2.0 ** (np.arange(-4, 5) / 4)
    ends = itertools.combinations_with_replacement(np.arange(41) / 40, 2)
    courses = [a + (b - a) * (sessions / 4) ** bend for a, b in ends for bend in bends if a <= 0.4 and b >= 0.6]
    found = [log_probability(course) for course in courses]
    best = max(found, key=lambda one: one[1])[0]
    assert np.array_equal(locate(own, predicted, sessions, times, 0.3), best)
    assert not np.array_equal(best, [0, 3, 8, 11])
    assert np.array_equal(locate(own, np.ones((12, 10)), sessions, times, 0.3), [0, 3, 8, 11])  # nothing to go by
    assert locate(own[:1], own[[1, 0]], sessions[:1], times[:2], np.inf) == [1]


def test_theories_stand_side_by_side_and_the_better_one_is_told(learning):
    task = learning.task
    targets = RDMs.from_activity(task.y, conditions=task.items)
    scrambled = RDMs(targets.matrices, [*task.items[::2], *task.items[1::2]])  # across the branches of the tree
    found = compare(
        record(learning, 0.01), {"theory": learning, "scrambled": scrambled}, conditions=task.items, method="spearman"
    )
    assert found.best.name == "theory"
    assert found["theory"].p < 0.05
    assert found.ceiling is not None
    low, high = found.ceiling.mean(axis=1)
    assert low - 0.1 < found.best.score < high
    assert found.differences["theory", "scrambled"][0] == found["theory"].score - found["scrambled"].score
    table = found.to_pandas()
    assert table.shape == (10, 6)
    assert np.all(table["ceiling_high"] >= table["ceiling_low"])
    _, (axes,) = fs.plot.panels(1, 1)
    found.plot(axes)
    assert axes.get_ylabel() == "similarity (Spearman)"
    legend = axes.get_legend()
    assert legend is not None
    assert len(legend.get_texts()) == 3


def test_unrelated_data_are_related_at_the_nominal_level_only(learning):
    related = 0
    for seed in range(60):
        noise = np.random.default_rng(seed).normal(size=(1, 3, 8, 40))
        found = compare(noise, learning, permutations=39, bootstraps=1, seed=seed)
        related += found.best.p <= 0.05
    # 60 draws at 5 %: more than 7 has a chance of 1 %
    assert related <= 7


def test_equal_dissimilarities_have_no_similarity_and_it_is_said(learning):
    found = compare(record(learning, 0.01), {"input": learning.rdm("inputs")}, permutations=9, bootstraps=9)
    assert found.best.score == 0
    assert "All dissimilarities of input are equal" in str(found)
    assert "No theory is related to the data" in str(found)


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("data", "theories", "words"),
    [
        (np.zeros((5, 5)), OTHER, "give fs.analysis.RDMs\\(data\\)"),
        (RNG.normal(size=(3, 5)), RDMs(np.zeros((3, 3))), "data has 3 conditions; a comparison needs at least 4"),
        (RNG.normal(size=(5, 5)), OTHER, "data has 5 conditions and theory 9"),
        (DATA, {}, "theories is empty"),
        (DATA, {"a": 1}, r"theories\['a'\] is 1"),
    ],
)
def test_what_cannot_be_compared_is_named(data, theories, words):
    with pytest.raises(ValueError, match=words):
        compare(data, theories)


@pytest.mark.slow
def test_networks_that_were_trained_in_pytorch_are_assigned_to_their_regime():
    """Six of the sixty draws of ``benchmarks/neural.py``: 40 neurons over eight sessions at a signal-to-noise of ½."""
    found = neural.assign(6, snr=0.5)
    assert found["right"] == 1
    assert found["wrong and tested"] == 0


@pytest.mark.slow
def test_sessions_of_networks_that_were_trained_in_pytorch_are_placed_within_one_session():
    """Four of the thirty draws of ``benchmarks/neural.py``."""
    found = neural.place(4)
    assert found["median of the largest"] < 1
    assert found["sessions apart, mean"] < 0.5
    assert 0 < found["least possible, mean"] < found["sessions apart, mean"]

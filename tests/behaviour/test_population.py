"""Populations: pooling, intervals that know what is not known about the mean, and groups."""

from functools import cache

import numpy as np
import pytest

from festina.behaviour import DecisionTask, _population, fit, fit_population
from festina.behaviour._likelihood import Likelihood
from festina.behaviour._model import MODELS
from festina.behaviour._population import Explored, Pooled, _permute, sample_posterior
from festina.behaviour._recovery import simulate_animals

TRUE = {"rate": 0.03, "beta": 5.0, "intercept": 0.4}
SAMPLED = 0.08
"""Quantiles of 4,000 correlated draws, in standard deviations."""


@cache
def animals(count=4, sessions=4, spread=0.0, apart=0.0, seed=2):
    likelihood = Likelihood(MODELS["q-learning"], 5)
    at = np.array([float(p.coordinate(TRUE[p.name])) for p in likelihood.parameters])
    moved = spread * np.random.default_rng(1).standard_normal((count, len(at)))
    moved[::2, 2] += apart
    return simulate_animals(likelihood, at + moved, DecisionTask(), sessions, 240, seed=seed)


@pytest.fixture(name="fewer")
def with_fewer_draws(monkeypatch):
    """A quarter of the draws, where no quantile is asked for closely; the grid below is compared with all of them."""
    monkeypatch.setattr(_population, "DRAWS", 1000)
    monkeypatch.setattr(_population, "WARMING", 250)


@pytest.mark.usefixtures("fewer")
def test_a_population_draws_its_animals_together():
    table = animals(count=8, sessions=2, spread=0.3)
    alone, together = fit(table, "q-learning"), fit_population(table, "q-learning")
    for k, p in enumerate(together.parameters):
        own = np.array([one.coordinates[k] for one in alone])
        pooled = np.array([one.coordinates[k] for one in together.animals])
        assert pooled.std() < own.std()
        truth = float(p.coordinate(TRUE[p.name]))
        assert abs(together.mean[0, k] - truth) < 4 * together.means[:, 0, k].std()
        # animals at the mean stay there, others move towards it
        assert np.corrcoef(own - together.mean[0, k], own - pooled)[0, 1] > 0.5
    assert together.to_pandas()["parameter"].tolist() == ["rate", "beta", "intercept"]
    assert len(together.draw(5)) == 5


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("spread", [0.05, 1.0])
def test_the_sampler_gives_the_posterior_of_a_grid(spread, power):
    """One parameter: mean and spread on a grid, animals integrated out by hand."""
    rng = np.random.default_rng(3)
    error = rng.uniform(0.2, 0.5, 7)
    seen = 1.0 + spread * rng.standard_normal(7) + error * rng.standard_normal(7)
    mean, tau = np.meshgrid(np.linspace(-4, 6, 801), np.linspace(1e-3, 8, 1600), indexing="ij")
    variance = error**2 + tau[..., None] ** 2
    log = -0.5 * np.sum((seen - mean[..., None]) ** 2 / variance + np.log(variance), axis=-1)
    log += (power - 1) * np.log(tau)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    points = seen[:, None] + error[:, None] * np.linspace(-4.5, 4.5, 300)
    logs = -0.5 * ((points - seen[:, None]) / error[:, None]) ** 2
    explored = Explored.of(logs, points[..., None], logs)
    rest = np.zeros(7, dtype=int), np.array([0.5]), np.array([8.0]), rng
    means, spreads, drawn = sample_posterior(explored, *rest, power=power)
    for of_grid, sampled, values in (
        (weight.sum(1), means[:, 0, 0], mean[:, 0]),
        (weight.sum(0), spreads[:, 0], tau[0]),
    ):
        width = np.sqrt(of_grid @ values**2 - (of_grid @ values) ** 2)
        for level in (0.05, 0.5, 0.95):
            expected = np.interp(level, np.cumsum(of_grid) - of_grid / 2, values)
            # tails of a spread are long
            assert abs(np.quantile(sampled, level) - expected) < (SAMPLED if level < 0.9 else 3 * SAMPLED) * width
    shrunk = (seen / error**2 + mean[..., None] / tau[..., None] ** 2) / (error**-2.0 + tau[..., None] ** -2.0)
    expected = np.sum(weight[..., None] * shrunk, axis=(0, 1))
    np.testing.assert_allclose(drawn[:, :, 0].mean(axis=0), expected, atol=SAMPLED * error.max())


@pytest.mark.slow
@pytest.mark.usefixtures("fewer")
def test_intervals_of_animals_that_are_alike_hold_the_truth():
    """All animals have one intercept: the spread is found small, and what is then unknown is the mean."""
    together = fit_population(animals(count=12, sessions=1), "q-learning", starts=2)
    ends = [one.intervals()["intercept"] for one in together.animals]
    assert sum(low <= TRUE["intercept"] <= high for low, high in ends) >= 9
    for one in together.animals:
        for p in one.parameters:
            low, high = one.intervals()[p.name]
            assert p.low <= low <= one.estimates[p.name] <= high <= p.high


@pytest.mark.slow
@pytest.mark.usefixtures("fewer")
def test_groups_that_differ_are_told_apart():
    table = animals(count=12, sessions=2, spread=0.1, apart=1.0)
    groups = {subject: "treated" if n % 2 == 0 else "control" for n, subject in enumerate(table.subjects)}
    found = fit_population(table, "q-learning", groups=groups, starts=2)
    assert found.groups == ("treated", "control")
    frame = found.compare_groups().set_index("parameter")
    assert frame.loc["intercept", "p"] < 0.01
    assert frame.loc["intercept", "low"] < -1.0 < frame.loc["intercept", "high"] < 0
    assert frame.index[np.argmin(frame["p"].to_numpy())] == "intercept"
    assert np.all(frame["p_adjusted"].to_numpy() >= frame["p"].to_numpy())
    assert found.to_pandas()["group"].tolist() == ["treated"] * 3 + ["control"] * 3


def test_the_permutation_test_is_calibrated(monkeypatch):
    """False positives of 400 pairs of groups without a difference, at 5 % of 500 permutations."""
    monkeypatch.setattr(_population, "PERMUTATIONS", 499)
    rng, count, hits = np.random.default_rng(0), 12, []
    for _ in range(400):
        error = rng.uniform(0.2, 1.0, (count, 1))
        seen = 0.5 * rng.standard_normal((count, 1)) + error * rng.standard_normal((count, 1))
        known = np.einsum("nk,kl->nkl", error**-2.0, np.eye(1))
        pooled = Pooled(seen, seen / error**2, known, np.zeros((1, 1)), np.array([0.5]), np.ones(count, bool), 0.0)
        hits.append(_permute(pooled, np.arange(count) % 2, 0, 1, rng)[0] <= 0.05)
    assert 0.03 <= np.mean(hits) <= 0.07


def test_groups_are_checked():
    table = animals(count=2, sessions=1)
    with pytest.raises(ValueError, match="groups lacks the subjects animal 1"):
        fit_population(table, "q-learning", groups={"animal 0": "a"})
    with pytest.raises(ValueError, match="groups has one group, 'a'"):
        fit_population(table, "q-learning", groups={"animal 0": "a", "animal 1": "a"})

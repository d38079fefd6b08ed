"""Models as random effects, against the posterior on a grid."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from festina.behaviour import select_models
from festina.behaviour._selection import posterior_counts


def frame(evidence):
    rows = [
        {"subject": f"s{n}", "model": f"m{k}", "bic": -2 * value, "aic": -2 * value}
        for (n, k), value in np.ndenumerate(evidence)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_frequencies_and_exceedance_are_those_of_a_grid(seed):
    """Two models: the posterior of one frequency by quadrature."""
    rng = np.random.default_rng(seed)
    evidence = np.stack([np.zeros(12), rng.normal(1.0, 3.0, 12)], axis=1)
    r = (np.arange(2000) + 0.5) / 2000
    density = np.prod(r[:, None] * np.exp(evidence[:, 1]) + (1 - r[:, None]) * np.exp(evidence[:, 0]), axis=1)
    exact = density.mean()
    density /= density.sum()
    found = select_models(frame(evidence)).set_index("model")
    assert found.loc["m1", "frequency"] == pytest.approx(density @ r, abs=0.01)
    assert found.loc["m1", "exceedance"] == pytest.approx(density[r > 0.5].sum(), abs=0.02)
    equal = np.prod(0.5 * np.exp(evidence).sum(axis=1))
    assert found.loc["m1", "risk"] == pytest.approx(equal / (equal + exact), abs=0.1)
    assert np.sum(found["protected"].to_numpy()) == pytest.approx(1.0)


def test_animals_that_all_agree_make_their_model_the_most_frequent():
    found = select_models(frame(np.tile([0.0, 20.0, 0.0], (16, 1)))).set_index("model")
    assert found.loc["m1", "protected"] > 0.99
    counts, risk = posterior_counts(np.zeros((10, 3)))
    np.testing.assert_allclose(counts, 1 + 10 / 3, rtol=1e-6)
    assert risk > 0.5
    low, high = scipy.stats.beta.ppf([0.05, 0.95], 17, 2)
    assert found.loc["m1", "low"] == pytest.approx(low, abs=0.01)
    assert found.loc["m1", "high"] == pytest.approx(high, abs=0.01)


def test_what_is_refused():
    with pytest.raises(ValueError, match="compared has 1 models"):
        select_models(frame(np.zeros((3, 1))))
    with pytest.raises(ValueError, match="compare_models"):
        select_models(3)  # pyright: ignore[reportArgumentType]

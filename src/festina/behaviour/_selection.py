"""Which model do most animals follow? Bayesian model selection with models as random effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

from festina.checks import check

if TYPE_CHECKING:
    import pandas as pd

    from festina.behaviour._compare import Comparison

ROUNDS = 500
"""Most rounds of the variational posterior; ten usually do."""

SETTLED = 1e-8
"""Change of the Dirichlet's counts at which it has converged."""

SAMPLES, WARMING = 10_000, 100
"""Draws of the frequencies that are kept and left out: an exceedance probability is known to 0.01."""


def select_models(compared: Comparison | pd.DataFrame, *, criterion: str = "bic", seed: int = 0) -> pd.DataFrame:
    """How frequent is each model among animals like these, and which is the most frequent?

    Every animal follows one of the models; frequencies of the models have a flat Dirichlet prior. With the log evidence
    −criterion/2 of every animal and model their posterior is sampled (Gibbs' sampler; the usual variational one is too
    narrow). The exceedance probability of a model is the probability that it is the most frequent. The protected one
    allows that all are equally frequent and differ by chance. This has the probability ``risk`` (from the variational
    bound of the evidence).

    Args:
        compared: from ``compare_models``, or its frame; animals on which a model failed are left out.
        criterion: ``"bic"`` or ``"aic"``.
        seed: the seed of the draws for exceedance.

    Returns:
        One row per model: expected ``frequency``, ``low`` and ``high`` (90 %), ``exceedance``, ``protected``, ``risk``
        and the number of ``animals``.

    Raises:
        ValueError: no frame, one model only, or no animal on which all models could be fitted.

    Example:
        >>> import pandas as pd, festina as fs
        >>> rows = [{"subject": s, "model": m, "bic": v} for s in "abcde" for m, v in (("x", 0.0), ("y", 12.0))]
        >>> fs.behaviour.select_models(pd.DataFrame(rows))["frequency"].round(2).tolist()
        [0.86, 0.14]

    Source: stephan2009; rigoux2014.
    """
    import pandas as pd

    frame = getattr(compared, "frame", compared)
    check.known("criterion", criterion, ("bic", "aic"))
    if not isinstance(frame, pd.DataFrame) or not {"subject", "model", criterion} <= set(frame.columns):
        raise ValueError(
            f"compared is {check.shown(compared)}; the result of fs.behaviour.compare_models(table) is needed."
        )
    names = list(dict.fromkeys(frame["model"]))
    table = frame.pivot(index="subject", columns="model", values=criterion)[names].dropna()
    if len(names) < 2 or not len(table):
        raise ValueError(
            f"compared has {len(names)} models that all could be fitted to {len(table)} animals; at least two models "
            "and one animal are needed."
        )
    evidence = -0.5 * table.to_numpy(dtype=float)
    _, risk = posterior_counts(evidence)
    drawn = sample_frequencies(evidence, np.random.default_rng(check.seed("seed", seed)))
    exceedance = np.bincount(drawn.argmax(axis=1), minlength=len(names)) / SAMPLES
    low, high = np.quantile(drawn, [0.05, 0.95], axis=0)
    return pd.DataFrame(
        {
            "model": names, "frequency": drawn.mean(axis=0), "low": low, "high": high, "exceedance": exceedance,
            "protected": (1 - risk) * exceedance + risk / len(names), "risk": risk, "animals": len(table),
        }
    )  # fmt: skip


def sample_frequencies(evidence: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draws of the frequencies (draws, models) from log evidences (animals, models)."""
    count = evidence.shape[1]
    found, share = np.empty((SAMPLES, count)), np.full(count, 1 / count)
    for n in range(-WARMING, SAMPLES):
        # the largest of log probabilities with Gumbel noise is a draw from them
        follows = np.argmax(evidence + np.log(share) + rng.gumbel(size=evidence.shape), axis=1)
        share = np.maximum(rng.dirichlet(1.0 + np.bincount(follows, minlength=count)), 1e-300)
        if n >= 0:
            found[n] = share
    return found


def posterior_counts(evidence: np.ndarray) -> tuple[np.ndarray, float]:
    """The variational Dirichlet's counts from log evidences (animals, models), and the probability that all frequencies
    are equal.
    """
    prior = np.ones(evidence.shape[1])
    counts, share = prior.copy(), np.empty_like(evidence)
    for _ in range(ROUNDS):
        log = evidence + scipy.special.digamma(counts) - scipy.special.digamma(counts.sum())
        share = scipy.special.softmax(log, axis=1)
        before, counts = counts, prior + share.sum(axis=0)
        if np.max(np.abs(counts - before)) < SETTLED:
            break
    expected = scipy.special.digamma(counts) - scipy.special.digamma(counts.sum())
    bound = np.sum(share * (evidence + expected) + scipy.special.entr(share))
    bound += _log_norm(prior) - _log_norm(counts) + (prior - counts) @ expected
    chance = np.sum(scipy.special.logsumexp(evidence, axis=1) - np.log(evidence.shape[1]))
    return counts, float(scipy.special.expit(chance - bound))


def _log_norm(counts: np.ndarray) -> float:
    return float(scipy.special.gammaln(counts.sum()) - scipy.special.gammaln(counts).sum())

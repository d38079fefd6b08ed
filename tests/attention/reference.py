"""Independent references for linear attention: sampled sequences, and all weights by SciPy."""

import numpy as np
import scipy


def sampled_losses(matrix: np.ndarray, covariance: np.ndarray, length: int, count: int, seed: int) -> np.ndarray:
    """½(y_q − bᵀ M x_q)² of ``count`` sequences, drawn and read token by token."""
    rng = np.random.default_rng(seed)
    root = np.linalg.cholesky(covariance + 1e-15 * np.eye(len(covariance)))
    x = rng.standard_normal((count, length + 1, len(covariance))) @ root.T
    w = rng.standard_normal((count, len(covariance)))
    y = np.einsum("snd,sd->sn", x, w)
    answer = np.zeros(count)
    for n in range(length):
        answer += y[:, n] * np.einsum("si,ij,sj->s", x[:, n], matrix, x[:, -1]) / length
    return 0.5 * (y[:, -1] - answer) ** 2


def integrate_heads(covariance, length, weights, rank, times):
    """M(t) from all weights: the gradient of the expected loss for M, then the product rule head by head."""
    size, heads = len(covariance), weights[2].shape[1]
    b = (1 + 1 / length) * covariance @ covariance + np.trace(covariance) / length * covariance

    def split(flat):
        query, key, value = np.split(flat, np.cumsum([heads * rank * size] * 2))
        return query.reshape(heads, rank, size), key.reshape(heads, rank, size), value

    def product(flat):
        query, key, value = split(flat)
        return sum(value[h] * np.outer(key[h, r], query[h, r]) for h in range(heads) for r in range(rank))

    def field(_, flat):
        query, key, value = split(flat)
        g = covariance @ covariance - b @ product(flat) @ covariance
        dq, dk, dv = np.zeros_like(query), np.zeros_like(key), np.zeros_like(value)
        for h in range(heads):
            for r in range(rank):
                dq[h, r] = value[h] * g.T @ key[h, r]
                dk[h, r] = value[h] * g @ query[h, r]
                dv[h] += key[h, r] @ g @ query[h, r]
        return np.concatenate([dq.ravel(), dk.ravel(), dv])

    start = np.concatenate([w.ravel() for w in weights])
    found = scipy.integrate.solve_ivp(
        field, (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-13 * np.abs(start).max()
    )
    return np.stack([product(flat) for flat in found.y.T])

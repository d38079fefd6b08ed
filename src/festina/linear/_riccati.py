"""Two layers, isotropic inputs, λ-balanced weights: the exact solution at any shape, any λ, any time.

Let Σx = c·1, W2ᵀW2 − W1W1ᵀ = λ·1 and Q = √c [W1ᵀ; W2]. The flow is
    dQ/dt = F Q − ½ Q QᵀQ,   F = [[−cλ/2, Σyxᵀ], [Σyx, cλ/2]].
Then d(QQᵀ)/dt = F QQᵀ + QQᵀ F − (QQᵀ)². With F = P diag(φ) Pᵀ and M = PᵀQ(0),
    QQᵀ(t) = P e^{φt} M [1 + Mᵀ r² M]⁻¹ Mᵀ e^{φt} Pᵀ,   r² = (e^{2φt} − 1)/(2φ).

Nothing is inverted and nothing overflows. The rows of M, fastest first, are brought to echelon form M = R̂ᵀ Ĝᵀ once (Ĝ
orthonormal over hidden units). Row i of R̂ begins at eigenvalue j(i), the fastest that moves direction i, so T_ij =
R̂_ij r_j / r_j(i) has no growing entry. With an orthonormal basis Ω of [Tᵀ; diag(1/r_j(i))], at each time,
    QQᵀ(t) = K Kᵀ,   K = P diag(e^{φt}/r) Ω₁   (Ω₁: the rows of Ω that belong to T).

Source: braun2022 and domine2025 (partitioned solution); saxe_lecture eqs. (13)-(15).
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

NOISE = 4 * np.finfo(float).eps
"""A component below this share of the weights (times √n for n terms) is the rounding error of their sum and is taken as
zero. A network on a saddle then stays there, as the flow does, instead of leaving it by its last digit."""

EARLIEST, LATEST = 1e-150, 1e290
"""Times are moved into this range: in double precision, nothing changes before it or after it."""

NOTHING = 1e-36
"""Rows below this share of every column can change no digit, whatever the condition; late times leave most out."""

EVEN, SINGULAR = 30.0, 1e5
"""Conditions up to which Cholesky's factor alone is exact (30² roundings), and up to which one step of Newton's mends
it (it squares an error of 1e5² roundings)."""

DECAYED = 100.0
"""Time, in units of the slowest eigenvalue's, after which nothing moves in double precision: e^{−2·100}."""

LARGE = 32
"""Rank from which calling a routine matrix by matrix costs less than what it saves."""

CHUNK = 1 << 15
"""Numbers held at once for a chunk of times (256 kB each array): what a core's own cache holds."""


def warn_stuck(rates: np.ndarray, times: np.ndarray) -> None:
    """Warn where modes stay on their saddle beyond ln(1/ε)/rate, the time in which rounding errors grow to size 1."""
    decides = -np.log(NOISE) / rates.max() if len(rates) else np.inf
    if np.max(times) > decides:
        warnings.warn(
            f"{len(rates)} of the task's modes cannot grow: the exact solution rests on a saddle for ever. "
            f"From t ≈ {decides:.3g} on rounding errors decide when fs.Flow() and fs.Train() leave it. For the "
            "answer to a small perturbation use fs.Exact(fs.linear.LambdaBalanced(perturbation=1e-9)).",
            RuntimeWarning,
            stacklevel=2,
        )


@dataclass(frozen=True, eq=False)
class Riccati:
    """The solution from given weights, evaluated at as many times as wanted.

    Args:
        first: W1, (hidden, inputs).
        second: W2, (outputs, hidden).
        cross: Σyx, (outputs, inputs).
        curvature: c > 0 where Σx = c·1.
        lambda_: λ; None measures it on the weights.
        noise: singular values of ``cross`` up to here are zero.
    """

    first: np.ndarray
    second: np.ndarray
    cross: np.ndarray
    curvature: float = 1.0
    lambda_: float | None = None
    noise: float | None = None

    @cached_property
    def imbalance(self) -> float:
        """cλ, of the rescaled weights."""
        return self.curvature * (measure(self.first, self.second)[0] if self.lambda_ is None else self.lambda_)

    @cached_property
    def _svd(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        u, s, vt = np.linalg.svd(self.cross, full_matrices=True)
        noise = np.finfo(float).eps * max(self.cross.shape) * s[0] if self.noise is None else self.noise
        s = np.where(s > noise, s, 0.0)
        # singular values that differ by rounding are equal: at t → ∞ any difference would decide a race
        same = np.concatenate([[0], np.cumsum(-np.diff(s) > 4 * len(s) * np.finfo(float).eps * s[0])])
        means = np.bincount(same, s) / np.bincount(same)
        return u, means[same], vt.T

    @property
    def left(self) -> np.ndarray:
        """U, all output singular vectors of Σyx."""
        return self._svd[0]

    @property
    def strengths(self) -> np.ndarray:
        """S, min(inputs, outputs) singular values of Σyx."""
        return self._svd[1]

    @property
    def right(self) -> np.ndarray:
        """V, all input singular vectors of Σyx."""
        return self._svd[2]

    @cached_property
    def _eigen(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Eigenvectors of F on each pair (v, u), growing g_v v + g_u u and decaying g_u v − g_v u; |φ|; |φ| − c|λ|/2.

        From the singular values, not by an eigenvalue routine: for |λ| ≫ s the eigenvalues differ by s²/|λ| only.
        """
        s, half = self.strengths, abs(self.imbalance) / 2
        phi = np.hypot(s, half)
        excess = s * (s / np.where(phi > 0, phi + half, 1.0))
        norm = np.where(phi > 0, np.hypot(phi + half, s), 1.0)
        large, small = np.where(phi > 0, (phi + half) / norm, 1.0), s / norm
        return (small, large, phi, excess) if self.imbalance >= 0 else (large, small, phi, excess)

    @cached_property
    def _start(self) -> tuple[np.ndarray, np.ndarray]:
        """√c W1 and √c W2 in the singular vectors: (inputs, hidden) and (outputs, hidden)."""
        root = np.sqrt(self.curvature)
        return root * (self.right.T @ self.first.T), root * (self.left.T @ self.second)

    @cached_property
    def _rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """M, each row's noise, and its eigenvalue as (grows: 1 or 0, excess, φ): growing, decaying, then the rest."""
        (gv, gu, phi, excess), (qv, qu) = self._eigen, self._start
        k, half = len(phi), self.imbalance / 2
        rest = qu[k:] if len(qu) > k else qv[k:]
        edge = half if len(qu) > k else -half
        gv, gu = gv[:, None], gu[:, None]
        m = np.vstack([gv * qv[:k] + gu * qu[:k], gu * qv[:k] - gv * qu[:k], rest])
        v_size, u_size = np.linalg.norm(qv, 2), np.linalg.norm(qu, 2)
        ones = np.ones(len(rest))
        sizes = (gv * v_size + gu * u_size)[:, 0], (gu * v_size + gv * u_size)[:, 0]
        size = np.concatenate([*sizes, ones * (u_size if len(qu) > k else v_size)])
        grows = np.concatenate([phi > 0, np.zeros(k, bool), np.full(len(rest), edge > 0)])
        return (
            m,
            NOISE * np.sqrt(len(m)) * size,
            grows,
            np.concatenate([excess, excess, 0 * ones]),
            np.concatenate([phi, -phi, edge * ones]),
        )

    @cached_property
    def _echelon(self) -> tuple[np.ndarray, np.ndarray]:
        """R̂ (rank × eigenvalues) and the eigenvalue j(i) at which each row begins; of Ĝ nothing is needed."""
        m, noise, grows, excess, phi = self._rows
        order = np.lexsort((np.where(grows, -excess, -phi), ~grows))
        key = np.where(grows, excess, phi)[order]
        new = (np.diff(key) != 0) | (np.diff(grows[order].astype(int)) != 0)
        groups = np.split(order, np.flatnonzero(new) + 1)
        place = np.empty(len(m), int)
        basis, leads = np.zeros((m.shape[1], 0)), []
        for rank, group in enumerate(groups):
            place[group] = rank
            left_over = m[group]
            for _ in range(2):
                left_over = left_over - (left_over @ basis) @ basis.T
            # rounding of the earlier rows enters by as much of them as this row is made of
            shares = scipy.linalg.solve_triangular(basis.T @ m[leads].T, basis.T @ m[group].T) if leads else None
            rounding = noise[group] + (0.0 if shares is None else np.abs(shares.T) @ noise[leads])
            left_over = np.where(np.linalg.norm(left_over, axis=1) > rounding, left_over.T, 0.0)
            if basis.shape[1] == m.shape[1] or not left_over.any():
                continue
            q, r, pivots = scipy.linalg.qr(left_over, mode="economic", pivoting=True)
            kept = np.abs(np.diag(r)) > rounding[pivots[: min(r.shape)]]
            kept = np.logical_and.accumulate(kept)
            basis = np.hstack([basis, q[:, : len(kept)][:, kept]])
            leads.extend([group[p] for p in pivots[: len(kept)][kept]])
        found = np.array(leads, int)
        hat = basis.T @ m.T
        hat[place[None, :] < place[found][:, None]] = 0.0
        return hat, found

    @property
    def stuck(self) -> np.ndarray:
        """Growth rates of modes that the weights have no part of, up to rounding, though there are units for them.

        In exact arithmetic they stay on their saddle for ever.
        """
        _, _, phi, _ = self._eigen
        grow = np.flatnonzero(self.strengths > 0)
        leads = self._echelon[1]
        left = np.setdiff1d(grow, leads)
        room = min(self.first.shape[0], len(grow)) - np.isin(leads, grow).sum()
        return phi[left][: max(room, 0)] if np.any(self.first) or np.any(self.second) else phi[:0]

    @property
    def settled(self) -> float:
        """A time by which every factor e^{−2φt} has fallen below rounding error, from the slowest eigenvalue."""
        excess = self._eigen[3]
        slowest = float(excess[self.strengths > 0].min(initial=np.inf))
        return DECAYED / slowest if np.isfinite(slowest) else 0.0

    @property
    def rank(self) -> int:
        """Rank of QQᵀ, conserved."""
        return len(self._echelon[0])

    def _logs(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """½ ln g, |x| and the small part of ln r, each (times, eigenvalues); g = (1 − e^{−|x|})/|x|, x = 2φt."""
        _, _, grows, excess, phi = self._rows
        x = 2 * np.abs(phi) * t[:, None]
        g = np.where(x > 0, -np.expm1(-x) / np.where(x > 0, x, 1.0), 1.0)
        half_log = 0.5 * np.log(g)
        return half_log, x, np.where(grows, excess * t[:, None], 0.0) + half_log

    def factor(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """K at the times, in the singular vectors: (times, inputs, rank) and (times, outputs, rank)."""
        (gv, gu, phi, _), (_, _, grows, _, _) = self._eigen, self._rows
        k, (outputs, inputs) = len(phi), self.cross.shape
        scale = 2 * max(phi.max(initial=0.0), 1.0)
        t = np.clip(times, EARLIEST, LATEST / scale)
        omega, rows = self._omega(t, grows)
        rows = rows[:, :, None] / np.sqrt(self.curvature)
        grown, fallen, gv, gu = rows[:, :k], rows[:, k : 2 * k], gv[:, None], gu[:, None]
        qv, qu = (grown * gv) * omega[:, :k], (grown * gu) * omega[:, :k]
        qv += (fallen * gu) * omega[:, k : 2 * k]
        qu -= (fallen * gv) * omega[:, k : 2 * k]
        if inputs != outputs:
            rest = rows[:, 2 * k :] * omega[:, 2 * k :]
            qv, qu = (np.concatenate([qv, rest], 1), qu) if inputs > k else (qv, np.concatenate([qu, rest], 1))
        return qv, qu

    def _omega(self, t: np.ndarray, grows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Ω₁, and e^{φt}/r, which its rows are to be multiplied with."""
        hat, leads = self._echelon
        half_log, x, small = self._logs(t)
        common = abs(self.imbalance) / 2 * t[:, None]
        rank, size = hat.shape
        fall = np.where(self._rows[4] < 0, np.exp(-x / 2), 1.0) * np.exp(-half_log) / np.sqrt(t)[:, None]
        if rank == 0:
            return np.zeros((len(t), size, 0)), fall
        inverse = np.exp(-small[:, leads] - grows[leads] * common) / np.sqrt(t)[:, None]
        # before its own time scale a decaying eigenvalue's row is small but not yet without effect
        live = grows | (x.min(axis=0) < 1) | self._weighty(small, common, grows)
        # ln(r_j/r_i): what growing eigenvalues share cancels before it is computed
        graded = small[:, live, None] - small[:, None, leads]
        mixed = ~grows[live, None] & grows[leads]
        if mixed.any() and self.imbalance:
            graded -= mixed * common[:, :, None]
        np.exp(np.minimum(graded, 0.0, out=graded), out=graded)
        graded *= hat.T[live]
        found = _orthonormal(graded, inverse)
        if live.all():
            return found, fall
        omega = np.zeros((len(t), size, rank))
        omega[:, live] = found
        return omega, fall

    def _weighty(self, small: np.ndarray, common: np.ndarray, grows: np.ndarray) -> np.ndarray:
        """Eigenvalues whose row of T is, at some time, above ``NOTHING`` of a column's first entry."""
        hat, leads = self._echelon
        slowest = leads[len(hat) - 1 - np.argmax(hat[::-1] != 0, axis=0)]
        share = np.abs(hat / hat[np.arange(len(hat)), leads][:, None]).max(axis=0)
        lag = small - small[:, slowest] - (~grows & grows[slowest]) * common
        return share * np.exp(np.minimum(lag.max(axis=0), 0.0)) > NOTHING

    def chunks(self, count: int) -> Iterator[slice]:
        """Slices of ``count`` times, each small enough to be held at once."""
        n = sum(self.cross.shape)
        step = max(1, CHUNK // max(1, (n + self.rank) * max(self.rank, 1)))
        for begin in range(0, count, step):
            yield slice(begin, min(begin + step, count))


def _orthonormal(columns: np.ndarray, diagonal: np.ndarray) -> np.ndarray:
    """The upper rows of orthonormal bases of the spans of stacked [columns; diag(diagonal)].

    The Cholesky factor of the Gram matrix costs a third of a QR and keeps the digits of small rows, but squares the
    condition number. Where this is not near one, a Newton step (for the polar factor) restores the precision. Where it
    is bad, Householder's QR is used.
    """
    # a common factor per column changes no span; it keeps the columns of one size
    size = np.maximum(np.abs(columns).max(axis=1, initial=0.0), diagonal)
    columns, diagonal = columns / size[:, None, :], diagonal / size
    gram = columns.swapaxes(1, 2) @ columns
    one = np.arange(diagonal.shape[1])
    gram[:, one, one] += diagonal**2
    lower = _cholesky(gram)
    bad = np.isnan(lower[:, 0, 0])
    lower[bad] = np.eye(len(one))
    inverse = _inverse(lower)
    condition = np.sqrt(_norms(lower) * _norms(inverse))
    found = columns @ inverse
    bad |= condition > SINGULAR
    rough = (condition > EVEN) & ~bad
    if rough.any():
        upper, rest = found[rough], diagonal[rough, :, None] * inverse[rough]
        gram = upper.swapaxes(1, 2) @ upper + rest.swapaxes(1, 2) @ rest
        found[rough] = 1.5 * upper - 0.5 * (upper @ gram)
    if bad.any():
        found[bad] = _householder(columns[bad], diagonal[bad])
    return found


def _inverse(lower: np.ndarray) -> np.ndarray:
    """L⁻ᵀ of each lower factor; large ones by a triangular routine one by one, small ones all in one call."""
    if lower.shape[1] < LARGE:
        return np.linalg.inv(lower).swapaxes(1, 2)
    return np.stack([scipy.linalg.lapack.dtrtri(factor.T)[0] for factor in lower])


def _norms(matrices: np.ndarray) -> np.ndarray:
    """‖A‖₁‖A‖∞ ≥ ‖A‖² of each."""
    sizes = np.abs(matrices)
    return sizes.sum(axis=1).max(axis=1) * sizes.sum(axis=2).max(axis=1)


def _cholesky(grams: np.ndarray) -> np.ndarray:
    """Lower factors of each; NaN if a matrix is not positive to rounding."""
    try:
        return np.linalg.cholesky(grams)
    except np.linalg.LinAlgError:
        if len(grams) == 1:
            return np.full_like(grams, np.nan)
        half = len(grams) // 2
        return np.concatenate([_cholesky(grams[:half]), _cholesky(grams[half:])])


def _householder(columns: np.ndarray, diagonal: np.ndarray) -> np.ndarray:
    """``_orthonormal`` at any condition; so that small rows keep their digits, large ones come first."""
    count, size, rank = columns.shape
    stacked = np.zeros((count, size + rank, rank))
    stacked[:, :size] = columns
    stacked[:, size + np.arange(rank), np.arange(rank)] = diagonal
    order = np.argsort(-np.abs(stacked).max(axis=2), axis=1)
    q = np.linalg.qr(np.take_along_axis(stacked, order[:, :, None], axis=1))[0]
    return np.take_along_axis(q, np.argsort(order, axis=1)[:, :, None], axis=1)[:, :size]


def measure(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """λ of two layers, and their distance from λ-balance: ‖W2ᵀW2 − W1W1ᵀ − λ·1‖ / (‖W1‖² + ‖W2‖²)."""
    difference = second.T @ second - first @ first.T
    lambda_ = float(np.trace(difference) / len(difference))
    size = np.sum(first**2) + np.sum(second**2)
    off = np.linalg.norm(difference - lambda_ * np.eye(len(difference)))
    return lambda_, float(off / size) if size else 0.0

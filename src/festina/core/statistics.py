"""Statistics of a task that determine the learning of a linear network: correlations and their modes."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import CrossCorrelation, InputCorrelation, Left, Modes, Right, X, Y
from festina.core.display import render
from festina.core.sparse_basis import sparse_rotation

RANK_TOLERANCE = 1e-12
"""A singular value below this share of the largest is rounding error of the correlations, not a mode."""

ROUNDING = 64 * np.finfo(float).eps
"""Rounding error of a product of inputs with singular vectors, as a share of the largest."""

DEGENERATE = 1e-9
"""Singular values closer than this share of themselves span one subspace, in which any basis is as good."""


def _orient(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fix the sign that an SVD leaves open: the largest entry of each right singular vector is positive."""
    if right.shape[1] == 0:
        return left, right
    signs = np.sign(right[np.argmax(np.abs(right).round(9), axis=0), np.arange(right.shape[1])])
    return left * signs, right * signs


@dataclass(frozen=True, eq=False)
class Statistics:
    """Correlations of a task and their modes; everything a linear network's learning depends on.

    Σx = XᵀX/N and Σyx = YᵀX/N = U S Vᵀ. If Σyx has equal singular values, the basis of their subspace makes VᵀΣxV
    diagonal, so that degenerate tasks are not mistaken for non-commuting ones. It also makes XV as sparse as possible,
    so that each mode concerns few data points.

    Example:
        >>> import numpy as np, festina as fs
        >>> statistics = fs.Task(2 * np.eye(2), [[3.0, 0.0], [0.0, 1.0]]).statistics
        >>> statistics.strengths, statistics.curvatures, statistics.targets
        (array([3., 1.]), array([2., 2.]), array([1.5, 0.5]))

    Source: saxe2014 eq. (2); jarvis2025 App. A.1.
    """

    x: X
    y: Y

    def __call__(self, network: object) -> Any:
        """Statistics of the task on the paths of a gated network: Σyx(p), Σx(j,p), their modes and overlaps."""
        statistics_of = getattr(network, "statistics_of", None)
        if statistics_of is None:
            raise ValueError(f"network is {type(network).__name__}; only a gated network, fs.Gated, has paths.")
        return statistics_of(self)

    def _repr_html_(self) -> str:
        lists = zip(self.strengths, self.curvatures, self.targets, strict=True)
        rows = [(f"mode {k + 1}", *map(float, numbers)) for k, numbers in enumerate(lists)]
        notes = (
            f"{self.count} data points, {self.x.shape[1]} inputs, {self.y.shape[1]} outputs.",
            f"A linear map cannot go below a loss of {self.floor:.4g}.",
            f"Correlations are {self.noncommuting:.2g} from commuting, inputs {self.isotropy:.2g} from isotropic.",
        )
        header = ("", "strength s", "curvature d", "target s/d")
        return render(f"{self.rank} modes", rows, notes, header=header)

    @cached_property
    def count(self) -> int:
        """Number of data points N."""
        return len(self.x)

    @cached_property
    def input_correlation(self) -> InputCorrelation:
        """Σx = XᵀX/N."""
        return self.x.T @ self.x / self.count

    @cached_property
    def cross_correlation(self) -> CrossCorrelation:
        """Σyx = YᵀX/N."""
        return self.y.T @ self.x / self.count

    @cached_property
    def power(self) -> float:
        """Tr Σy, the mean squared length of the targets."""
        return float(np.sum(self.y**2) / self.count)

    @cached_property
    def compressed(self) -> tuple[np.ndarray, np.ndarray]:
        """At most ``inputs`` data points with the same Σx and Σyx (as sums over points divided by N).

        With X = A σ Bᵀ these are x' = σBᵀ, y' = AᵀY. A linear network has the same gradient on them as on the task, and
        its loss differs by the constant ``floor``. No later cost therefore grows with N.
        """
        a, sigma, bt = np.linalg.svd(self.x, full_matrices=False)
        keep = sigma > RANK_TOLERANCE * sigma[0] if sigma[0] > 0 else np.zeros(len(sigma), bool)
        return sigma[keep, None] * bt[keep], a[:, keep].T @ self.y

    @cached_property
    def floor(self) -> float:
        """The loss no linear map can go below: the part of the targets outside the span of the inputs."""
        a = np.linalg.svd(self.x, full_matrices=False)[0][:, : len(self.compressed[0])]
        return float(0.5 * np.sum((self.y - a @ (a.T @ self.y)) ** 2) / self.count)

    @cached_property
    def _modes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        u, s, vt = np.linalg.svd(self.cross_correlation, full_matrices=False)
        # noise floor of Σyx itself: a product that cancels to zero leaves rounding error of this size
        scale = np.sqrt(self.power * np.trace(self.input_correlation))
        keep = s > RANK_TOLERANCE * scale
        u, s, v = u[:, keep], s[keep], vt[keep].T
        if len(s):
            # small singular values are known to the rounding error of the largest, and no better
            apart = -np.diff(s) > np.maximum(DEGENERATE * s[:-1], np.finfo(float).eps * s[0])
            groups = np.split(np.arange(len(s)), np.flatnonzero(apart) + 1)
            turn = np.zeros((len(s), len(s)))
            for group in groups:
                block = v[:, group].T @ self.input_correlation @ v[:, group]
                # a block that is already diagonal keeps the SVD's basis: rotating it by rounding error is noise
                off = np.linalg.norm(block - np.diag(np.diag(block)))
                rotate = off > DEGENERATE * np.linalg.norm(block)
                basis = np.linalg.eigh(block)[1] if rotate else np.eye(len(group))
                turn[np.ix_(group, group)] = self._choose(v[:, group] @ basis, basis)
            u, v = _orient(u @ turn, v @ turn)
        return u, s, v

    def _choose(self, right: np.ndarray, basis: np.ndarray) -> np.ndarray:
        """The basis of a group of equal strengths, turned to be sparse over data points where curvatures are equal."""
        along = self.x @ right
        curvatures = np.sum(along**2, axis=0)
        order = np.argsort(curvatures, kind="stable")
        apart = np.flatnonzero(np.diff(curvatures[order]) > DEGENERATE * curvatures.max()) + 1
        for equal in map(np.sort, np.split(order, apart)):
            if len(equal) > 1:
                basis[:, equal] = basis[:, equal] @ sparse_rotation(along[:, equal])
        return basis

    @cached_property
    def left(self) -> Left:
        """U: one output singular vector per column."""
        return self._modes[0]

    @cached_property
    def strengths(self) -> Modes:
        """S: singular values of Σyx, largest first."""
        return self._modes[1]

    @cached_property
    def right(self) -> Right:
        """V: one input singular vector per column."""
        return self._modes[2]

    @cached_property
    def rank(self) -> int:
        """Number of modes: singular values of Σyx above rounding error."""
        return len(self.strengths)

    @cached_property
    def curvatures(self) -> Modes:
        """D: d_α = v_αᵀ Σx v_α; where correlations commute, the eigenvalue of Σx that belongs to mode α."""
        return np.einsum("im,ij,jm->m", self.right, self.input_correlation, self.right)

    @cached_property
    def targets(self) -> Modes:
        """Where each mode's strength ends: s_α/d_α."""
        return self.strengths / self.curvatures

    @cached_property
    def noncommuting(self) -> float:
        """Distance from mutually diagonalisable correlations: the largest correlation coefficient among inputs' modes.

        |v_aᵀΣx v_b|/√(d_a d_b) over pairs of modes, and the multiple correlation of each mode with all inputs that are
        in no mode. Each is on the scale of its own two directions, so that small inputs count as large ones do; what
        rounding error of the singular vectors can make of it is taken off. 0 when every v_α is an eigenvector of Σx;
        then modes decouple.
        """
        if self.rank == 0:
            return 0.0
        along = self.x @ self.right
        size = np.linalg.norm(along, axis=0)
        gram = np.abs(along.T @ along)
        noise = ROUNDING * np.add.outer(gram.max(axis=1), gram.max(axis=0))
        pairs = np.maximum(gram - noise, 0.0) / np.outer(size, size)
        worst = float((pairs - np.diag(np.diag(pairs))).max(initial=0.0))
        rest = self.x - along @ self.right.T
        left, sigma, _ = np.linalg.svd(rest, full_matrices=False)
        whole = np.linalg.norm(self.x)
        left = left[:, sigma > RANK_TOLERANCE * whole]
        if left.shape[1]:
            off = np.linalg.norm(left.T @ along, axis=0) - ROUNDING * whole
            worst = max(worst, float((np.maximum(off, 0.0) / size).max()))
        return worst

    @cached_property
    def overlap(self) -> np.ndarray:
        """V̂ᵀV: right singular vectors of Σyx against the eigenvectors of Σx, those of small eigenvalues first.

        A signed permutation when the correlations commute and Σx has distinct eigenvalues; the matrix that the
        non-commuting equations of jarvis2025 App. A.1 keep.
        """
        return self.right.T @ np.linalg.eigh(self.input_correlation)[1]

    @cached_property
    def isotropy(self) -> float:
        """Distance of Σx from a multiple of the identity: ‖Σx − c·1‖ / ‖Σx‖, c the mean eigenvalue."""
        sigma = self.input_correlation
        norm = np.linalg.norm(sigma)
        return float(np.linalg.norm(sigma - np.eye(len(sigma)) * np.trace(sigma) / len(sigma)) / norm) if norm else 0.0


def points_from_statistics(input_correlation: object, cross_correlation: object, power: float | None) -> tuple[X, Y]:
    """Data points, inputs + 1 of them, with Σx, Σyx and Tr Σy as given.

    With Σx = E diag(d) Eᵀ the points √P √d_i e_i have the target √P Σyx e_i/√d_i. The rest of Tr Σy goes to one point
    whose input is zero, where it only adds a constant to the loss.
    """
    sigma_x = check.matrix("input_correlation", input_correlation)
    sigma_yx = check.matrix("cross_correlation", cross_correlation)
    size = float(np.abs(sigma_x).max(initial=0.0))
    if sigma_x.shape[0] != sigma_x.shape[1] or np.abs(sigma_x - sigma_x.T).max(initial=0.0) > DEGENERATE * size:
        raise ValueError(f"input_correlation has shape {sigma_x.shape} or is not symmetric; give the matrix ⟨x xᵀ⟩.")
    if sigma_yx.shape[1] != len(sigma_x):
        raise ValueError(
            f"cross_correlation has shape {sigma_yx.shape} for {len(sigma_x)} inputs; give ⟨y xᵀ⟩, (outputs, inputs)."
        )
    eigenvalues, basis = np.linalg.eigh((sigma_x + sigma_x.T) / 2)
    if eigenvalues[0] < -DEGENERATE * size:
        raise ValueError(
            f"input_correlation has the eigenvalue {eigenvalues[0]:.3g}; a correlation matrix has none below 0."
        )
    root = np.sqrt(np.where(eigenvalues > RANK_TOLERANCE * size, eigenvalues, 0.0))
    image = sigma_yx @ basis
    still = float(np.abs(image[:, root == 0]).max(initial=0.0))
    if still > DEGENERATE * float(np.abs(image).max(initial=0.0)):
        raise ValueError(
            f"cross_correlation is {still:.3g} along an input of no variance; such an input correlates with nothing: "
            "give 0 there, or a larger input_correlation."
        )
    y = np.where(root > 0, image / np.where(root > 0, root, 1.0), 0.0).T
    least = float(np.sum(y**2))
    given = least if power is None else check.positive("power", power, zero=True)
    if given < least * (1 - DEGENERATE):
        raise ValueError(
            f"power is {given:.6g}; targets with this cross_correlation have a mean squared length of at least "
            f"{least:.6g}: give more, or None for that much."
        )
    rest = np.zeros((1, y.shape[1]))
    rest[0, 0] = np.sqrt(max(given - least, 0.0))
    count = np.sqrt(len(sigma_x) + 1)
    return count * np.vstack([root[:, None] * basis.T, np.zeros((1, len(sigma_x)))]), count * np.vstack([y, rest])

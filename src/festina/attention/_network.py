"""Linear attention that learns to regress in context."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from festina.analysis.observed import learned_task
from festina.analysis.trajectory import Trajectory
from festina.attention._map import Attention, AttentionObservables, Predict, regression
from festina.attention._saddle import MOST_COMPONENTS, PASSED, Passage, Saddle, component_maps
from festina.attention._theory import (
    ChainsOfThree,
    CoupledChains,
    HeadRace,
    MergedBalanced,
    MergedGrowth,
    MergedModes,
)
from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core import Context, Data, Task, Theory
from festina.initial import Initial
from festina.tasks import InContextRegression


@dataclass(frozen=True, repr=False)
class LinearAttention(Attention):
    """Multi-head attention without softmax on sequences of examples and a query: ŷ_q = bᵀ M x_q, b = (1/N) Σ y_n x_n.

    Separate key and query: M = Σ_h v_h Σ_r k_hr q_hrᵀ, weights ``(query, key, value)`` with shapes (H·R, D), (H·R, D),
    (1, H). Merged: M = Σ_h v_h U_h, weights ``(key_query, value)`` with shapes (H, D²), (1, H): a two-layer linear
    network with H hidden units on the features vec(b x_qᵀ). These are the weights of full attention that in-context
    regression moves: keys and queries read x, values read y.

    Args:
        heads: number of heads H.
        rank: rank R of key and query in a head, ≥ 1; above D it adds nothing but redundant weights.
        merged: key and query are one D × D matrix per head; ``rank`` then has no meaning and stays 1.
        initial: where the weights start: ``fs.initial.Gaussian(std)``, ``fs.attention.AlignedHeads(strength)``,
            ``fs.initial.Weights``; merged also ``fs.initial.Aligned`` and ``fs.initial.Balanced``.

    Raises:
        ValueError: numbers that are not whole or below 1; on use, a task that is not an in-context regression.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.in_context_regression([1.6, 1.0, 0.5], length=31)
        >>> network = fs.LinearAttention(heads=3, initial=fs.attention.AlignedHeads(1e-6))
        >>> fs.evolve(network, task, [0.0, 70.0, 250.0, 1000.0]).loss.round(4)
        array([1.55  , 0.8192, 0.3776, 0.1748])

    Source: zhang2025 (merged and separate parametrisation).
    """

    heads: int
    rank: int = 1
    merged: bool = False
    initial: Initial = field(kw_only=True)

    @property
    def predict(self) -> Callable[[Weights, Array], Array]:
        """ŷ = vec(b x_qᵀ) · vec(M)."""
        return Predict(self.map)

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """``loss``, ``strengths`` (e_dᵀ M e_d per eigenvector of Λ), ``map`` (M), ``risk``, ``component_distance``, ….

        ``risk`` is the expected loss with n examples in the context, n in ``task.examples``. ``component_distance`` is
        ⟨(ŷ − ŷ_m)²⟩/⟨y²⟩ from the best answer ŷ_m with the first m principal components, m = 0 … D: in-context
        principal-component regression.
        """
        return AttentionObservables(self.predict, self.map)

    @property
    def theories(self) -> tuple[Theory, ...]:
        """Closed forms first, then the reductions."""
        if self.merged:
            return (MergedModes(), MergedBalanced(), MergedGrowth())
        return (ChainsOfThree(), HeadRace(), CoupledChains()) if self.rank == 1 else (CoupledChains(),)

    def units(self, weights: Weights) -> tuple[int, ...] | None:
        """The heads; none if key and query have a rank above one, whose rows are several for each head."""
        if self.merged:
            return (0, 1)
        return (0, 0, 1) if self.rank == 1 else None

    def stationary_points(self, task: Task) -> list[Saddle]:
        """All 2^D stationary points of linear attention with separate key and query, by loss, the highest first.

        Source: zhang2025 (separate key and query: fixed points); loss ½ [Tr Λ − Σ s_d²/c_d] in our convention of a
        half.

        Raises:
            ValueError: not an in-context regression, or more than 16 components.

        Example:
            >>> import festina as fs
            >>> network = fs.LinearAttention(2, initial=fs.initial.Gaussian(0.01))
            >>> points = network.stationary_points(fs.tasks.in_context_regression([1.6, 1.0], length=31))
            >>> [(point.components, round(point.loss, 4)) for point in points]
            [((), 1.3), ((1,), 0.852), ((0,), 0.5625), ((0, 1), 0.1145)]
        """
        if self.merged:
            raise ValueError("network has merged key and query, whose only saddle is at zero; use merged=False.")
        known = regression(task)
        drops = 0.5 * known.chain_rates[0] * known.final_strengths
        active = np.flatnonzero(drops > 0).tolist()
        if len(active) > MOST_COMPONENTS:
            raise ValueError(f"task has {len(active)} components; all sets of them are listed up to {MOST_COMPONENTS}.")
        top = 0.5 * float(np.trace(known.covariance))
        found = [
            Saddle(chosen, top - float(sum(drops[d] for d in chosen)))
            for size in range(len(active) + 1)
            for chosen in combinations(active, size)
        ]
        return sorted(found, key=lambda saddle: -saddle.loss)

    def saddle_passages(self, trajectory: Trajectory, *, within: float = PASSED) -> list[Passage]:
        """The stationary points that one run passes, in order; it needs ``observe=("loss", "strengths")`` of one seed.

        At each time the nearest set of components is the one whose strengths are above half their final value. It
        counts as passed if the relative distance |u_d/u_d* − [d learned]| falls below ``within`` for every d.

        Args:
            trajectory: a trajectory of ``fs.LinearAttention``, without a seed axis.
            within: largest relative distance.

        Raises:
            ValueError: a trajectory with a seed axis, or without ``loss`` and ``strengths``.

        Example:
            >>> import numpy as np, festina as fs
            >>> task = fs.tasks.in_context_regression([1.6, 1.0], length=31)
            >>> network = fs.LinearAttention(heads=2, initial=fs.attention.AlignedHeads(1e-6))
            >>> path = fs.evolve(network, task, np.linspace(0, 200, 401), observe=("loss", "strengths"))
            >>> [passage.components for passage in path.saddle_passages()]
            [(), (0,), (0, 1)]
        """
        task, within = learned_task(trajectory, "loss", "strengths"), check.positive("within", within)
        needed = "a trajectory of attention on fs.tasks.in_context_regression(...)"
        check.instance("trajectory.task", task, InContextRegression, needed)
        if trajectory.seeds is not None:
            raise ValueError(f"trajectory has {len(trajectory.seeds)} seeds; call fs.evolve once per seed=....")
        final = regression(task).final_strengths
        active = np.flatnonzero(final > 0)
        shares = np.asarray(trajectory.strengths)[:, active] / final[active]
        learned = shares > 0.5
        distance = np.abs(shares - learned).max(axis=1, initial=0.0)
        changes = np.flatnonzero(np.any(learned[1:] != learned[:-1], axis=1)) + 1
        found = []
        for stretch in np.split(np.arange(len(shares)), changes):
            best = int(stretch[np.argmin(distance[stretch])])
            if distance[best] < within:
                components = tuple(active[learned[best]].tolist())
                seen = (trajectory.times[best], distance[best], trajectory.loss[best])
                found.append(Passage(components, *map(float, seen)))
        return found

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes of observables."""
        return {
            "loss": (), "strengths": ("component",), "map": ("key", "query"), "risk": ("examples",),
            "component_distance": ("components",), "outputs": ("item", "output"),
        }  # fmt: skip

    def context(self, task: Task) -> Context:
        """D² + 1 points with the correlations of the cubic features, on which the mean loss is the expected one."""
        known = regression(task)
        statistics = task.statistics
        return {
            "data": Data(*statistics.compressed, float(statistics.count), statistics.floor),
            "basis": known.basis,
            "covariance": np.asarray(known.covariance),
            "correlation_of_examples": known.correlation_of_examples,
            "examples": known.examples.astype(float),
            "components": component_maps(known),
        }

    def velocity(self, task: Task) -> Callable[[Weights], Weights]:
        """dk = v G q, dq = v Gᵀ k, dv = kᵀ G q with G = Λ² − B M Λ; merged: dU = v G, dv = ⟨U, G⟩.

        Source: zhang2025 (gradient flow of both parametrisations).
        """
        known = regression(task)
        covariance, b = np.asarray(known.covariance), known.correlation_of_examples
        square = covariance @ covariance

        def merged(weights: Weights) -> Weights:
            key_query, value = weights
            gradient = square - b @ self.map(weights) @ covariance
            gradient = gradient.reshape(*gradient.shape[:-2], 1, -1)
            return value.swapaxes(-1, -2) @ gradient, gradient @ key_query.swapaxes(-1, -2)

        def separate(weights: Weights) -> Weights:
            query, key, value = weights
            gradient = square - b @ self.map(weights) @ covariance
            gain = value.repeat(self.rank, axis=-1).swapaxes(-1, -2)
            read = key @ gradient
            overlap = (read * query).sum(axis=-1)
            pull = overlap.reshape(*overlap.shape[:-1], 1, self.heads, self.rank).sum(axis=-1)
            return gain * read, gain * (query @ gradient.swapaxes(-1, -2)), pull

        return merged if self.merged else separate

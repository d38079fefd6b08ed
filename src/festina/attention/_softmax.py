"""Attention with softmax, trained for comparison with linear attention; it has no closed form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina.attention._map import Attention, AttentionObservables, regression
from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core import Context, Data, Task
from festina.initial import Initial
from festina.runtime.device import in_double
from festina.tasks import InContextRegression


@dataclass(frozen=True)
class SoftmaxPredict:
    """ŷ_q = Σ_h v_h Σ_n softmax_n(x_nᵀ K_hᵀ Q_h x_q) y_n."""

    rank: int | None

    def __call__(self, weights: Weights, sequences: tuple[Array, Array, Array]) -> Array:
        """One answer per sequence."""
        import jax
        import jax.numpy as jnp

        x, y, query = sequences
        value = weights[-1][0]
        if self.rank is None:
            size = x.shape[-1]
            read = jnp.einsum("hij,sj->shi", weights[0].reshape(-1, size, size), query)
        else:
            keys, queries = (w.reshape(len(value), self.rank, -1) for w in (weights[1], weights[0]))
            read = jnp.einsum("hri,hrj,sj->shi", keys, queries, query)
        attention = jax.nn.softmax(jnp.einsum("shi,sni->shn", read, x), axis=-1)
        return jnp.einsum("h,shn,sn->s", value, attention, y)[:, None]


@dataclass(frozen=True)
class DrawSequences:
    """A batch of fresh sequences."""

    draw: Any

    def __call__(self, key: Array, batch: int, context: Context) -> Data:
        """``batch`` sequences drawn with the key."""
        x, y = self.draw.sequences(key, batch)
        return Data(x, y, float(batch))


@dataclass(frozen=True, repr=False)
class SoftmaxAttention(Attention):
    """Multi-head softmax attention on in-context regression: ŷ_q = Σ_h v_h Σ_n softmax_n(x_nᵀ K_hᵀ Q_h x_q) y_n.

    The weights are those of ``fs.LinearAttention``. To first order in keys and queries softmax attention is linear
    attention on centred examples, hence its early learning; beyond that there is no theory here: ``fs.Train`` and
    ``fs.Flow``.
    The loss has no closed form, so it is measured on ``sequences`` fixed sequences, which training without a batch
    also descends; ``fs.Train(batch=...)`` draws fresh sequences in each step.

    Args:
        heads, rank, merged, initial: as in ``fs.LinearAttention``.
        sequences: number of fixed sequences.
        data_seed: draws them; networks of all seeds share them.

    Raises:
        ValueError: an argument that is not allowed, or a task that is not an in-context regression of finite length.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.in_context_regression([1.6, 1.0], length=15)
        >>> network = fs.attention.SoftmaxAttention(heads=4, initial=fs.initial.Gaussian(0.3), sequences=200)
        >>> run = fs.evolve(network, task, [0.0, 40.0], method=fs.Train(rate=0.05))
        >>> bool(run.loss[-1] < 0.7 * run.loss[0])
        True

    Source: zhang2025 (softmax and linear attention).
    """

    heads: int
    rank: int = 1
    merged: bool = False
    initial: Initial = field(kw_only=True)
    sequences: int = field(default=2000, kw_only=True)
    data_seed: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.whole("sequences", self.sequences)
        check.whole("data_seed", self.data_seed, least=0)

    @property
    def predict(self) -> Callable[[Weights, Any], Array]:
        """The forward pass on examples and queries."""
        return SoftmaxPredict(self.map.rank)

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """``loss``, ``map`` and ``strengths`` of keys, queries and values as linear attention would use them."""
        return AttentionObservables(self.predict, self.map)

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes of observables."""
        return {"loss": (), "strengths": ("component",), "map": ("key", "query"), "outputs": ("item", "output")}

    def sample(self, task: Task) -> Callable[[Any, int, Context], Data] | None:
        """Fresh sequences in each step."""
        return DrawSequences(regression(task).draw)

    def context(self, task: Task) -> Context:
        """The fixed sequences on which the loss is measured."""
        known = regression(task)
        return {
            "data": Data(*_bank(known, self.sequences, self.data_seed), float(self.sequences)),
            "basis": known.basis,
        }


def _bank(task: InContextRegression, count: int, seed: int) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    import jax

    assert task.draw is not None
    with in_double():
        x, y = task.draw.sequences(jax.random.PRNGKey(seed), count)  # type: ignore[attr-defined]
        return tuple(np.asarray(part) for part in x), np.asarray(y)

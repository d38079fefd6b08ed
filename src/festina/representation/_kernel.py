"""Tangent kernels of the two halves of a network: how fast an encoder and a decoder learn, measured from weights."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks.shapes import Array
from festina.core.assumption import Assumption
from festina.representation._architecture import Architecture, Layers
from festina.representation._two_point import Rates
from festina.runtime.device import in_double

if TYPE_CHECKING:
    from collections.abc import Sequence

BLOCK = 64
"""Points whose kernel gradients of a convolution are formed at once: they are arrays of the size of the weights."""


@dataclass(frozen=True, eq=False)
class Kernels:
    """A network cut at one layer, at one moment: what both halves give and how fast they change.

    With encoder h(x) and decoder ŷ(h), gradient flow on the mean loss moves representations by dhᵢ = −Σⱼ k_ij Jᵀrⱼ/N,
    where r are the residuals. Through the decoder's own weights it moves outputs by dŷᵢ = −Σⱼ d_ij rⱼ/N.

    Attributes:
        hidden: representations, (points, units).
        outputs: (points, outputs).
        jacobian: J = ∂ŷ/∂h, mean over points, (outputs, units).
        encoder: k, tangent kernel of the encoder along J, (points, points).
        decoder: tangent kernel of the decoder's weights, mean over outputs, (points, points).
        decoder_bias: the same of the decoder's biases.
        whole: tangent kernel of the whole network, mean over outputs, (points, points).
        turning: share of the decoder's Jacobian that differs from point to point.
    """

    hidden: np.ndarray
    outputs: np.ndarray
    jacobian: np.ndarray
    encoder: np.ndarray
    decoder: np.ndarray
    decoder_bias: np.ndarray
    whole: np.ndarray
    turning: float

    @cached_property
    def gram(self) -> np.ndarray:
        """Inner products of representations around their mean."""
        centred = self.hidden - self.hidden.mean(axis=0)
        return centred @ centred.T

    @cached_property
    def centred(self) -> np.ndarray:
        """The decoder's kernel around its mean: what it does to differences of outputs."""
        return self.decoder - self.decoder.mean(axis=0) - self.decoder.mean(axis=1)[:, None] + self.decoder.mean()

    @property
    def decoder_rate(self) -> float:
        """κ of the linear decoder whose tangent kernel κ hᵢ·hⱼ comes nearest to the decoder's, around the means."""
        power = float(np.sum(self.gram**2))
        return max(float(np.sum(self.centred * self.gram)), 0.0) / power if power > 0 else 0.0

    @property
    def shift_rate(self) -> float:
        """κ₀: the constant of the decoder's kernel, κ hᵢ·hⱼ + κ₀."""
        mean = self.hidden.mean(axis=0)
        common = float(self.decoder.mean() + self.decoder_bias.mean()) - self.decoder_rate * float(mean @ mean)
        return max(common, 0.0)

    @property
    def mean_rate(self) -> float:
        """1/τȳ: rate at which the mean output is learned, the mean of the whole tangent kernel."""
        return float(self.whole.mean())

    @property
    def misfit(self) -> float:
        """‖d − κ Gram‖/‖d‖ around the means: how far the decoder's kernel d is from that of a linear map."""
        size = float(np.linalg.norm(self.centred))
        return float(np.linalg.norm(self.centred - self.decoder_rate * self.gram)) / size if size > 0 else 0.0

    def growth(self, targets: np.ndarray, depths: tuple[int, int]) -> float:
        """Factor by which the kernel of a half grows until the targets are learned, if halves are linear chains.

        The kernel of a chain of m balanced layers grows as (‖H‖²/‖H(0)‖²)^{1−1/m}. With features k^½ the linear
        dynamics end at A Jᵀ = k^{−½}Y. From a small start both sides are balanced, κAᵀA = JᵀJ, so each singular value m
        adds m/√κ to ‖A‖² and √κ m to ‖J‖².

        Args:
            targets: Y, (points, outputs).
            depths: layers of the encoder and of the decoder.
        """
        values, columns = np.linalg.eigh((self.encoder + self.encoder.T) / 2)
        kept = values > 1e-10 * max(float(values[-1]), 0.0)
        root = np.sqrt(values[kept])
        wanted = (targets - self.outputs) - (targets - self.outputs).mean(axis=0)
        left, strengths, _ = np.linalg.svd((columns[:, kept].T @ wanted) / root[:, None], full_matrices=False)
        rate = np.sqrt(self.decoder_rate)
        if not rate > 0:
            return 1.0
        hidden = float(((root[:, None] * left) ** 2 @ strengths).sum()) / rate
        halves = (
            (hidden, float(np.trace(self.gram))),
            (rate * float(strengths.sum()), float(np.sum(self.jacobian**2))),
        )
        factors = [
            (1 + added / start) ** (1 - 1 / depth) if start > 0 else np.inf
            for (added, start), depth in zip(halves, depths, strict=True)
            if depth > 1
        ]
        return float(max(factors, default=1.0))

    def rates(self, dx: float, items: "Sequence[int]" = (0, 1)) -> Rates:
        """1/τh, 1/τy and 1/τȳ of two of the points, as ``TwoPoint`` takes them: nothing is fitted.

        1/τh = (k₁₁ + k₂₂ − 2k₁₂)/(2dx) and 1/τy = κ/2, for a task of these two points alone.
        """
        i, j = items
        k = self.encoder
        return Rates(float((k[i, i] + k[j, j] - 2 * k[i, j]) / (2 * dx)), self.decoder_rate / 2, self.mean_rate)


def nothing_dropped(network: Architecture) -> tuple[Assumption, ...]:
    """The assumption that fails where units are dropped: kernels are those of the whole network."""
    share = float(network.dropout)
    return (
        (Assumption("no dropout", "no units are dropped in training", share, 0.0, quantity="share dropped"),)
        if share
        else ()
    )


def measure_kernels(network: Architecture, weights: Layers, x: Array, layer: int) -> Kernels:
    """Tangent kernels on the points ``x`` of the network cut after a hidden layer; no Jacobian is formed."""
    import jax

    from festina.representation._forward import Taps, forward

    with in_double():
        layers = jax.tree.map(lambda a: np.asarray(a, float), weights)
        x = np.asarray(x, float)
        here = forward(network, layers, x)
        shapes = _pre_activations(layers, here.inputs)
        taps = Taps(tuple(np.zeros(shape) for shape in shapes), np.zeros(shapes[layer]), layer)
        # not compiled, and in NumPy where nothing is differentiated: kernels are measured once
        _, outputs_back = jax.vjp(
            lambda pre, post: forward(network, layers, x, None, Taps(pre, post, layer)).outputs, taps.pre, taps.post
        )
        _, hidden_back = jax.vjp(
            lambda pre: forward(network, layers, x, None, Taps(pre, taps.post, layer)).hidden[layer], taps.pre
        )
        count = here.outputs.shape[1]
        parts, jacobians = [], []
        for o in range(count):
            pre, post = outputs_back(np.broadcast_to(np.eye(count)[o], here.outputs.shape))
            parts.append([_products(w, a, p) for w, a, p in zip(layers[0], here.inputs, pre, strict=True)])
            jacobians.append(np.asarray(post).reshape(len(x), -1))
        jacobian = np.stack([j.mean(axis=0) for j in jacobians])
        power = float(np.sum(jacobian**2))
        encoder = np.zeros((len(x), len(x)))
        for row in jacobian:
            (pre,) = hidden_back(np.broadcast_to(row, here.hidden[layer].shape))
            for k in range(layer + 1):
                by_weight, by_bias = _products(layers[0][k], here.inputs[k], pre[k])
                encoder += by_weight + (by_bias if network.bias else 0.0)
    total = [[sum(part[k][kind] for part in parts) / count for kind in (0, 1)] for k in range(len(layers[0]))]
    whole = sum(w + (b if network.bias else 0.0) for w, b in total)
    spread = sum(float(np.sum((j - j.mean(axis=0)) ** 2)) for j in jacobians)
    size = sum(float(np.sum(j**2)) for j in jacobians)
    later = total[layer + 1 :]
    return Kernels(
        np.asarray(here.hidden[layer]),
        np.asarray(here.outputs),
        jacobian,
        encoder / power if power > 0 else encoder,
        np.asarray(sum(w for w, _ in later)),
        np.asarray(sum(b for _, b in later)) if network.bias else np.zeros((len(x), len(x))),
        np.asarray(whole),
        spread / size if size > 0 else 0.0,
    )


def _pre_activations(layers: Layers, inputs: tuple[Array, ...]) -> list[tuple[int, ...]]:
    """Shapes of the pre-activations of all layers, from what goes into them."""
    return [
        (len(into), len(weight), *((into.shape[-1] - weight.shape[-1] + 1,) if weight.ndim == 3 else ()))
        for weight, into in zip(layers[0], inputs, strict=True)
    ]


def _products(weight: Array, inputs: Array, back: Array) -> tuple[np.ndarray, np.ndarray]:
    """Inner products between points of one layer's gradients by its weights and by its biases."""
    inputs, back = np.asarray(inputs), np.asarray(back)
    if weight.ndim == 2:
        products = back @ back.T
        return (inputs @ inputs.T) * products, products
    import jax
    import jax.numpy as jnp

    size = weight.shape[-1]

    def gradient(into: jax.Array, pre: jax.Array) -> Any:
        windows = jnp.stack([into[:, k : k + pre.shape[-1]] for k in range(size)], axis=1)
        return jnp.einsum("op,ckp->ock", pre, windows).ravel()

    flat = np.concatenate(
        [
            np.asarray(jax.vmap(gradient)(jnp.asarray(inputs[i : i + BLOCK]), jnp.asarray(back[i : i + BLOCK])))
            for i in range(0, len(inputs), BLOCK)
        ]
    )
    sums = back.sum(axis=-1)
    return flat @ flat.T, sums @ sums.T

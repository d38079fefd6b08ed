"""The operations that a traced PyTorch module is made of (core ATen), in JAX: one line each, by PyTorch's names.

They have PyTorch's arguments. Where a derivative is a convention, as at the kink of an activation, it is PyTorch's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

Arrays = Any
"""JAX arrays, numbers or None, as PyTorch passes them."""

Axes = int | Sequence[int] | None
"""One axis, several, or all."""


def _axes(dims: Axes) -> Any:
    """One axis, several, or all: PyTorch writes all as None or as an empty list."""
    return dims if isinstance(dims, int) else tuple(dims) or None if dims is not None else None


def _cast(x: Arrays, dtype: str | None) -> Any:
    """To the kind of numbers that PyTorch names; real numbers keep the precision of the run."""
    if dtype is None:
        return x
    if dtype == "float":
        return x if jnp.issubdtype(jnp.result_type(x), jnp.floating) else jnp.asarray(x, float)
    return jnp.asarray(x).astype({"int": int, "bool": bool}[dtype])


def _clamp(x: Arrays, low: Arrays = None, high: Arrays = None) -> Any:
    """The derivative is 1 at both bounds."""
    x = x if low is None else jnp.where(x >= low, x, low)
    return x if high is None else jnp.where(x <= high, x, high)


def _elu(x: Arrays, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0) -> Any:
    return scale * jnp.where(x > 0, x, alpha * jnp.expm1(input_scale * jnp.where(x > 0, 0.0, x)))


def _abs(x: Arrays) -> Any:
    """The derivative is 0 at 0."""
    if not jnp.iscomplexobj(x):
        return x * jnp.sign(x)
    squared = x.real**2 + x.imag**2
    return jnp.where(squared > 0, jnp.sqrt(jnp.where(squared > 0, squared, 1.0)), 0.0)


def _convolution(
    x: Arrays, weight: Arrays, bias: Arrays, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
    transposed: bool, output_padding: Sequence[int], groups: int,
) -> Any:  # fmt: skip
    """Cross-correlation over any number of axes; transposed, it is the transpose of the one with this stride."""
    space = "".join("XYZ"[: x.ndim - 2])
    numbers = lax.conv_dimension_numbers(x.shape, weight.shape, (f"NC{space}", f"OI{space}", f"NC{space}"))
    pads, strides, spread = [(p, p) for p in padding], tuple(stride), None
    if transposed:
        inputs, outputs, *size = weight.shape
        weight = jnp.flip(weight, tuple(range(2, weight.ndim))).reshape(groups, inputs // groups, outputs, *size)
        weight = jnp.swapaxes(weight, 1, 2).reshape(groups * outputs, inputs // groups, *size)
        numbers = lax.conv_dimension_numbers(x.shape, weight.shape, (f"NC{space}", f"OI{space}", f"NC{space}"))
        reach = [d * (s - 1) - p for d, s, p in zip(dilation, size, padding, strict=True)]
        pads = [(r, r + more) for r, more in zip(reach, output_padding, strict=True)]
        strides, spread = (1,) * len(size), tuple(stride)
    found = lax.conv_general_dilated(
        x, weight, strides, pads, lhs_dilation=spread, rhs_dilation=tuple(dilation), dimension_numbers=numbers,
        feature_group_count=groups,
    )  # fmt: skip
    return found if bias is None else found + bias.reshape(1, -1, *[1] * (x.ndim - 2))


def _windows(x: Arrays, size: Sequence[int], stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
             ceil_mode: bool, fill: float) -> Any:  # fmt: skip
    """The windows of the last axes, each flattened along a last axis of its own, and how many numbers of each count."""
    for axis, (n, s, p, d) in enumerate(zip(size, stride, padding, dilation, strict=True), x.ndim - len(size)):
        length, reach = x.shape[axis], d * (n - 1) + 1
        count = -(-(length + 2 * p - reach) // s) + 1 if ceil_mode else (length + 2 * p - reach) // s + 1
        if ceil_mode and (count - 1) * s >= length + p:
            count -= 1  # a window that would begin beyond the data and their left padding is left out
        after = max(0, (count - 1) * s + reach - length - p)
        pads = [(0, 0)] * x.ndim
        pads[axis] = (p, after)
        x = jnp.pad(x, pads, constant_values=fill)
        places = jnp.arange(count)[:, None] * s + jnp.arange(n) * d
        x = jnp.moveaxis(jnp.take(x, places, axis=axis), axis + 1, -1)
    return x.reshape(*x.shape[: -len(size)], -1)


def _each(value: int | Sequence[int], count: int) -> tuple[int, ...]:
    """One number per axis."""
    found = (value,) if isinstance(value, int) else tuple(value)
    return found * count if len(found) == 1 else found


def _chosen(choose: Callable[..., Any]) -> Callable[..., Any]:
    """The largest or smallest number along an axis and where it is; the derivative goes to the first of these alone."""

    def best(x: Arrays, dim: int = -1, keepdim: bool = False) -> Any:
        place = choose(x, axis=dim, keepdims=True)
        found = jnp.take_along_axis(x, place, dim)
        return (found, place) if keepdim else (found.squeeze(dim), place.squeeze(dim))

    return best


_largest = _chosen(jnp.argmax)


def _max_pool(axes: int) -> Callable[..., Any]:
    def pool(x: Arrays, size: Sequence[int], stride: Sequence[int] = (), padding: int | Sequence[int] = 0,
             dilation: int | Sequence[int] = 1, ceil_mode: bool = False) -> Any:  # fmt: skip
        size = _each(size, axes)
        steps, spread = _each(stride or size, axes), _each(dilation, axes)
        return _largest(_windows(x, size, steps, _each(padding, axes), spread, ceil_mode, -jnp.inf))

    return pool


def _mean_pool(axes: int) -> Callable[..., Any]:
    def pool(x: Arrays, size: Sequence[int], stride: Sequence[int] = (), padding: int | Sequence[int] = 0,
             ceil_mode: bool = False, count_include_pad: bool = True, divisor: int | None = None) -> Any:  # fmt: skip
        size, padding = _each(size, axes), _each(padding, axes)
        steps = _each(stride or size, axes)
        total = _windows(x, size, steps, padding, (1,) * axes, ceil_mode, 0.0).sum(-1)
        if divisor is not None:
            return total / divisor
        ones = jnp.ones_like(x)
        if count_include_pad:
            # padding counts, and what lies beyond it does not
            ones = jnp.pad(ones, [(0, 0)] * (x.ndim - axes) + [(p, p) for p in padding], constant_values=1.0)
            counted = _windows(ones, size, steps, (0,) * axes, (1,) * axes, ceil_mode, 0.0)
            return total / counted.sum(-1)[tuple(slice(0, n) for n in total.shape)]
        return total / _windows(ones, size, steps, padding, (1,) * axes, ceil_mode, 0.0).sum(-1)

    return pool


def _adaptive(reduce: Callable[[Arrays], Any], x: Arrays, size: Sequence[int]) -> Any:
    """Windows that divide the last axes into that many parts, as equal as they can be, each reduced to a number."""
    first = x.shape[: x.ndim - len(size)]
    parts = [
        [slice(i * n // count, -(-(i + 1) * n // count)) for i in range(count)]
        for n, count in zip(x.shape[-len(size) :], size, strict=True)
    ]
    found = [reduce(x[(..., *window)].reshape(*first, -1)) for window in product(*parts)]
    return jnp.stack(found, -1).reshape(*first, *size)


def _adaptive_mean(x: Arrays, size: Sequence[int]) -> Any:
    return _adaptive(lambda part: part.mean(-1), x, size)


def _adaptive_max(x: Arrays, size: Sequence[int]) -> Any:
    """Without the places."""
    return _adaptive(lambda part: _largest(part)[0], x, size), None


def _nearest(x: Arrays, size: Sequence[int] | None, factors: Arrays = None, *_: object) -> Any:
    """Each number as often as an image of that size, or enlarged by these factors, needs it."""
    if size is None:
        size = [int(n * factor) for n, factor in zip(x.shape[-len(factors) :], factors, strict=True)]
    for axis, length in enumerate(size, x.ndim - len(size)):
        x = jnp.take(x, jnp.arange(length) * x.shape[axis] // length, axis=axis)
    return x


def _between(x: Arrays, size: Sequence[int] | None, align: bool, *factors: Arrays) -> Any:
    """Bilinear interpolation; each axis is a product with a matrix. Points are centres of pixels unless aligned."""
    given = factors[0] if len(factors) == 1 else factors
    factors = tuple(given) if isinstance(given, Sequence) else (None, None)
    if size is None:
        size = [int(n * factor) for n, factor in zip(x.shape[-2:], factors, strict=True)]
    for axis, (length, factor) in enumerate(zip(size, factors, strict=True), x.ndim - 2):
        count, places = x.shape[axis], np.arange(length)
        if align:
            where = places * ((count - 1) / max(length - 1, 1))
        else:
            where = np.maximum((places + 0.5) * (1 / factor if factor else count / length) - 0.5, 0.0)
        low = np.minimum(where.astype(int), count - 1)
        high, share, matrix = np.minimum(low + 1, count - 1), where - low, np.zeros((length, count))
        np.add.at(matrix, (places, low), 1 - share)
        np.add.at(matrix, (places, high), share)
        x = jnp.moveaxis(jnp.tensordot(matrix, x, (1, axis)), 0, axis)
    return x


def _trilinear(
    a: Arrays, b: Arrays, c: Arrays, of_a: Sequence[int], of_b: Sequence[int], of_c: Sequence[int],
    total: Sequence[int], _: int = 1,
) -> Any:  # fmt: skip
    """A product of three arrays, each without some of the axes, summed over others."""
    axes = range(a.ndim + len(of_a))
    parts = [[k for k in axes if k not in without] for without in (of_a, of_b, of_c)]
    return jnp.einsum(a, parts[0], b, parts[1], c, parts[2], [k for k in axes if k not in total])


def _so_far(largest: bool) -> Callable[..., Any]:
    """The largest or smallest number so far along an axis, and where it is: the last of equal ones."""

    def best(x: Arrays, dim: int) -> Any:
        found = (lax.cummax if largest else lax.cummin)(x, dim % x.ndim)
        place = jnp.where(x == found, lax.broadcasted_iota(int, x.shape, dim % x.ndim), 0)
        place = lax.cummax(place, dim % x.ndim)
        return jnp.take_along_axis(x, place, dim), place

    return best


def _scaled(transform: Callable[..., Any], back: bool = False) -> Callable[..., Any]:
    """A Fourier transform with PyTorch's normalisation: 0 none, 1 by the root of the number of points, 2 by it."""
    norms = ("forward", "ortho", "backward") if back else ("backward", "ortho", "forward")
    return lambda x, dim, norm, *more: transform(x, tuple(dim), norms[norm], *more)


def _complex_fourier(x: Arrays, dim: Sequence[int], norm: int, forward: bool) -> Any:
    transform = jnp.fft.fftn if forward else jnp.fft.ifftn
    return _scaled(lambda x, axes, norm: transform(x, axes=axes, norm=norm), not forward)(x, dim, norm)


def _normalised(x: Arrays, axes: tuple[int, ...], eps: float) -> tuple[Any, Any, Any]:
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    scale = lax.rsqrt(variance + eps)
    return (x - mean) * scale, mean, scale


def _layer_norm(x: Arrays, shape: Sequence[int], weight: Arrays, bias: Arrays, eps: float) -> Any:
    found, mean, scale = _normalised(x, tuple(range(x.ndim - len(shape), x.ndim)), eps)
    found = found if weight is None else found * weight
    return found if bias is None else found + bias, mean, scale


def _by_channel(x: Arrays, weight: Arrays, bias: Arrays) -> Any:
    shape = (1, -1, *[1] * (x.ndim - 2))
    x = x if weight is None else x * weight.reshape(shape)
    return x if bias is None else x + bias.reshape(shape)


def _group_norm(x: Arrays, weight: Arrays, bias: Arrays, n: int, c: int, hxw: int, groups: int, eps: float) -> Any:
    parts = x.reshape(n, groups, -1)
    found, mean, scale = _normalised(parts, (2,), eps)
    return _by_channel(found.reshape(x.shape), weight, bias), mean, scale


def _batch_norm(x: Arrays, weight: Arrays, bias: Arrays, *settings: Arrays) -> Any:
    """By the statistics of the batch in training mode; ``running`` ones in evaluation mode."""
    given: Any = settings if len(settings) == 5 else (None, None, *settings)
    mean, variance, training, _, eps = given
    if training:
        found = _normalised(x, tuple(a for a in range(x.ndim) if a != 1), eps)[0]
    else:
        shape = (1, -1, *[1] * (x.ndim - 2))
        found = (x - mean.reshape(shape)) * lax.rsqrt(variance.reshape(shape) + eps)
    return _by_channel(found, weight, bias), mean, variance, mean, variance


def _embedding(weight: Arrays, indices: Arrays, padding_idx: int = -1, *_: object) -> Any:
    """Rows of a table; the row that stands for padding does not learn."""
    if padding_idx >= 0:
        weight = weight.at[padding_idx].set(lax.stop_gradient(weight[padding_idx]))
    return weight[indices]


def _embedding_bag(
    weight: Arrays, indices: Arrays, offsets: Arrays, scale_grad_by_freq: bool = False, mode: int = 0,
    sparse: bool = False, per_sample_weights: Arrays = None, include_last_offset: bool = False, padding_idx: int = -1,
) -> Any:  # fmt: skip
    """Sums, means or largest values of rows of a table over bags of indices that begin at ``offsets``."""
    bags = len(offsets) - bool(include_last_offset)
    bag = jnp.searchsorted(offsets[:bags], jnp.arange(len(indices)), side="right") - 1
    rows = _embedding(weight, indices, padding_idx)
    rows = rows if per_sample_weights is None else rows * per_sample_weights[:, None]
    counted = indices != padding_idx
    counts = jax.ops.segment_sum(counted.astype(weight.dtype), bag, bags)[:, None]
    if mode == 2:
        found = jax.ops.segment_max(jnp.where(counted[:, None], rows, -jnp.inf), bag, bags)
        return jnp.where(counts > 0, found, 0.0), bag, counts, counts
    total = jax.ops.segment_sum(jnp.where(counted[:, None], rows, 0.0), bag, bags)
    return total / jnp.maximum(counts, 1) if mode == 1 else total, bag, counts, counts


def _view(x: Arrays, shape: Sequence[int], *_: object) -> Any:
    return x.reshape(tuple(shape))


def _squeeze(x: Arrays, dims: int | Sequence[int] | None = None) -> Any:
    """Without axes of length one; PyTorch passes over longer ones."""
    named = range(x.ndim) if dims is None else (dims,) if isinstance(dims, int) else dims
    return jnp.squeeze(x, tuple(d for d in named if x.shape[d] == 1))


def _expand(x: Arrays, shape: Sequence[int], **_: object) -> Any:
    lead = len(shape) - x.ndim
    kept = [x.shape[i - lead] if n == -1 else n for i, n in enumerate(shape)]
    return jnp.broadcast_to(x, tuple(kept))


def _along(x: Arrays, dim: int, place: int | slice) -> tuple[int | slice, ...]:
    """The index of a place along one axis."""
    return *(slice(None),) * (dim % x.ndim), place


def _slice(x: Arrays, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Any:
    return x[_along(x, dim, slice(start, end, step))]


def _at(indices: Sequence[Arrays]) -> tuple[Any, ...]:
    """An index of NumPy: PyTorch writes a whole axis as None."""
    return tuple(slice(None) if i is None else i for i in indices)


def _split(x: Arrays, sizes: int | Sequence[int], dim: int = 0) -> Any:
    if isinstance(sizes, int):
        sizes = [min(sizes, x.shape[dim] - k) for k in range(0, x.shape[dim], sizes)]
    return tuple(jnp.split(x, list(accumulate(sizes))[:-1], dim))


def _pad(x: Arrays, pads: Sequence[int], value: float = 0.0) -> Any:
    """Pads come in pairs from the last axis on; negative ones cut."""
    pairs = [(0, 0)] * (x.ndim - len(pads) // 2) + list(zip(pads[::2], pads[1::2], strict=True))[::-1]
    return lax.pad(x, jnp.asarray(value, x.dtype), [(low, high, 0) for low, high in pairs])


def _scatter_add(x: Arrays, dim: int, index: Arrays, source: Arrays) -> Any:
    """Each number of the source is added at its index along one axis, and at its own place along the others."""
    places = list(jnp.indices(index.shape, sparse=True))
    places[dim] = index
    return x.at[tuple(places)].add(source[tuple(map(slice, index.shape))])


def _variance(x: Arrays, dim: Axes = None, correction: float | None = None, keepdim: bool = False) -> Any:
    return x.var(_axes(dim), ddof=1 if correction is None else correction, keepdims=keepdim)


def _deviation(x: Arrays, dim: Axes = None, correction: float | None = None, keepdim: bool = False) -> Any:
    """The derivative is 0 where all numbers are equal."""
    variance = _variance(x, dim, correction, keepdim)
    return jnp.where(variance == 0, 0.0, jnp.sqrt(jnp.where(variance == 0, 1.0, variance)))


def _reduction(reduce: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, dim=None, keepdim=False: reduce(x, _axes(dim), keepdims=keepdim)


def _sort(x: Arrays, dim: int = -1, descending: bool = False) -> Any:
    order = jnp.argsort(x, axis=dim, descending=descending)
    return jnp.take_along_axis(x, order, dim), order


def _norm(x: Arrays, order: float = 2.0, dim: Axes = None, keepdim: bool = False, dtype: str | None = None) -> Any:
    """The derivative is 0 where all numbers are 0."""
    size, axes = _abs(x), _axes(dim)
    if order in (jnp.inf, -jnp.inf):
        return (size.max if order > 0 else size.min)(axes, keepdims=keepdim)
    if order == 0:
        return (x != 0).sum(axes, keepdims=keepdim).astype(size.dtype)
    if order == 1:
        return size.sum(axes, keepdims=keepdim)
    some = x != 0
    powers = x * x if order == 2 else jnp.where(some, jnp.where(some, size, 1.0) ** order, 0.0)
    total = powers.sum(axes, keepdims=keepdim)
    total, some = jnp.where(total > 0, total, 1.0), total > 0
    return jnp.where(some, jnp.sqrt(total) if order == 2 else total ** (1 / order), 0.0)


def _same(x: Arrays, *_: object, **__: object) -> Any:
    return x


def _nothing(*_: object, **__: object) -> None:
    """Assertions about shapes, which JAX makes itself."""


JAX_NAMED = (
    "exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "sin", "cos", "tan", "tanh", "sinh", "cosh",
    "floor", "ceil", "round", "trunc", "sign", "isnan", "maximum", "minimum", "fmod", "remainder", "logical_not",
    "logical_and", "logical_or", "logical_xor", "bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor", "isinf",
    "where", "flip", "cumsum", "cumprod", "diagonal", "real", "imag", "angle", "sinc",
)  # fmt: skip
"""Operations that have the same name and arguments in ``jax.numpy``."""

OPERATIONS: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(jnp, name) for name in JAX_NAMED},
    # numbers
    "neg": jnp.negative, "reciprocal": jnp.reciprocal, "rsqrt": lax.rsqrt,
    "asin": jnp.arcsin, "acos": jnp.arccos, "atan": jnp.arctan, "atan2": jnp.arctan2, "asinh": jnp.arcsinh,
    "acosh": jnp.arccosh, "atanh": jnp.arctanh, "erf": lax.erf, "erfc": lax.erfc, "pow": jnp.power,
    "add": lambda x, other, alpha=1: x + other if alpha == 1 else x + alpha * other,
    "sub": lambda x, other, alpha=1: x - other if alpha == 1 else x - alpha * other,
    "div": lambda x, other, rounding_mode=None: (
        {None: jnp.positive, "floor": jnp.floor, "trunc": jnp.trunc}[rounding_mode](jnp.true_divide(x, other))
    ),
    "mul": operator.mul, "truediv": operator.truediv, "floordiv": operator.floordiv,
    "mod": operator.mod, "getitem": operator.getitem,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    # activations and kinks
    "abs": _abs, "relu": nn.relu, "sigmoid": nn.sigmoid, "elu": _elu, "clamp": _clamp,
    "gelu": lambda x, approximate="none": nn.gelu(x, approximate=approximate == "tanh"),
    "celu": lambda x, alpha=1.0: _elu(x, alpha, 1.0, 1 / alpha), "mish": nn.mish,
    # at both bounds the derivative is 0, or that of the constant 0 or of x
    "hardsigmoid": lambda x: jnp.where(x <= -3, 0.0, jnp.where(x >= 3, 1.0, x / 6 + 0.5)),
    "hardswish": lambda x: jnp.where(x <= -3, 0.0, jnp.where(x >= 3, x, x * (x + 3) / 6)),
    "leaky_relu": lambda x, slope=0.01: jnp.where(x > 0, x, slope * x),
    "hardtanh": lambda x, low=-1.0, high=1.0: jnp.where(x <= low, low, jnp.where(x >= high, high, x)),
    "_softmax": lambda x, dim, *_: nn.softmax(x, axis=dim),
    "_log_softmax": lambda x, dim, *_: nn.log_softmax(x, axis=dim),
    # products
    "mm": jnp.matmul, "bmm": jnp.matmul,
    "addmm": lambda bias, a, b, beta=1, alpha=1: beta * bias + alpha * (a @ b),
    "_trilinear": _trilinear, "convolution": _convolution, "linalg_matrix_exp": jax.scipy.linalg.expm,
    # Fourier transforms and the complex numbers between them
    "_fft_r2c": _scaled(lambda x, axes, norm, half: (jnp.fft.rfftn if half else jnp.fft.fftn)(x, axes=axes, norm=norm)),
    "_fft_c2r": _scaled(
        lambda x, axes, norm, last: jnp.fft.irfftn(x, [*(x.shape[a] for a in axes[:-1]), last], axes, norm), back=True
    ),
    "_fft_c2c": _complex_fourier,
    "complex": lax.complex, "view_as_complex": lambda x: lax.complex(x[..., 0], x[..., 1]),
    "view_as_real": lambda x: jnp.stack([x.real, x.imag], -1), "_conj": jnp.conj, "_conj_physical": jnp.conj,
    # windows and normalisation
    "max_pool2d_with_indices": _max_pool(2), "max_pool3d_with_indices": _max_pool(3),
    "avg_pool2d": _mean_pool(2), "avg_pool3d": _mean_pool(3),
    "adaptive_max_pool2d": _adaptive_max, "adaptive_max_pool3d": _adaptive_max, "upsample_nearest2d": _nearest,
    "upsample_bilinear2d": _between,
    "_adaptive_avg_pool2d": _adaptive_mean, "_adaptive_avg_pool3d": _adaptive_mean,
    "native_layer_norm": _layer_norm, "native_group_norm": _group_norm,
    "_native_batch_norm_legit": _batch_norm, "_native_batch_norm_legit_functional": _batch_norm,
    "_native_batch_norm_legit_no_training": lambda x, weight, bias, mean, variance, momentum, eps: _batch_norm(
        x, weight, bias, mean, variance, False, momentum, eps
    ),
    # shapes
    "view": _view, "reshape": _view, "permute": jnp.transpose,
    "expand": _expand, "squeeze": _squeeze, "unsqueeze": jnp.expand_dims,
    "cat": lambda parts, dim=0: jnp.concatenate([p for p in parts if p.shape != (0,)], dim),
    "split": _split, "split_with_sizes": _split, "slice": _slice,
    "slice_scatter": lambda x, source, dim=0, start=None, end=None, step=1: (
        x.at[_along(x, dim, slice(start, end, step))].set(source)
    ),
    "index": lambda x, indices: x[_at(indices)],
    "index_put": lambda x, indices, values, accumulate=False: (
        x.at[_at(indices)].add(values) if accumulate else x.at[_at(indices)].set(values)
    ),
    **dict.fromkeys(("select", "index_select"), lambda x, dim, index: jnp.take(x, index, axis=dim)),
    "gather": lambda x, dim, index, **_: jnp.take_along_axis(x, index, dim),
    "cummax": _so_far(largest=True), "cummin": _so_far(largest=False),
    "logcumsumexp": lambda x, dim: lax.cumlogsumexp(x, dim % x.ndim), "sort": _sort,
    "topk": lambda x, k, dim=-1, largest=True, sorted=True: tuple(
        _slice(part, dim, 0, k) for part in _sort(x, dim, largest)
    ),
    "repeat": jnp.tile,
    "scatter_add": _scatter_add, "constant_pad_nd": _pad, "embedding": _embedding, "_embedding_bag": _embedding_bag,
    "_embedding_bag_forward_only": _embedding_bag,
    "sym_size": lambda x, dim: x.shape[dim], "sym_numel": jnp.size,
    # reductions
    **{name: _reduction(getattr(jnp, name)) for name in ("amax", "amin", "argmax", "argmin", "any", "all")},
    "sum": lambda x, dim=None, keepdim=False, dtype=None: (
        _cast(jnp.asarray(x), dtype).sum(_axes(dim), keepdims=keepdim)
    ),
    "mean": lambda x, dim=None, keepdim=False, dtype=None: _cast(x, dtype).mean(_axes(dim), keepdims=keepdim),
    "var": _variance, "std": _deviation, "max": _largest, "min": _chosen(jnp.argmin),
    "prod": lambda x, dim=None, keepdim=False, dtype=None: x.prod(dim, keepdims=keepdim),
    "var_mean": lambda x, dim=None, correction=None, keepdim=False: (
        _variance(x, dim, correction, keepdim), x.mean(_axes(dim), keepdims=keepdim)
    ),
    "std_mean": lambda x, dim=None, correction=None, keepdim=False: (
        _deviation(x, dim, correction, keepdim), x.mean(_axes(dim), keepdims=keepdim)
    ),
    "linalg_vector_norm": _norm,
    # made of nothing
    "full": lambda shape, value, dtype=None, **_: _cast(jnp.full(tuple(shape), value), dtype),
    "empty": lambda shape, dtype="float", **_: _cast(jnp.zeros(tuple(shape)), dtype),
    "full_like": lambda x, value, dtype=None, **_: _cast(jnp.full_like(x, value), dtype),
    "scalar_tensor": lambda value, dtype=None, **_: _cast(jnp.asarray(value), dtype),
    "arange": lambda start, end=None, step=1, dtype=None, **_: (
        _cast(jnp.arange(start) if end is None else jnp.arange(start, end, step), dtype)
    ),
    # the same
    "copy": lambda x, source, *_: jnp.broadcast_to(source, x.shape),
    "clone": _same, "alias": _same, "contiguous": _same, "lift_fresh_copy": _same, "to": _same,
    "_to_copy": lambda x, dtype=None, **_: _cast(x, dtype),
    "_assert_scalar": _nothing, "_assert_tensor_metadata": _nothing, "sym_constrain_range_for_size": _nothing,
    "_assert_async": _nothing,
}  # fmt: skip
"""Every operation that is known, by its name in ATen without its overload. PyTorch writes out others in these, or else
runs the module itself."""


def _recurrent(cell: Callable[..., Any], gates: int) -> Callable[..., Any]:
    """LSTM, GRU and plain recurrence: layers, forwards and backwards in time, by one loop each."""

    def run(x: Arrays, state: Arrays, parameters: Sequence[Arrays], has_biases: bool, layers: int, dropout: float,
            train: bool, bidirectional: bool, batch_first: bool, key: Arrays = None) -> Any:  # fmt: skip
        x = jnp.swapaxes(x, 0, 1) if batch_first else x
        begin: Any = state if isinstance(state, tuple) else (state,)
        size = (4 if has_biases else 2) + (gates == 4 and begin[0].shape[-1] != begin[1].shape[-1])
        ways, ends = 1 + bidirectional, []
        for layer in range(layers):
            seen = []
            for way in range(ways):
                k = layer * ways + way
                weights = parameters[k * size : (k + 1) * size]
                end, out = lax.scan(
                    lambda h, a, w=weights: cell(h, a, w, has_biases), tuple(b[k] for b in begin), x, reverse=way == 1
                )
                seen.append(out)
                ends.append(end)
            x = jnp.concatenate(seen, -1)
            if layer < layers - 1:
                x = native_dropout(x, dropout, train, None if key is None else jax.random.fold_in(key, layer))[0]
        x = jnp.swapaxes(x, 0, 1) if batch_first else x
        return x, *(jnp.stack(part) for part in zip(*ends, strict=True))

    return run


def _affine(x: Arrays, weights: Sequence[Arrays], k: int, biased: bool) -> Any:
    return x @ weights[k].T + weights[2 + k] if biased else x @ weights[k].T


def _lstm_cell(state: Arrays, x: Arrays, weights: Sequence[Arrays], biased: bool) -> Any:
    h, c = state
    let, forget, new, out = jnp.split(_affine(x, weights, 0, biased) + _affine(h, weights, 1, biased), 4, -1)
    c = nn.sigmoid(forget) * c + nn.sigmoid(let) * jnp.tanh(new)
    h = nn.sigmoid(out) * jnp.tanh(c)
    h = h if len(weights) in (2, 4) else h @ weights[-1].T
    return (h, c), h


def _gru_cell(state: Arrays, x: Arrays, weights: Sequence[Arrays], biased: bool) -> Any:
    (h,) = state
    into = jnp.split(_affine(x, weights, 0, biased), 3, -1)
    back = jnp.split(_affine(h, weights, 1, biased), 3, -1)
    reset, keep = nn.sigmoid(into[0] + back[0]), nn.sigmoid(into[1] + back[1])
    h = (1 - keep) * jnp.tanh(into[2] + reset * back[2]) + keep * h
    return (h,), h


def _plain_cell(activation: Callable[[Any], Any]) -> Callable[..., Any]:
    def step(state: Arrays, x: Arrays, weights: Sequence[Arrays], biased: bool) -> Any:
        h = activation(_affine(x, weights, 0, biased) + _affine(state[0], weights, 1, biased))
        return (h,), h

    return step


def native_dropout(x: Arrays, p: float, train: bool | None, key: Arrays) -> Any:
    """x with a share p of its numbers set to 0 and the others enlarged; x itself without a key or out of training."""
    kept = jnp.ones(x.shape, bool)
    if key is None or train is False or p == 0:
        return x, kept
    kept = jax.random.bernoulli(key, 1 - p, x.shape)
    return jnp.where(kept, x / (1 - p), 0.0) if p < 1 else 0 * x, kept


def bernoulli(x: Arrays, p: float, key: Arrays, **_: object) -> Any:
    """Ones with probability p; without a key their mean."""
    drawn = jnp.full(x.shape, p) if key is None else jax.random.bernoulli(key, p, x.shape)
    return drawn.astype(x.dtype)


RECURRENT: Mapping[str, Callable[..., Any]] = {
    "lstm": _recurrent(_lstm_cell, 4), "gru": _recurrent(_gru_cell, 3),
    "rnn_tanh": _recurrent(_plain_cell(jnp.tanh), 1), "rnn_relu": _recurrent(_plain_cell(nn.relu), 1),
}  # fmt: skip
"""Recurrent layers, which PyTorch would otherwise write out step by step."""

DRAWN: Mapping[str, Callable[..., Any]] = {"native_dropout": native_dropout, "bernoulli": bernoulli, **RECURRENT}
"""Operations that may draw random numbers with a key."""

WHOLE = (*RECURRENT, "hardsigmoid", "hardswish", "sinc", "mish", "celu", "std", "std_mean")
"""Operations that PyTorch would write out in others. These would be slow or have other derivatives at single points."""

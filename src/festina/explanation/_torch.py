"""Operations of PyTorch modules, read from the graph of their forward pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.explanation._arrays import NEEDED
from festina.explanation._network import Chain
from festina.explanation._operation import Activation, Conv, Dense, Operation, Pool, Reshape, Scale
from festina.interop import evaluating

if TYPE_CHECKING:
    import torch
    from torch import fx, nn


IGNORED = ("Identity", "Dropout", "Dropout1d", "Dropout2d", "AlphaDropout")
"""Modules that do nothing in evaluation mode."""

SHAPES = ("size", "getattr", "getitem", "shape", "numel")
"""Calls that only ask for the shape of a tensor."""

OUTERMOST = {"Softmax": "softmax", "LogSoftmax": "softmax", "softmax": "softmax", "log_softmax": "softmax",
             "Sigmoid": "sigmoid", "sigmoid": "sigmoid"}  # fmt: skip
"""Functions that a classifier may apply last: what comes before them are its logits."""


def from_torch(name: str, model: nn.Module, x: np.ndarray) -> tuple[Chain, np.ndarray]:
    """The chain of operations of a module, and its own outputs."""
    import torch
    from torch import fx

    if hasattr(model, "_orig_mod"):
        raise ValueError(f"{name} was compiled by torch.compile; give the module that you compiled.")
    if type(model).__name__ in MODULES:
        # a layer by itself: only its calls are followed, not what it does inside
        model = torch.nn.Sequential(model)
    first = next(model.parameters(), None)
    if first is None:
        raise ValueError(f"{name} has no weights; {NEEDED}.")
    if first.dtype in (torch.bfloat16, torch.float16):
        # the same weights, with outputs that are not rounded to two or three digits
        model = deepcopy(model).float()
        first = next(model.parameters())
    with evaluating(model), torch.no_grad():
        given = torch.as_tensor(x).to(first.device, first.dtype)
        try:
            outputs = _double(torch.cat([model(part) for part in given.split(2048)]))
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            raise ValueError(_failed(name, x, error, model)) from None
        try:
            graph = fx.symbolic_trace(model).graph
        except Exception as error:  # whatever the user's forward pass raises when it is given no numbers
            raise ValueError(
                f"{name} cannot be read: its forward pass depends on the values of its inputs, or cannot be followed "
                f"({str(error).splitlines()[0]}); {NEEDED}."
            ) from None
    steps, outermost = _read(name, graph, dict(model.named_modules()))
    held = {id(p) for m in model.modules() for p in m.parameters(recurse=False)
            if type(m).__name__ in {"Linear", "Conv2d", "BatchNorm1d", "BatchNorm2d"}}  # fmt: skip
    rest = [key for key, p in model.named_parameters() if id(p) not in held]
    if rest:
        raise ValueError(f"{name} has weights {', '.join(rest)} outside the layers that it calls; {NEEDED}.")
    return Chain(tuple(_folded(steps)), outermost), outputs


def _read(name: str, graph: fx.Graph, modules: Mapping[str, nn.Module]) -> tuple[list[Operation], str]:
    """Operations in the order of the graph, which has to be one line."""
    steps: list[Operation] = []
    outermost, last = "", None
    for node in graph.nodes:
        if node.op == "placeholder":
            if last is not None:
                raise ValueError(f"{name} takes more than one input; {NEEDED}.")
            last = node
            continue
        if node.op == "output":
            if node.args[0] is not last:
                raise ValueError(f"{name} does not return the result of its last layer alone; {NEEDED}.")
            break
        module = modules[node.target] if node.op == "call_module" else None
        kind = type(module).__name__ if module is not None else str(getattr(node.target, "__name__", node.target))
        if _asks_shape(node):
            continue
        sources = [a for a in node.all_input_nodes if not _asks_shape(a)]
        if node.op == "get_attr" or sources != [last]:
            raise ValueError(
                f"{name} holds {kind!r} ({node.name}), which joins or splits the path of the data (a skip connection, "
                f"for example) or uses other weights; {NEEDED}."
            )
        if outermost:
            raise ValueError(f"{name} applies {kind} after {outermost}; {NEEDED}.")
        last = node
        if kind in OUTERMOST:
            outermost = OUTERMOST[kind]
            continue
        found = _module(kind, module) if module is not None else _function(kind, node.args, node.kwargs)
        if found is None:
            place = f" ({node.target!r})" if node.op == "call_module" else ""
            raise ValueError(f"{name} holds {kind}{place}, which is not among what can be explained; {NEEDED}.")
        steps += found
    return steps, outermost


def _asks_shape(node: object) -> bool:
    """Whether a node is a number taken from a shape: part of a tensor (x[:, 0]) is none."""
    target = getattr(node, "target", None)
    kind = str(getattr(target, "__name__", target))
    if kind == "getitem":
        return _asks_shape(getattr(node, "args", (None,))[0])
    return kind in SHAPES


def _module(kind: str, module: nn.Module) -> list[Operation] | None:
    """A module as operations, or None."""
    if kind in IGNORED:
        return []
    make = MODULES.get(kind)
    return None if make is None else make(module)


def _linear(module: nn.Linear) -> list[Operation]:
    return [Dense(_double(module.weight), _bias(module, module.out_features))]


def _convolution(module: nn.Conv2d) -> list[Operation] | None:
    if module.padding_mode != "zeros" or isinstance(module.padding, str):
        return None
    bias = _bias(module, module.out_channels)
    stride, padding, dilation = map(_pair, (module.stride, module.padding, module.dilation))
    return [Conv(_double(module.weight), bias, stride, padding, dilation, module.groups)]


def _normalisation(module: nn.BatchNorm1d | nn.BatchNorm2d) -> list[Operation] | None:
    if module.running_var is None or module.running_mean is None:
        return None
    factor = 1 / np.sqrt(_double(module.running_var) + module.eps)
    if module.affine:
        factor = factor * _double(module.weight)
    return [Scale(factor, -_double(module.running_mean) * factor + (_double(module.bias) if module.affine else 0.0))]


def _pool(kind: str) -> Callable[[Any], list[Operation] | None]:
    def make(module: nn.Module) -> list[Operation] | None:
        return _pooled(kind, (), {name: getattr(module, name, None) for name in POOL_ARGUMENTS[kind]})

    return make


MODULES: Mapping[str, Callable[[Any], list[Operation] | None]] = {
    "Flatten": lambda module: [Reshape()],
    "Unflatten": lambda module: [Reshape(tuple(module.unflattened_size))],
    "Linear": _linear,
    "Conv2d": _convolution,
    "BatchNorm1d": _normalisation,
    "BatchNorm2d": _normalisation,
    "ReLU": lambda module: [Activation()],
    "LeakyReLU": lambda module: [Activation("leaky_relu", float(module.negative_slope))],
    "GELU": lambda module: [Activation("gelu", tanh=module.approximate == "tanh")],
    "SiLU": lambda module: [Activation("silu")],
    "MaxPool2d": _pool("max_pool2d"),
    "AvgPool2d": _pool("avg_pool2d"),
    "AdaptiveAvgPool2d": lambda module: [Pool("mean", None)] if _pair(module.output_size) == (1, 1) else None,
}
"""Modules that can be explained, and what they are made of."""


def _function(kind: str, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> list[Operation] | None:
    """A call of a function or a method as operations, or None."""
    if kind in POOL_ARGUMENTS:
        return _pooled(kind, arguments[1:], named)
    if kind == "adaptive_avg_pool2d":
        return [Pool("mean", None)] if _pair((*arguments, *named.values())[1]) == (1, 1) else None
    slope = named.get("negative_slope", (*arguments, 0.01)[1]) if kind == "leaky_relu" else 0.0
    known: dict[str, list[Operation]] = {
        "relu": [Activation()],
        "relu_": [Activation()],
        "leaky_relu": [Activation("leaky_relu", float(slope))],
        "gelu": [Activation("gelu", tanh=named.get("approximate", "none") == "tanh")],
        "silu": [Activation("silu")],
        "dropout": [],
        "flatten": [Reshape()],
        "view": [Reshape()],
        "reshape": [Reshape()],
    }
    return known.get(kind)


POOL_ARGUMENTS = {
    "max_pool2d": ("kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices"),
    "avg_pool2d": ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"),
}


def _pooled(kind: str, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> list[Operation] | None:
    """A call of a pooling function, or None for forms of it that are not known."""
    given = {**dict(zip(POOL_ARGUMENTS[kind], arguments, strict=False)), **named}
    window = _pair(given["kernel_size"])
    stride = _pair(given.get("stride") or window)
    padding = _pair(given.get("padding") or 0)
    is_plain = _pair(given.get("dilation") or 1) == (1, 1) and not given.get("ceil_mode")
    is_plain = is_plain and not given.get("return_indices") and given.get("divisor_override") is None
    if not is_plain or (kind == "avg_pool2d" and any(padding)):
        return None
    return [Pool("max" if kind == "max_pool2d" else "mean", window, stride, padding)]


def _folded(steps: list[Operation]) -> Iterator[Operation]:
    """Normalisation taken up by the dense layer or convolution before it."""
    waiting: Operation | None = None
    for step in steps:
        if isinstance(step, Scale) and isinstance(waiting, Dense):
            waiting = Dense(waiting.matrix * step.factor[:, None], waiting.bias * step.factor + step.shift)
        elif isinstance(step, Scale) and isinstance(waiting, Conv):
            kernel = waiting.kernel * step.factor[:, None, None, None]
            bias = waiting.bias * step.factor + step.shift
            waiting = Conv(kernel, bias, waiting.stride, waiting.padding, waiting.dilation, waiting.groups)
        else:
            if waiting is not None:
                yield waiting
            waiting = step
    if waiting is not None:
        yield waiting


def _pair(value: int | Sequence[int]) -> tuple[int, int]:
    """One number for both spatial axes, or one for each."""
    return (value, value) if isinstance(value, int) else (int(value[0]), int(value[1]))


def _bias(module: nn.Linear | nn.Conv2d, width: int) -> np.ndarray:
    return np.zeros(width) if module.bias is None else _double(module.bias)


def _double(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().cpu().double().numpy()


def _failed(name: str, x: np.ndarray, error: Exception, model: nn.Module) -> str:
    inputs = next((m.in_features for m in model.modules() if hasattr(m, "in_features")), None)
    first = next((m for m in model.modules() if hasattr(m, "in_features") or hasattr(m, "in_channels")), None)
    if inputs is not None and first is not None and hasattr(first, "in_features") and inputs != x.shape[-1]:
        return (
            f"{name} has {inputs} inputs and x has {x.shape[-1]} columns; give the data that the network was made for."
        )
    return (
        f"{name} cannot be called with x of shape {x.shape} ({str(error).splitlines()[0]}); give x in the shape that "
        "it takes, (points, channels, height, width) for a convolution, or image_shape."
    )

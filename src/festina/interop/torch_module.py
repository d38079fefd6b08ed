"""PyTorch modules: their forward pass as steps, their layers by name, and hooks that are there only for a while.

``read_steps`` follows the graph of the forward pass (torch.fx), so that it is the place where more kinds of modules can
be read: a graph that is not one line, and functions that are not in the tables below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.interop.operation import (
    NEEDED,
    Activation,
    Conv,
    Dense,
    Operation,
    Pool,
    Reshape,
    Scale,
    Softmax,
    Step,
)

if TYPE_CHECKING:
    import torch
    from torch import fx, nn

IGNORED = ("Identity", "Dropout", "Dropout1d", "Dropout2d", "AlphaDropout", "dropout")
"""Modules and functions that do nothing in evaluation mode."""

SHAPES = ("size", "getattr", "getitem", "shape", "numel")
"""Calls that only ask for the shape of a tensor."""

BATCH = 2048
"""Data points that pass through a module at once."""


@contextmanager
def evaluating(model: nn.Module, hooks: Mapping[str, Callable[..., object]] | None = None) -> Iterator[None]:
    """Evaluation mode inside, with forward hooks on the named layers; afterwards every part is as it was."""
    modules = dict(model.named_modules())
    with ExitStack() as stack:
        for module in modules.values():
            stack.callback(setattr, module, "training", module.training)
        model.eval()
        for name, hook in (hooks or {}).items():
            stack.callback(modules[name].register_forward_hook(hook).remove)
        yield


def layer_names(model: nn.Module, *, leaves: bool = False) -> list[str]:
    """Names of all parts of a module, or of those without parts of their own."""
    return [
        name for name, part in model.named_modules() if name and not (leaves and any(True for _ in part.children()))
    ]


def refuse_compiled(name: str, model: nn.Module, *, parts: bool = True) -> None:
    """Raise where a module was compiled: its layers cannot be followed, and hooks that are added later never fire."""
    if hasattr(model, "_orig_mod"):
        raise ValueError(
            f"{name} was compiled by torch.compile, which hides its layers and ignores hooks that come later; give the "
            "module that you compiled (both share their weights, so you can go on training the compiled one)."
        )
    for place, module in model.named_modules() if parts else ():
        if getattr(module, "_compiled_call_impl", None) is not None or hasattr(module, "_orig_mod"):
            raise ValueError(
                f"{name} holds a compiled part, {place or 'the module itself'!r}, which ignores hooks that come "
                f"later; give the {name} before .compile(), or a copy of it that is not compiled."
            )


def double(tensor: torch.Tensor) -> np.ndarray:
    """The values of a tensor in double precision."""
    return tensor.detach().cpu().double().numpy()


def outputs(name: str, model: nn.Module, x: np.ndarray) -> np.ndarray:
    """A module's own outputs in evaluation mode."""
    import torch

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
            return double(torch.cat([model(part) for part in given.split(BATCH)]))
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            raise ValueError(_failed(name, x, error, model)) from None


def read_steps(name: str, model: nn.Module, needed: str = NEEDED) -> tuple[Step, ...]:
    """The steps of a module's forward pass in evaluation mode, which has to be one line.

    A step that is not known has no operation; the caller says what it needs instead.

    Args:
        name: of the argument, for errors.
        model: the module.
        needed: what is needed instead, for errors.

    Raises:
        ValueError: a forward pass that cannot be followed or is not one line; weights outside the layers.
    """
    import torch
    from torch import fx

    class Tracer(fx.Tracer):
        def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
            return super().is_leaf_module(m, module_qualified_name) or kind_of(m) in {*PLAIN, *MODULES, *IGNORED}

    refuse_compiled(name, model, parts=False)
    # of a layer by itself only its calls are followed, not what it does inside
    whole = torch.nn.Sequential(model) if kind_of(model) in {*PLAIN, *MODULES} else model
    with evaluating(model):
        try:
            graph = Tracer().trace(whole)
        except Exception as error:  # whatever the user's forward pass raises when it is given no numbers
            raise ValueError(
                f"{name} cannot be read: its forward pass depends on the values of its inputs, or cannot be followed "
                f"({str(error).splitlines()[0]}); {needed}."
            ) from None
    modules = dict(whole.named_modules())
    steps = [_step(node, modules, "" if whole is not model else node.target) for node in _line(name, graph, needed)]
    held = {id(p) for m in model.modules() if kind_of(m) in WEIGHTED for p in m.parameters(recurse=False)}
    rest = [key for key, p in model.named_parameters() if id(p) not in held]
    if rest and all(step.operation is not None for step in steps):
        raise ValueError(f"{name} has weights {', '.join(rest)} outside the layers that it calls; {needed}.")
    return tuple(step for step in steps if step.kind not in IGNORED)


def _line(name: str, graph: fx.Graph, needed: str) -> Iterator[fx.Node]:
    """The calls of a graph, in order, each of which is given the result of the one before."""
    last = None
    for node in graph.nodes:
        if node.op == "placeholder":
            if last is not None:
                raise ValueError(f"{name} takes more than one input; {needed}.")
            last = node
        elif node.op == "output":
            if node.args[0] is not last:
                raise ValueError(f"{name} does not return the result of its last layer alone; {needed}.")
        elif not _asks_shape(node):
            if node.op == "get_attr" or [a for a in node.all_input_nodes if not _asks_shape(a)] != [last]:
                raise ValueError(
                    f"{name} holds {_called(node)!r} ({node.name}), which joins or splits the path of the data (a skip "
                    f"connection, for example) or uses other weights; {needed}."
                )
            last = node
            yield node


def _called(node: fx.Node) -> str:
    return str(getattr(node.target, "__name__", node.target))


def _asks_shape(node: fx.Node) -> bool:
    """Whether a node is a number taken from a shape: part of a tensor (x[:, 0]) is none."""
    if _called(node) == "getitem":
        return _asks_shape(node.args[0])  # pyright: ignore[reportArgumentType]
    return _called(node) in SHAPES


def _step(node: fx.Node, modules: Mapping[str, nn.Module], name: object) -> Step:
    """One call of a module or a function."""
    if node.op != "call_module":
        return Step(_function(_called(node), node.args, node.kwargs), _called(node))
    module = modules[str(node.target)]
    kind = kind_of(module)
    operation = MODULES[kind](module) if kind in MODULES else PLAIN.get(kind)
    return Step(operation, kind if kind in IGNORED else called(module), str(name))


def kind_of(module: nn.Module) -> str:
    """The class of PyTorch whose forward pass a module has, or an empty name for a forward pass of its own."""
    bases = (base for base in type(module).__mro__ if base.__module__.startswith("torch.nn.modules"))
    return next((base.__name__ for base in bases if base.forward is type(module).forward), "")


def called(module: nn.Module) -> str:
    """A module as PyTorch prints it, with its settings; without its parts, if it has some."""
    return type(module).__name__ if any(True for _ in module.children()) else repr(module).removesuffix("()")


PLAIN: Mapping[str, Operation] = {
    "Flatten": Reshape(), "flatten": Reshape(), "view": Reshape(), "reshape": Reshape(),
    "ReLU": Activation(), "relu": Activation(), "relu_": Activation(),
    "SiLU": Activation("silu"), "silu": Activation("silu"),
    "Tanh": Activation("tanh"), "tanh": Activation("tanh"),
    "Sigmoid": Activation("sigmoid"), "sigmoid": Activation("sigmoid"),
    "Softmax": Softmax(), "softmax": Softmax(), "LogSoftmax": Softmax(log=True), "log_softmax": Softmax(log=True),
}  # fmt: skip
"""Modules and functions without settings that matter: a shape or an axis that is another one gives other outputs."""

POOLS = {
    "max_pool2d": ("kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices"),
    "avg_pool2d": ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"),
}
"""Pooling functions and their arguments after the first."""


def _linear(module: nn.Linear) -> Operation:
    return Dense(double(module.weight), _bias(module, module.out_features), module.bias is not None)


def _convolution(module: nn.Conv2d) -> Operation | None:
    if module.padding_mode != "zeros" or isinstance(module.padding, str):
        return None
    stride, padding, dilation = map(_pair, (module.stride, module.padding, module.dilation))
    return Conv(double(module.weight), _bias(module, module.out_channels), stride, padding, dilation, module.groups)


def _bias(module: nn.Linear | nn.Conv2d, width: int) -> np.ndarray:
    return np.zeros(width) if module.bias is None else double(module.bias)


def _normalisation(module: nn.BatchNorm1d | nn.BatchNorm2d) -> Operation | None:
    if module.running_var is None or module.running_mean is None:
        return None
    factor = 1 / np.sqrt(double(module.running_var) + module.eps)
    if module.affine:
        factor = factor * double(module.weight)
    return Scale(factor, -double(module.running_mean) * factor + (double(module.bias) if module.affine else 0.0))


def _pool(kind: str, given: Mapping[str, Any]) -> Operation | None:
    """A pooling function with its arguments, or None for forms of it that are not known."""
    window = _pair(given["kernel_size"])
    stride = _pair(given.get("stride") or window)
    padding = _pair(given.get("padding") or 0)
    is_plain = _pair(given.get("dilation") or 1) == (1, 1) and not given.get("ceil_mode")
    is_plain = is_plain and not given.get("return_indices") and given.get("divisor_override") is None
    if not is_plain or (kind == "avg_pool2d" and any(padding)):
        return None
    return Pool("max" if kind == "max_pool2d" else "mean", window, stride, padding)


def _mean(size: int | Sequence[int]) -> Operation | None:
    return Pool("mean", None) if _pair(size) == (1, 1) else None


WEIGHTED: Mapping[str, Callable[[Any], Operation | None]] = {
    "Linear": _linear, "Conv2d": _convolution, "BatchNorm1d": _normalisation, "BatchNorm2d": _normalisation,
}  # fmt: skip
"""Modules that hold weights."""

MODULES: Mapping[str, Callable[[Any], Operation | None]] = {
    **WEIGHTED,
    "Unflatten": lambda module: Reshape(tuple(module.unflattened_size)),
    "LeakyReLU": lambda module: Activation("leaky_relu", float(module.negative_slope)),
    "GELU": lambda module: Activation("gelu", tanh=module.approximate == "tanh"),
    "ELU": lambda module: Activation("elu") if module.alpha == 1 else None,
    "MaxPool2d": lambda module: _pool("max_pool2d", vars(module)),
    "AvgPool2d": lambda module: _pool("avg_pool2d", vars(module)),
    "AdaptiveAvgPool2d": lambda module: _mean(module.output_size),
}
"""Modules that are read from their settings."""


def _function(kind: str, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Operation | None:
    """A call of a function or a method, or None."""
    if kind in POOLS:
        return _pool(kind, {**dict(zip(POOLS[kind], arguments[1:], strict=False)), **named})
    if kind == "adaptive_avg_pool2d":
        return _mean((*arguments, *named.values())[1])
    if kind == "leaky_relu":
        return Activation(kind, float(named.get("negative_slope", (*arguments, 0.01)[1])))
    if kind == "gelu":
        return Activation(kind, tanh=named.get("approximate", "none") == "tanh")
    return PLAIN.get(kind)


def _pair(value: int | Sequence[int]) -> tuple[int, int]:
    """One number for both spatial axes, or one for each."""
    return (value, value) if isinstance(value, int) else (int(value[0]), int(value[1]))


def _failed(name: str, x: np.ndarray, error: Exception, model: nn.Module) -> str:
    first = next((m for m in model.modules() if hasattr(m, "in_features") or hasattr(m, "in_channels")), None)
    inputs = getattr(first, "in_features", x.shape[-1])
    if inputs != x.shape[-1]:
        return (
            f"{name} has {inputs} inputs and x has {x.shape[-1]} columns; give the data that the network was made for."
        )
    return (
        f"{name} cannot be called with x of shape {x.shape} ({str(error).splitlines()[0]}); give x in the shape that "
        "it takes, (points, channels, height, width) for a convolution, or image_shape."
    )

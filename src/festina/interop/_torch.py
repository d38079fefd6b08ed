"""Networks of PyTorch as networks of festina."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from festina.core.network import Network
from festina.core.task import Task
from festina.initial import Weights
from festina.linear import DeepLinear
from festina.relu import ReLU
from festina.representation import FeedForward
from festina.runtime.device import in_double

if TYPE_CHECKING:
    import torch
    from torch import nn

CHECKED = 64
"""Random inputs on which the network's outputs are compared with the module's."""

ROUNDING = 100
"""Largest difference of the two outputs, in units of the module's own rounding error, that sums in another order make;
a wrong activation or a forgotten bias differs by far more."""

ACTIVATIONS = {
    "Tanh": "tanh", "Sigmoid": "sigmoid", "SiLU": "swish", "GELU(approximate='none')": "gelu",
    "LeakyReLU(negative_slope=0.01)": "leaky relu", "ELU(alpha=1.0)": "elu",
}  # fmt: skip
"""Activations of ``fs.FeedForward``, by what PyTorch prints."""

HOOKS = {
    "_forward_pre_hooks": "forward pre-hook", "_forward_hooks": "forward hook",
    "_backward_pre_hooks": "backward pre-hook", "_backward_hooks": "backward hook",
}  # fmt: skip
"""Where PyTorch keeps the hooks of a module, and what they are called."""

GRADIENT_HOOKS = ("_backward_hooks", "_post_accumulate_grad_hooks")
"""Where PyTorch keeps the hooks of a parameter, which may change its gradient or the parameter itself."""

NEEDED = "a torch.nn.Linear, or a torch.nn.Sequential of Linear layers with the same activation between them, is needed"


@dataclass(frozen=True, eq=False)
class Layer:
    """A Linear layer, by its place in the module, and the activation behind it, if any."""

    name: str
    linear: nn.Linear
    activation: nn.Module | None = None


def from_torch(module: nn.Module) -> DeepLinear | ReLU | FeedForward:
    """The network of a PyTorch module, which starts from the module's weights as they are now.

    ``fs.Train(fs.methods.convert_rate(lr, outputs))`` then takes the steps that ``torch.optim.SGD`` at learning rate lr
    takes on ``mse_loss``, and theories and ``fs.Flow`` predict them from the same start. The module itself is not
    changed; its outputs are compared with the network's on random inputs.

    Args:
        module: Linear layers one after another, all with biases or all without, with nothing (``fs.DeepLinear``), ReLU
            (``fs.ReLU``) or one of Tanh, Sigmoid, SiLU, GELU, LeakyReLU and ELU (``fs.FeedForward``) between them.
            Nested Sequentials, Identity, a Flatten at the beginning and Dropout in evaluation mode are passed over.

    Returns:
        ``fs.DeepLinear``, ``fs.ReLU`` or ``fs.FeedForward`` with ``initial=fs.initial.Weights(...)``.

    Raises:
        ValueError: a module of another kind; the message names the layer. Layers that share weights, are frozen, have
            no values yet (lazy layers, device "meta"), have hooks, compute their weights from other parameters
            (pruning, weight normalization), or compute something else than their weights say.

    Example:
        >>> import torch, festina as fs
        >>> module = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).double()
        >>> network = fs.from_torch(module)
        >>> type(network).__name__, network.hidden, network.bias
        ('ReLU', (8,), True)
    """
    import torch

    if not isinstance(module, torch.nn.Module):
        raise ValueError(f"module is {type(module).__name__}; {NEEDED}.")
    layers = _read(module)
    _check_layers(layers)
    _check_hooks(module)
    network = _network(layers)
    _check_outputs(module, network, layers)
    return network


def _read(module: nn.Module) -> list[Layer]:
    """Linear layers from the input to the output, each with its activation."""
    import torch

    layers: list[Layer] = []
    for name, part in _flatten(module, ""):
        if isinstance(part, torch.nn.Linear):
            layers.append(Layer(name, part))
        elif not layers and not isinstance(part, torch.nn.Flatten):
            raise ValueError(f"module begins with {_called(name, part)}; {NEEDED}.")
        elif isinstance(part, torch.nn.Flatten):
            if layers or part.start_dim != 1 or part.end_dim != -1:
                raise ValueError(
                    f"module has {_called(name, part)} behind a Linear layer or along other axes than 1 to -1; only a "
                    "Flatten() at the beginning is passed over."
                )
        elif layers[-1].activation is not None:
            raise ValueError(f"module has {_called(name, part)} right behind another activation; {NEEDED}.")
        else:
            layers[-1] = Layer(layers[-1].name, layers[-1].linear, part)
    if not layers:
        raise ValueError(f"module has no Linear layer; {NEEDED}.")
    return layers


def _flatten(module: nn.Module, name: str) -> Iterator[tuple[str, nn.Module]]:
    """Layers and activations in the order in which they are computed."""
    from torch import nn

    kind = type(module)
    if isinstance(module, nn.Sequential) and kind.forward is nn.Sequential.forward:
        for inner, part in module.named_modules(remove_duplicate=False):
            if inner and "." not in inner:
                yield from _flatten(part, f"{name}.{inner}" if name else inner)
    elif isinstance(module, nn.Dropout):
        if module.training and module.p > 0:
            raise ValueError(
                f"module has {_called(name, module)} in training mode, which draws random numbers; call module.eval() "
                "to take the network without dropout."
            )
    elif not isinstance(module, nn.Identity):
        plain = isinstance(module, nn.Linear) and kind.forward is nn.Linear.forward
        if not plain and not isinstance(module, nn.Flatten) and not _is_activation(module):
            raise ValueError(
                f"module has {_called(name, module)}, whose computation festina does not know; {NEEDED}. For other "
                "networks write an fs.Network."
            )
        yield name, module


def _is_activation(module: nn.Module) -> bool:
    """Whether a module is one of PyTorch's own functions of single units, without weights."""
    from torch import nn

    known = (nn.ReLU, nn.Tanh, nn.Sigmoid, nn.GELU, nn.LeakyReLU, nn.ELU, nn.SiLU, nn.Softplus, nn.SELU, nn.Hardtanh)
    return type(module) in known


def _called(name: str, module: nn.Module) -> str:
    return f"layer {name!r} ({type(module).__name__})" if name else type(module).__name__


def _check_layers(layers: Sequence[Layer]) -> None:
    """Raise where training the layers in PyTorch is not training the matrices one by one."""
    import torch

    seen: dict[int, str] = {}
    for layer in layers:
        _check_values(layer)
        if torch.nn.utils.parametrize.is_parametrized(layer.linear):
            raise ValueError(
                f"layer {layer.name!r} computes its weights from other parameters (a parametrization), which learn "
                "differently; remove it with torch.nn.utils.parametrize.remove_parametrizations."
            )
        found, plain = {name for name, _ in layer.linear.named_parameters()}, {"weight"}
        if layer.linear.bias is not None:
            plain.add("bias")
        if found != plain:
            raise ValueError(
                f"layer {layer.name!r} has the parameters {', '.join(sorted(found)) or '(none)'}, but festina trains "
                f"{' and '.join(sorted(plain, reverse=True))}. Make it a plain layer first: pruning ends with "
                "torch.nn.utils.prune.remove, normalization with torch.nn.utils.remove_weight_norm or "
                "remove_spectral_norm."
            )
        for parameter in layer.linear.parameters():
            if any(getattr(parameter, where, None) for where in GRADIENT_HOOKS):
                raise ValueError(
                    f"layer {layer.name!r} has a parameter with a gradient hook, which can change how it learns; "
                    "remove the hook by the handle that register_hook gave: handle.remove()."
                )
            if not parameter.requires_grad:
                raise ValueError(
                    f"layer {layer.name!r} has weights that do not require gradients, but festina trains all layers; "
                    "call requires_grad_(True), or leave the fixed layers out and give their outputs as x."
                )
            if seen.setdefault(id(parameter), layer.name) != layer.name:
                raise ValueError(
                    f"layers {seen[id(parameter)]!r} and {layer.name!r} share weights, which learn together; give each "
                    "layer its own."
                )
    for first, second in pairwise(layers):
        if first.linear.out_features != second.linear.in_features:
            raise ValueError(
                f"layer {first.name!r} has {first.linear.out_features} outputs and layer {second.name!r} "
                f"{second.linear.in_features} inputs; they do not follow one another."
            )
        if (first.linear.bias is None) != (second.linear.bias is None):
            with_bias, without = (second, first) if first.linear.bias is None else (first, second)
            raise ValueError(
                f"layer {with_bias.name!r} has biases and layer {without.name!r} has none; give biases to all layers, "
                "or to none."
            )


def _check_values(layer: Layer) -> None:
    """Raise where a layer has a shape or a place, but no numbers."""
    from torch.nn.parameter import is_lazy

    if any(is_lazy(parameter) for parameter in layer.linear.parameters()):
        raise ValueError(
            f"layer {layer.name!r} is {type(layer.linear).__name__}, whose weights are not made before the first "
            "forward pass; call the module once on some inputs, or use torch.nn.Linear with the number of inputs."
        )
    if any(parameter.is_meta for parameter in layer.linear.parameters()):
        raise ValueError(
            f"layer {layer.name!r} is on the device 'meta', where weights have a shape but no values; make the module "
            "on a device such as 'cpu', or load its weights with load_state_dict(..., assign=True)."
        )


def _check_hooks(module: nn.Module) -> None:
    """Raise where a hook may change outputs or gradients: what it does cannot be seen from outside."""
    for name, part in module.named_modules():
        for where, called in HOOKS.items():
            if getattr(part, where, None):
                raise ValueError(
                    f"module has {_called(name, part)} with a {called}, which can change what it computes or learns; "
                    "remove the hook by the handle that registering it gave: handle.remove()."
                )


def _network(layers: Sequence[Layer]) -> DeepLinear | ReLU | FeedForward:
    """The network, with the weights as its start."""
    bias = layers[0].linear.bias is not None
    matrices = [_array(layer.linear.weight) for layer in layers]
    if bias:
        matrices = [np.column_stack([m, _array(k.linear.bias)]) for m, k in zip(matrices, layers, strict=True)]
    hidden = tuple(layer.linear.out_features for layer in layers[:-1])
    kinds = {_kind(layer) for layer in layers[:-1]}
    if _kind(layers[-1]) or len(kinds) > 1:
        odd = layers[-1] if _kind(layers[-1]) else next(k for k in layers if _kind(k) != _kind(layers[0]))
        raise ValueError(
            f"layer {odd.name!r} is followed by {_kind(odd) or 'no activation'}; fs.from_torch takes modules with the "
            "same activation behind every hidden layer, or with none at all, and none behind the last layer. For "
            "others write an fs.Network."
        )
    initial, kind = Weights(matrices), next(iter(kinds), "")
    if kind == "":
        return DeepLinear(hidden, initial=initial, bias=bias)
    if kind == "ReLU":
        return ReLU(hidden, initial=initial, bias=bias)
    if kind not in ACTIVATIONS:
        raise ValueError(
            f"layer {layers[0].name!r} is followed by {kind}; known are: ReLU, {', '.join(ACTIVATIONS)}. For others "
            "write an fs.Network."
        )
    return FeedForward(hidden, ACTIVATIONS[kind], initial=initial, bias=bias)


def _kind(layer: Layer) -> str:
    """The activation as PyTorch prints it, with its settings."""
    return "" if layer.activation is None else repr(layer.activation).removesuffix("()")


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().cpu().double().numpy()


def _predict(network: Network, x: np.ndarray, outputs: int) -> np.ndarray:
    """The network's own outputs, in double precision."""
    task = Task(x, np.zeros((len(x), outputs)))
    with in_double():
        return np.asarray(network.predict(network.start(task, seed=0), network.points(task).x))


def _check_outputs(module: nn.Module, network: DeepLinear | ReLU | FeedForward, layers: Sequence[Layer]) -> None:
    """Compare outputs on random inputs: patched methods and hooks of all modules are not visible in the layers."""
    import torch

    weight = layers[0].linear.weight
    x = np.random.default_rng(0).standard_normal((CHECKED, layers[0].linear.in_features))
    given = torch.from_numpy(x).to(weight)
    with torch.no_grad():
        theirs = _array(module(given))
    x = _array(given)
    ours = _predict(network, x, theirs.shape[-1])
    scale = float(np.abs(ours).max()) or 1.0
    off = float(np.abs(ours - theirs).max()) / scale if theirs.shape == ours.shape else np.inf
    if not off <= ROUNDING * torch.finfo(weight.dtype).eps:
        raise ValueError(
            f"module gives other outputs than its layers {[layer.name for layer in layers]} say (off by {off:.2g} of "
            "the largest); it computes something besides them, such as a forward method that was replaced: remove it."
        )

"""Networks of PyTorch as networks of festina."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from festina.core.network import Network
from festina.core.task import Task
from festina.initial import Weights
from festina.interop.operation import Activation, Dense, Reshape, Step
from festina.interop.reader import difference
from festina.interop.torch_module import called, double, kind_of, read_steps
from festina.linear import DeepLinear
from festina.relu import ReLU
from festina.representation import FeedForward
from festina.runtime.device import in_double

if TYPE_CHECKING:
    from torch import nn

CHECKED = 64
"""Random inputs on which the network's outputs are compared with the module's."""

ROUNDING = 100
"""Largest difference of the two outputs, in units of the module's own rounding error, that sums in another order make;
a wrong activation or a forgotten bias differs by far more."""

ACTIVATIONS = {
    ("tanh", 0.0, False): "tanh", ("sigmoid", 0.0, False): "sigmoid", ("silu", 0.0, False): "swish",
    ("gelu", 0.0, False): "gelu", ("leaky_relu", 0.01, False): "leaky relu", ("elu", 0.0, False): "elu",
}  # fmt: skip
"""Activations of ``fs.FeedForward``, by name, slope and form of what was read."""

HOOKS = {
    "_forward_pre_hooks": "forward pre-hook", "_forward_hooks": "forward hook",
    "_backward_pre_hooks": "backward pre-hook", "_backward_hooks": "backward hook",
}  # fmt: skip
"""Where PyTorch keeps the hooks of a module, and what they are called."""

GRADIENT_HOOKS = ("_backward_hooks", "_post_accumulate_grad_hooks")
"""Where PyTorch keeps the hooks of a parameter, which may change its gradient or the parameter itself."""

NEEDED = "a torch.nn.Linear, or a torch.nn.Sequential of Linear layers with the same activation between them, is needed"
UNKNOWN = f"whose computation festina does not know; {NEEDED}. For other networks write an fs.Network."

FLATTEN = "only a Flatten() along the axes 1 to -1 at the beginning is passed over"


@dataclass(frozen=True, eq=False)
class Layer:
    """A Linear layer, by its place in the module, and the activation behind it, if any."""

    name: str
    dense: Dense
    after: Step | None = None

    @property
    def activation(self) -> tuple[str, float, bool] | None:
        """What the activation behind it computes: its name, slope and form."""
        if self.after is None or not isinstance(self.after.operation, Activation):
            return None
        return self.after.operation.name, self.after.operation.slope, self.after.operation.tanh


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
    _check_parts(module)
    layers = _layers(read_steps("module", module, NEEDED))
    network = _network(layers)
    _check_outputs(module, network, layers)
    return network


def _check_parts(module: nn.Module) -> None:
    """Raise where training the module in PyTorch is not training its matrices one by one."""
    from torch import nn

    seen: dict[int, str] = {}
    for name, part in module.named_modules(remove_duplicate=False):
        if isinstance(part, nn.Linear):
            _check_linear(name, part, seen)
        is_container = isinstance(part, nn.Sequential)
        if not kind_of(part) or (list(part.children()) and not is_container):
            raise ValueError(f"module has {_called(name, type(part).__name__)}, {UNKNOWN}")
        if isinstance(part, nn.Flatten) and (part.start_dim, part.end_dim) != (1, -1):
            raise ValueError(f"module has {_called(name, called(part))}; {FLATTEN}.")
        if isinstance(part, nn.Dropout) and part.training and part.p > 0:
            raise ValueError(
                f"module has layer {name!r} (Dropout) in training mode, which draws random numbers; call module.eval() "
                "to take the network without dropout."
            )
        for where, hook in HOOKS.items():
            if getattr(part, where, None):
                raise ValueError(
                    f"module has {_called(name, type(part).__name__)} with a {hook}, which can change what it computes "
                    "or learns; remove the hook by the handle that registering it gave: handle.remove()."
                )


def _called(name: str, kind: str) -> str:
    return f"layer {name!r} ({kind})" if name else kind


def _check_linear(name: str, linear: nn.Linear, seen: dict[int, str]) -> None:
    """Raise where a layer has no values yet, or does not learn as a matrix of its own."""
    import torch

    _check_values(name, linear)
    if torch.nn.utils.parametrize.is_parametrized(linear):
        raise ValueError(
            f"layer {name!r} computes its weights from other parameters (a parametrization), which learn "
            "differently; remove it with torch.nn.utils.parametrize.remove_parametrizations."
        )
    found, plain = {key for key, _ in linear.named_parameters()}, {"weight"}
    if linear.bias is not None:
        plain.add("bias")
    if found != plain:
        raise ValueError(
            f"layer {name!r} has the parameters {', '.join(sorted(found)) or '(none)'}, but festina trains "
            f"{' and '.join(sorted(plain, reverse=True))}. Make it a plain layer first: pruning ends with "
            "torch.nn.utils.prune.remove, normalization with torch.nn.utils.remove_weight_norm or "
            "remove_spectral_norm."
        )
    for parameter in linear.parameters():
        if any(getattr(parameter, where, None) for where in GRADIENT_HOOKS):
            raise ValueError(
                f"layer {name!r} has a parameter with a gradient hook, which can change how it learns; "
                "remove the hook by the handle that register_hook gave: handle.remove()."
            )
        if not parameter.requires_grad:
            raise ValueError(
                f"layer {name!r} has weights that do not require gradients, but festina trains all layers; "
                "call requires_grad_(True), or leave the fixed layers out and give their outputs as x."
            )
        if seen.setdefault(id(parameter), name) != name:
            raise ValueError(
                f"layers {seen[id(parameter)]!r} and {name!r} share weights, which learn together; give each "
                "layer its own."
            )


def _check_values(name: str, linear: nn.Linear) -> None:
    """Raise where a layer has a shape or a place, but no numbers."""
    from torch.nn.parameter import is_lazy

    if any(is_lazy(parameter) for parameter in linear.parameters()):
        raise ValueError(
            f"layer {name!r} is {type(linear).__name__}, whose weights are not made before the first "
            "forward pass; call the module once on some inputs, or use torch.nn.Linear with the number of inputs."
        )
    if any(parameter.is_meta for parameter in linear.parameters()):
        raise ValueError(
            f"layer {name!r} is on the device 'meta', where weights have a shape but no values; make the module "
            "on a device such as 'cpu', or load its weights with load_state_dict(..., assign=True)."
        )


def _layers(steps: Sequence[Step]) -> list[Layer]:
    """Linear layers from the input to the output, each with its activation."""
    layers: list[Layer] = []
    for step in steps:
        place = _called(step.name, step.kind)
        if isinstance(step.operation, Dense):
            layers.append(Layer(step.name, step.operation))
        elif isinstance(step.operation, Reshape):
            if layers or step.operation.shape:
                raise ValueError(f"module has {place}{' behind a Linear layer' if layers else ''}; {FLATTEN}.")
        elif not isinstance(step.operation, Activation):
            raise ValueError(f"module has {place}, {UNKNOWN}")
        elif not layers:
            raise ValueError(f"module begins with {place}; {NEEDED}.")
        elif layers[-1].after is not None:
            raise ValueError(f"module has {place} right behind another activation; {NEEDED}.")
        else:
            layers[-1] = replace(layers[-1], after=step)
    if not layers:
        raise ValueError(f"module has no Linear layer; {NEEDED}.")
    for first, second in pairwise(layers):
        outputs, inputs = len(first.dense.matrix), second.dense.matrix.shape[1]
        if outputs != inputs:
            raise ValueError(
                f"layer {first.name!r} has {outputs} outputs and layer {second.name!r} {inputs} inputs; they do not "
                "follow one another."
            )
        if first.dense.biased != second.dense.biased:
            with_bias, without = (first, second) if first.dense.biased else (second, first)
            raise ValueError(
                f"layer {with_bias.name!r} has biases and layer {without.name!r} has none; give biases to all layers, "
                "or to none."
            )
    return layers


def _network(layers: Sequence[Layer]) -> DeepLinear | ReLU | FeedForward:
    """The network, with the weights as its start."""
    first, last = layers[0], layers[-1]
    uneven = (layer for layer in layers[:-1] if layer.activation != first.activation)
    odd = last if last.after is not None else next(uneven, None)
    if odd is not None:
        follower = "no activation" if odd.after is None else odd.after.kind
        raise ValueError(
            f"layer {odd.name!r} is followed by {follower}; fs.from_torch takes modules with the same activation "
            "behind every hidden layer, or with none at all, and none behind the last layer. For others write an "
            "fs.Network."
        )
    bias = first.dense.biased
    dense = [layer.dense for layer in layers]
    initial = Weights([np.column_stack([d.matrix, d.bias]) if bias else d.matrix for d in dense])
    hidden = tuple(len(d.matrix) for d in dense[:-1])
    if first.after is None or first.activation is None:
        return DeepLinear(hidden, initial=initial, bias=bias)
    if first.activation[0] == "relu":
        return ReLU(hidden, initial=initial, bias=bias)
    if first.activation not in ACTIVATIONS:
        raise ValueError(
            f"layer {first.name!r} is followed by {first.after.kind}; known are: ReLU, Tanh, Sigmoid, SiLU, "
            "GELU(approximate='none'), LeakyReLU(negative_slope=0.01) and ELU(alpha=1.0). For others write an "
            "fs.Network."
        )
    return FeedForward(hidden, ACTIVATIONS[first.activation], initial=initial, bias=bias)


def _check_outputs(module: nn.Module, network: Network, layers: Sequence[Layer]) -> None:
    """Compare outputs on random inputs: patched methods and hooks of all modules are not visible in the layers."""
    import torch

    weight = next(module.parameters())
    x = np.random.default_rng(0).standard_normal((CHECKED, layers[0].dense.matrix.shape[1]))
    given = torch.from_numpy(x).to(weight)
    with torch.no_grad():
        own = double(module(given))
    task = Task(double(given), np.zeros((CHECKED, len(layers[-1].dense.matrix))))
    with in_double():
        ours = np.asarray(network.predict(network.start(task, seed=0), network.points(task).x))
    off = difference(ours, own)
    if not off <= ROUNDING * torch.finfo(weight.dtype).eps:
        raise ValueError(
            f"module gives other outputs than its layers {[layer.name for layer in layers]} say (off by {off:.2g} of "
            "the largest); it computes something besides them, such as a forward method that was replaced: remove it."
        )

"""Networks of PyTorch as networks of festina."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from festina.core import Network, Task
from festina.interop.operation import Activation, Dense, Reshape
from festina.interop.reader import difference
from festina.interop.torch_module import (
    OUT,
    double,
    read_graph,
    read_steps,
    redrawn,
    refuse_compiled,
    without_dropout,
)
from festina.interop.traced import CalledModule, ModuleWeights, TracedModule
from festina.linear import DeepLinear
from festina.relu import ReLU
from festina.representation import FeedForward
from festina.runtime.device import in_double

if TYPE_CHECKING:
    import torch
    from torch import nn

CHECKED = 16
"""Random inputs on which outputs and gradients are compared with the module's."""

ROUNDING = 1e-7
"""Largest difference of the two, in double precision and relative to the largest, that is rounding: some gradients of
PyTorch have constants of single precision (Hardsigmoid). A wrong activation, a forgotten bias or a backward pass of its
own differ by far more."""

STEP, SLOPE = 1e-6, 1e-4
"""Relative change of weights for a numerical derivative, and how far it may be from the module's own."""

ACTIVATIONS = {"tanh": "tanh", "sigmoid": "sigmoid", "silu": "swish", "gelu": "gelu", "leaky_relu": "leaky relu",
               "elu": "elu"}  # fmt: skip
"""Activations of ``fs.FeedForward``, by the name of what was read."""

HOOKS = {
    "_forward_pre_hooks": "forward pre-hook", "_forward_hooks": "forward hook",
    "_backward_pre_hooks": "backward pre-hook", "_backward_hooks": "backward hook",
}  # fmt: skip
"""Attributes in which PyTorch keeps the hooks of a module, and their names."""

GRADIENT_HOOKS = ("_backward_hooks", "_post_accumulate_grad_hooks")
"""Attributes in which PyTorch keeps the hooks of a parameter, which may change its gradient or the parameter itself."""

NEEDED = "a torch.nn.Module is needed"


class Layer(NamedTuple):
    """A Linear layer, by its place in the module, and the activation behind it, if any."""

    name: str
    dense: Dense
    activation: Activation | None = None


def from_torch(module: nn.Module, example: object = None) -> DeepLinear | ReLU | FeedForward | TracedModule:
    """The network of any PyTorch module, which starts from the module's weights as they are now.

    ``fs.Train.like(optimizer, scheduler)`` then takes the steps that PyTorch takes, and theories and ``fs.Flow``
    predict them from the same start. Linear layers one after another become ``fs.DeepLinear``, ``fs.ReLU`` or
    ``fs.FeedForward``, which have theories of their own. Any other module is traced (torch.export) and runs in JAX:
    your own modules, convolutions, normalisation, attention, recurrence, embeddings, skip connections. Where it holds
    what cannot be traced or is not known in JAX, PyTorch itself runs it, which takes longer. Shared weights learn
    together, and frozen ones (``requires_grad=False``) stay as they are. BatchNorm and Dropout are taken in the mode
    that they are in, ``module.train()`` or ``module.eval()``. In training mode BatchNorm uses the statistics of
    the batch, also for test points; the running ones are not followed.

    The module itself is not changed. Its outputs and gradients are compared with the network's on random inputs.

    Args:
        module: any module of one tensor in, one tensor out, whose first axis is the data points.
        example: inputs as the module takes them, one or more data points: their shape, and whether they are whole
            numbers (tokens). Not needed where the module begins with a Linear layer.

    Returns:
        A network for tasks whose rows hold the numbers of a data point, ``x.reshape(len(x), -1)``. Seed 0 starts from
        the module's weights; others are drawn by ``reset_parameters`` of its parts.

    Raises:
        ValueError: a module whose gradients are not those of its outputs, or which draws random numbers in operations
            that are not known (by the name of the layer); hooks; weights without values, complex or of mixed precision,
            or that share memory without being one parameter.

    Example:
        >>> import torch, festina as fs
        >>> module = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).double()
        >>> network = fs.from_torch(module)
        >>> type(network).__name__, network.hidden, network.bias
        ('ReLU', (8,), True)
        >>> fs.from_torch(torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.LayerNorm(8), torch.nn.Linear(8, 2)))
        TracedModule(Sequential: 4 -> 2, 74 weights)
    """
    import torch

    if not isinstance(module, torch.nn.Module):
        raise ValueError(f"module is {type(module).__name__}; {NEEDED}.")
    _check_parts(module)
    inputs = _example(module, example)
    try:
        exact = deepcopy(module).to("cpu", torch.float64)
    except (RuntimeError, TypeError) as error:
        raise ValueError(f"module cannot be copied ({str(error).splitlines()[0]}); {OUT}.") from None
    layers = _layers(module)
    own = _Own(exact, inputs, {key: p for key, p in module.named_parameters() if p.requires_grad})
    network = None if layers is None else _special(module, layers)
    if network is not None and _agrees(network, own):
        return network

    def network_of(forward: object, names: Iterable[str]) -> TracedModule:
        def drawn(seed: int) -> dict[str, np.ndarray]:
            made = module if seed == 0 else redrawn(module, seed)
            return {name: double(made.get_parameter(name)) for name in names}

        size = inputs[0].numel(), own.outputs.shape[1]
        return TracedModule(forward, drawn(0), *size, type(module).__name__, redraw=drawn)

    try:
        network = network_of(*read_graph("module", exact, inputs))
        reason = f"its forward pass depends on the values or the number of its inputs; {OUT}"
    except ValueError as error:
        network, reason = None, str(error)
    if network is None or not _agrees(network, own):
        shape = tuple(inputs.shape[1:])
        called = CalledModule(exact, shape, own.outputs.shape[1], not inputs.is_floating_point())
        network = network_of(called, own.gradients)
        _check_called(network, own, reason)
    if not network.weights:
        raise ValueError("module has no weights that require gradients; nothing can be learned.")
    return network


def _check_parts(module: nn.Module) -> None:
    """Raise where a module has no numbers yet, or where training it is not descent along its gradient."""
    from torch import nn

    refuse_compiled("module", module)
    _check_parameters(module)
    for name, part in module.named_modules(remove_duplicate=False):
        if isinstance(part, nn.Linear):
            _check_linear(name, part)
        for where, hook in HOOKS.items():
            if getattr(part, where, None):
                place = f"layer {name!r} ({type(part).__name__})" if name else type(part).__name__
                raise ValueError(
                    f"module has {place} with a {hook}, which can change what it computes or learns; remove the hook "
                    "by the handle that registering it gave: handle.remove()."
                )


def _check_linear(name: str, linear: nn.Linear) -> None:
    """Raise where weights are computed by hooks."""
    if any(f"{key}_orig" in linear._parameters or f"{key}_g" in linear._parameters for key in ("weight", "bias")):
        raise ValueError(
            f"layer {name!r} has the parameters {', '.join(sorted(linear._parameters))}, of which a hook computes its "
            "weights. Make it a plain layer first: pruning ends with torch.nn.utils.prune.remove, normalization with "
            "torch.nn.utils.remove_weight_norm or remove_spectral_norm."
        )


def _check_parameters(module: nn.Module) -> None:
    """Raise where parameters have no values, are not real numbers of one precision, or do not learn by themselves."""
    from torch.nn.parameter import is_lazy

    memory: dict[int, tuple[str, int]] = {}
    for name, parameter in module.named_parameters():
        if is_lazy(parameter):
            raise ValueError(
                f"weight {name!r} is of a lazy layer, whose weights are not made before the first forward pass; call "
                "the module once on some inputs."
            )
        if parameter.is_meta:
            raise ValueError(
                f"weight {name!r} is on the device 'meta', where weights have a shape but no values; make the module "
                "on a device such as 'cpu', or load its weights with load_state_dict(..., assign=True)."
            )
        if parameter.is_complex():
            raise ValueError(f"weight {name!r} is complex; festina trains real numbers: {OUT}.")
        if any(getattr(parameter, where, None) for where in GRADIENT_HOOKS):
            raise ValueError(
                f"weight {name!r} has a gradient hook, which can change how it learns; remove the hook by the handle "
                "that register_hook gave: handle.remove()."
            )
        first, owner = memory.setdefault(parameter.untyped_storage().data_ptr(), (name, id(parameter)))
        if owner != id(parameter) and parameter.numel():
            raise ValueError(
                f"weights {first!r} and {name!r} are two parameters in the same memory (tied through .data); make them "
                "one parameter, second.weight = first.weight, or use the weight twice: F.linear(x, first.weight.t())."
            )
    kinds = {p.dtype: name for name, p in module.named_parameters() if p.is_floating_point()}
    if len(kinds) > 1:
        shown = " and ".join(f"{name!r} ({str(kind).removeprefix('torch.')})" for kind, name in kinds.items())
        raise ValueError(f"module has weights of different precision, {shown}; give it one: module.double().")


def _example(module: nn.Module, example: object) -> torch.Tensor:
    """Inputs of the module's own shape: those that are given, or rows for a first Linear layer."""
    import torch
    from torch import nn

    if example is None:
        parts = (p for p in module.modules() if isinstance(p, nn.Linear) or not any(True for _ in p.children()))
        first = next((part for part in parts if any(True for _ in part.parameters())), None)
        if not isinstance(first, nn.Linear):
            kind = "no weights" if first is None else f"{type(first).__name__} as its first layer"
            raise ValueError(f"module has {kind}; give inputs as it takes them: fs.from_torch(module, example=x).")
        return torch.zeros(2, first.in_features, dtype=torch.float64)
    given = torch.as_tensor(example).detach().cpu()
    if given.ndim < 2 or not given.numel() or given.is_complex():
        raise ValueError(f"example has shape {tuple(given.shape)}; data points with at least one axis each are needed.")
    return given.double() if given.is_floating_point() else given.long()


class _Own:
    """Results of the module itself on random inputs, in double precision: outputs, and gradients by name.

    The module is a copy. Functions are not copied with it, so that one of them may still use the ``original`` weights.
    """

    def __init__(self, module: nn.Module, example: torch.Tensor, original: dict[str, nn.Parameter]) -> None:
        import torch

        rng = np.random.default_rng(0)
        shape = (CHECKED, *example.shape[1:])
        if example.is_floating_point():
            x = torch.from_numpy(rng.standard_normal(shape))
        else:
            x = torch.from_numpy(rng.choice(np.unique(example.numpy()), shape))
        self.x = x.numpy().reshape(CHECKED, -1).astype(float)
        module = deepcopy(module)  # running statistics of normalisation change
        parameters = {key: p for key, p in module.named_parameters() if p.requires_grad}
        try:
            with without_dropout():
                outputs = module(x)
                if not isinstance(outputs, torch.Tensor) or outputs.is_complex() or len(outputs) != CHECKED:
                    found = getattr(outputs, "shape", type(outputs).__name__)
                    raise ValueError(
                        f"module gives {found} for {CHECKED} data points; one tensor of real numbers, with the data "
                        "points along its first axis, is needed: wrap it in a module."
                    )
                flat = outputs.reshape(CHECKED, -1)
                self.direction = rng.standard_normal(flat.shape)
                found = torch.autograd.grad(
                    (flat * torch.from_numpy(self.direction)).sum(), [*parameters.values(), *original.values()],
                    allow_unused=True,
                )  # fmt: skip
                off = difference(double(module(x).reshape(CHECKED, -1)), double(flat))
        except (RuntimeError, TypeError, IndexError) as error:
            raise ValueError(
                f"module cannot be called in double precision with inputs of shape {tuple(x.shape)} "
                f"({str(error).splitlines()[0]}); give example=x in the shape and kind of numbers that it takes."
            ) from None
        reached = [key for key, g in zip(original, found[len(parameters) :], strict=True) if g is not None]
        if reached:
            raise ValueError(
                f"module has a function that holds weight {reached[0]!r} itself, such as a forward that was put on a "
                "layer, so that a copy of the module uses the same weight; write that function as a method of a class."
            )
        self.outputs = double(flat)
        if off > ROUNDING:
            raise ValueError(
                f"module gives other outputs when it is called again (off by {off:.2g} of the largest): it keeps a "
                f"state between calls, such as a counter, or draws random numbers; {OUT}."
            )
        self.gradients = {
            key: np.zeros(tuple(p.shape)) if g is None else double(g)
            for (key, p), g in zip(parameters.items(), found, strict=False)
        }


def _computed(network: Network, own: _Own) -> tuple[np.ndarray, Any]:
    import jax

    task = Task(own.x, np.zeros(own.outputs.shape))
    with in_double():
        start, x = network.start(task, seed=0), network.points(task).x
        outputs, back = jax.vjp(jax.jit(lambda w: network.predict(w, x)), start)
        return np.asarray(outputs), jax.tree.map(np.asarray, back(own.direction)[0])


def _agrees(network: Network, own: _Own) -> bool:
    """Whether outputs and gradients are the module's; the gradients in whatever order weights are held."""
    import jax

    try:
        outputs, gradients = _computed(network, own)
    except (IndexError, TypeError, ValueError):  # layers that do not fit what the module takes
        return False
    expected = np.concatenate([np.ravel(g) for g in own.gradients.values()]) if own.gradients else np.zeros(1)
    if isinstance(network, TracedModule):
        ordered = [gradients.get(name, np.zeros_like(g)) for name, g in own.gradients.items()]
        found = np.concatenate([np.ravel(g) for g in ordered]) if ordered else np.zeros(1)
    else:
        found = np.sort(np.concatenate([np.ravel(g) for g in jax.tree.leaves(gradients)]))
        expected = np.sort(expected)
    return difference(outputs, own.outputs) <= ROUNDING and difference(found, expected) <= ROUNDING


def _check_called(network: TracedModule, own: _Own, reason: str) -> None:
    """Raise where outputs are not the same again, or gradients do not say how they change with the weights."""
    outputs, gradients = _computed(network, own)
    if not difference(outputs, own.outputs) <= ROUNDING:
        raise ValueError(f"module gives other outputs when it is called again, and is not known otherwise: {reason}")
    rng, weights = np.random.default_rng(0), network.weights
    change = {key: STEP * np.abs(w).max(initial=0.0) * rng.standard_normal(w.shape) for key, w in weights.items()}
    with in_double():
        ahead, behind = (
            np.asarray(network.predict({key: w + way * change[key] for key, w in weights.items()}, own.x))
            for way in (1, -1)
        )
    found = np.array([np.sum((ahead - behind) * own.direction) / 2])
    expected = np.array([sum(np.sum(gradients[key] * change[key]) for key in weights)])
    if not difference(found, expected) <= SLOPE:
        raise ValueError(
            "module has other gradients than its outputs have: a backward pass of its own, detach() or no_grad(). "
            f"Freeze weights by requires_grad_(False) instead, or {OUT}."
        )


def _layers(module: nn.Module) -> list[Layer] | None:
    """Linear layers from the input to the output, each with its activation; None if there is anything else."""
    from torch import nn

    drops = [p for p in module.modules() if isinstance(p, nn.modules.dropout._DropoutNd) and p.training and p.p > 0]
    learned = all(p.requires_grad for p in module.parameters())
    if drops or not learned:
        return None
    try:
        steps = read_steps("module", module)
    except ValueError:  # a forward pass that is not one line
        return None
    layers: list[Layer] = []
    for step in steps:
        if isinstance(step.operation, Dense):
            layers.append(Layer(step.name, step.operation))
        elif isinstance(step.operation, Reshape) and not layers and not step.operation.shape:
            continue
        elif isinstance(step.operation, Activation) and layers and layers[-1].activation is None:
            layers[-1] = layers[-1]._replace(activation=step.operation)
        else:
            return None
    same = len({layer.activation for layer in layers[:-1]}) <= 1 and len({layer.dense.biased for layer in layers}) == 1
    fit = all(len(a.dense.matrix) == b.dense.matrix.shape[1] for a, b in pairwise(layers))
    held = [id(p) for layer in layers for p in module.get_submodule(layer.name).parameters(recurse=False)]
    once = len({layer.name for layer in layers}) == len(layers) and len(set(held)) == len(held)
    return layers if layers and same and fit and once and layers[-1].activation is None else None


def _matrices(module: nn.Module, layers: Sequence[Layer]) -> list[np.ndarray]:
    """The matrix of each layer, with its biases as a last column where it has them."""
    found: Any = [module.get_submodule(layer.name) for layer in layers]
    pairs = [(double(part.weight), None if part.bias is None else double(part.bias)) for part in found]
    return [matrix if bias is None else np.column_stack([matrix, bias]) for matrix, bias in pairs]


def _special(module: nn.Module, layers: Sequence[Layer]) -> DeepLinear | ReLU | FeedForward | None:
    """The network that has theories of its own, with the weights as its start; None if there is none."""
    activation, bias = layers[0].activation, layers[0].dense.biased
    initial = ModuleWeights(_matrices(module, layers), redraw=lambda seed: _matrices(redrawn(module, seed), layers))
    hidden = tuple(len(layer.dense.matrix) for layer in layers[:-1])
    if activation is None:
        return DeepLinear(hidden, initial=initial, bias=bias)
    if activation.name == "relu":
        return ReLU(hidden, initial=initial, bias=bias)
    known = ACTIVATIONS.get(activation.name)
    if known is None or activation.slope < 0 or activation.tanh:
        return None
    network = FeedForward(hidden, known, initial=initial, bias=bias)
    return replace(network, negative_slope=activation.slope) if known == "leaky relu" else network

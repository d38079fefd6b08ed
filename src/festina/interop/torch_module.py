"""PyTorch modules: their forward pass as steps or as a graph, their layers by name, and hooks for a while.

``read_steps`` gives layers one after another, by the names that users know (torch.fx). ``read_graph`` gives any forward
pass, in the basic operations that PyTorch reduces it to (torch.export).
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, redirect_stderr
from copy import deepcopy
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.interop.graph import Call, Graph
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
    from torch._ops import OpOverload
    from torch.export import ExportedProgram

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


def torch_outputs(name: str, model: nn.Module, x: np.ndarray) -> np.ndarray:
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
            raise ValueError(
                f"{name} cannot be called with x of shape {x.shape} ({str(error).splitlines()[0]}); give x in the "
                "shape that it takes, (points, channels, height, width) for a convolution, or image_shape."
            ) from None


def without_dropout() -> AbstractContextManager[Any]:
    """Inside, dropout drops nothing: what PyTorch draws for it is replaced by its mean."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class NoDropout(TorchDispatchMode):
        def __torch_dispatch__(
            self, func: OpOverload, types: object, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
        ) -> Any:
            if func.name() == "aten::bernoulli_.float":
                return args[0].fill_(args[1] if len(args) > 1 else 0.5)
            return func(*args, **(kwargs or {}))

    return NoDropout()


SPREAD = 5.0
"""Standard errors by which the size of a weight may differ from what the module's initialisation draws."""


def redrawn(module: nn.Module, seed: int) -> nn.Module:
    """A copy of a module, with the weights that learn drawn anew by ``reset_parameters`` of its parts."""
    import torch

    made, parts = deepcopy(module), []
    frozen = {key: p.detach().clone() for key, p in made.named_parameters() if not p.requires_grad}
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(seed)
        # the parts of a part come first, since it may change what they draw
        for name, part in reversed(list(made.named_modules())):
            own = [key for key, p in part.named_parameters(recurse=False) if p.requires_grad]
            draw = getattr(part, "reset_parameters", None) or getattr(part, "_reset_parameters", None)
            if own and draw is None:
                place = f"layer {name!r} ({type(part).__name__})" if name else type(part).__name__
                raise ValueError(
                    f"seed is {seed}, and module has {place} with weights {', '.join(own)} but without "
                    "reset_parameters(), so that they cannot be drawn again; write that method, or use seed=0 alone."
                )
            if own and draw is not None:
                draw()
                parts.append(name)
        for key, value in frozen.items():
            made.get_parameter(key).copy_(value)
    drawn = dict(made.named_parameters())
    for key, parameter in module.named_parameters():
        now, new = (float(p.detach().double().square().mean().sqrt()) for p in (parameter, drawn[key]))
        if abs(now - new) > SPREAD * max(now, new) / (2 * parameter.numel()) ** 0.5:
            raise ValueError(
                f"seed is {seed}, and weight {key!r} of module has a root mean square of {now:.3g}, where "
                f"reset_parameters() draws {new:.3g}: the module is trained, or has an initialisation of its own. Use "
                "seed=0 alone, or put that initialisation into reset_parameters()."
            )
    return made


def read_steps(name: str, model: nn.Module) -> tuple[Step, ...]:
    """The steps of a module's forward pass in evaluation mode, which has to be one line.

    A step that is not known has no operation.
    """
    import torch
    from torch import fx

    class Tracer(fx.Tracer):
        def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
            return super().is_leaf_module(m, module_qualified_name) or kind_of(m) in {*PLAIN, *MODULES, *IGNORED}

    refuse_compiled(name, model, parts=False)
    # only the calls of such a layer are followed, not its inside
    whole = torch.nn.Sequential(model) if kind_of(model) in {*PLAIN, *MODULES} else model
    with evaluating(model):
        try:
            graph = Tracer().trace(whole)
        except Exception as error:  # whatever the user's forward pass raises when it is given no numbers
            raise ValueError(
                f"{name} cannot be read: its forward pass depends on the values of its inputs, or cannot be followed "
                f"({str(error).splitlines()[0]}); {NEEDED}."
            ) from None
    modules = dict(whole.named_modules())
    steps = [_step(node, modules, "" if whole is not model else node.target) for node in _line(name, graph)]
    held = {id(p) for m in model.modules() if kind_of(m) in WEIGHTED for p in m.parameters(recurse=False)}
    rest = [key for key, p in model.named_parameters() if id(p) not in held]
    if rest and all(step.operation is not None for step in steps):
        raise ValueError(f"{name} has weights {', '.join(rest)} outside the layers that it calls; {NEEDED}.")
    return tuple(step for step in steps if step.kind not in IGNORED)


TRACED = 211
"""Data points with which a module is traced. A multiple of it among the arguments of a call stands for the number of
points, which calls such as ``len(x)`` put there. The comparison of outputs uses another number."""

LAST = 2**63 - 1
"""How PyTorch writes the end of a slice that goes to the end."""

UNUSED = ("device", "layout", "pin_memory", "memory_format", "non_blocking")
"""Arguments that say where and how numbers are stored, which JAX decides."""

OUT = "replace that layer, or write the network as an fs.Network (docs: Describe it)"
"""The way out where a module cannot be read."""


def read_graph(name: str, module: nn.Module, example: torch.Tensor) -> tuple[Graph, dict[str, np.ndarray]]:
    """Any forward pass as a graph, in the mode the module is in, and the weights that learn, by name.

    Weights that do not require gradients, and buffers, are constants of the graph. A weight with several names learns
    under its first. Running statistics of normalisation in training mode are left out: they do not act on training.

    Args:
        name: the name of the argument, for errors.
        module: in double precision.
        example: inputs, the first axis of which is data points.
    """
    from torch import nn
    from torch.export import Dim, default_decompositions, export

    from festina.interop.aten import WHOLE

    # tracing fails for modules whose parts have names of its own, such as "code", unless they are parts of a part
    module = nn.Sequential(module)

    few = example[:1].expand(TRACED, *example.shape[1:])
    kept, whole = default_decompositions(), not example.is_floating_point()
    for overload in [op for op in kept.decomp_table if op.name().removeprefix("aten::").split(".")[0] in WHOLE]:
        kept.pop(overload)
    logged = logging.root.manager.disable
    logging.disable()  # what cannot be traced is run by PyTorch or refused in words
    try:
        with warnings.catch_warnings(), redirect_stderr(StringIO()):
            warnings.simplefilter("ignore")
            program = export(module, (few,), dynamic_shapes=({0: Dim.AUTO},), strict=False).run_decompositions(kept)
    except Exception as error:  # whatever the user's forward pass, or tracing it, raises
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise ValueError(
            f"{name} cannot be traced on inputs of shape {tuple(few.shape)} ({reason}); give example=x in the shape "
            f"that it takes, or {OUT}."
        ) from None
    finally:
        logging.disable(logged)
    places, weights, constants = _held(name, module, program)
    results = [spec for spec in program.graph_signature.output_specs if spec.kind.name == "USER_OUTPUT"]
    nodes = {node.name: node for node in program.graph.nodes}
    if len(results) != 1 or getattr(results[0].arg, "name", None) not in nodes:
        raise ValueError(f"{name} returns {len(results)} things; one tensor of outputs is needed: wrap it in a module.")
    last = nodes[str(results[0].arg.name)]  # pyright: ignore[reportAttributeAccessIssue]
    for node in nodes.values():
        if "batch_norm_legit" in str(node.target) and len(node.args) == 8 and node.args[5]:
            node.args = (*node.args[:3], None, None, *node.args[5:])
    calls: list[Call] = []
    live = _behind(last)
    for node in (each for each in program.graph.nodes if each in live and each.op == "call_function"):
        arguments = _plain(node.args, places)
        named = tuple((key, _plain(each, places)) for key, each in node.kwargs.items() if key not in UNUSED)
        places[node.name] = ("value", len(calls))
        calls.append((_operation(name, node), arguments, named))
    if places[last.name] != ("value", len(calls) - 1):
        calls.append(("alias", (places[last.name],), ()))
    used = {place[1] for each in live if (place := places.get(each.name)) and place[0] != "value"}
    for spec in program.graph_signature.output_specs:
        if spec.kind.name == "BUFFER_MUTATION" and str(spec.target) in used:
            raise ValueError(f"{name} changes its buffer {str(spec.target)!r} as it computes, and uses it; {OUT}.")
    shape = tuple(int(n) for n in example.shape[1:])
    held = {key: value for key, value in constants.items() if key in used}
    return Graph(tuple(calls), shape, held, whole), {key: w for key, w in weights.items() if key in used}


def _held(
    name: str, module: nn.Module, program: ExportedProgram
) -> tuple[dict[str, tuple[str, Any]], dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Meaning of each input of a traced program, the weights that learn, and the arrays that do not."""
    first_names = {id(p): key.removeprefix("0.") for key, p in module.named_parameters()}
    places: dict[str, tuple[str, Any]] = {}
    weights: dict[str, np.ndarray] = {}
    constants: dict[str, np.ndarray] = {}
    for spec in program.graph_signature.input_specs:
        place, target = getattr(spec.arg, "name", ""), str(spec.target)
        if spec.kind.name == "USER_INPUT":
            places[place] = ("input", "")
        elif spec.kind.name == "PARAMETER" and (p := module.get_parameter(target)).requires_grad:
            places[place] = ("weight", first_names[id(p)])
            weights[first_names[id(p)]] = double(p)
        else:
            value: Any = program.constants.get(target, program.state_dict.get(target))
            if value is None:
                raise ValueError(f"{name} uses {target!r}, which is not a tensor; {OUT}.")
            places[place] = ("constant", target)
            constants[target] = value.detach().cpu().numpy()
    return places, weights, constants


def _behind(last: fx.Node) -> set[fx.Node]:
    """All nodes that a node depends on, and itself."""
    found, waiting = {last}, [last]
    while waiting:
        for node in waiting.pop().all_input_nodes:
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found


def _plain(argument: object, places: Mapping[str, tuple[str, Any]]) -> Any:
    """An argument of a call without PyTorch's own types."""
    import torch
    from torch import fx

    if isinstance(argument, fx.Node):
        return places[argument.name]
    if isinstance(argument, list | tuple):
        return tuple(_plain(each, places) for each in argument)
    if isinstance(argument, torch.dtype):
        return "float" if argument.is_floating_point else "bool" if argument == torch.bool else "int"
    if type(argument) is int and argument and argument != LAST and argument % TRACED == 0:
        return ("points", argument // TRACED)
    if isinstance(argument, torch.device | torch.layout | torch.memory_format):
        return None
    return argument


def _operation(name: str, node: fx.Node) -> str:
    """The name of the operation of a call, without its overload; an error that names the layer where it is unknown."""
    from festina.interop.aten import DRAWN, OPERATIONS

    target: Any = node.target
    found = target.name().removeprefix("aten::").split(".")[0] if hasattr(target, "overloadpacket") else _called(node)
    if found in OPERATIONS or found in DRAWN:
        return found
    stack = list((node.meta.get("nn_module_stack") or {"": ("", "module")}).values())
    place, kind = stack[-1][0].removeprefix("0").removeprefix("."), str(stack[-1][1]).rpartition(".")[2]
    where = f"layer {place!r} ({kind})" if place else kind
    raise ValueError(f"{name} holds {where}, which computes {found}; festina does not know that operation: {OUT}.")


def _line(name: str, graph: fx.Graph) -> Iterator[fx.Node]:
    """The calls of a graph, in order, each of which is given the result of the one before."""
    last = None
    for node in graph.nodes:
        if node.op == "placeholder":
            if last is not None:
                raise ValueError(f"{name} takes more than one input; {NEEDED}.")
            last = node
        elif node.op == "output":
            if node.args[0] is not last:
                raise ValueError(f"{name} does not return the result of its last layer alone; {NEEDED}.")
        elif not _asks_shape(node):
            if node.op == "get_attr" or [a for a in node.all_input_nodes if not _asks_shape(a)] != [last]:
                raise ValueError(
                    f"{name} holds {_called(node)!r} ({node.name}), which joins or splits the path of the data (a skip "
                    f"connection, for example) or uses other weights; {NEEDED}."
                )
            last = node
            yield node


def _called(node: fx.Node) -> str:
    return str(getattr(node.target, "__name__", node.target))


def _asks_shape(node: fx.Node) -> bool:
    """Whether a node is a number taken from a shape: part of a tensor (x[:, 0]) is not."""
    if _called(node) == "getitem":
        return _asks_shape(node.args[0])  # pyright: ignore[reportArgumentType]
    return _called(node) in SHAPES


def _step(node: fx.Node, modules: Mapping[str, nn.Module], name: object) -> Step:
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
    "Linear": lambda module: Dense(double(module.weight), _bias(module, module.out_features), module.bias is not None),
    "Conv2d": _convolution, "BatchNorm1d": _normalisation, "BatchNorm2d": _normalisation,
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
    return (value, value) if isinstance(value, int) else (int(value[0]), int(value[1]))

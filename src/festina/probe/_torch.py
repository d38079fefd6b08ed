"""Hooks on the named layers of a PyTorch module, there only while it is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks.shapes import ArrayLike
from festina.interop.torch_module import double, evaluating, layer_names, refuse_compiled
from festina.probe._probe import Probe, kernel_rates, select

if TYPE_CHECKING:
    import torch
    from torch import nn


class TorchProbe(Probe):
    """A probe of a ``torch.nn.Module``."""

    def __init__(
        self,
        model: nn.Module,
        x: ArrayLike,
        y: ArrayLike | None,
        layers: str | Sequence[str] | None,
        labels: ArrayLike | None,
        unit: str,
        kernel: bool = False,
    ):
        super().__init__(x, y, labels, unit, kernel)
        self.model, self.inputs = model, x
        refuse_compiled("model", model)
        self.names = select(layer_names(model), layers, layer_names(model, leaves=True))
        try:
            outputs = self.look()[0]
        except (RuntimeError, TypeError, IndexError) as error:
            raise ValueError(
                f"model cannot be called with x of shape {tuple(self._tensor().shape)} ({str(error).splitlines()[0]}); "
                "give x in the shape that it takes, one row per point."
            ) from error
        self.check_outputs(outputs)

    def look(self, *state: object) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """Run the points through the module in evaluation mode, without gradients."""
        import torch

        if state:
            raise ValueError(f"record got {len(state)} more argument(s) than the time; a PyTorch module needs none.")
        refuse_compiled("model", self.model)
        seen: dict[str, np.ndarray] = {}

        def keep(name: str) -> Any:
            def hook(_: object, __: object, output: object) -> None:
                seen[name] = _array(f"layer {name!r}", output)

            return hook

        with evaluating(self.model, {name: keep(name) for name in self.names}), torch.no_grad():
            outputs = _array("the network's output", self.model(self._tensor()))
        missing = [name for name in self.names if name not in seen]
        if missing:
            raise ValueError(
                f"layers {', '.join(missing)}: the forward pass did not run their hooks. Either it does not call them, "
                "or a part of the model was compiled by torch.compile before; watch other layers, or the model before "
                "it was compiled."
            )
        return outputs, seen

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that are watched, also before the first record."""
        return tuple(self.names)

    def kernel(self, *state: object) -> np.ndarray:
        """One backward pass for each point and output, in evaluation mode."""
        import torch

        parameters = self._learned()
        with evaluating(self.model), torch.enable_grad():
            outputs = self.model(self._tensor()).reshape(len(self._x), -1)
            found = np.zeros((len(outputs), len(outputs)))
            for column in outputs.T:
                slopes = np.stack([_slope(scalar, parameters) for scalar in column])
                found += slopes @ slopes.T
        return found / outputs.shape[1]

    def _learned(self) -> list[Any]:
        parameters = [p for p in self.model.parameters() if p.requires_grad]
        if not parameters:
            raise ValueError("model has no weights with requires_grad=True: it will not learn; unfreeze a part of it.")
        return parameters

    def rates(self, rows: Sequence[int], layer: str, *state: object) -> tuple[float, float, float]:
        """From derivatives by the parameters; cut at the layer by a hook that detaches what it gives."""
        import torch

        x = self._tensor()[list(rows)]
        parameters = self._learned()
        seen: dict[str, Any] = {}

        def cut(_: object, __: object, output: object) -> Any:
            if not isinstance(output, torch.Tensor):
                raise ValueError(f"layer {layer!r} gives {type(output).__name__}; a prediction needs one tensor.")
            seen["whole"] = output
            seen["cut"] = output.detach().requires_grad_(True)
            return seen["cut"]

        with evaluating(self.model), torch.enable_grad():
            whole = self.model(x).reshape(2, -1)
        with evaluating(self.model, {layer: cut}), torch.enable_grad():
            outputs = self.model(x).reshape(2, -1)
            hidden, count = seen["whole"].reshape(2, -1), outputs.shape[1]
            rows_of_j = []
            for o in range(count):
                (slope,) = torch.autograd.grad(outputs[:, o].sum(), seen["cut"], retain_graph=True)
                rows_of_j.append(slope.reshape(2, -1).mean(dim=0))
            k, d, total = np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2))
            power = float(sum(float(row.double().pow(2).sum()) for row in rows_of_j))
            for o, row in enumerate(rows_of_j):
                for scalars, into, size in (
                    ([hidden[i] @ row for i in range(2)], k, power),
                    ([outputs[i, o] for i in range(2)], d, count),
                    ([whole[i, o] for i in range(2)], total, count),
                ):
                    g = np.stack([_slope(scalar, parameters) for scalar in scalars])
                    np.add(into, g @ g.T / size, out=into)
        return kernel_rates(k, d, total, hidden.detach().double().numpy(force=True))

    def _tensor(self) -> Any:
        import torch

        first = next(self.model.parameters(), None)
        given = self.inputs if isinstance(self.inputs, torch.Tensor) else torch.tensor(np.asarray(self.inputs))
        if first is None:
            return given
        return given.to(first.device, first.dtype if given.is_floating_point() else None)


def _slope(scalar: torch.Tensor, parameters: Sequence[torch.Tensor]) -> np.ndarray:
    """The gradient of a number by all parameters, as one vector."""
    import torch

    if not scalar.requires_grad:
        # every parameter that it depends on is frozen
        return np.zeros(sum(p.numel() for p in parameters))
    found = torch.autograd.grad(scalar, list(parameters), retain_graph=True, allow_unused=True)
    flat = [torch.zeros_like(p) if g is None else g for p, g in zip(parameters, found, strict=True)]
    return torch.cat([g.reshape(-1) for g in flat]).double().numpy(force=True)


def _array(what: str, value: object) -> np.ndarray:
    tensor: Any = value[0] if isinstance(value, tuple | list) and value else value
    if not hasattr(tensor, "detach"):
        raise ValueError(f"{what} is {type(value).__name__}; a tensor with one row per point is needed.")
    return double(tensor)

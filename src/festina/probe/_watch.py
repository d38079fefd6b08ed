"""Choose the probe for a user's network."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from festina.checks.shapes import ArrayLike
from festina.probe._jax import JaxProbe
from festina.probe._probe import Probe
from festina.probe._torch import TorchProbe


def watch(
    model: object,
    x: ArrayLike,
    y: ArrayLike | None = None,
    layers: str | Sequence[str] | None = None,
    *,
    labels: ArrayLike | None = None,
    unit: str = "epochs",
    kernel: bool = False,
) -> Probe:
    """Watch data points in your own network while you train it; your model and training loop need no change.

    Args:
        model: a ``torch.nn.Module``, or a JAX function ``(parameters, x) -> (outputs, hidden)`` in which hidden is a
            dict of arrays by name, a sequence of arrays, or one array.
        x: the inputs of the points to watch, (points, …): two, or many.
        y: their targets, (points, outputs), or (points,) for one output.
        layers: names of the layers to watch, or patterns such as ``"blocks.*"``. For PyTorch they are names from
            ``model.named_modules()``, by default every module without children of its own.
        labels: class numbers instead of ``y``; the targets are then one-hot.
        unit: the unit of the times you record at, in words.
        kernel: record the tangent kernel of the points, too, for ``recording.alignment()``: one backward pass per point
            and output at each record.

    Returns:
        A ``Probe``: call ``probe.record(epoch)`` (PyTorch) or ``probe.record(epoch, parameters)`` (JAX) in the loop. It
        looks in evaluation mode, without gradients; hooks are there only while it looks, also when something fails.

    Raises:
        ValueError: a layer that is not there, a module that was compiled, points or targets that do not fit. A PyTorch
            module is run once to find out, now and not at the first record.

    Example:
        >>> import jax.numpy as jnp, festina as fs
        >>> def network(parameters, x):
        ...     hidden = jnp.tanh(x @ parameters["in"])
        ...     return hidden @ parameters["out"], {"hidden": hidden}
        >>> probe = fs.probe.watch(network, x=[[0.0], [1.0]], y=[[0.0], [1.0]])
        >>> for epoch in range(4):
        ...     probe.record(epoch, {"in": jnp.full((1, 3), 0.1 * (epoch + 1)), "out": jnp.ones((3, 1))})
        >>> probe
        Probe(2 points, 4 records, layers: hidden)
        >>> probe.pair().h.round(2)
        array([0.03, 0.12, 0.25, 0.43])
    """
    if "torch" in sys.modules:
        from torch import nn

        if isinstance(model, nn.Module):
            return TorchProbe(model, x, y, layers, labels, unit, kernel)
    if not callable(model):
        raise ValueError(
            f"model is {type(model).__name__}; a torch.nn.Module or a JAX function (parameters, x) -> (outputs, "
            "hidden) is needed."
        )
    return JaxProbe(model, x, y, layers, labels, unit, kernel)

"""Correction of a gradient flow prediction for a finite step, where the step of the predicted run is known."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from festina.analysis.compare import UNSTABLE
from festina.checks.shapes import Times
from festina.core import Run, Start, Task
from festina.core.network import Network, task_context

KEPT = 10**7
"""Weights of a path, all times and seeds together, up to which it is looked at between the start and the end: 80 MB."""


def step_error(loss: np.ndarray, times: Times, rate: float) -> np.ndarray:
    """Loss of gradient descent minus that of gradient flow, to first order in the rate η, from the flow's loss alone.

    Descent follows the flow of L + (η/4)‖∇L‖². Where the gradient g keeps its direction, the weights then differ by
    (η/4) g ln(‖g‖²/‖g₀‖²), and the loss by (η/4) ‖g‖² ln(‖g‖²/‖g₀‖²), with ‖g‖² = −dL/dt. Where
    it turns, the size is right within a factor of about two. Loss is ([seeds,] times).
    """
    if len(times) < 2:
        return np.zeros_like(loss)
    power = np.maximum(-np.gradient(loss, times, axis=-1), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = rate / 4 * power * np.log(power / power[..., :1])
    return np.where(np.isfinite(found), found, 0.0)


def with_step(network: Network, task: Task, starts: Sequence[Start], run: Run, rate: float) -> Run:
    """The prediction of a flow with the effect of the step in its error; rate × sharpness above 2 warns.

    The sharpness (largest curvature of the loss) is measured on the first seed's weights at the start and the end.
    Where the path is small enough to keep, it is also measured at each quarter of the loss. Above 2 no error is known.
    """
    import jax

    from festina.analysis.curvature import largest_curvature

    data, weights = task_context(network, task)["data"], {"start": starts[0].weights}
    size = sum(np.size(leaf) for leaf in jax.tree.leaves(starts[0].weights)) * len(run.times) * len(starts)
    if run.paths is not None and size <= KEPT and "loss" in run.values:
        path, loss = run.paths()[0], run.values["loss"][0]
        inner = {int(np.argmax(loss <= loss[-1] + k / 4 * (loss[0] - loss[-1]))) for k in (3, 2, 1)}
        weights |= {f"t = {run.times[i]:.3g}": path[i] for i in sorted(inner & set(range(1, len(path) - 1)))}
    weights |= {} if run.ends is None else {"end": run.ends()[0]}
    products = {where: rate * largest_curvature(network.loss, w, data) for where, w in weights.items()}
    where, largest = max(products.items(), key=lambda pair: pair[1])
    if largest > UNSTABLE:
        at = f"the {where}" if where in ("start", "end") else where
        warnings.warn(
            f"rate × sharpness is {largest:.3g} at {at} with rate {rate:g}: above 2 gradient descent overshoots and "
            f"may not follow this prediction. Use a rate below {UNSTABLE * rate / largest:.2g}, or "
            f"method=fs.Train(rate={rate:g}).",
            stacklevel=4,
        )
    known = run.error

    def error() -> np.ndarray:
        step = -step_error(run.values["loss"], run.times, rate)
        other = np.zeros_like(step) if known is None else known()
        larger = np.where(np.abs(step) > np.abs(other), step, other)
        return np.copysign(np.abs(step) + np.abs(other), larger)

    estimate = None if largest > UNSTABLE else error if "loss" in run.values else known
    return replace(run, error=estimate, notes={**run.notes, "rate_times_sharpness": products})

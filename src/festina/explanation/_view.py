"""One hidden layer as data: what it is given, when its units are on, and what their activity means for the outputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from festina.explanation._network import Chain
from festina.interop.operation import Activation, Conv

DIRECTIONS = 16
"""Directions of a layer's activity that are kept, those that change the outputs most."""

MAX_GRADIENTS = 256
"""Data points over which gradients are averaged."""

MAX_ABLATIONS = 64
"""Data points on which the channels of a convolution are silenced one by one."""

FAINT = 0.01
"""Share of its largest activity up to which a unit counts as off: a hundredth is 1e-4 of its power. Small random
initial weights leave such a rest where a unit has learned nothing."""

NEGLIGIBLE = 1e-6
"""Share of the summed contribution up to which a unit is silent."""

MAX_NUMBERS = 2e7
"""Numbers in the inputs of a layer (160 MB): a convolution is looked at for as many data points as that allows."""


@dataclass(frozen=True, eq=False)
class View:
    """A hidden layer at some data points; for a convolution every position of every data point is a row.

    Attributes:
        chain: the network.
        layer: from 0.
        shape: the shape of the pre-activations, (points, units, …).
        inputs: what each row is given, (rows, inputs): the layer's inputs, or the patch that a position sees.
        pre: pre-activations, (rows, units).
        metric: (units, directions): a change of activity times this is the change of the outputs that it makes, to
            first order and on average.
        contribution: the effect of each unit on the outputs: root mean square over data points of |∂ŷ/∂a_j|·|a_j|; for
            a convolution, of the change of the outputs when the channel is silenced.
    """

    chain: Chain
    layer: int
    shape: tuple[int, ...]
    inputs: np.ndarray
    pre: np.ndarray
    metric: np.ndarray
    contribution: np.ndarray

    @property
    def activation(self) -> Activation:
        """The layer's activation function."""
        return self.chain.activation(self.layer)

    @property
    def positions(self) -> int:
        """Rows per data point."""
        return int(np.prod(self.shape[2:], dtype=int))

    @cached_property
    def threshold(self) -> np.ndarray:
        """Pre-activation of each unit above which it counts as on: a small share of its largest."""
        return FAINT * np.maximum(self.pre.max(axis=0), 0.0)

    @cached_property
    def on(self) -> np.ndarray:
        """Rows at which each unit is on, (rows, units)."""
        return self.pre > self.threshold

    @cached_property
    def alive(self) -> np.ndarray:
        """Numbers of the units that are on at some data and have an effect on the outputs; the others are silent."""
        return np.flatnonzero(self.contribution > NEGLIGIBLE * self.contribution.sum())

    @property
    def silent(self) -> int:
        """Number of the other units."""
        return len(self.contribution) - len(self.alive)

    def label(self, alive: np.ndarray) -> np.ndarray:
        """Labels of all units from those of the units that are not silent; −1 for these."""
        labels = np.full(len(self.contribution), -1)
        labels[self.alive] = alive
        return labels

    @cached_property
    def activity(self) -> np.ndarray:
        """σ(pre), (rows, units)."""
        return self.activation.forward(self.pre)

    def first(self, points: int) -> View:
        """The same layer at the first data points."""
        if points >= self.shape[0]:
            return self
        rows = points * self.positions
        return replace(self, shape=(points, *self.shape[1:]), inputs=self.inputs[:rows], pre=self.pre[:rows])

    def finish(self, activity: np.ndarray) -> np.ndarray:
        """Outputs from activity, (rows of some data points, units)."""
        if len(self.shape) == 2:
            return self.chain.rest(self.layer, activity)
        spatial = self.shape[2:]
        planes = activity.reshape(-1, *spatial, activity.shape[1])
        return self.chain.rest(self.layer, np.moveaxis(planes, -1, 1))


def as_rows(pre: np.ndarray) -> np.ndarray:
    """(points, units, …) as (rows, units): positions of one data point follow one another."""
    return np.moveaxis(pre, 1, -1).reshape(-1, pre.shape[1])


def view(chain: Chain, layer: int, inputs: list[np.ndarray], pre: list[np.ndarray], frame: np.ndarray) -> View:
    """A hidden layer from what ``Chain.look`` saw."""
    h, own = inputs[layer], pre[layer]
    first = chain.before(layer)[0]
    if own.ndim > 2 and isinstance(first, Conv) and first.groups == 1:
        per_point = int(np.prod(own.shape[2:])) * first.kernel[0].size
        count = min(len(own), max(8, int(MAX_NUMBERS / per_point)))
        own = own[:count]
        seen = first.patches(h[:count])
        given = seen.reshape(-1, first.kernel[0].size)
    elif own.ndim > 2:
        given = as_rows(own)
    else:
        given = h.reshape(len(h), -1)
    metric, contribution = _metric(chain, layer, pre, frame)
    return View(chain, layer, own.shape, given, as_rows(own), metric, contribution)


def _metric(chain: Chain, layer: int, pre: list[np.ndarray], frame: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of JᵀJ, J the derivative of the outputs by the activity, as its strongest directions; and what each unit
    contributes."""
    later = Chain(chain.operations[chain.activations[layer] + 1 :])
    count = len(pre[layer])
    if pre[layer].ndim == 2 and later.is_dense:
        constant = not later.activations
        rows = np.unique(np.linspace(0, count - 1, min(count, MAX_GRADIENTS)).astype(int))
        found = chain.jacobian(layer, pre, rows[:1] if constant else rows, frame)
        gram = np.einsum("nou,nov->uv", found, found, optimize=True) / len(found)
        values, vectors = np.linalg.eigh(gram)
        keep = np.argsort(values)[::-1][:DIRECTIONS]
        activity = chain.activation(layer).forward(pre[layer] if constant else pre[layer][rows])
        contribution = np.sqrt(((found**2).sum(axis=1) * activity**2).mean(axis=0))
        return vectors[:, keep] * np.sqrt(np.maximum(values[keep], 0.0)), contribution
    rows = np.unique(np.linspace(0, count - 1, min(count, MAX_ABLATIONS)).astype(int))
    activity = chain.activation(layer).forward(pre[layer][rows])
    whole = chain.rest(layer, activity) @ frame
    effect, change = np.zeros(activity.shape[1]), np.zeros(activity.shape[1])
    for unit in range(activity.shape[1]):
        silent = activity.copy()
        silent[:, unit] = 0
        power = float((activity[:, unit] ** 2).mean())
        change[unit] = np.sqrt(((chain.rest(layer, silent) @ frame - whole) ** 2).sum(axis=1).mean())
        effect[unit] = change[unit] / np.sqrt(power) if power > 0 else 0.0
    return np.diag(effect), change

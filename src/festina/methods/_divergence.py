"""Training that diverges: at which step, and which rate would have been stable."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from festina.analysis.curvature import largest_curvature
from festina.checks.shapes import Tree
from festina.core.network import Context
from festina.methods import _engine
from festina.methods._step import TrainSpec

GROWN = 10.0
"""A loss that ends above this many times its first value, higher than ever before, grows without bound."""

RISEN = 0.01
"""Rise of the loss that counts as one. Between two looks it is a share of the first loss. In a single step it is a
share of the loss then, which must be at least ``LATE`` of the first."""

LATE = 1e-3
"""Share of the first loss below which rises are not looked for."""

SAMPLES = 64
"""Losses looked at in each pass of the search for the step."""

PASSES = 4
"""Passes of the search: together they find one step in sixteen million."""


def early_looks(steps: np.ndarray) -> np.ndarray:
    """The steps, powers of 2 between them with the step after each, and the last three steps.

    A step that is too large shows early, and may be over at the next look. The loss may grow a million times and fall
    again when no active unit is left. Later the loss goes up and down while it falls from look to look, which single
    steps show.
    """
    doublings = 2 ** np.arange(int(steps[-1]).bit_length(), dtype=steps.dtype)
    more = np.concatenate([doublings, doublings + 1, steps[-1] - np.arange(1, 3)])
    return np.union1d(steps, more[(more > 0) & (more < steps[-1])])


def report(
    spec: TrainSpec, context: Context, starts: Sequence[Tree], seeds: Sequence[int], steps: np.ndarray, rate: float,
    loss: np.ndarray, ends: Sequence[Tree],
) -> str:  # fmt: skip
    """Warn where a seed's loss became infinite, grew tenfold, or rose in plain descent; the sentence, or nothing."""
    with np.errstate(invalid="ignore"):
        bad = [k for k, curve in enumerate(loss) if _unbounded(curve)]
    if not bad:
        found = _rising(spec, context, starts, seeds, steps, rate, loss, ends)
        if found:
            warnings.warn(found, stacklevel=5)
        return found
    seed, curve = bad[0], loss[bad[0]]
    above = np.flatnonzero(~(curve <= GROWN * curve[0]))
    last = int(above[0]) if len(above) else len(curve) - 1
    low, high = (int(steps[last - 1]) if last else 0), int(steps[last])
    step = _first(spec, context, starts[seed], seeds[seed], rate, low, high, float(curve[0]))
    stable = _stable(spec, context, starts[seed], seeds[seed], rate, max(step - 1, 0))
    others = f" (and {len(bad) - 1} more of {len(loss)} seeds)" if len(bad) > 1 else ""
    advice = f"the curvature of the loss just before allows rates up to about {stable:.2g}" if stable else ""
    back = "" if _unbounded(curve[[0, -1]]) else f", and came back to {curve[-1]:.3g} by the end"
    found = (
        f"training diverged: at step {step} of seed {seeds[seed]}{others} the loss exceeded {GROWN:g} times its first "
        f"value, {curve[0]:.3g}{back}, with rate {rate:g}; {advice + ': ' if advice else ''}use a smaller rate."
    )
    warnings.warn(found, stacklevel=5)
    return found


def _unbounded(curve: np.ndarray) -> bool:
    return not np.all(np.isfinite(curve)) or bool(curve.max() > GROWN * curve[0])


def _rising(
    spec: TrainSpec, context: Context, starts: Sequence[Tree], seeds: Sequence[int], steps: np.ndarray, rate: float,
    loss: np.ndarray, ends: Sequence[Tree],
) -> str:  # fmt: skip
    """A sentence where the loss of plain descent of all data rose: only steps above 2/sharpness make it do so."""
    plain = spec.optimiser == "gd" and spec.batch is None and not spec.noisy and "factors" not in context
    if not plain or loss.shape[1] < 2:
        return ""
    single, first = np.diff(steps) == 1, np.maximum(loss[:, :1], np.finfo(float).tiny)
    rises = np.diff(loss, axis=1) / np.where(single, np.maximum(loss[:, :-1], LATE * first), first)
    seed, look = (int(i) for i in np.unravel_index(np.argmax(rises), rises.shape))
    if rises[seed, look] <= RISEN:
        return ""
    sharp = [rate * largest_curvature(spec.loss, w, context["data"]) for w in (starts[seed], ends[seed])]
    return (
        f"the loss rose from {loss[seed, look]:.3g} at step {steps[look]} of seed {seeds[seed]} to "
        f"{loss[seed, look + 1]:.3g} at step {steps[look + 1]}, which gradient flow never does: rate {rate:g} is too "
        f"large on the way. Rate × sharpness is {sharp[0]:.2g} at the start and {sharp[1]:.2g} at the end; below 2 the "
        "loss falls. Theories of gradient flow do not describe this run; use a smaller rate."
    )


def _again(spec: TrainSpec, context: Context, start: Tree, seed: int, rate: float, steps: np.ndarray) -> Any:
    values, last, _ = _engine.train(spec._replace(names=("loss",)), context, [start], [seed], steps, rate)
    return values["loss"][0], last[0]


def _first(
    spec: TrainSpec, context: Context, start: Tree, seed: int, rate: float, low: int, high: int, first: float
) -> int:
    """The first step after which the loss is above its bound, by training again with more looks."""
    for _ in range(PASSES):
        if high - low <= 1:
            break
        steps = np.unique(np.linspace(low, high, SAMPLES).astype(np.int64))[1:]
        curve, _ = _again(spec, context, start, seed, rate, steps)
        above = np.flatnonzero(~(curve <= GROWN * first))
        if not len(above):
            break
        i = int(above[0])
        low, high = (int(steps[i - 1]) if i else low), int(steps[i])
    return high


def _stable(spec: TrainSpec, context: Context, start: Tree, seed: int, rate: float, step: int) -> float:
    """2/(largest curvature) at the weights after ``step`` steps; 0 where that is not a number."""
    weights = start if step == 0 else _again(spec, context, start, seed, rate, np.array([step]))[1]
    size = largest_curvature(spec.loss, weights, context["data"])
    return 2 / size if size > 0 else 0.0

"""Training: gradient descent as a user would run it, compiled, many seeds at once."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times, Tree, Weights
from festina.core.assumption import Assumption
from festina.core.method import Method, Run
from festina.core.network import Context, Network, task_context
from festina.core.stack import stack
from festina.core.task import Task
from festina.core.theory import Start
from festina.methods import _checkpoint, _optimiser, _rotated
from festina.methods._base import select_observables

PRECISIONS = ("single", "double", "tf32")
BATCHINGS = ("auto", "vmap", "map", "fused")
DEVICES = ("auto", "cpu", "gpu")

LONGEST = 1e15
"""Most steps of a run: beyond, a step's number is not a number that double precision tells from its neighbours."""


USUAL_MOMENTUM = 0.9
"""What is mostly used."""


@dataclass(frozen=True, repr=False)
class Train(Method):
    """Gradient descent in JAX, of full batch and without momentum unless said otherwise; step k is at time k·rate.

    That time is flow time for descent in small steps, W ← W − rate·∂L/∂W. With another optimiser it is only the unit in
    which steps are counted: momentum m moves about 1/(1 − m) times as fast, and Adam's steps do not shrink with the
    gradient. Times are moved onto the nearest whole step, and times that fall onto the same step count once; the
    trajectory's ``times`` are those steps, and its ``notes`` hold ``steps`` and the seconds spent compiling and
    running. A run that diverges warns, with the step at which it did and the largest rate that the curvature of its
    loss allows.

    Two-layer linear networks and gated ones are trained in at most inputs + outputs hidden dimensions by ``"gd"`` and
    ``"momentum"``: the hidden layer is rotated once, so that width costs nothing, and what is observed per hidden unit
    is rotated back.

    Args:
        rate: step size η on the mean loss, > 0.
        precision: ``"double"`` (default: comparisons with theory need it), ``"single"`` (float32 in accuracy too, also
            on a GPU), or ``"tf32"`` (float32 whose products a GPU forms with ten bits of mantissa: faster).
        batching: how seeds are run together; ``"auto"`` chooses by size and device, ``"fused"`` is one GPU kernel.
        optimiser: ``"gd"``; ``"momentum"``, V ← m·V + ∂L/∂W, W ← W − rate·V; ``"adam"`` (optax); a function that
            makes an optax transformation of the rate, such as ``optax.lion``; or such a transformation, which then has
            a rate of its own (``rate`` here still says when a step is).
        momentum: m, at least 0 and below 1; a number makes ``"gd"`` into ``"momentum"``, whose m is 0.9 otherwise.
        batch: data points per step, each point once in an epoch in an order drawn anew from the seed; a rest that fills
            no batch is left out. A task with a generator (``Task.draw``) gives fresh points in each step instead. None
            takes all points, or the expected loss where it is known, in each step.
        checkpoint: a folder in which the run keeps its state and what it has observed, so that a run that was stopped
            goes on from there to the same numbers; see ``fs.checkpoints``, which does so for all runs inside it.
        device: ``"cpu"``, ``"gpu"``, or ``"auto"``: where the run is expected to end first, by its number of operations
            and what a device takes for each step and to start; ``notes`` say which and why.
        cache: keep the compiled program in the user's cache folder for later processes; the environment variable
            ``FESTINA_CACHE`` names another folder, or is ``off``.

    Raises:
        ValueError: an argument that is not allowed; a rate so large that the first step is after all times.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(0.1))
        >>> run = fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 1.26], method=fs.Train(rate=0.5), seeds=3)
        >>> run.loss.shape, run.times.tolist(), run.notes["steps"]
        ((3, 2), [0.0, 1.5], [0, 3])
    """

    rate: float
    optimiser: Any = field(default="gd", kw_only=True)
    precision: str = field(default="double", kw_only=True)
    batching: str = field(default="auto", kw_only=True)
    momentum: float | None = field(default=None, kw_only=True)
    batch: int | None = field(default=None, kw_only=True)
    checkpoint: str | os.PathLike[str] | None = field(default=None, kw_only=True, repr=False, metadata={"saved": False})
    device: str = field(default="auto", kw_only=True, metadata={"saved": False})
    cache: bool = field(default=True, kw_only=True, metadata={"saved": False})

    observes_weights: ClassVar[bool] = True
    optional: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check.positive("rate", self.rate)
        check.known("precision", self.precision, PRECISIONS)
        check.known("batching", self.batching, BATCHINGS)
        check.known("device", self.device, DEVICES)
        check.flag("cache", self.cache)
        if not (callable(self.optimiser) or _optimiser.transformation(self.optimiser)):
            if not isinstance(self.optimiser, str):
                raise ValueError(
                    f"optimiser is {self.optimiser!r}; a name ({', '.join(_optimiser.NAMES)}), a function that makes "
                    "an optax transformation of the rate, or such a transformation is needed."
                )
            check.known("optimiser", self.optimiser, _optimiser.NAMES)
        if self.momentum is not None:
            if check.positive("momentum", self.momentum, zero=True) >= 1:
                raise ValueError(f"momentum is {self.momentum!r}; a number >= 0 and < 1 is needed.")
            if self.optimiser not in ("gd", "momentum"):
                raise ValueError(
                    f"momentum is {self.momentum!r} and optimiser {_name(self.optimiser)}, which has none of its "
                    "kind; leave one of the two out."
                )
            object.__setattr__(self, "optimiser", "momentum")
        elif self.optimiser == "momentum":
            object.__setattr__(self, "momentum", USUAL_MOMENTUM)
        if self.batch is not None:
            check.whole("batch", self.batch)

    def __repr__(self) -> str:
        # a function or a transformation prints its place in memory
        return super().__repr__().replace(repr(self.optimiser), _name(self.optimiser))

    def run(
        self, network: Network, task: Task, times: Times | None, starts: Sequence[Start], observe: Sequence[str]
    ) -> Run:
        """Train each seed's weights and observe them on the schedule."""
        from festina.methods import _divergence, _engine, _step

        if times is None:
            raise ValueError("times is None (t → ∞), which no training run reaches; give times, or use fs.Exact().")
        own = network.train(task, times, starts, observe, self)
        if own is not None:
            return own
        steps = self.steps(times)
        context = task_context(network, task)
        observe = select_observables(observe, network.observables(context), "Train()", network)
        sample = None if self.batch is None else network.sample(task)
        if self.batch is not None and sample is None:
            if self.batch > len(task.x):
                raise ValueError(
                    f"batch is {self.batch} with {len(task.x)} data points; give at most that many, or None for all."
                )
            context = {**context, "points": network.points(task)}
        weights, seeds = [start.weights for start in starts], [start.seed for start in starts]
        _arrays(network, weights[0])
        rotated = None
        if self.optimiser in _rotated.LINEAR_OPTIMISERS and not network.noisy:
            rotated = _rotated.rotate(network, context, weights, observe)
        names, observables = tuple(dict.fromkeys((*observe, "loss"))), network.observables
        if rotated is not None:
            weights = rotated.starts
            if rotated.per_unit:
                names = (*(name for name in names if name not in rotated.per_unit), _rotated.NARROW)
                observables = _rotated.AndWeights(observables)
        spec = _step.TrainSpec(
            network.loss, observables, names, self.batching, self.precision,
            _optimiser.prepare(self.optimiser, self.rate), self.momentum or 0.0,
            self.batch, network.noisy, sample,
        )  # fmt: skip
        kept = _checkpoint.current() if self.checkpoint is None else _checkpoint.keep(self.checkpoint)
        values, last, metadata = _engine.train(
            spec, context, weights, seeds, steps, self.rate, kept=kept, device=self.device, cache=self.cache
        )
        diverged = _divergence.report(spec, context, weights, seeds, steps, self.rate, values["loss"])
        if rotated is not None:
            values = _turned_back(network, context, rotated, values)
            metadata["rotated"] = [list(np.shape(w)) for w in weights[0]]
        notes = {"steps": [int(s) for s in steps], **metadata, **({"diverged": diverged} if diverged else {})}
        finite = Assumption(
            "finite",
            "every observed number is finite (share that is not; a smaller rate cures divergence)",
            _infinite(values),
            0.0,
        )
        return Run(
            {name: values[name] for name in observe}, steps * self.rate, assumptions=(finite,), unit=self._unit,
            notes=notes, ends=lambda: last if rotated is None else _restored(rotated, last),
        )  # fmt: skip

    def steps(self, times: Times) -> np.ndarray:
        """Numbers of steps at which these times are reached, each once."""
        if times[-1] / self.rate > LONGEST:
            raise ValueError(
                f"times end at {times[-1]:g}, which is {times[-1] / self.rate:.3g} steps of rate {self.rate:g}; at "
                f"most {LONGEST:.0e} steps can be counted: give earlier times or a larger rate."
            )
        steps = np.unique(np.rint(times / self.rate).astype(np.int64))
        if times[-1] > 0 and steps[-1] == 0:
            raise ValueError(
                f"rate is {self.rate:g} and times end at {times[-1]:g}, before the first step; "
                "give a smaller rate or later times."
            )
        return steps

    @property
    def _unit(self) -> str:
        """Of the times: a step of plain descent advances flow time by its rate; others do not follow the flow."""
        return "flow time" if self.optimiser == "gd" else "steps × rate"


def _restored(rotated: _rotated.Rotated, last: Sequence[Weights]) -> list[Any]:
    """The weights of each seed in the hidden units' own basis."""
    pairs = zip(rotated.restore, last, strict=True)
    return [tuple(w.astype(n.dtype) for w, n in zip(back(now), now, strict=True)) for back, now in pairs]


def _turned_back(
    network: Network, context: Context, rotated: _rotated.Rotated, values: Mapping[str, Any]
) -> dict[str, Any]:
    """What is observed per hidden unit, from the weights in their own basis."""
    found = {name: value for name, value in values.items() if name != _rotated.NARROW}
    if not rotated.per_unit:
        return found
    known, narrow, dtype = network.observables(context), values[_rotated.NARROW], values["loss"].dtype
    for name in rotated.per_unit:
        seeds = []
        for k, restore in enumerate(rotated.restore):
            times = [known[name](restore(tuple(w[k, t] for w in narrow))) for t in range(narrow[0].shape[1])]
            seeds.append(stack(times))
        whole = stack(seeds)
        found[name] = tuple(a.astype(dtype) for a in whole) if isinstance(whole, tuple) else whole.astype(dtype)
    return found


def _arrays(network: Network, start: Tree) -> None:
    """Raise where a network's weights are not arrays of numbers, however nested."""
    from jax import tree_util

    for path, leaf in tree_util.tree_leaves_with_path(start):
        if np.asarray(leaf).dtype.kind not in "fiub":
            raise ValueError(
                f"start of {type(network).__name__} gives weights of which {tree_util.keystr(path)} is "
                f"{type(leaf).__name__}; arrays of real numbers are needed (of an equinox module, "
                "eqx.partition(module, eqx.is_inexact_array)[0])."
            )


def _name(optimiser: object) -> str:
    """As one would write it, where that can be told."""
    if isinstance(optimiser, str):
        return repr(optimiser)
    called = getattr(optimiser, "__qualname__", None)
    return f"{optimiser.__module__}.{called}" if called else type(optimiser).__name__


def _infinite(values: Mapping[str, np.ndarray | tuple[np.ndarray, ...]]) -> float:
    arrays = [part for value in values.values() for part in (value if isinstance(value, tuple) else (value,))]
    total = sum(a.size for a in arrays)
    return float(sum(np.sum(~np.isfinite(a)) for a in arrays) / total) if total else 0.0

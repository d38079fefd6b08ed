"""Training: gradient descent as a user would run it, compiled, many seeds at once."""

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times, Tree
from festina.core import Assumption, Context, Method, Network, Run, Start, Task
from festina.core.display import brief
from festina.core.network import task_context
from festina.methods import _checkpoint, _optimiser, _rotated
from festina.methods._exact import select_observables

PRECISIONS = ("single", "double", "tf32")
BATCHINGS = ("auto", "vmap", "map", "fused")
DEVICES = ("auto", "cpu", "gpu")

LONGEST = 1e15
"""Most steps of a run: beyond, double precision does not distinguish neighbouring step numbers."""


USUAL_MOMENTUM = 0.9
"""The usual momentum."""


@dataclass(frozen=True, repr=False)
class Train(Method):
    """Gradient descent in JAX, by default full-batch and without momentum; step k is at time k·rate.

    That time is flow time for descent in small steps, W ← W − rate·∂L/∂W. With another optimiser it is only the unit in
    which steps are counted: momentum m moves about 1/(1 − m) times as fast, and Adam's steps do not shrink with the
    gradient. Times are rounded to the nearest whole step, and times that fall onto the same step count once. The
    trajectory's ``times`` are those steps, and its ``notes`` hold ``steps`` and the seconds spent compiling and
    running. A run that diverges warns, with the step at which it did and the largest rate that the curvature of its
    loss allows.

    Two-layer linear networks and gated ones are trained in at most inputs + outputs hidden dimensions by ``"gd"`` and
    ``"momentum"``. The hidden layer is rotated once, so that width costs nothing, and observables per hidden unit are
    rotated back.

    ``fs.Train.like(optimizer, scheduler)`` has the settings of an optimiser of PyTorch.

    Args:
        rate: step size η on the mean loss, > 0.
        lr: instead of rate, PyTorch's learning rate: every step is then the one that PyTorch's optimiser takes on
            PyTorch's loss of the same name, which may also divide by the number of outputs. With lr, weight decay and
            clipping act on the gradient of that loss, and rate only says what flow time a step is.
        precision: ``"double"`` (default: comparisons with theory need it), ``"single"`` (float32 in accuracy too, also
            on a GPU), or ``"tf32"`` (float32 whose products a GPU forms with ten bits of mantissa: faster).
        batching: how seeds are run together; ``"auto"`` chooses by size and device, ``"fused"`` is one GPU kernel.
        optimiser: ``"gd"``; ``"momentum"``, V ← m·V + ∂L/∂W, W ← W − rate·V; ``"adam"``, ``"adamw"`` or ``"rmsprop"``
            (optax); a function that makes an optax transformation of the rate, such as ``optax.lion``; or such a
            transformation, which has its own rate (``rate`` then only sets the time of a step).
        momentum: m, at least 0 and below 1; giving it turns ``"gd"`` into ``"momentum"``, whose default is 0.9.
        nesterov: momentum that looks ahead.
        betas, eps: of Adam, AdamW and RMSprop (which uses the second beta, 0.99 by default); PyTorch's defaults.
        weight_decay: λ ≥ 0, added to the gradient as λW; with ``"adamw"`` W shrinks by rate·λ in each step instead.
        clip: largest norm of the whole gradient; a longer one is shortened, as ``clip_grad_norm_`` does.
        schedule: factors by which the rate is multiplied: one per step (the last one is kept), or a function of the
            number of steps taken, such as ``optax.cosine_decay_schedule(1.0, 1000)``.
        batch: data points per step, each point once per epoch, in a new order drawn from the seed; an incomplete last
            batch is left out. A task with a generator (``Task.draw``) gives fresh points in each step instead. None
            takes all points, or the expected loss where it is known, in each step. An array (steps, points) of row
            numbers gives the points of each step, in turn, as another library has drawn them.
        replace: draw the points of every batch with replacement, so that one may come twice.
        checkpoint: a folder in which the run keeps its state and what it has observed, so that an interrupted run
            continues to the same numbers; see ``fs.checkpoints``, which does so for all runs inside it.
        device: ``"cpu"``, ``"gpu"``, or ``"auto"``: the device on which the run is expected to finish first; ``notes``
            say which and why.
        cache: keep the compiled program in the user's cache folder for later processes; the environment variable
            ``FESTINA_CACHE`` names another folder, or is ``off``.

    Raises:
        ValueError: an argument that is not allowed; a rate so large that the first step comes after all times.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(0.1))
        >>> run = fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 1.26], method=fs.Train(rate=0.5), seeds=3)
        >>> run.loss.shape, run.times.tolist(), run.notes["steps"]
        ((3, 2), [0.0, 1.5], [0, 3])
    """

    rate: float | None = None
    lr: float | None = field(default=None, kw_only=True)
    optimiser: Any = field(default="gd", kw_only=True)
    precision: str = field(default="double", kw_only=True)
    batching: str = field(default="auto", kw_only=True)
    momentum: float | None = field(default=None, kw_only=True)
    nesterov: bool = field(default=False, kw_only=True)
    betas: tuple[float, float] | None = field(default=None, kw_only=True)
    eps: float = field(default=1e-8, kw_only=True)
    weight_decay: float = field(default=0.0, kw_only=True)
    clip: float | None = field(default=None, kw_only=True)
    schedule: Any = field(default=None, kw_only=True)
    batch: Any = field(default=None, kw_only=True)
    replace: bool = field(default=False, kw_only=True)
    checkpoint: str | os.PathLike[str] | None = field(default=None, kw_only=True, repr=False, metadata={"saved": False})
    device: str = field(default="auto", kw_only=True, metadata={"saved": False})
    cache: bool = field(default=True, kw_only=True, metadata={"saved": False})

    observes_weights: ClassVar[bool] = True
    optional: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._check_rate()
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
        self._check_settings()
        if self.batch is not None and not hasattr(self.batch, "__len__"):
            check.whole("batch", self.batch)
        elif self.batch is not None:
            object.__setattr__(self, "batch", _row_numbers(self.batch))
        if check.flag("replace", self.replace) and (self.batch is None or isinstance(self.batch, tuple)):
            raise ValueError(f"replace is True and batch {check.shown(self.batch)}; give the number of points to draw.")

    def _check_rate(self) -> None:
        """Raise if there is no positive rate."""
        if self.rate is None and self.lr is None:
            raise ValueError("rate is None; a number > 0 is needed (on the mean loss), or lr=... as in PyTorch.")
        if hasattr(self.rate, "param_groups"):
            raise ValueError("rate is an optimiser of PyTorch; fs.Train.like(optimizer, scheduler) trains as it does.")
        for name in ("rate", "lr", "clip"):
            if getattr(self, name) is not None:
                check.positive(name, getattr(self, name))

    def _check_settings(self) -> None:
        """Raise if a setting is not allowed, or if this optimiser does not have it."""
        check.positive("eps", self.eps)
        check.positive("weight_decay", self.weight_decay, zero=True)
        if check.flag("nesterov", self.nesterov) and self.optimiser != "momentum":
            raise ValueError(f"nesterov is True and optimiser {_name(self.optimiser)}; it is a kind of 'momentum'.")
        if self.betas is not None:
            betas = tuple(check.number("betas", beta) for beta in check.listing("betas", self.betas, "two numbers"))
            if len(betas) != 2 or not all(0 <= beta < 1 for beta in betas):
                raise ValueError(f"betas is {self.betas!r}; two numbers >= 0 and < 1 are needed.")
            object.__setattr__(self, "betas", betas)
        if self.schedule is not None and not callable(self.schedule):
            factors = check.numbers("schedule", self.schedule)
            if factors.ndim != 1 or not len(factors) or factors.min() < 0:
                raise ValueError("schedule holds factors of the rate, one per step, which are numbers >= 0.")
            object.__setattr__(self, "schedule", tuple(map(float, factors)))
        own = not isinstance(self.optimiser, str)
        if own and (self._more or self.lr is not None or self.schedule is not None):
            raise ValueError(
                f"optimiser is {_name(self.optimiser)}, which has settings of its own; lr, weight_decay, clip, betas "
                "and schedule are for optimisers by name: give them to the optimiser."
            )

    @property
    def _more(self) -> bool:
        """Whether anything but the rate, the momentum and the schedule is set."""
        return bool(self.nesterov or self.betas or self.eps != 1e-8 or self.weight_decay or self.clip is not None)

    def _rule(self) -> Any:
        """Key of compiled code: a name, or a name with settings."""
        scale = 1.0 if self.lr is None or self.rate is None else self.rate / self.lr
        plain = self.optimiser in ("gd", "momentum") or scale == 1
        if isinstance(self.optimiser, str) and (
            self._more or self.schedule or not plain or self.optimiser == "rmsprop"
        ):
            betas = self.betas or (0.9, 0.99 if self.optimiser == "rmsprop" else 0.999)
            return _optimiser.Rule(
                self.optimiser, self.momentum or 0.0, self.nesterov, betas, self.eps, self.weight_decay, self.clip,
                scale,
            )  # fmt: skip
        return _optimiser.prepare(self.optimiser, self._step_size)

    @property
    def _step_size(self) -> float:
        if self.rate is None:
            raise ValueError("method has lr and no rate: fs.evolve(...) finds the rate from the task.")
        return self.rate

    def rate_on(self, task: Task) -> float | None:
        """Flow time of a step on this task: the rate, or what lr is on its loss."""
        return self.rate if self.lr is None or self.rate is not None else task.loss.rate_of(self.lr, task.y.shape[1])

    def settled(self, rate: float | None, times: Times | None) -> "Train":
        """With the rate on the task, and a schedule as a table of the steps to come."""
        found = self if rate is None or self.rate is not None else dataclasses.replace(self, rate=rate)
        if not callable(self.schedule) or times is None:
            return found
        taken = np.arange(max(1, int(found.steps(times)[-1])))
        return dataclasses.replace(found, schedule=_optimiser.tabulated(self.schedule, taken))

    @classmethod
    def like(cls, optimizer: object, scheduler: object = None, **settings: object) -> "Train":
        """Training with the settings of a PyTorch optimiser, and of a learning rate scheduler that follows it.

        Steps are those that PyTorch takes on its own loss (``lr``). The optimiser must not have taken steps before.

        Args:
            optimizer: ``torch.optim.SGD``, ``Adam``, ``AdamW`` or ``RMSprop``, with equal settings for all parameters.
            scheduler: one that depends on the number of steps alone; ``scheduler.step()`` is taken to follow each step.
            settings: other settings of ``fs.Train``, such as ``batch`` and ``clip``.

        Raises:
            ValueError: an optimiser or a setting that is not known.

        Example:
            >>> import torch, festina as fs
            >>> module = torch.nn.Linear(2, 1)
            >>> adam = torch.optim.AdamW(module.parameters(), lr=1e-2)
            >>> fs.Train.like(adam, torch.optim.lr_scheduler.CosineAnnealingLR(adam, 100))
            Train(lr=0.01, optimiser='adamw', weight_decay=0.01, schedule=CosineAnnealingLR)
        """
        found: dict[str, Any] = {**_optimiser.settings_of(optimizer, scheduler), **settings}
        return cls(**found)

    def __repr__(self) -> str:
        shown = {"optimiser": _name(self.optimiser)}
        if isinstance(self.batch, tuple):
            shown["batch"] = f"<{len(self.batch)} × {len(self.batch[0])} rows>"
        if callable(self.schedule):
            shown["schedule"] = getattr(self.schedule, "name", _name(self.schedule))
        elif self.schedule is not None:
            shown["schedule"] = f"<{len(self.schedule)} factors>"
        return brief(self, **shown)

    def run(
        self, network: Network, task: Task, times: Times | None, starts: Sequence[Start], observe: Sequence[str]
    ) -> Run:
        """Train each seed's weights and observe them on the schedule."""
        import jax

        from festina.methods import _engine, _step

        if times is None:
            raise ValueError("times is None (t → ∞), which no training run reaches; give times, or use fs.Exact().")
        own = network.train(task, times, starts, observe, self)
        if own is not None:
            return own
        steps = self.steps(times)
        context = task_context(network, task)
        observe = select_observables(observe, network.observables(context), "Train()", network)
        listed = isinstance(self.batch, tuple)
        batch: Any = np.asarray(self.batch) if listed else self.batch
        sample = None if self.batch is None or listed else network.sample(task)
        if self.batch is not None and sample is None:
            if (batch.max() >= len(task.x)) if listed else batch > len(task.x):
                asked = f"holds row {batch.max()}" if listed else f"is {self.batch}"
                raise ValueError(
                    f"batch {asked} with {len(task.x)} data points; give at most that many, or None for all."
                )
            context = {**context, "points": network.points(task), **({"rows": batch} if listed else {})}
        if self.schedule is not None:
            context = {**context, "factors": np.asarray(self.schedule)}
        weights, seeds = [start.weights for start in starts], [start.seed for start in starts]
        _arrays(network, weights[0])
        rotated, rate, rule = None, self._step_size, self._rule()
        if rule in _rotated.LINEAR_OPTIMISERS and not network.noisy:
            rotated = _rotated.rotate(network, context, weights, observe)
        names, observables = tuple(dict.fromkeys((*observe, "loss"))), network.observables
        if rotated is not None:
            weights = rotated.starts
            if rotated.per_unit:
                names = (*(name for name in names if name not in rotated.per_unit), _rotated.NARROW)
                observables = _rotated.AndWeights(observables)
        spec = _step.TrainSpec(
            network.loss, observables, names, self.batching, self.precision,
            rule, self.momentum or 0.0, batch.shape[1] if listed else batch, network.noisy, sample,
            replace=self.replace,
        )  # fmt: skip
        kept = _checkpoint.current() if self.checkpoint is None else _checkpoint.keep(self.checkpoint)
        looks = _engine.early_looks(steps)
        values, last, metadata = _engine.train(
            spec, context, weights, seeds, looks, rate, kept=kept, device=self.device, cache=self.cache
        )
        asked = np.isin(looks, steps)
        diverged = _engine.report(spec, context, weights, seeds, looks, rate, values["loss"], last)
        values = values if asked.all() else jax.tree.map(lambda value: value[:, asked], values)
        if rotated is not None:
            if rotated.per_unit:
                _turned_back(network, context, rotated, values)
            metadata["rotated"] = [list(np.shape(w)) for w in weights[0]]
        notes = {"steps": [int(s) for s in steps], **metadata, **({"diverged": diverged} if diverged else {})}
        statement = "every observed number is finite; a smaller rate cures divergence"
        finite = Assumption("finite", statement, _infinite(values), 0.0, quantity="share that is not")

        def ends() -> list[Any]:
            if rotated is None:
                return last
            whole = [path[0] for path in rotated.whole([[weights] for weights in last])]
            return jax.tree.map(lambda own, narrow: own.astype(narrow.dtype), whole, last)

        return Run(
            {name: values[name] for name in observe}, steps * rate, assumptions=(finite,), unit=self._unit,
            notes=notes, ends=ends,
        )  # fmt: skip

    def steps(self, times: Times) -> np.ndarray:
        """Numbers of steps at which these times are reached, each once."""
        rate = self._step_size
        if times[-1] / rate > LONGEST:
            raise ValueError(
                f"times end at {times[-1]:g}, which is {times[-1] / rate:.3g} steps of rate {rate:g}; at "
                f"most {LONGEST:.0e} steps can be counted: give earlier times or a larger rate."
            )
        steps = np.unique(np.rint(times / rate).astype(np.int64))
        if times[-1] > 0 and steps[-1] == 0:
            raise ValueError(
                f"rate is {rate:g} and times end at {times[-1]:g}, before the first step; "
                "give a smaller rate or later times."
            )
        return steps

    @property
    def is_descent(self) -> bool:
        """Whether every step is W ← W − rate·∂L/∂W on all data points, which follows the flow at small rates."""
        return self._unit == "flow time" and self.batch is None

    @property
    def _unit(self) -> str:
        """Unit of the times: plain descent advances flow time by its rate; other optimisers do not follow the flow."""
        plain = self.optimiser == "gd" and not self._more and self.schedule is None
        return "flow time" if plain else "steps × rate"


def _row_numbers(batch: object) -> tuple[tuple[int, ...], ...]:
    """The rows of each batch, one tuple per step."""
    sizes = {len(rows) for rows in batch if hasattr(rows, "__len__")} if isinstance(batch, list | tuple) else set()
    if len(sizes) > 1:
        raise ValueError(
            f"batch holds steps of {min(sizes)} and of {max(sizes)} points; all need the same number: leave out a "
            "smaller last one, as drop_last=True of a DataLoader does."
        )
    rows = check.plain("batch", batch)
    if rows.ndim != 2 or 0 in rows.shape or rows.dtype.kind not in "iu" or rows.min() < 0:
        raise ValueError(
            f"batch has shape {rows.shape} and type {rows.dtype}; a number of points is needed, or row numbers of the "
            "points of each step, (steps, points)."
        )
    return tuple(map(tuple, rows.tolist()))


def _turned_back(network: Network, context: Context, rotated: _rotated.Rotated, values: dict[str, Any]) -> None:
    """Observe single hidden units by the weights in their own basis."""
    import jax

    known, narrow, dtype = network.observables(context), values.pop(_rotated.NARROW), values["loss"].dtype
    seeds, times = narrow[0].shape[:2]
    paths = rotated.whole([[tuple(w[k, t] for w in narrow) for t in range(times)] for k in range(seeds)])
    for name in rotated.per_unit:
        values[name] = jax.tree.map(lambda a: a.astype(dtype), _rotated.observed(known[name], paths))


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
    import jax

    arrays = jax.tree.leaves(dict(values))
    total = sum(a.size for a in arrays)
    return float(sum(np.sum(~np.isfinite(a)) for a in arrays) / total) if total else 0.0

"""Which modules a ReLU network will learn, when, and in which order: from the data alone."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from festina import _check
from festina._assumption import Assumption
from festina._task import Task
from festina.relu._growth import Growth

ROUTES = ("units", "modules")

ON = 0.05
"""Activity, as a share of a unit's largest, above which it counts as on in a pattern."""

DEAD = 0.01
"""Units that contribute less than this share of what the largest does carry no module."""

HORIZON = 50.0
"""Without a time to end at, a prediction ends this many times after its first module was born."""

LONGEST = 20000
"""Steps of dormant units after which a prediction ends anyhow."""

SMALL = 1e-2
"""Largest output of the initial weights, as a share of the targets, at which units grow from a small start."""

LEARNED = 1e-2
"""Loss left, as a share of the first, at which the modules found are what there is to learn."""


@dataclass(frozen=True, eq=False)
class PredictedModule:
    """A gating pattern that will carry part of the map.

    Attributes:
        pattern: True at the data points where it is on.
        w, v: unit vectors, input and output direction of its strongest unit.
        rate: d ln‖w‖/dt of its units when they became active.
        born: flow time at which its units had grown to a tenth of what they could use.
        time: flow time at which it contributes half of what it does in the end: when it is learned.
        share: its part of the summed contributions ‖a‖‖activity‖ in the end.
        loss: what the loss falls to before the next module is born.
    """

    pattern: np.ndarray
    w: np.ndarray
    v: np.ndarray
    rate: float
    born: float
    time: float
    share: float
    loss: float

    def __str__(self) -> str:
        shown = "".join("#" if on else "·" for on in self.pattern)
        return (
            f"{shown}  born {self.born:8.4g}, learned {self.time:8.4g}, rate {self.rate:7.3g}, {self.share:4.0%} of "
            f"the output, loss then {self.loss:.3g}"
        )


@dataclass(frozen=True, eq=False)
class Prediction:
    """Modules in the order they are learned, the loss over time, and what the prediction rests on."""

    task: str
    modules: tuple[PredictedModule, ...]
    times: np.ndarray
    loss: np.ndarray
    assumptions: tuple[Assumption, ...]
    citations: tuple[str, ...] = ("maennel2018", "kunin2025")

    @property
    def patterns(self) -> np.ndarray:
        """Gating patterns, one row of booleans per module."""
        return np.array([module.pattern for module in self.modules])

    def __len__(self) -> int:
        return len(self.modules)

    def __getitem__(self, i: int) -> PredictedModule:
        return self.modules[i]

    def __iter__(self) -> Iterator[PredictedModule]:
        return iter(self.modules)

    def __str__(self) -> str:
        lines = [f"{len(self)} modules predicted for {self.task} (times are flow times)"]
        return "\n".join([*lines, *map(str, self.modules), *map(str, self.assumptions)])


def predict_modules(
    task: Task,
    *,
    std: float = 1e-5,
    hidden: int = 128,
    until: float | None = None,
    route: str = "units",
    gain: float = 1e-4,
    probes: int = 256,
    seed: int = 0,
) -> Prediction:
    """The gating patterns that a ReLU layer learns from small random weights, with times; no network is trained.

    Each unit with weights w (in) and a (out) climbs by itself while it is small, for it does not change the residual r:

        dw/dt = ⟨g (a·r) x⟩,  da/dt = ⟨g (w·x) r⟩,  g = 1 where w·x > 0

    Its size grows exponentially and its direction goes to an attractor (``fs.relu.attractors``), which a sample of
    ``probes`` random directions finds. Units with the same gates form a group. It becomes active when its map f is a
    tenth of what lowers the loss most, 10 ⟨f, f⟩ = ⟨f, r⟩. Active groups learn jointly, as ReLU units though few, and
    change the residual that all others climb. So what a module leaves over is not subtracted by a rule; and whoever
    grew meanwhile keeps the size it has (priming). In the limit of a vanishing start learning is instantaneous beside
    growing and the two alternate; at realistic starts they overlap, and the overlap decides which modules come next.

    Args:
        task: what is learned.
        std: standard deviation of the network's initial weights.
        hidden: its number of units; with ``std`` it says how small the start is, which enters as a logarithm.
        until: flow time to predict to; None ends when the loss is below ``gain``, or ``HORIZON`` times after the first
            module was born.
        route: ``"units"``: units of an active group may part when another mode outgrows the shared one. ``"modules"``:
            they keep the group's gates, as in a gated network.
        gain: a group is worth activating when it could lower the loss by this share of the first loss.
        probes: random directions that stand for all units.
        seed: draws them.

    Raises:
        ValueError: an argument that is not allowed.

    Example:
        >>> import festina as fs
        >>> found = fs.relu.predict_modules(fs.tasks.extended_xor(2.0))
        >>> found.patterns.astype(int).tolist()
        [[1, 0, 0, 1], [0, 1, 1, 0]]

    Source: maennel2018 and boursier2025 (early alignment); kunin2025 (alternating gradient flows); jarvis2025 §4.
    """
    std, gain = _check.positive("std", std), _check.positive("gain", gain)
    hidden, probes = _check.whole("hidden", hidden), _check.whole("probes", probes)
    _check.known("route", route, ROUTES)
    rng = np.random.default_rng(_check.whole("seed", seed, least=0))
    until = np.inf if until is None else _check.positive("until", until)
    x, y = task.x, task.y
    drawn = std * rng.standard_normal((probes, x.shape[1] + y.shape[1]))
    length = np.linalg.norm(drawn, axis=1)
    w, a = np.split(drawn / length[:, None], [x.shape[1]], axis=1)
    # the sample stands for ``hidden`` units, and a map of units adds up
    size = np.log(length) + np.log(hidden / probes) / 2
    output = hidden * std**2 * np.sqrt(y.shape[1] * np.mean(np.sum(x**2, axis=1)) / 2)
    growth = Growth(x, y, gain, route == "modules", rng, w, a, size, np.full(probes, -1))
    if growth.power and np.any(x):
        _grow(growth, until)
    small = Assumption("small start", "what the initial weights put out is small beside the targets (ratio)",
                       float(output / max(np.sqrt(2 * growth.power), np.finfo(float).tiny)), SMALL)  # fmt: skip
    done = Assumption("complete", "what the modules leave over is small (last loss by first)",
                      growth.loss / growth.power if growth.power else 0.0, LEARNED)  # fmt: skip
    times, loss = np.array(growth.times), np.array(growth.losses)
    return Prediction(task.name, _modules(growth, times, loss), times, loss, (small, done))


def _grow(growth: Growth, until: float) -> None:
    for _ in range(LONGEST):
        horizon = min(until, HORIZON * growth.born[0]) if growth.born else until
        growth.advance(horizon)
        if growth.loss < growth.gain * growth.power or growth.time >= horizon * (1 - 1e-12):
            break


def _modules(growth: Growth, times: np.ndarray, loss: np.ndarray) -> tuple[PredictedModule, ...]:
    """Living active units by their pattern in the end; a unit behind another's gate belongs to it."""
    count = len(growth.active_w)
    if not count:
        return ()
    over = np.array([np.pad(part, (0, count - len(part))) for part in growth.contributions])
    end, activity = over[-1], growth.activity()
    on = activity > ON * np.maximum(activity.max(axis=1, keepdims=True), np.finfo(float).tiny)
    groups: dict[bytes, list[int]] = {}
    for unit, home in enumerate(growth.active_home):
        if end[unit] > DEAD * end.max():
            groups.setdefault(on[home].tobytes(), []).append(unit)
    found = []
    for units in groups.values():
        total, chief = over[:, units].sum(axis=1), max(units, key=lambda unit: end[unit])
        first = min(units, key=lambda unit: growth.born[unit])
        w, v = growth.active_w[chief], growth.active_a[chief]
        found.append(
            {
                "pattern": on[growth.active_home[chief]],
                "w": w / np.linalg.norm(w),
                "v": v / np.linalg.norm(v),
                "rate": growth.rate[first],
                "born": growth.born[first],
                "time": float(times[np.argmax(total >= total[-1] / 2)]),
                "share": float(total[-1] / end.sum()),
            }
        )
    found.sort(key=lambda module: (module["time"], module["born"]))
    births = sorted({module["born"] for module in found})
    made = []
    for module in found:
        later = [born for born in births if born > module["time"]]
        last = np.searchsorted(times, later[0]) if later else len(times) - 1
        made.append(PredictedModule(**module, loss=float(loss[last])))
    return tuple(made)

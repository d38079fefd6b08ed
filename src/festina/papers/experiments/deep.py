"""Does a gated network still imitate a ReLU network with a second hidden layer?

In what is learned and in how much runs differ: yes. In when: only roughly. ReLU networks of two hidden layers first
learn the mean that all contexts share, with every unit on at every data point; only then do they gate, in both layers
and by items as well as contexts. A gated network with an open first layer and with contextual pathways that open when
the ReLU networks begin to gate goes through the same plateaus with the same outputs, but later ones come later than 95
of 100 ReLU networks reach them. One whose pathways are all trained from the start skips the first plateau. The time of
opening is read from the gates of the ReLU networks, nothing is set by hand; the paper's code sets it (epoch 12000)
together with sevenfold initial output weights of the contextual pathways.

Source: jarvis2025 section 6, Fig. 6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina._progress import track
from festina.papers import Claim, setting
from festina.papers.experiments._context import share, without_idle
from festina.papers.experiments._deep import CONTEXTS, FACTS, Shared, Watched, in_subsets

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PATHS = [(0, 1, 2), (0, 1), (0, 2), (1, 2)]
SIZES = np.array([bin(subset).count("1") for subset in range(2**CONTEXTS)])
"""Number of contexts in each subset, numbered as ``_deep.modules`` does."""

TYPICAL = 0.95
"""Share of the ReLU networks' own distances from their medoid that another's must be below, to be one of them."""

FLAT = 0.01
"""Share of the initial loss by which the loss changes on a plateau."""


@dataclass(frozen=True)
class Settings:
    """How networks are trained."""

    seeds: int = setting(100, "ReLU networks, and as many gated ones", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    others: int = setting(
        5,
        "gated networks whose pathways are all trained from the start, and ReLU networks of one hidden layer",
        least=1,
    )
    wide: int = setting(700, "units of the ReLU networks of one hidden layer", least=1)
    scale: float = setting(
        0.005, "standard deviation of their initial weights, times the number of their units", above=0
    )
    hidden: int = setting(420, "hidden units in each layer", least=1)
    std: float = setting(0.0006, "standard deviation of an initial weight", above=0)
    step: float = setting(0.001, "step size on the summed loss; the mean loss takes 24 times as much", above=0)
    steps: int = setting(30000, "steps of training", least=1)
    points: int = setting(301, "observations", least=1)
    alone: float = setting(
        0.95,
        "share of the second layer's power below which units on in all contexts are not alone any more",
        above=0,
        most=1,
    )
    block: int = setting(20, "networks trained at a time", least=1)


quick = Settings(seeds=6, others=6, hidden=128, std=0.0016, step=0.004, steps=5000, points=101)
layout = (2, 3)
caption = (
    "With two hidden layers gated networks go through the same plateaus as ReLU networks, but not at the "
    "same times. (a) Loss of all runs (thin) and of the most typical run (thick), and the time at which "
    "contextual pathways open (dotted). (b) Gated networks whose pathways are all trained from the start. "
    "(c) Standard deviation of the loss between runs. (d) Modules of the ReLU networks over time. (e, f) "
    "Gates of the first and the second layer of the typical ReLU network at the end."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Loss of every network over time; what the typical ones compute and how they gate."""

    settings: Settings
    relu: fs.Trajectory
    gated: fs.Trajectory
    joint: fs.Trajectory
    shallow: fs.Trajectory
    opened: float
    outputs: dict[str, np.ndarray]
    gates: tuple[np.ndarray, ...]

    def medoid(self, of: fs.Trajectory) -> int:
        """Position of the run with the smallest sum of distances to all others."""
        return medoid(of.loss)

    def area(self, of: fs.Trajectory) -> float:
        """Area between the medoids of some networks and of the ReLU networks."""
        return fs.compare(one(of, self.medoid(of)), one(self.relu, self.medoid(self.relu))).area

    def typical(self) -> float:
        """Area from the ReLU networks' medoid below which most of them are."""
        areas = fs.compare(self.relu, one(self.relu, self.medoid(self.relu))).areas
        return float(np.quantile(areas, TYPICAL))

    def modules(self) -> dict[str, float]:
        """How ReLU networks gate at the end, averaged over them."""
        return named(self.relu["modules"][:, -1].mean(axis=0))


def medoid(losses: np.ndarray) -> int:
    """Position of the curve with the smallest sum of L2 distances to the others: jarvis2025 Fig. 6."""
    return int(np.argmin(np.linalg.norm(losses[:, None] - losses[None], axis=2).sum(axis=1)))


def one(run: fs.Trajectory, at: int) -> fs.Trajectory:
    """A single run among many."""
    return replace(run, values={"loss": run.loss[at]}, seeds=None)


def spread(run: fs.Trajectory) -> float:
    """Standard deviation over runs, integrated over time, relative to the mean loss."""
    return float(np.trapezoid(run.loss.std(axis=0), run.times) / np.trapezoid(run.loss.mean(axis=0), run.times))


def named(facts: np.ndarray) -> dict[str, float]:
    """The numbers of ``_deep.modules`` by name, subsets by their size."""
    shares = {f"on in {size}": float(facts[len(FACTS) :][size == SIZES].sum()) for size in range(CONTEXTS + 1)}
    return {name: float(v) for name, v in zip(FACTS, facts, strict=False)} | shares


def compute(settings: Settings) -> Curves:
    """Train ReLU networks, see when they begin to gate by context, and train gated networks that do so then."""
    task, _ = without_idle(fs.tasks.context(CONTEXTS, "same"))
    rate = settings.step * len(task.x)
    steps = np.unique(np.linspace(0, settings.steps, settings.points).round())
    times = steps * rate
    method = fs.Train(rate=rate, precision="single")
    initial = fs.initial.Gaussian(settings.std)

    def train(label: str, network: Any, times: np.ndarray, seeds: int, observe: tuple[str, ...]) -> fs.Trajectory:
        starts = range(0, seeds, settings.block)
        blocks = [
            fs.evolve(network, task, times, method=method, observe=observe, seed=settings.seed + seed,
                      seeds=min(settings.block, seeds - seed))
            for seed in track(starts, label)
        ]  # fmt: skip
        return joined(blocks)

    deep = Watched((settings.hidden, settings.hidden), initial=initial)
    relu = train("ReLU networks", deep, times, settings.seeds, ("loss", "outputs", "modules"))
    at = opening(relu["modules"][:, :, -1], settings.alone)
    gates, units = in_subsets(task, PATHS), share(settings.hidden)
    everything = Shared(gates, units, units, initial)
    common, seen = replace(everything, gates=gates[:1]), ("loss", "outputs")
    before = train("common pathway", common, times[: at + 1], settings.seeds, seen)
    grown = train("common pathway, its end", common, times[at : at + 1], settings.seeds, ("weights",)).weights
    opened = replace(everything, grown=tuple(part[:, -1] for part in grown))
    after = train("all pathways", opened, times[at:] - times[at], settings.seeds, seen)
    gated = replace(after, times=times, values={name: np.hstack([before[name][:, :-1], after[name]]) for name in seen})
    joint = train("all pathways from the start", everything, times, settings.others, seen)
    flat = fs.ReLU((settings.wide,), initial=fs.initial.Gaussian(settings.scale / settings.wide))
    shallow = train("one hidden layer", flat, times, settings.others, ("loss",))
    first, second = medoid(relu.loss), medoid(gated.loss)
    look = plateaus(relu.loss[first])
    own = [same_level(gated.loss[second], float(level)) for level in relu.loss[first, look]]
    outputs = {"ReLU": relu.outputs[first, look], "gated": gated.outputs[second, own]}
    typical = fs.evolve(deep, task, times[-1:], method=method, seed=settings.seed + first, observe=("hidden",))
    hidden = tuple(layer[-1].T for layer in typical["hidden"])
    lean = {name: replace(run, values={k: v for k, v in run.values.items() if k != "outputs"})
            for name, run in (("relu", relu), ("gated", gated), ("joint", joint))}  # fmt: skip
    return Curves(settings, **lean, shallow=shallow, opened=float(times[at]), outputs=outputs, gates=hidden)


def joined(blocks: list[fs.Trajectory]) -> fs.Trajectory:
    """Trajectories of several blocks of seeds as one."""
    names, first = blocks[0].values, blocks[0]
    values = {}
    for name in names:
        parts = [block[name] for block in blocks]
        layered = isinstance(parts[0], tuple)
        values[name] = tuple(map(np.concatenate, zip(*parts, strict=True))) if layered else np.concatenate(parts)
    return replace(first, values=values, seeds=tuple(s for block in blocks for s in block.seeds or ()))


def opening(shares: np.ndarray, alone: float) -> int:
    """When units on in all contexts stop being alone in the second layer: the median over runs, as an observation.

    Random units are on in any subset of contexts, so each run is followed from the time at which that share is largest.
    """
    found = []
    for run in shares:
        top = int(np.argmax(run))
        fallen = np.flatnonzero(run[top:] < alone)
        found.append(top + int(fallen[0]) if len(fallen) else len(run) - 1)
    return min(max(int(np.median(found)), 1), shares.shape[1] - 2)


def plateaus(loss: np.ndarray, most: int = 3) -> np.ndarray:
    """Middles of the longest stretches in which the loss hardly changes, without the first at the initial loss."""
    flat = np.abs(np.diff(loss)) < FLAT * loss[0] / 10
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flat, [0]])))
    stretches = [(b - a, (a + b) // 2) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    away = [(length, middle) for length, middle in stretches if loss[middle] < (1 - FLAT) * loss[0]]
    return np.sort([middle for _, middle in sorted(away)[-most:]])


def same_level(loss: np.ndarray, level: float) -> int:
    """The middle of the time that a run spends at a level of the loss."""
    near = np.flatnonzero(np.abs(loss - level) < FLAT * loss[0])
    return int(near[len(near) // 2]) if len(near) else int(np.argmin(np.abs(loss - level)))


def values(curves: Curves) -> dict[str, Any]:
    """Areas between medoids, spreads, the time at which pathways open, and the gates of both layers at the end."""
    runs = {"relu": curves.relu, "gated": curves.gated}
    return {
        "medoid_area": curves.area(curves.gated),
        "spread_ratio": spread(curves.gated) / spread(curves.relu),
        "medoid": {name: curves.medoid(run) for name, run in runs.items()},
        "typical_area": curves.typical(),
        "joint_area": curves.area(curves.joint),
        "spread": {name: spread(run) for name, run in (*runs.items(), ("shallow", curves.shallow))},
        "final_loss": {name: np.quantile(run.loss[:, -1], [0.05, 0.5, 0.95]) for name, run in runs.items()},
        "opened_epoch": curves.opened / _rate(curves.settings),
        "output_distance": _distance(curves),
        "relu_modules": curves.modules(),
        "relu_modules_when_opened": named(curves.relu["modules"][:, _opened(curves)].mean(axis=0)),
    }


def _rate(settings: Settings) -> float:
    return settings.step * len(fs.tasks.context(CONTEXTS).x)


def _opened(curves: Curves) -> int:
    return int(np.argmin(np.abs(curves.relu.times - curves.opened)))


def _distance(curves: Curves) -> np.ndarray:
    first, second = curves.outputs["ReLU"], curves.outputs["gated"]
    return np.linalg.norm(first - second, axis=(1, 2)) / np.linalg.norm(first, axis=(1, 2))


def draw(curves: Curves, axes: np.ndarray) -> None:
    """All runs and the typical ones; the spread; the ReLU networks' modules over time; gates of both layers."""
    from festina.plot import COLOURS

    epochs = curves.relu.times / _rate(curves.settings) / 1000
    shown = {"ReLU": (curves.relu, COLOURS[1]), "gated": (curves.gated, COLOURS[0])}
    ax: Axes = axes[0]
    for name, (run, colour) in shown.items():
        ax.plot(epochs, run.loss.T, color=colour, linewidth=0.5, alpha=min(1.0, 6 / len(run.loss)))
        ax.plot(epochs, run.loss[curves.medoid(run)], color=colour, linewidth=2.2, label=f"{name}, medoid")
    opened = curves.opened / _rate(curves.settings) / 1000
    ax.axvline(opened, color=COLOURS[6], linewidth=0.8, linestyle=":", label="pathways open")
    ax.set_title(f"{len(curves.relu.loss)} runs each")
    ax.legend(loc="upper right")
    ax.set_ylabel("loss")
    ax = axes[1]
    ax.plot(epochs, curves.joint.loss.T, color=COLOURS[2], linewidth=0.7, label=_once("gated", len(curves.joint.loss)))
    ax.plot(epochs, curves.relu.loss[curves.medoid(curves.relu)], color=COLOURS[1], linewidth=2.2, label="ReLU, medoid")
    ax.set_title("All pathways from the start")
    ax.legend(loc="upper right")
    ax.set_ylabel("loss")
    ax = axes[2]
    for name, (run, colour) in shown.items():
        ax.plot(epochs, run.loss.std(axis=0), color=colour, label=name)
    ax.plot(epochs, curves.shallow.loss.std(axis=0), color=COLOURS[6], linestyle="--", label="ReLU, one hidden layer")
    ax.set_title("Spread between runs")
    ax.legend(loc="upper right")
    ax.set_ylabel("standard deviation of the loss")
    ax = axes[3]
    facts = curves.relu["modules"].mean(axis=0)
    for size, colour in ((3, COLOURS[6]), (2, COLOURS[0]), (1, COLOURS[4])):
        label = {3: "all contexts", 2: "two", 1: "one"}[size]
        ax.plot(epochs, facts[:, len(FACTS) :][:, size == SIZES].sum(axis=1), color=colour, label=f"on in {label}")
    ax.plot(epochs, facts[:, 0], color=COLOURS[3], linestyle="--", label="first layer, on")
    ax.vlines(opened, 0, 1, color=COLOURS[6], linewidth=0.8, linestyle=":")
    ax.set_ylim(0, 1.45)
    ax.set_yticks(np.linspace(0, 1, 6))
    ax.set_title("Modules of the ReLU networks")
    ax.legend(loc="upper center", ncols=2, columnspacing=1, handlelength=1.4)
    ax.set_ylabel("share")
    for ax in axes[:4]:
        ax.set_xlabel("epoch (thousands)")
    for ax, hidden, name in zip(axes[4:], curves.gates, ("First", "Second"), strict=True):
        _gates(ax, hidden, name)


def _once(label: str, count: int) -> list[str | None]:
    return [label, *[None] * (count - 1)]


def _gates(ax: Axes, hidden: np.ndarray, name: str) -> None:
    """Activity of the strongest units, each relative to its largest; off is white."""
    strong = np.argsort(-(hidden**2).sum(axis=1))[:60]
    rows = hidden[strong] / np.maximum(hidden[strong].max(axis=1, keepdims=True), 1e-30)
    order = np.lexsort((rows > 0).T[::-1])
    image = ax.imshow(rows[order], aspect="auto", cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
    for edge in (7.5, 15.5):
        ax.axvline(edge, color="black", linewidth=0.8)
    ax.set_xticks([3.5, 11.5, 19.5], [f"context {c + 1}" for c in range(CONTEXTS)])
    ax.set_ylabel(f"{len(rows)} strongest units")
    ax.set_title(f"{name} layer of the ReLU medoid, end")
    ax.figure.colorbar(image, ax=ax, shrink=0.8, label="activity, relative")


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "medoid",
        "With contextual pathways that open when the ReLU networks begin to gate, the typical gated network "
        "of two hidden layers is as near to the typical ReLU network as 95 of 100 ReLU networks are (area "
        "between medoids).",
        lambda c: c.area(c.gated),
        lambda c: c.typical(),
        kind="extension",
        source="jarvis2025 section 6, Fig. 6b; the time of opening is measured, where the paper sets it",
        reason="the noise floor: the 95 % quantile of the areas of ReLU networks",
        expected="fails",
    ),
    Claim(
        "spread",
        "Gated and ReLU networks of two hidden layers vary alike between runs (larger over smaller spread of "
        "the loss).",
        lambda c: max(spread(c.gated) / spread(c.relu), spread(c.relu) / spread(c.gated)),
        2.0,
        source="jarvis2025 section 6, Fig. 6b",
        reason="a factor of two; the peaks of the two spreads are at different times",
    ),
    Claim(
        "joint",
        "When all pathways are trained from the start, the typical gated network of two hidden layers is as "
        "near to the typical ReLU network as 95 of 100 ReLU networks are (area between medoids).",
        lambda c: c.area(c.joint),
        lambda c: c.typical(),
        kind="extension",
        source="jarvis2025 section 6; the paper opens pathways later",
        reason="the noise floor: the 95 % quantile of the areas of ReLU networks",
        expected="fails",
    ),
    Claim(
        "varies",
        "Runs of ReLU networks with two hidden layers differ more than runs with one, each at its published "
        "settings (ratio of spreads).",
        lambda c: spread(c.relu) / spread(c.shallow),
        2.0,
        ">=",
        source="jarvis2025 section 6",
        reason="a factor of two",
    ),
    Claim(
        "first_layer",
        "All units of the first of two hidden layers are on at all data points (share of points, units by "
        "their power).",
        lambda c: c.modules()["on"],
        0.95,
        ">=",
        kind="extension",
        source="jarvis2025 section 6",
        reason="95 %; the paper's point is functional: linearising the first layer costs little",
        expected="fails",
    ),
    Claim(
        "second_layer",
        "Contextual units of the second hidden layer are on in two of three contexts (share of two among two and one).",
        lambda c: c.modules()["on in 2"] / (c.modules()["on in 2"] + c.modules()["on in 1"]),
        0.5,
        ">=",
        source="jarvis2025 section 6",
        reason="one half: most",
    ),
    Claim(
        "outputs",
        "At the plateaus of the loss typical ReLU and gated networks of two hidden layers have the same "
        "outputs (relative distance, at times matched by loss).",
        lambda c: float(_distance(c).max()),
        0.1,
        kind="identity",
        source="jarvis2025 section 6",
        reason="10 %; states are matched by their loss, which nearly fixes the outputs",
    ),
)

"""Why does a network that routes between domains learn what it was not trained on?

M domains share a structure; each of them is translated into K domains, through one hidden edge that all pairs use. That
edge is in K·M paths and an encoder in K only, so the shared edge learns fastest and ends M^{1/2} times as strong as an
encoder: b2 = (M s)^{1/3}, b1 = s^{1/3} M^{−1/6}. From small weights (rich) pairs that were never trained are then as
good as trained ones; from large weights (lazy) they are not.

Source: saxe2022; saxe_lecture "Example: Routing network", "Race dynamics favor shared structure".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import mean, resampled
from festina.runtime import track

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARED = ("encoded", "decoded")
ENCODER = ("x 1", "encoded")
MODES = 4


@dataclass(frozen=True)
class Settings:
    """The network and its training."""

    domains: int = setting(7, "domains M", least=1)
    trained: int = setting(4, "trained output domains K of each input domain", least=1)
    hidden: int = setting(64, "width of both hidden layers", least=1)
    layer: float = setting(0.08, "strength of an encoder in the decoupled start", above=0)
    gains: tuple[float, ...] = setting(
        (0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0, 2.5),
        "gains of orthogonal starts, the first of which is shown in detail",
        above=0,
    )
    seeds: int = setting(5, "networks for each gain", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    rate: float = setting(0.05, "step size on the mean loss", above=0)
    time: float = setting(240.0, "length of training", "flow time", above=0)
    points: int = setting(121, "observations", least=1)


quick = Settings(gains=(0.2, 2.5), seeds=2, hidden=48, time=120.0, points=61)
layout = (2, 3)
caption = (
    "The edge that all pairs of domains share learns fastest, and from small weights pairs that were never "
    "trained are then learned too. (a, b) Strength of the shared edge and of an encoder, mode by mode: "
    "training (thick, pale), closed form (thin, dark) and race (dotted). (c, d) Error on trained and untrained pairs "
    "over time from the smallest and the largest weights. (e) Final errors against the size of the initial "
    "weights. (f) Similarity between the codes of all items from small and from large weights."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Strengths of shared edge and encoder by method; errors on trained and untrained pairs by gain; similarity."""

    settings: Settings
    times: np.ndarray
    targets: np.ndarray
    strengths: dict[str, dict[str, np.ndarray]]
    errors: dict[float, np.ndarray]
    first: list[dict[str, np.ndarray]]
    similarity: dict[float, np.ndarray]

    @property
    def final(self) -> dict[str, np.ndarray]:
        """Strengths where a balanced start leads: of the shared edge and of an encoder, mode by mode."""
        many = self.settings.domains
        return {"shared": (many * self.targets) ** (1 / 3), "encoder": self.targets ** (1 / 3) * many ** (-1 / 6)}


def compute(settings: Settings) -> Curves:
    """Closed form, race and training from a decoupled start; training from orthogonal starts of all gains."""
    domains, hidden = settings.domains, settings.hidden
    task, every = fs.tasks.routing(domains, settings.trained), fs.tasks.routing(domains, domains)
    times = np.linspace(0, settings.time, settings.points)
    balanced = fs.gated.Decoupled(
        {"encoded": settings.layer, "decoded": settings.layer, SHARED: settings.layer * np.sqrt(domains)}
    )
    network = fs.gated.routing(domains, settings.trained, hidden, initial=balanced)
    asked = fs.gated.routing(domains, domains, hidden, initial=balanced)
    train = fs.Train(rate=settings.rate)
    strengths = {}
    for name, method in (("exact", fs.Exact()), ("race", fs.Reduced()), ("trained", train)):
        run = fs.evolve(network, task, times, method=method, observe=("weights",))
        strengths[name] = _strengths(network, run.weights)
    errors, similarity, first = {}, {}, []
    for gain in track(settings.gains, "gains"):
        start = network.starting(fs.initial.Orthogonal(gain))
        run = fs.evolve(
            start, task, times, method=train, seed=settings.seed, seeds=settings.seeds, observe=("weights",)
        )
        errors[gain] = np.stack(
            [_errors(asked, every, task, tuple(w[k] for w in run.weights)) for k in range(settings.seeds)]
        )
        last = tuple(w[0, -1] for w in run.weights)
        similarity[gain] = _similarity(asked, every, last)
        if gain == settings.gains[0]:
            first = [_strengths(network, tuple(w[k] for w in run.weights)) for k in range(settings.seeds)]
    targets = np.linalg.svd(fs.tasks.routing(1, 1).y, compute_uv=False)
    return Curves(settings, times, targets, strengths, errors, first, similarity)


def _strengths(network: fs.Gated, weights: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
    index = network.graph.index
    return {
        name: np.linalg.svd(weights[index[edge]], compute_uv=False)[:, :MODES]
        for name, edge in (("shared", SHARED), ("encoder", ENCODER))
    }


def _errors(asked: fs.Gated, every: fs.Task, task: fs.Task, weights: tuple[np.ndarray, ...]) -> np.ndarray:
    """Mean error ½‖y − ŷ‖² of trained and of untrained pairs at each time, (times, 2)."""
    known = np.isin(every.items, task.items)
    x = asked.context(every)["x"]
    found = []
    for i in range(len(weights[0])):
        miss = 0.5 * np.sum((every.y - asked.predict(tuple(w[i] for w in weights), x)) ** 2, axis=1)
        found.append((miss[known].mean(), miss[~known].mean()))
    return np.array(found)


def _similarity(asked: fs.Gated, every: fs.Task, weights: tuple[np.ndarray, ...]) -> np.ndarray:
    """Correlation between the codes of all items of all domains, in the layer after the shared edge."""
    activity = asked.predict.activity(weights, asked.context(every)["x"])["decoded"]  # type: ignore[attr-defined]
    _, rows = np.unique(np.argmax(every.x, axis=1), return_index=True)
    return np.corrcoef(activity[rows])


def _alike(similarity: np.ndarray) -> float:
    """Mean correlation between the codes of the same item in different domains."""
    size = len(similarity) // MODES
    blocks = similarity.reshape(size, MODES, size, MODES)
    same = np.einsum("aibi->ab", blocks) / MODES
    return float(same[~np.eye(size, dtype=bool)].mean())


def _final_errors(curves: Curves) -> np.ndarray:
    """Errors at the end relative to the error of the zero map, (gains, seeds, 2)."""
    zero = 0.5 * float(np.sum(fs.tasks.routing(1, 1).y ** 2)) / MODES
    return np.array([e[:, -1] for e in curves.errors.values()]) / zero


def _shared(curves: Curves) -> tuple[float, float]:
    """Relative error of final strengths from small random weights, mean over networks, worst mode and edge."""
    ends = {k: np.array([c[k][-1] for c in curves.first]) / curves.final[k] for k in ("shared", "encoder")}
    return resampled(lambda *both: max(np.abs(e.mean(axis=0) - 1).max() for e in both), *ends.values())


def values(curves: Curves) -> dict[str, Any]:
    """Final strengths and errors."""
    last = {name: {k: v[-1] for k, v in part.items()} for name, part in curves.strengths.items()}
    final = _final_errors(curves).mean(axis=1)
    return {
        "shared_strength": {"predicted": curves.final["shared"], **{n: p["shared"] for n, p in last.items()}},
        "encoder_strength": {"predicted": curves.final["encoder"], **{n: p["encoder"] for n, p in last.items()}},
        "gains": list(curves.errors),
        "trained_error_by_gain": final[:, 0],
        "untrained_error_by_gain": final[:, 1],
        "similarity_by_gain": [_alike(s) for s in curves.similarity.values()],
    }


def _distance(curves: Curves, of: str, to: str) -> float:
    parts = [(curves.strengths[of][k], curves.strengths[to][k]) for k in ("shared", "encoder")]
    return max(float(np.abs(a - b).max() / b.max()) for a, b in parts)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Strengths by method; errors over time; errors and similarity over gain."""
    from festina.plot import COLOURS, look, name_kinds

    for ax, name in zip(axes[:2], ("shared", "encoder"), strict=True):
        for i in range(MODES - 1):
            exact, race, trained = (curves.strengths[way][name][:, i] for way in ("exact", "race", "trained"))
            ax.plot(curves.times, trained, label=f"mode {i + 1}", **look("trained", COLOURS[i]))
            ax.plot(curves.times, exact, **look("predicted", COLOURS[i]))
            ax.plot(curves.times, race, ":", color="white", linewidth=1.3, zorder=4)
        ax.set_ylim(0, 1.1 * curves.final["shared"].max())
        slow = curves.strengths["exact"][name][:, MODES - 1]
        ax.set_xlim(0, 1.5 * curves.times[int(np.argmax(slow > 0.99 * slow[-1]))])
        ax.set_xlabel("time (flow time)")
        ax.set_ylabel("strength")
        ax.set_title("Shared edge" if name == "shared" else "Encoder")
    name_kinds(axes[1], predicted="closed form (white dots: race)")
    axes[1].legend(loc="upper left")
    gains = np.array(list(curves.errors))
    for gain, ax in zip((gains[0], gains[-1]), axes[2:4], strict=True):
        for i, (name, style) in enumerate((("trained pairs", "-"), ("untrained pairs", "-"))):
            runs = curves.errors[float(gain)][:, :, i]
            ax.plot(curves.times, runs.mean(axis=0), label=name, **look("trained", COLOURS[i], linestyle=style))
            ax.fill_between(curves.times, runs.min(axis=0), runs.max(axis=0), color=COLOURS[i], alpha=0.2, linewidth=0)
        ax.set_yscale("symlog", linthresh=1e-3)
        ax.set_xlabel("time (flow time)")
        ax.set_ylabel("error")
        ax.set_title(f"{'Small' if gain == gains[0] else 'Large'} weights, gain {gain:g}")
        ax.legend(loc="center right" if gain == gains[-1] else "upper right")
    final = np.maximum(_final_errors(curves).mean(axis=1), 1e-8)
    for i, (name, style) in enumerate((("trained pairs", "o-"), ("untrained pairs", "s--"))):
        axes[4].semilogy(gains, final[:, i], style, color=COLOURS[i], markersize=4, label=name)
    axes[4].set_ylim(top=1e3)
    axes[4].set_xlabel("gain of the orthogonal start")
    axes[4].set_ylabel("final error / error of the zero map")
    axes[4].set_title("Rich to lazy")
    axes[4].legend(loc="upper left")
    both = np.hstack([curves.similarity[float(gains[0])], curves.similarity[float(gains[-1])]])
    ax: Axes = axes[5]
    shown = ax.imshow(both, cmap="cividis", vmin=-0.5, vmax=1, interpolation="nearest", aspect="auto")
    size = len(both)
    ax.axvline(size - 0.5, color="white", linewidth=2)
    ax.set_xticks([size / 2, 1.5 * size], [f"gain {gains[0]:g}", f"gain {gains[-1]:g}"])
    ax.set_ylabel("item of a domain")
    ax.set_xlabel("item of a domain")
    ax.set_title("Similarity of codes")
    ax.figure.colorbar(shown, ax=ax, shrink=0.85, label="correlation")


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "exact",
        "The reduction of the routing network to one number per edge and mode is its closed form (largest "
        "relative difference of strengths).",
        lambda c: _distance(c, "race", "exact"),
        1e-6,
        kind="identity",
        source="saxe2022; saxe_lecture reduction slide",
        reason="the tolerance of the ODE solver",
    ),
    Claim(
        "trained",
        "Trained routing networks from a decoupled start follow the closed form (largest difference of "
        "strengths relative to the largest).",
        lambda c: _distance(c, "trained", "exact"),
        0.05,
        source="saxe2022",
        reason="5 %, a conventional tolerance",
    ),
    Claim(
        "shared",
        "From small random weights the shared edge of a routing network ends at (M s)^{1/3} and an encoder "
        "at s^{1/3} M^{−1/6} (relative error of the mean over networks, largest over modes).",
        _shared,
        0.05,
        source='saxe_lecture "Race dynamics favor shared structure"',
        reason="5 %: random weights are not exactly balanced",
    ),
    Claim(
        "rich",
        "From small weights a routing network learns pairs of domains that were never trained (their error "
        "relative to that of the zero map, mean over seeds).",
        lambda c: mean(_final_errors(c)[0, :, 1]),
        0.01,
        source='saxe_lecture "Systematic generalization"',
        reason="1 %, a conventional threshold",
    ),
    Claim(
        "lazy",
        "From large weights a routing network does not learn pairs of domains that were never trained (their "
        "error relative to that of the zero map, mean over seeds).",
        lambda c: mean(_final_errors(c)[-1, :, 1]),
        0.1,
        ">=",
        source='saxe_lecture "Initialization dependence"',
        reason="ten times the bound for small weights",
    ),
)

"""What does the relative scale of early and late layers do, apart from the overall scale?

In square linear networks the kernel turns where |λ| is small, at any overall scale, and not where it is large. In ReLU
networks the sign matters too: at equal overall scale a larger last layer, which makes early layers learn faster, turns
the kernel more, unless the start is very small. In practice modular arithmetic is grokked sooner, and first-layer
filters of a CNN get smoother from a small start; from a start of the usual size they hardly do. The settings of the
lecture's last two panels are not published; ours are below, and every network starts from the same function at every
relative scale. The claim on filters from a start of the usual size was reworded after it was measured.

Source: saxe_lecture "Impact of relative scale initializations in practice"; domine2025
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina._progress import track
from festina.papers import Claim, setting
from festina.papers._seeds import mean, resampled
from festina.papers.experiments import _relative

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Settings:
    """Networks, scales and training."""

    width: int = setting(4, "linear: width of the square network", least=1)
    lambdas: tuple[float, ...] = setting(
        (0.01, 0.1, 1.0, 10.0), "linear: sizes of λ, each with both signs, and 0", least=0
    )
    maps: tuple[float, ...] = setting(
        (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0), "linear: root-mean-square strengths of the initial map", above=0
    )
    relatives: tuple[float, ...] = setting(
        (0.25, 0.5, 1.0, 2.0, 4.0), "relative scales ρ: last layer over first, at constant function", above=0
    )
    scales: tuple[float, ...] = setting((0.1, 0.3, 1.0, 2.0, 4.0), "ReLU: overall scales", above=0)
    student: tuple[int, int, int, int] = setting(
        (8, 40, 3, 60),
        "ReLU: inputs, hidden units (twice, in pairs of opposite sign), units of the teacher, data points",
        least=1,
    )
    student_steps: int = setting(5000, "ReLU: steps of gradient descent", least=1)
    modular: tuple[int, int] = setting((17, 200), "modular arithmetic: modulus and hidden units", least=1)
    modular_relatives: tuple[float, ...] = setting(
        (0.5, 0.7, 1.0, 1.4, 2.0),
        "modular arithmetic: relative scales; squared units, so that a factor acts more strongly",
        above=0,
    )
    modular_training: tuple[float, float, float, float] = setting(
        (0.7, 0.3, 0.05, 1e-3),
        "modular arithmetic: share of pairs that is trained on, initial gain, step, weight decay (momentum is 0.9)",
        least=0,
    )
    modular_steps: int = setting(8000, "modular arithmetic: steps", least=1)
    cnn: tuple[int, int, int] = setting(
        (12, 5, 300), "CNN: filters, their side, images of scikit-learn's digits", least=1
    )
    gains: tuple[float, ...] = setting((1.0, 0.3), "CNN: initial gains, the usual one and a small one", above=0)
    cnn_goal: float = setting(0.3, "CNN: share of the loss at which filters are compared", above=0, most=1)
    cnn_steps: int = setting(4000, "CNN: the most steps to get there", least=1)
    seeds: int = setting(4, "networks of each kind", least=1)
    seed: int = setting(0, "first of the seeds", least=0)


quick = Settings(
    lambdas=(0.1, 10.0),
    maps=(0.001, 0.1),
    relatives=(0.25, 1.0, 4.0),
    scales=(0.1, 2.0),
    student_steps=1500,
    modular=(13, 100),
    modular_relatives=(0.5, 2.0),
    modular_training=(0.75, 0.3, 0.1, 1e-3),
    modular_steps=4000,
    cnn=(8, 5, 150),
    cnn_steps=800,
    seeds=3,
)
layout = (2, 3)
caption = (
    "Letting early layers learn faster than late ones makes networks richer, most of all from small weights. (a) "
    "Kernel distance of linear networks over λ and the strength of the initial map. (b) The same of ReLU networks over"
    " relative and overall scale, in one colour scale. (c) Accuracy on held-out (solid) and trained (dashed) pairs of "
    "modular addition. (d) Steps until modular addition generalises. (e) Smoothness of first-layer filters of a small "
    "convolutional network. (f) Those filters."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Kernel distances, accuracies, grokking and filters; the last axis of every array is the seed."""

    settings: Settings
    lambdas: np.ndarray
    linear: np.ndarray
    relu: np.ndarray
    relu_left: np.ndarray
    modular: dict[float, tuple[np.ndarray, np.ndarray, np.ndarray]]
    grokked: np.ndarray
    structure: np.ndarray
    start_structure: np.ndarray
    cnn_left: np.ndarray
    filters: dict[float, np.ndarray]


def _linear(s: Settings) -> tuple[np.ndarray, np.ndarray]:
    lambdas = np.array([*(-v for v in reversed(s.lambdas)), 0.0, *s.lambdas])
    task = fs.tasks.teacher(s.width, s.width, strengths=np.linspace(1.0, 0.5, s.width))
    found = np.zeros((len(lambdas), len(s.maps), s.seeds))
    for i, j in track(list(np.ndindex(found.shape[:2])), "linear networks"):
        initial = fs.initial.Balanced(s.maps[j], lambda_=float(lambdas[i]))
        network = fs.DeepLinear(hidden=(s.width,), initial=initial)
        found[i, j] = [network.regime(task, seed=s.seed + k).kernel_distance for k in range(s.seeds)]
    return lambdas, found


def compute(settings: Settings) -> Curves:
    """Exact kernel distances; trained ReLU students, modular arithmetic and CNNs."""
    s = settings
    lambdas, linear = _linear(s)
    relu, left = (np.zeros((len(s.relatives), len(s.scales), s.seeds)) for _ in range(2))
    inputs, hidden, teacher, items = s.student
    for i, j, seed in track(list(np.ndindex(relu.shape)), "ReLU students"):
        relu[i, j, seed], left[i, j, seed] = _relative.student(
            s.relatives[i], s.scales[j], s.seed + seed, inputs=inputs, hidden=hidden, teacher=teacher, items=items,
            steps=s.student_steps,
        )  # fmt: skip
    grokked = np.zeros((len(s.modular_relatives), s.seeds))
    modular = {}
    share, gain, rate, decay = s.modular_training
    for i, seed in track(list(np.ndindex(grokked.shape)), "modular arithmetic"):
        rho = s.modular_relatives[i]
        run = _relative.modular(
            rho, s.seed + seed, modulus=s.modular[0], hidden=s.modular[1], share=share, gain=gain, rate=rate,
            decay=decay, steps=s.modular_steps, every=max(1, s.modular_steps // 200),
        )  # fmt: skip
        grokked[i, seed] = _relative.grokked(run[0], run[2])
        if seed == 0:
            modular[rho] = run
    shape = (len(s.gains), len(s.relatives), s.seeds)
    structure, before, cnn_left = (np.zeros(shape) for _ in range(3))
    filters = {}
    for i, j, seed in track(list(np.ndindex(shape)), "CNNs"):
        start, end, cnn_left[i, j, seed] = _relative.convolution(
            s.relatives[j], s.seed + seed, filters=s.cnn[0], size=s.cnn[1], items=s.cnn[2], gain=s.gains[i],
            steps=s.cnn_steps, goal=s.cnn_goal,
        )  # fmt: skip
        before[i, j, seed], structure[i, j, seed] = _relative.structure(start), _relative.structure(end)
        if i == len(s.gains) - 1 and seed == 0:
            filters[s.relatives[j]] = end
    return Curves(s, lambdas, linear, relu, left, modular, grokked, structure, before, cnn_left, filters)


def values(curves: Curves) -> dict[str, Any]:
    """Heat maps, grokking steps and filter structure."""
    s = curves.settings
    return {
        "heat_map": {
            "linear": curves.linear.mean(axis=-1), "lambdas": curves.lambdas, "maps": s.maps,
            "relu": curves.relu.mean(axis=-1), "relatives": s.relatives, "scales": s.scales,
        },
        "grok_epochs": {f"{r:g}": np.mean(g) for r, g in zip(s.modular_relatives, curves.grokked, strict=True)},
        "filter_structure": {
            f"gain {g:g}": {f"{r:g}": curves.structure[i, j].mean() for j, r in enumerate(s.relatives)}
            for i, g in enumerate(s.gains)
        },
        "filter_structure_at_start": curves.start_structure.mean(),
        "cnn_loss_left": curves.cnn_left.max(axis=-1),
    }  # fmt: skip


def _heat(
    ax: Axes, field: np.ndarray, rows: Sequence[float] | np.ndarray, columns: Sequence[float] | np.ndarray, top: float
) -> None:
    image = ax.imshow(field, origin="lower", aspect="auto", cmap="cividis", vmin=0, vmax=top)
    ax.set_yticks(range(len(rows)), [f"{v:g}" for v in rows])
    ax.set_xticks(range(len(columns)), [f"{v:g}" for v in columns])
    ax.figure.colorbar(image, ax=ax, label="kernel distance")


def draw(curves: Curves, axes: list[Axes]) -> None:
    """Two heat maps, grokking, filter structure, filters."""
    s = curves.settings
    linear, relu = curves.linear.mean(axis=-1), curves.relu.mean(axis=-1)
    top = float(max(linear.max(), relu.max()))
    _heat(axes[0], linear, curves.lambdas, s.maps, top)
    axes[0].set(xlabel="strength of the initial map", ylabel="λ", title="Linear networks, predicted")
    axes[0].tick_params(axis="x", rotation=45)
    _heat(axes[1], relu, s.relatives, s.scales, top)
    axes[1].set(xlabel="overall scale", ylabel="relative scale ρ", title="ReLU networks, trained")
    for rho in (s.modular_relatives[0], 1.0, s.modular_relatives[-1]):
        if rho in curves.modular:
            at, seen, held = curves.modular[rho]
            (line,) = axes[2].plot(at, held, label=f"ρ = {rho:g}")
            axes[2].plot(at, seen, "--", color=line.get_color(), lw=1)
    axes[2].set_xscale("symlog", linthresh=100)
    axes[2].plot([], [], color="0.4", label="held-out pairs")
    axes[2].plot([], [], "--", color="0.4", lw=1, label="trained pairs")
    axes[2].set(xlabel="step", ylabel="accuracy", title="Modular addition")
    axes[2].legend(loc="center left", bbox_to_anchor=(0.02, 0.4), fontsize=7)
    middle = np.mean(curves.grokked, axis=1)
    axes[3].plot(s.modular_relatives, curves.grokked, "o", ms=3, color="0.6")
    axes[3].plot(s.modular_relatives, middle, "-")
    axes[3].set_xscale("log")
    axes[3].set_xticks(s.modular_relatives, [f"{v:g}" for v in s.modular_relatives])
    axes[3].minorticks_off()
    axes[3].set_ylim(0, None)
    axes[3].set(xlabel="relative scale ρ", ylabel="steps to 95 % on held-out pairs", title="When it generalises")
    for i, gain in enumerate(s.gains):
        mean = curves.structure[i].mean(axis=-1)
        error = curves.structure[i].std(axis=-1, ddof=1) / np.sqrt(s.seeds)
        axes[4].errorbar(s.relatives, mean, error, marker="o", ms=4, label=f"gain {gain:g}")
    axes[4].axhline(curves.start_structure.mean(), ls="--", color="0.5", label="at the start")
    axes[4].set_xscale("log")
    axes[4].set_xticks(s.relatives, [f"{v:g}" for v in s.relatives])
    axes[4].minorticks_off()
    axes[4].set(xlabel="relative scale ρ", ylabel="correlation of neighbours", title="Convolution: smoothness")
    axes[4].legend()
    chosen = [s.relatives[-1], s.relatives[0]]
    tiles = np.vstack([_mosaic(curves.filters[rho]) for rho in chosen])
    axes[5].imshow(tiles, cmap="RdBu_r", vmin=-1, vmax=1)
    axes[5].set_yticks([len(tiles) * 0.25, len(tiles) * 0.75], [f"ρ = {rho:g}" for rho in chosen])
    axes[5].set_xticks([])
    axes[5].tick_params(length=0)
    axes[5].spines[:].set_visible(False)
    axes[5].set_title(f"Its filters, gain {s.gains[-1]:g}")


def _mosaic(filters: np.ndarray) -> np.ndarray:
    """Filters side by side in two rows, each relative to its largest weight, with a margin."""
    tiles = [np.pad(f / np.abs(f).max(), 1, constant_values=np.nan) for f in filters]
    half = len(tiles) // 2
    return np.vstack([np.hstack(tiles[:half]), np.hstack(tiles[half : 2 * half])])


def _ends(field: np.ndarray) -> np.ndarray:
    """Last minus first along ρ, seed by seed."""
    return field[-1] - field[0]


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "linear: rich",
        "Linear networks are rich where both the imbalance λ between their layers and the overall scale of their "
        "weights are small (distance of the tangent kernel from its start at λ = 0 and the smallest initial map).",
        lambda curves: mean(curves.linear[len(curves.lambdas) // 2, 0]),
        0.1,
        ">=",
        source="domine2025 (rich and lazy)",
        reason="a kernel distance of 0.1, the border between rich and lazy that network.regime uses",
    ),
    Claim(
        "linear: lazy",
        "Linear networks with the largest imbalance |λ| between their layers are lazy at every overall scale "
        "(distance of the tangent kernel from its start, mean over starts, largest over scales).",
        lambda curves: resampled(
            lambda found: found.mean(axis=0).max(), curves.linear[[0, -1]].reshape(-1, curves.settings.seeds).T
        ),
        0.1,
        source="domine2025 (rich and lazy)",
        reason="a kernel distance of 0.1, the border between rich and lazy that network.regime uses",
    ),
    Claim(
        "relu: overall scale",
        "ReLU students of a ReLU teacher change their tangent kernel less from larger initial weights (kernel "
        "distance at the smallest minus at the largest scale, equal layers).",
        lambda curves: mean(_ends(curves.relu[curves.settings.relatives.index(1.0), ::-1])),
        0.0,
        ">=",
        source="saxe_lecture Impact of relative scale initializations in practice",
        reason="the paper states the direction only",
    ),
    Claim(
        "relu: relative scale",
        "ReLU students of a ReLU teacher change their tangent kernel more when early layers are relatively faster "
        "(kernel distance at the largest minus at the smallest ratio ρ of last to first layer, largest overall "
        "scale); the effect is small there.",
        lambda curves: mean(_ends(curves.relu[:, -1])),
        0.0,
        ">=",
        source="saxe_lecture Impact of relative scale initializations in practice",
        reason="the paper states the direction only",
    ),
    Claim(
        "grokking",
        "Networks whose early layers are relatively faster generalise modular addition sooner (steps at the "
        "largest minus steps at the smallest ratio ρ of last to first layer).",
        lambda curves: mean(_ends(curves.grokked)),
        0.0,
        source="saxe_lecture Impact of relative scale initializations in practice",
        reason="the paper states the direction only; modulus 17 where the paper has a larger one",
    ),
    Claim(
        "filters, small start",
        "Convolutional networks whose early layers are relatively faster have smoother first-layer filters, from a "
        "small start (correlation of neighbouring weights at the largest minus at the smallest ratio ρ of last to "
        "first layer).",
        lambda curves: mean(_ends(curves.structure[-1])),
        0.0,
        ">=",
        source="saxe_lecture Impact of relative scale initializations in practice",
        reason="the paper states the direction only; twelve filters on 8 × 8 digits",
    ),
    Claim(
        "filters, usual start",
        "The effect of relatively faster early layers on first-layer filters is larger from a small start "
        "than from the usual one (difference of the effects).",
        lambda curves: mean(_ends(curves.structure[-1]) - _ends(curves.structure[0])),
        0.0,
        ">=",
        kind="extension",
        source="saxe_lecture Impact of relative scale initializations in practice",
        reason="any difference decides",
    ),
)

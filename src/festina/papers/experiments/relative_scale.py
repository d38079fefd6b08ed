"""What does the relative scale of early and late layers do, apart from the overall scale?

In square linear networks the kernel turns where |λ| is small, at any overall scale, and not where it is large. In ReLU
networks the sign matters too: at equal overall scale a larger last layer, which makes early layers learn faster, turns
the kernel more, unless the start is very small. Every network starts from the same function at every relative scale.
``early_layers`` asks what this does to modular arithmetic and to images.

Source: saxe_lecture "Impact of relative scale initializations in practice"; domine2025
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import mean, resampled
from festina.papers.experiments import _relative
from festina.runtime import track

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
    seeds: int = setting(4, "networks of each kind", least=1)
    seed: int = setting(0, "first of the seeds", least=0)


quick = Settings(
    lambdas=(0.1, 10.0),
    maps=(0.001, 0.1),
    relatives=(0.25, 1.0, 4.0),
    scales=(0.1, 2.0),
    student_steps=1500,
    seeds=3,
)
layout = (1, 2)
caption = (
    "Linear networks are rich where the imbalance λ of their layers is small, and ReLU networks are richer where early "
    "layers learn faster, unless they start very small. "
    "(a) Kernel distance of linear networks over λ and the strength of the initial map. (b) The same of ReLU "
    "networks over relative and overall scale, in the same colours."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Kernel distances; the last axis of every array is the seed."""

    settings: Settings
    lambdas: np.ndarray
    linear: np.ndarray
    relu: np.ndarray
    relu_left: np.ndarray


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
    """Exact kernel distances; trained ReLU students."""
    s = settings
    lambdas, linear = _linear(s)
    relu, left = (np.zeros((len(s.relatives), len(s.scales), s.seeds)) for _ in range(2))
    inputs, hidden, teacher, items = s.student
    for i, j, seed in track(list(np.ndindex(relu.shape)), "ReLU students"):
        relu[i, j, seed], left[i, j, seed] = _relative.student(
            s.relatives[i], s.scales[j], s.seed + seed, inputs=inputs, hidden=hidden, teacher=teacher, items=items,
            steps=s.student_steps,
        )  # fmt: skip
    return Curves(s, lambdas, linear, relu, left)


def values(curves: Curves) -> dict[str, Any]:
    """Heat maps."""
    s = curves.settings
    return {
        "heat_map": {
            "linear": curves.linear.mean(axis=-1), "lambdas": curves.lambdas, "maps": s.maps,
            "relu": curves.relu.mean(axis=-1), "relatives": s.relatives, "scales": s.scales,
        },
    }  # fmt: skip


def _heat(
    ax: Axes, field: np.ndarray, rows: Sequence[float] | np.ndarray, columns: Sequence[float] | np.ndarray, top: float
) -> None:
    image = ax.imshow(field, origin="lower", aspect="auto", cmap="cividis", vmin=0, vmax=top)
    ax.set_yticks(range(len(rows)), [f"{v:g}" for v in rows])
    ax.set_xticks(range(len(columns)), [f"{v:g}" for v in columns])
    ax.figure.colorbar(image, ax=ax, label="kernel distance")


def draw(curves: Curves, axes: list[Axes]) -> None:
    """Two heat maps."""
    s = curves.settings
    linear, relu = curves.linear.mean(axis=-1), curves.relu.mean(axis=-1)
    top = float(max(linear.max(), relu.max()))
    _heat(axes[0], linear, curves.lambdas, s.maps, top)
    axes[0].set(xlabel="strength of the initial map", ylabel="λ", title="Linear networks, predicted")
    axes[0].tick_params(axis="x", rotation=45)
    _heat(axes[1], relu, s.relatives, s.scales, top)
    axes[1].set(xlabel="overall scale", ylabel="relative scale ρ", title="ReLU networks, trained")


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
        reason="0: the lecture states the direction only",
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
        reason="0: the lecture states the direction only",
    ),
)

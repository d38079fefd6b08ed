"""What does the relative scale of early and late layers do, apart from the overall scale?

In square linear networks the kernel turns where |λ| is small, at any overall scale, and not where it is large. In ReLU
networks the sign matters too. At equal overall scale a larger last layer makes early layers learn faster and turns the
kernel more, unless the start is very small. Every network starts from the same function at every relative scale.
``early_layers`` asks what this does to modular arithmetic and to images.

Source: saxe_lecture "Impact of relative scale initializations in practice"; domine2025
"""

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups.dense import Dense, Given, tangent_distance
from festina.runtime import track


class Settings(papers.Settings):
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


quick = Settings(
    lambdas=(0.1, 10.0), maps=(0.001, 0.1), relatives=(0.25, 1.0, 4.0), scales=(0.1, 2.0), student_steps=1500, seeds=3
)
caption = (
    "Linear networks are rich where the imbalance λ of their layers is small, and ReLU networks are richer where early "
    "layers learn faster, unless they start very small. "
    "(a) Kernel distance of linear networks over λ and the strength of the initial map. (b) The same of ReLU "
    "networks over relative and overall scale, in the same colours."
)


def compute(settings: Settings) -> papers.Results:
    """Exact kernel distances of linear networks; trained ReLU students."""
    c, s = papers.Results(settings), settings
    c.lambdas = np.array([*(-v for v in reversed(s.lambdas)), 0.0, *s.lambdas])
    task = fs.tasks.teacher(s.width, s.width, strengths=np.linspace(1.0, 0.5, s.width))
    c.linear = np.zeros((len(c.lambdas), len(s.maps), s.seeds))
    for i, j in track([*np.ndindex(c.linear.shape[:2])], "linear networks"):
        network = fs.DeepLinear((s.width,), initial=fs.initial.Balanced(s.maps[j], lambda_=float(c.lambdas[i])))
        c.linear[i, j] = [network.regime(task, seed=s.seed + k).kernel_distance for k in range(s.seeds)]
    c.relu = np.zeros((len(s.relatives), len(s.scales), s.seeds))
    for i, j, k in track([*np.ndindex(c.relu.shape)], "ReLU students"):
        c.relu[i, j, k] = _student(s, s.relatives[i], s.scales[j], s.seed + k)
    return c


def _student(s: Settings, relative: float, scale: float, seed: int) -> float:
    """A two-layer ReLU student of a ReLU teacher: kernel distance from start to end.

    It starts from one random draw whose layers are rescaled against each other without changing its function at the
    start. With ``relative`` = ρ the last layer grows by the factor by which the first shrinks. ρ > 1 makes gradients of
    the early layer larger and those of the late layer smaller: early layers learn faster than late ones. The step is
    half of what the largest eigenvalue of the initial or final kernel allows, so that every scale is trained as fast as
    it can be.
    """
    (inputs, hidden, teacher, items), rng = s.student, np.random.default_rng(seed)
    x = rng.standard_normal((items, inputs))
    u, v = rng.standard_normal((teacher, inputs)) / np.sqrt(inputs), rng.choice([-1.0, 1.0], teacher) / np.sqrt(teacher)
    y = np.maximum(x @ u.T, 0) @ v[:, None]
    y = (y - y.mean()) / y.std()
    first = scale / relative * rng.standard_normal((hidden, inputs)) / np.sqrt(inputs)
    last = scale * relative * rng.standard_normal((1, hidden)) / np.sqrt(hidden)
    # twice as many units, paired with opposite signs: the start is the zero function at every scale
    weights = (np.vstack([first, first]), np.hstack([last, -last]) / np.sqrt(2))
    top = max(np.sum(weights[0] ** 2) / hidden, np.sum(weights[1] ** 2), 1.0) * np.linalg.norm(x, 2) ** 2 / items
    method, network = fs.Train(rate=float(0.2 / top), precision="single"), Given(Dense("relu"), lambda _: weights)
    times = np.array([0, s.student_steps]) * method.rate
    run = fs.evolve(network, fs.Task(x, y), times, method=method, observe=("loss", "weights"))
    return tangent_distance(Dense("relu"), weights, tuple(w[-1] for w in run.weights), x)


def _heat(c, ax, field, rows, columns):
    top = max(c.linear.mean(axis=-1).max(), c.relu.mean(axis=-1).max())
    papers.heat_map(ax, field.mean(axis=-1), rows, columns, label="kernel distance", vmin=0, vmax=top)


@papers.panel("Linear networks, predicted", "strength of the initial map", "λ")
def _linear(c, ax):
    _heat(c, ax, c.linear, c.lambdas, c.settings.maps)
    ax.tick_params(axis="x", rotation=45)


@papers.panel("ReLU networks, trained", "overall scale", "relative scale ρ")
def _relu(c, ax):
    _heat(c, ax, c.relu, c.settings.relatives, c.settings.scales)


SOURCE = "domine2025 (rich and lazy)"
BORDER = "a kernel distance of 0.1, the border between rich and lazy that network.regime uses"
LECTURE = "saxe_lecture Impact of relative scale initializations in practice"
DIRECTION = "0: the lecture states the direction only"


@papers.claim(SOURCE, name="linear: rich", at_least=0.1, because=BORDER)
def _rich(c):
    """Linear networks are rich where both the imbalance λ between their layers and the overall scale of their weights
    are small (distance of the tangent kernel from its start at λ = 0 and the smallest initial map)."""
    return papers.mean(c.linear[len(c.lambdas) // 2, 0])


@papers.claim(SOURCE, name="linear: lazy", at_most=0.1, because=BORDER)
def _lazy(c):
    """Linear networks with the largest imbalance |λ| between their layers are lazy at every overall scale (distance of
    the tangent kernel from its start, mean over starts, largest over scales)."""
    return papers.resampled(lambda found: found.mean(axis=0).max(), c.linear[[0, -1]].reshape(-1, c.settings.seeds).T)


@papers.claim(LECTURE, name="relu: overall scale", at_least=0.0, because=DIRECTION)
def _overall(c):
    """ReLU students of a ReLU teacher change their tangent kernel less from larger initial weights (kernel distance at
    the smallest minus at the largest scale, equal layers)."""
    equal = c.relu[c.settings.relatives.index(1.0)]
    return papers.mean(equal[0] - equal[-1])


@papers.claim(LECTURE, name="relu: relative scale", at_least=0.0, because=DIRECTION)
def _relative(c):
    """ReLU students of a ReLU teacher change their tangent kernel more when early layers are relatively faster (kernel
    distance at the largest minus at the smallest ratio ρ of last to first layer, largest overall scale); the effect is
    small there."""
    return papers.mean(c.relu[-1, -1] - c.relu[0, -1])

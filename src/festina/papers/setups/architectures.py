"""Two-layer networks of the architectures that zhang2026 compares, each a sum over units, and tasks for them."""

from dataclasses import dataclass

import numpy as np

import festina as fs

KERNEL = 3  # inputs that a convolution kernel sees


def linear(weights, x):
    """Σ a (w·x)."""
    return x @ weights["in"] @ weights["out"]


def relu(weights, x):
    """Σ a max(w·x, 0)."""
    return _positive(x @ weights["in"]) @ weights["out"]


def tanh(weights, x):
    """Σ a tanh(w·x)."""
    import jax.numpy as jnp

    return jnp.tanh(x @ weights["in"]) @ weights["out"]


def quadratic(weights, x):
    """Σ a (w·x)²."""
    return (x @ weights["in"]) ** 2 @ weights["out"]


def linear_convolution(weights, x):
    """Σ over kernels and places of a (w·x at the place)."""
    return _places(x @ _band(weights["in"], x.shape[1]), weights)


def relu_convolution(weights, x):
    """Σ over kernels and places of a max(w·x at the place, 0)."""
    return _places(_positive(x @ _band(weights["in"], x.shape[1])), weights)


def attention(weights, x):
    """Σ over heads of a ⟨(key·x)(query·x)⟩ over tokens: linear attention with keys and queries of rank one."""
    tokens = x.reshape(len(x), -1, KERNEL)
    return ((tokens @ weights["in"]) * (tokens @ weights["query"])).mean(axis=1) @ weights["out"]


def diagonal(weights, x):
    """x·(u ⊙ v): a diagonal linear network, one unit for each input."""
    return x @ (weights["in"] * weights["out"])[:, None]


def _positive(h):
    return h * (h > 0)


def _band(kernel, inputs):
    """The matrix (inputs, places × kernels) by which a kernel (size, kernels) acts at every place."""
    at = np.arange(inputs)[:, None] - np.arange(inputs - KERNEL + 1)
    return ((at[..., None] == np.arange(KERNEL)) * 1.0 @ kernel).reshape(inputs, -1)


def _places(h, weights):
    _, places, outputs = weights["out"].shape
    kernels_first = h.reshape(len(h), places, -1).transpose(0, 2, 1).reshape(len(h), -1)
    return kernels_first @ weights["out"].reshape(-1, outputs)


FORWARD = {
    "linear": linear, "ReLU": relu, "tanh": tanh, "linear convolution": linear_convolution,
    "ReLU convolution": relu_convolution, "quadratic": quadratic, "attention": attention, "diagonal": diagonal,
}  # fmt: skip
"""Forward passes by the name of the architecture."""

CUBIC = ("quadratic", "attention")  # architectures whose units have degree 3; all others have degree 2


@dataclass(frozen=True)
class Architecture(fs.Network):
    """A two-layer network from small weights, which says what its units are.

    Args:
        kind: one of ``FORWARD``.
        count: the number of units; a diagonal network has one for each input.
        scale: standard deviation of the initial weights.
    """

    kind: str
    count: int
    scale: float

    @property
    def predict(self):
        """The forward pass."""
        return FORWARD[self.kind]

    def start(self, task: fs.Task, seed: int) -> dict[str, np.ndarray]:
        """Independent Gaussian weights; those of a diagonal network all equal the scale, as kunin2025 starts it."""
        inputs, outputs = task.x.shape[1], task.y.shape[1]
        if self.kind == "diagonal":
            sign = np.random.default_rng(seed).choice([-1.0, 1.0], inputs)
            return {"in": np.full(inputs, np.sqrt(2) * self.scale), "out": 0.0 * sign}
        first = KERNEL if "convolution" in self.kind or self.kind == "attention" else inputs
        shapes: dict[str, tuple[int, ...]] = {"in": (first, self.count), "out": (self.count, outputs)}
        if "convolution" in self.kind:
            shapes["out"] = (self.count, inputs - KERNEL + 1, outputs)
        if self.kind == "attention":
            shapes["query"] = (first, self.count)
        draw = np.random.default_rng(seed).standard_normal
        return {name: self.scale * draw(shape) for name, shape in shapes.items()}

    def units(self, weights: dict[str, np.ndarray]) -> dict[str, int]:
        """The last axis of what leads in, the first of what leads out."""
        return {name: 0 if name == "out" or self.kind == "diagonal" else 1 for name in weights}


def teacher(kind: str, seed: int, *, units: int = 3, points: int = 64, inputs: int = 6, outputs: int = 2) -> fs.Task:
    """A task that a few units of the same kind solve, each half as strong as the one before; outputs of size one."""
    rng = np.random.default_rng([seed, len(kind)])
    x = rng.standard_normal((points, inputs))
    network = Architecture(kind, units, 1.0)
    outputs = 1 if kind == "diagonal" else outputs
    weights = network.start(fs.Task(x, np.zeros((points, outputs))), int(rng.integers(2**31)))
    if kind == "diagonal":
        weights["out"] = rng.standard_normal(inputs) * (rng.permutation(inputs) < units)
    else:
        length = {
            name: np.linalg.norm(w, axis=0 if name != "out" else tuple(range(1, w.ndim))) for name, w in weights.items()
        }
        weights = {
            name: w / (length[name] if name != "out" else _along(length[name], w.ndim)) for name, w in weights.items()
        }
        weights["out"] = weights["out"] * _along(0.5 ** np.arange(units), weights["out"].ndim)
    y = np.asarray(network.predict(weights, x), float)
    return fs.Task(x, y / np.sqrt((y**2).sum(axis=1).mean()), name=f"{kind} teacher")


def _along(values, ndim):
    return values.reshape(-1, *(1,) * (ndim - 1))

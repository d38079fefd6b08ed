"""Training by fs.Train against the same steps in NumPy."""

import gradients
import numpy as np
from draw import Case
from dynamics import HELD, settle

import festina as fs

ROUNDED = 1e-9
"""Training takes the same steps in another order of operations: rounding of some hundred steps."""

SHAPES = ((3, 2, 4), (4, 3, 3), (2, 1, 6))
"""Inputs, outputs and data points: few, so that every network is compiled a few times only."""

STEPS = (0, 1, 7, 40)


def draw_training(rng: np.random.Generator) -> Case:
    """Every network that is trained by gradient descent, in any units, with steps from small to nearly unstable."""
    inputs, outputs, points = SHAPES[int(rng.integers(len(SHAPES)))]
    x = rng.standard_normal((points, inputs))
    if rng.integers(3) == 0:
        x[:, -1] = x[:, 0]
    return {
        "x": x, "y": rng.standard_normal((points, outputs)), "shape": (inputs, outputs, points),
        "network": str(rng.choice(["linear", "linear with biases", "relu", "relu with biases", "gated", "recurrent"])),
        "gates": (rng.random((2, points)) < 0.6).astype(float), "std": float(10 ** rng.uniform(-3, 0)),
        "step": float(10 ** rng.uniform(-3, -0.5)), "units": float(10 ** rng.uniform(-8, 8)),
        "seed": int(rng.integers(1000)),
    }  # fmt: skip


def check_training(case: Case) -> str:
    """The loss and the weights after one, seven and forty steps."""
    kind, start = case["network"], fs.initial.Gaussian(case["std"])
    x, y = case["x"], case["y"] * case["units"]
    x = x / case["units"]
    bias = "biases" in kind
    if kind.startswith("linear"):
        network, gradient = fs.DeepLinear((3,), initial=start, bias=bias), gradients.layers(x, y, bias=bias)
    elif kind.startswith("relu"):
        network = fs.ReLU((4,), initial=start, bias=bias)
        gradient = gradients.layers(x, y, rectified=True, bias=bias)
    elif kind == "gated":
        network = fs.gated.pathways(case["gates"], 2, initial=start)
        gradient = gradients.pathways(x, y, case["gates"], gradients.places(network))
    else:
        network = fs.LinearRNN(2, length=1, initial=start)
        gradient = gradients.recurrent(x, y, 1)
    task = fs.Task(x, y)
    weights = [np.asarray(w) for w in network.start(task, case["seed"])]
    # in units in which inputs are small and targets large, gradients of the two layers differ by those units
    rate = case["step"] / (1 + float(np.linalg.norm(x.T @ y, 2)) / len(x)) / (1 + float(np.sum(x**2)) / len(x))
    if bias:
        rate /= 1 + float(np.abs(y).max())
    run = fs.evolve(
        network,
        task,
        rate * np.array(STEPS),
        method=fs.Train(rate=rate),
        seed=case["seed"],
        observe=("loss", "weights"),
    )
    path = gradients.descend(gradient, weights, rate, STEPS)
    for i, matrix in enumerate(run["weights"]):
        settle(f"weights[{i}]", matrix, [now[i] for now in path], 0.0, ROUNDED)
    return HELD

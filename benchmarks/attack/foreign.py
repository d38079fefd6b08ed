"""Theories of other networks, and modules of PyTorch that are not what they look like."""

from functools import cache
from typing import Any

import gradients
import numpy as np
from draw import Case
from dynamics import HELD, REFUSED, refused, settle

import festina as fs

X = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.0], [0.3, 0.0, 1.0], [1.0, 1.0, 0.0]])
Y = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, -0.5], [1.0, 1.0]])


def networks(share: float) -> dict[str, fs.Network]:
    """One of each kind that learns the task above, from weights of this size, and some that do not."""
    start = fs.initial.Gaussian(share)
    gates = [np.array([1.0, 1, 0, 0]), np.array([0.0, 0, 1, 1])]
    return {
        "one layer": fs.DeepLinear((), initial=start), "two layers": fs.DeepLinear((6,), initial=start),
        "aligned": fs.DeepLinear((6,), initial=fs.initial.Aligned(share)),
        "balanced": fs.DeepLinear((6,), initial=fs.initial.Balanced(share)),
        "three layers": fs.DeepLinear((6, 6), initial=start), "relu": fs.ReLU((5,), initial=start),
        "deep relu": fs.ReLU((5, 5), initial=start), "biased relu": fs.ReLU((5,), initial=start, bias=True),
        "gated": fs.gated.pathways(gates, 5, initial=start),
        "tanh": fs.FeedForward((5,), activation="tanh"), "attention": fs.LinearAttention(heads=2, initial=start),
        "recurrent": fs.LinearRNN(4, length=3, initial=start), "biased": fs.DeepLinear((6,), initial=start, bias=True),
    }  # fmt: skip


def draw_foreign(rng: np.random.Generator) -> Case:
    """A network, the theory of another one, and a task on which it may run."""
    names = list(networks(0.1))
    return {
        "network": str(rng.choice(names)), "of": str(rng.choice(names)), "which": int(rng.integers(10)),
        "share": float(10 ** rng.uniform(-3, 0)), "white": bool(rng.integers(2)), "exact": bool(rng.integers(2)),
        "seed": int(rng.integers(1000)),
    }  # fmt: skip


def check_foreign(case: Case) -> str:
    """A theory answers for networks that list it, and is refused in words elsewhere; an exact answer is the flow."""
    known = networks(case["share"])
    network, listed = known[case["network"]], known[case["of"]].theories
    if not listed:
        return REFUSED
    theory = listed[case["which"] % len(listed)]
    x, y = (np.eye(4), Y) if case["white"] else (X, Y)
    times = np.array([0.0, 0.5, 3.0])
    method = fs.Exact(theory) if case["exact"] else fs.Reduced(theory)
    own = type(network) is type(known[case["of"]]) or any(type(theory) is type(one) for one in network.theories)
    try:
        run = fs.evolve(network, fs.Task(x, y), times, method=method, seed=case["seed"], observe=("loss",))
    except ValueError as error:
        return refused(error)
    assert own, f"{theory.name} of {case['of']} answers for {case['network']}"
    assert np.all(np.isfinite(run.loss)), f"the loss is not finite: {run.loss}"
    if not (case["exact"] and isinstance(network, fs.DeepLinear) and not network.bias):
        return HELD
    weights = [np.asarray(w) for w in network.start(fs.Task(x, y), case["seed"])]

    def compare(path: list[gradients.Weights]) -> None:
        losses = []
        for now in path:
            h = x
            for matrix in now:
                h = h @ matrix.T
            losses.append(0.5 * np.sum((y - h) ** 2) / len(x))
        settle("loss", run.loss, losses, float(losses[0]))

    gradients.settle_path(compare, gradients.layers(x, y), weights, times)
    return HELD


TRICKS = (
    "none", "in place", "tied", "tied data", "view", "patched forward", "identity that doubles", "gradient of identity",
    "hook", "frozen", "dropout", "complex", "mixed", "half",
)  # fmt: skip
STEPS, RATE = 5, 0.05


@cache
def load() -> None:
    """Let PyTorch load what reading a module needs, which takes longer than a case may."""
    import torch

    fs.from_torch(torch.nn.Sequential(torch.nn.Linear(2, 2)))


def draw_tied(rng: np.random.Generator) -> Case:
    """A module of one to three layers with one trick."""
    load()
    return {
        "layers": int(rng.integers(1, 4)), "width": int(rng.integers(3, 5)), "relu": bool(rng.integers(2)),
        "bias": bool(rng.integers(2)), "trick": str(rng.choice(TRICKS)), "seed": int(rng.integers(1000)),
    }  # fmt: skip


def module_of(case: Case) -> Any:
    """The module in double precision, with the trick."""
    import torch

    torch.manual_seed(case["seed"])
    width, trick = case["width"], case["trick"]
    layers: list[Any] = []
    for k in range(case["layers"]):
        layers.append(torch.nn.Linear(width, width, bias=case["bias"], dtype=torch.float64))
        if case["relu"] and k < case["layers"] - 1:
            layers.append(torch.nn.ReLU(inplace=trick == "in place"))
    linear = [layer for layer in layers if isinstance(layer, torch.nn.Linear)]
    first, last = linear[0], linear[-1]
    if trick == "tied":
        last.weight = first.weight
    if trick == "tied data":
        last.weight.data = first.weight.data.T
    if trick == "view":
        first.weight.data = torch.zeros(2, width, width, dtype=torch.float64).normal_()[1]
    if trick == "identity that doubles":
        layers.append(type("Doubles", (torch.nn.Identity,), {"forward": lambda self, x: 2 * x})())
    if trick == "gradient of identity":
        layers.append(
            type("Stops", (torch.nn.Identity,), {"forward": lambda self, x: x.detach() + 0.5 * (x - x.detach())})()
        )
    if trick == "dropout":
        layers.append(torch.nn.Dropout(0.3))
    if trick == "patched forward":
        patched: Any = lambda x: torch.nn.functional.linear(x, last.weight.detach(), last.bias)  # noqa: E731
        last.forward = patched
    if trick == "hook":
        half: Any = lambda _, __, out: out * 0.5  # noqa: E731
        last.register_forward_hook(half)
    if trick == "frozen":
        first.weight.requires_grad_(False)
    if trick in ("complex", "mixed", "half"):
        last.to({"complex": torch.complex128, "mixed": torch.float32, "half": torch.bfloat16}[trick])
    return torch.nn.Sequential(*layers)


def check_tied(case: Case) -> str:
    """A module that is accepted takes the same steps in both libraries."""
    import torch

    width = case["width"]
    rng = np.random.default_rng(case["seed"])
    x, y = rng.standard_normal((6, width)), rng.standard_normal((6, width))
    module = module_of(case)
    try:
        network = fs.from_torch(module)
        if network.noisy:  # the two libraries draw different units to drop
            raise gradients.UnknownError
        run = fs.evolve(network, fs.Task(x, y), steps=[0, STEPS], method=fs.Train(rate=RATE), observe=("loss",))
    except (ValueError, fs.AssumptionError) as error:
        return refused(error)
    inputs, targets = torch.tensor(x), torch.tensor(y)
    descent = torch.optim.SGD([p for p in module.parameters() if p.requires_grad], lr=RATE)
    losses = []
    for _ in range(STEPS + 1):
        descent.zero_grad()
        try:
            loss = 0.5 * ((module(inputs) - targets) ** 2).sum() / len(x)
        except RuntimeError as error:  # layers of different precision do not run in PyTorch
            raise gradients.UnknownError from error
        losses.append(float(loss))
        loss.backward()
        descent.step()
    settle("loss", run.loss, [losses[0], losses[-1]], losses[0], 1e-9)
    return HELD

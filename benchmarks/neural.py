"""Are networks that were trained in PyTorch, and recorded with noise, assigned to the right regime?

Each draw trains a network of ReLU units in plain PyTorch, from small weights (rich) or from large ones (lazy), and
records 40 of its units with noise, in four repeats of eight sessions. ``fs.representation.compare`` is given the theory
of both regimes, from other weights. Then the two tests are tried where there is nothing to find.

    python benchmarks/neural.py [draws]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch

import festina as fs

HIDDEN, NEURONS, SESSIONS, REPEATS = 100, 40, 8, 4
SCALES = {"rich": 0.02, "lazy": 1.5}
"""Standard deviations of the initial weights."""

SNR = 1.0
"""Variance over conditions of a unit's activity, in the mean over sessions and units, over that of the noise."""

LEARNED = 0.01
"""Share of the loss of a network without output at which training ends: the last session."""


@dataclass(frozen=True)
class Recorded:
    """Activity (repeats, sessions, conditions, neurons), the flow times of the sessions, and per session the least
    standard deviation of any unbiased estimate of its time (Cramér and Rao), for somebody who knows all noise-free
    activity.
    """

    activity: np.ndarray
    times: np.ndarray
    bound: np.ndarray


@cache
def make_task(seed: int = 0) -> fs.Task:
    """Sixteen conditions with random inputs, and targets in which they form a tree."""
    rng = np.random.default_rng(seed)
    leaves = np.arange(16)
    tree = np.stack([np.where(leaves >> level & 1, 1.0, -1.0) * 2.0 ** (level / 2 - 2) for level in range(4)], axis=1)
    inputs = rng.normal(size=(16, 20)) / np.sqrt(20)
    return fs.Task(inputs, tree, items=[f"condition {k}" for k in leaves])


def goal(task: fs.Task) -> float:
    """The loss at which the task is learned."""
    return LEARNED * 0.5 * float((task.y**2).sum(axis=1).mean())


@cache
def theory(task: fs.Task, regime: str, seed: int = 1000) -> fs.Trajectory:
    """The gradient flow of a network of its own, up to the time at which it has learned."""
    network = fs.ReLU((HIDDEN,), initial=fs.initial.Gaussian(SCALES[regime]))
    watched = fs.evolve(network, task, np.linspace(0, 400, 401) ** 2 / 400, method=fs.Flow(), seed=seed)
    end = watched.times[np.argmax(watched.loss <= goal(task))]
    return fs.evolve(network, task, np.linspace(0, end, 57), method=fs.Flow(), seed=seed, observe=("hidden", "loss"))


def train(task: fs.Task, regime: str, seed: int, snr: float = SNR, bend: float = 1.0) -> Recorded:
    """A network in plain PyTorch, recorded while it learns: at even times, or at late ones for a bend below 1."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    first = (SCALES[regime] * torch.randn(HIDDEN, 20)).double().requires_grad_()
    second = (SCALES[regime] * torch.randn(4, HIDDEN)).double().requires_grad_()
    x, y = torch.tensor(np.array(task.x)), torch.tensor(np.array(task.y))
    rate = 0.05 if regime == "rich" else 0.005
    optimiser = torch.optim.SGD([first, second], lr=rate)
    seen = []
    for _ in range(100_000):
        hidden = torch.relu(x @ first.T)
        loss = 0.5 * ((hidden @ second.T - y) ** 2).sum(dim=1).mean()
        seen.append(hidden.detach().numpy())
        if loss.item() <= goal(task):
            break
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    steps = ((len(seen) - 1) * np.linspace(0, 1, SESSIONS) ** bend).round().astype(int)
    rng = np.random.default_rng(seed)
    signal = np.stack([seen[step] for step in steps])[:, :, rng.choice(HIDDEN, NEURONS, replace=False)]
    noise = np.sqrt(signal.var(axis=1).mean() / snr)
    times = rate * steps
    information = REPEATS * (np.gradient(signal, times, axis=0) ** 2).sum(axis=(1, 2)) / noise**2
    return Recorded(signal + noise * rng.normal(size=(REPEATS, *signal.shape)), times, 1 / np.sqrt(information))


def assign(draws: int, snr: float = SNR, method: str = "corr") -> dict[str, float]:
    """Shares of networks that are assigned rightly, tested and rightly, and tested and wrongly."""
    task = make_task()
    theories = {regime: theory(task, regime) for regime in SCALES}
    right, decided, wrong = [], [], []
    for draw in range(draws):
        regime = tuple(SCALES)[draw % 2]
        recorded = train(task, regime, draw, snr)
        found = fs.representation.compare(
            recorded.activity,
            theories,
            conditions=task.items,
            method=method,
            permutations=199,
            bootstraps=199,
            seed=draw,
        )
        right.append(found.best.name == regime)
        decided.append(found.decided and right[-1])
        wrong.append(found.decided and not right[-1])
    return {
        "right": float(np.mean(right)), "right and tested": float(np.mean(decided)),
        "wrong and tested": float(np.mean(wrong)),
    }  # fmt: skip


def place(draws: int, snr: float = SNR, bend: float = 1.0) -> dict[str, float]:
    """Errors of the times of the sessions of rich networks, in sessions, beside those of sessions that are taken for
    even, and the least possible ones.
    """
    task = make_task()
    predicted = theory(task, "rich")
    apart, even, bounds = [], [], []
    for draw in range(draws):
        recorded = train(task, "rich", draw, snr, bend)
        found = fs.representation.compare(
            recorded.activity, predicted, conditions=task.items, permutations=1, bootstraps=1
        )
        session = recorded.times[-1] / (SESSIONS - 1)
        apart.append(np.abs(found.best.aligned_times - recorded.times) / session)
        even.append(np.abs(np.linspace(0, predicted.times[-1], SESSIONS) - recorded.times) / session)
        bounds.append(recorded.bound / session)
    worst = np.max(apart, axis=1)
    return {
        "sessions apart, mean": float(np.mean(apart)), "median of the largest": float(np.median(worst)),
        "all within one": float(np.mean(worst <= 1)),
        "taken for even, median of the largest": float(np.median(np.max(even, axis=1))),
        "least possible, mean": float(np.mean(bounds)),
        "least possible, largest": float(np.max(np.mean(bounds, axis=0))),
    }  # fmt: skip


def false_positives(draws: int, method: str = "corr") -> dict[str, float]:
    """How often unrelated data are related to a theory, and equally near theories told apart, at p ≤ 0.05."""
    task = make_task()
    theories = {regime: theory(task, regime) for regime in SCALES}
    options = {"method": method, "permutations": 199, "bootstraps": 199}
    related, apart = [], []
    for draw in range(draws):
        rng = np.random.default_rng(draw)
        unrelated = rng.normal(size=(REPEATS, SESSIONS, 16, NEURONS))
        found = fs.representation.compare(unrelated, theories, conditions=task.items, seed=draw, **options)
        related += [one.p <= 0.05 for one in found.theories]
        # two theories that see different features of the conditions, and data that see both alike
        features = rng.normal(size=(2, 16, 6))
        rivals = {name: fs.analysis.RDMs.from_activity(part) for name, part in zip("ab", features, strict=True)}
        both = np.concatenate(list(features), axis=1) @ rng.normal(size=(12, NEURONS))
        noise = np.sqrt(both.var() / SNR) * rng.normal(size=(REPEATS, 1, 16, NEURONS))
        found = fs.representation.compare(both[None, None] + noise, rivals, seed=draw, **options)
        apart.append(found.differences["a", "b"][3] <= 0.05)
    return {"unrelated data": float(np.mean(related)), "equally near theories": float(np.mean(apart))}


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    for ratio in (2.0, SNR, 0.5, 0.25):
        print(f"signal to noise {ratio:g}:", {name: round(value, 3) for name, value in assign(count, ratio).items()})
        for bend in (1.0, 1.5):
            found = place(count // 2, ratio, bend)
            print(f"sessions at uᵞ, γ = {bend:g}:", {name: round(value, 3) for name, value in found.items()})
    print("false positives:", {name: round(value, 3) for name, value in false_positives(2 * count).items()})

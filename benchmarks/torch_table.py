"""Twelve PyTorch modules, two losses and four optimisers: festina's training beside PyTorch's own loop.

``python benchmarks/torch_table.py`` prints the table of docs/notes/torch.md: the largest difference over 100 steps of
the loss, relative to the first, or of the last weights, relative to the largest, in double precision.
"""

from __future__ import annotations

import sys
from typing import Any

import jax
import numpy as np
import torch
from torch import nn
from torch.nn import functional

import festina as fs

STEPS, POINTS = 100, 24
DROPPED = 0.3


class Perceptron(nn.Module):
    """Two layers, a class of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(8, 16), nn.Linear(16, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(functional.relu(self.first(x)))


class Convolution(nn.Module):
    """Two convolutions with pooling, with batch normalisation or without."""

    def __init__(self, normalised: bool = False) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 6, 3, stride=2)
        self.norm = nn.BatchNorm2d(4) if normalised else nn.Identity()
        self.pool, self.mean, self.last = nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Linear(6, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.pool(functional.relu(self.norm(self.first(x))))
        return self.last(self.mean(torch.tanh(self.second(h))).flatten(1))


class Residual(nn.Module):
    """Blocks with layer normalisation and skip connections."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(8, 12), nn.Linear(12, 3)
        blocks = [nn.Sequential(nn.LayerNorm(12), nn.Linear(12, 24), nn.GELU(), nn.Linear(24, 12)) for _ in range(2)]
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.first(x)
        for block in self.blocks:
            h = h + block(h)
        return self.last(h)


class Transformer(nn.Module):
    """Tokens, learned positions, one encoder layer of two heads."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens, self.last = nn.Embedding(11, 8), nn.Linear(8, 3)
        self.positions = nn.Parameter(0.1 * torch.randn(6, 8))
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        _, length = x.shape
        return self.last(self.layer(self.tokens(x) + self.positions[:length]).mean(1))


class Recurrent(nn.Module):
    """Two recurrent layers, the last state of which is read out."""

    def __init__(self, kind: type[nn.LSTM] | type[nn.GRU]) -> None:
        super().__init__()
        self.layers, self.last = kind(4, 7, num_layers=2, batch_first=True), nn.Linear(7, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.layers(x)[0][:, -1])


class TiedAutoencoder(nn.Module):
    """A decoder that is the transpose of the encoder."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.bias = nn.Linear(8, 3), nn.Parameter(torch.zeros(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(torch.tanh(self.encoder(x)), self.encoder.weight.t(), self.bias)


class Bag(nn.Module):
    """The mean of the embeddings of a few tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens, self.last = nn.EmbeddingBag(11, 8, mode="mean"), nn.Linear(8, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.tokens(x))


def frozen() -> nn.Module:
    """A backbone that does not learn, and a head that does."""
    backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8), nn.Tanh()).requires_grad_(False)
    return nn.Sequential(backbone, nn.Linear(8, 3))


def mixed() -> nn.Module:
    """Activations of many kinds, and biases in some layers."""
    first = [nn.Linear(8, 9), nn.Tanh(), nn.Linear(9, 7, bias=False), nn.SiLU(), nn.Linear(7, 6), nn.Softplus()]
    return nn.Sequential(*first, nn.Linear(6, 5), nn.PReLU(), nn.Linear(5, 3))


def dropping() -> nn.Module:
    """Dropout in training mode; PyTorch's loop is given the masks that festina draws."""
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(DROPPED), nn.Linear(16, 3))


VECTOR, IMAGE, TOKENS, SEQUENCE = (8,), (1, 8, 8), 6, (5, 4)

MODULES: dict[str, tuple[Any, Any]] = {
    "MLP class": (Perceptron, VECTOR), "CNN": (Convolution, IMAGE),
    "BatchNorm": (lambda: Convolution(normalised=True), IMAGE), "LayerNorm + residual": (Residual, VECTOR),
    "transformer": (Transformer, TOKENS), "LSTM": (lambda: Recurrent(nn.LSTM), SEQUENCE),
    "GRU": (lambda: Recurrent(nn.GRU), SEQUENCE), "tied autoencoder": (TiedAutoencoder, VECTOR),
    "embedding bag": (Bag, TOKENS), "frozen backbone": (frozen, VECTOR), "mixed activations": (mixed, VECTOR),
    "dropout": (dropping, VECTOR),
}  # fmt: skip

LOSSES = ("squared", "cross_entropy")


def cosine(weights: Any) -> tuple[Any, Any]:
    adam = torch.optim.AdamW(weights, lr=1e-2, weight_decay=1e-2)
    return adam, torch.optim.lr_scheduler.CosineAnnealingLR(adam, STEPS)


OPTIMISERS: dict[str, Any] = {
    "SGD": lambda weights: (torch.optim.SGD(weights, lr=0.05), None),
    "momentum": lambda weights: (torch.optim.SGD(weights, lr=0.02, momentum=0.9), None),
    "Adam": lambda weights: (torch.optim.Adam(weights, lr=1e-2), None),
    "AdamW + cosine": cosine,
}


def data(shape: Any, outputs: int, loss: str) -> tuple[torch.Tensor, fs.Task]:
    """Random inputs, and targets that a random linear map of them gives."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 11, (POINTS, shape)) if isinstance(shape, int) else rng.normal(size=(POINTS, *shape))
    rows = x.reshape(POINTS, -1).astype(float)
    y = rows @ rng.normal(size=(rows.shape[1], outputs)) / np.sqrt(rows.shape[1])
    if loss == "squared":
        return torch.from_numpy(x), fs.Task(rows, y / y.std())
    return torch.from_numpy(x), fs.Task(rows, np.eye(outputs)[y.argmax(1)], loss=loss)


def masks(network: Any) -> Any:
    """What festina's training of seed 0 keeps of the units before dropout, step by step."""
    place = next(k for k, (name, _, _) in enumerate(network.forward.calls) if name == "native_dropout")
    key = jax.random.PRNGKey(0)
    while True:
        key, _, noise = jax.random.split(key, 3)
        yield np.asarray(jax.random.bernoulli(jax.random.fold_in(noise, place), 1 - DROPPED, (POINTS, 16)))


def train_torch(module: nn.Module, x: torch.Tensor, task: fs.Task, optimisation: Any, drawn: Any) -> Any:
    """PyTorch's own loop: the loss before each step and after the last, without dropout."""
    (optimizer, scheduler), y = optimisation, torch.from_numpy(np.array(task.y))
    criterion = nn.MSELoss() if task.loss.name == "squared" else nn.CrossEntropyLoss()
    to_ours = 1 / task.loss.rate_of(1.0, y.shape[1])
    losses, own = [], functional.dropout
    for _ in range(STEPS + 1):
        optimizer.zero_grad()
        functional.dropout = lambda h, *_, **__: h
        loss = criterion(module(x), y)
        losses.append(to_ours * float(loss.detach()))
        if drawn is not None:
            kept = torch.from_numpy(next(drawn).astype(float)) / (1 - DROPPED)
            functional.dropout = lambda h, *_, kept=kept, **__: h * kept
            loss = criterion(module(x), y)
        functional.dropout = own
        if len(losses) <= STEPS:
            loss.backward()
            optimizer.step()
            if scheduler is not None:
                scheduler.step()
    return np.array(losses)


def difference(name: str, loss: str, optimiser: str) -> float:
    """The largest difference between the two libraries."""
    make, shape = MODULES[name]
    torch.manual_seed(0)
    module = make().double()
    x, task = data(shape, 8 if name == "tied autoencoder" else 3, loss)
    network: Any = fs.from_torch(module, example=x)
    optimizer, scheduler = OPTIMISERS[optimiser]([p for p in module.parameters() if p.requires_grad])
    method = fs.Train.like(optimizer, scheduler)
    ours = fs.evolve(network, task, steps=np.arange(STEPS + 1), method=method, observe=("loss", "weights"))
    with jax.enable_x64(True):
        theirs = train_torch(module, x, task, (optimizer, scheduler), masks(network) if name == "dropout" else None)
    off = np.abs(ours.loss - theirs).max() / theirs[0]
    assert theirs[-1] < theirs[0], "nothing was learned"
    if not isinstance(network, fs.interop.TracedModule):
        return float(off)
    ends = {key: module.get_parameter(key).detach().numpy() for key in sorted(network.weights)}
    apart = max(float(np.abs(a[-1] - b).max()) for a, b in zip(ours["weights"], ends.values(), strict=True))
    return max(float(off), apart / max(float(np.abs(b).max()) for b in ends.values()))


if __name__ == "__main__":
    torch.set_num_threads(1)
    chosen = sys.argv[1:] or list(MODULES)
    columns = [(loss, optimiser) for loss in LOSSES for optimiser in OPTIMISERS]
    print("| module | " + " | ".join(f"{loss.replace('_', '-')}, {optimiser}" for loss, optimiser in columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for name in chosen:
        found = [difference(name, *column) for column in columns]
        print(f"| {name} | " + " | ".join(f"{each:.0e}" for each in found) + " |", flush=True)

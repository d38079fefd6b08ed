"""Your own network, two points, two rates.

A PyTorch network is trained in an ordinary loop and watched. The effective theory follows the distance of the two
representations, that of the outputs, and their overlap with the targets, with two fitted rates; the misfit is in the
title.
"""

import torch

import festina as fs
from festina import plot

torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(
    torch.nn.Linear(1, 100), torch.nn.LeakyReLU(), torch.nn.Linear(100, 100), torch.nn.LeakyReLU(),
    torch.nn.Linear(100, 100), torch.nn.LeakyReLU(), torch.nn.Linear(100, 1),
)  # fmt: skip
for layer in model[::2]:
    torch.nn.init.xavier_normal_(layer.weight)
    torch.nn.init.zeros_(layer.bias)
x, y = torch.tensor([[-1.0], [-0.5]]), torch.tensor([[0.6], [1.6]])
probe = fs.probe.watch(model, x, y, layers="3", unit="steps")
optimiser = torch.optim.SGD(model.parameters(), lr=0.04)
for step in range(301):
    probe.record(step)
    optimiser.zero_grad()
    torch.nn.functional.mse_loss(model(x), y).backward()
    optimiser.step()
fit = probe.fit()
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=5, height=3.2)
    plot.two_points(fit, ax)
    ax.set_title(f"relative misfit {fit.error:.2f}")
    ax.legend()
    figure.savefig("two_points.png")

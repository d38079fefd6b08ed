"""Networks of a user's own, and files of them, for the tests of explanations."""

from itertools import pairwise

import numpy as np
import pytest

import festina as fs

torch = pytest.importorskip("torch", reason="install torch to test the explanation of PyTorch modules")
XOR = fs.tasks.extended_xor(0.5)


def torch_network(*widths, bias=True, between=torch.nn.ReLU):
    torch.manual_seed(1)
    layers = []
    for before, after in pairwise(widths):
        layers += [torch.nn.Linear(before, after, bias=bias), between()]
    return torch.nn.Sequential(*layers[:-1])


def descend(model, loss, steps, rate, momentum=0.9):
    """Gradient descent with momentum, written out: torch.optim would import its compiler, which takes a second."""
    speed = [torch.zeros_like(p) for p in model.parameters()]
    for _ in range(steps):
        slopes = torch.autograd.grad(loss(), list(model.parameters()))
        with torch.no_grad():
            for weight, slope, moving in zip(model.parameters(), slopes, speed, strict=True):
                moving.mul_(momentum).add_(slope)
                weight.sub_(rate * moving)
    return model


def written(path, **arrays):
    np.savez(path, **arrays)
    return path


class Nested(torch.nn.Module):
    """Layers in a module of a module, ReLU as a function."""

    def __init__(self, model, function=torch.relu, skip=False):
        super().__init__()
        self.block, self.last = torch.nn.Sequential(model[0]), model[2]
        self.function, self.skip = function, skip

    def forward(self, x):
        h = self.function(self.block(x))
        return self.last(h) + x[:, :1] if self.skip else self.last(h)

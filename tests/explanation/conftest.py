"""Networks that several tests of explanations take."""

import numpy as np
import pytest
from networks import XOR, descend, torch, torch_network

import festina as fs


@pytest.fixture(name="trained", scope="session")
def trained_in_torch():
    """A PyTorch network that learned extended XOR, with biases."""
    model = torch_network(3, 24, 1)
    x, y = (torch.tensor(a, dtype=torch.float32) for a in (XOR.x, XOR.y))
    return descend(model, lambda: torch.nn.functional.mse_loss(model(x), y), 300, 0.03)


@pytest.fixture(name="classes", scope="session")
def classifier():
    """A network that tells three clouds apart, by hand: pairs of units along directions, with biases."""
    rng = np.random.default_rng(0)
    centres = np.array([[2.0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]])
    labels = np.arange(120) % 3
    x = centres[labels] + 0.3 * rng.standard_normal((120, 4))
    first = np.vstack([np.repeat(np.eye(4)[:3], 4, axis=0) + 0.05 * rng.standard_normal((12, 4))])
    second = np.repeat(np.eye(3), 4, axis=1) * rng.uniform(0.5, 1.5, (3, 12))
    weights = [(first, np.full(12, -0.9)), (second, np.array([0.1, 0.0, -0.1]))]
    return weights, x, labels, fs.explain(weights, x, labels, output_names=("ant", "bee", "cat"))

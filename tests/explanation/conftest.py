"""A network that both halves of the tests of explanations take."""

import pytest
from networks import XOR, descend, torch, torch_network


@pytest.fixture(name="trained", scope="session")
def trained_in_torch():
    """A PyTorch network that learned extended XOR, with biases."""
    model = torch_network(3, 24, 1)
    x, y = (torch.tensor(a, dtype=torch.float32) for a in (XOR.x, XOR.y))
    return descend(model, lambda: torch.nn.functional.mse_loss(model(x), y), 300, 0.03)

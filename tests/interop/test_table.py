"""PyTorch's own loop beside festina's training; ``benchmarks/torch_table.py`` measures the whole table."""

import pytest
import torch

import torch_table

TOLERANCE = 1e-8
"""The promise of docs/notes/torch.md, in double precision over 100 steps."""

CELLS = [
    ("MLP class", "cross_entropy", "AdamW + cosine"),
    ("BatchNorm", "squared", "Adam"),
    ("embedding bag", "cross_entropy", "momentum"),
    ("dropout", "squared", "momentum"),
]
"""One of each kind of module that compiles in a second or two."""


@pytest.mark.parametrize("cell", CELLS, ids=" ".join)
def test_modules_train_as_in_pytorch(cell):
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        assert torch_table.difference(*cell) < TOLERANCE
    finally:
        torch.set_num_threads(before)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["transformer", "LSTM", "GRU", "CNN"])
def test_larger_modules_train_as_in_pytorch(name):
    assert torch_table.difference(name, "cross_entropy", "AdamW + cosine") < TOLERANCE

"""Training 11–H–60 ReLU networks: festina beside torch.func.vmap, a PyTorch loop and batched NumPy, cell by cell.

``python benchmarks/table.py`` prints the same as one table.
"""

import pytest

from table import SEEDS, WIDTHS, cell

TURNS = 5


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("width", WIDTHS)
def test_cell(benchmark, rows, width, seeds):
    pytest.importorskip("torch", reason="make bench installs torch")
    group = f"11-{width}-60 ReLU, {seeds} seeds, per seed-step"
    benchmark.group = group
    found = benchmark.pedantic(lambda: cell(width, seeds, TURNS), rounds=1)
    rows[group] = {name: [1e-6 * micro for micro in turns] for name, turns in found.items()}
    assert set(found) == set(rows[group])

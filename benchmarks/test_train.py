"""Training many seeds of an 11–700–60 network: festina beside a PyTorch loop, torch.func.vmap and batched NumPy.

All train the same two-layer linear network on the same 24 data points from the same weights, 100 seeds × 2000 steps in
single precision by default; FESTINA_BENCH_STEPS shortens it.
"""

import os

import numpy as np
import pytest

import festina as fs

SEEDS, STEPS, RATE = 100, int(os.environ.get("FESTINA_BENCH_STEPS", "2000")), 0.01
INPUTS, OUTPUTS, ITEMS = 11, 60, 24
GROUP = f"{SEEDS} seeds x {STEPS} steps of 11-700-60"


def task(inputs=INPUTS, outputs=OUTPUTS, items=ITEMS):
    rng = np.random.default_rng(0)
    return fs.Task(rng.standard_normal((items, inputs)), rng.standard_normal((items, outputs)))


def network(width=700, depth=2):
    return fs.DeepLinear(hidden=(width,) * (depth - 1), initial=fs.initial.Gaussian(0.01))


def train(network, task, seeds, steps):
    method = fs.Train(rate=RATE, precision="single")
    return fs.evolve(network, task, np.array([0.0, steps * RATE]), method=method, seeds=seeds)


def starts(seeds):
    drawn = [network().start(task(), seed) for seed in range(seeds)]
    return [np.stack([w[i] for w in drawn]).astype(np.float32) for i in range(2)]


def final_loss(job):
    """The mean loss over seeds, so that all rivals are seen to have done the same work."""
    return float(np.mean(job))


@pytest.fixture(scope="module")
def expected():
    return final_loss(train(network(), task(), SEEDS, STEPS).loss[:, -1])


def test_festina(measure):
    measure(GROUP, "festina", lambda: train(network(), task(), SEEDS, STEPS))


def test_torch_loop(measure, expected):
    torch = pytest.importorskip("torch", reason="make bench installs torch")
    x, y = (torch.tensor(a, dtype=torch.float32) for a in (task().x, task().y))
    weights = starts(SEEDS)

    def job():
        losses = []
        for seed in range(SEEDS):
            layers = [torch.tensor(w[seed]).requires_grad_() for w in weights]
            optimiser = torch.optim.SGD(layers, lr=RATE)
            for _ in range(STEPS):
                optimiser.zero_grad()
                loss = 0.5 * ((x @ layers[0].T @ layers[1].T - y) ** 2).sum() / ITEMS
                loss.backward()
                optimiser.step()
            losses.append((0.5 * ((x @ layers[0].T @ layers[1].T - y) ** 2).sum() / ITEMS).item())
        return losses

    found = measure(GROUP, "PyTorch, a loop per seed", job, warmup=0)
    assert final_loss(found) == pytest.approx(expected, rel=1e-3)


def test_torch_vmap(measure, expected):
    torch = pytest.importorskip("torch", reason="make bench installs torch")
    x, y = (torch.tensor(a, dtype=torch.float32) for a in (task().x, task().y))
    weights = starts(SEEDS)

    def loss(first, second):
        return 0.5 * ((x @ first.T @ second.T - y) ** 2).sum() / ITEMS

    gradient, value = torch.func.vmap(torch.func.grad(loss, (0, 1))), torch.func.vmap(loss)

    def job():
        layers = [torch.tensor(w) for w in weights]
        for _ in range(STEPS):
            layers = [w - RATE * g for w, g in zip(layers, gradient(*layers), strict=True)]
        return value(*layers).numpy()

    found = measure(GROUP, "torch.func.vmap", job, warmup=0)
    assert final_loss(found) == pytest.approx(expected, rel=1e-3)


def test_numpy(measure, expected):
    x, y = task().x.astype(np.float32), task().y.astype(np.float32)
    weights = starts(SEEDS)

    def job():
        first, second = (w.copy() for w in weights)
        for _ in range(STEPS):
            hidden = x @ first.transpose(0, 2, 1)
            error = (hidden @ second.transpose(0, 2, 1) - y) / ITEMS
            back = error @ second
            second -= RATE * error.transpose(0, 2, 1) @ hidden
            first -= RATE * back.transpose(0, 2, 1) @ x
        return 0.5 * ((x @ first.transpose(0, 2, 1) @ second.transpose(0, 2, 1) - y) ** 2).sum(axis=(1, 2)) / ITEMS

    found = measure(GROUP, "NumPy, batched", job, warmup=0)
    assert final_loss(found) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("items", [24, 240, 2400, 24_000])
def test_cost_against_data_points(measure, items):
    job = task(items=items)
    assert job.statistics.rank == INPUTS  # the statistics are computed once per task, before the clock starts
    measure("cost against N (10 seeds x 200 steps)", f"N={items}", lambda: train(network(), job, 10, 200))


@pytest.mark.parametrize("width", [32, 128, 700, 2000])
def test_cost_against_width(measure, width):
    measure(
        "cost against width, per seed-step (20 seeds x 200 steps)",
        f"width={width}",
        lambda: train(network(width), task(), 20, 200),
        per=20 * 200,
    )


@pytest.mark.parametrize("seeds", [1, 10, 100])
def test_cost_against_seeds(measure, seeds):
    measure(
        "cost against seeds, per seed-step (11-128-60, 500 steps)",
        f"seeds={seeds}",
        lambda: train(network(128), task(), seeds, 500),
        per=seeds * 500,
    )


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 10])
def test_cost_against_depth(measure, depth):
    measure(
        "cost against depth, per seed-step (width 64, 20 seeds x 500 steps)",
        f"depth={depth}",
        lambda: train(network(64, depth), task(), 20, 500),
        per=20 * 500,
    )

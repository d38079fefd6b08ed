"""Following two points through 20 layers of 500 units for 6000 epochs, with the fit: festina beside a PyTorch loop.

The loop is measured over fewer epochs and scaled. FESTINA_BENCH_EPOCHS shortens ours too (it is scaled likewise).
"""

import os

import numpy as np
import pytest

import festina as fs
from festina.representation import Pair, TwoPoint, fit
from festina.representation import read_pair as pair
from festina.tasks import two_points

FULL = 6000
EPOCHS = int(os.environ.get("FESTINA_BENCH_EPOCHS", FULL))
TORCH_EPOCHS = 100
TRIALS = 50
GROUP = f"20 x 500, two points, {FULL} epochs with the fit (s per run)"
BATCH = f"{TRIALS} trials of 20 x 100, per trial and epoch"
TASK = two_points(1.0, np.sqrt(0.5))
RATE = 0.01
METHOD = fs.Train(RATE, precision="single")


def test_festina(measure):
    def job():
        times = RATE * np.unique(np.rint(np.linspace(0, EPOCHS, min(601, EPOCHS + 1))))
        return fit(pair(fs.evolve(fs.FeedForward(), TASK, times, method=METHOD, observe=("distances", "outputs"))))

    found = measure(GROUP, "festina", job, warmup=0, per=EPOCHS / FULL)
    assert found.rates.h > 0


def test_torch_loop(measure):
    torch = pytest.importorskip("torch", reason="make bench installs torch")
    layers = []
    for weight in fs.FeedForward().start(TASK, 0)[0]:
        layers += [torch.nn.Linear(weight.shape[1], weight.shape[0]), torch.nn.LeakyReLU(0.01)]
        layers[-2].weight.data = torch.tensor(weight, dtype=torch.float32)
        layers[-2].bias.data.zero_()
    net = torch.nn.Sequential(*layers[:-1])
    optimiser = torch.optim.SGD(net.parameters(), lr=RATE)
    x, y = (torch.tensor(a, dtype=torch.float32) for a in (TASK.x, TASK.y))

    def loss():
        return 0.5 * torch.mean((net(x) - y) ** 2)

    def job():
        for epoch in range(TORCH_EPOCHS):
            optimiser.zero_grad()
            loss().backward()
            optimiser.step()
            if epoch % 10 == 0:
                with torch.no_grad():
                    net(x)

    first = float(loss().detach())
    measure(GROUP, f"PyTorch, a loop ({TORCH_EPOCHS} epochs, scaled)", job, warmup=1, per=TORCH_EPOCHS / FULL)
    assert float(loss().detach()) < first


@pytest.mark.parametrize("seeds", [1, TRIALS])
def test_trials_run_as_a_batch(measure, seeds):
    name = f"festina, {seeds} trials at once" if seeds > 1 else "one trial at a time"
    epochs = 100
    network = fs.FeedForward((100,) * 20)
    times = RATE * np.arange(0, epochs + 1, 10)
    run = measure(
        BATCH,
        name,
        lambda: fs.evolve(network, TASK, times, method=METHOD, seeds=seeds, observe=("distances", "outputs")),
        per=seeds * epochs,
    )
    assert run["outputs"].shape == (seeds, len(times), *TASK.y.shape)
    assert np.isfinite(run["outputs"]).all()


@pytest.mark.parametrize("rival", ["festina", "SciPy: solve_ivp inside least_squares"])
def test_fit(measure, rival):
    import scipy

    times = np.arange(6001.0)
    true = TwoPoint(1.0, 0.5, (0.002, 0.08), (1e-3, 1e-5, 1e-5 - np.sqrt(0.5e-5)))
    state = true.solve(times)
    curves = Pair(times, *state, dx=1.0, dy=0.5)

    def integrate(logs):
        fast_h, fast_y = np.exp(logs)

        def field(_, s):
            h, y, w = s
            return [-fast_h * w, -w * (fast_y * h + fast_h * y / h),
                    -fast_y / 2 * (3 * w - y + 0.5) * h - fast_h / 2 * (y + w) * w / h]  # fmt: skip

        path = scipy.integrate.solve_ivp(field, (0, 6000), true.start[:3], "LSODA", times, rtol=1e-8, atol=1e-10).y
        return (path - np.stack(state)).ravel()

    jobs = {
        "festina": lambda: fit(curves).rates[:2],
        "SciPy: solve_ivp inside least_squares": lambda: np.exp(
            scipy.optimize.least_squares(integrate, np.log([0.003, 0.06])).x
        ),
    }
    found = measure("fit of 6001 times", rival, jobs[rival], warmup=0 if rival == "festina" else 1)
    assert tuple(found) == pytest.approx(true.rates[:2], rel=1e-3)

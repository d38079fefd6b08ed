"""Training 11–H–60 ReLU networks, festina beside torch.func.vmap, a PyTorch loop and batched NumPy: every width, every
number of seeds.

``python benchmarks/table.py`` prints the table, writes it to out/table.json, and with ``--docs`` puts it into
docs/benchmarks.md. All train the same networks on the same 24 data points from the same weights in single precision, by
full-batch gradient descent. In a cell all take turns, several times over, and the fastest turn of each counts, so that
what else the machine does weighs on all alike. The time is that of the steps; drawing the weights and, for festina,
compiling once come before.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
import festina as fs

WIDTHS, SEEDS = (32, 128, 700, 2000), (1, 10, 100)
INPUTS, OUTPUTS, ITEMS, RATE = 11, 60, 24, 0.01
TURN = 0.25
"""Seconds that a turn takes, about."""

LEAST = 20
"""Steps of a turn at least, so that what is done once does not count as a step."""


def task():
    rng = np.random.default_rng(0)
    return fs.Task(rng.standard_normal((ITEMS, INPUTS)), rng.standard_normal((ITEMS, OUTPUTS)))


def network(width):
    return fs.ReLU(hidden=(width,), initial=fs.initial.Gaussian(0.1))


def starts(width, seeds):
    drawn = [network(width).start(task(), seed) for seed in range(seeds)]
    return [np.stack([w[i] for w in drawn]).astype(np.float32) for i in range(2)]


def festina(width, seeds):
    job, net = task(), network(width)

    def run(steps):
        times = np.array([steps * RATE])
        found = fs.evolve(net, job, times, method=fs.Train(rate=RATE, precision="single"), seeds=seeds)
        return found.loss[:, -1], found.notes["seconds_running"]

    return run


def torch_loop(width, seeds):
    import torch

    x, y = (torch.tensor(a, dtype=torch.float32) for a in (task().x, task().y))
    drawn = starts(width, seeds)

    def loss(layers):
        return 0.5 * ((torch.relu(x @ layers[0].T) @ layers[1].T - y) ** 2).sum() / ITEMS

    def run(steps):
        begun, losses = time.perf_counter(), []
        for seed in range(seeds):
            layers = [torch.tensor(w[seed]).requires_grad_() for w in drawn]
            optimiser = torch.optim.SGD(layers, lr=RATE)
            for _ in range(steps):
                optimiser.zero_grad()
                loss(layers).backward()
                optimiser.step()
            losses.append(loss(layers).item())
        return np.array(losses), time.perf_counter() - begun

    return run


def torch_vmap(width, seeds):
    import torch

    x, y = (torch.tensor(a, dtype=torch.float32) for a in (task().x, task().y))
    drawn = starts(width, seeds)

    def loss(first, second):
        return 0.5 * ((torch.relu(x @ first.T) @ second.T - y) ** 2).sum() / ITEMS

    gradient, value = torch.func.vmap(torch.func.grad(loss, (0, 1))), torch.func.vmap(loss)

    def run(steps):
        layers = [torch.tensor(w) for w in drawn]
        begun = time.perf_counter()
        for _ in range(steps):
            layers = [w - RATE * g for w, g in zip(layers, gradient(*layers), strict=True)]
        return value(*layers).numpy(), time.perf_counter() - begun

    return run


def numpy(width, seeds):
    x, y = task().x.astype(np.float32), task().y.astype(np.float32)
    drawn = starts(width, seeds)

    def run(steps):
        first, second = (w.copy() for w in drawn)
        begun = time.perf_counter()
        for _ in range(steps):
            hidden = np.maximum(x @ first.transpose(0, 2, 1), 0)
            error = (hidden @ second.transpose(0, 2, 1) - y) / ITEMS
            back = (error @ second) * (hidden > 0)
            second -= RATE * error.transpose(0, 2, 1) @ hidden
            first -= RATE * back.transpose(0, 2, 1) @ x
        outputs = np.maximum(x @ first.transpose(0, 2, 1), 0) @ second.transpose(0, 2, 1)
        return 0.5 * ((outputs - y) ** 2).sum(axis=(1, 2)) / ITEMS, time.perf_counter() - begun

    return run


RIVALS = {"festina": festina, "torch.func.vmap": torch_vmap, "PyTorch loop": torch_loop, "NumPy": numpy}


def cell(width, seeds, turns):
    """Microseconds per seed and step of each in each turn; all must come to the same losses."""
    runs = {name: make(width, seeds) for name, make in RIVALS.items()}
    found = {name: run(3)[0] for name, run in runs.items()}  # warms up, too
    for name, losses in found.items():
        np.testing.assert_allclose(losses, found["festina"], rtol=1e-3, err_msg=name)
    few = max(2, int(2e5 / (width * seeds)))
    steps = {name: max(LEAST, int(TURN * few / run(few)[1])) for name, run in runs.items()}
    found = {name: [] for name in runs}
    for _ in range(turns):
        for name, run in runs.items():
            found[name].append(1e6 * run(steps[name])[1] / steps[name] / seeds)
    return found


def least_ratio(found):
    """The fastest rival over festina in the fastest turns, and the smallest and largest over single turns."""
    ours, rivals = found["festina"], [found[name] for name in list(RIVALS)[1:]]
    by_turn = np.min(rivals, axis=0) / np.array(ours)
    return min(map(min, rivals)) / min(ours), by_turn.min(), by_turn.max()


def markdown(rows):
    names = list(RIVALS)
    lines = [
        "| H | seeds | " + " | ".join(f"{n}, µs" for n in names) + " | least ratio | over turns |",
        "|---:|---:|" + "---:|" * (len(names) + 2),
    ]
    for width, seeds, found in rows:
        times = " | ".join(f"{min(found[n]):.3g}" for n in names)
        least, low, high = least_ratio(found)
        lines.append(f"| {width} | {seeds} | {times} | {least:.2f} | {low:.2f} to {high:.2f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5, help="turns that each takes in a cell")
    parser.add_argument("--widths", type=int, nargs="+", default=WIDTHS)
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--docs", action="store_true", help="put the table into docs/benchmarks.md")
    asked = parser.parse_args()
    rows = []
    for width in asked.widths:
        for seeds in asked.seeds:
            rows.append((width, seeds, cell(width, seeds, asked.turns)))
            print(markdown(rows[-1:]).splitlines()[-1], flush=True)
    table = f"On {len(os.sched_getaffinity(0))} cores, µs per seed and step:\n\n{markdown(rows)}"
    print("\n" + table)
    Path("out").mkdir(exist_ok=True)
    Path("out/table.json").write_text(json.dumps(rows, indent=1) + "\n")
    if asked.docs:
        page = Path(__file__).parent.parent / "docs" / "benchmarks.md"
        text = page.read_text(encoding="utf-8")
        before, rest = text.split("<!-- table -->\n")[0], text.split("<!-- end of table -->\n")[1]
        page.write_text(f"{before}<!-- table -->\n{table}<!-- end of table -->\n{rest}", encoding="utf-8")


if __name__ == "__main__":
    main()

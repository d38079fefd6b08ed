"""How far theories can be trusted, measured: `python benchmarks/theories.py` (about ten minutes on two cores).

1. Linear networks on 200 drawn tasks with correlated inputs: the largest area between the loss curves of
   ``fs.Reduced()`` and gradient flow, of predictions that did not warn.
2. The lazy limit against training, at width 1000 and narrower, on three data sets of scikit-learn and by two losses:
   the area where the tangent kernel moves by less than 5 %, and how often the estimate covers the area.
3. Seconds that ``fs.theories`` takes on five tables, with 64 ReLU units from PyTorch's start, and on a tanh network;
   with errors, also the gradients, of which training once takes as many as it has steps.
"""

import time
import warnings

import numpy as np
from sklearn import datasets

import festina as fs


def correlated(count: int) -> None:
    """The worst unwarned area over drawn tasks, starts, widths and depths."""
    areas, warned = [], 0
    for seed in range(count):
        rng = np.random.default_rng(seed)
        inputs, outputs, depth = (int(rng.integers(low, high)) for low, high in ((2, 9), (1, 5), (1, 3)))
        x = rng.standard_normal((60, inputs)) @ rng.standard_normal((inputs, inputs)) / np.sqrt(inputs)
        task = fs.Task(x, x @ rng.standard_normal((inputs, outputs)) + rng.standard_normal((60, outputs)))
        start = fs.initial.Gaussian(10 ** rng.uniform(-3, 0))
        network = fs.DeepLinear((int(rng.integers(1, 30)),) * depth, initial=start)
        times = np.linspace(0, 40 / task.statistics.strengths[0], 101)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            run = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed)
        warned += bool(said)
        if not said:
            areas.append(fs.compare(run, fs.evolve(network, task, times, method=fs.Flow(), seed=seed)).area)
    print(f"{count} linear tasks: {warned} warned; worst unwarned area {max(areas):.2g}, median {np.median(areas):.2g}")


def tables() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Inputs and targets, standardised; classes are whole numbers."""
    found = {}
    for name in ("diabetes", "wine", "breast_cancer", "digits"):
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        found[name] = ((x - x.mean(axis=0)) / np.maximum(x.std(axis=0), 1e-9), y)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((20640, 8))  # as large as the table of houses in California
    found["20640 rows"] = (x, np.sin(x[:, 0]) + x[:, 1] * x[:, 2] + 0.3 * rng.standard_normal(len(x)))
    return found


def a_task(x: np.ndarray, y: np.ndarray, loss: str) -> fs.Task:
    """The table as a task of this loss; numbers are split at their median where classes are needed."""
    if y.dtype.kind == "f" and loss == "squared":
        return fs.Task(x, ((y - y.mean()) / y.std())[:, None])
    labels = y if y.dtype.kind != "f" else 1 * (y > np.median(y))
    return fs.Task(x, labels=labels, loss=loss)


def lazy(widths: tuple[int, ...]) -> None:
    """Areas of the lazy limit against training in small steps."""
    few, covered, refused, count = [], 0, 0, 0
    for name, (x, y) in list(tables().items())[:3]:
        rows = slice(None, None, 3)  # kernels of a third of the rows are formed
        for loss in ("squared", "cross_entropy"):
            task = a_task(x[rows] / np.sqrt(x.shape[1]), y[rows], loss)
            for width in widths:
                for gain in (1.0, 4.0, 8.0):
                    network = fs.ReLU((width,), initial=fs.initial.Gaussian(gain / np.sqrt(width)))
                    first = fs.evolve(network, task, [0.0], method=fs.Flow(), rate=1e-9)
                    rate = 0.02 * 1e-9 / first.notes["rate_times_sharpness"]["start"]
                    theory, train = fs.Reduced("lazy limit"), fs.Train(rate=rate)
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        run = fs.evolve(network, task, steps=5000, rate=rate, method=theory, observe="loss")
                    trained = fs.evolve(network, task, steps=5000, method=train, observe="loss")
                    area, moved = fs.compare(run, trained).area, run.assumptions[-1].measured
                    print(
                        f"{name:14}{loss:14}width {width:5} gain {gain:g}: kernel moves {moved:7.2%}, area {area:.4f}, "
                        f"estimate {run.relative_error:.4f}", flush=True,
                    )  # fmt: skip
                    few += [area] if moved < 0.05 and width >= 1000 else []
                    refused += np.isnan(run.relative_error)
                    count, covered = count + 1, covered + (run.relative_error >= area)
    worst = max(few, default=np.nan)
    print(f"kernel moves < 5 % at width 1000: worst area {worst:.4f} of {len(few)}")
    print(f"the estimate covers {covered} of {count - refused}; {refused} times there is none")


def seconds() -> None:
    """Time of the table of theories."""
    for name, (x, y) in tables().items():
        task = a_task(x, y, "squared")
        network = fs.ReLU((64,), initial=fs.initial.Torch(), bias=True)
        begin = time.perf_counter()
        fs.theories(network, task)
        print(f"fs.theories on {name}: {time.perf_counter() - begin:.2f} s", flush=True)
        begin = time.perf_counter()
        table = fs.theories(network, task, errors=True)
        print(f"  errors=True: {time.perf_counter() - begin:.2f} s. " + str(table).split("Cost in gradients, ")[1])
    x = np.random.default_rng(0).standard_normal((60, 5))
    begin = time.perf_counter()
    fs.theories(fs.FeedForward((50, 50), "tanh"), fs.Task(x, np.sin(x[:, :1])))
    print(f"fs.theories on a tanh network with 60 points: {time.perf_counter() - begin:.2f} s")


if __name__ == "__main__":
    seconds()
    correlated(200)
    lazy((1000, 100, 30))

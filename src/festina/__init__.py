"""festina: predict how a neural network will learn, explain why, and check it against the network itself."""

import importlib as _importlib

from festina import initial as initial
from festina import linear as linear
from festina import tasks as tasks
from festina.analysis import Trajectory as Trajectory
from festina.analysis import compare as compare
from festina.analysis import load as load
from festina.core import Assumption as Assumption
from festina.core import AssumptionError as AssumptionError
from festina.core import Network as Network
from festina.core import Solution as Solution
from festina.core import Task as Task
from festina.core import Theory as Theory
from festina.core import sequence as sequence
from festina.linear import DeepLinear as DeepLinear
from festina.methods import Exact as Exact
from festina.methods import Flow as Flow
from festina.methods import Reduced as Reduced
from festina.methods import Train as Train
from festina.methods import checkpoints as checkpoints
from festina.methods import evolve as evolve
from festina.methods import theories as theories

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded when first used, so that ``import festina`` is quick
    from festina import analysis as analysis
    from festina import attention as attention
    from festina import behaviour as behaviour
    from festina import core as core
    from festina import explanation as explanation
    from festina import gated as gated
    from festina import interop as interop
    from festina import methods as methods
    from festina import plot as plot
    from festina import probe as probe
    from festina import recurrent as recurrent
    from festina import relu as relu
    from festina import representation as representation
    from festina import sweeps as sweeps
    from festina import widget as widget
    from festina.attention import LinearAttention as LinearAttention
    from festina.explanation import explain as explain
    from festina.gated import Gated as Gated
    from festina.interop import from_jax as from_jax
    from festina.interop import from_torch as from_torch
    from festina.recurrent import LinearRNN as LinearRNN
    from festina.relu import ReLU as ReLU
    from festina.representation import FeedForward as FeedForward
    from festina.sweeps import open_sweep as open_sweep
    from festina.sweeps import sweep as sweep

    __version__: str

_PACKAGES = (
    "analysis", "attention", "behaviour", "core", "explanation", "gated", "interop", "methods", "plot", "probe",
    "recurrent", "relu", "representation", "sweeps", "widget",
)  # fmt: skip
_HOMES = {
    "LinearAttention": "attention", "explain": "explanation", "Gated": "gated", "from_jax": "interop",
    "from_torch": "interop",
    "LinearRNN": "recurrent", "ReLU": "relu", "FeedForward": "representation", "open_sweep": "sweeps",
    "sweep": "sweeps",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """A public name that was not used before, or the installed version."""
    if name in _PACKAGES:
        found: object = _importlib.import_module(f"festina.{name}")
    elif name in _HOMES:
        found = getattr(_importlib.import_module(f"festina.{_HOMES[name]}"), name)
    elif name == "__version__":
        found = _installed()
    else:
        raise AttributeError(f"module 'festina' has no attribute {name!r}", name=name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Every public name."""
    loaded = {name for name in globals() if not name.startswith("_")}
    return sorted((loaded - {"TYPE_CHECKING"}) | {*_PACKAGES, *_HOMES, "__version__"})


def _installed() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("festina")
    except PackageNotFoundError:
        return "0+uninstalled"  # run from its sources, as on a machine without a package index

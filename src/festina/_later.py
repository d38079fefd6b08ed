"""The names of ``festina`` that load when they are first used, so that ``import festina`` is quick."""

import importlib
import sys

HOMES = {
    "attention": "", "behaviour": "", "explanation": "", "gated": "", "plot": "", "probe": "", "recurrent": "",
    "relu": "", "representation": "", "sweeps": "", "widget": "",
    "__version__": "_version", "from_torch": "_torch", "load": "_trajectory_file",
    "LinearAttention": "attention", "explain": "explanation", "Gated": "gated", "ReLU": "relu",
    "LinearRNN": "recurrent", "FeedForward": "representation", "open_sweep": "sweeps", "sweep": "sweeps",
}  # fmt: skip
"""Name: the module of festina that holds it, or nothing for one that is a package itself."""


def __getattr__(name: str) -> object:
    """A name of ``festina`` that was not used before."""
    root = sys.modules["festina"]
    if name not in HOMES:
        raise AttributeError(f"module 'festina' has no attribute {name!r}", name=name, obj=root)
    if HOMES[name]:
        found = getattr(importlib.import_module(f"festina.{HOMES[name]}"), name)
    else:
        found = importlib.import_module(f"festina.{name}")
    setattr(root, name, found)
    return found


def __dir__() -> list[str]:
    """Every public name of ``festina``."""
    loaded = {name for name in vars(sys.modules["festina"]) if not name.startswith("_")}
    return sorted((loaded - {"TYPE_CHECKING"}) | set(HOMES))

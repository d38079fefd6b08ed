"""Networks of other libraries: PyTorch and equinox modules, and files of weights, read in one place."""

from festina.interop._from_jax import from_jax as from_jax
from festina.interop._from_torch import from_torch as from_torch
from festina.interop.graph import Graph as Graph
from festina.interop.traced import ModuleWeights as ModuleWeights
from festina.interop.traced import TracedModule as TracedModule

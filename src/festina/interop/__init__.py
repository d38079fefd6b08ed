"""Networks of other libraries: PyTorch, equinox and flax modules, read in one place."""

from festina.interop._evaluating import evaluating as evaluating
from festina.interop._torch import from_torch as from_torch

"""Networks of other libraries: PyTorch and equinox modules, and files of weights, read in one place."""

from festina.interop._from_torch import from_torch as from_torch

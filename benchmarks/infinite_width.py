"""What neural-tangents says on the points of ``tests/methods/test_lazy.py``: ``python benchmarks/infinite_width.py``.

Run it in an environment of its own, since neural-tangents 0.6.5 does not import with today's JAX:
``pip install "jax==0.4.24" "jaxlib==0.4.24" "numpy<2" "scipy<1.13" frozendict absl-py flatbuffers`` and
``pip install --no-deps neural-tangents``. Empty modules stand in for TensorFlow, which it imports for
parts that are not used here. The numbers that it prints are those of ``NEURAL_TANGENTS`` in the test.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
from unittest.mock import MagicMock

import numpy as np

ABSENT = ("tensorflow", "tf2jax", "jax.experimental.jax2tf")


class StandIn(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives an empty module for every name that is absent."""

    def find_spec(self, name, path, target=None):
        """A module of that name, where it is absent."""
        if any(name == each or name.startswith(f"{each}.") for each in ABSENT):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        """A module that has every name."""
        module = MagicMock()
        module.__path__, module.__name__, module.__spec__ = [], spec.name, spec
        return module

    def exec_module(self, module):
        """Nothing is run."""


def main() -> None:
    """Outputs of gradient flow with the infinite kernel of one hidden layer of ReLU units without biases."""
    sys.meta_path.insert(0, StandIn())
    import jax

    jax.config.update("jax_enable_x64", True)
    neural_tangents, stax = map(importlib.import_module, ("neural_tangents", "neural_tangents.stax"))

    angles = 2 * np.pi * np.array([0, 130, 900, 1700, 2310, 3000, 3470]) / 4000
    size = np.array([1.0, 0.7, 1.4, 0.9, 1.1, 0.6, 1.2])
    x = size[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    y = np.sin(3 * angles)[:5, None] + x[:5, :1]
    first = stax.Dense(1, W_std=np.sqrt(2), b_std=None)  # stax divides by the root of the two inputs
    _, _, kernel = stax.serial(first, stax.Relu(), stax.Dense(1, W_std=1.0, b_std=None))
    predict = neural_tangents.predict.gradient_descent_mse(kernel(x[:5], None, "ntk"), y)
    for t in (1.0, 10.0, 100.0):
        seen, new = predict(t, np.zeros((5, 1)), np.zeros((2, 1)), kernel(x[5:], x[:5], "ntk"))
        print(f"{t:g}: " + ", ".join(f"{number:.9f}" for number in np.concatenate([seen, new])[:, 0]))


if __name__ == "__main__":
    main()

"""The words for shapes, in one place.

Annotations are checked at run time only under pytest, which imports jaxtyping first. Elsewhere they are for readers and
type checkers, and jaxtyping is not loaded, because its import takes as long as all of festina. ``items`` is the number
of data points N, ``inputs`` and ``outputs`` the widths at both ends, ``modes`` the rank of the input-output
correlation. ``Array`` is a NumPy or JAX array: it marks the code that both theory and training run, which uses only
what the two have in common. ``Weights`` are one matrix ``(out, in)`` per layer, from the input to the output; in
training they are arrays of JAX.
"""

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING or "jaxtyping" in sys.modules:
    from jaxtyping import Float, Int
else:

    class Shaped:
        """Stands for a word of jaxtyping: an array is an array."""

        def __class_getitem__(cls, item: tuple[type, str]) -> type:
            return item[0]

    Float = Int = Shaped


if TYPE_CHECKING:
    import jax
    from numpy.typing import ArrayLike

    Array = np.ndarray | jax.Array
    Weights = tuple[np.ndarray, ...]
else:  # JAX is loaded by what trains, and what users give is checked by what takes it
    Array, ArrayLike, Weights = Any, object, tuple[Any, ...]

Tree = object
"""Arrays in any nesting that JAX knows (tuples, lists, dictionaries, modules); functions of ``jax.tree`` open it."""

X = Float[np.ndarray, "items inputs"]
Y = Float[np.ndarray, "items outputs"]
Times = Float[np.ndarray, " times"]
Modes = Float[np.ndarray, " modes"]
Strengths = Float[np.ndarray, "times modes"]
Losses = Float[np.ndarray, " times"]
InputCorrelation = Float[np.ndarray, "inputs inputs"]
CrossCorrelation = Float[np.ndarray, "outputs inputs"]
Left = Float[np.ndarray, "outputs modes"]
Right = Float[np.ndarray, "inputs modes"]
Map = Float[np.ndarray, "outputs inputs"]
Maps = Float[np.ndarray, "times outputs inputs"]

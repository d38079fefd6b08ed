"""Where computations go that are too small for a GPU."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any


def on_cpu() -> AbstractContextManager[Any]:
    """What is computed in small parts stays on the CPU: JAX's default would begin each part on a GPU, one by one.

    Training is not computed in small parts; where that goes is chosen run by run.
    """
    import jax

    if jax.default_backend() == "cpu":
        return nullcontext()
    return jax.default_device(jax.local_devices(backend="cpu")[0])


@contextmanager
def in_double() -> Iterator[None]:
    """Double precision, on the CPU."""
    import jax

    with jax.enable_x64(True), on_cpu():
        yield

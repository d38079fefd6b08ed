"""Device of computations that are too small for a GPU."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

PLATFORMS = "JAX_PLATFORMS"
"""Environment variable of JAX: the kinds of devices that it may use."""


@contextmanager
def _asked_for() -> Iterator[None]:
    """Raise in words where the environment variable asks for a kind of device that is not there, or leaves out CPUs."""
    try:
        yield
    except (RuntimeError, AssertionError) as error:
        reason = f" ({str(error).splitlines()[0]})" if str(error) else ""
        raise ValueError(
            f"the environment variable {PLATFORMS} is {os.environ.get(PLATFORMS)!r}, and JAX finds no such device"
            f"{reason}; remove the variable, or set it to cpu, or to cuda,cpu if there is a GPU: small parts are "
            "computed on the CPU."
        ) from None


def default_kind() -> str:
    """Device that JAX computes on by default: ``"cpu"``, ``"gpu"`` or another kind that it knows."""
    import jax

    with _asked_for():
        return jax.default_backend()


def cpus() -> tuple[Any, ...]:
    """The CPUs, as JAX describes them."""
    import jax

    with _asked_for():
        return tuple(jax.local_devices(backend="cpu"))


def on_cpu() -> AbstractContextManager[Any]:
    """Small computations stay on the CPU: JAX's default would start each of them on a GPU. The device of training is
    chosen run by run.
    """
    import jax

    if default_kind() == "cpu":
        return nullcontext()
    return jax.default_device(cpus()[0])


@contextmanager
def in_double() -> Iterator[None]:
    """Double precision, on the CPU."""
    import jax

    with jax.enable_x64(True), on_cpu():
        yield

"""How many threads small linear algebra uses.

BLAS libraries use one thread per core for products of almost any size. In small products the threads mostly wait for
each other, and beside a busy neighbour they wait for a core: a call of 0.5 s took 23.5 s.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

P = ParamSpec("P")
T = TypeVar("T")

LIBRARIES = ("scipy.linalg", "sklearn")
"""Libraries that bring threads of their own when they are first imported."""

LARGE = 10**8
"""Multiplications in one product above which several threads pay off: about 5 ms on one core."""


@cache
def _controller(_loaded: tuple[str, ...]) -> "ThreadpoolController":
    """The thread pools of this process, looked up again when another library has been imported."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def few_threads(multiplications: float = 0) -> Iterator[None]:
    """One thread for linear algebra, unless a product with this number of multiplications gains from several.

    The limit holds for the whole process, so only the main thread sets it: threads that enter and leave by turns would
    restore one another's limits.
    """
    if multiplications > LARGE or threading.current_thread() is not threading.main_thread():
        yield
        return
    with _controller(tuple(name for name in LIBRARIES if name in sys.modules)).limit(limits=1):
        yield


def small_algebra(function: Callable[P, T]) -> Callable[P, T]:
    """The function, with one thread for linear algebra while it runs: for products that are small whatever the data."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> T:
        with few_threads():
            return function(*args, **kwargs)

    return limited

"""Workers of a Dask cluster."""

import re
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from festina.checks.optional import need

ADDRESS = r"inproc://\S+|(\w+://)?[^\s/]+:\d+"
"""Addresses of schedulers: a host with a port, or a scheduler in this process."""


class Dask(Executor):
    """A Dask cluster as an executor: ``fs.sweep(..., executor=fs.sweeps.Dask("tcp://scheduler:8786"))``.

    Its workers need the same version of festina and must see the folder of the sweep and the file of the function.

    Args:
        cluster: address of its scheduler, such as ``"tcp://scheduler:8786"``, or a ``distributed.Client``.

    Raises:
        ImportError: the extra ``dask`` is not installed.
        ValueError: no scheduler answers at the address.
    """

    def __init__(self, cluster: object) -> None:
        need("distributed", "dask")
        from distributed import Client

        self._own = not isinstance(cluster, Client)
        address: Any = getattr(cluster, "scheduler_address", cluster)
        if self._own and (not isinstance(address, str) or not re.fullmatch(ADDRESS, address)):
            # distributed would start a cluster of its own, or wait for one that cannot be
            raise ValueError(
                f"cluster is {cluster!r}; the address of a scheduler, such as tcp://scheduler:8786, or a "
                "distributed.Client is needed."
            )
        try:
            self.client: Any = Client(address, set_as_default=False) if self._own else cluster
        except (OSError, ValueError, TypeError) as error:
            raise ValueError(
                f"cluster is {cluster!r}, where no scheduler answers ({error}); give an address such as "
                "tcp://scheduler:8786."
            ) from None
        # a task that was lost is to be run again, not looked up
        self._executor = self.client.get_executor(pure=False)

    @property
    def capacity(self) -> int:
        """Tasks that are worth having in flight: one running and one waiting for each thread of the cluster."""
        threads: Any = self.client.nthreads()
        return max(2, 2 * sum(threads.values()))

    def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object) -> Future[Any]:
        """Run a function on one of the workers."""
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of what was asked for; the cluster keeps running, and so does a client that was given."""
        self._executor.shutdown(wait=False)
        if self._own:
            self.client.close()

"""Results of an experiment by name; and many runs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import Network, Task, Trajectory, evolve
from festina.core import Method

LARGEST = 400  # numbers of the largest array that is kept in an experiment's JSON: curves over time are not values


class Results:
    """Result of ``compute``: the settings, and everything that panels and claims need, by name.

    Names are set one by one, or given at once. Numbers, and arrays of up to 400 of them, are the experiment's values:
    its JSON and its sweeps keep them.

    Args:
        settings: the settings of the experiment.
        found: trajectories, arrays, numbers and dictionaries of them, by name.

    Example:
        >>> from festina.papers import Results
        >>> c = Results(None, curve=range(1000))
        >>> c.steps = 12
        >>> c.steps, c.values()
        (12, {'steps': 12})
    """

    settings: Any

    def __init__(self, settings: object, **found: object) -> None:
        vars(self).update(settings=settings, **found)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: object) -> None: ...

    def get(self, name: str) -> Any:
        """The entry of this name; ``"trained.double"`` is an entry of the dictionary ``trained``."""
        first, *rest = name.split(".")
        found = getattr(self, first)
        for key in rest:
            found = found[key]
        return found

    def values(self) -> dict[str, Any]:
        """The numbers among the results, by name."""
        kept = {name: _numbers(value) for name, value in vars(self).items() if name != "settings"}
        return {name: value for name, value in kept.items() if value is not None}


def _numbers(value: object) -> Any:
    """Numbers, words, and what holds at most ``LARGEST`` of them; None for all else."""
    if isinstance(value, bool | int | float | str | np.number | np.bool_):
        return value
    if isinstance(value, Results):
        return value.values() or None
    if isinstance(value, Mapping):
        kept = {str(key): _numbers(part) for key, part in value.items()}
        return {key: part for key, part in kept.items() if part is not None} or None
    if isinstance(value, np.ndarray | list | tuple):
        try:
            array = np.asarray(value)
        except ValueError:  # the lengths differ
            return None
        return array if array.dtype.kind in "biuf" and array.size <= LARGEST else None
    return None


def run_all(
    networks: Mapping[str, Network],
    task: Task | Mapping[str, Task],
    times: Any,
    *,
    method: Method | Mapping[str, Method],
    seed: int = 0,
    seeds: int | Mapping[str, int | None] | None = None,
    observe: Sequence[str] | Mapping[str, Sequence[str]] = ("loss",),
) -> dict[str, Trajectory]:
    """Evolve several networks, two at a time: while one compiles, which takes one core, another trains.

    Args:
        networks: by name.
        task, times, method, seeds, observe: as in ``fs.evolve``; a dictionary gives each network its own.
        seed: the first seed of all.

    Example:
        >>> import festina as fs
        >>> from festina.papers import run_all
        >>> networks = {str(h): fs.DeepLinear((h,), initial=fs.initial.Gaussian(0.1)) for h in (2, 4)}
        >>> runs = run_all(networks, fs.tasks.living_things(4), [0.0, 1.0], method=fs.Flow())
        >>> sorted(runs)
        ['2', '4']
    """
    import jax  # noqa: F401 - loaded before threads start: SciPy looks into a half-imported JAX otherwise

    def own(given: object, name: str) -> Any:
        return given[name] if isinstance(given, Mapping) else given

    with ThreadPoolExecutor(2) as pool:
        waiting = {
            name: pool.submit(
                evolve, network, own(task, name), own(times, name), method=own(method, name), seed=seed,
                seeds=own(seeds, name), observe=own(observe, name),
            )
            for name, network in networks.items()
        }  # fmt: skip
        return {name: run.result() for name, run in waiting.items()}

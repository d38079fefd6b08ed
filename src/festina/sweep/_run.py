"""The sweep itself: arguments, plan, store, and a driver that goes through them."""

import os
from collections.abc import Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from festina import _check
from festina._progress import shown
from festina.papers import Experiment
from festina.sweep._drive import Driver
from festina.sweep._experiment import locate
from festina.sweep._plan import plan_sweep
from festina.sweep._pool import Pool
from festina.sweep._status import Status, sweep_status
from festina.sweep._store import Store


def sweep(
    experiment: str | Path | Experiment,
    grid: Mapping[str, Any],
    seeds: int | None = None,
    *,
    out: str | os.PathLike[str],
    block: int | None = None,
    fixed: Mapping[str, Any] | None = None,
    quick: bool = False,
    executor: Executor | None = None,
    workers: int | None = None,
    in_flight: int | None = None,
    retry: bool = False,
    progress: bool = False,
) -> Status:
    """Run an experiment at every setting of a grid, and keep each result in a folder as soon as it is there.

    Stop it anywhere and however, and call it again with the same arguments: what is finished is neither lost nor done
    again, and the results are those of a run without interruption, bit by bit. Several sweeps may work on one folder at
    once; they share the work. Read the results with ``fs.open_sweep(out)``.

    Args:
        experiment: a name (``festina list``), or the path of a ``.py`` file declared in the same way.
        grid: values by setting; all combinations are run. For a setting that is a tuple, each value is a tuple, or a
            number for a tuple of one; then the singular may stand for the name (``delta`` for ``deltas``).
        seeds: how many seeds, from the setting ``seed`` on; cut into blocks, each a run of its own with ``seed`` its
            first and ``seeds`` its number of seeds. Default: the settings' own seeds, in one run.
        out: the folder; a new or an empty one, or that of the same sweep.
        block: seeds in a block; default: as many as the experiment's own settings have.
        fixed: other settings that differ from the default ones.
        quick: start from the experiment's quick settings instead of the default ones.
        executor: any ``concurrent.futures.Executor`` whose workers see ``out``; ``festina.sweep.Dask(address)`` or
            ``festina.sweep.Slurm(folder, ...)`` for clusters. Default: one process per core of this machine; call it
            under ``if __name__ == "__main__":`` in a script.
        workers: number of processes, where there is no ``executor``.
        in_flight: most tasks handed to the executor at a time; default: twice its workers.
        retry: run again what failed before.
        progress: show a progress bar on stderr.

    Returns:
        Counts and failures; a failed setting does not stop the others.

    Raises:
        ValueError: an argument that is not allowed; the folder holds another sweep, or one by other code.
        OSError: the folder cannot be written, or the disk is full; all that is finished is kept.
        RuntimeError: the executor is lost, or no worker can run any task; all that is finished is kept.

    Example:
        >>> import tempfile, festina as fs
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> few = {"features": (50, 100), "draws": 1, "trained": 20, "hidden": 4, "depth": 2}
        >>> with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor() as pool:
        ...     status = fs.sweep("structures", {"flip": [0.1, 0.2]}, 2, out=out, fixed=few, quick=True, executor=pool)
        ...     data = fs.open_sweep(out)
        >>> status.done, dict(data["learning_time_error"].sizes)
        (2, {'flip': 2, 'seed': 1})
    """
    source = locate(experiment)
    plan = plan_sweep(source, grid, seeds, block, fixed, quick)
    if executor is not None and workers is not None:
        raise ValueError(f"workers is {workers} and an executor is given; its workers are its own affair.")
    ahead = None if in_flight is None else _check.whole("in_flight", in_flight)
    store = Store(Path(out).resolve())
    store.declare(plan)
    file = source.file or None
    make = (lambda: Pool(workers)) if executor is None else (lambda: executor)
    driver = Driver(store, plan, file, make, ahead, retry)
    with shown(progress):
        try:
            driver.run()
        finally:
            driver.stop(own=executor is None)
    return sweep_status(store.path)

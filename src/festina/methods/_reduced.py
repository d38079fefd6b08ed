"""The reduction of a network to the few quantities that race."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from festina.checks.shapes import Times
from festina.core import Assumption, AssumptionError, Network, Run, Start, Task, Theory
from festina.methods._exact import ByTheory, Chosen, named, run_theory, theories_for, working


@dataclass(frozen=True, repr=False)
class Reduced(ByTheory):
    """The network's reduced dynamics: modes, pathways or units that race to explain the data, from the seed's weights.

    It is an approximation: its assumptions are measured and reported, and the trajectory's ``error`` estimates the
        error of its loss at each time. A cheap estimate is made at once. Above 10 % a warning then names the assumption
        that fails and a better method. Otherwise the estimate is made when it is first asked for.

    Args:
        theory: the reduction to use, or its name as ``fs.theories(network, task)`` prints it; None takes the first
            approximate one of ``network.theories`` whose needed assumptions hold; for cross-entropy, the early phase of
            a theory of squared error (``fs.methods.EarlyPhase``).

    Raises:
        ValueError: the network has no such reduction; says which methods work.
        AssumptionError: an assumption that the reduction needs does not hold.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(32,), initial=fs.initial.Gaussian(1e-3))
        >>> race = fs.evolve(network, fs.tasks.hierarchy(levels=2), np.linspace(0, 60, 7), method=fs.Reduced())
        >>> [assumption.name for assumption in race.assumptions if not assumption.holds]
        ['alignment']

    Source: saxe2022; jarvis2025 eq. (3).
    """

    def run(
        self, network: Network, task: Task, times: Times | None, starts: Sequence[Start], observe: Sequence[str]
    ) -> Run:
        """Solve the reduced equations for each seed's weights."""
        chosen = theories_for(network, task, starts[0]) if self.theory is None else (named(self.theory, network),)
        listed = [theory for theory in chosen if self.theory is not None or not theory.exact]
        if not listed:
            raise ValueError(f"{type(network).__name__} has no reduced dynamics; use method={working(network)}.")
        able = [t for t in listed if t.losses is None or task.loss.name in t.losses]
        instead = "Use method=fs.Flow() or fs.Train(rate=...)"
        if not able:
            excluded = [(t.name, t.measured(network, task, starts[0])[0]) for t in listed]
            raise AssumptionError(excluded, f"{instead}, which descend any loss.", "reduction")

        def choose(start: Start) -> Chosen:
            return self._choose(start, able, "reduction", f"{instead}.")

        run = run_theory(choose, network, task, times, starts, observe, "Reduced()")
        until = run.notes.get("holds_until", np.inf)
        if np.isfinite(until) and until <= run.times[-1]:
            warnings.warn(
                f"from t = {until:g} on, outputs are so large that the loss {task.loss.name!r} no longer acts "
                "like squared error: the prediction holds before that. Use method=fs.Flow() for times to "
                f"{run.times[-1]:g}.",
                stacklevel=3,
            )
        return run

    def _excludes(self, theory: Theory, assumption: Assumption) -> bool:
        # an approximation that is named runs wherever it can; a closed form has no numbers without these
        return assumption.needed and (self.theory is None or theory.exact)

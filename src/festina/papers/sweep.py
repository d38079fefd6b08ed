"""An experiment as a function of its settings, as sweeps take it."""

import dataclasses
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from festina.papers.experiment import Experiment
from festina.papers.settings import check_settings, kinds


@dataclass(frozen=True)
class SweptExperiment:
    """Settings in, values and measured claims out: ``fs.sweep(find("semantic").swept(), {"flip": [0.1]}, out=...)``.

    Args:
        experiment: what is run.
        quick: whether settings that are not given are the quick ones.

    Example:
        >>> from festina.papers import SweptExperiment, find
        >>> SweptExperiment(find("reversal")).__name__
        'reversal'
    """

    experiment: Experiment
    quick: bool = False

    @property
    def __name__(self) -> str:
        return self.experiment.name

    @property
    def sources(self) -> str:
        """The file whose code, with all that it imports, decides the results."""
        return str(self.experiment.path)

    @property
    def __signature__(self) -> inspect.Signature:
        """A parameter for each setting, with its type and default."""
        self.experiment.check()
        hints = kinds(self.experiment.module.Settings)
        defaults = dataclasses.asdict(self.experiment.settings(quick=self.quick))
        return inspect.Signature([
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[name])
            for name, default in defaults.items()
        ])  # fmt: skip

    def __call__(self, **settings: object) -> dict[str, Any]:
        """Values by name, and of each claim ``claim.NAME`` (measured), ``claim.NAME.bound``, ``claim.NAME.status``."""
        module = self.experiment.module
        chosen = module.Settings(**settings)
        check_settings(chosen, self.experiment.name)
        results = module.compute(chosen)
        told: dict[str, Mapping[str, Any]] = {}
        for claim in self.experiment.claims:
            try:
                found = claim.decide(results)
            except Exception:  # a claim that needs several settings is open if there is one
                found = claim.undecided(chosen)
            told[claim.name] = {"": found.measured, "bound": found.bound, "status": found.status}
        return {**results.values(), "claim": told}

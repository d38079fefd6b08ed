"""Which experiment is swept: one of the library's, by name, or a file of the same form, by path."""

import typing
from collections.abc import Mapping
from typing import Any

from festina.papers._experiment import Experiment
from festina.papers._experiment import find as locate

__all__ = ["build", "hints", "locate"]


def hints(experiment: Experiment) -> dict[str, Any]:
    """Type of each setting, by name."""
    return typing.get_type_hints(experiment.module.Settings)


def build(experiment: Experiment, settings: Mapping[str, Any]) -> Any:
    """``Settings`` from plain values: lists become tuples again."""
    return experiment.module.Settings(**{name: _tuples(value) for name, value in settings.items()})


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value

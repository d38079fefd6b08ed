"""Which experiment is swept: one of the library's, by name, or a file of the same form, by path."""

import hashlib
import importlib.util
import sys
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from festina.experiments import Experiment, find


@dataclass(frozen=True)
class FileExperiment(Experiment):
    """An experiment of one's own: a file declared as those of ``festina.experiments`` are."""

    file: str

    @property
    def path(self) -> Path:
        """Its file."""
        return Path(self.file)

    @property
    def module(self) -> ModuleType:
        """The file as a module, run when first needed."""
        name = f"festina_experiment_{hashlib.sha256(self.file.encode()).hexdigest()[:16]}"
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, self.file)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            # dataclasses and type hints look their module up by name while it is being run
            sys.modules[name] = module
            try:
                spec.loader.exec_module(module)
            except BaseException:
                del sys.modules[name]
                raise
        return sys.modules[name]


def locate(experiment: Any) -> Experiment:
    """The experiment of that name, or the one in that file (a path that ends in ``.py``).

    Raises:
        ValueError: no experiment has that name, or there is no such file.
    """
    if isinstance(experiment, Experiment):
        return experiment
    if not isinstance(experiment, str | Path):
        raise ValueError(f"experiment is {experiment!r}; a name (festina list) or the path of a .py file is needed.")
    if not str(experiment).endswith(".py"):
        return find(str(experiment))
    path = Path(experiment).resolve()
    if not path.is_file():
        raise ValueError(f"experiment is {str(experiment)!r}: there is no such file.")
    return FileExperiment(path.stem, str(path))


def hints(experiment: Experiment) -> dict[str, Any]:
    """Type of each setting, by name."""
    return typing.get_type_hints(experiment.module.Settings)


def build(experiment: Experiment, settings: Mapping[str, Any]) -> Any:
    """``Settings`` from plain values: lists become tuples again."""
    return experiment.module.Settings(**{name: _tuples(value) for name, value in settings.items()})


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value

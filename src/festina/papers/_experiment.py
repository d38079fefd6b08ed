"""An experiment, declared once: its settings, its computation, its figure and its claims.

An experiment is a module of ``festina.papers.experiments`` (or a file of one's own) with
    a docstring: the question (first line), the answer, and a last line ``Source: key …; key …``;
    ``Settings``: a frozen dataclass, each field with a default and a comment of one line above it (the CLI's help);
    ``quick``: ``Settings`` that run in seconds;
    ``layout``: (rows, columns) of the figure;
    ``compute(settings) -> Curves``, ``values(curves) -> dict`` (JSON) and ``draw(curves, axes)``;
    ``claims``: a tuple of ``Claim``.
"""

import ast
import dataclasses
import hashlib
import importlib
import importlib.util
import json
import re
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from festina import _check
from festina._progress import shown
from festina.papers._claim import Claim, Verdict, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = Path(__file__).parent / "experiments"
"""Where the library's own experiments are."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """A run of an experiment: settings, curves, verdicts, values and the seconds it took."""

    experiment: "Experiment"
    settings: Any
    curves: Any
    verdicts: tuple[Verdict, ...]
    values: Mapping[str, Any]
    seconds: float

    @property
    def surprises(self) -> int:
        """Number of claims whose measured verdict differs from the one we stand by."""
        return sum(v.surprising for v in self.verdicts)

    def to_json(self) -> dict[str, Any]:
        """Settings, claims and values, as plain data."""
        return {
            "settings": plain(dataclasses.asdict(self.settings)),
            "claims": [v.to_json() for v in self.verdicts],
            "values": plain(self.values),
        }

    def draw(self) -> "Figure":
        """The figure, in the house style."""
        from festina.plot import panels

        figure, axes = panels(*self.experiment.layout)
        self.experiment.module.draw(self.curves, axes)
        return figure

    def save(self, folder: Path) -> list[Path]:
        """Figure as PNG and SVG and the JSON, in ``folder``; returns the paths."""
        from festina.plot import house

        folder.mkdir(parents=True, exist_ok=True)
        name = self.experiment.name
        with house():
            figure = self.draw()
            paths = [folder / f"{name}.png", folder / f"{name}.svg"]
            for path in paths:
                figure.savefig(path)
        paths.append(folder / f"{name}.json")
        paths[-1].write_text(json.dumps(self.to_json(), indent=2) + "\n")
        return paths


@dataclass(frozen=True)
class Experiment:
    """One module of the folder."""

    name: str

    @property
    def module(self) -> ModuleType:
        """The module, imported when first needed."""
        return importlib.import_module(f"festina.papers.experiments.{self.name}")

    @property
    def path(self) -> Path:
        """Its file."""
        return FOLDER / f"{self.name}.py"

    @property
    def doc(self) -> str:
        """Its docstring, read without importing it."""
        return ast.get_docstring(ast.parse(self.path.read_text(encoding="utf-8"))) or ""

    @property
    def question(self) -> str:
        """First line of the docstring."""
        return self.doc.splitlines()[0]

    @property
    def citations(self) -> tuple[str, ...]:
        """Keys in the docstring's source line."""
        source = self.doc[self.doc.rindex("Source:") :]
        return tuple(dict.fromkeys(re.findall(r"\b[a-z]+(?:\d{4}|_lecture)\b", source)))

    @property
    def layout(self) -> tuple[int, int]:
        """Rows and columns of the figure."""
        return self.module.layout

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims it decides."""
        return self.module.claims

    def fields(self) -> dict[str, tuple[dataclasses.Field[Any], str]]:
        """Settings by name: the field, and the comment above it."""
        lines = self.path.read_text(encoding="utf-8").splitlines()
        found = {}
        for item in dataclasses.fields(self.module.Settings):
            at = next(i for i, line in enumerate(lines) if re.match(rf"    {item.name}\s*:", line))
            comment = lines[at - 1].strip()
            found[item.name] = (item, comment.lstrip("# ") if comment.startswith("#") else "")
        return found

    def settings(self, quick: bool = False, **changes: Any) -> Any:
        """The default (or quick) settings with changes; an unknown name lists the known ones."""
        for name in changes:
            _check.known(f"setting of {self.name}", name, self.fields())
        return dataclasses.replace(self.module.quick if quick else self.module.Settings(), **changes)

    def run(self, settings: Any = None, progress: bool = False) -> Outcome:
        """Compute and judge."""
        settings = self.settings() if settings is None else settings
        begun = time.perf_counter()
        with shown(progress):
            curves = self.module.compute(settings)
        verdicts = tuple(claim.judge(curves) for claim in self.claims)
        return Outcome(self, settings, curves, verdicts, self.module.values(curves), time.perf_counter() - begun)


def names() -> list[str]:
    """All experiments, by scanning the folder."""
    return sorted(path.stem for path in FOLDER.glob("[!_]*.py"))


def find(name: str) -> Experiment:
    """The experiment of that name; an unknown name lists the known ones."""
    return Experiment(_check.known("experiment", name, names()))


@dataclass(frozen=True)
class FileExperiment(Experiment):
    """An experiment of one's own: a file declared like those of ``festina.papers.experiments``."""

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
            if str(self.path.parent) not in sys.path:
                # as Python does for a script: modules beside the file can be imported
                sys.path.append(str(self.path.parent))
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

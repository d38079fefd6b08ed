"""An experiment, declared once in one file: its settings, its computation, its figure and its claims.

An experiment is a module of ``festina.papers.experiments``, or a file of yours, with ``Settings``, ``quick``,
``caption``, ``compute``, panels and claims. Its docstring has the question (first line), the answer, and a last line
``Source: key …; key …``.
"""

import ast
import dataclasses
import importlib
import importlib.util
import io
import json
import re
import sys
import time
import typing
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from festina.checks import check
from festina.papers.chapters import CHAPTERS
from festina.papers.claims import KINDS, Claim, Verdict, plain
from festina.papers.panels import Panel, figure
from festina.papers.results import Results
from festina.papers.settings import DataclassInstance, check_settings, described
from festina.runtime import bar, shown
from festina.storage.store import save
from festina.sweeps import load_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from festina.papers.sweep import SweptExperiment

FOLDER = Path(__file__).parent / "experiments"
"""Folder of the library's own experiments."""


@typing.runtime_checkable
class Declaration(Protocol):
    """Names that an experiment's file has to define, besides panels and claims."""

    Settings: type
    """Derived from ``festina.papers.Settings``; every field is a ``festina.papers.setting`` with a help text."""
    quick: Any
    """``Settings`` that run in seconds."""
    caption: str
    """Caption of the figure: a first sentence with the finding, then the panels."""

    def compute(self, settings: object) -> Results:
        """The expensive computation, from settings to results."""
        ...


NEEDED = {
    "Settings": "a frozen dataclass of settings",
    "quick": "Settings that run in seconds",
    "caption": "a sentence with the finding, then the panels",
    "compute": "a function from settings to festina.papers.Results",
}


@dataclass(frozen=True, eq=False)
class Outcome:
    """A run of an experiment: settings, results, verdicts, values, and the seconds it took by the clock and of
    processor."""

    experiment: "Experiment"
    settings: Any
    results: Results
    verdicts: tuple[Verdict, ...]
    seconds: float
    processor: float

    @property
    def values(self) -> Mapping[str, Any]:
        """The numbers among the results, by name."""
        return self.results.values()

    @property
    def contradictions(self) -> int:
        """Number of claims that hold where they are expected to fail, or the other way round."""
        return sum(v.contradicts for v in self.verdicts)

    def to_json(self, panels: bool = False) -> dict[str, Any]:
        """Settings, claims and values, as plain data; with ``panels`` also what the figure shows, panel by panel."""
        found = {
            "settings": plain(dataclasses.asdict(self.settings)),
            "claims": [v.to_json() for v in self.verdicts],
            "values": plain(self.values),
        }
        return found | {"panels": _numbers_of(self.draw())} if panels else found

    def draw(self, whole: bool = False) -> "Figure":
        """The figure: the panels that pages show, or all of them."""
        return figure(self.experiment.panels, self.results, whole=whole)

    def save(self, folder: Path) -> list[Path]:
        """Figure as PNG, SVG and PDF, its numbers as CSV, all panels where they are more, and the JSON; the paths."""
        from festina.plot import files, style

        found: dict[str, bytes | str] = {}
        with style():
            drawn = self.draw()
            found[".png"] = image_of(drawn, "png")
            drawn.set_layout_engine("none")  # the panels keep their places
            found |= files(drawn)
            if any(part.detail for part in self.experiment.panels):
                found["_all.png"] = image_of(self.draw(whole=True), "png")
        found[".json"] = json.dumps(self.to_json() | {"panels": _numbers_of(drawn)}, indent=2) + "\n"
        return [save("folder", folder / f"{self.experiment.name}{end}", content) for end, content in found.items()]


def image_of(drawn: "Figure", kind: str) -> bytes:
    """A figure as the content of a file of this kind."""
    stream = io.BytesIO()
    drawn.savefig(stream, format=kind)
    return stream.getvalue()


def _numbers_of(drawn: "Figure") -> list[dict[str, Any]]:
    """For each panel its title, labels and series: x and y and, if there are any, upper edges and values."""
    from festina.plot import numbers

    told = []
    for ax in drawn.axes:
        series: dict[str, dict[str, Any]] = {}
        for kind, name, x, y, upper, cell in numbers(ax):
            one = series.setdefault(name, {"series": name, "kind": kind, "x": [], "y": []})
            for key, entry in (("x", x), ("y", y), ("upper", upper), ("value", cell)):
                if entry is not None:
                    one.setdefault(key, []).append(entry)
        words = {"title": ax.get_title(loc="left") or ax.get_title(), "x": ax.get_xlabel(), "y": ax.get_ylabel()}
        told.append({**words, "series": list(series.values())})
    return plain(told)


@dataclass(frozen=True)
class Experiment:
    """A file that declares an experiment.

    Attributes:
        name: how it is called.
        file: its path; empty for an experiment of the library.
    """

    name: str
    file: str = ""

    @property
    def path(self) -> Path:
        """Its file."""
        return Path(self.file) if self.file else FOLDER / f"{self.name}.py"

    @property
    def module(self) -> Declaration:
        """The file as a module, imported when first needed."""
        return typing.cast(Declaration, self._import())

    def _import(self) -> ModuleType:
        return _load(self.file) if self.file else importlib.import_module(f"festina.papers.experiments.{self.name}")

    @property
    def doc(self) -> str:
        """Its docstring, read without importing it."""
        return ast.get_docstring(ast.parse(self.path.read_text(encoding="utf-8"), self.path)) or ""

    @property
    def question(self) -> str:
        """First line of the docstring."""
        return self.doc.partition("\n")[0]

    @property
    def answer(self) -> str:
        """The docstring between question and sources, paragraph by paragraph."""
        return self.doc[len(self.question) :].rpartition("Source:")[0].strip("\n")

    @property
    def sources(self) -> str:
        """The docstring's source line."""
        return " ".join(self.doc.rpartition("Source:")[2].split())

    @property
    def citations(self) -> tuple[str, ...]:
        """Keys in the docstring's source line."""
        return tuple(dict.fromkeys(re.findall(r"\b[a-z]+(?:\d{4}|_lecture)\b", self.sources)))

    @property
    def claims(self) -> tuple[Claim[Any], ...]:
        """The claims it decides: ``claims`` where the file names them, else all that it declares, in their order."""
        found = vars(self._import())
        return tuple(found.get("claims") or (part for part in found.values() if isinstance(part, Claim)))

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels of its figure: ``panels`` where the file names them, else all that it declares, in their order."""
        found = vars(self._import())
        return tuple(found.get("panels") or (part for part in found.values() if isinstance(part, Panel)))

    def check(self) -> None:
        """Refuse a file that is not a whole experiment, before anything is computed.

        Raises:
            ValueError: lists all that is missing.
        """
        missing = []
        if not self.question.endswith("?"):
            missing.append("a docstring whose first line is the question")
        if not self.citations:
            missing.append("a last line of the docstring with its sources, such as Source: saxe2014 eq. (9)")
        module = self._import()
        missing += [f"{name} ({what})" for name, what in NEEDED.items() if not hasattr(module, name)]
        missing += [] if self.panels else ["a panel (a function below @festina.papers.panel(...))"]
        missing += [] if self.claims else ["a claim (a function below @festina.papers.claim(...))"]
        if hasattr(module, "Settings"):
            if getattr(getattr(module.Settings, "__dataclass_params__", None), "frozen", False):
                told = described(module.Settings)
                missing += [f"a help text for the setting {name}" for name in told if not told[name].help]
            else:
                missing.append("@dataclass(frozen=True) above Settings")
        for claim in self.claims:
            if not isinstance(claim, Claim):
                missing.append(f"festina.papers.Claim in claims, where {claim!r} is")
            elif claim.kind not in KINDS or not claim.source:
                missing.append(f"kind (one of {', '.join(KINDS)}) and source of the claim {claim.name!r}")
        if missing:
            raise ValueError(f"{self.path} is not a whole experiment; it lacks {'; '.join(missing)}.")

    def swept(self, quick: bool = False) -> "SweptExperiment":
        """The experiment as a function of its settings, as ``fs.sweep`` takes it; others are usual, or quick.

        Example:
            >>> from festina.papers import find
            >>> find("reversal").swept().__name__
            'reversal'
        """
        from festina.papers.sweep import SweptExperiment

        return SweptExperiment(self, quick)

    def settings(self, quick: bool = False, **changes: object) -> Any:
        """The default (or quick) settings with changes, checked; an unknown name lists the known ones."""
        module = self.module
        known = [item.name for item in dataclasses.fields(module.Settings)]
        for name in changes:
            check.known(f"setting of {self.name}", name, known)
        found = dataclasses.replace(module.quick if quick else module.Settings(), **changes)
        check_settings(found, self.name)
        return found

    def run(self, settings: DataclassInstance | None = None, progress: bool = False) -> Outcome:
        """Compute, and decide every claim; the declaration and the settings are checked first."""
        self.check()
        chosen: DataclassInstance = self.settings() if settings is None else settings
        check_settings(chosen, self.name)
        begun, spent = time.perf_counter(), time.process_time()
        with shown(progress), bar(None, self.name), warnings.catch_warnings():
            # at published rates the loss may rise on the way, and published starts may rest on a saddle; claims
            # measure what that does to a prediction
            for expected in ("the loss rose", "rate × sharpness is .* does not follow", ".*modes cannot grow"):
                warnings.filterwarnings("ignore", expected)
            results = self.module.compute(chosen)
        verdicts = tuple(claim.decide(results) for claim in self.claims)
        seconds, processor = time.perf_counter() - begun, time.process_time() - spent
        return Outcome(self, chosen, results, verdicts, seconds, processor)


def names() -> list[str]:
    """All experiments of the library, in reading order: chapter by chapter."""
    order = [name for part in CHAPTERS for name in part.names]
    return sorted((path.stem for path in FOLDER.glob("[!_]*.py")), key=lambda n: order.index(n) if n in order else 99)


def find(name: str | Path | Experiment) -> Experiment:
    """The experiment of that name, or the one in that file (a path that ends in ``.py``).

    Raises:
        ValueError: no experiment has that name, or there is no such file.

    Example:
        >>> from festina import papers
        >>> papers.find("semantic").question
        'Does the theory of deep linear networks predict semantic development from random weights?'
    """
    if isinstance(name, Experiment):
        return name
    if not isinstance(name, str | Path):
        raise ValueError(f"experiment is {name!r}; a name (festina list) or the path of a .py file is needed.")
    if not str(name).endswith(".py"):
        return Experiment(check.known("experiment", str(name), names()))
    path = Path(name).resolve()
    if not path.is_file():
        raise ValueError(f"experiment is {str(name)!r}: there is no such file.")
    return Experiment(path.stem, str(path))


def _load(file: str) -> ModuleType:
    """A file as a module of its own, which can import modules from its folder, as a script in Python can."""
    folder = str(Path(file).parent)
    if folder not in sys.path:
        sys.path.append(folder)
    return load_file(file)

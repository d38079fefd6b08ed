"""An experiment, declared once: its settings, its computation, its figure and its claims.

An experiment is a module of this folder with
    a docstring: the question (first line), the answer, and a last line ``Source: key …; key …``;
    ``Settings``: a frozen dataclass, each field with a default and a comment of one line above it (the CLI's help);
    ``quick``: ``Settings`` that run in seconds;
    ``layout``: (rows, columns) of the figure;
    ``compute(settings) -> Curves``, ``values(curves) -> dict`` (JSON) and ``draw(curves, axes)``;
    ``claims``: a tuple of ``Claim``.
"""

import ast
import dataclasses
import importlib
import json
import math
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from festina import _check
from festina._progress import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Status = Literal["holds", "fails", "open"]


@dataclass(frozen=True)
class Verdict:
    """What came of a claim."""

    name: str
    statement: str
    measured: float
    bound: float
    status: Status
    stands: Status
    relation: str
    error: float = 0.0

    @property
    def surprising(self) -> bool:
        """Whether the measured verdict differs from the one we stand by."""
        return self.status != self.stands

    def to_json(self) -> dict[str, Any]:
        """The five facts of a verdict."""
        return {k: plain(getattr(self, k)) for k in ("name", "statement", "measured", "bound", "status")}


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, and the measurement that decides it.

    Args:
        name: a short identifier.
        statement: the claim, in our words.
        measure: from the curves, a number, or a number and its standard error.
        bound: the claim holds when measured ``relation`` bound; a number, or computed from the curves.
        relation: ``"<="`` or ``">="``.
        stands: the verdict we stand by.
        source: key and place in the paper.

    With a standard error the verdict is open when the bound is within two of them.
    """

    name: str
    statement: str
    measure: Callable[[Any], float | tuple[float, float]]
    bound: float | Callable[[Any], float]
    relation: Literal["<=", ">="] = "<="
    stands: Status = "holds"
    source: str = ""

    def judge(self, curves: Any) -> Verdict:
        """Measure and decide; a measurement that is not finite leaves the claim open."""
        found = self.measure(curves)
        measured, error = found if isinstance(found, tuple) else (found, 0.0)
        bound = self.bound(curves) if callable(self.bound) else self.bound
        margin = bound - measured if self.relation == "<=" else measured - bound
        status: Status = "holds" if margin >= 0 else "fails"
        if not math.isfinite(measured) or abs(margin) < 2 * error:
            status = "open"
        facts = (float(measured), float(bound), status, self.stands, self.relation, float(error))
        return Verdict(self.name, self.statement, *facts)


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
        return importlib.import_module(f"festina.experiments.{self.name}")

    @property
    def path(self) -> Path:
        """Its file."""
        return Path(__file__).with_name(f"{self.name}.py")

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
    return sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def find(name: str) -> Experiment:
    """The experiment of that name; an unknown name lists the known ones."""
    return Experiment(_check.known("experiment", name, names()))


def plain(value: Any) -> Any:
    """Arrays, tuples and numbers as JSON has them; what is not finite becomes null."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value

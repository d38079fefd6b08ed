"""The pages of the API, from the public lists: one per package, and one per name where a package has many."""

import ast
import contextlib
import doctest
import html
import importlib
import inspect
import io
from functools import cached_property
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import festina

SOURCE = Path(str(files("festina")))
TOGETHER = 3
"""So many names stand on the page of their package; more would be longer than a screen or two."""

TWO_SCREENS = 45
"""Lines of docstrings that fill them; in a longer class every member is folded to its name and first words."""


def public() -> dict[str, list[tuple[str, Any]]]:
    """Package to its public names and what they stand for, each thing at the first package that is its home.

    A name that the top level shares with a package is documented with the top level, which is how users write it.
    """
    found: dict[str, list[tuple[str, Any]]] = {}
    seen: set[int] = set()
    folders = sorted((path.parent for path in SOURCE.rglob("__init__.py")), key=lambda p: (len(p.parts), p))
    for folder in folders:
        package = ".".join(["festina", *folder.relative_to(SOURCE).parts])
        module = importlib.import_module(package)
        found[package] = []
        # names that load when they are first used stand in a block of their own
        for node in ast.walk(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))):
            ours = isinstance(node, ast.ImportFrom) and str(node.module).startswith("festina")
            for alias in node.names if isinstance(node, ast.ImportFrom) and ours else ():
                value = getattr(module, alias.name)
                if isinstance(value, ModuleType) or id(value) in seen:
                    continue
                seen.add(id(value))
                found[package].append((alias.name, value))
    return {package: names for package, names in found.items() if names}


GOALS = {
    "Say what is to be learned": (
        "Task sequence core.Curriculum core.Statistics core.Loss core.SquaredError core.CrossEntropy core.Binary "
        "core.Huber core.OwnLoss tasks.* behaviour.DecisionTask"
    ),
    "Say what learns": (
        "DeepLinear Gated gated.pathways gated.contextual gated.routing gated.Graph gated.Node gated.Gates ReLU "
        "FeedForward representation.Architecture LinearAttention attention.SoftmaxAttention LinearRNN "
        "recurrent.TanhRNN behaviour.TutorExecutor behaviour.Shallow behaviour.DecisionNetwork from_torch from_jax "
        "interop.TracedModule interop.Graph interop.ModuleWeights"
    ),
    "Say where the weights start": (
        "initial.* gated.Decoupled gated.RandomPathways attention.AlignedHeads recurrent.AlignedRecurrence "
        "relu.initial_strengths"
    ),
    "Predict it or train it": (
        "evolve Exact Reduced Flow Train checkpoints methods.Checkpoints methods.convert_rate theories "
        "methods.TheoryTable methods.TheoryRow AssumptionError linear.FiniteStep gated.FiniteStepPathways "
        "gated.Priming relu.UnitGrowth representation.Effective representation.Lazy methods.EarlyPhase"
    ),
    "Read the results": "Trajectory load compare analysis.* core.Observations storage.*",
    "Compute one quantity in closed form": (
        "linear.* representation.TwoPoint representation.PairStart representation.PairState representation.Rates "
        "representation.FixedPoint representation.structure representation.Structure gated.* attention.* recurrent.*"
    ),
    "Understand a trained network, also one of your own": (
        "explain explanation.* probe.* relu.* interop.* representation.Pair representation.read_pair "
        "representation.fit representation.PairFit"
    ),
    "Compare with animals and recordings": (
        "behaviour.* representation.compare representation.Comparison representation.Scored representation.similarity"
    ),
    "Draw": "plot.*",
    "Run many settings": "sweep open_sweep sweeps.*",
    "Check the papers": "papers.* papers.errata.* papers.report.*",
    "Play in a notebook or a browser": "widget.show page.* cli.*",
    "Add a network, a theory, a method or an initialisation": (
        "Network Theory Solution Assumption core.* methods.* initial.Initial runtime.*"
    ),
}
"""Every public name under what a user wants to do with it; ``package.*`` are all its names that stand nowhere else."""


def by_goal() -> dict[str, list[tuple[str, str, Any]]]:
    """Goal to (package, name, what it stands for)."""
    listed = {(package, name): value for package, names in public().items() for name, value in names}
    named = {word for words in GOALS.values() for word in words.split() if not word.endswith("*")}
    found: dict[str, list[tuple[str, str, Any]]] = {}
    for goal, words in GOALS.items():
        rows = found.setdefault(goal, [])
        for word in words.split():
            package, _, name = f"festina.{word}".rpartition(".")
            for (home, known), value in listed.items():
                own = f"{home}.{known}".removeprefix("festina.")
                if home == package and (known == name or (name == "*" and own not in named)):
                    rows.append((home, known, value))
    return found


def names_page() -> str:
    """Markdown: one table per goal, one line per name."""
    parts = []
    for goal, rows in by_goal().items():
        parts += [f"## {goal}", "", "| name | what it is |", "|---|---|"]
        for package, name, value in rows:
            short = package.replace("festina", "fs", 1)
            says = described(package, name) if not callable(value) else inspect.getdoc(value) or ""
            line = " ".join(says.split("\n\n")[0].split()).replace("``", "`").replace("|", "\\|")
            parts.append(f"| {{py:obj}}`{short}.{name} <{package}.{name}>` | {line} |")
        parts.append("")
    return "\n".join(parts)


def homes() -> dict[str, str]:
    """Where a thing is defined to where it is public: ``festina.core.task.Task`` to ``festina.Task``."""
    return {
        f"{value.__module__}.{value.__qualname__}": f"{package}.{name}"
        for package, names in public().items()
        for name, value in names
        if hasattr(value, "__qualname__")
    }


def described(package: str, name: str) -> str:
    """The string under a constant, where its module defines it."""
    init = Path(str(importlib.import_module(package).__file__))
    for node in ast.parse(init.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
            home = Path(str(importlib.import_module(str(node.module)).__file__))
            body = ast.parse(home.read_text(encoding="utf-8")).body
            for at, after in pairwise(body):
                targets = at.targets if isinstance(at, ast.Assign) else [getattr(at, "target", None)]
                named = any(isinstance(t, ast.Name) and t.id == name for t in targets)
                if named and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                    return inspect.cleandoc(str(after.value.value))
    return ""


def called(package: str) -> str:
    """A package as users write it."""
    title = package.removeprefix("festina.")
    return "fs" if package == "festina" else f"fs.{title}" if hasattr(festina, title) else package


def picture(value: Any, path: Path) -> bool:
    """What the example of a function draws into the ``ax`` that it takes, as a file; whether it draws anything."""
    from matplotlib.figure import Figure

    from festina.plot import style

    known: dict[str, Any] = {}
    with style(), contextlib.redirect_stdout(io.StringIO()):
        for example in doctest.DocTestParser().get_examples(inspect.getdoc(value) or ""):
            exec(compile(example.source, path.name, "single"), known)
        drawn = [each for each in known.values() if isinstance(each, Figure)]
        figures = [each for each in drawn if any(ax.has_data() for ax in each.axes)]
        for figure in figures[:1]:
            figure.savefig(path)
    return bool(figures)


def members(value: type) -> dict[str, tuple[str, str]]:
    """Public members of a class, each with its kind and its words, in the order of the source."""
    found = {}
    for name, member in vars(value).items():
        kept = isinstance(member, property | cached_property)
        words = inspect.getdoc(member if kept else getattr(value, name)) or ""
        if not name.startswith("_") and words and (kept or inspect.isroutine(member)):
            found[name] = ("property" if kept else "method", words)
    return found


def entry(package: str, name: str, value: Any) -> list[str]:
    """reStructuredText of one name."""
    if inspect.isclass(value):
        known = members(value)
        lines = "\n".join([inspect.getdoc(value) or "", *(words for _, words in known.values())]).count("\n")
        if lines < TWO_SCREENS:
            return [f".. autoclass:: {name}", "   :members:", ""]
        parts = [f".. autoclass:: {name}", ""]
        for member, (kind, words) in known.items():
            says = html.escape(" ".join(words.split("\n\n")[0].split()).replace("``", ""))
            fold = f"   <details class='member'><summary><code>{member}</code> {says}</summary>"
            parts += [".. raw:: html", "", fold, "", f".. auto{kind}:: {name}.{member}", ""]
            parts += [".. raw:: html", "", "   </details>", ""]
        return parts
    if callable(value):
        return [f".. autofunction:: {name}", ""]
    return [f".. py:data:: {name}", "", f"   {' '.join(described(package, name).split())}", ""]


def own_page(package: str, name: str, value: Any, folder: Path) -> str:
    """reStructuredText: the page of one name, with what its example draws."""
    head = f"``{called(package)}.{name}``"
    parts = [":orphan:", "", head, "=" * len(head), "", f"In :doc:`{called(package)} </generated/api/{package}>`.", ""]
    image = folder / f"{package}.{name}.png"
    if "ax" in (inspect.signature(value).parameters if inspect.isfunction(value) else ()) and picture(value, image):
        parts += [f".. image:: {image.name}", f"   :alt: What the example of {name} draws.", "   :width: 420px", ""]
    return "\n".join([*parts, f".. currentmodule:: {package}", "", *entry(package, name, value)])


def page(package: str, names: list[tuple[str, Any]]) -> str:
    """reStructuredText: what the package is for, a table of its names, and where they are few, each of them."""
    doc = inspect.getdoc(importlib.import_module(package)) or ""
    head = f"``{called(package)}``"
    parts = [head, "=" * len(head), "", f".. currentmodule:: {package}", "", doc.splitlines()[0], ""]
    parts += [".. autosummary::", "", *(f"   {name}" for name, value in names if callable(value)), ""]
    for name, value in names:
        if len(names) <= TOGETHER:
            parts += entry(package, name, value)
        elif not callable(value):
            parts += [f":py:data:`{name} <{package}.{name}>`: {' '.join(described(package, name).split())}", ""]
    return "\n".join(parts)


def write(folder: Path) -> None:
    """The files of all packages and names; those that are gone are removed."""
    # next to the packages, so that the contents list packages only
    own = folder / "names"
    own.mkdir(parents=True, exist_ok=True)
    for page_of_before in folder.rglob("*.rst"):
        page_of_before.unlink()
    (folder.parent / "names.txt").write_text(names_page(), encoding="utf-8")
    for package, names in public().items():
        (folder / f"{package}.rst").write_text(page(package, names), encoding="utf-8")
        for name, value in names if len(names) > TOGETHER else ():
            (own / f"{package}.{name}.rst").write_text(own_page(package, name, value, own), encoding="utf-8")

"""The pages of the API, from the public lists: one page per package, every public name on one of them."""

import ast
import importlib
import inspect
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import festina

SOURCE = Path(str(files("festina")))


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


def page(package: str, names: list[tuple[str, Any]]) -> str:
    """reStructuredText: what the package is for, a table of its names, and each of them."""
    title = package.removeprefix("festina.") if package != "festina" else "festina"
    import_as = "fs" if package == "festina" else f"fs.{title}"
    if not hasattr(festina, title) and package != "festina":
        import_as = package
    doc = inspect.getdoc(importlib.import_module(package)) or ""
    head = f"``{import_as}``"
    parts = [head, "=" * len(head), "", f".. currentmodule:: {package}", "", doc.splitlines()[0], ""]
    parts += [".. autosummary::", "", *(f"   {name}" for name, value in names if callable(value)), ""]
    for name, value in names:
        if inspect.isclass(value):
            parts += [f".. autoclass:: {name}", "   :members:", ""]
        elif callable(value):
            parts += [f".. autofunction:: {name}", ""]
        else:
            parts += [f".. py:data:: {name}", "", f"   {' '.join(described(package, name).split())}", ""]
    return "\n".join(parts)


def write(folder: Path) -> None:
    """One file per package; those of packages that are gone are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for page_of_before in folder.glob("*.rst"):
        page_of_before.unlink()
    (folder.parent / "names.txt").write_text(names_page(), encoding="utf-8")
    for package, names in public().items():
        (folder / f"{package}.rst").write_text(page(package, names), encoding="utf-8")

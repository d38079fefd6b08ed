"""The pages of the API, from the public lists: one page per package, every public name on one of them."""

import ast
import importlib
import inspect
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import festina

SOURCE = Path(festina.__file__).parent


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
        for node in ast.parse((folder / "__init__.py").read_text(encoding="utf-8")).body:
            for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                value = getattr(module, alias.name)
                if isinstance(value, ModuleType) or id(value) in seen:
                    continue
                seen.add(id(value))
                found[package].append((alias.name, value))
    return {package: names for package, names in found.items() if names}


def homes() -> dict[str, str]:
    """Where a thing is defined to where it is public: ``festina._task.Task`` to ``festina.Task``."""
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
    """One file per package."""
    folder.mkdir(parents=True, exist_ok=True)
    for package, names in public().items():
        (folder / f"{package}.rst").write_text(page(package, names), encoding="utf-8")

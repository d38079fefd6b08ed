"""Which code computed a number: the user's files and those they import, festina's sources, versions of libraries.

Imports are followed as they are written in the files, at the top and inside functions, without running anything.
Anything that a program loads in other ways (``importlib.import_module`` of a computed name, data files) is not covered.
"""

import ast
import hashlib
import importlib.util
import re
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType

LIBRARIES = ("numpy", "scipy", "jax", "jaxlib")
"""Libraries that festina computes with: another version may round differently."""

DISPLAY = ("__main__.py", "cli", "plot", "page", "widget", "sweeps", "papers")
"""Parts of festina that no computed number depends on; of ``papers``, the files that are imported count one by one."""

HASH = re.compile("[0-9a-f]{16}")
IN_MEMORY = ("variable ", "default of ")
"""How the names of what is in memory and in no file begin."""

ROOT = Path(__file__).parents[1]


def load_file(file: str) -> ModuleType:
    """A user's file as a module of its own, run once in a process."""
    name = f"festina_file_{hashlib.sha256(file.encode()).hexdigest()[:16]}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise ModuleNotFoundError(f"{file} cannot be imported")
        module = importlib.util.module_from_spec(spec)
        # dataclasses and type hints look their module up by name while it is being run
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def code_version(path: Path, module: str = "") -> dict[str, str]:
    """Hash of each source file that a program reaches and version of each library, by name.

    Args:
        path: the program's file.
        module: its full name where it was imported as a part of a package; relative imports are resolved by it.

    Returns:
        ``{"study.py": hash, "noise.py": hash, "festina.linear": hash, "numpy": version, ...}``: a hash per file of the
        user's side, named as it is imported, so that it does not matter where the files lie; a hash per part of
        festina, and versions, where they are imported.
    """
    reached = _Reached([str(path.parent)])
    reached.add(path, module)
    found = {label: _hash([file]) for label, file in sorted(reached.files.items())}
    if "festina" in reached.libraries:
        found |= festina_version() | {name: version(name) for name in LIBRARIES}
    for name in sorted(reached.libraries - {"festina", *found}):
        found[name] = _installed(name)
    return found


@lru_cache(maxsize=1)
def festina_version() -> dict[str, str]:
    """Hash of festina's sources that numbers may depend on, by part."""
    parts: dict[str, list[Path]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        first, *rest = path.relative_to(ROOT).parts
        if first not in DISPLAY:
            parts.setdefault(f"festina.{first}" if rest else "festina", []).append(path)
    return {name: _hash(paths) for name, paths in sorted(parts.items())}


def difference(there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Which files and libraries differ between two code versions, in words; empty if nothing does."""
    told, changed = [], []
    for name in dict.fromkeys([*there, *here]):
        before, now = there.get(name), here.get(name)
        if before == now:
            continue
        if name.endswith(".py"):
            state = "is new" if before is None else "is not imported now" if now is None else "has changed"
            told.append(f"{name} {state}")
        elif name.startswith(IN_MEMORY) or name.endswith("as typed"):
            short = before and now and not (HASH.fullmatch(before) or HASH.fullmatch(now))
            state = "is new" if before is None else "is not used now" if now is None else "has changed"
            told.append(f"{name} {before} there, {now} here" if short else f"{name} {state}")
        elif name.split(".")[0] == "festina":
            changed.append(name)
        else:
            told.append(f"{name} {before or 'not imported'} there, {now or 'not imported'} here")
    if changed:
        told.append(f"festina's own sources have changed ({', '.join(changed)})")
    return "; ".join(told)


def users_files(path: Path, module: str = "") -> list[Path]:
    """The program's file and all files of the user's side that it imports."""
    reached = _Reached([str(path.parent)])
    reached.add(path, module)
    return list(reached.files.values())


class _Reached:
    """Files of the user's side, and names of libraries, that a file imports."""

    def __init__(self, folders: list[str]) -> None:
        self.folders = folders
        self.files: dict[str, Path] = {}
        self.libraries: set[str] = set()
        self.seen: set[Path] = set()

    def add(self, path: Path, module: str) -> None:
        """A file, and what it imports."""
        package = path.name == "__init__.py"
        label = f"{module.replace('.', '/')}/__init__.py" if package else path.name
        if "." in module and not package:
            label = f"{module.replace('.', '/')}.py"
        if path in self.seen:
            return
        self.seen.add(path)
        self.files[label] = path
        try:
            tree = ast.parse(path.read_bytes())
        except SyntaxError:
            return
        base = module if package else module.rpartition(".")[0]
        for name in _imported(tree, base):
            self._follow(name)

    def _follow(self, name: str) -> None:
        """Each part of a dotted name that is a module: ``a``, ``a.b``, ``a.b.c``."""
        top, *rest = name.split(".")
        if top in sys.stdlib_module_names or top in ("__future__", "__main__"):
            return
        spec = _find(top, self.folders)
        if spec is None:
            return
        names = [top]
        while spec is not None:
            origin = Path(spec.origin) if spec.origin and spec.has_location else None
            if top == "festina":
                self.libraries.add("festina")
                if names[1:2] == ["papers"] and origin is not None:
                    self.add(origin, ".".join(names))
            elif origin is not None and not is_users(origin):
                self.libraries.add(top)
                return
            elif origin is not None and origin.suffix == ".py":
                self.add(origin, ".".join(names))
            if not rest or spec.submodule_search_locations is None:
                return
            names.append(rest.pop(0))
            spec = PathFinder.find_spec(".".join(names), list(spec.submodule_search_locations))


def _imported(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".") if node.level else []
            parts = parts[: len(parts) - node.level + 1] if node.level else []
            start = ".".join(filter(None, [*parts, node.module or ""]))
            if start:
                # the imported name may be a module or something inside one
                yield from (f"{start}.{alias.name}" for alias in node.names)


def _find(name: str, folders: list[str]) -> ModuleSpec | None:
    """Where a module that is not part of a package comes from; the one in use, where it is in use."""
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__spec__", None) is not None:
        return loaded.__spec__
    found = PathFinder.find_spec(name, folders)
    if found is not None:
        return found
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None


@lru_cache(maxsize=1)
def _installed_folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    names = [*(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")), *site.getsitepackages()]
    return tuple({Path(name).resolve() for name in names if name})


def is_users(path: Path) -> bool:
    """Whether a file was not installed with Python or by pip."""
    resolved = path.resolve()
    if {"site-packages", "dist-packages"} & set(resolved.parts):
        return False
    return not any(resolved.is_relative_to(folder) for folder in _installed_folders())


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        from importlib.metadata import packages_distributions

        return ", ".join(f"{d} {version(d)}" for d in sorted(set(packages_distributions().get(name, ())))) or "unknown"


def _hash(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]

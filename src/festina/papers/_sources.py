"""Which code made a number: a hash of the sources that an experiment can reach, and versions of what they rest on."""

import ast
import hashlib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

LIBRARIES = ("numpy", "scipy", "jax", "jaxlib")
"""Another version of these may round otherwise."""

DISPLAY = ("cli.py", "__main__.py", "_explain_cli.py", "plot", "page", "widget", "sweep", "papers")
"""Parts of the package that no computed number depends on; of ``papers``, the files that the experiment imports do."""

ROOT = Path(__file__).parent.parent


def hash_files(paths: Iterable[Path]) -> str:
    """SHA-256 of names, lengths and contents."""
    digest = hashlib.sha256()
    for path in paths:
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        content = path.read_bytes()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def core_files() -> list[Path]:
    """Everything that computed numbers may depend on."""
    return [path for path in sorted(ROOT.rglob("*.py")) if path.relative_to(ROOT).parts[0] not in DISPLAY]


def versions() -> dict[str, str]:
    """Installed version of each library that numbers depend on."""
    return {name: version(name) for name in LIBRARIES}


def experiment_files(path: Path) -> list[Path]:
    """The experiment's file, and the files of ``festina.papers`` that it imports."""
    return sorted(_reached(path, set()))


def _reached(path: Path, seen: set[Path]) -> set[Path]:
    seen.add(path)
    for node in ast.walk(ast.parse(path.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            other = ROOT.joinpath(*parts[1:]).with_suffix(".py")
            if parts[:2] == ["festina", "papers"] and other not in seen and other.is_file():
                _reached(other, seen)
    return seen

"""Which code made a result: a hash of the sources that an experiment can reach, and versions of what they rest on."""

import ast
import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from festina.papers import Experiment

LIBRARIES = ("numpy", "scipy", "jax", "jaxlib")
"""Another version of these may round otherwise, and results of one sweep must be of one kind."""

SHOWING = ("cli.py", "__main__.py", "_explain_cli.py", "plot", "page", "widget", "sweep", "papers")
"""Parts of the package that no computed number depends on; of the experiments, those that the swept one imports do."""

ROOT = Path(__file__).parent.parent


@lru_cache(maxsize=16)
def code_version(experiment: Experiment) -> dict[str, str]:
    """Hash of the sources and versions of the libraries, by name; results of one sweep have equal ones."""
    from importlib.metadata import version

    digest = hashlib.sha256()
    for path in _sources(experiment):
        inside = path.is_relative_to(ROOT)
        name = path.relative_to(ROOT).as_posix() if inside else path.name
        content = path.read_bytes()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return {"festina": digest.hexdigest()[:16], **{name: version(name) for name in LIBRARIES}}


def difference(there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """What differs between two code versions, in words; empty where nothing does."""
    names = [name for name in (*there, *(n for n in here if n not in there)) if there.get(name) != here.get(name)]
    told = {"festina": "festina's sources"}
    return ", ".join(f"{told.get(n, n)} {there.get(n, 'none')} there, {here.get(n, 'none')} here" for n in names)


def _sources(experiment: Experiment) -> Iterator[Path]:
    for path in sorted(ROOT.rglob("*.py")):
        if path.relative_to(ROOT).parts[0] not in SHOWING:
            yield path
    yield ROOT / "papers" / "_experiment.py"
    yield from sorted(_reached(experiment.path, set()))


def _reached(path: Path, seen: set[Path]) -> set[Path]:
    """The experiment's file and the experiments that it imports."""
    seen.add(path)
    for node in ast.walk(ast.parse(path.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            if parts[:3] != ["festina", "papers", "experiments"] or len(parts) < 4:
                continue
            other = ROOT / "papers" / "experiments" / f"{parts[3]}.py"
            if other not in seen and other.is_file():
                _reached(other, seen)
    return seen

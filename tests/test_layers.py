"""Who may import whom: layers, packages that use each other's public names only, and no cycle among packages."""

import ast
from pathlib import Path

import networkx as nx
import pytest

import festina as fs

SOURCE = Path(fs.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

LAYERS = {
    "core": ("core", "tasks", "initial", "methods"),
    "networks": ("linear", "gated", "relu", "representation", "behaviour", "attention", "recurrent"),
    "tools": ("plot", "probe", "explanation", "sweeps", "_torch"),
    "papers": ("papers",),
    "front": ("cli", "page", "widget", "root", "__main__"),
}
"""Each layer imports only from itself and from the layers above it in this list. ``root`` is what ``import festina``
gives, and ``core`` are the single files at the top that no other layer claims."""

RANK = {package: i for i, layer in enumerate(LAYERS.values()) for package in layer}


def package_of(module: str) -> str:
    """The package of a module such as ``festina._mode``; command lines are the front, other files the core."""
    parts = module.split(".")
    if len(parts) == 1:
        return "root"
    if parts[1] in RANK:
        return parts[1]
    return "cli" if parts[1].endswith("_cli") else "core"


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(["festina", *(part for part in parts if part != "__init__")])


def homes() -> dict[str, str]:
    """Where each name of the root comes from: ``fs.DeepLinear`` is in ``festina.linear``."""
    found = {}
    for node in ast.walk(ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found[alias.name] = whole if node.module == "festina" else str(node.module)
    return found


def imports(text: str, known: dict[str, str]) -> set[str]:
    """festina modules that a source imports, at the top, inside functions or for type checkers alone.

    ``import festina as fs`` counts by its uses.
    """
    tree = ast.parse(text)
    found, roots = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "festina":
            for alias in node.names:
                is_module = node.module == "festina" or alias.name.startswith("_")
                found.add(f"{node.module}.{alias.name}" if is_module else node.module)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "festina":
                    roots.add(alias.asname or "festina")
                elif alias.name.startswith("festina."):
                    found.add(alias.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in roots:
            found.add(known.get(node.attr, f"festina.{node.attr}"))
    return found


def violations(module: str, text: str, known: dict[str, str]) -> list[str]:
    """What a module must not do: import from a layer below its own, or another package's private module."""
    own, found = package_of(module), []
    for name in sorted(imports(text, known)):
        other = package_of(name)
        if RANK[other] > RANK[own]:
            found.append(f"{module} ({own}) imports {name} ({other}), which is in a layer below")
        parts = name.split(".")
        if len(parts) > 2 and parts[2].startswith("_") and parts[1] != module.split(".")[1]:
            found.append(f"{module} imports {name}, a private module of another package")
    return found


@pytest.mark.parametrize("path", [p for p in FILES if p != SOURCE / "__init__.py"], ids=module_of)
def test_a_module_imports_from_its_layer_and_above_and_public_names_only(path):
    assert violations(module_of(path), path.read_text(encoding="utf-8"), homes()) == []


def test_packages_have_no_cycle():
    graph, known = nx.DiGraph(), homes()
    for path in FILES:
        own = package_of(module_of(path))
        names = imports(path.read_text(encoding="utf-8"), known) if own != "root" else set()
        others = {package_of(name) for name in names}
        graph.add_edges_from((own, other) for other in others if {own, other}.isdisjoint({"root", *LAYERS["core"]}))
    graph.remove_edges_from(nx.selfloop_edges(graph))
    assert list(nx.simple_cycles(graph)) == []


@pytest.mark.parametrize(
    ("module", "text", "said"),
    [
        ("festina.linear._x", "from festina.papers import find", "layer below"),
        ("festina.linear._x", "import festina as fs\nfs.plot.loss", "layer below"),
        ("festina.gated._x", "from festina.linear._race import FiniteStep", "private module"),
        ("festina.gated._x", "def f():\n    import festina.relu._reln", "private module"),
        ("festina.gated._x", "from festina.relu import _reln", "private module"),
        ("festina.plot._x", "if TYPE_CHECKING:\n    from festina.relu._find import FoundGates", "private module"),
        ("festina.linear._x", "if typing.TYPE_CHECKING:\n    from festina.plot import loss", "layer below"),
    ],
)
def test_the_rules_can_be_broken(module, text, said):
    assert any(said in words for words in violations(module, text, homes()))
    assert violations(module, "from festina.linear import strength\nfrom festina import _check", homes()) == []

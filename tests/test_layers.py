"""Who may import whom: layers, rooms that use each other's public files only, and no cycle."""

import ast
from pathlib import Path

import networkx as nx
import pytest

import festina as fs

SOURCE = Path(fs.__file__).parent
ROOT = Path(__file__).parents[1]
FILES = sorted(SOURCE.rglob("*.py"))

LAYERS = (
    ("checks",),
    ("modes", "solvers", "runtime", "storage"),
    ("core",),
    ("analysis", "tasks", "initial"),
    ("methods",),
    ("linear", "gated", "relu", "representation", "behaviour", "attention", "recurrent"),
    ("interop",),
    ("plot", "probe", "explanation", "sweeps"),
    ("papers",),
    ("cli", "page", "widget", "root"),
)
"""Rooms from the foundation to the front; ``root`` is what ``import festina`` gives. A room imports from its own layer
and from those before it."""

RANK = {room: i for i, layer in enumerate(LAYERS) for room in layer}

LARGEST = 4
"""Modules of the largest import cycle, imports inside functions and for type checkers included: a network names the
type of its theories, a theory that of its network."""


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(["festina", *(part for part in parts if part != "__init__")])


MODULES = {module_of(path): path for path in FILES}


def room_of(module: str) -> str:
    """The room of a module such as ``festina.modes.mode``."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in RANK else "root"


def homes() -> dict[str, str]:
    """Where each name of the root comes from: ``fs.DeepLinear`` is in ``festina.linear``."""
    found = {}
    for node in ast.walk(ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found[alias.name] = whole if node.module == "festina" else str(node.module)
    return found


HOMES = homes()


def imports(text: str) -> set[str]:
    """festina modules that a source imports, at the top, inside functions or for type checkers alone.

    ``import festina as fs`` counts by its uses.
    """
    tree = ast.parse(text)
    found, roots = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "festina":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                is_module = whole in MODULES or node.module == "festina" or alias.name.startswith("_")
                found.add(
                    HOMES.get(alias.name, whole) if node.module == "festina" else whole if is_module else node.module
                )
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "festina":
                    roots.add(alias.asname or "festina")
                elif alias.name.startswith("festina."):
                    found.add(alias.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in roots:
            found.add(HOMES.get(node.attr, f"festina.{node.attr}"))
    return found


def violations(module: str, text: str) -> list[str]:
    """What a module must not do: import from a layer after its own, or another room's private file."""
    own, found = room_of(module), []
    for name in sorted(imports(text)):
        other = room_of(name)
        if RANK[other] > RANK[own]:
            found.append(f"{module} ({own}) imports {name} ({other}), which is in a later layer")
        parts = name.split(".")
        if len(parts) > 2 and parts[2].startswith("_") and parts[1] != own:
            found.append(f"{module} imports {name}, a private file of another room")
    return found


@pytest.fixture(scope="module")
def graph() -> nx.DiGraph:
    found = nx.DiGraph()
    for module, path in MODULES.items():
        found.add_edges_from((module, name) for name in imports(path.read_text(encoding="utf-8")) if name in MODULES)
    found.remove_node("festina")
    return found


def test_a_module_imports_from_its_layer_and_before_and_no_private_file_of_another_room():
    found = [
        words for module, path in MODULES.items() if module != "festina"
        for words in violations(module, path.read_text(encoding="utf-8"))
    ]  # fmt: skip
    assert found == []


def test_every_folder_is_a_room_of_one_layer():
    folders = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    assert folders == set(RANK) - {"root"}
    assert {path.name for path in SOURCE.glob("*.py")} == {"__init__.py", "__main__.py"}


def test_the_drawing_of_the_documentation_shows_the_layers():
    page = (ROOT / "docs" / "develop.md").read_text(encoding="utf-8")
    drawn = page.split("```text\n")[1].split("```")[0].splitlines()
    assert [tuple(line.split()[1:]) for line in reversed(drawn)] == list(LAYERS)


def test_a_test_imports_private_files_only_of_its_own_room():
    wrong = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        own = path.relative_to(ROOT / "tests").parts[0]
        for name in imports(path.read_text(encoding="utf-8")):
            parts = name.split(".")
            if len(parts) > 2 and parts[2].startswith("_") and parts[1] != own:
                wrong.append(f"tests/{own}/{path.name} imports {name}")
    assert wrong == []


def test_marked_tests_stand_where_their_target_looks_for_them():
    """``make docs`` collects ``tests/test_*.py``, ``make verdicts`` collects ``tests/papers``."""
    tests = ROOT / "tests"
    for path in tests.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        assert "mark." + "docs" not in text or path.parent == tests, path
        assert "mark." + "verdict" not in text or path.is_relative_to(tests / "papers"), path


def test_rooms_have_no_cycle(graph):
    rooms = nx.DiGraph((room_of(a), room_of(b)) for a, b in graph.edges)
    rooms.remove_edges_from(nx.selfloop_edges(rooms))
    assert list(nx.simple_cycles(rooms)) == []


def test_cycles_of_modules_are_small(graph):
    large = [sorted(found) for found in nx.strongly_connected_components(graph) if len(found) > LARGEST]
    assert large == []


@pytest.mark.parametrize(
    ("module", "text", "said"),
    [
        ("festina.linear._x", "from festina.papers import find", "later layer"),
        ("festina.linear._x", "import festina as fs\nfs.plot.loss", "later layer"),
        ("festina.linear._x", "if typing.TYPE_CHECKING:\n    from festina.plot import loss", "later layer"),
        ("festina.core.x", "def f():\n    from festina.analysis import Trajectory", "later layer"),
        ("festina.checks.x", "from festina.core.task import Task", "later layer"),
        ("festina.gated._x", "from festina.linear._race import FiniteStep", "private file"),
        ("festina.gated._x", "def f():\n    import festina.relu._reln", "private file"),
        ("festina.gated._x", "from festina.relu import _reln", "private file"),
        ("festina.plot._x", "if TYPE_CHECKING:\n    from festina.relu._minimal_reln import FoundGates", "private file"),
    ],
)
def test_the_rules_can_be_broken(module, text, said):
    assert any(said in words for words in violations(module, text))
    assert violations("festina.gated._x", "from festina.linear import strength\nfrom festina.checks import check") == []

"""What a user sees, and what is asked of every file: names, types, examples, sources."""

import ast
import contextlib
import doctest
import functools
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import festina as fs

pytestmark = pytest.mark.slow

SOURCE = Path(fs.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
PACKAGES = [path.parent for path in FILES if path.name == "__init__.py"]
ROOMS = [path for path in sorted(SOURCE.iterdir()) if (path / "__init__.py").exists()]
MOST_ANY = 40
"""Parameters whose annotation is ``Any``; the number may fall, it may not grow."""

FIXED = {
    "Task", "Trajectory", "load", "evolve", "compare", "Assumption", "AssumptionError", "DeepLinear",
    "Exact", "Reduced", "Flow", "Train", "tasks", "initial", "linear",
}  # fmt: skip
"""Names that others build on."""

HEAVY = ("jax", "matplotlib", "xarray", "sklearn", "networkx", "torch", "pandas", "anywidget")


def words(path):
    return path.relative_to(SOURCE).with_suffix("").parts


def module_name(path):
    parts = [part for part in words(path) if part != "__init__"]
    return ".".join(["festina", *parts])


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def exported(package):
    """Names that a package's ``__init__`` lists, as ``X as X``, and what they stand for."""
    module = importlib.import_module(module_name(package / "__init__.py"))
    return {
        alias.name: getattr(module, alias.name)
        for node in ast.walk(tree(package / "__init__.py"))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("festina")
        for alias in node.names
    }


def untyped_parameters():
    """(file, function, parameter) of every parameter whose annotation is ``Any``."""
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = node.args
                for one in [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
                    if one is not None and one.annotation is not None and ast.unparse(one.annotation) == "Any":
                        yield path.name, node.name, one.arg


def test_parameters_typed_any_do_not_grow():
    assert len(list(untyped_parameters())) <= MOST_ANY


def test_the_fixed_names_are_there():
    assert set(exported(SOURCE)) >= FIXED
    assert {"Gaussian", "Aligned", "Balanced", "Orthogonal", "Weights"} <= set(exported(SOURCE / "initial"))


def test_an_init_file_is_the_public_list_and_nothing_else():
    wrong = []
    for package in PACKAGES:
        module = importlib.import_module(module_name(package / "__init__.py"))
        listed = exported(package)
        body = tree(package / "__init__.py").body
        for node in body[1:] if package != SOURCE else ():  # the root also says what loads when it is first used
            fits = isinstance(node, ast.ImportFrom) and all(alias.asname == alias.name for alias in node.names)
            wrong += [] if fits else [f"{package.name}: {ast.unparse(node)}"]
        for name in set(dir(module)) - set(listed):
            private = name.startswith("_") or isinstance(getattr(module, name), ModuleType)
            wrong += [] if private else [f"{package.name}.{name} is public but not listed"]
    assert wrong == []


def test_every_room_says_what_lives_in_it_and_names_files_that_exist():
    wrong = []
    for room in PACKAGES:
        readme = room / "README.md"
        text = readme.read_text(encoding="utf-8") if readme.exists() else ""
        if not (text.startswith(f"# {room.name}\n") and "**Not here:**" in text and len(text.splitlines()) <= 15):
            wrong.append(f"{room.name}/README.md: a title, what lives here, **Not here:** and what to read first")
        named = re.findall(r"`([\w/.]+\.(?:py|html|js|json))`", text)
        wrong += [f"{room.name}/README.md names {file}" for file in named if not (room / file).exists()]
        if not named:
            wrong.append(f"{room.name}/README.md names no file to read first")
    assert wrong == []


def test_names_that_load_when_first_used_are_the_listed_ones():
    block = next(node for node in tree(SOURCE / "__init__.py").body if isinstance(node, ast.If))
    listed = {
        alias.name: "" if node.module == "festina" else str(node.module).removeprefix("festina.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert listed == {**fs._HOMES, **dict.fromkeys(fs._PACKAGES, "")}


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'festina' has no attribute 'evolv'"):
        getattr(fs, "evolv")  # noqa: B009
    assert {"explain", "attention", "evolve", "__version__"} <= set(dir(fs))
    assert "TYPE_CHECKING" not in dir(fs)


def test_a_name_stands_for_one_thing():
    homes = {}
    for package in PACKAGES:
        for name, value in exported(package).items():
            if not isinstance(value, ModuleType) and package != SOURCE and hasattr(value, "__qualname__"):
                homes.setdefault((value.__module__, value.__qualname__), []).append((package.name, name))
    twice = {key: places for key, places in homes.items() if len(places) > 1}
    assert not twice


def test_everything_public_says_what_it_is():
    silent = [
        package.name
        for package in PACKAGES
        if not importlib.import_module(module_name(package / "__init__.py")).__doc__
    ]
    for package in PACKAGES:
        for name, value in exported(package).items():
            if (callable(value) or isinstance(value, ModuleType)) and not (value.__doc__ or "").strip():
                silent.append(f"{package.name}.{name}")
    assert silent == []


def written(annotation):
    """Names in an annotation, also inside the text of one."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            with contextlib.suppress(SyntaxError):  # words for shapes
                yield from written(ast.parse(node.value, mode="eval"))


def annotations(definition):
    """(place, annotation) of a function, or of the fields and public methods of a class."""
    if isinstance(definition, ast.ClassDef):
        for node in definition.body:
            name = getattr(node, "name", None) or ast.unparse(getattr(node, "target", ast.Name("_")))
            if not name.startswith("_") or name in ("__init__", "__call__", "__getitem__"):
                found = [node.annotation] if isinstance(node, ast.AnnAssign) else [a for _, a in annotations(node)]
                yield from ((f"{definition.name}.{name}", each) for each in found)
    elif isinstance(definition, ast.FunctionDef):
        given = definition.args
        for one in [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
            if one is not None and one.annotation is not None:
                yield definition.name, one.annotation
        if definition.returns is not None:
            yield definition.name, definition.returns


@functools.cache
def names_of(module):
    """Classes of festina that a module defines or imports, at the top, in functions or for type checkers."""
    origins = {}
    for node in ast.walk(tree(Path(str(importlib.import_module(module).__file__)))):
        if isinstance(node, ast.ClassDef):
            origins.setdefault(node.name, (module, node.name))
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("festina"):
            origins |= {alias.asname or alias.name: (str(node.module), alias.name) for alias in node.names}
    found = {name: getattr(importlib.import_module(home), own, None) for name, (home, own) in origins.items()}
    ours = {k: v for k, v in found.items() if isinstance(v, type) and v.__module__.startswith("festina")}
    return {k: v for k, v in ours.items() if not v.__module__.startswith("festina.checks")}


def types_of(value):
    """(place, type) for every type of festina in the signature of a public function or class, bases included."""
    for owner in value.__mro__ if isinstance(value, type) else [inspect.unwrap(value)]:
        module = owner.__module__
        if module.startswith("festina"):
            path = Path(str(importlib.import_module(module).__file__))
            defined = [node for node in tree(path).body if getattr(node, "name", None) == owner.__qualname__]
            for place, annotation in (pair for node in defined for pair in annotations(node)):
                known = names_of(module)
                yield from ((f"{module}.{place}", known[name]) for name in written(annotation) if name in known)


def test_every_type_in_a_public_signature_has_a_public_place_and_a_docstring():
    public = {id(value) for package in PACKAGES for value in exported(package).values()}
    missing = {}
    for package in PACKAGES:
        for value in exported(package).values():
            if callable(value) and str(getattr(value, "__module__", "")).startswith("festina"):
                for place, kind in types_of(value):
                    if id(kind) not in public or not (kind.__doc__ or "").strip():
                        missing.setdefault(f"{kind.__module__}.{kind.__qualname__}", set()).add(place)
    assert missing == {}, "\n".join(f"{kind}: in {', '.join(sorted(places))}" for kind, places in missing.items())


CHECK = """
import json, os, sys
before = dict(os.environ)
import festina
loaded = [name for name in {heavy!r} if name in sys.modules]
changed = dict(os.environ) != before
import jax
print(json.dumps([loaded, changed, bool(jax.config.jax_enable_x64)]))
"""


def test_importing_loads_nothing_heavy_and_sets_nothing():
    environment = {k: v for k, v in os.environ.items() if not k.startswith("JAX_")}
    run = subprocess.run(
        [sys.executable, "-c", CHECK.format(heavy=HEAVY)], capture_output=True, text=True, check=True, env=environment
    )
    loaded, changed, double = json.loads(run.stdout)
    assert loaded == []
    assert not changed
    assert not double
    assert run.stderr == ""


def test_training_leaves_the_precision_of_jax_alone():
    import jax

    before = jax.config.jax_enable_x64  # pyright: ignore[reportAttributeAccessIssue]
    network = fs.DeepLinear(initial=fs.initial.Gaussian(0.1))
    fs.evolve(network, fs.tasks.hierarchy(levels=1), [0.0, 1.0], method=fs.Train(rate=0.1))
    assert jax.config.jax_enable_x64 == before  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.docs
@pytest.mark.parametrize("room", [SOURCE, *ROOMS], ids=lambda room: room.name)
def test_examples_do_what_they_say(room, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = [path for path in FILES if path.parent == room or (room != SOURCE and path.is_relative_to(room))]
    run = {
        module_name(path): doctest.testmod(importlib.import_module(module_name(path)), optionflags=doctest.ELLIPSIS)
        for path in files
        if ">>> " in path.read_text(encoding="utf-8")
    }
    assert {name: found for name, found in run.items() if found.failed or not found.attempted} == {}


KEY = re.compile(r"\b[a-z]+(?:\d{4}|_lecture)\b")


def bibliography():
    return set(re.findall(r"@\w+\{(\w+),", (SOURCE / "references.bib").read_text(encoding="utf-8")))


def test_sources_are_in_the_bibliography_and_the_bibliography_is_used():
    text = {path: path.read_text(encoding="utf-8") for path in FILES}
    source = re.compile(r"Source:[^\"]*?\n\s*(?:\n|\"\"\")")
    cited = {
        (k, path.name) for path, body in text.items() for found in source.findall(body) for k in KEY.findall(found)
    }
    assert len(cited) > 10
    assert {(key, name) for key, name in cited if key not in bibliography()} == set()
    everything = "\n".join(text.values())
    assert {key for key in bibliography() if not re.search(rf"\b{key}\b", everything)} == set()


def test_files_are_well_named_and_finished():
    wrong = []
    for path in FILES:
        if set(re.split(r"[_.]", path.stem)) & {"utils", "util", "helpers", "helper", "common", "misc"}:
            wrong.append(f"{module_name(path)}: a file is called by what it holds")
        found = re.findall(r"\b(?:TODO|FIXME|XXX|HACK)\b|NotImplementedError", path.read_text(encoding="utf-8"))
        wrong += [f"{module_name(path)}: {word}" for word in found]
    assert wrong == []

"""What a user sees, and what is asked of every file: names, examples, sources, sizes."""

import ast
import doctest
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import festina as fs

SOURCE = Path(fs.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
PACKAGES = [path.parent for path in FILES if path.name == "__init__.py"]
MOST_NAMES = 120
"""Public names of the whole library: what a user can learn."""

MOST_ANY = 59
"""Parameters whose annotation holds ``Any``; the number may fall, it may not grow."""

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
    """Names that a package's ``__init__`` lists, as ``X as X``."""
    found = {}
    for node in ast.walk(tree(package / "__init__.py")):
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname: (node.module, alias.name) for alias in node.names}
    return found


def public_names():
    """Every public name by the packages that list it; a name that several list for one thing is one name."""
    found = {}
    for package in PACKAGES:
        for name, (home, _) in exported(package).items():
            if home != "festina" and not name.startswith("_"):
                value = getattr(importlib.import_module(module_name(package / "__init__.py")), name)
                found.setdefault((name, id(value)), []).append(package.name)
    return found


def test_the_public_names_are_few():
    names = public_names()
    assert len(names) <= MOST_NAMES, sorted(name for name, _ in names)


def untyped_parameters():
    """(file, function, parameter) of every parameter whose annotation holds ``Any``."""
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = node.args
                for one in [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
                    parts = ast.walk(one.annotation) if one is not None and one.annotation is not None else ()
                    if one is not None and any(isinstance(part, ast.Name) and part.id == "Any" for part in parts):
                        yield path.name, node.name, one.arg


def test_parameters_typed_any_do_not_grow():
    assert len(list(untyped_parameters())) <= MOST_ANY


def test_the_fixed_names_are_there():
    assert set(exported(SOURCE)) >= FIXED
    assert {"Gaussian", "Aligned", "Balanced", "Orthogonal", "Weights"} <= set(exported(SOURCE / "initial"))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.name)
def test_an_init_file_is_the_public_list_and_nothing_else(package):
    later = ("TYPE_CHECKING = False", "if TYPE_CHECKING:")
    for node in tree(package / "__init__.py").body:
        if package == SOURCE and ast.unparse(node).startswith(later):
            continue
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        assert docstring or isinstance(node, ast.ImportFrom), ast.unparse(node)
        if isinstance(node, ast.ImportFrom):
            assert all(alias.asname == alias.name for alias in node.names), ast.unparse(node)
    module = importlib.import_module(module_name(package / "__init__.py"))
    listed = set(exported(package))
    for name in set(dir(module)) - listed:
        value = getattr(module, name)
        assert name.startswith("_") or isinstance(value, ModuleType), f"{name} is public but not listed"


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
        module = importlib.import_module(module_name(package / "__init__.py"))
        for name in exported(package):
            value = getattr(module, name)
            if not isinstance(value, ModuleType) and package != SOURCE and hasattr(value, "__qualname__"):
                homes.setdefault((value.__module__, value.__qualname__), []).append((package.name, name))
    twice = {key: places for key, places in homes.items() if len(places) > 1}
    assert not twice


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.name)
def test_everything_public_says_what_it_is(package):
    module = importlib.import_module(module_name(package / "__init__.py"))
    assert module.__doc__
    for name in exported(package):
        value = getattr(module, name)
        if callable(value) or isinstance(value, ModuleType):
            assert (value.__doc__ or "").strip(), name


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


@pytest.mark.parametrize("path", [p for p in FILES if ">>> " in p.read_text(encoding="utf-8")], ids=module_name)
def test_examples_do_what_they_say(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(module_name(path)), optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0


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


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_files_are_well_named_and_finished(path):
    body = path.read_text(encoding="utf-8")
    assert not set(re.split(r"[_.]", path.stem)) & {"utils", "util", "helpers", "helper", "common", "misc"}
    assert not re.search(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError", body)

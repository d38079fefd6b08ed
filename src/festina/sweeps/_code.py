"""The function that is swept, and which code computed a number: the user's files, what they hold in memory, libraries.

Imports are followed as they are written in the files, at the top and inside functions, without running anything.
Anything that a program loads in other ways (``importlib.import_module`` of a computed name, data files) is not covered.
A hash of files does not show functions that were typed, values that were set by hand, or modules that were edited
after their import. These are read in memory.
"""

import ast
import copyreg
import dis
import importlib
import importlib.util
import inspect
import marshal
import os
import random
import re
import site
import sys
import sysconfig
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import CodeType, FunctionType, GetSetDescriptorType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy as np

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
    name = f"festina_file_{_digest(file.encode())}"
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
    return _Imported(path, module).version()


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


class _Imported:
    """Files of the user's side, by the names they are imported by, and names of libraries, that a file imports."""

    def __init__(self, path: Path, module: str) -> None:
        self.folders = [str(path.parent)]
        self.files: dict[str, Path] = {}
        self.libraries: set[str] = set()
        self._add(path, module)

    def version(self) -> dict[str, str]:
        """Hash of each file, and version of each library, by name."""
        found = {label: _hash([file]) for label, file in sorted(self.files.items())}
        if "festina" in self.libraries:
            found |= festina_version() | {name: version(name) for name in LIBRARIES}
        return found | {name: _installed(name) for name in sorted(self.libraries - {"festina", *found})}

    def _add(self, path: Path, module: str) -> None:
        """A file, and what it imports."""
        package = path.name == "__init__.py"
        label = f"{module.replace('.', '/')}/__init__.py" if package else path.name
        if "." in module and not package:
            label = f"{module.replace('.', '/')}.py"
        if path in self.files.values():
            return
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
                    self._add(origin, ".".join(names))
            elif origin is not None and not is_users(origin):
                self.libraries.add(top)
                return
            elif origin is not None and origin.suffix == ".py":
                self._add(origin, ".".join(names))
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
def _installed_folders() -> set[Path]:
    paths = sysconfig.get_paths()
    names = [*(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")), *site.getsitepackages()]
    return {Path(name).resolve() for name in names if name}


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
    contents = [(path.name, path.read_bytes()) for path in paths]
    return _digest(b"".join(f"{name} {len(content)}\n".encode() + content for name, content in contents))


PLAIN = (bool, int, float, complex, str, bytes, type(None))
CHANGERS = frozenset([
    "add", "append", "clear", "discard", "extend", "fill", "insert", "pop", "popitem", "remove", "reverse",
    "setdefault", "sort", "update", "write",
])  # fmt: skip
"""Methods that change what they are called on: a value that a function changes itself is not what it depends on."""

GLOBAL = ("LOAD_GLOBAL", "LOAD_NAME")
ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD")

FIRST = ("__init__", "__new__", "__post_init__")
"""Methods that give an object its first state, which is not a change."""

CONSUMED = (np.random.Generator, np.random.RandomState, np.random.BitGenerator, random.Random, Iterator)
"""Objects that every use changes: only their type counts."""

PARTS = ("__func__", "fget", "fset", "fdel", "func", "__wrapped__")
"""Attributes of methods, properties and wrappers that hold functions."""

SHORT = 40
"""Characters of a value that is shown itself; of longer ones the hash is compared."""


def reached(function: FunctionType, files: Sequence[Path] = ()) -> dict[str, str]:
    """All that a function reaches in memory and that no file shows, by name.

    Args:
        function: what is swept.
        files: those of the user's side that its module imports.

    Raises:
        ValueError: a module was edited after its import, so that what runs here is not what its file holds.
    """
    walk = _Walk()
    walk.function(function)
    walk.check_files(files)
    own = {f"variable {name}" for name in walk.changed}
    return {
        name: _shown(", ".join(texts)) for name, texts in walk.found.items()
        if name not in own and name.rpartition(".")[2] not in walk.stored
    }  # fmt: skip


def compiled(code: CodeType) -> str:
    """Compiled code, without its positions in the file."""
    constants = [compiled(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    return repr((code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars))


class _Walk:
    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {}  # lambdas share a name
        self.seen: set[int] = set()
        self.kept: list[object] = []  # so that no id is used twice
        self.codes: dict[Path, list[CodeType]] = {}
        self.globals: dict[Path, dict[str, Any]] = {}
        self.changed: set[str] = set()  # globals, and attributes, that the functions themselves set
        self.stored: set[str] = set()
        self.caches: set[str] = set()  # private attributes that are set after an object's first state

    def note(self, name: str, text: str) -> None:
        """Keep the object that a name refers to."""
        self.found.setdefault(name, []).append(text)

    def function(self, function: FunctionType) -> str:
        """Follow a function of the user's, also inside a library's wrapper; its name."""
        name, file = f"{function.__module__}.{function.__qualname__}", Path(function.__code__.co_filename)
        if self._again(function):
            return name
        own, typed = _is_own(file), not file.is_file()
        if own:
            self._code(function, None if typed else file)
        for key, value in vars(function).items():
            token = self.value(value)
            if own and typed and not isinstance(value, FunctionType):
                self.note(f"variable {function.__qualname__}.{key}", token)
        return name

    def _code(self, function: FunctionType, file: Path | None) -> None:
        """Follow what a function names: globals, variables around it, and defaults."""
        name = function.__qualname__
        if file is None:
            self.note(f"{name} as typed", _digest(compiled(function.__code__).encode(errors="surrogatepass")))
        else:
            self.codes.setdefault(file, []).append(function.__code__)
        inner = list(_nested(function.__code__))
        for code in inner:
            changed, stored = _changed(code)
            self.changed |= changed
            self.stored |= stored
            if function.__name__ not in FIRST:
                self.caches |= {name for name in stored if name.startswith("_")}
        steps = (step for code in inner for step in dis.get_instructions(code))
        for each in dict.fromkeys(step.argval for step in steps if step.opname in GLOBAL):
            if each in function.__globals__:
                self._global(each, function.__globals__[each], inner, file)
        for each, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                held = cell.cell_contents
            except ValueError:  # a variable that has no value yet
                continue
            token = self.value(held)
            if not isinstance(held, FunctionType | type) and each not in self.stored:
                self.note(f"variable {each} of {name}", token)
        given, code = function.__defaults__ or (), function.__code__
        by_place = zip(code.co_varnames[code.co_argcount - len(given) : code.co_argcount], given, strict=True)
        for place, value in (*by_place, *(function.__kwdefaults__ or {}).items()):
            if not isinstance(value, PLAIN):
                self.note(f"default of {place} in {name}", self.value(value))

    def _global(self, name: str, value: object, inner: list[CodeType], file: Path | None) -> None:
        if isinstance(value, ModuleType):
            if _is_own(Path(getattr(value, "__file__", None) or "")) and value.__name__ != "__main__":
                own = Path(str(value.__file__))
                for part in dict.fromkeys(name for code in inner for name in code.co_names):
                    if part in vars(value):
                        self._global(part, vars(value)[part], inner, own)
            return
        token = self.value(value)
        if isinstance(value, FunctionType | type):
            return
        if file is None:
            self.note(f"variable {name}", token)
        else:
            self.globals.setdefault(file, {})[name] = value

    def value(self, value: object) -> str:
        """A value as text that is equal for equal values; of what cannot be seen, its type."""
        kind = f"{type(value).__module__}.{type(value).__qualname__}"
        describe = next((describe for kinds, describe in LEAVES if isinstance(value, kinds)), None)
        if describe is not None:
            return describe(self, kind, value)
        if self._again(value) or isinstance(value, CONSUMED):
            return kind
        if hasattr(type(value), "__array__") and not isinstance(value, np.ma.MaskedArray):
            return f"{kind} {self._array(value)}"
        return f"{kind} {self._parts(value)}"

    def _parts(self, value: object) -> object:
        """The parts of a container, in an order that does not depend on the process."""
        if isinstance(value, list | tuple) and type(value) in (list, tuple):
            return list(map(self.value, value))
        if isinstance(value, set | frozenset):
            return sorted(map(self.value, value))
        if isinstance(value, Mapping) and (type(value) is dict or not isinstance(value, dict)):
            return sorted((self.value(k), self.value(v)) for k, v in value.items())
        return self._object(value)

    def _object(self, value: object) -> str:
        """An object by its class and the parts that a copy of it would be made of."""
        self._type(type(value))
        wrapped = inspect.getattr_static(value, "__wrapped__", None)
        if isinstance(wrapped, FunctionType):
            return self.function(wrapped)
        if not _is_known(value):
            return ""
        try:
            if is_dataclass(value):
                return f"{[self.value(getattr(value, part.name)) for part in fields(value)]}"
            registered = copyreg.dispatch_table.get(type(value))
            made = value.__reduce_ex__(4) if registered is None else registered(value)
            parts = made if isinstance(made, str) else [list(p) if isinstance(p, Iterator) else p for p in made]
        except Exception:  # a lock, a file or a connection cannot be copied, and objects may raise anything
            return ""
        known = (item for base in type(value).__mro__ for item in vars(base).items())
        cached = {key for key, held in known if isinstance(held, cached_property)}
        return self.value(_without(parts, cached | self.caches))

    def _array(self, value: object) -> str:
        names = [self.value(np.asarray(getattr(value, part)).tolist()) for part in ("index", "columns")
                 if hasattr(value, "iloc") and hasattr(value, part)]  # fmt: skip
        try:
            array = np.asarray(getattr(value, "detach", lambda: value)())
        except Exception:  # objects of libraries may raise anything
            return ""
        if array.dtype.hasobject:
            return f"{names} {self.value(array.tolist())}"
        return f"{names} {array.dtype} {array.shape} {_digest(np.ascontiguousarray(array).tobytes())}"

    def _type(self, kind: type) -> str:
        """Follow the methods and attributes of a class of the user's."""
        name = f"{kind.__module__}.{kind.__qualname__}"
        file = Path(getattr(sys.modules.get(kind.__module__), "__file__", None) or "")
        if self._again(kind) or not (_is_own(file) or kind.__module__ == "__main__"):
            return name
        for key, value in vars(kind).items():
            functions = [inner for part in PARTS if isinstance(inner := getattr(value, part, None), FunctionType)]
            for inner in [value] if isinstance(value, FunctionType) else functions:
                self.function(inner)
            known = isinstance(value, FunctionType | MemberDescriptorType | GetSetDescriptorType) or functions
            # what a file computes is known by the file
            if not (known or key.startswith("__")) and (isinstance(value, PLAIN) or not file.is_file()):
                self.note(f"variable {kind.__qualname__}.{key}", self.value(value))
        for base in (type(kind), *kind.__bases__):
            self._type(base)
        return name

    def _again(self, value: object) -> bool:
        if id(value) in self.seen:
            return True
        self.seen.add(id(value))
        self.kept.append(value)
        return False

    def check_files(self, files: Sequence[Path]) -> None:
        """Raise where a file no longer holds what was imported from it."""
        used = {name: value for names in self.globals.values() for name, value in names.items()}
        wanted = dict.fromkeys([*self.codes, *self.globals, *files])
        names = {file.name for file in wanted}
        loaded = {
            Path(path): m for m in list(sys.modules.values())
            if isinstance(path := getattr(m, "__file__", 0), str) and os.path.basename(path) in names
        }  # fmt: skip
        for file in wanted:
            module = loaded.get(file)
            # loaders that rewrite what they load leave nothing to compare
            if module is None or type(getattr(module, "__loader__", None)) is not SourceFileLoader:
                continue
            try:
                source = file.read_bytes()
                tree, now = ast.parse(source), compile(source, str(file), "exec", dont_inherit=True)
            except (OSError, SyntaxError, ValueError) as error:
                raise ValueError(f"{file.name} cannot be read again ({error}); {ADVICE}.") from None
            holds: dict[str, set[str]] = {}
            for code in _nested(now):
                holds.setdefault(code.co_qualname, set()).add(compiled(code))
            for code in self.codes.get(file, ()):
                if compiled(code) not in holds.get(code.co_qualname, ()):
                    raise ValueError(f"{code.co_qualname} is not what {file.name} holds now; {ADVICE}.")
            literals = _literals(tree)
            # a name may be used in one file and set in another, from which it is imported
            own = {name: value for name, value in used.items() if vars(module).get(name, self) is value}
            for name, value in own.items():
                if name in literals and name not in self.changed and _plain(value) != _plain(literals[name]):
                    raise ValueError(
                        f"{name} is {_shown(repr(value))}, but {file.name} says {_shown(repr(literals[name]))}; "
                        f"{ADVICE}."
                    )
            if (then := _at_import(module, file)) is not None and compiled(then) != compiled(now):
                raise ValueError(f"{file.name} was edited after it was imported; {ADVICE}.")


ADVICE = "workers and later runs read the file: restart Python, or import the module again, so that both are the same"


LEAVES: tuple[tuple[tuple[type, ...], Callable[[_Walk, str, Any], str]], ...] = (
    (PLAIN, lambda walk, kind, value: repr(value)),
    ((Enum, np.generic, range, slice, os.PathLike), lambda walk, kind, value: f"{kind} {value!r}"),
    ((FunctionType,), lambda walk, kind, value: walk.function(value)),
    ((MethodType,), lambda walk, kind, value: f"{walk.value(value.__self__)} {walk.value(value.__func__)}"),
    ((type,), lambda walk, kind, value: walk._type(value)),
)
"""How values without parts are written, by their types."""


def _at_import(module: ModuleType, file: Path) -> CodeType | None:
    """The module as Python compiled it when it was last imported; None if that is not kept."""
    kept = Path(getattr(module, "__cached__", None) or "")
    if sys.dont_write_bytecode or not kept.is_file() or not os.access(kept, os.W_OK):
        return None
    content, stat = kept.read_bytes(), file.stat()
    changed, size = (int.from_bytes(content[a:b], "little") for a, b in ((8, 12), (12, 16)))
    if content[:4] != importlib.util.MAGIC_NUMBER or content[4:8] != bytes(4):
        return None
    if (changed, size) == (int(stat.st_mtime) & 0xFFFFFFFF, stat.st_size & 0xFFFFFFFF):
        return None
    try:
        return marshal.loads(content[16:])
    except (EOFError, ValueError, TypeError):
        return None


def _is_own(file: Path) -> bool:
    """Whether code is the user's: typed, or in a file that is no library's."""
    if not file.is_file():
        return str(file) != "." and not str(file).startswith("<frozen")
    return is_users(file) and not file.resolve().is_relative_to(ROOT)


def _is_known(value: object) -> bool:
    """Whether an object is all that its parts are: a user's own, festina's, and what compares by value or is called."""
    kind = type(value)
    file = Path(getattr(sys.modules.get(kind.__module__), "__file__", None) or "")
    own = kind.__module__ == "__main__" or _is_own(file) or kind.__module__.split(".")[0] == "festina"
    return own or kind.__eq__ is not object.__eq__ or callable(value)


def _without(parts: object, names: set[str]) -> object:
    """The state of an object without what its own methods set; ``parts`` are those of ``__reduce_ex__``."""
    if isinstance(parts, str) or len(parts) < 3:  # pyright: ignore[reportArgumentType]
        return parts
    made, given, state, *rest = parts  # pyright: ignore[reportGeneralTypeIssues]
    halves = state if isinstance(state, tuple) else (state,)
    dicts = [half or {} for half in halves]
    kept = [{k: v for k, v in half.items() if k not in names} if isinstance(half, dict) else half for half in dicts]
    return [made, given, kept, rest]


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _nested(part)


def _changed(code: CodeType) -> tuple[set[str], set[str]]:
    """Globals and attributes that code changes: assigned to, assigned into, or changed by a method of theirs."""
    steps, names, attributes = list(dis.get_instructions(code)), set(), set()
    for i, step in enumerate(steps):
        if step.opname == "STORE_GLOBAL":
            names.add(step.argval)
        elif step.opname in ("STORE_ATTR", "STORE_DEREF"):
            attributes.add(step.argval)
        if step.opname in ("STORE_SUBSCR", "DELETE_SUBSCR"):
            # the index is on top, and what is indexed below it; x[i] += 1 copies both before
            index = _begin(steps, i)
            end = _begin(steps, index) if steps[index].opname == "COPY" else index
        elif step.opname == "STORE_ATTR" or (step.opname in ATTRIBUTE and step.argval in CHANGERS):
            end = i
        else:
            continue
        first = _begin(steps, end)
        if steps[first].opname in GLOBAL:
            names.add(steps[first].argval)
        attributes |= {part.argval for part in steps[first:end] if part.opname in ATTRIBUTE}
    return names, attributes


def _begin(steps: list[dis.Instruction], end: int) -> int:
    """Where the expression begins whose value is on top of the stack before the step ``end``."""
    height = 0
    for i in range(end - 1, -1, -1):
        step = steps[i]
        height += dis.stack_effect(step.opcode, step.arg)
        if height >= 1:
            return i
    return 0


def _literals(tree: ast.Module) -> dict[str, Any]:
    """Names that a file sets once, at its top, to a value that is written out."""
    times: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            times[node.id] = times.get(node.id, 0) + 1
    found = {}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        target = node.target if isinstance(node, ast.AnnAssign) else target
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and times.get(target.id) == 1 and value is not None:
            try:
                found[target.id] = ast.literal_eval(value)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue
    return found


def _plain(value: object) -> str:
    return f"{type(value).__name__} {value!r}"


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


def _shown(text: str) -> str:
    return text if len(text) <= SHORT else _digest(text.encode(errors="surrogatepass"))


@dataclass(frozen=True)
class Reference:
    """Where a worker in another process finds a function; comes from the caller, never from a results folder."""

    module: str
    qualname: str
    file: str
    folder: str

    def load(self) -> Callable[..., Any]:
        """The function, imported from its module; from its file where the module was a script."""
        found: Any = self._module()
        for name in self.qualname.split("."):
            found = getattr(found, name)
        return found

    def _module(self) -> ModuleType:
        if self.folder not in sys.path:
            # as Python does for a script: modules beside the file can be imported
            sys.path.append(self.folder)
        main = sys.modules.get("__main__")
        if main is not None and self._is_here(main) and hasattr(main, self.qualname.split(".")[0]):
            return main
        if self.module != "__main__" and importlib.util.find_spec(self.module.split(".")[0]) is not None:
            module = importlib.import_module(self.module)
            if self._is_here(module):
                return module
        return load_file(self.file)

    def _is_here(self, module: ModuleType) -> bool:
        return Path(getattr(module, "__file__", None) or "").resolve() == Path(self.file)


@dataclass(frozen=True)
class Function:
    """Description of a sweep's function.

    Attributes:
        call: the function itself.
        name: how people call it: file or module, and name in it.
        hints: annotation of each parameter, by name; ``inspect.Parameter.empty`` if there is none.
        defaults: default of each parameter that has one.
        any_name: whether it takes keyword arguments of any name.
        code: hash of each source file that it reaches and versions of libraries.
        reference: how other processes find it; the function itself where it can be sent as it is.
        obstacle: why other processes cannot find it; empty if they can.
    """

    call: Callable[..., Any]
    name: str
    hints: Mapping[str, Any]
    defaults: Mapping[str, Any]
    any_name: bool
    code: Mapping[str, str]
    reference: "Reference | Callable[..., Any]"
    obstacle: str

    def check_importable(self, executor: str) -> None:
        """Raise ``ValueError`` where processes of ``executor`` cannot import the function."""
        if self.obstacle:
            raise ValueError(
                f"function is {self.name}, {self.obstacle}; the workers of {executor} are other processes and have to "
                "import it: define it with def at the top level of a .py file, or run it in this process: "
                "executor=ThreadPoolExecutor()."
            )


def describe(function: object) -> Function:
    """Description of a function for a sweep, or an error that says why it cannot be swept.

    Besides functions, objects of an importable class with ``__call__``, ``__name__``, ``__signature__`` and ``sources``
    (the file whose code decides the results) are accepted.
    """
    if not callable(function):
        raise ValueError(
            f"function is {function!r}; a function that returns a trajectory, a dict or a dataset is needed."
        )
    if isinstance(function, partial):
        raise ValueError("function is a functools.partial; give the function itself, and its arguments as fixed={...}.")
    if isinstance(function, MethodType | type) or inspect.iscoroutinefunction(function):
        kind = "a method" if isinstance(function, MethodType) else "a class" if isinstance(function, type) else "async"
        raise ValueError(f"function is {function!r}, which is {kind}; a plain function is needed.")
    if isinstance(function, FunctionType):
        return _describe_function(function)
    if not hasattr(function, "sources") or not hasattr(function, "__signature__"):
        raise ValueError(
            f"function is {function!r}, whose Python source is not known; wrap it in a function: def f(...)."
        )
    code = code_version(Path(function.sources))
    return Function(function, function.__name__, *_parameters(function, {}), code, function, "")


@lru_cache(maxsize=64)
def loaded(reference: "Reference | Callable[..., Any]") -> Function:
    """The function on the worker's side, with its code as it was when this process first used it."""
    return describe(reference.load() if isinstance(reference, Reference) else reference)


def _describe_function(function: FunctionType) -> Function:
    try:
        annotated = typing.get_type_hints(function)
    except (NameError, TypeError, AttributeError):
        annotated = {}
    parameters = _parameters(function, annotated)
    module = sys.modules.get(function.__module__)
    spec = getattr(module, "__spec__", None)
    # python -m package.module runs it as __main__, and others import it by its name
    name = spec.name if function.__module__ == "__main__" and spec is not None else function.__module__
    # a decorator may be written in another file
    written = inspect.unwrap(function)
    file = Path(written.__code__.co_filename if isinstance(written, FunctionType) else function.__code__.co_filename)
    stem = file.stem if name == "__main__" else name
    told = f"{stem}.{function.__qualname__}"
    if not file.is_file():
        code = {**_reached(function, told), **_captured(function, "it")}
        obstacle = "which was defined in a notebook or an interactive session"
        return Function(function, told, *parameters, code, function, obstacle)
    file = file.resolve()
    obstacle = ""
    if "<lambda>" in function.__qualname__:
        obstacle = "a lambda"
    elif "<locals>" in function.__qualname__:
        obstacle = "which is defined inside another function"
    elif getattr(module, function.__name__, None) is not function and "." not in function.__qualname__:
        obstacle = f"but {function.__module__}.{function.__name__} is now another object"
    depth = 0 if name == "__main__" else name.count(".")
    folder = file.parents[depth + (file.name == "__init__.py")]
    reference = function if obstacle else Reference(name, function.__qualname__, str(file), str(folder))
    full = "" if name == "__main__" else name
    imported = _Imported(file, full)
    code = {**imported.version(), **_reached(function, told, list(imported.files.values()))}
    if obstacle:
        code |= _captured(function, told)
    return Function(function, told, *parameters, code, reference, obstacle)


def _parameters(
    function: Callable[..., object], annotated: Mapping[str, object]
) -> tuple[dict[str, Any], dict[str, Any], bool]:
    hints, defaults, any_name = {}, {}, False
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise ValueError(
                f"function has the positional-only parameter {name}; settings are given by name: remove the /."
            )
        if parameter.kind is parameter.VAR_KEYWORD:
            any_name = True
        elif parameter.kind is not parameter.VAR_POSITIONAL:
            hints[name] = annotated.get(name, parameter.annotation)
            if parameter.default is not parameter.empty:
                defaults[name] = parameter.default
    return hints, defaults, any_name


def _reached(function: FunctionType, told: str, files: Sequence[Path] = ()) -> dict[str, str]:
    try:
        return reached(function, files)
    except ValueError as error:
        raise ValueError(f"function is {told}, but {error}") from None


def _captured(function: FunctionType, told: str) -> dict[str, str]:
    """The variables of an enclosing function that decide the results too; only numbers and words can be compared."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        value = cell.cell_contents
        if not isinstance(value, bool | int | float | str | None):
            raise ValueError(
                f"function is {told}, which uses {name} ({type(value).__name__}) of the function around it: "
                "make it inside, or pass what it is made of through fixed={...}."
            )
        found[f"variable {name}"] = repr(value)
    return found

"""The function that is swept: its parameters, its code, and how a worker in another process finds it."""

import importlib
import importlib.util
import inspect
import sys
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

from festina.sweeps._code import code_version, load_file, reached, users_files

ADVICE = "define it with def at the top level of a .py file, or run it in this process: executor=ThreadPoolExecutor()"


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
                f"import it: {ADVICE}."
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
    hints, defaults, any_name = _parameters(function, {})
    code = code_version(Path(function.sources))
    return Function(function, function.__name__, hints, defaults, any_name, code, function, "")


@lru_cache(maxsize=64)
def loaded(reference: "Reference | Callable[..., Any]") -> Function:
    """The function on the worker's side, with its code as it was when this process first used it."""
    return describe(reference.load() if isinstance(reference, Reference) else reference)


def _describe_function(function: FunctionType) -> Function:
    try:
        annotated = typing.get_type_hints(function)
    except (NameError, TypeError, AttributeError):
        annotated = {}
    hints, defaults, any_name = _parameters(function, annotated)
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
        return Function(function, told, hints, defaults, any_name, code, function,
                        "which was defined in a notebook or an interactive session")  # fmt: skip
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
    code = {**code_version(file, full), **_reached(function, told, users_files(file, full))}
    if obstacle:
        code |= _captured(function, told)
    return Function(function, told, hints, defaults, any_name, code, reference, obstacle)


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

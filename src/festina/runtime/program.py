"""Compiled programs, kept between processes so that none is compiled twice.

A program is a file in the user's cache folder, named by a hash of all that it depends on. That is the input of the
compiler, the versions of JAX, the device and, on a CPU, its instruction set. Files are written atomically, so that any
number of processes share the folder. Each ends with an HMAC under the user's own key (``runtime/secret.py``), because
loading a program runs it: one that was damaged, or that somebody else put there, is compiled again. JAX's own
compilation cache writes and reads the programs (docs/decisions/programs.md); nothing is unpickled. When the folder
passes its size, the programs that were not used for longest go.

The environment variable ``FESTINA_CACHE`` names another folder by its absolute path, or is ``off``;
``FESTINA_CACHE_SIZE`` is its size in megabytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache, wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from festina.runtime import secret
from festina.storage.store import CorruptError, Store

if TYPE_CHECKING:
    from jax.stages import Compiled, Lowered

FOLDER, SIZE = "FESTINA_CACHE", "FESTINA_CACHE_SIZE"
"""Environment variables."""

OFF = ("off", "0", "no", "false", "")

MEGABYTES = 512.0
"""Size of the folder unless said otherwise: thousands of programs of the size that experiments compile."""

OPTIONS: dict[str, dict[str, str | bool]] = {"gpu": {"xla_gpu_enable_triton_gemm": False}}
"""Compiler options for a kind of device.

On a GPU it would time many ways to multiply matrices of each shape. That takes tens of seconds for a network of several
layers and saves at most a third of a 0.1 ms step. The vendor's library starts at once.
"""
LONG = 600
"""Lines of a program above which XLA's fusion emitters make compiling shorter, not longer."""

SETTINGS: dict[str, Any] = {
    "jax_enable_compilation_cache": True,
    "jax_persistent_cache_min_compile_time_secs": 0.0,
    "jax_persistent_cache_min_entry_size_bytes": -1,
    "jax_persistent_cache_enable_xla_caches": "none",
    "jax_compilation_cache_max_size": -1,
}
"""JAX's settings while it compiles one of our programs: its cache writes every program as one file."""

NAME = re.compile(r"[\w.-]+-cache", re.ASCII)
"""Names that JAX gives to programs in its cache."""

_one_at_a_time = threading.Lock()
"""JAX's settings are those of the whole process."""

_brief = False
"""Whether programs run briefly now, in this process."""


def folder() -> Path | None:
    """Folder of programs: from the environment, else the platform's cache folder; None if they are not kept."""
    given = os.environ.get(FOLDER)
    if given is not None:
        if given.strip().lower() in OFF:
            return None
        if not (found := Path(given).expanduser()).is_absolute():
            raise ValueError(
                f"the environment variable {FOLDER} is {given!r}, which depends on where a program is started; the "
                "absolute path of a folder is needed, or off to keep no compiled programs."
            )
        return found
    return secret.user_folder("cache")


def most_bytes() -> float:
    """Size of the folder in bytes."""
    given = os.environ.get(SIZE)
    if given is None:
        return MEGABYTES * 1e6
    try:
        size = float(given)
    except ValueError:
        size = -1.0
    if not size > 0:
        raise ValueError(
            f"the environment variable {SIZE} is {given!r}; a positive number of megabytes is needed, or {FOLDER}=off "
            "to keep no compiled programs."
        )
    return size * 1e6


def compile_once(lowered: Lowered, *, keep: bool = True, devices: Sequence[Any] | None = None) -> Callable[..., Any]:
    """Compile what ``jax.jit(f).lower(...)`` gives, or read what an earlier process compiled.

    Args:
        lowered: the program as it is handed to the compiler.
        keep: whether to read and write the folder.
        devices: the devices it runs on; by default JAX's default device.
    """
    import jax

    if devices is None:
        default: Any = jax.config.jax_default_device  # pyright: ignore[reportAttributeAccessIssue]
        devices = [default if default is not None and not isinstance(default, str) else jax.devices(default)[0]]
    place, cpu = folder() if keep else None, devices[0].client.platform == "cpu"
    text = lowered.as_text() if place is not None or (cpu and _brief) else ""
    options = OPTIONS.get(devices[0].client.platform)
    if cpu and _brief and jax.__version_info__ < (0, 12):  # later ones have no such option
        options = {"xla_cpu_use_fusion_emitters": text.count("\n") > LONG, "xla_cpu_parallel_codegen_split_count": 1}
    # a call back into Python is an address in this process
    if place is None or "callback" in text or not _own(place) or not (key := _secret(place)):
        return _compiled(lowered.compile(options))
    store = Store(place, "program", durable=False, most=most_bytes(), secret=key)
    return _compiled(_kept(store, _key(f"{options}\n{_arguments(lowered)}{text}", devices), lowered, options))


@contextlib.contextmanager
def running_briefly(yes: bool = True) -> Iterator[None]:
    """Inside, if ``yes``, programs for a CPU are compiled fast rather than well, for runs of seconds.

    Compiling takes a third of the time, a step up to a quarter more.
    """
    global _brief  # noqa: PLW0603 - threads share it
    before, _brief = _brief, yes
    try:
        yield
    finally:
        _brief = before


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Compile inside even where ``JAX_DISABLE_JIT`` is set, by which loops would be unrolled step by step."""
    import jax

    with jax.disable_jit(False) if jax.config.jax_disable_jit else contextlib.nullcontext():  # pyright: ignore[reportAttributeAccessIssue]
        yield


def _compiled(program: Compiled) -> Callable[..., Any]:
    def call(*arguments: object) -> Any:
        with compiling():
            return program(*arguments)

    return call


def jit(function: Callable[..., object], static: int = 0) -> Callable[..., Any]:
    """``jax.jit`` whose programs are kept between processes.

    Args:
        function: what to compile.
        static: how many of its first arguments are part of the program: hashable, equal where they compute alike.
    """
    import jax
    from jax.core import Tracer

    plain = jax.jit(function, static_argnums=tuple(range(static)))
    programs: dict[Any, Callable[..., Any]] = {}

    @wraps(function)
    def call(*arguments: object) -> Any:
        given = arguments[static:]
        leaves, tree = jax.tree.flatten(given)
        if any(isinstance(leaf, Tracer) for leaf in leaves):
            return plain(*arguments)
        config: Any = jax.config
        context = (jax.numpy.result_type(float), config.jax_default_matmul_precision, config.jax_default_device)
        key = (arguments[:static], tree, tuple(_kind(leaf) for leaf in leaves), context)
        if key not in programs:
            with compiling():
                programs[key] = compile_once(plain.lower(*arguments))
        return programs[key](*given)

    return call


def _kind(leaf: object) -> tuple[Any, ...]:
    import jax

    found = jax.typeof(leaf)
    return found.shape, found.dtype, getattr(found, "weak_type", False)


def _arguments(lowered: Lowered) -> str:
    """Shapes of all arguments: the text leaves out those that the program does not use, but every call is checked."""
    import jax

    leaves, tree = jax.tree.flatten(lowered.args_info, is_leaf=lambda leaf: hasattr(leaf, "shape"))
    return f"{tree} {[(leaf.shape, str(leaf.dtype)) for leaf in leaves]}\n"


def _key(text: str, devices: Sequence[Any]) -> str:
    import jax

    client = devices[0].client
    place = [(d.id, d.device_kind) for d in devices]
    plain = jax.config.values.get("jax_disable_most_optimizations")  # pyright: ignore[reportAttributeAccessIssue]
    flags = (os.environ.get("XLA_FLAGS", ""), os.environ.get("LIBTPU_INIT_ARGS", ""), plain)
    machine = _processor() if client.platform == "cpu" else ""
    given = (_versions(), client.platform, client.platform_version, place, flags, machine)
    return hashlib.sha256(f"{given}\n{text}".encode()).hexdigest()


@cache
def _versions() -> str:
    return " ".join(f"{name} {version(name)}" for name in ("jax", "jaxlib"))


@cache
def _processor() -> str:
    """Instructions that a program for a CPU may use; machines with different ones may share a folder."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()} {platform.node()}"
    return "\n".join(sorted({line for line in lines if line.startswith(("flags", "Features", "model name"))}))


def _own(place: Path) -> bool:
    """Whether only the user can write to the folder. It is made where it is missing."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    if not secret.own(place):
        warnings.warn(
            f"{place} belongs to somebody else or can be written by others, so that no compiled programs are kept "
            f"there; make it private (chmod 700), or name another folder in the environment variable {FOLDER}.",
            stacklevel=2,
        )
        return False
    return True


def _secret(place: Path) -> bytes | None:
    """The user's key, which must lie outside of the folder that it protects."""
    file = secret.place()
    return None if file is None or file.resolve().is_relative_to(place.resolve()) else secret.key()


def _kept(store: Store, key: str, lowered: Lowered, options: dict[str, str | bool] | None) -> Compiled:
    """The program in the store, or the compiled one, which is then kept there."""
    try:
        image = store.load(key)
    except (OSError, CorruptError):
        image = None
    try:
        found, image = _compile(lowered, options, image)
    except Exception:
        if image is None:
            raise
        found, image = _compile(lowered, options)  # whatever a runtime has against an image, it can compile
    # a full or read-only disk costs the time to compile, no more
    with contextlib.suppress(OSError):
        if not image:
            store.touch(key)
        elif len(image) <= most_bytes():
            store.write(key, image)
            store.shrink()
    return found


def _compile(
    lowered: Lowered, options: dict[str, str | bool] | None, image: bytes | None = None
) -> tuple[Compiled, bytes]:
    """Compile, or load the image of a compiled program; also the image, where it was compiled and can be kept.

    JAX writes and reads the image, in a temporary folder that takes the place of its persistent cache. An image is the
    name that JAX gives to a program, a line feed, and the program.
    """
    import jax
    from jax.experimental.compilation_cache import compilation_cache

    known = jax.config.values  # pyright: ignore[reportAttributeAccessIssue]
    with _one_at_a_time, tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        if image is None:
            name = ""
            warnings.simplefilter("ignore")  # a program that cannot be written is used all the same
        else:
            name, _, content = image.partition(b"\n")
            name = name.decode("ascii")
            if not NAME.fullmatch(name):
                raise ValueError(f"{name!r} is no name of a program")
            (Path(place) / name).write_bytes(content)
        settings = {**SETTINGS, "jax_compilation_cache_dir": place, "jax_raise_persistent_cache_errors": bool(name)}
        before = {each: known[each] for each in settings if each in known}
        try:
            for each in before:
                jax.config.update(each, settings[each])
            compilation_cache.reset_cache()
            found = lowered.compile(options)
        finally:
            for each, value in before.items():
                jax.config.update(each, value)
            compilation_cache.reset_cache()
        made = [path for path in Path(place).iterdir() if path.name != name]
        return found, made[0].name.encode() + b"\n" + made[0].read_bytes() if len(made) == 1 else b""

"""Compiled programs, kept between processes so that none is compiled twice.

A program is a file in the user's cache folder, named by a hash of all that it depends on: what is handed to the
compiler, the versions of JAX, the device and, on a CPU, the instructions it has. Files are written atomically and
checked when they are read, so that any number of processes share the folder; one that is damaged is compiled again.
When the folder passes its size, the programs that were not used for longest go.

The environment variable ``FESTINA_CACHE`` names another folder, or is ``off``; ``FESTINA_CACHE_SIZE`` is its size in
megabytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import stat
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from festina.storage import atomic

if TYPE_CHECKING:
    from jax.stages import Compiled, Lowered

KIND = "program"

FOLDER, SIZE = "FESTINA_CACHE", "FESTINA_CACHE_SIZE"
"""Environment variables."""

OFF = ("off", "0", "no", "false", "")

MEGABYTES = 512.0
"""Size of the folder unless said otherwise: thousands of programs of the size that experiments compile."""

KEPT = 0.8
"""Share of its size to which the folder shrinks when it is full, so that not every program written later shrinks it."""

OPTIONS: dict[str, dict[str, str | bool]] = {"gpu": {"xla_gpu_enable_triton_gemm": False}}
"""What the compiler is told for a kind of device.

On a GPU it would time many ways to multiply matrices of each shape. That takes tens of seconds for a network of several
layers and gains at most a third of a step of a tenth of a millisecond; the vendor's library starts at once.
"""

ABANDONED = 3600.0
"""Seconds after which the temporary file of a process that was killed is removed."""


def folder() -> Path | None:
    """Where programs are kept: by the environment, else the platform's cache folder; None where they are not kept."""
    given = os.environ.get(FOLDER)
    if given is not None:
        return None if given.strip().lower() in OFF else Path(given).expanduser()
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "festina"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "festina" / "Cache"
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else home / ".cache") / "festina"


def most_bytes() -> float:
    """Size of the folder in bytes.

    Raises:
        ValueError: the environment variable is not a positive number.
    """
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


@runtime_checkable
class Device(Protocol):
    """A processor, as JAX describes it."""

    @property
    def id(self) -> int:
        """Its number."""
        ...

    @property
    def device_kind(self) -> str:
        """What it is, such as ``"cpu"``."""
        ...

    @property
    def client(self) -> Any:
        """What runs programs on it."""
        ...


def compile_once(lowered: Lowered, *, keep: bool = True, devices: Sequence[Device] | None = None) -> Callable[..., Any]:
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
    place = folder() if keep else None
    text = "" if place is None else lowered.as_text()
    # a call back into Python is an address in this process
    if place is None or "callback" in text or not _own(place):
        return lowered.compile(OPTIONS.get(devices[0].client.platform))
    path = place / _key(_arguments(lowered) + text, devices)
    found = _load(path, lowered, devices)
    if found is None:
        found = lowered.compile(OPTIONS.get(devices[0].client.platform))
        _save(path, found)
    return found


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


def _key(text: str, devices: Sequence[Device]) -> str:
    import jax

    client = devices[0].client
    place = [(d.id, d.device_kind) for d in devices]
    plain = jax.config.values.get("jax_disable_most_optimizations")  # pyright: ignore[reportAttributeAccessIssue]
    flags = (os.environ.get("XLA_FLAGS", ""), os.environ.get("LIBTPU_INIT_ARGS", ""), plain)
    machine = _processor() if client.platform == "cpu" else ""
    options = OPTIONS.get(client.platform)
    given = (_versions(), client.platform, client.platform_version, place, flags, options, machine)
    return hashlib.sha256(f"{given}\n{text}".encode()).hexdigest()


@cache
def _versions() -> str:
    return " ".join(f"{name} {version(name)}" for name in ("jax", "jaxlib"))


@cache
def _processor() -> str:
    """What a program for a CPU may use; folders are shared between machines that differ in it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()} {platform.node()}"
    return "\n".join(sorted({line for line in lines if line.startswith(("flags", "Features", "model name"))}))


def _own(place: Path) -> bool:
    """Whether the folder is the user's alone, who else could put programs there; it is made where it is missing."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = place.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _load(path: Path, lowered: Lowered, devices: Sequence[Device]) -> Callable[..., Any] | None:
    from jax.experimental.serialize_executable import deserialize_and_load

    try:
        key, content = atomic.read(path, KIND)
        if key != path.name:
            raise atomic.CorruptError(f"{path} is another program")
    except OSError:
        return None
    except atomic.CorruptError:
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    try:
        found = deserialize_and_load(
            content, lowered.in_tree, lowered.out_tree, devices[0].client, execution_devices=list(devices)
        )
    except Exception:  # whatever a runtime has against it, it can be compiled
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used now: the last to go
    return found


def _save(path: Path, program: Compiled) -> None:
    from jax.experimental.serialize_executable import serialize

    try:
        content = serialize(program)[0]
    except (ValueError, RuntimeError):  # not every runtime can
        return
    if len(content) > most_bytes():
        return
    try:
        atomic.write(path, path.parent, KIND, path.name, content, durable=False)
        shrink(path.parent, most_bytes())
    except OSError:
        return  # a full or read-only disk costs the time to compile, no more


def shrink(place: Path, most: float) -> None:
    """Remove the programs that were not used for longest, where the folder is larger than ``most`` bytes."""
    files, total = [], 0
    with os.scandir(place) as entries:
        for entry in entries:
            try:
                found = entry.stat()
            except FileNotFoundError:  # another process removed it
                continue
            if entry.name.endswith(".part"):
                if time.time() - found.st_mtime > ABANDONED:
                    Path(entry.path).unlink(missing_ok=True)
                continue
            files.append((found.st_mtime, found.st_size, entry.path))
            total += found.st_size
    if total <= most:
        return
    for _, size, path in sorted(files):
        Path(path).unlink(missing_ok=True)
        total -= size
        if total <= KEPT * most:
            return

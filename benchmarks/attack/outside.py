"""What comes from outside: changed files, bad arguments, and kills in the midst of work."""

import contextlib
import importlib
import json
import os
import random
import resource
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from draw import Case
from dynamics import HELD, refused

import festina as fs
from festina.storage import store

TESTS = Path(__file__).parents[2] / "tests"


def tests(name: str) -> Any:
    """A module that tests share."""
    for folder in (TESTS, TESTS / "sweeps"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    return importlib.import_module(name)


@cache
def originals() -> dict[str, bytes]:
    """One file of every kind that festina reads, by its name."""
    import safetensors.numpy

    matrices = {"0.weight": np.ones((3, 2)), "2.weight": np.ones((1, 3))}
    line = np.linspace(0.1, 1, 5)[:, None, None] * np.array([[0.0], [1.0]])
    rows = {"subject": ["mouse"] * 4, "session": [0, 0, 0, 1], "contrast": [0.5, -0.25, 1.0, -1.0]}
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        fs.Trajectory.from_arrays(np.arange(4.0), np.arange(4.0)[::-1]).save(base / "trajectory.nc")
        fs.probe.Recording(np.arange(5.0), [[0.0], [1.0]], [[0.0], [1.0]], line, {"a": line}).save(base / RECORDING)
        np.savez(base / "weights.npz", **matrices)  # pyright: ignore[reportArgumentType]
        safetensors.numpy.save_file(matrices, base / "weights.safetensors")
        table = fs.behaviour.read_table({**rows, "choice": ["right", "left", "right", "left"], "reward": [1] * 4})
        table.write(base / "table.csv")
        table.write(base / "table.parquet")
        return {path.name: path.read_bytes() for path in sorted(base.iterdir())}


RECORDING = "recording.npz"

SUMMED = ("trajectory.nc", RECORDING)
"""Files that end with a SHA-256 of all that precedes."""


def draw_files(rng: np.random.Generator, names: Sequence[str] | None = None) -> Case:
    """A file with bytes changed, cut off, doubled or put in; some with a checksum that is right again."""
    name = str(rng.choice(sorted(originals()) if names is None else list(names)))
    size = len(originals()[name])
    changes = [
        (
            str(rng.choice(["flip", "flip", "cut", "insert", "repeat"])),
            int(rng.integers(size)),
            int(rng.integers(1, 256)),
        )
        for _ in range(int(rng.integers(1, 4)))
    ]
    return {"name": name, "changes": changes, "summed": name in SUMMED and bool(rng.random() < 0.5)}


def draw_recordings(rng: np.random.Generator) -> Case:
    """A recording alone."""
    return draw_files(rng, [RECORDING])


def check_files(case: Case) -> str:
    """Refused in words that name the file, or read; what a checksum protects is read only where it is right."""
    name, whole = case["name"], originals()[case["name"]]
    kind = Path(name).stem
    end = whole.rindex(b"\nfestina ") if case["summed"] else len(whole)
    content = bytearray(whole[:end])
    for how, place, value in case["changes"]:
        at = min(place, max(len(content) - 1, 0))
        if how == "flip" and content:
            content[at] ^= value
        elif how == "cut":
            del content[at:]
        elif how == "insert":
            content[at:at] = bytes([value])
        else:
            content[at:at] = content[: 8 * value]
    if bytes(content) == whole[:end]:
        return HELD
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        if case["summed"]:
            store.write(path, bytes(content), kind)
        begun, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            READERS[name](path)
            assert case["summed"] or name not in SUMMED, "a changed file was read as if it were whole"
            ended, said = HELD, name
        except ValueError as error:
            # weights that can be read may still be a network with nothing to explain
            ended, said = refused(error), name if kind == "weights" else str(error)
        spent, grown = time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert name in said, f"the error does not name the file: {said}"
    assert spent < 2, f"took {spent:.1f} s"
    assert grown < MAX_GROWN, f"took {grown} kB"
    return ended


MAX_GROWN = 300_000
"""Kilobytes by which the process may grow when it reads a file of some kilobytes: libraries are loaded meanwhile."""

READERS: dict[str, Callable[[Path], object]] = {
    "trajectory.nc": fs.load,
    RECORDING: fs.probe.Recording.load,
    "table.csv": fs.behaviour.read_table,
    "table.parquet": fs.behaviour.read_table,
    "weights.npz": lambda path: fs.explain(path, np.eye(2), np.ones((2, 1))),
    "weights.safetensors": lambda path: fs.explain(path, np.eye(2), np.ones((2, 1))),
}


@cache
def savers() -> dict[str, Callable[[Path], object]]:
    """Everything that can be saved without drawing, by the name of the file."""
    seen = {name: reader for name, reader in READERS.items() if name in (*SUMMED, "table.csv", "table.parquet")}
    with tempfile.TemporaryDirectory() as folder:
        for name in seen:
            (Path(folder) / name).write_bytes(originals()[name])
        loaded: dict[str, Any] = {name: reader(Path(folder) / name) for name, reader in seen.items()}
    found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
    saving = {name: value.write if name.startswith("table") else value.save for name, value in loaded.items()}
    return {**saving, "explanation.json": found.save_json}


def draw_links(rng: np.random.Generator) -> Case:
    """What is saved where a link, a link to nothing, a link to a folder, a folder or a pipe lies."""
    return {
        "name": str(rng.choice(sorted(savers()))),
        "there": str(rng.choice(["file", "link", "dangling", "link to a folder", "chain", "folder", "pipe"])),
        "content": bytes(rng.integers(0, 256, int(rng.integers(0, 200))).astype(np.uint8)),
    }


def check_links(case: Case) -> str:
    """Nothing outside changes; afterwards the file is there itself, or what was there is as it was."""
    with tempfile.TemporaryDirectory() as folder:
        out, outside = Path(folder) / "out", Path(folder) / "outside"
        for each in (out, outside):
            each.mkdir()
        path, target = out / case["name"], outside / "target"
        target.write_bytes(case["content"])
        places = {"link": target, "dangling": outside / "nothing", "link to a folder": outside, "chain": out / "second"}
        if case["there"] in places:
            (out / "second").symlink_to(target)
            path.symlink_to(places[case["there"]])
        elif case["there"] == "folder":
            path.mkdir()
        elif case["there"] == "pipe":
            os.mkfifo(path)
        else:
            path.write_bytes(case["content"])
        try:
            savers()[case["name"]](path)
            ended = HELD
        except ValueError as error:
            ended = refused(error)
        is_file = stat.S_ISREG(path.lstat().st_mode)
        assert is_file == (ended == HELD), "refused where a file can be written, or written where none can"
        assert [each.name for each in outside.iterdir()] == ["target"], "a file was made outside"
        assert target.read_bytes() == case["content"], "a file outside was changed"
        assert not list(out.glob("*.part")), "an unfinished file is left"
    return ended


def draw_full(rng: np.random.Generator) -> Case:
    """A disk that is full after some bytes, and a file that is there or is not."""
    name = str(rng.choice(sorted(savers())))
    return {"name": name, "room": int(10 ** rng.uniform(0, 4.3)), "old": bool(rng.random() < 0.8)}


def check_full(case: Case) -> str:
    """The old file, or the new one, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / case["name"]
        old = b"old" * 100
        if case["old"]:
            path.write_bytes(old)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (case["room"], limits[1]))
        try:
            savers()[case["name"]](path)
            ended = HELD
        except ValueError as error:
            ended = refused(error)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        there = {each.name: each.read_bytes() for each in Path(folder).iterdir()}
        if ended == HELD:
            assert list(there) == [case["name"]], f"there is {list(there)}"
            assert there[case["name"]] != old, "it was not written"
        else:
            assert there == ({case["name"]: old} if case["old"] else {}), f"there is {there}"
    return ended


QUICK = 0.1
"""Seconds of processor time of a call with good arguments."""


@cache
def callables() -> tuple[Any, ...]:
    """Public functions and classes that are quick."""
    contract = tests("contract")
    found = []
    for name, value in contract.checked():
        # what takes long with good arguments cannot be called ten thousand times
        begun = time.process_time()
        try:
            with contract.limited(1.0):
                value(**contract.baseline(value))
        except contract.SlowError:
            continue
        except (ValueError, TypeError):
            # refused at once: the table of good values does not have what this callable needs
            found.append((name, value))
            continue
        if time.process_time() - begun < QUICK:
            found.append((name, value))
    return tuple(found)


def draw_arguments(rng: np.random.Generator) -> Case:
    """One or two bad values for arguments of any public callable."""
    contract = tests("contract")
    name, value = callables()[int(rng.integers(len(callables())))]
    known = list(contract.parameters(value))
    chosen = rng.permutation(known)[: int(rng.integers(1, 3))] if known else []
    return {"callable": name, "bad": {str(n): str(rng.choice(list(contract.BAD))) for n in chosen}}


def check_arguments(case: Case) -> str:
    """It works, or raises ValueError or TypeError that names one of the arguments, within a second."""
    contract = tests("contract")
    value = dict(callables())[case["callable"]]
    arguments = {**contract.baseline(value), **{name: contract.BAD[kind] for name, kind in case["bad"].items()}}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # a word is a good name of a new folder
        for name in case["bad"] or [""]:
            wrong = contract.attempt(value, arguments, name)
            if wrong is None:
                return HELD
    raise AssertionError(wrong)


SCRIPT = """
import json, sys
import festina as fs
sys.path.insert(0, sys.argv[2])
from study import wave
if __name__ == "__main__":
    fs.sweep(wave, workers=2, **json.loads(sys.argv[1]))
"""


def draw_kills(rng: np.random.Generator) -> Case:
    """Moments, in seconds after its start, at which a sweep is killed."""
    return {
        "moments": rng.uniform(0.3, 4.0, int(rng.integers(1, 4))).round(3).tolist(),
        "heights": int(rng.integers(2, 9)),
    }


def check_kills(case: Case) -> str:
    """A sweep that was killed and gone on with is bit by bit the one that was not."""
    from concurrent.futures import ThreadPoolExecutor

    study = tests("study")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(4) as pool:
        base = Path(folder)
        script = base / "script.py"
        script.write_text(SCRIPT)
        told = {"grid": {"height": list(range(1, case["heights"] + 1))}, "seeds": 3, "fixed": {"seconds": 0.05}}
        for moment in case["moments"]:
            command = [sys.executable, str(script), json.dumps({**told, "out": str(base / "a")}), str(TESTS / "sweeps")]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(moment)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            time.sleep(random.random() / 10)
        time.sleep(1.0)  # workers that outlive their parent end by themselves
        found = []
        for name in ("a", "b"):
            assert fs.sweep(study.wave, executor=pool, **told, out=str(base / name)).complete, "not complete"
            found.append(fs.open_sweep(base / name))
        assert found[0].identical(found[1]), "a killed sweep gives other numbers"
    return HELD

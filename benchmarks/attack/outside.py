"""What comes from outside: changed files, bad arguments, and kills in the midst of work."""

import contextlib
import importlib
import json
import random
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from draw import Case
from dynamics import HELD, refused

import festina as fs

TESTS = Path(__file__).parents[2] / "tests"


def tests(name: str) -> Any:
    """A module that tests share."""
    for folder in (TESTS, TESTS / "sweeps"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    return importlib.import_module(name)


@cache
def originals() -> dict[str, bytes]:
    """One file of every kind that festina reads."""
    import safetensors.numpy

    matrices = {"0.weight": np.ones((3, 2)), "2.weight": np.ones((1, 3))}
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        fs.Trajectory.from_arrays(np.arange(4.0), np.arange(4.0)[::-1]).save(base / "a.nc")
        np.savez(base / "a.npz", **matrices)  # pyright: ignore[reportArgumentType]
        safetensors.numpy.save_file(matrices, base / "a.safetensors")
        rows = [f"mouse,{i // 3},{c},{'left' if c < 0 else 'right'},1" for i, c in enumerate((0.5, -0.25, 1.0, -1.0))]
        (base / "a.csv").write_text("\n".join(["subject,session,contrast,choice,reward", *rows]) + "\n")
        return {path.suffix: path.read_bytes() for path in sorted(base.iterdir())}


def draw_files(rng: np.random.Generator) -> Case:
    """A file with bytes changed, cut off, doubled or put in."""
    kind = str(rng.choice(sorted(originals())))
    size = len(originals()[kind])
    changes = [
        (
            str(rng.choice(["flip", "flip", "cut", "insert", "repeat"])),
            int(rng.integers(size)),
            int(rng.integers(1, 256)),
        )
        for _ in range(int(rng.integers(1, 4)))
    ]
    return {"kind": kind, "changes": changes}


def check_files(case: Case) -> str:
    """Refused in words, or read; what a checksum protects is read only where nothing is different."""
    kind, content = case["kind"], bytearray(originals()[case["kind"]])
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
    if bytes(content) == originals()[kind]:
        return HELD
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{kind}"
        path.write_bytes(content)
        begun = time.process_time()
        try:
            if kind == ".nc":
                fs.load(path)
                raise AssertionError("a changed trajectory was read as if it were whole")
            if kind == ".csv":
                fs.behaviour.read_table(path)
            else:
                fs.explain(path, np.eye(2), np.ones((2, 1)))
        except ValueError as error:
            return refused(error)
        finally:
            spent = time.process_time() - begun
            assert spent < 2, f"took {spent:.1f} s"
    return HELD


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

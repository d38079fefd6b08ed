"""Swept functions whose code changes: cells of a notebook that are typed again, and modules that are edited."""

import importlib
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from draw import Case
from dynamics import HELD, REFUSED, refused

import festina as fs

PARTS = {
    "scale": "SCALE = {}\n",
    "list": "NUMBERS = [1.0, {}]\n",
    "mapping": "TABLE = {{'a': [{}, 2.0]}}\n",
    "computed": "import math\nCOMPUTED = math.sqrt(abs({}))\n",
    "array": "import numpy as np\nARRAY = np.full(50, {})\n",
    "helper": "def helper(x):\n    return x * {}\n",
    "deep": "def deeper():\n    return {}\n\ndef deep(x):\n    return x + deeper()\n",
    "class": "class Thing:\n    factor = {}\n    def __init__(self, y):\n        self.y = y\n    def go(self, x):\n"
    "        return (x + self.y) * self.factor\nTHING = Thing(2.0)\n",
    "method": "class Other:\n    def go(self, x):\n        return x - {}\nOTHER = Other()\n",
    "wrapped": "import functools\n@functools.lru_cache\ndef kept(x):\n    return x + {}\n",
    "closure": "def make(k):\n    def inner(x):\n        return x * k\n    return inner\nINNER = make({})\n",
    "called": "class Called:\n    def __init__(self, k):\n        self._k = k\n    def __call__(self, x):\n"
    "        return self._k * x\nCALLED = Called({})\n",
    "held": "class Held:\n    class Inner:\n        numbers = [{}]\n",
    "partial": "import functools, operator\nPARTIAL = functools.partial(operator.mul, {})\n",
    "lambdas": "LAMBDAS = [lambda x: {} * x, lambda x: 9 * x]\n",
    "made": "def maker(k):\n    return lambda x: k * x\nONE, TWO = maker({}), maker(9)\n",
    "attribute": "def counted(x):\n    return counted.k * x\ncounted.k = {}\n",
    "slots": "class Slots:\n    __slots__ = ('k',)\nSLOTS = Slots()\nSLOTS.k = {}\n",
    "library": "import collections\nLIBRARY = collections.deque([{}])\n",
    "context": "import contextlib\n@contextlib.contextmanager\ndef context():\n    yield {}\n",
    "default": "class Box:\n    def __init__(self, v):\n        self.v = v\nDEFAULT = Box({})\n",
}
USES = {
    "scale": "SCALE", "list": "sum(NUMBERS)", "mapping": "TABLE['a'][0]", "computed": "COMPUTED",
    "array": "float(ARRAY[40])", "helper": "helper(2.0)", "deep": "deep(1.0)", "class": "THING.go(1.0)",
    "method": "OTHER.go(1.0)", "wrapped": "kept(1.0)", "closure": "INNER(1.0)", "default": "box.v",
    "called": "CALLED(1.0)", "held": "Held.Inner.numbers[0]", "partial": "PARTIAL(2.0)", "lambdas": "LAMBDAS[0](1.0)",
    "made": "ONE(1.0) + TWO(1.0)", "attribute": "counted(1.0)", "slots": "SLOTS.k", "library": "LIBRARY[0]",
    "context": "contextlib.ExitStack().enter_context(context())",
}  # fmt: skip


def text(case: Case, number: float) -> str:
    """A program whose swept function uses all of the case's parts; the changed one has this number."""
    values = {part: case["numbers"][i] for i, part in enumerate(case["parts"])}
    values[case["changed"]] = number
    cells = [PARTS[part].format(values[part]) for part in case["parts"] if part in PARTS]
    default = ", box=DEFAULT" if "default" in case["parts"] else ""
    body = " + ".join(["x", *(USES[part] for part in case["parts"])])
    return "\n".join([*cells, f"def f(x: float{default}):\n    return {body}\n"])


def draw_edited(rng: np.random.Generator) -> Case:
    """One to four parts of a program, of which one is changed, in a notebook or in a file."""
    parts = [str(p) for p in rng.permutation(list(PARTS))[: int(rng.integers(1, 5))]]
    return {
        "parts": parts, "numbers": [float(n) for n in rng.integers(1, 9, len(parts))],
        "changed": str(rng.choice(parts)), "number": float(rng.integers(1, 9)),
        "where": str(rng.choice(["notebook", "module", "beside"])),
    }  # fmt: skip


@cache
def pool() -> ThreadPoolExecutor:
    """One thread for all cases."""
    return ThreadPoolExecutor(1)


def typed(program: str) -> Any:
    """The function as a notebook has it: in ``__main__`` and in no file."""
    vars(sys.modules["__main__"]).pop("__file__", None)  # a notebook has none
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(program, "<cell>", "exec"), scope)
    return scope["f"]


def check_edited(case: Case) -> str:
    """Results are those of the code as it is, or the sweep is refused; nothing is refused where nothing changed."""
    first, second = (text(case, number) for number in (case["numbers"][case["parts"].index(case["changed"])],
                                                       case["number"]))  # fmt: skip
    expected = typed(second)(1.0)
    with tempfile.TemporaryDirectory() as folder:
        out, threads = Path(folder) / "out", pool()
        if case["where"] == "notebook":
            fs.sweep(typed(first), {"x": [1.0]}, out=out, executor=threads)
            function = typed(second)
        else:
            function = _module(case, Path(folder), first, second)
        try:
            fs.sweep(function, {"x": [1.0]}, out=out, executor=threads)
        except ValueError as error:
            if first == second:
                raise AssertionError(f"refused without a change: {error}") from error
            return refused(error)
        found = float(fs.open_sweep(out)["result"].values[0])
        assert found == expected, f"{found} instead of {expected}, {case['changed']} changed unseen"
    return HELD if first == second else REFUSED


def _module(case: Case, folder: Path, first: str, second: str) -> Any:
    """A function of a module that is edited after its import; ``beside``: its parts are in another module."""
    number = time.monotonic_ns()
    name, other = f"edited_{number}", f"parts_{number}"

    def write(program: str) -> None:
        parts, _, body = program.rpartition("def f(")
        beside = case["where"] == "beside"
        (folder / f"{name}.py").write_text(f"from {other} import *\ndef f({body}" if beside else program)
        (folder / f"{other}.py").write_text(parts)

    write(first)
    for path in folder.glob("*.py"):  # files are older than a second, as those of people are
        os.utime(path, (1e9, 1e9))
    sys.path.insert(0, str(folder))
    # without compiled files it cannot be seen that a module which computes its values was edited (docs/scale.md)
    sys.dont_write_bytecode = False
    try:
        importlib.invalidate_caches()
        function = importlib.import_module(name).f
    finally:
        sys.path.remove(str(folder))
    if first != second:
        write(second)
    return function

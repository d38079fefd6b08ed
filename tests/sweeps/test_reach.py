"""What a swept function reaches in memory is part of its code: typed helpers, globals, defaults, edited modules."""

import importlib
import os
import sys
from typing import Any

import numpy as np
import pytest

import festina as fs
from festina.sweeps._code import reached

CELL = """
import functools
import numpy as np
SCALE = 2.0
ARRAY = np.arange(60.0)
CACHE = {}
KEPT = {}
SUMS = [0.0]
COUNT = 0
class Thing:
    factor = 3.0
    def __init__(self, y):
        self.y = y
    def go(self, x):
        return (x + self.y) * self.factor
THING = Thing(1.0)
def deeper():
    return 1.0
@functools.lru_cache
def helper(x):
    return x + deeper()
def make(k):
    return lambda x: k * x
INNER = make(4.0)
def f(x: float, thing=Thing(5.0)):
    global COUNT
    COUNT += 1
    CACHE[x] = COUNT
    KEPT.setdefault("a", []).append(x)
    KEPT["n"] = KEPT.get("n", 0) + 1
    SUMS[0] += x
    return SCALE * x + helper(x) + ARRAY[7] + THING.go(x) + INNER(x) + thing.y
"""


def typed(text):
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, "<cell 1>", "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize(
    "cell",
    [
        "class M:\n  def __init__(s, k): s.k = k\n  def __call__(s, x): return s.k * x\nm = M({})",
        "class M:\n  def __init__(s, k): s._k = k\n  def __call__(s, x): return s._k * x\nm = M({})",
        "class M:\n  __slots__ = ('k',)\n  def __init__(s, k): s.k = k\nk = M({})\ndef m(x): return k.k * x",
        "class M:\n  k = [{}]\n  def __call__(s, x): return s.k[0] * x\nm = M()",
        "class M:\n  class K:\n    k = np.array([{}])\n  def __call__(s, x): return s.K.k[0] * x\nm = M()",
        "class M:\n  @functools.cached_property\n  def k(s): return {}\n  def __call__(s, x): return s.k * x\nm = M()",
        "class K(type):\n  def go(c, x): return {} * x\nclass M(metaclass=K): pass\ndef m(x): return M.go(x)",
        "class D(dict): pass\nd = D()\nd.k = {}\ndef m(x): return d.k * x",
        "def g(k, x): return k * x\nm = functools.partial(g, {})",
        "def m(x): return m.k * x\nm.k = {}",
        "@functools.singledispatch\ndef m(x): return 0\n@m.register\ndef _(x: float): return {} * x",
        "@contextlib.contextmanager\ndef g(): yield {}\ndef m(x):\n  with g() as k:\n    return k * x",
        "k = [lambda x: {} * x, lambda x: 9 * x]\ndef m(x): return k[0](x)",
        "def make(k): return lambda x: k * x\na, b = make({}), make(9)\ndef m(x): return a(x) + b(x)",
        "k = types.SimpleNamespace(k={})\ndef m(x): return k.k * x",
        "k = collections.deque([{}])\ndef m(x): return k[0] * x",
        "k = fractions.Fraction({})\ndef m(x): return float(k) * x",
        "k = re.compile('a' * int({}))\ndef m(x): return len(k.pattern) * x",
        "k = np.ma.array([1.0, 2.0], mask=[{} == 2, False])\ndef m(x): return float(k.sum()) * x",
        "m = np.poly1d([{}, 1.0])",
    ],
)
def test_whatever_decides_a_number_counts(cell, monkeypatch):
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)  # a notebook has none
    cell = f"import collections, contextlib, fractions, functools, re, types\nimport numpy as np\n{cell}\n"
    function = typed(f"{cell.format(2.0)}def f(x: float): return m(x)")
    found = reached(function)
    assert function(1.0) != typed(f"{cell.format(3.0)}def f(x: float): return m(x)")(1.0)
    assert found == reached(function), "using it is no change"
    assert found == reached(typed(f"{cell.format(2.0)}def f(x: float): return m(x)"))
    assert found != reached(typed(f"{cell.format(3.0)}def f(x: float): return m(x)"))


def test_what_use_changes_does_not_count():
    for cell in (
        "class M:\n  def __init__(s): s._seen = {}\n  def __call__(s, x):\n    s._seen[x] = 1\n    return x\nm = M()",
        "class M:\n  n = 0\n  def __init__(s): M.n += 1\ndef m(x): return M().n",
        "class M:\n  @functools.cached_property\n  def k(s): return 2\n  def __call__(s, x): return s.k\nm = M()",
        "import festina as fs\nk = fs.tasks.living_things(4)\ndef m(x): return k.statistics",
        "k = np.random.default_rng(1)\ndef m(x): return k.normal()",
        "from concurrent.futures import ThreadPoolExecutor\nk = ThreadPoolExecutor(1)\n"
        "def m(x): return k.submit(abs, x).result()",
        "def m(x):\n  m.n += 1\n  return x\nm.n = 0",
    ):
        function = typed(f"import functools\nimport numpy as np\n{cell}\ndef f(x: float): return m(x)")
        found = reached(function)
        function(1.0)
        assert reached(function) == found, cell


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("SCALE = 2.0", "SCALE = 3.0", "variable SCALE 2.0 there, 3.0 here"),
        ("arange(60.0)", "arange(60.0) + 1", "variable ARRAY has changed"),
        ("factor = 3.0", "factor = 4.0", "variable Thing.factor 3.0 there, 4.0 here"),
        ("THING = Thing(1.0)", "THING = Thing(2.0)", "variable THING has changed"),
        ("return 1.0", "return 2.0", "deeper as typed has changed"),
        ("return x + deeper", "return x - deeper", "helper as typed has changed"),
        ("make(4.0)", "make(5.0)", "variable k of make.<locals>.<lambda> 4.0 there, 5.0 here"),
        ("thing=Thing(5.0)", "thing=Thing(6.0)", "default of thing in f has changed"),
        ("return (x + self.y)", "return (x - self.y)", "Thing.go as typed has changed"),
    ],
)
def test_a_cell_that_was_typed_again_is_refused_by_name(tmp_path, threads, before, after, named):
    assert fs.sweep(typed(CELL), {"x": [1]}, out=tmp_path / "out", executor=threads).complete
    with pytest.raises(ValueError, match="the same sweep by other code") as error:
        fs.sweep(typed(CELL.replace(before, after)), {"x": [1]}, out=tmp_path / "out", executor=threads)
    assert named in str(error.value)


def test_what_a_function_changes_itself_is_not_what_it_depends_on(tmp_path, threads):
    function = typed(CELL)
    for _ in range(2):
        assert fs.sweep(function, {"x": [1, 2]}, out=tmp_path / "out", executor=threads).complete
    found = reached(function)
    assert not {"variable CACHE", "variable COUNT", "variable KEPT", "variable SUMS"} & set(found)
    assert reached(typed(CELL)) == found


STUDY = """
import math
from parts_of_study import *
SCALE = 2.0
ROOT = math.sqrt(4.0)
def f(x: float):
    return SCALE * x + helper(x) + ROOT
"""
PARTS = """
FACTOR = 3.0
NUMBERS = [1.0, 2.0]
def helper(x):
    return FACTOR * x + NUMBERS[1]
"""


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A module and one that it imports, as they were imported."""
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in (("edited_study.py", STUDY), ("parts_of_study.py", PARTS)):
        (folder / name).write_text(text)
        os.utime(folder / name, (1e9, 1e9))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    yield folder, importlib.import_module("edited_study").f
    for name in ("edited_study", "parts_of_study"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("file", "before", "after", "named"),
    [
        ("edited_study.py", "SCALE = 2.0", "SCALE = 5.0", "SCALE is 2.0, but edited_study.py says 5.0"),
        ("edited_study.py", "sqrt(4.0)", "sqrt(9.0)", "edited_study.py was edited after it was imported"),
        ("edited_study.py", "SCALE * x", "SCALE - x", "f is not what edited_study.py holds now"),
        ("parts_of_study.py", "FACTOR = 3.0", "FACTOR = 4.0", "FACTOR is 3.0, but parts_of_study.py says 4.0"),
        ("parts_of_study.py", "[1.0, 2.0]", "[1.0, 7.0]", r"NUMBERS is \[1.0, 2.0\], but parts_of_study.py says"),
        ("parts_of_study.py", "x + NUM", "x - NUM", "helper is not what parts_of_study.py holds now"),
    ],
)
def test_a_module_that_was_edited_after_its_import_is_refused(study, tmp_path, threads, file, before, after, named):
    folder, function = study
    assert fs.sweep(function, {"x": [1]}, out=tmp_path / "out", executor=threads).complete
    path = folder / file
    path.write_text(path.read_text().replace(before, after))
    with pytest.raises(ValueError, match=named):
        fs.sweep(function, {"x": [1]}, out=tmp_path / "other", executor=threads)
    assert not (tmp_path / "other").exists()


def test_a_comment_or_another_date_is_no_edit(study, tmp_path, threads):
    folder, function = study
    (folder / "edited_study.py").write_text("# a comment\n" + STUDY)
    os.utime(folder / "parts_of_study.py", (2e9, 2e9))
    assert fs.sweep(function, {"x": [1]}, out=tmp_path / "out", executor=threads).complete


def test_values_that_were_set_by_hand_are_refused(study, tmp_path, threads, monkeypatch):
    monkeypatch.setattr(sys.modules["edited_study"], "SCALE", 9.0)
    with pytest.raises(ValueError, match=r"SCALE is 9.0, but edited_study.py says 2.0"):
        fs.sweep(study[1], {"x": [1]}, out=tmp_path / "out", executor=threads)


def test_objects_are_seen_by_their_parts():
    def of(value):
        return typed(
            "import numpy as np, festina as fs\nSMALL = fs.initial.Gaussian(0.1)\n"
            f"V = {value}\ndef f(x):\n    return V\n"
        )

    for value in (
        "{1, 2}",
        "fs.tasks.living_things(4)",
        "fs.DeepLinear((3,), initial=SMALL)",
        "np.float64(3)",
        "range(3)",
    ):
        assert reached(of(value)) == reached(of(value))
    for one, other in (
        ("{1, 2}", "{1, 3}"),
        ("fs.tasks.living_things(4)", "fs.tasks.living_things(8)"),
        ("fs.DeepLinear((3,), initial=SMALL)", "fs.DeepLinear((4,), initial=SMALL)"),
        ("range(3)", "range(4)"),
    ):
        assert reached(of(one)) != reached(of(other))
    loop = of("[]")
    loop.__globals__["V"].append(loop.__globals__["V"])
    assert reached(loop)
    assert np.isfinite(len(reached(of("object()"))))

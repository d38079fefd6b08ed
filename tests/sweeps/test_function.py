"""Functions are found by workers, known by their code, and refused with a reason where they cannot be."""

import functools
import importlib
import json
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import study

import festina as fs
from festina.sweeps._code import Reference, code_version, describe, difference, loaded

pytestmark = pytest.mark.slow

STUDY = """
import numpy as np
from pack import noise

def measure(scale: float, seed: int):
    import late
    return {"draw": scale * noise.draw(seed) + late.SHIFT}
"""
NOISE = """
import numpy as np
from .deeper import FACTOR

def draw(seed):
    return FACTOR * np.random.default_rng(seed).standard_normal()
"""


@pytest.fixture
def project(tmp_path):
    """A user's folder: a study, a package beside it, and a module that is imported when the study runs."""
    folder = tmp_path / "project"
    (folder / "pack").mkdir(parents=True)
    (folder / "my_study.py").write_text(STUDY)
    (folder / "late.py").write_text("SHIFT = 0.5\n")
    (folder / "unused.py").write_text("")
    (folder / "pack" / "__init__.py").write_text("")
    (folder / "pack" / "noise.py").write_text(NOISE)
    (folder / "pack" / "deeper.py").write_text("FACTOR = 2.0\n")
    return folder


def run(folder, code):
    """Run a script of the user's; its output, or its error."""
    script = folder / "script.py"
    script.write_text(textwrap.dedent(code))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, cwd=folder.parent)
    return done.stdout + done.stderr


SWEEP = """
import festina as fs
from my_study import measure
if __name__ == "__main__":
    print(fs.sweep(measure, {"scale": [1, 2]}, 2, out="out", workers=1))
"""


def test_code_is_what_a_file_imports_from_the_users_side(project):
    code = code_version(project / "my_study.py")
    users = {name for name in code if name.endswith(".py")}
    assert users == {"my_study.py", "late.py", "pack/__init__.py", "pack/noise.py", "pack/deeper.py"}
    assert set(code) - users == {"numpy"}, "the libraries that are imported, and festina only where it is"
    assert "festina.linear" in code_version(Path(__file__))


def test_it_does_not_matter_where_files_lie(project, tmp_path):
    project.rename(tmp_path / "elsewhere")
    here = code_version(tmp_path / "elsewhere" / "my_study.py")
    (tmp_path / "elsewhere").rename(project)
    assert here == code_version(project / "my_study.py")


@pytest.mark.parametrize("changed", ["my_study.py", "late.py", "pack/noise.py", "pack/deeper.py"])
def test_a_changed_helper_is_named_and_refused(project, changed, tmp_path):
    before = code_version(project / "my_study.py")
    with open(project / changed, "a") as file:
        file.write("# another line\n")
    assert difference(before, code_version(project / "my_study.py")) == f"{changed} has changed"


def test_a_folder_holds_results_of_one_code(project, tmp_path):
    assert "4 of 4 done" in run(project, SWEEP)
    (project / "unused.py").write_text("x = 1\n")
    assert "4 of 4 done" in run(project, SWEEP)
    (project / "pack" / "deeper.py").write_text("FACTOR = 3.25\n")
    told = run(project, SWEEP)
    assert "holds the same sweep by other code (pack/deeper.py has changed)" in told
    told = run(project, SWEEP.replace("[1, 2]", "[1, 3]"))
    assert "holds another sweep (swept scale=1.0,2.0 there, scale=1.0,3.0 here; pack/deeper.py has changed)" in told


def test_differences_say_whose_sources_changed():
    there = {"a.py": "1", "b.py": "2", "festina": "3", "festina.linear": "4", "numpy": "1.0", "torch": "2"}
    here = {"a.py": "0", "c.py": "2", "festina": "3", "festina.linear": "5", "numpy": "2.0"}
    assert difference(there, here) == (
        "a.py has changed; b.py is not imported now; numpy 1.0 there, 2.0 here; torch 2 there, not imported here; "
        "c.py is new; festina's own sources have changed (festina.linear)"
    )
    assert difference(here, here) == ""


def test_a_function_of_a_script_is_swept_by_processes(project, tmp_path):
    code = """
    import festina as fs

    def square(x: float):
        return x**2

    if __name__ == "__main__":
        print(fs.sweep(square, {"x": [1, 2, 3]}, out="out", workers=1))
        print(fs.open_sweep("out")["result"].values.tolist())
    """
    told = run(project, code)
    assert "script.square in" in told
    assert "3 of 3 done" in told
    assert "[1.0, 4.0, 9.0]" in told
    assert "next     data = fs.open_sweep(" in told


def test_workers_without_the_module_load_the_file(project):
    reference = Reference("__main__", "measure", str(project / "my_study.py"), str(project))
    function = loaded(reference)
    assert function.code == code_version(project / "my_study.py")
    assert function.call(scale=0, seed=1) == {"draw": 0.5}
    for name in ("pack", "pack.noise", "pack.deeper", "late"):
        sys.modules.pop(name, None)
    sys.path.remove(str(project))


def test_a_worker_whose_files_changed_refuses(project, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(project))
    my_study = importlib.import_module("my_study")

    with ThreadPoolExecutor(1) as pool:
        assert fs.sweep(my_study.measure, {"scale": [1]}, 1, out=tmp_path / "a", executor=pool).complete
        (project / "pack" / "deeper.py").write_text("FACTOR = 2.0  # the same by other code\n")
        with pytest.raises(ValueError, match=r"a worker has other code: pack/deeper.py has changed; give every worker"):
            fs.sweep(my_study.measure, {"scale": [1]}, 1, out=tmp_path / "b", executor=pool)
    for name in ("my_study", "pack", "pack.noise", "pack.deeper", "late"):
        sys.modules.pop(name, None)


def test_local_functions_run_in_this_process_only(tmp_path, threads):
    power = 3

    def cube(x: float):
        return x**power

    for function, reason in ((cube, "which is defined inside another function"), (lambda x: x**power, "a lambda")):
        message = rf"function is .*, {reason}; the workers of a pool of processes .*ThreadPoolExecutor"
        with pytest.raises(ValueError, match=message):
            fs.sweep(function, {"x": [1, 2]}, out=tmp_path / "refused")
        assert not (tmp_path / "refused").exists()
        out = tmp_path / reason
        assert fs.sweep(function, {"x": [1, 2]}, out=out, executor=threads).complete
        assert fs.open_sweep(out)["result"].values.tolist() == [1, 8]
    power = 2
    with pytest.raises(ValueError, match=r"other code .variable power 3 there, 2 here"):
        fs.sweep(cube, {"x": [1, 2]}, out=tmp_path / "which is defined inside another function", executor=threads)


def test_local_functions_that_use_objects_around_them_are_refused(tmp_path, threads):
    task = fs.tasks.hierarchy(levels=1)
    with pytest.raises(ValueError, match=r"uses task \(Task\) of the function around it: make it inside"):
        fs.sweep(lambda scale: task.x.sum() * scale, {"scale": [1]}, out=tmp_path / "out", executor=threads)


def test_functions_that_are_in_no_file_are_known_by_what_they_do(tmp_path, threads):
    def typed(text):
        scope = {}
        exec(text, scope)
        return scope["f"]

    out, text = tmp_path / "out", "def f(x):\n    return [x + k for k in range(2)]\n"
    assert fs.sweep(typed(text), {"x": [1]}, out=out, executor=threads).complete
    assert fs.sweep(typed(text), {"x": [1]}, out=out, executor=threads).complete
    with pytest.raises(ValueError, match=r"the same sweep by other code .f as typed"):
        fs.sweep(typed(text.replace("x + k", "x - k")), {"x": [1]}, out=out, executor=threads)


class Thing:
    def method(self, x):
        return x

    def __call__(self, x):
        return x


async def later(x):
    return x


def positional(x, /):
    return x


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (3, r"function is 3; a function that returns"),
        ("structures", r"function is 'structures'; a function that returns"),
        (functools.partial(study.draw, scale=1), r"functools.partial; give the function itself, .* fixed="),
        (Thing().method, "is a method; a plain function is needed"),
        (Thing, "is a class; a plain function is needed"),
        (Thing(), "source is not known; wrap it in a function"),
        (np.sin, "source is not known; wrap it in a function"),
        (later, "is async; a plain function is needed"),
        (positional, "positional-only parameter x; settings are given by name"),
        (eval("lambda x: x"), "defined in a notebook or an interactive session; the workers of a pool"),
    ],
)
@pytest.mark.usefixtures("untyped")
def test_what_cannot_be_swept_is_refused_with_a_reason(function, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        fs.sweep(function, {"x": [1]}, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_code_is_recorded_with_the_results(tmp_path, threads):
    fs.sweep(study.draw, {"scale": [1]}, 1, out=tmp_path / "out", executor=threads)
    assert json.loads(fs.open_sweep(tmp_path / "out").attrs["code"]) == describe(study.draw).code

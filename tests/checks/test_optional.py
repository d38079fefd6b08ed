"""Without the extras festina predicts, trains, saves and loads; what needs an extra names it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS = ("matplotlib", "sklearn", "safetensors", "typer", "rich", "jinja2", "anywidget", "distributed")
"""Modules that only extras install; a program that cannot import them stands for an installation without extras."""

HIDDEN = f"""
import sys
sys.modules.update(dict.fromkeys({EXTRAS}))
"""

CORE = """
import festina as fs
times, task = [0.0, 1.0, 2.0], fs.tasks.hierarchy(levels=1)
network = fs.DeepLinear(hidden=(2,), initial=fs.initial.Aligned(0.1))
for method in (fs.Exact(), fs.Reduced(), fs.Flow(), fs.Train(rate=0.1)):
    run = fs.evolve(network, task, times, method=method)
    run.save("run.nc")
    assert (fs.load("run.nc").loss == run.loss).all()
    repr(run), run._repr_html_(), run.to_xarray()
repr(fs.theories(network, task)), repr(fs.compare(run, run))
gated = fs.gated.pathways([[1, 0], [0, 1]], 2, initial=fs.gated.Decoupled(0.1))
fs.evolve(gated, fs.Task([[1.0, 0.0], [0.0, 1.0]], [[1.0], [2.0]]), times, method=fs.Reduced())
fs.evolve(fs.ReLU((2,), initial=fs.initial.Gaussian(0.1)), task, times, method=fs.Reduced())

def said(call):
    try:
        call()
    except ImportError as error:
        print(error)

said(run.plot)
said(lambda: fs.plot.panels(1, 1))
said(lambda: fs.plot.loss(run))
said(lambda: fs.evolve(network, task, times, progress=True))
said(lambda: fs.widget.show("modes"))
said(lambda: fs.sweeps.Dask("here:8786"))
recorded = fs.evolve(network, task, times, method=fs.Train(rate=0.1), observe=("hidden",))
said(recorded.embed)
"""


@pytest.mark.slow
def test_without_extras_the_core_works_and_the_rest_names_what_it_needs(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", HIDDEN + CORE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    named = re.findall(
        r"^This needs ([\w-]+), which is not installed: pip install 'festina\[(\w+)\]'$", run.stdout, re.M
    )
    plot = ("matplotlib", "plot")
    rest = [("rich", "cli"), ("anywidget", "widget"), ("distributed", "dask"), ("scikit-learn", "explain")]
    assert named == [plot, plot, plot, *rest]


@pytest.mark.slow
def test_the_command_line_names_its_extra():
    code = HIDDEN + "import runpy; runpy.run_module('festina', run_name='__main__')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr == "festina: This needs typer, which is not installed: pip install 'festina[cli]'\n"


def test_extras_that_errors_name_exist():
    with (ROOT / "pyproject.toml").open("rb") as file:
        known = set(tomllib.load(file)["project"]["optional-dependencies"])
    named = {
        (path.name, extra)
        for path in (ROOT / "src").rglob("*.py")
        for extra in re.findall(r'need\("\w+", "(\w+)"\)', path.read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert {(file, extra) for file, extra in named if extra not in known} == set()

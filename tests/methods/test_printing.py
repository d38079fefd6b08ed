"""Printing and drawing compute nothing: no step is integrated, trained or compiled for it."""

import numpy as np
import pytest

import festina as fs
from festina.methods import _autodiff, _engine
from festina.runtime import program
from festina.solvers import ode
from festina.solvers.stepper import Stepper

TASK, TIMES = fs.tasks.hierarchy(levels=2), np.linspace(0, 5, 6)
SMALL = fs.initial.Gaussian(0.1)
RUNS = {
    "linear": (fs.DeepLinear((4,), initial=SMALL), fs.Reduced()),
    "units": (fs.ReLU((6,), initial=SMALL), fs.Reduced()),
    "layers": (fs.ReLU((5, 4), initial=SMALL), fs.Reduced()),
    "written out": (fs.DeepLinear((4,), initial=SMALL), fs.Flow()),
    "differentiated": (fs.FeedForward((4,), "tanh"), fs.Flow()),
    "trained": (fs.ReLU((6,), initial=SMALL), fs.Train(0.1)),
}


@pytest.mark.parametrize("name", RUNS)
def test_printing_and_drawing_compute_nothing(name, monkeypatch):
    network, method = RUNS[name]
    run, table = fs.evolve(network, TASK, TIMES, method=method), fs.theories(network, TASK)

    def refuse(*_, **__):
        raise AssertionError("something was computed")

    for place, what in ((Stepper, "run"), (ode, "solve"), (ode, "integrate"), (_autodiff, "flow"), (_engine, "train"),
                        (program, "compile_once")):  # fmt: skip
        assert hasattr(place, what)
        monkeypatch.setattr(place, what, refuse)
    for each in (network, method, TASK, run, table, *network.theories):
        assert repr(each)
        assert str(each)
        getattr(each, "_repr_html_", str)()
    run.plot()
    assert not run.estimated

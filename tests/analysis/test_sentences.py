"""What festina says of four tables, word for word, and that training comes within the stated ±."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from sklearn import datasets

import festina as fs

BENCHMARK = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "stage_times.py"))
RELU = fs.ReLU((32,), initial=fs.initial.Gaussian(1e-3))
LINEAR = fs.DeepLinear((32,), initial=fs.initial.Gaussian(1e-3))


def both(network, task, until):
    """Prediction with its error, and training, which comes within the ± of every stage."""
    times = np.linspace(0, until, 401)
    theory, training = (fs.evolve(network, task, times, method=m) for m in (fs.Reduced(), fs.Train(rate=0.01)))
    _ = theory.error
    compared = [stage for stage in fs.compare(theory, training).stages if np.isfinite(stage.predicted)]
    assert compared
    for stage in compared:
        assert abs(stage.difference) <= stage.uncertainty, stage.what
    return theory, training


def test_wines_of_class_0_come_first_and_class_1_last():
    theory, training = both(RELU, BENCHMARK["classes"](datasets.load_wine, 0), 60)
    words = [stage.what for stage in theory.stages()]
    assert words == ["class 0", "class 2", "class 1"]
    assert [line.split("  ")[-1].strip() for line in str(theory).splitlines()[2:5]] == words
    assert "The loss rests at 0.5 until t = " in str(theory)
    assert theory.learned(by="class").order == training.learned(by="class").order == (("0",), ("2",), ("1",))


def test_sixes_are_the_first_digits_and_eights_the_last():
    theory, training = both(RELU, BENCHMARK["classes"](datasets.load_digits, 16), 150)
    assert [stage.what for stage in theory.stages()][:2] == ["class frequencies", "class 6"]
    orders = [run.learned(by="class").order for run in (theory, training)]
    for order in orders:
        assert order[0] == ("6",)
        assert order[-2:] == (("9",), ("8",))


def test_the_shortcut_is_followed_first():
    task = BENCHMARK["shortcut"]()
    for run in both(LINEAR, task, 60):
        assert run.stages()[0].what == "high rule, shortcut"
        learned = run.learned(by="item")
        # in the fourth point the strong cue is wrong
        assert learned.order[-1] == ("item 4",)
        assert run.outputs[:, 3, 0].min() < -0.2, "it is first believed to be of the other kind"


def test_twelve_animals_by_twenty_properties():
    theory, _ = both(LINEAR, BENCHMARK["animals"](), 450)
    words = [stage.what for stage in theory.stages()]
    assert words[0].startswith("everything but salmon: moves")
    assert words[1].startswith("trout, salmon, carp and 1 more | zebra, tiger, horse: swims, gills, fins")
    assert words[2].startswith("robin, canary, duck and 1 more | tiger, zebra, horse")
    assert "duck | robin, canary: swims ↔ sings" in words[3:]
    assert [stage.when for stage in theory.stages()] == pytest.approx(sorted(s.when for s in theory.stages()))
    assert "False beliefs on the way: dog: large" in str(theory)

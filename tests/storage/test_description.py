"""Objects survive as JSON and arrays; only festina's own classes are constructed, and nothing is executed."""

import json
import math
import sys
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

import festina as fs
from festina.storage.description import PACKAGES, Described, describe, registry, restore, same

RNG = np.random.default_rng(0)
XOR = fs.tasks.extended_xor(1.0)
OBJECTS = [
    fs.tasks.hierarchy(levels=2),
    fs.tasks.context(3),
    fs.Task(RNG.normal(size=(5, 3)), RNG.normal(size=(5, 2)), items=list("abcde"), name="Σ – λ"),
    fs.DeepLinear((3, 4), initial=fs.initial.Aligned((0.1, 0.2))),
    fs.DeepLinear(initial=fs.initial.Aligned(0.1), depth=math.inf),
    fs.DeepLinear((2,), initial=fs.initial.Balanced(1.0, lambda_=-0.5, map=[[1.0, 0.0], [0.0, 2.0]])),
    fs.DeepLinear((3,), initial=fs.initial.Weights([RNG.normal(size=(3, 2)), RNG.normal(size=(2, 3))])),
    fs.ReLU((5,), initial=fs.initial.Orthogonal(0.3)),
    fs.gated.pathways([XOR.y[:, 0] > 0, XOR.y[:, 0] < 0], 4, initial=fs.gated.Decoupled(0.1)),
    fs.gated.routing(3, 2, 8, initial=fs.initial.Gaussian((0.1, 0.2, 0.3))),
    fs.Exact(),
    fs.Reduced(),
    fs.Flow(),
    fs.Train(rate=0.1, batch=4, optimiser="adam"),
    fs.Assumption("balance", "layers have equal strengths", 1e-16, math.inf),
]
VALUES = [
    None, True, 3, -(2**80), 0.1, -0.0, math.inf, -math.inf, 5e-324, "text", "", (), (1, (2.5, "a")), [1, [2]], {1, 2},
    frozenset({"a"}), range(2, 9, 3), {"a": 1, ("x", "y"): [2], 3: None}, np.arange(3), np.zeros((2, 0)),
    np.array([True, False]), np.array([[0.1, np.nan], [np.inf, -0.0]], np.float32), {"b": {"c": np.eye(2)}},
]  # fmt: skip


def round_trip(value):
    described, arrays = describe(value)
    return restore(json.loads(json.dumps(described, allow_nan=False)), arrays)


@pytest.mark.parametrize("value", OBJECTS, ids=lambda v: type(v).__name__)
def test_objects_come_back_equal(value):
    again = round_trip(value)
    assert type(again) is type(value)
    assert same(again, value)
    assert repr(again) == repr(value)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_come_back_equal(value):
    again = round_trip(value)
    assert same(again, value)
    assert same(value, again)
    assert type(again) is type(value)


def test_not_a_number_and_numpy_numbers_come_back():
    assert math.isnan(round_trip(math.nan))
    assert round_trip((np.float64(0.1), np.int64(3), np.bool_(True))) == (0.1, 3, True)
    assert round_trip(MappingProxyType({"a": 1})) == {"a": 1}


def test_arrays_stay_read_only_or_not():
    task = round_trip(OBJECTS[0])
    assert not task.x.flags.writeable
    assert round_trip(np.ones(2)).flags.writeable


def test_different_objects_are_not_the_same():
    numbers = range(len(OBJECTS))
    alike = [(OBJECTS[i], OBJECTS[k]) for i in numbers for k in numbers if same(OBJECTS[i], OBJECTS[k]) != (i == k)]
    assert alike == []


def test_the_same_means_to_the_bit():
    assert not same(np.array([0.0]), np.array([-0.0]))
    assert not same(np.ones(1), np.ones(1, np.float32))
    assert not same(fs.initial.Gaussian(0.1), fs.initial.Gaussian(np.nextafter(0.1, 1)))
    assert not same({"a": 1}, {"b": 1})
    assert not same(True, 1)
    assert same(math.nan, math.nan)


@dataclass(frozen=True)
class Mine(fs.initial.Initial):
    """A rule of the user's own."""

    scale: float = 0.1

    def draw(self, shapes, task, rng):
        return tuple(self.scale * rng.standard_normal(s) for s in shapes)


@dataclass(frozen=True)
class Local:
    """A class with a place on this machine."""

    size: int = 1
    folder: str = field(default="", metadata={"saved": False})


class Loud:
    """Something whose printing fails."""

    def __repr__(self):
        raise RuntimeError


def test_objects_of_other_classes_are_described_and_not_constructed(monkeypatch):
    monkeypatch.setattr(Mine, "__post_init__", lambda self: pytest.fail("constructed"), raising=False)
    network = fs.DeepLinear((3,), initial=object.__new__(Mine))
    again = round_trip(network)
    assert isinstance(again, Described)
    assert again.kind == "festina.linear.DeepLinear"
    assert again.values["hidden"] == (3,)
    inner = again.values["initial"]
    assert isinstance(inner, Described)
    assert inner.values == {"scale": 0.1}
    assert repr(inner) == "<described only: Mine(scale=0.1)>"
    assert same(round_trip(again), again)
    assert round_trip(np.linalg.svd).text == "svd"
    assert round_trip(Loud()).text == "Loud(...)"
    assert round_trip(Path("/x")).kind.startswith("pathlib.")
    assert hash(inner) == hash(round_trip(inner))
    assert inner != again


def test_places_on_this_machine_are_not_kept():
    described, _ = describe(Local(3, "/secret"))
    assert "/secret" in json.dumps(described)  # of another's class all is described, for it is never constructed
    assert "checkpoint" not in json.dumps(describe(fs.Train(rate=0.1, checkpoint="/somewhere"))[0])
    assert same(fs.Train(rate=0.1, checkpoint="/somewhere"), fs.Train(rate=0.1))


def test_the_registry_holds_frozen_classes_of_networks_and_core_only():
    found = registry()
    assert {"festina.core.Task", "festina.linear.DeepLinear", "festina.initial.Weights", "festina.gated.Graph"} <= set(
        found
    )
    assert {"festina.gated.Node", "festina.methods.Train", "festina.core.Assumption"} <= set(found)
    for name, kind in found.items():
        assert kind.__module__.startswith("festina.")
        assert not name.startswith(("festina.sweep", "festina.probe", "festina.page", "festina.plot", "festina.papers"))
        assert "folder" not in kind.__dataclass_fields__
    for package in map(sys.modules.get, PACKAGES):
        for value in vars(package).values() if package else ():
            if isinstance(value, type) and issubclass(value, fs.Network | fs.initial.Initial) and is_dataclass(value):
                assert value in found.values(), value


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("crafted", "message"),
    [
        ({}, "not known"),
        ({"eval": ["1"]}, "'eval', which is not known"),
        ({"import": "os"}, "not known"),
        ({"array": "nowhere", "writeable": True}, "not known"),
        ({"array": ["x"], "writeable": True}, "cannot be read"),
        ({"range": [0, 1]}, "not known"),
        ({"range": ["0", 1, 2]}, "not known"),
        ({"float": "1e3"}, "not known"),
        ({"float": 3}, "not known"),
        ({"described": ["a", 1, {}]}, "not known"),
        ({"described": ["a", "b", 3]}, "."),
        ({"dict": [1, 2]}, "."),
        ({"dict": [[{"list": []}, 2]]}, "."),
        ({"set": [{"list": []}]}, "."),
        ({"class": "festina.core.Task", "fields": {"x": [[1.0]], "y": "no"}}, "y "),
        ({"class": "festina.linear.DeepLinear", "fields": {}}, "cannot be read"),
        ({"class": "festina.linear.DeepLinear", "fields": {"hidden": [3], "initial": "x"}}, "initial"),
        ({"class": "festina.core.Task", "fields": []}, "not known"),
    ],
)
def test_crafted_descriptions_are_refused(crafted, message):
    with pytest.raises(ValueError, match=message):
        restore(crafted, {})


@pytest.mark.parametrize("name", ["os.system", "builtins.eval", "subprocess.Popen", "festina.sweeps.Slurm", "x", ""])
def test_other_classes_are_only_described(name):
    found = restore({"class": name, "fields": {"command": "touch trapped"}}, {})
    assert isinstance(found, Described)
    assert found.kind == name


def test_deep_nesting_is_refused():
    held = []
    held.append(held)
    with pytest.raises(ValueError, match="nested more than"):
        describe(held)
    deep = None
    for _ in range(500):
        deep = [deep]
    with pytest.raises(ValueError, match="nested too deeply"):
        restore(deep, {})


def test_fields_that_a_class_no_longer_has_give_a_description():
    found = restore({"class": "festina.initial.Gaussian", "fields": {"std": 0.1, "gone": 3}}, {})
    assert isinstance(found, Described)
    assert repr(found) == "<described only: Gaussian(std=0.1, gone=3)>"


@pytest.mark.parametrize("held", [[0, 2 * 10**8, 1], [0, 10**30, 1], [0, -(10**9), -1]])
def test_a_range_is_not_longer_than_the_arrays_of_its_file(held):
    with pytest.raises(ValueError, match=r"holds range\(.*\), which is longer than all of its arrays"):
        restore({"range": held}, {})
    assert restore({"range": [0, 5, 2]}, {}) == range(0, 5, 2)
    # many ranges are one
    with pytest.raises(ValueError, match="longer than all of its arrays"):
        restore([{"range": [0, 400_000, 1]}] * 3, {})
    assert len(restore({"range": [0, 10**6 + 1, 1]}, {"seeds": np.zeros(10**6 + 1, np.int8)})) == 10**6 + 1

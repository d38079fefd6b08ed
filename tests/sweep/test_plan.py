"""A plan names every task, by a hash of all that its result depends on, and takes no memory for them."""

import itertools
import json
import math
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs
from festina.papers import Experiment, find
from festina.sweep._axis import axis, convert, read_values
from festina.sweep._code import code_version, difference
from festina.sweep._experiment import build, locate
from festina.sweep._plan import from_json, plan_sweep


@dataclass(frozen=True)
class Bare(Experiment):
    """An experiment that is only its settings."""

    kind: type

    @property
    def module(self):
        return SimpleNamespace(Settings=self.kind, quick=self.kind())

    def fields(self):
        return dict.fromkeys(self.kind.__dataclass_fields__)

    @property
    def path(self):
        return find("structures").path


@dataclass(frozen=True)
class Seedless:
    width: int = 3


@dataclass(frozen=True)
class OnlySeeds:
    seeds: int = 4


@dataclass(frozen=True)
class OnlySeed:
    seed: int = 7


def planned(wave, grid, *arguments, **named):
    return plan_sweep(locate(wave), grid, *arguments, **named)


def test_tasks_are_the_product_of_settings_and_blocks_of_seeds(wave):
    plan = planned(wave, {"height": [1, 2.5], "waves": [1, 2, 3]}, 5, block=2, fixed={"seconds": 0})
    tasks = list(plan.tasks())
    assert plan.total == len(tasks) == 2 * 3 * 3
    found = [(t.settings["height"], t.settings["waves"], t.settings["seed"], t.settings["seeds"]) for t in tasks]
    blocks = [(0, 2), (2, 2), (4, 1)]
    assert found == [(h, w, *b) for h, w, b in itertools.product((1.0, 2.5), (1, 2, 3), blocks)]
    assert len({t.key for t in tasks}) == len(tasks)
    assert [plan.task(t.index) for t in tasks] == tasks


def test_settings_survive_the_way_to_a_worker(wave):
    plan = planned(wave, {"deltas": [(0.1, 0.2), (0.3,)]})
    experiment = locate(wave)
    built = [build(experiment, json.loads(json.dumps(t.settings))) for t in plan.tasks()]
    default = experiment.settings()
    assert built == [replace(default, deltas=(0.1, 0.2)), replace(default, deltas=(0.3,))]


def test_singular_of_a_tuple_sweeps_its_elements(wave):
    plan = planned(wave, {"delta": np.linspace(0, 3, 4)})
    assert plan.axes[0].name == "delta"
    assert plan.axes[0].labels == [0.0, 1.0, 2.0, 3.0]
    assert [t.settings["deltas"] for t in plan.tasks()] == [[0.0], [1.0], [2.0], [3.0]]
    assert planned(wave, {"deltas": [(1, 2), 3]}).axes[0].labels == ["1.0,2.0", "3.0"]


def test_key_depends_on_settings_seeds_code_and_experiment_only(wave):
    first = planned(wave, {"height": [1, 2]}, 4)
    key = next(first.tasks()).key
    assert next(planned(wave, {"height": [1.0]}, 40, block=2).tasks()).key == key
    assert next(planned(wave, {"height": [1]}, 4, block=1).tasks()).key != key
    assert next(planned(wave, {"height": [1]}, 4, fixed={"waves": 7}).tasks()).key != key
    assert next(replace(first, code={**first.code, "numpy": "0"}).tasks()).key != key
    assert next(replace(first, experiment="other").tasks()).key != key


def test_plan_survives_its_text(wave):
    plan = planned(wave, {"height": [1, math.inf], "delta": [0, 1]}, 3)
    assert from_json(plan.to_json()) == plan
    assert [t.key for t in from_json(plan.to_json()).tasks()] == [t.key for t in plan.tasks()]
    for wrong in ("[]", "{}", "nonsense", '{"format": "festina sweep 0"}'):
        with pytest.raises(ValueError, match="not the declaration of a sweep"):
            from_json(wrong)


def test_blocks_follow_what_the_experiment_has(wave):
    assert planned(wave, {}, 5).shape == (3,), "as many in a block as one run of the experiment has"
    assert planned(wave, {}, 1).shape == (1,)
    assert [t.settings["seed"] for t in planned(wave, {}, 4, fixed={"seed": 10}).tasks()] == [10, 12]
    whole = plan_sweep(Bare("bare", OnlySeeds), {}, 100)
    assert [t.settings for t in whole.tasks()] == [{"seeds": 100}]
    single = plan_sweep(Bare("bare", OnlySeed), {}, 3)
    assert [t.settings for t in single.tasks()] == [{"seed": 7}, {"seed": 8}, {"seed": 9}]


@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        (Seedless, (5,), "bare has neither a setting seed nor seeds"),
        (Seedless, (None, 2), "block is 2 without seeds"),
        (OnlySeeds, (10, 5), "bare has no setting seed .* leave block out"),
        (OnlySeed, (10, 5), "bare has no setting seeds: its blocks are of one seed"),
        (OnlySeed, (0,), "seeds is 0; a whole number >= 1"),
    ],
)
def test_seeds_that_cannot_be_cut(kind, arguments, message):
    with pytest.raises(ValueError, match=message):
        plan_sweep(Bare("bare", kind), {}, *arguments)


@pytest.mark.parametrize(
    ("grid", "fixed", "message"),
    [
        ({"nope": [1]}, {}, r"setting of wave is 'nope'.*known are: .*height"),
        ({"height": 3}, {}, r"height is 3; a list of values to sweep over"),
        ({"height": []}, {}, "height has no values"),
        ({"height": [1, 1.0]}, {}, r"height holds 1.0 twice"),
        ({"height": ["tall"]}, {}, "height is 'tall'; float is needed"),
        ({"height": [math.nan]}, {}, "height is nan; float is needed"),
        ({"waves": [1.5]}, {}, "waves is 1.5; int is needed"),
        ({"mood": [1]}, {}, "mood is 1; str is needed"),
        ({"height": [1]}, {"height": 2}, "height is given twice"),
        ({"delta": [1], "deltas": [2]}, {}, "deltas is given twice"),
        ({}, {"nope": 2}, r"setting of wave is 'nope'"),
        ({"seed": [1, 2]}, {}, "seeds is 4 and the grid has seed"),
    ],
)
def test_grids_that_cannot_be_swept(wave, grid, fixed, message):
    with pytest.raises(ValueError, match=message):
        planned(wave, grid, 4, fixed=fixed)


def test_values_as_typed():
    assert read_values("a", "0:3:4", float) == [0, 1, 2, 3]
    assert read_values("a", "1e-4:1:5:log", float) == pytest.approx([1e-4, 1e-3, 1e-2, 1e-1, 1])
    assert read_values("a", "1,2.5", float) == [1, 2.5]
    assert read_values("a", "true,false", bool) == [True, False]
    assert read_values("a", "deep,1", str) == ["deep", "1"]
    assert read_values("a", "3,none", int | None) == [3, None]
    assert axis("a", read_values("a", "1:5:3", int), {"a": int}, "x").values == (1, 3, 5)
    for wrong in ("0:1", "0:1:0", "0:1:2:cubic", "a:1:3", "0:1:2:log:3"):
        with pytest.raises(ValueError, match="start:stop:count"):
            read_values("a", wrong, float)
    with pytest.raises(ValueError, match="a is 'x'; a number is needed"):
        read_values("a", "x", float)


@given(st.floats(allow_nan=False), st.integers(-(2**60), 2**60))
def test_numbers_keep_every_bit(number, whole):
    assert convert("a", np.float64(number), float) == number
    assert convert("a", np.int64(whole), int) == whole
    assert json.loads(json.dumps(convert("a", number, float))) == number


def test_code_version_follows_the_sources(wave, tmp_path):
    copy = tmp_path / "wave.py"
    copy.write_bytes(wave.read_bytes())
    before = code_version(locate(copy))
    assert before == code_version(locate(wave)), "where a file lies does not matter"
    code_version.cache_clear()
    copy.write_text(copy.read_text() + "\n# another line\n")
    after = code_version(locate(copy))
    assert difference(before, after).startswith(f"festina's sources {before['festina']} there, ")
    assert difference(before, {**before, "numpy": "0"}) == f"numpy {before['numpy']} there, 0 here"
    assert difference(before, before) == ""


def test_experiment_is_a_name_or_a_file(tmp_path):
    assert locate("structures") == find("structures")
    with pytest.raises(ValueError, match=r"experiment is 'nope'.*known are"):
        locate("nope")
    with pytest.raises(ValueError, match="there is no such file"):
        locate(tmp_path / "nope.py")
    with pytest.raises(ValueError, match=r"experiment is 3; a name"):
        locate(3)


def test_the_function_hides_the_package_but_not_its_contents():
    from festina.sweep import Pool, sweep

    assert fs.sweep is sweep
    assert Pool(1).capacity == 2

"""A plan names every task, by a hash of all that its result depends on, and takes no memory for them."""

import itertools
import json
import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest
import study
from hypothesis import given
from hypothesis import strategies as st

from festina.sweeps._code import describe
from festina.sweeps._plan import MAX_TASKS, convert, from_json, plan_sweep, restore

pytestmark = pytest.mark.slow


def seedless(width: int = 3):
    return width


def only_seeds(seeds: int = 4):
    return seeds


def only_seed(seed: int = 7):
    return seed


def both(seed, seeds):
    return seed + seeds


def needs_rate(rate, steps=3):
    return rate * steps


def anything(**settings):
    return len(settings)


def planned(grid, *arguments, function: Any = study.wave, **named):
    return plan_sweep(describe(function), grid, *arguments, **named)


def test_tasks_are_the_product_of_settings_and_blocks_of_seeds():
    plan = planned({"height": [1, 2.5], "waves": [1, 2, 3]}, 5, block=2, fixed={"seconds": 0})
    tasks = list(plan.tasks())
    assert plan.total == len(tasks) == 2 * 3 * 3
    found = [(t.settings["height"], t.settings["waves"], t.settings["seed"], t.settings["seeds"]) for t in tasks]
    blocks = [(0, 2), (2, 2), (4, 1)]
    assert found == [(h, w, *b) for h, w, b in itertools.product((1.0, 2.5), (1, 2, 3), blocks)]
    assert [t.seeds for t in tasks[:3]] == [range(2), range(2, 4), range(4, 5)]
    assert len({t.key for t in tasks}) == len(tasks)
    assert [plan.task(t.index) for t in tasks] == tasks


def test_singular_of_a_tuple_sweeps_its_elements():
    plan = planned({"delta": np.linspace(0, 3, 4)})
    assert plan.axes[0].name == "delta"
    assert plan.axes[0].labels == [0.0, 1.0, 2.0, 3.0]
    assert [t.settings["deltas"] for t in plan.tasks()] == [[0.0], [1.0], [2.0], [3.0]]
    assert planned({"deltas": [(1, 2), 3]}).axes[0].labels == ["1.0,2.0", "3.0"]


def test_key_depends_on_settings_seeds_code_dims_and_function_only():
    first = planned({"height": [1, 2]}, 4)
    key = next(first.tasks()).key
    assert next(planned({"height": [1.0]}, 40, block=2).tasks()).key == key
    assert next(planned({"height": [1]}, 4, block=1).tasks()).key != key
    assert next(planned({"height": [1]}, 4, fixed={"waves": 7}).tasks()).key != key
    assert next(planned({"height": [1]}, 4, dims={"noise": "seed"}).tasks()).key != key
    assert next(replace(first, code={**first.code, "numpy": "0"}).tasks()).key != key
    assert next(replace(first, function="other").tasks()).key != key


def test_plan_survives_its_text():
    plan = planned({"height": [1, math.inf], "delta": [0, 1]}, 3, dims={"noise": ("seed",)})
    assert from_json(plan.to_json()) == plan
    assert [t.key for t in from_json(plan.to_json()).tasks()] == [t.key for t in plan.tasks()]


@pytest.mark.parametrize(
    "change",
    [
        "[]", "{}", "nonsense", '{"format": "festina sweep 0"}', "[" * 100_000, {"axes": 3}, {"axes": [{"name": 1}]},
        {"base": {"a": {"b": 1}}}, {"code": {"a": 1}}, {"function": None}, {"dims": {"a": 3}},
        {"seeds": {"first": 0, "count": 10**15, "block": 1, "fields": ["seed"]}},
        {"seeds": {"first": 0, "count": -1, "block": 1, "fields": ["seed"]}}, {"seeds": [1]},
    ],
)  # fmt: skip
def test_texts_that_are_no_plan_are_refused_at_once(change):
    text = change
    if isinstance(change, dict):
        text = json.dumps({**json.loads(planned({"height": [1]}, 2).to_json()), **change})
    with pytest.raises(ValueError, match="not the declaration of a sweep"):
        from_json(text)


def test_blocks_follow_what_the_function_has():
    assert planned({}, 5).shape == (3,), "as many in a block as one call of the function has"
    assert planned({}, 1).shape == (1,)
    assert [t.settings["seed"] for t in planned({}, 4, fixed={"seed": 10}).tasks()] == [10, 12]
    assert [t.settings for t in planned({}, 100, function=only_seeds).tasks()] == [{"seeds": 100}]
    single = planned({}, 3, function=only_seed)
    assert [t.settings for t in single.tasks()] == [{"seed": 7}, {"seed": 8}, {"seed": 9}]
    assert [t.settings for t in planned({}, 7, function=both).tasks()] == [{"seed": 0, "seeds": 7}]
    assert [t.settings["seeds"] for t in planned({}, 7, 3, function=both).tasks()] == [3, 3, 1]


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (seedless, (5,), "test_plan.seedless has neither a parameter seed nor seeds"),
        (seedless, (None, 2), "block is 2 without seeds"),
        (only_seeds, (10, 5), "only_seeds has no parameter seed .* leave block out"),
        (only_seed, (10, 5), "only_seed has no parameter seeds: its blocks are of one seed"),
        (only_seed, (0,), "seeds is 0; a whole number >= 1"),
        (only_seed, (1.5,), "seeds is 1.5; a whole number >= 1"),
        (only_seed, (10**12,), rf"the sweep has 1000000000000 tasks.*at most {MAX_TASKS} are allowed"),
        (both, (), "both needs seed, which is not given; give seeds=…"),
        (needs_rate, (), "needs_rate needs rate, which is not given; give it in grid or in fixed"),
    ],
)
@pytest.mark.usefixtures("untyped")
def test_seeds_that_cannot_be_cut_and_settings_that_are_missing(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        planned({}, *arguments, function=function)


@pytest.mark.parametrize(
    ("grid", "named", "message"),
    [
        ({"nope": [1]}, {}, r"setting of study.wave 'nope'.*Known: .*height"),
        ({"height": 3}, {}, r"height is 3; a list of values to sweep over"),
        ({"height": "ab"}, {}, r"height is 'ab'; a list of values to sweep over"),
        ({"height": []}, {}, "height has no values"),
        ({"height": [1, 1.0]}, {}, r"height holds 1.0 twice"),
        ({"height": ["tall"]}, {}, "height is 'tall'; float is needed"),
        ({"height": [math.nan]}, {}, "height is nan; float is needed"),
        ({"height": itertools.count()}, {}, rf"height has more than {MAX_TASKS} values"),
        ({"waves": [1.5]}, {}, "waves is 1.5; int is needed"),
        ({"mood": [1]}, {}, "mood is 1; str is needed"),
        ({"height": [1]}, {"fixed": {"height": 2}}, "height is given twice"),
        ({"delta": [1], "deltas": [2]}, {}, "deltas is given twice"),
        ({}, {"fixed": {"nope": 2}}, r"setting of study.wave 'nope'"),
        ({"seed": [1, 2]}, {}, "seeds is 4 and the grid has seed"),
        ([1, 2], {}, r"grid is \[1, 2\]; a dictionary by names is needed"),
        ({3: [1]}, {}, r"grid is .*; a dictionary by names is needed"),
        ({}, {"fixed": 3}, r"fixed is 3; a dictionary by names is needed"),
        ({}, {"dims": {"noise": 3}}, r"dims\['noise'\] is 3; a list of names of axes is needed"),
        ({}, {"dims": {"noise": ("a", "a")}}, r"dims\['noise'\] is .*; names of its axes are needed, each once"),
    ],
)
@pytest.mark.usefixtures("untyped")
def test_grids_that_cannot_be_swept(grid, named, message, monkeypatch):
    monkeypatch.setattr("festina.sweeps._plan.MAX_TASKS", 1000) if "more than" in message else None
    with pytest.raises(ValueError, match=message.replace(str(MAX_TASKS), "1000" if "more than" in message else "")):
        planned(grid, 4, **named)


def test_parameters_without_annotation_take_plain_values():
    plan = planned({"rate": [1, "fast", None, (1, 2)]}, function=needs_rate)
    assert [t.settings["rate"] for t in plan.tasks()] == [1, "fast", None, [1, 2]]
    assert planned({"a": [1]}, function=anything, fixed={"b": 2}).task((0,)).settings == {"a": 1, "b": 2}
    for wrong in (object(), {"a": 1}, {1, 2}, 1j):
        with pytest.raises(ValueError, match=r"rate is \w+; settings are numbers, words, None, or lists"):
            planned({"rate": [wrong]}, function=needs_rate)


def test_values_follow_annotations():
    assert convert("a", 3, float | None) == 3.0
    assert convert("a", None, float | None) is None
    assert convert("a", "sgd", Literal["sgd", "adam"]) == "sgd"
    assert convert("a", (1, 2.0), tuple[int, ...]) == [1, 2]
    assert convert("a", np.arange(2), list[float]) == [0, 1]
    assert restore([0, [1]], Any) == (0, (1,))
    assert restore([0, 1], list[float]) == [0, 1]
    with pytest.raises(ValueError, match="a is 'rms'; "):
        convert("a", "rms", Literal["sgd", "adam"])
    with pytest.raises(ValueError, match="a is True; float is needed"):
        convert("a", True, float)


@given(st.floats(allow_nan=False), st.integers(-(2**60), 2**60))
def test_numbers_keep_every_bit(number, whole):
    assert convert("a", np.float64(number), float) == number
    assert convert("a", np.int64(whole), int) == whole
    assert json.loads(json.dumps(convert("a", number, float))) == number

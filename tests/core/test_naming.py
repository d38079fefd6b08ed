"""Names of what is learned, made from the words of the task."""

import numpy as np
import pandas as pd
import pytest

import festina as fs
from festina.core.naming import name_distinction, name_group


def test_a_distinction_names_both_sides_and_what_they_differ_in():
    task = fs.Task(np.eye(4), np.eye(4), items=list("abcd"), outputs=list("wxyz"))
    assert name_distinction(task, np.array([1, 0.9, -1, 0.1]), np.array([1, 0, 0, -0.6])) == "a, b | c: w ↔ z"
    # the sign of a singular vector means nothing: what the data begin with stands first
    assert name_distinction(task, -np.array([1, 0.9, -0.8, 0.1]), -np.array([1, 0, 0, -0.6])) == "a, b | c: w ↔ z"


def test_exactly_half_of_the_largest_weight_is_too_little():
    task = fs.Task(np.eye(3), np.eye(3), items=list("abc"), outputs=list("xyz"))
    assert name_distinction(task, np.array([1, 0.5, -0.51]), np.array([1.0, 0, 0])) == "a | c: x"


def test_without_words_things_are_numbered():
    task = fs.Task(np.eye(3), [[0, 1], [0, 1], [2, 0]])
    assert task.mode_names == ("item 3: output 1", "items 1, 2: output 2")
    assert task.inputs == ("x1", "x2", "x3")


def test_categories_and_contexts_stand_for_their_items():
    task = fs.Task(np.eye(4), np.eye(4), items=list("abcd"), categories={"first": ["a", "b"], "last": ["c", "d"]})
    assert name_distinction(task, np.array([1, 1, -1, -1]), np.array([1.0, 0, 0, 0])) == "first | last: output 1"
    assert name_distinction(task, np.array([1, 1, -1, 0]), np.array([1.0, 0, 0, 0])) == "first | c: output 1"
    assert fs.tasks.context(3).mode_names[0].startswith("everything")
    assert fs.tasks.context(3).mode_names[1].startswith("context 1 | context 2")


def test_classes_are_set_against_classes():
    x = np.vstack([np.random.default_rng(0).normal(size=(20, 3)) * 0.1 + c for c in 3 * np.eye(3)])
    task = fs.Task(x, labels=np.repeat(["cat", "dog", "fox"], 20))
    assert task.classes is not None
    assert "cat | dog" in name_distinction(task, np.repeat([1.0, -1.0, 0.0], 20), np.zeros(3))
    numbered = fs.Task(x, labels=np.repeat([4, 7, 9], 20))
    assert name_distinction(numbered, np.repeat([1.0, -1.0, -0.9], 20), np.zeros(3)) == "class 4 | classes 7, 9"


def test_a_long_table_of_numbers_is_named_by_its_inputs():
    x = np.random.default_rng(0).normal(size=(100, 3))
    task = fs.Task(pd.DataFrame(x, columns=["age", "weight", "height"]), x[:, :1] - 0.8 * x[:, 2:])
    assert task.mode_names == ("high age, low height",)


def test_named_inputs_name_what_unnamed_points_differ_in():
    task = fs.Task([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0]], np.eye(3)[:, :1], inputs=["shortcut", "rule"])
    assert name_distinction(task, np.array([1.0, -1, 0]), np.ones(1)) == "high shortcut"


def test_nearly_everything_is_told_by_what_is_left_out():
    task = fs.Task(np.eye(6), np.eye(6), items=list("abcdef"), outputs=list("uvwxyz"))
    weights = np.array([1, 1, 1, 1, 1, 0.3])
    assert name_distinction(task, weights, np.eye(6)[0]) == "everything but f: u"
    weights[5] = -0.9
    assert name_distinction(task, weights, np.eye(6)[0]) == "a, b, c and 2 more | f: u"


def test_what_all_have_in_common_is_everything_and_all_outputs():
    task = fs.Task(np.eye(10), np.eye(10), items=list("abcdefghij"), outputs=list("qrstuvwxyz"))
    some, all_ = np.array([1.0] * 5 + [0.3] * 5), np.ones(10)
    assert name_distinction(task, some, all_) == "everything: all outputs"
    assert name_distinction(task, -some, -some) == "everything: q, r, s and 2 more"
    # half of the things take no part in it
    some[5:] = 0.05
    assert name_distinction(task, some, all_) == "a, b, c and 2 more: all outputs"


def test_what_is_the_same_for_all_classes_is_how_frequent_they_are():
    task = fs.Task(np.eye(4), labels=["cat", "dog", "fox", "fox"])
    assert name_distinction(task, np.ones(4), np.array([0.25, 0.25, 0.5])) == "class frequencies"


def test_names_of_rows_are_kept_from_either_table():
    frame = pd.DataFrame(np.eye(3), index=["robin", "oak", "whale"], columns=["fly", "grow", "swim"])
    assert fs.Task(np.eye(3), frame).items == ("robin", "oak", "whale")
    assert fs.Task(frame, np.ones((3, 1))).items == ("robin", "oak", "whale")


def test_zero_weights_and_single_points_have_a_name():
    task = fs.Task([[1.0]], [[2.0]])
    assert task.mode_names == ("item 1",)
    assert name_distinction(task, np.zeros(1), np.zeros(1)) == "everything"
    assert fs.Task([[1.0], [2.0]], [[0.0], [0.0]]).mode_names == ()


def test_groups_are_shortened():
    assert name_group(["a | b: x"]) == "a | b: x"
    assert name_group([f"{k} | {k}'" for k in "abcde"]) == "a | a'; b | b'; c | c'; and 2 more"


def test_categories_hold_items_of_the_task():
    with pytest.raises(ValueError, match=r"categories\['birds'\]"):
        fs.Task(np.eye(2), np.eye(2), items=["robin", "oak"], categories={"birds": ["wren"]})

"""A task is checked once, at the border, and does not change afterwards."""

from typing import Any

import numpy as np
import pytest

import festina as fs


def test_data_are_copied_and_cannot_be_changed():
    x, y = np.eye(2), np.ones((2, 3))
    task = fs.Task(x, y)
    x[0, 0] = 7
    assert task.x[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        task.y[0, 0] = 5
    assert task.x.dtype == task.y.dtype == float


def test_lists_integers_and_booleans_are_numbers():
    task = fs.Task([[1, 0], [0, 1]], [[True], [False]])
    assert task.y.tolist() == [[1.0], [0.0]]


def test_names_are_given_or_made():
    task = fs.Task(np.eye(2), np.ones((2, 1)), items=["canary", "rose"], outputs=["can fly"], name="small")
    assert task.items == ("canary", "rose")
    assert task.outputs == ("can fly",)
    assert task.inputs == ("x1", "x2")
    assert repr(task) == "Task('small': 2 items, 2 inputs, 1 outputs)"


def test_statistics_are_computed_once():
    task = fs.tasks.hierarchy(levels=1)
    assert task.statistics is task.statistics


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([[1.0, np.nan]], [[1.0]], r"x holds 1 value\(s\) that are not finite, the first at \(0, 1\): nan"),
        ([[1.0]], [[np.inf]], r"y holds 1 value\(s\) that are not finite, the first at \(0, 0\): inf"),
        ([1.0, 2.0], [[1.0], [2.0]], r"x has shape \(2,\); a matrix \(data points, features\) is needed"),
        (np.ones((2, 2, 2)), np.ones((2, 1)), r"x has shape \(2, 2, 2\)"),
        (np.ones((3, 2)), np.ones((2, 2)), "x has 3 rows and y has 2; both need one row per data point"),
        (np.ones((0, 2)), np.ones((0, 2)), r"x has shape \(0, 2\): no data; give at least one row"),
        (np.ones((2, 2)), np.ones((2, 0)), r"y has shape \(2, 0\): no data"),
        ([["a"]], [[1.0]], "x is list that is not an array of real numbers"),
        ([["1"]], [[1.0]], "x is list that is not an array of real numbers"),
        ([[1j]], [[1.0]], "x is list that is not an array of real numbers"),
        ([[1.0], [1.0, 2.0]], [[1.0]], "x is list that is not an array of real numbers"),
        (None, [[1.0]], "x is NoneType|x holds|x has shape"),
    ],
)
def test_bad_data_are_refused(x, y, message):
    with pytest.raises(ValueError, match=message):
        fs.Task(x, y)


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"items": ["a"]}, "items has 1 names for 2 items; give one each, or none"),
        ({"inputs": "ab"}, "inputs is 'ab'; a list of names is needed"),
        ({"items": 2}, "items is 2; a list of names is needed"),
        ({"inputs": ["a", "a"]}, "inputs holds a name twice"),
        ({"outputs": ["a", "b"]}, "outputs has 2 names for 1 outputs"),
    ],
)
def test_bad_names_are_refused(names, message):
    with pytest.raises(ValueError, match=message):
        fs.Task(np.eye(2), np.ones((2, 1)), **names)


@pytest.mark.parametrize("name", ["inputs", "outputs", "items", "contexts"])
def test_a_long_range_of_names_takes_no_memory(name, untyped):
    long: dict[str, Any] = {name: range(10**9)}
    short: dict[str, Any] = {name: range(2)}
    with pytest.raises(ValueError, match=rf"{name} is range\(0, 1000000000\) for 2 \w+; give one name each"):
        fs.Task(np.eye(2), np.eye(2), **long)
    assert getattr(fs.Task(np.eye(2), np.eye(2), **short), name) == ("0", "1")


@pytest.mark.parametrize(
    "make",
    [lambda: fs.tasks.hierarchy(40), lambda: fs.tasks.teacher(10**5, 10**4, seed=0), lambda: fs.tasks.ring(10**5)],
)
def test_a_task_of_gigabytes_is_refused_before_anything_is_allocated(make):
    with pytest.raises(ValueError, match=r"would need an array of .* numbers; at most 268435456 \(2 GB\) are allowed"):
        make()

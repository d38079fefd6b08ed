"""Data as they come: tables with names, class labels, vectors, masks, tensors, and units that cannot be squared."""

from typing import Any, cast

import jaxtyping
import numpy as np
import pandas as pd
import pytest
import torch
import xarray

import festina as fs

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]])


def test_tables_give_their_names():
    x = pd.DataFrame(X, columns=["length", "width"], index=["a", "b", "c", "d"])
    task = fs.Task(x, pd.Series([0.5, 1.0, 2.0, 0.0], name="price"))
    assert task.inputs == ("length", "width")
    assert task.outputs == ("price",)
    assert task.items == ("a", "b", "c", "d")
    assert fs.Task(x, pd.DataFrame({"u": [1, 2, 3, 4], "v": [0, 1, 0, 1]})).outputs == ("u", "v")
    assert fs.Task(x, np.ones((4, 1)), inputs=["p", "q"]).inputs == ("p", "q")
    assert fs.Task(x.reset_index(drop=True), np.ones(4)).items[0] == "item 1"
    assert fs.Task(pd.DataFrame(X, columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])), np.ones(4)).inputs == (
        "a 1",
        "a 2",
    )


def test_a_column_without_numbers_is_named():
    x = pd.DataFrame({"length": [1.0, 2.0], "species": ["cat", "dog"]})
    with pytest.raises(ValueError, match="x has the column 'species', which does not hold numbers in every row"):
        fs.Task(x, [[1.0], [2.0]])
    missing = pd.DataFrame({"age": pd.array([1, None], dtype="Int64")})
    with pytest.raises(ValueError, match=r"x has the column 'age'|x holds 1 value\(s\) that are not finite"):
        fs.Task(missing, [[1.0], [2.0]])
    with pytest.raises(ValueError, match="x has two columns called 'a'"):
        fs.Task(pd.DataFrame(X, columns=["a", "a"]), np.ones(4))


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["dog", "cat", "dog", "eel"], ("cat", "dog", "eel")),
        ([3, 1, 3, 10], ("1", "3", "10")),
        (np.array([2, 0, 2, 7], dtype=np.uint8), ("0", "2", "7")),
        (np.array([1.0, 0.0, 1.0, 2.0]), ("0", "1", "2")),
        (torch.tensor([1, 0, 1, 5]), ("0", "1", "5")),
        (pd.Series(["dog", "cat", "dog", "eel"]), ("cat", "dog", "eel")),
        (np.array([[1], [0], [1], [2]]), ("0", "1", "2")),
        (np.array([1, 0, 1, 2], dtype=object), ("0", "1", "2")),
    ],
)
def test_labels_become_one_output_per_class(labels, names):
    task = fs.Task(X, labels=labels)
    assert task.outputs == names
    np.testing.assert_array_equal(task.y, [[0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def test_categories_keep_their_order_and_names_may_be_given():
    labels = pd.Series(pd.Categorical(["low", "high", "low", "mid"], categories=["low", "mid", "high"], ordered=True))
    assert fs.Task(X, labels=labels).outputs == ("low", "mid", "high")
    assert fs.Task(X, labels=[0, 1, 0, 1], outputs=["no", "yes"]).outputs == ("no", "yes")
    assert fs.Task(X, labels=[True, False, True, True]).outputs == ("False", "True")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 0, 0, 0], "labels hold only the class 0; at least two classes"),
        ([0, 1], "x has 4 rows and labels has 2"),
        ([0.5, 1.0, 2.0, 3.0], "labels hold float64, not classes; give whole numbers or text"),
        ([None, "a", "b", "a"], "labels mix kinds or miss values"),
        (np.eye(4), r"labels has shape \(4, 4\); one class label per data point"),
        (np.ma.array([0, 1, 2, 0], mask=[True, False, False, False]), "labels is a masked array with 1 masked"),
        (5, r"labels has shape \(\)"),
    ],
)
def test_labels_that_are_none_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        fs.Task(X, labels=labels)


@pytest.mark.parametrize("y", [[0, 1, 2, 1], np.array([0, 1, 1, 0]), torch.tensor([0, 1, 2, 0]), ["a", "b", "a", "b"]])
def test_class_labels_as_targets_are_refused_with_the_way_out(y):
    with pytest.raises(ValueError, match=r"class labels do; use fs.Task\(x, labels=y\), .* \(one-hot\)"):
        fs.Task(X, y)


def test_a_vector_is_one_output():
    task = fs.Task(X, [0.5, 1.5, 2.5, 3.0])
    assert task.y.shape == (4, 1)
    assert fs.Task(X, np.array([True, False, True, False])).y.tolist() == [[1], [0], [1], [0]]
    assert fs.Task(X, [[0], [1], [2], [1]]).y.shape == (4, 1)


def test_targets_are_needed_once():
    with pytest.raises(ValueError, match=r"y is missing; give y .* or labels"):
        fs.Task(X)
    with pytest.raises(ValueError, match="y and labels are both given"):
        fs.Task(X, np.ones(4), labels=[0, 1, 0, 1])


def test_a_mask_is_not_lost():
    x = np.ma.array(X, mask=X == 1.0)
    with pytest.raises(ValueError, match=r"x is a masked array with 4 masked value\(s\).*x.filled"):
        fs.Task(x, np.ones(4))
    with pytest.raises(ValueError, match="y is a masked array"):
        fs.Task(X, [x[1], x[1], x[1], x[1]])
    assert fs.Task(np.ma.array(X), np.ones(4)).x.tolist() == X.tolist()


def test_tensors_with_gradients_are_data():
    x = torch.tensor(X, requires_grad=True)
    assert fs.Task(x, x.sum(1)).y.shape == (4, 1)
    assert fs.Task(x.to(torch.bfloat16), x[:, :1]).x.tolist() == X.tolist()
    assert fs.Task(list(x), x[:, :1]).x.tolist() == X.tolist()


@pytest.mark.parametrize("factor", [1e160, 1e-160, 1e100, 1e-100])
@pytest.mark.parametrize("which", ["x", "y"])
def test_units_whose_powers_cannot_be_represented_are_refused(factor, which):
    data = {"x": X, "y": X}
    with pytest.raises(ValueError, match=rf"{which} has a largest absolute value of .*choose units"):
        fs.Task(**{**data, which: factor * X})
    assert fs.Task(np.where(X == 3, 1e-200, X), 0 * X).statistics.rank == 0


@pytest.mark.parametrize("factor", [1e69, 1e-69])
def test_statistics_are_finite_up_to_the_bound(factor):
    with np.errstate(all="raise", under="ignore"):
        for x, y in ((factor * X, X), (X, factor * X), (factor * X, factor * X)):
            found = fs.Task(x, y).statistics
            for value in (found.strengths, found.curvatures, found.targets, found.isotropy, found.noncommuting):
                assert np.all(np.isfinite(value))
            assert found.rank == 2
            assert found.isotropy > 0


def test_contexts_have_one_name_per_row():
    assert fs.Task(X, np.ones(4), contexts=["home", "home", "work", "work"]).contexts == (
        "home",
        "home",
        "work",
        "work",
    )
    with pytest.raises(ValueError, match="contexts has 2 names for 4 rows; give one per data point, or none"):
        fs.Task(X, np.ones(4), contexts=["home", "work"])


def test_a_number_and_its_text_are_not_one_class():
    with pytest.raises(ValueError, match="labels mix kinds"):
        fs.Task(np.eye(3), labels=[1, "1", 2])


def test_tables_of_the_same_rows_in_another_order_are_refused():
    x = pd.DataFrame(np.eye(3), index=["a", "b", "c"])
    y = pd.DataFrame({"out": [1.0, 2.5, 3.0]}, index=["a", "c", "b"])
    with pytest.raises(ValueError, match=r"row 2 is 'b' in x and 'c' in y\); rows are paired by position: give y.loc"):
        fs.Task(x, y)
    assert fs.Task(x, y.loc[x.index]).y.ravel().tolist() == [1.0, 3.0, 2.5]
    with pytest.raises(ValueError, match="labels has the rows of x in another order"):
        fs.Task(x, labels=pd.Series(["u", "v", "u"], index=["c", "b", "a"]))
    assert fs.Task(x, y.reset_index(drop=True)).y.ravel().tolist() == [1.0, 2.5, 3.0]
    words = pd.Series(["u", "v", "u"], index=["c", "b", "a"])
    jaxtyping.config.update("jaxtyping_disable", True)  # a Series is no Sequence; people give one all the same
    try:
        with pytest.raises(ValueError, match="contexts has the rows of x in another order"):
            fs.Task(x, np.ones(3), contexts=cast("Any", words))
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)
    with pytest.raises(ValueError, match="test has the rows of x in another order"):
        fs.Task(np.eye(3), labels=["u", "v", "u"], test=(x, words))


def test_arrays_of_xarray_with_rows_in_another_order_are_refused():
    x = xarray.DataArray(np.eye(3), dims=("plant", "part"), coords={"plant": ["a", "b", "c"]})
    y = xarray.DataArray([1.0, 2.5, 3.0], dims="plant", coords={"plant": ["a", "c", "b"]})
    with pytest.raises(ValueError, match=r"row 2 is 'b' in x and 'c' in y\); rows are paired by position"):
        fs.Task(x, y)
    assert fs.Task(x, y.loc[x[x.dims[0]]]).y.ravel().tolist() == [1.0, 3.0, 2.5]
    assert fs.Task(x, y.drop_vars("plant")).y.ravel().tolist() == [1.0, 2.5, 3.0]


def test_a_test_set_whose_columns_are_in_another_order_is_refused():
    x = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    with pytest.raises(ValueError, match="test has the columns b, a, and x a, b; they are paired by position"):
        fs.Task(x, [1.0, 2.5], test=(x[["b", "a"]], [1.0, 2.5]))
    assert fs.Task(x, [1.0, 2.5], test=(x, [1.0, 2.5])).test.x.tolist() == x.to_numpy().tolist()

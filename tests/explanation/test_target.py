"""Targets, classes and names as users give them."""

import numpy as np
import pytest

import festina as fs

pytestmark = pytest.mark.slow


def test_classes_may_be_words(classes):
    weights, x, labels, _ = classes
    numbers = fs.explain(weights, x, labels, modules=3, restarts=1, output_names=("ant", "bee", "cat"))
    words = np.array(["ant", "bee", "cat"])[labels]
    for y in (words, words.astype(object), words.tolist()):
        found = fs.explain(weights, x, y, modules=3, restarts=1)
        assert found.output_names == found.group_names == ("ant", "bee", "cat")
        assert found.to_json() == numbers.to_json()
    other = fs.explain(
        weights, x, np.array(["z", "a", "m"])[labels], modules=3, restarts=1, output_names=("z", "a", "m")
    )
    assert (other.loss, other.accuracy) == (numbers.loss, numbers.accuracy)
    one = fs.explain([(m[-1:], b[-1:]) if len(m) == 3 else (m, b) for m, b in weights], x,
                     np.where(labels == 2, "yes", "no"), modules=3, restarts=1, output_names=("cat",))  # fmt: skip
    assert (one.output_names, one.group_names) == (("cat",), ("no", "yes"))
    with pytest.raises(ValueError, match="y holds 'ant', and output_names are a, b, c; use these words, or class num"):
        fs.explain(weights, x, words, output_names=("a", "b", "c"))
    with pytest.raises(
        ValueError, match=r"y has 2 different words.*3 output\(s\) has 3 classes; give output_names, or"
    ):
        fs.explain(weights, x, np.where(labels == 0, "left", "right"))


def test_classes_without_data_points_are_not_described(classes):
    weights, x, labels, _ = classes
    two = fs.explain(weights, x[labels < 2], labels[labels < 2], modules=3, restarts=1)
    assert two.group_names == ("0", "1")
    assert not {name for m in two.modules for a, b, _ in m.separates for name in (a, b)} & {"2"}
    one = fs.explain(weights, x[labels == 1], labels[labels == 1], modules=2, restarts=1)
    assert "off for" not in str(one)
    assert one.notes == (
        "All data points have the same target, so that a constant answer is right: loss and accuracy do not say what "
        "the network has learned.",
    )


@pytest.mark.parametrize("count", [1, 30])
def test_outputs_that_do_not_differ_are_refused(classes, count):
    weights, x, labels, _ = classes
    with pytest.raises(ValueError, match=rf"x has {count} data point\(s\) at which the outputs of model are the same"):
        fs.explain(weights, np.repeat(x[:1], count, axis=0), np.repeat(labels[:1], count))


def test_the_order_of_classes_is_told_where_nothing_is_learned(classes):
    weights, x, labels, _ = classes
    words = np.array(["cat", "ant", "bee"])[labels]
    (note,) = fs.explain(weights, x, words, modules=1, restarts=1).notes
    assert "not learned these targets" in note
    assert "in the order ant, bee, cat; if it has another order, give class numbers as y and their names" in note


def test_columns_of_tables_name_the_inputs_and_a_column_holds_classes(classes):
    pandas = pytest.importorskip("pandas")
    weights, x, labels, _ = classes
    table = pandas.DataFrame(x, columns=[f"gene {i}" for i in range(x.shape[1])])
    found = fs.explain(weights, table, pandas.DataFrame({"kind": labels}), modules=3, restarts=1)
    assert found.to_json()["accuracy"] == fs.explain(weights, x, labels, modules=3, restarts=1).accuracy
    for view in ("map", "examples"):
        ax = fs.plot.explanation(found, fs.plot.panels(1, 1)[1][0], view=view)
        assert [tick.get_text() for tick in ax.get_yticklabels()] == list(table.columns)
        assert len(ax.figure.axes) == 2


@pytest.mark.parametrize("nothing", [None, np.nan])
def test_groups_that_are_missing_are_told(classes, nothing):
    weights, x, labels, _ = classes
    groups = np.array(["left", "right"], dtype=object)[labels % 2]
    groups[7] = nothing
    with pytest.raises(ValueError, match=rf"groups misses 1 value\(s\), the first at 7: {nothing}; give one label"):
        fs.explain(weights, x, labels, groups=groups)

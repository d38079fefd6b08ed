"""Tables of one's own become tasks, or an error with row, column and remedy."""

import numpy as np
import pandas as pd
import pytest

import festina as fs

NUMBERS = pd.DataFrame({"a": [1.0, 2.0, 4.0, 3.0], "b": [0.0, 1.0, 0.0, 5.0], "y": [1.5, 2.5, 0.5, 1.0]})


def test_things_and_their_properties_are_recognised():
    frame = pd.DataFrame({"name": ["robin", "oak", "whale"], "fly": [1, 0, 0], "grow": [1, 1, 1]})
    found = fs.tasks.from_table(frame)
    assert found.things
    assert found.task.items == ("robin", "oak", "whale")
    assert found.task.outputs == ("fly", "grow")
    np.testing.assert_array_equal(found.task.x, np.eye(3))
    np.testing.assert_array_equal(found.task.y, [[1, 1], [0, 1], [0, 1]])


def test_targets_are_found_by_name_and_standardised():
    found = fs.tasks.from_table(NUMBERS)
    assert not found.things
    assert found.task.inputs == ("a", "b")
    assert found.task.outputs == ("y",)
    np.testing.assert_allclose(found.task.x.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(found.task.y.std(axis=0), 1)
    raw = fs.tasks.from_table(NUMBERS, standardise=False).task
    np.testing.assert_array_equal(raw.x, NUMBERS[["a", "b"]])


def test_words_that_repeat_are_classes_and_constant_columns_are_left_out():
    frame = NUMBERS[["a", "b"]].assign(kind=["cat", "dog", "cat", "dog"], same=7)
    found = fs.tasks.from_table(frame)
    assert found.task.outputs == ("cat", "dog")
    assert found.task.inputs == ("a", "b")
    assert any("'same'" in line for line in found.assumed)
    assert fs.tasks.from_table(NUMBERS.assign(target=[0, 1, 0, 1]).drop(columns="y")).task.outputs == ("0", "1")


@pytest.mark.parametrize(
    ("frame", "arguments", "words"),
    [
        (NUMBERS.assign(a=[1.0, np.nan, 2.0, 3.0]), {}, "misses a value in row 2, column 'a'"),
        (NUMBERS.assign(b=["1", "x", "2", "3"]), {"targets": ["y"]}, "'x' in row 2, column 'b': encode it"),
        (NUMBERS.assign(a=["1,5", "2,5", "1,5", "2,5"]), {"targets": ["y"]}, "row 1, column 'a': decimal commas"),
        (NUMBERS.assign(y=1.0), {"targets": ["y"]}, "the same in every row"),
        (NUMBERS[["a", "b"]], {}, "say which are to be predicted"),
        (NUMBERS[["a"]], {}, "at least two rows and two columns"),
        (NUMBERS, {"targets": ["z"]}, "targets 'z'"),
        (NUMBERS.assign(kind=["u", None, "v", "u"]), {"labels": "kind"}, "row 2, column 'kind'"),
        (NUMBERS.assign(a=[1.0, np.inf, 2.0, 3.0]), {}, "infinite number in row 2, column 'a'"),
        (NUMBERS.assign(a=1.0, b=2.0), {}, "inputs that are the same"),
    ],
)
def test_bad_tables_say_where_and_what_to_do(frame, arguments, words):
    with pytest.raises(ValueError, match=words):
        fs.tasks.from_table(frame, **arguments)


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "tsv", "semicolon", "parquet", "npz"])
def test_files_of_every_kind_give_the_same_task(kind, tmp_path):
    path = tmp_path / f"table.{'csv' if kind == 'semicolon' else kind}"
    decimal = "."
    if kind == "npz":
        np.savez(path, x=NUMBERS[["a", "b"]].to_numpy(), y=NUMBERS["y"].to_numpy())
    elif kind == "parquet":
        pytest.importorskip("pyarrow")
        NUMBERS.to_parquet(path)
    else:
        decimal = "," if kind == "semicolon" else "."
        NUMBERS.to_csv(
            path, sep={"csv": ",", "csv.gz": ",", "tsv": "\t", "semicolon": ";"}[kind], index=False, decimal=decimal
        )
    task = fs.tasks.from_table(fs.tasks.read_table(path, decimal=decimal)).task
    expected = fs.tasks.from_table(NUMBERS).task
    np.testing.assert_allclose(task.x, expected.x)
    np.testing.assert_allclose(task.y, expected.y)


def test_files_that_are_no_tables_are_refused(tmp_path):
    with pytest.raises(ValueError, match="which is no file"):
        fs.tasks.read_table(tmp_path / "missing.csv")
    (tmp_path / "x.weird").write_text("1")
    with pytest.raises(ValueError, match="could not be read as a table"):
        fs.tasks.read_table(tmp_path / "x.weird")


def test_comments_before_the_table_are_skipped_and_a_first_line_of_numbers_is_data(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("# from somewhere\n# 2001\na,b,y\n1,2,3\n4,5,7\n")
    assert fs.tasks.read_table(path).columns.tolist() == ["a", "b", "y"]
    path.write_text("\ufeff1 2 3.5\n4 5 7\n7 8 9\n", encoding="utf-8")
    found = fs.tasks.read_table(path)
    assert found.columns.tolist() == ["column 1", "column 2", "column 3"]
    assert found.to_numpy().tolist() == [[1, 2, 3.5], [4, 5, 7], [7, 8, 9]]


def test_properties_of_any_unit_count_alike():
    frame = pd.DataFrame({"day": ["a", "b", "c"], "price": [1.0, 2.0, 1.5], "volume": [1e6, 3e6, 2e6]})
    found = fs.tasks.from_table(frame)
    np.testing.assert_allclose(np.mean(found.task.y**2, axis=0), 1)
    assert any("root mean square" in line for line in found.assumed)
    assert fs.tasks.from_table(frame, standardise=False).task.y.max() == 3e6


@pytest.mark.parametrize("content", [b"", b"a,b,y\n", b"# nothing\n", b"a,b\n1,2,3\n4,5,6,7\n", b"\xe4,y\n1,2\n3,4\n"])
def test_files_that_hold_no_table_are_refused_in_words(content, tmp_path):
    (tmp_path / "table.csv").write_bytes(content)
    with pytest.raises(ValueError, match="table"):
        fs.tasks.from_table(fs.tasks.read_table(tmp_path / "table.csv"))


def test_a_first_column_that_counts_the_rows_is_no_input():
    frame = pd.DataFrame({"a": [1.0, 4.0, 2.0, 8.0], "b": [0.0, 1.0, 1.0, 0.0], "y": [1.0, 2.0, 3.0, 4.0]})
    for name, first in (("Unnamed: 0", 0), ("Obs", 1), ("", 1)):
        counted = frame.copy()
        counted.insert(0, name, np.arange(first, first + 4))
        found = fs.tasks.from_table(counted)
        assert found.task.inputs == ("a", "b")
        assert f"Left out, because it counts the rows: {name!r}." in found.assumed
    counted.insert(1, "thing", ["oak ", "rose", "robin", "salmon"])
    things = fs.tasks.from_table(counted.drop(columns="y"))
    assert things.task.items == ("oak", "rose", "robin", "salmon")
    assert things.task.outputs == ("a", "b")
    # numbers that jump, another name, or the only input: a measurement
    frame.insert(0, "id", [1, 2, 4, 5])
    assert "id" in fs.tasks.from_table(frame).task.inputs
    frame = frame.rename(columns={"id": "dose"}).assign(dose=[1, 2, 3, 4])
    assert "dose" in fs.tasks.from_table(frame).task.inputs
    assert fs.tasks.from_table(pd.DataFrame({"n": [1, 2, 3], "y": [1.0, 3.0, 2.0]})).task.inputs == ("n",)


def test_of_a_long_table_so_many_rows_are_drawn_as_are_asked_for():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"a": rng.normal(size=50), "kind": np.where(np.arange(50) % 2, "odd", "even")})
    found = fs.tasks.from_table(frame, rows=20)
    assert found.task.x.shape == (20, 1)
    assert "20 of the 50 rows are used, drawn at random (--rows)." in found.assumed
    whole = fs.tasks.from_table(frame, rows=50).task
    assert whole.x.shape == (50, 1)
    # drawn rows keep their class, and are as many different ones as were asked for
    places = [int(np.flatnonzero(np.isclose(whole.x[:, 0], value))[0]) for value in found.task.x[:, 0]]
    assert len(set(places)) == 20
    assert (found.rows - 1).tolist() == places
    assert np.array_equal(found.task.y, whole.y[places])
    numbers = fs.tasks.from_table(frame.assign(y=frame["a"] ** 2).drop(columns="kind"), rows=20, standardise=False).task
    np.testing.assert_allclose(numbers.y, numbers.x**2)
    named = frame.assign(y=1.0 * np.arange(50)).drop(columns="kind")
    named.insert(0, "name", [f"row {k}" for k in range(50)])
    task = fs.tasks.from_table(named, rows=5, standardise=False).task
    assert [float(item.split()[1]) for item in task.items] == task.y[:, 0].tolist()


def test_of_many_constant_columns_a_few_are_named():
    frame = pd.DataFrame({**{f"c{k}": [1.0, 1.0, 1.0] for k in range(9)}, "a": [0.0, 1.0, 3.0], "y": [1.0, 2.0, 4.0]})
    told = " ".join(fs.tasks.from_table(frame).assumed)
    assert "same in every row: 'c0', 'c1', 'c2', 'c3', 'c4' and 4 more." in told


def test_decimal_commas_in_the_first_column_are_no_names():
    frame = pd.DataFrame({"a": ["1,5", "2,5", "3,5"], "b": [2.0, 3.0, 5.0], "y": [1.0, 2.5, 3.0]})
    with pytest.raises(ValueError, match=r"'1,5' in row 1, column 'a': decimal commas: .*--decimal ,"):
        fs.tasks.from_table(frame)


def test_two_columns_of_one_name_are_refused():
    frame = NUMBERS.set_axis([1, "1", "y"], axis=1)
    with pytest.raises(ValueError, match="two columns called '1'; rename"):
        fs.tasks.from_table(frame)
    with pytest.raises(ValueError, match="two columns called 'a'; rename"):
        fs.tasks.from_table(NUMBERS.set_axis(["a", "a", "y"], axis=1))


def test_targets_are_named_once_and_not_beside_labels():
    assert fs.tasks.from_table(NUMBERS, targets=["y", "y"]).task.outputs == ("y",)
    with pytest.raises(ValueError, match=r"targets is \['a'\] and labels is 'y'; give only one"):
        fs.tasks.from_table(NUMBERS, targets=["a"], labels="y")


@pytest.mark.parametrize("kind", ["string", "Int64", "category", "datetime64[ns]"])
def test_a_missing_value_of_any_type_is_named_by_its_row(kind):
    values = {"string": ["u", None, "u", "v"], "datetime64[ns]": ["2020-01-01", None, "2020-01-02", "2020-01-03"]}
    kinds = pd.Series(values.get(kind, [1, None, 2, 1]), dtype="Int64" if kind == "Int64" else None).astype(kind)
    with pytest.raises(ValueError, match="misses a value in row 2, column 'kind'"):
        fs.tasks.from_table(NUMBERS[["a"]].assign(kind=kinds), labels="kind")

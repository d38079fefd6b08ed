"""Tables of behaviour: what is read, what is refused, and the row that is at fault."""

import re
import sys
import warnings
from datetime import datetime

import numpy as np
import pandas as pd
import pyarrow
import pytest
import xarray
from hypothesis import given
from hypothesis import strategies as st

from festina.behaviour import fit, read_table

GOOD = {
    "subject": ["a", "a", "b"],
    "session": ["1", "2", "1"],
    "contrast": ["-0.5", "0", "0.25"],
    "choice": ["left", "right", "right"],
    "reward": ["1", "0", "1"],
}
HEADER = "subject,session,contrast,choice,reward\n"
FIELDS = ("subject", "session", "contrast", "right", "reward", "played")


def changed(column, row, value):
    columns = {name: list(values) for name, values in GOOD.items()}
    columns[column][row - 1] = value
    return columns


def same(one, other):
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_reads_what_it_writes(tmp_path, suffix):
    made = read_table({**GOOD, "choice": ["left", "none", "right"]})
    assert repr(made) == "Table(3 trials of 2 subjects, 1 without a choice)"
    read = read_table(made.write(tmp_path / f"animals.{suffix}"))
    same(read, made)
    same(read_table(made.to_pandas()), made)


def test_parquet_without_pyarrow_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "mice.parquet").write_bytes(b"PAR1")
    with pytest.raises(ImportError, match=r"pip install pyarrow, or use a .csv file"):
        read_table(tmp_path / "mice.parquet")


def test_a_damaged_parquet_file_is_named(tmp_path):
    (tmp_path / "mice.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(ValueError, match=r"mice.parquet cannot be read as a Parquet file"):
        read_table(tmp_path / "mice.parquet")
    with pytest.raises(ValueError, match=r"no\.parquet': there is no such file"):
        read_table(tmp_path / "no.parquet")


@pytest.mark.parametrize("words", [("left", "right"), ("L", "R"), (-1, 1), (0, 1), ("-1", "1.0"), (False, True)])
def test_choices_may_be_written_in_many_ways(words):
    read = read_table({**GOOD, "choice": [words[0], words[1], words[1]]})
    assert read.right.tolist() == [False, True, True]


@pytest.mark.parametrize(("column", "row", "value", "words"), [
    ("choice", 2, "up", "row 2: choice 'up' is unknown. Known: left or right"),
    ("choice", 3, "2", "row 3: choice '2' is unknown"),
    ("contrast", 1, "-50", "row 1: contrast is '-50'; a number from -1 .* divide percentages by 100"),
    ("contrast", 3, "0_1", "row 3: contrast is '0_1'; a number from -1"),
    ("contrast", 2, "dim", "row 2: contrast is 'dim'; a number from -1"),
    ("contrast", 3, "inf", "row 3: contrast is 'inf'; a number from -1"),
    ("contrast", 3, float("nan"), "row 3: contrast is missing"),
    ("reward", 2, "3", "row 2: reward is '3'; 0 or 1 is needed"),
    ("reward", 1, "", "row 1: reward is missing"),
    ("subject", 3, " ", "row 3: subject is missing"),
    ("session", 2, None, "row 2: session is missing"),
])  # fmt: skip
def test_a_bad_value_is_refused_with_its_row(column, row, value, words):
    with pytest.raises(ValueError, match=words):
        read_table(changed(column, row, value))


def test_a_trial_without_a_choice_is_not_a_left_choice():
    read = read_table({**GOOD, "choice": [-1, 1, 0]})
    assert read.played.tolist() == [True, True, False]
    assert read.right.tolist() == [False, True, False]
    for nothing in ("none", "", None, float("nan"), "no-go"):
        assert read_table({**GOOD, "choice": ["left", "right", nothing]}).played.tolist() == [True, True, False]
    # a reward may be missing where no choice was made, and only there
    assert len(read_table({**GOOD, "choice": [-1, 1, 0], "reward": [1, 0, None]})) == 3
    with pytest.raises(ValueError, match="row 2: reward is missing"):
        read_table({**GOOD, "reward": [1, None, 1]})


def test_missing_columns_are_named():
    with pytest.raises(ValueError, match=r"the header has no column choice, reward; needed are subject, .* found were"):
        read_table({name: GOOD[name] for name in ("subject", "session", "contrast")})


def test_uneven_columns_and_no_rows():
    with pytest.raises(ValueError, match="reward 2 rows; the same number"):
        read_table({**GOOD, "reward": [1, 0]})
    with pytest.raises(ValueError, match="at least 1, is needed"):
        read_table({name: [] for name in GOOD})


def test_files_are_checked(tmp_path):
    path = tmp_path / "mice.csv"
    with pytest.raises(ValueError, match="there is no such file"):
        read_table(path)
    path.write_text("")
    with pytest.raises(ValueError, match=r"mice.csv is empty"):
        read_table(path)
    path.write_text("subject,session,contrast,choice,reward\na,1,0.5,right,1\na,1,0.5\n")
    with pytest.raises(ValueError, match=r"mice.csv row 2 has 3 values; its header has 5"):
        read_table(path)
    path.write_text("subject,session,contrast,choice,reward\na,1,0.5,right,1\na,1,1.5,left,0\n")
    with pytest.raises(ValueError, match=r"mice.csv row 2: contrast is '1.5'"):
        read_table(path)
    with pytest.raises(ValueError, match=r"a .csv or .parquet file is needed"):
        read_table(tmp_path / "mice.xlsx")


def test_extra_columns_and_a_byte_order_mark_do_not_matter(tmp_path):
    path = tmp_path / "mice.csv"
    path.write_text("reward, choice,contrast,session,subject,side\n1,r,0.5,1,a,x\n\n", encoding="utf-8-sig")
    read = read_table(path)
    assert len(read) == 1
    assert read.right.tolist() == [True]


def test_files_that_are_no_tables_are_named(tmp_path):
    path = tmp_path / "mice.csv"
    path.write_bytes(HEADER.encode() + b"\xff,1,0.5,right,1\n")
    with pytest.raises(ValueError, match=r"mice.csv is not UTF-8 text \(byte 39 is 0xff\)"):
        read_table(path)
    path.write_text(HEADER + '"' + "a" * (1 << 21) + '",1,0.5,right,1\n')
    with pytest.raises(ValueError, match=r"mice.csv cannot be read as a table of comma-separated values: field larger"):
        read_table(path)
    path.write_text("subject,session,contrast,choice,reward,choice\na,1,0.5,right,1,left\n")
    with pytest.raises(ValueError, match=r"mice.csv: the header has choice more than once"):
        read_table(path)
    doubled = pd.DataFrame(
        [["a", 1, 0.5, 1, 1, 0]], columns=["subject", "session", "contrast", "choice", "reward", "choice"]
    )
    with pytest.raises(ValueError, match="source: the header has choice more than once"):
        read_table(doubled)
    for bad in (3, None, [1, 2]):
        with pytest.raises((ValueError, TypeError), match="source"):
            read_table(bad)


def test_columns_may_have_other_names():
    theirs = {"mouse" if name == "subject" else name: values for name, values in GOOD.items()}
    same(read_table(theirs, columns={"subject": "mouse"}), read_table(GOOD))
    del theirs["mouse"]
    assert read_table({**theirs, "session": [1, 1, 2]}, subject="m1").subjects == ("m1",)
    with pytest.raises(ValueError, match="columns maps subject to 'rat', which the header does not have"):
        read_table(theirs, columns={"subject": "rat"})
    with pytest.raises(ValueError, match="columns has 'animal'; the names to map are subject, session"):
        read_table(theirs, columns={"animal": "rat"})


def test_percentages_are_found_or_said():
    percent = {**GOOD, "contrast": ["-50", "0", "25"]}
    same(read_table(percent), read_table(GOOD))
    assert read_table({**GOOD, "contrast": [-1, 0, 1]}).contrast.tolist() == [-1, 0, 1]
    assert read_table({**GOOD, "contrast": [-1, 0, 1]}, percent=True).contrast.tolist() == [-0.01, 0, 0.01]
    with pytest.raises(ValueError, match="row 1: contrast is '-50'; a number from -1"):
        read_table(percent, percent=False)


def brain_laboratory(flip):
    nan = float("nan")
    return {
        "contrastLeft": [1.0, nan, 0.0, nan, 0.25], "contrastRight": [nan, 0.5, nan, 0.0625, nan],
        "choice": [flip, -flip, flip, flip, 0], "feedbackType": [1, 1, 1, -1, -1], "probabilityLeft": [0.5] * 5,
    }  # fmt: skip


@pytest.mark.parametrize("flip", [1, -1])
def test_the_conventions_of_the_brain_laboratory(flip, tmp_path):
    """The sign of a right choice is read off the rewarded trials."""
    read = read_table({**brain_laboratory(flip), "session": [1] * 5}, subject="KS014")
    assert read.contrast.tolist() == [-1.0, 0.5, 0.0, 0.0625, -0.25]
    assert read.right.tolist() == [False, True, False, False, False]
    assert read.reward.tolist() == [1, 1, 1, 0, 0]
    assert read.played.tolist() == [True] * 4 + [False]
    (tmp_path / "KS014").mkdir()
    pd.DataFrame(brain_laboratory(flip)).to_csv(tmp_path / "KS014" / "2020-01-01.csv", index=False)
    alone = read_table(tmp_path / "KS014" / "2020-01-01.csv")
    assert (alone.subjects, alone.sessions("KS014")) == (("KS014",), ("2020-01-01",))
    np.testing.assert_array_equal(alone.right, read.right)
    blocks = {**brain_laboratory(flip), "session": [1] * 5, "probabilityLeft": [0.2, 0.8] * 2 + [0.5]}
    assert read_table(blocks, subject="a").prior.tolist() == pytest.approx([0.8, 0.2, 0.8, 0.2, 0.5])
    with pytest.raises(ValueError, match=r"row 2: probabilityLeft is 1.5; a number between 0 and 1"):
        read_table({**blocks, "probabilityLeft": [0.5, 1.5, 0.5, 0.5, 0.5]}, subject="a")


def test_a_folder_holds_a_session_per_file(tmp_path):
    for subject, date in (("KS014", "2020-01-02"), ("KS014", "2020-01-01"), ("KS015", "2020-01-01")):
        folder = tmp_path / "mice" / subject / date / "alf"
        folder.mkdir(parents=True)
        for name, values in brain_laboratory(1).items():
            np.save(folder / f"_ibl_trials.{name}.npy", np.array(values, dtype=float))
    read = read_table(tmp_path / "mice")
    assert read.subjects == ("KS014", "KS015")
    assert len(read.sessions("KS014")) == 2
    assert len(read) == 15
    (folder / "_ibl_trials.feedbackType.npy").unlink()
    with pytest.raises(ValueError, match=r"and no _ibl_trials.feedbackType.npy"):
        read_table(tmp_path / "mice")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="the folder holds neither"):
        read_table(tmp_path / "empty")


cells = st.one_of(st.none(), st.text(max_size=4), st.floats(), st.integers(-3, 101), st.booleans())


@given(st.lists(st.tuples(*[cells] * 5), min_size=1, max_size=3))
def test_any_table_is_read_or_refused_with_its_row(rows):
    columns = {name: [row[i] for row in rows] for i, name in enumerate(GOOD)}
    read, refused = None, ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # sessions in any order
            read = read_table(columns)
    except ValueError as error:
        refused = str(error)
    if read is None:
        assert "source row" in refused
    else:
        assert np.all(np.abs(read.contrast) <= 1)
        assert set(read.reward) <= {0.0, 1.0}


def test_sessions_are_in_order():
    rows = {"contrast": [0.5] * 4, "choice": [1] * 4, "reward": [1] * 4}
    with pytest.warns(UserWarning, match="interleaved"):
        numbered = read_table({"subject": ["a"] * 4, "session": [10, 2, 1, 2], **rows})
    assert numbered.sessions("a") == ("1", "2", "10")
    with pytest.warns(UserWarning, match="interleaved"):
        dated = read_table(
            {"subject": ["a"] * 4, "session": ["2024-05-01", "2023-06-01", "2024-01-01", "2023-06-01"], **rows}
        )
    assert dated.sessions("a") == ("2023-06-01", "2024-01-01", "2024-05-01")
    with pytest.raises(ValueError, match=r"subject 'b' is unknown\. Known: a"):
        dated.sessions("b")


def test_sessions_with_numbers_in_their_names_are_in_order():
    for names in (["day 10", "day 2", "day 1"], ["2024-02-01", "2024-01-15", "2023-12-31"]):
        with pytest.warns(UserWarning, match="not in order in the rows; they were sorted by their"):
            found = read_table({**GOOD, "subject": ["a"] * 3, "session": names})
        assert found.sessions("a") == tuple(names[::-1])


def played(session, **more):
    """A table of one animal whose contrasts tell the rows apart."""
    count = len(session)
    contrast = np.linspace(0.1, 0.9, count)
    rows = {"subject": ["a"] * count, "contrast": contrast, "choice": [1] * count, "reward": [1] * count, **more}
    return {**rows, "session": session} if session[0] is not None else rows


def test_labels_that_tell_no_order_keep_that_of_the_rows():
    names = ["f3a1-9c", "0b77-12", "a0d2-e4"]
    found = read_table(played(names))
    assert found.sessions("a") == tuple(names)
    assert found.notes == ("Sessions are ordered as the rows are.",)


def test_dates_in_other_forms_are_dates():
    read = read_table(played(["30.11.2023", "01.12.2023", "02.01.2024"]))
    assert read.sessions("a") == ("30.11.2023", "01.12.2023", "02.01.2024")
    assert read.notes == ("Sessions are ordered by their dates.",)
    with pytest.warns(UserWarning, match="sorted by their dates"):
        read = read_table(played(["02/25/2024", "12/01/2023"]))
    assert read.sessions("a") == ("12/01/2023", "02/25/2024")
    with pytest.warns(UserWarning, match="can be read as day and month or as month and day"):
        read = read_table(played(["03/04/2024", "02/05/2024"]))
    assert read.sessions("a") == ("03/04/2024", "02/05/2024")


def test_a_column_of_dates_decides_the_order():
    names = ["f3a1-9c", "0b77-12", "a0d2-e4"]
    with pytest.warns(UserWarning, match="not in order in the rows; they were sorted by the column of dates"):
        found = read_table(played(names, Date=["2024-03-03", "2024-03-01T10:00", "2024-03-02"]))
    assert found.sessions("a") == (names[1], names[2], names[0])
    assert found.notes == ("Sessions are ordered by the column of dates.",)
    with pytest.warns(UserWarning, match="sorted by the column of dates"):
        assert read_table(played([1, 2], date=["2024-03-03", "2024-03-01"])).sessions("a") == ("2", "1")
    with pytest.raises(ValueError, match="row 2: the date is missing"):
        read_table(played([1, 2], date=["2024-03-03", ""]))


def test_dates_are_sessions_where_no_column_is(tmp_path):
    dates = ["2024-03-01 09:00", "2024-03-01 09:05", "2024-03-02 09:00"]
    assert read_table(played([None] * 3, date=dates)).sessions("a") == ("2024-03-01", "2024-03-02")
    path = tmp_path / "mice.csv"
    pd.DataFrame(played([None] * 3, day=dates)).to_csv(path, index=False)
    assert read_table(path, columns={"date": "day"}).sessions("a") == ("2024-03-01", "2024-03-02")


def test_a_session_number_that_comes_again_every_day_is_a_session_each_day():
    dates = ["2024-03-01", "2024-03-01", "2024-03-04", "2024-03-04"]
    found = read_table(played([1, 2, 1, 2], date=dates))
    assert found.sessions("a") == ("2024-03-01 1", "2024-03-01 2", "2024-03-04 1", "2024-03-04 2")


def test_trials_are_in_the_order_of_their_numbers():
    with pytest.warns(UserWarning, match="trials are not in the order of their numbers; they were sorted"):
        found = read_table(played([1, 1, 1], trial=[3, 1, 2]))
    assert found.contrast.tolist() == [0.5, 0.9, 0.1]


@pytest.mark.parametrize("day", ["%Y%m%d", "%d%m%Y", "%y%m%d", "%d%m%y", "%b %d %Y"])
@pytest.mark.parametrize("name", ["session", "date"])
def test_dates_of_digits_alone_are_dates(day, name):
    days = [datetime(2023, *at).strftime(day) for at in ((1, 30), (1, 31), (2, 6), (11, 2))]
    rows = {"subject": ["a"] * 4, "session": ["q", "b", "z", "c"], "contrast": [0.5] * 4, "choice": [1] * 4}
    with pytest.warns(UserWarning, match=r"are not in order in the rows; they were sorted by"):
        read = read_table({**rows, "reward": [1, 0, 1, 0], name: days[::-1]})
    assert read.reward.tolist() == [0, 1, 0, 1]


def test_digits_that_could_be_two_dates_keep_the_order_of_the_rows():
    rows = {"subject": ["a"] * 3, "session": ["040323", "010323", "030423"], "contrast": [0.5] * 3}
    with pytest.warns(UserWarning, match="can be read as day and month"):
        read = read_table({**rows, "choice": [1] * 3, "reward": [1] * 3})
    assert read.sessions("a") == ("040323", "010323", "030423")


def test_a_folder_of_animals_is_no_animal(tmp_path):
    """The animal is above the folder of the date, wherever one begins; a file of several sessions is one animal."""
    text = "session,contrast,choice,reward\n1,0.5,1,1\n2,0.5,1,1\n"
    for place in ("Subjects/KS1/2024-01-30/001", "Subjects/KS2/2024-01-30/001"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "trials.csv").write_text("contrast,choice,reward\n0.5,1,1\n")
    assert read_table(tmp_path).subjects == ("KS1", "KS2")
    assert read_table(tmp_path / "Subjects" / "KS1").subjects == ("KS1",)
    (tmp_path / "files").mkdir()
    for name in ("m1.csv", "m2.csv"):
        (tmp_path / "files" / name).write_text(text)
    assert read_table(tmp_path / "files").subjects == ("m1", "m2")
    (tmp_path / "parts" / "m3").mkdir(parents=True)
    (tmp_path / "parts" / "m3" / "first.csv").write_text(text)
    (tmp_path / "parts" / "m3" / "second.csv").write_text(text.replace("\n1", "\n3").replace("\n2", "\n4"))
    assert read_table(tmp_path / "parts").sessions("m3") == ("1", "2", "3", "4")


def test_files_without_dates_or_numbers_are_named(tmp_path):
    for name in ("fa1-c", "0b7-1"):
        (tmp_path / f"{name}.csv").write_text("contrast,choice,reward\n0.5,1,1\n")
    with pytest.warns(UserWarning, match="contain neither numbers nor dates"):
        read_table(tmp_path)
    for name in ("day 10", "day 9"):
        (tmp_path / "mice").mkdir(exist_ok=True)
        (tmp_path / "mice" / f"{name}.csv").write_text("contrast,choice,reward\n0.5,1,1\n")
    assert read_table(tmp_path / "mice").sessions("mice") == ("day 9", "day 10")


def test_rewards_do_not_turn_words_around():
    """A table in words whose rewards contradict them is refused; signs, which have no meaning of their own, are not."""
    nan = float("nan")
    rows = {"subject": ["a"] * 4, "session": [1] * 4, "contrastLeft": [0.5, nan] * 2, "contrastRight": [nan, 0.5] * 2}
    words = {**rows, "choice": ["right", "left"] * 2, "feedbackType": [1] * 4}
    with pytest.raises(ValueError, match=r"contradict the words left and right: of 4 choices .* 4 were rewarded"):
        read_table(words)
    assert read_table({**words, "choice": [1, -1] * 2}).right.tolist() == [False, True] * 2
    plain = {"subject": ["a"] * 3, "session": [1] * 3, "contrast": [0.5, -0.5, 0.5], "reward": [1, 1, 1]}
    with pytest.raises(ValueError, match="of 3 choices with a visible contrast 3 were rewarded"):
        read_table({**plain, "choice": ["left", "right", "left"]})


def test_decimal_commas_are_named(tmp_path):
    path = tmp_path / "mice.csv"
    path.write_text("subject;session;contrast;choice;reward\na;1;0,5;right;1\n")
    with pytest.raises(ValueError, match=r"row 1: contrast is '0,5', with a decimal comma; write decimal points"):
        read_table(path)
    path.write_text("subject;session;contrast;choice;reward\na;1;0.5;right;1\n")
    assert read_table(path).contrast.tolist() == [0.5]


def test_missing_values_of_pandas_are_empty_cells():
    frame = pd.DataFrame({**GOOD, "choice": [-1, 1, 1], "reward": [1, 0, 1]}).convert_dtypes()
    frame.loc[1, ["choice", "reward"]] = pd.NA
    assert read_table(frame).played.tolist() == [True, False, True]
    for column in ("subject", "contrast"):
        with pytest.raises(ValueError, match=rf"source row 2: {column} is missing"):
            read_table(frame.assign(**{column: pd.array(["0.5", pd.NA, "0.5"], dtype="string")}))


def test_data_frames_of_other_libraries_are_read():
    known = read_table(GOOD)
    dataset = xarray.Dataset({name: ("trial", column) for name, column in GOOD.items()})
    for source in (pyarrow.table(GOOD), dataset, known):
        found = read_table(source)
        for name in FIELDS:
            assert getattr(found, name).tolist() == getattr(known, name).tolist(), (type(source), name)


def test_a_cell_that_is_a_list_is_refused_with_its_row():
    with pytest.raises(ValueError, match=r"row 1: choice \[1\] is unknown"):
        read_table(changed("choice", 1, [1]))


def test_zero_is_no_choice_also_where_nobody_went_left(tmp_path):
    laboratory = {"contrastLeft": [None, 0.5], "contrastRight": [0.5, None], "feedbackType": [1, -1]}
    mouse = {"subject": ["a"] * 2, "session": [1] * 2}
    assert read_table({**laboratory, **mouse, "choice": [-1, 0]}).played.tolist() == [True, False]
    assert read_table({**laboratory, **mouse, "choice": [1, 0]}).played.tolist() == [True, False]
    # a zero that is rewarded was a choice
    assert read_table({**laboratory, **mouse, "choice": [0, 1]}).played.tolist() == [True, True]
    (tmp_path / "1.csv").write_text("contrast,choice,reward\n0.5,1,1\n-0.5,-1,1\n")
    (tmp_path / "2.csv").write_text("contrast,choice,reward\n0.5,1,1\n-0.5,0,0\n")
    assert read_table(tmp_path).played.tolist() == [True, True, True, False]


def test_agents_without_a_trial_make_no_table():
    import festina as fs

    network, observe = fs.behaviour.Shallow(), ("contrasts", "choices", "rewards")
    still = fs.evolve(network, fs.behaviour.DecisionTask(), [0.0], method=fs.Train(0.01), observe=observe)
    with pytest.raises(ValueError, match="source holds no trial; give times that are at least one step"):
        read_table(still)


def test_a_small_parquet_file_does_not_take_much_memory(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 10**7 // 4
    zeros = pa.array(np.zeros(rows, np.int8))
    values = dict.fromkeys(("subject", "session", "contrast", "choice", "reward"), zeros)
    pq.write_table(pa.table(values), tmp_path / "mice.parquet")
    assert (tmp_path / "mice.parquet").stat().st_size < 100_000
    with pytest.raises(ValueError, match=r"mice.parquet has 2500000 rows of 5 columns in a file of \d+ bytes; at most"):
        read_table(tmp_path / "mice.parquet")


def test_a_parquet_file_whose_text_is_damaged_is_named(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    words = pa.array([b"mouse \xd8"], pa.binary()).cast(pa.string(), safe=False)
    pq.write_table(pa.table({"subject": words}), tmp_path / "mice.parquet")
    with pytest.raises(ValueError, match=r"mice.parquet cannot be read as a Parquet file: 'utf-8' codec"):
        read_table(tmp_path / "mice.parquet")


HEAD = "subject,session,contrast,choice,reward"
MESSY = {
    "semicolons": (HEAD.replace(",", ";") + "\na;1;0.5;right;1\n", None),
    "tabs": (HEAD.replace(",", "\t") + "\na\t1\t0.5\tright\t1\n", None),
    "decimal commas": (HEAD.replace(",", ";") + "\na;1;0,5;right;1\n", "row 1: contrast is '0,5', with a decimal"),
    "a byte-order mark": ("\ufeff" + HEAD + "\na,1,0.5,right,1\n", None),
    "spaces around values": (" subject , session,contrast,choice ,reward\n a , 1 , 0.5 , right , 1 \n", None),
    "percentages": (HEAD + "\na,1,50,right,1\na,1,-25,left,1\n", None),
    "percentages among fractions": (HEAD + "\na,1,0.5,right,1\na,1,50,right,1\n", "row 2: contrast is '50'"),
    "a missing contrast": (HEAD + "\na,1,0.5,right,1\na,1,,left,1\n", "row 2: contrast is missing"),
    "a missing reward": (HEAD + "\na,1,0.5,right,\n", "row 1: reward is missing"),
    "a missing subject": (HEAD + "\n,1,0.5,right,1\n", "row 1: subject is missing"),
    "an unknown choice": (HEAD + "\na,1,0.5,up,1\n", "row 1: choice 'up' is unknown"),
    "a reward in drops": (HEAD + "\na,1,0.5,right,3.5\n", "row 1: reward is '3.5'; 0 or 1 is needed"),
    "a short row": (HEAD + "\na,1,0.5,right,1\na,1\n", "row 2 has 2 values; its header has 5"),
    "a header twice": (HEAD + ",choice\na,1,0.5,right,1,1\n", "the header has choice more than once"),
    "no header": ("a,1,0.5,right,1\n", "mice.csv has no header: its first row is a, 1, 0.5"),
    "words that rewards contradict": (HEAD + "\na,1,0.5,left,1\na,1,-0.5,right,1\n", "of 2 choices with a visible"),
    "Windows line ends": (HEAD + "\r\na,1,0.5,right,1\r\n", None),
    "a header in capitals": (HEAD.title() + "\na,1,0.5,right,1\n", None),
    "a typographic minus": (HEAD + "\na,1,0.5,right,1\na,1,\u22120.5,left,1\n", None),
    "numbers that rewards contradict": (HEAD + "\na,1,0.5,-1,1\na,1,-0.5,1,1\n", "choices, of which 1 is right: of 2"),
    "contrasts without a sign": (HEAD + "\na,1,0.5,right,1\na,1,0.5,left,1\n", "but 1 of 2 rewarded choices"),
    "contrasts on one side": (HEAD + "\na,1,0.5,right,1\na,1,0.5,left,0\n", None),
    "empty lines": (HEAD + "\n\na,1,0.5,right,1\n\n", None),
}  # fmt: skip


@pytest.mark.parametrize("kind", MESSY)
def test_messy_tables_are_read_right_or_refused_with_row_and_remedy(kind, tmp_path):
    text, refused = MESSY[kind]
    path = tmp_path / "mice.csv"
    path.write_bytes(text.encode())
    if refused is None:
        found = read_table(path)
        assert (found.subjects, found.sessions("a")) == (("a",), ("1",))
        assert (found.contrast[0], bool(found.right[0]), found.reward[0]) == (0.5, True, 1.0)
    else:
        with pytest.raises(ValueError, match=re.escape(refused)):
            read_table(path)


def test_three_forms_of_one_table_give_the_same_fits(tmp_path):
    """Ours, as the International Brain Laboratory has it, as a CSV with other names, and as a folder of arrays."""
    rng, count = np.random.default_rng(0), 360
    contrast = rng.choice([-1.0, -0.25, 0.0, 0.25, 1.0], count)
    right = rng.random(count) < 0.5 + 0.4 * contrast
    side = np.where(contrast == 0, rng.random(count) < 0.5, contrast > 0)
    reward = (right == side).astype(int)
    sessions = np.repeat(["2024-01-30", "2024-01-31", "2024-02-01"], count // 3)
    left, shown = np.where(contrast <= 0, -contrast, np.nan), np.where(contrast > 0, contrast, np.nan)
    theirs = {"contrastLeft": left, "contrastRight": shown, "choice": np.where(right, -1, 1)}
    theirs |= {"feedbackType": np.where(reward, 1, -1)}
    ours = {"subject": ["KS1"] * count, "session": sessions, "contrast": contrast, "reward": reward}
    forms = [read_table({**ours, "choice": np.where(right, "right", "left")})]
    forms.append(read_table({**theirs, "subject": ["KS1"] * count, "session": sessions}))
    other = {"mouse": ["KS1"] * count, "day": sessions, "signed": 100 * contrast, "response": np.where(right, 1, -1)}
    pd.DataFrame({**other, "correct": reward > 0}).to_csv(tmp_path / "other.csv", index=False)
    names = {"subject": "mouse", "date": "day", "contrast": "signed", "choice": "response", "reward": "correct"}
    forms.append(read_table(tmp_path / "other.csv", columns=names))
    for day in dict.fromkeys(sessions.tolist()):
        folder = tmp_path / "lab" / "KS1" / day / "001" / "alf"
        folder.mkdir(parents=True)
        for name, values in theirs.items():
            np.save(folder / f"_ibl_trials.{name}.npy", np.asarray(values)[sessions == day])
    forms.append(read_table(tmp_path / "lab"))
    fits = [fit(table, "q-learning", starts=2)["KS1"] for table in forms]
    for table, one in zip(forms[1:], fits[1:], strict=True):
        np.testing.assert_allclose(one.coordinates, fits[0].coordinates, rtol=1e-12)
        assert one.log_likelihood == pytest.approx(fits[0].log_likelihood, rel=1e-12)
        assert len(table.sessions("KS1")) == 3

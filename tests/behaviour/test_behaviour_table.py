"""Tables of behaviour: what is read, what is refused, and the row that is at fault."""

import sys

import numpy as np
import pytest

from festina.behaviour import TutorExecutor, decision_task, read_table, record, simulate, table

GOOD = {
    "subject": ["a", "a", "b"],
    "session": ["1", "2", "1"],
    "contrast": ["-0.5", "0", "0.25"],
    "choice": ["left", "right", "right"],
    "reward": ["1", "0", "1"],
}


def changed(column, row, value):
    columns = {name: list(values) for name, values in GOOD.items()}
    columns[column][row - 1] = value
    return columns


def test_reads_what_it_writes(tmp_path):
    made = record(TutorExecutor(), decision_task(), sessions=2, trials=7, agents=2)
    read = read_table(made.write(tmp_path / "agents.csv"))
    for name in ("subject", "session", "contrast", "right", "reward"):
        np.testing.assert_array_equal(getattr(read, name), getattr(made, name))
    assert repr(read) == "Table(28 trials of 2 subjects)"


def test_parquet_is_the_same_table(tmp_path):
    pytest.importorskip("pyarrow")
    made = record(TutorExecutor(), decision_task(), sessions=2, trials=7, agents=2)
    read = read_table(made.write(tmp_path / "agents.parquet"))
    np.testing.assert_array_equal(read.right, made.right)
    np.testing.assert_array_equal(read.contrast, made.contrast)
    with pytest.raises(ValueError, match=r"no\.parquet': there is no such file"):
        read_table(tmp_path / "no.parquet")


def test_parquet_without_pyarrow_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "mice.parquet").write_bytes(b"PAR1")
    with pytest.raises(ImportError, match=r"pip install pyarrow, or use a .csv file"):
        read_table(tmp_path / "mice.parquet")


def test_recorded_agents_are_the_simulated_ones():
    network, task = TutorExecutor(spread=0.2), decision_task()
    made = record(network, task, sessions=3, trials=40, agents=2, seed=9)
    run = simulate(network, task, sessions=3, trials=40, agents=2, seed=9)
    for agent in range(2):
        for session in range(1, 4):
            rows = (made.subject == f"agent {agent}") & (made.session == str(session))
            assert made.reward[rows].mean() == pytest.approx(run["rewarded"][agent, session])
            shown = made.contrast[rows] == 0.5
            assert made.right[rows][shown].mean() == pytest.approx(run["chosen_right"][agent, session, -1])


@pytest.mark.parametrize("words", [("left", "right"), ("L", "R"), (-1, 1), (0, 1), ("-1", "1.0"), (False, True)])
def test_choices_may_be_written_in_many_ways(words):
    read = table({**GOOD, "choice": [words[0], words[1], words[1]]})
    assert read.right.tolist() == [False, True, True]


@pytest.mark.parametrize(("column", "row", "value", "words"), [
    ("choice", 2, "up", "row 2: choice is 'up', which is not known; known are: left or right"),
    ("choice", 3, "2", "row 3: choice is '2', which is not known"),
    ("contrast", 1, "-50", "row 1: contrast is '-50'; a number from -1 .* divide percentages by 100"),
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
        table(changed(column, row, value))


def test_a_trial_without_a_choice_is_not_a_left_choice():
    with pytest.raises(ValueError, match=r"row 3: choice is 0, .* only -1 and 1\. Remove trials without a choice"):
        table({**GOOD, "choice": [-1, 1, 0]})


def test_missing_columns_are_named():
    with pytest.raises(ValueError, match=r"the header has no column choice, reward; needed are subject, .* found were"):
        table({name: GOOD[name] for name in ("subject", "session", "contrast")})


def test_uneven_columns_and_no_rows():
    with pytest.raises(ValueError, match="reward 2 rows; the same number"):
        table({**GOOD, "reward": [1, 0]})
    with pytest.raises(ValueError, match="at least 1, is needed"):
        table({name: [] for name in GOOD})


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


def test_sessions_are_in_order():
    rows = {"contrast": [0.5] * 4, "choice": [1] * 4, "reward": [1] * 4}
    numbered = table({"subject": ["a"] * 4, "session": [10, 2, 1, 2], **rows})
    assert numbered.sessions("a") == ("1", "2", "10")
    dated = table({"subject": ["a"] * 4, "session": ["2024-05-01", "2023-06-01", "2024-01-01", "2023-06-01"], **rows})
    assert dated.sessions("a") == ("2023-06-01", "2024-01-01", "2024-05-01")
    with pytest.raises(ValueError, match="subject is 'b', which is not known; known are: a"):
        dated.sessions("b")

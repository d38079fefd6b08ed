"""Figures for papers: text that can be edited, and the numbers of every panel."""

import csv

import numpy as np
import pytest

import festina as fs


@pytest.fixture
def figure():
    made, (left, right) = fs.plot.panels(1, 2)
    left.plot([0, 1, 2], [3.0, 2.0, np.nan], label="loss")
    left.fill_between([0, 1], [1.0, 2.0], [3.0, 5.0], label="ceiling")
    left.scatter([1.0], [4.0])
    left.axhline(1.0)
    left.set(xlabel="time", ylabel="loss")
    right.bar([0, 1], [0.2, 0.8], label="share")
    right.imshow([[1.0, 2.0], [3.0, 4.0]])
    return made


def test_every_number_that_is_drawn_is_given(figure):
    left, right = (fs.plot.numbers(ax) for ax in figure.axes)
    kinds = [(row[0], row[1]) for row in left]
    assert kinds == [("line", "loss")] * 3 + [("band", "ceiling")] * 2 + [("dots", "dots 2")]
    assert left[3][2:5] == (0.0, 1.0, 3.0)
    assert left[4][2:5] == (1.0, 2.0, 5.0)
    assert [row[2:4] for row in right if row[0] == "bar"] == [(0.0, 0.2), (1.0, 0.8)]
    assert [row[-1] for row in right if row[0] == "image"] == [1.0, 2.0, 3.0, 4.0]


def test_files_are_written_with_text_that_can_be_edited(figure, tmp_path):
    paths = fs.plot.export(figure, tmp_path / "result")
    assert [path.name for path in paths] == ["result.svg", "result.pdf", "result_a.csv", "result_b.csv"]
    assert ">loss</text>" in paths[0].read_text()
    assert b"/Type /Font" in paths[1].read_bytes()
    assert b"/Type3" not in paths[1].read_bytes().replace(b" ", b"")
    rows = list(csv.reader(paths[2].read_text().splitlines()))
    assert rows[0] == ["kind", "series", "time", "loss", "upper", "value"]
    assert rows[1] == ["line", "loss", "0.0", "3.0", "", ""]
    before = paths[1].read_bytes()
    assert fs.plot.export(figure, tmp_path / "result")[1].read_bytes() == before


@pytest.mark.usefixtures("untyped")
def test_what_is_not_a_figure_is_named(tmp_path):
    with pytest.raises(ValueError, match="figure is 1"):
        fs.plot.export(1, tmp_path / "a")  # type: ignore[arg-type]

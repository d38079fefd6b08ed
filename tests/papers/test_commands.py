"""Settings of experiments as a person types them."""

import dataclasses
import json
import re
import sys

import pytest

import own_experiment
from festina.cli import main
from festina.papers import find
from festina.papers.claims import plain
from festina.papers.coverage import TAKES
from festina.papers.experiment import names

PLAIN = """\
    scales: tuple[float, ...] = setting((0.1,), "scales", above=0, most=1)
    kind: str = setting("a", "which", choices=("a", "b"))
"""
GROUPED = """\
    pairs: tuple[tuple[int, float], ...] = setting(((1, 0.5), (2, 1.0)), "pairs", above=0)
    two: tuple[tuple[float, ...], tuple[float, ...]] = setting(((1.0,), (2.0, 3.0)), "two lists", above=0)
"""
FILE = own_experiment.FILE.replace(PLAIN, GROUPED)


def run(capsys, tmp_path, *words):
    (tmp_path / "own.py").write_text(FILE)
    with pytest.raises(SystemExit) as stop:
        main(["run", str(tmp_path / "own.py"), "--out", str(tmp_path), *words])
    return stop.value.code, capsys.readouterr()


def test_groups_are_separated_by_semicolons(capsys, tmp_path):
    code, told = run(capsys, tmp_path, "--json", "--pairs", "3,0.25; 4,1e-2;", "--two", "1;2,3,4")
    assert code == 0
    settings = json.loads(told.out)["settings"]
    assert (settings["pairs"], settings["two"]) == ([[3, 0.25], [4, 0.01]], [[1.0], [2.0, 3.0, 4.0]])


@pytest.mark.parametrize(
    ("option", "text", "metavar"),
    [
        ("pairs", "1,2,3", "A,B;A,B;…"), ("pairs", "1", "A,B;A,B;…"), ("pairs", "1,x", "A,B;A,B;…"),
        ("pairs", "(1,2)", "A,B;A,B;…"), ("two", "1,2", "A,B,…;A,B,…"), ("two", "1;2;3", "A,B,…;A,B,…"),
    ],
)  # fmt: skip
def test_other_texts_are_refused_with_the_option_and_how_it_is_typed(capsys, tmp_path, option, text, metavar):
    code, told = run(capsys, tmp_path, f"--{option}", text)
    flat = " ".join(re.sub("[│╭╮╰╯─]", " ", told.err).split())
    assert code == 2
    assert f"Invalid value for '--{option}': '{text}' is not written as \"{metavar}\": numbers separated" in flat


def test_the_help_shows_how_groups_are_typed(capsys, tmp_path):
    code, told = run(capsys, tmp_path, "--help")
    flat = " ".join(re.sub("[│╭╮╰╯─]", " ", told.out).split())
    assert code == 0
    assert 'separated by semicolons and put in quotes: --pairs "1,0.5;2,1.0"' in flat


@pytest.mark.usefixtures("untyped")
def test_an_experiment_of_three_shapes_refuses_one():
    for name in ("balance", "regimes"):
        with pytest.raises(ValueError, match=rf"setting shapes of {name} is \(\(6, 6, 6\),\); tuple\["):
            find(name).settings(shapes=((6, 6, 6),))


def test_a_record_at_the_papers_settings_is_kept_until_its_experiment_is_named(tmp_path, monkeypatch, capsys):
    from festina.papers import __main__ as command

    ran = []
    monkeypatch.setattr(command, "measure_all", lambda *given: ran.append((given[0], given[-1])) or iter(()))
    made = {name: {"settings": {}, "claims": [], "seconds": 1.0} for name in ("semantic", "deep", "mnist")}
    made["deep"]["settings"] = plain(dataclasses.asdict(find("deep").settings(**TAKES["deep"][0])))
    (tmp_path / "claims.json").write_text(json.dumps(made), encoding="utf-8")

    def make(*words):
        monkeypatch.setattr(sys, "argv", ["papers", "--docs", str(tmp_path), *words])
        command.main()

    make()
    make("--published", "deep")
    assert ran == [([name for name in names() if name != "deep"], False), (["deep"], True)]
    with pytest.raises(SystemExit):
        make("--published")
    with pytest.raises(SystemExit):
        make("--published", "deep", "semantic")
    assert "--published: semantic can be run at the usual settings only. Experiments with " in capsys.readouterr().err

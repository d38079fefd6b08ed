"""The command line, as a process: what a person types and sees."""

import json
import re
import subprocess
import sys

import pytest

from festina.papers import names

EXPERIMENT = "structures"


def festina(*words):
    return subprocess.run([sys.executable, "-m", "festina", *words], capture_output=True, text=True, check=False)


def test_list_names_every_experiment_with_its_question():
    told = festina("list").stdout
    assert [line.split()[0] for line in told.splitlines()] == names()
    assert all(line.endswith("?") for line in told.splitlines())


def test_help_list_and_cite_import_neither_jax_nor_matplotlib():
    code = (
        "import sys; from festina.cli import main\n"
        "try: main({words})\n"
        "except SystemExit: pass\n"
        "print([m for m in ('jax', 'matplotlib', 'xarray', 'sklearn') if m in sys.modules], file=sys.stderr)"
    )
    for words in (["--help"], ["list"], ["cite", EXPERIMENT], ["run", "--help"]):
        run = subprocess.run(
            [sys.executable, "-c", code.format(words=words)], capture_output=True, text=True, check=False
        )
        assert run.stderr.strip().splitlines()[-1] == "[]", words


def test_cite_prints_bibtex_of_experiments_and_keys():
    assert festina("cite", "saxe2014").stdout.startswith("@inproceedings{saxe2014,")
    assert "@article{saxe2019," in festina("cite", EXPERIMENT).stdout
    wrong = festina("cite", "nobody1900")
    assert wrong.returncode == 64
    assert "known are:" in wrong.stderr


def test_json_is_alone_on_stdout_and_files_are_written(tmp_path):
    run = festina("run", EXPERIMENT, "--quick", "--json", "--out", str(tmp_path))
    told = json.loads(run.stdout)
    assert set(told) == {"settings", "claims", "values"}
    assert run.returncode == 0, run.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"{EXPERIMENT}.{s}" for s in ("json", "png", "svg")]
    assert json.loads((tmp_path / f"{EXPERIMENT}.json").read_text()) == told


def test_table_shows_every_claim_and_the_settings(tmp_path):
    run = festina("run", EXPERIMENT, "--quick", "--out", str(tmp_path))
    assert "we stand by" in run.stdout
    assert "settings:" in run.stdout


def test_exit_code_counts_verdicts_that_differ(monkeypatch, tmp_path):
    import dataclasses

    from festina import cli
    from festina.papers import find

    module = find(EXPERIMENT).module
    flipped = [dataclasses.replace(c, stands="open" if i < 2 else c.stands) for i, c in enumerate(module.claims)]
    assert len(flipped) >= 2
    monkeypatch.setattr(module, "claims", tuple(flipped))
    with pytest.raises(SystemExit) as stop:
        cli.main(["run", EXPERIMENT, "--quick", "--json", "--out", str(tmp_path)])
    assert stop.value.code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "nope"], r"experiment is 'nope'.*known are: .*semantic"),
        (["run", EXPERIMENT, "--out", __file__], r"out is '.*', which cannot be made a folder .*give another"),
        (["run", EXPERIMENT, "--nope", "3"], r"setting of structures is 'nope'.*known are: .*seed"),
    ],
)
def test_what_is_refused_gets_one_line_that_says_what_is_allowed(words, message):
    run = festina(*words)
    assert run.returncode == 64
    assert re.search(message, run.stderr)
    assert len(run.stderr.strip().splitlines()) == 1
    assert run.stdout == ""

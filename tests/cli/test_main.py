"""The command line: what a person types and sees."""

import contextlib
import io
import itertools
import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import jaxtyping
import numpy as np
import pytest
import typer

from festina.cli import _main
from festina.papers import names
from festina.papers.chapters import CHAPTERS
from own_experiment import FILE

pytestmark = pytest.mark.slow

EXPERIMENT = "structures"


def process(*words):
    """A command as a process of its own."""
    return subprocess.run([sys.executable, "-m", "festina", *words], capture_output=True, text=True, check=False)


def festina(*words, columns=80):
    """A command in this process, which saves its start; without the suite's checks of types, as a user has it."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setenv("COLUMNS", str(columns))
        patch.setattr(jaxtyping.config, "jaxtyping_disable", True)
        with pytest.raises(SystemExit) as stop:
            _main.main(words)
    return SimpleNamespace(returncode=stop.value.code or 0, stdout=out.getvalue(), stderr=err.getvalue())


def test_list_names_every_experiment_with_its_question():
    lines = festina("list").stdout.splitlines()
    assert all(len(line) <= 100 for line in lines)
    assert [line.strip() for line in lines if not line.startswith(" ")] == [part.title for part in CHAPTERS]
    assert [line.split()[0] for line in lines if re.match(r"  \S", line)] == names()
    assert " ".join(" ".join(lines).split()).count("?") == len(names())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_each_shell(shell):
    printed = festina("completion", shell).stdout
    assert f"_FESTINA_COMPLETE=complete_{shell}" in printed


def test_completion_refuses_an_unknown_shell():
    told = festina("completion", "tcsh")
    assert told.returncode == 64
    assert "shell 'tcsh'" in told.stderr
    assert "bash, fish, zsh" in told.stderr


@pytest.mark.parametrize(("line", "word"), [("festina rep", "report"), ("festina run sem", "semantic")])
def test_completion_knows_commands_and_experiments(line, word):
    words = line.split()
    asked = {"_FESTINA_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    command = [sys.executable, "-m", "festina"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **asked})
    assert word in told.stdout.split(), told.stderr


def test_version():
    assert re.fullmatch(r"festina \d+\.\d+\.\d+\S*\n", process("--version").stdout)


def test_a_file_of_ones_own_is_run_and_refused_where_something_is_missing(tmp_path):
    own = tmp_path / "own.py"
    own.write_text(FILE)
    run = process("run", str(own), "--seeds", "3", "--out", str(tmp_path), "--json")
    assert json.loads(run.stdout)["settings"]["seeds"] == 3, run.stderr
    own.write_text(FILE.replace("caption", "other"))
    run = festina("run", str(own))
    assert run.returncode == 64
    assert "own.py is not a whole experiment; it lacks caption" in run.stderr


def test_ctrl_c_says_how_to_continue(tmp_path):
    own = tmp_path / "own.py"
    own.write_text(FILE.replace("    return Results(", "    raise KeyboardInterrupt\n    return Results("))
    run = process("run", str(own), "--out", str(tmp_path))
    assert run.returncode == 130
    assert "the same command continues, --fresh starts again" in run.stderr


def test_help_list_and_cite_import_neither_jax_nor_matplotlib():
    code = (
        "import sys; from festina.cli._main import main\n"
        "try: main({words})\n"
        "except SystemExit: pass\n"
        "print([m for m in {heavy} if m in sys.modules], file=sys.stderr)"
    )
    heavy = ["jax", "matplotlib", "xarray", "sklearn"]
    for words in (["--help"], ["list"], ["cite", EXPERIMENT], ["run", "--help"]):
        known = heavy + ["numpy"] * (words == ["--help"])  # which is most of what the help would wait for
        run = subprocess.run(
            [sys.executable, "-c", code.format(words=words, heavy=known)], capture_output=True, text=True, check=False
        )
        assert run.stderr.strip().splitlines()[-1] == "[]", words


def test_the_help_says_what_the_commands_say():
    from festina.cli import _commands

    told = {
        name: (one.help or "").split("\n\n")[0] for name, one in typer.main.get_group(_commands.app).commands.items()
    }
    assert {name: " ".join(text.split()) for name, text in told.items()} == _main.COMMANDS


def test_the_list_follows_the_width_of_the_terminal_and_flags_have_no_type():
    for columns in (60, 80):
        shown = festina("list", columns=columns).stdout.splitlines()
        assert 0.8 * columns < max(map(len, shown)) <= columns
    for words in ((), ("run",), ("run", EXPERIMENT), ("sweep", "run"), ("report",), ("explain",), ("fit-behaviour",)):
        shown = festina(*words, "--help").stdout
        assert "--help" in shown
        assert "<bool>" not in shown
        assert max(map(len, shown.splitlines())) <= 80


def test_the_help_of_an_experiment_fills_its_lines():
    shown = festina("run", EXPERIMENT, "--help").stdout
    told = [line.strip() for line in shown.split("╭")[0].splitlines()]
    broken = [one for one, after in itertools.pairwise(told) if one and after and len(one + after.split()[0]) < 70]
    assert broken == []


def test_cite_prints_bibtex_of_experiments_and_keys():
    assert festina("cite", "saxe2014").stdout.startswith("@inproceedings{saxe2014,")
    assert "@article{saxe2019," in festina("cite", EXPERIMENT).stdout
    wrong = festina("cite", "nobody1900")
    assert wrong.returncode == 64
    assert "Known:" in wrong.stderr


def test_json_is_alone_on_stdout_and_files_are_written(tmp_path):
    run = process("run", "reversal", "--quick", "--json", "--out", str(tmp_path))
    told = json.loads(run.stdout)
    assert set(told) == {"settings", "claims", "values", "panels"}
    assert [len(panel["series"]) > 1 for panel in told["panels"]] == [True, True]
    assert run.returncode == 0, run.stderr
    endings = (".json", ".pdf", ".png", ".svg", "_a.csv", "_b.csv")
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"reversal{kind}" for kind in endings]
    assert json.loads((tmp_path / "reversal.json").read_text()) == told


def test_table_shows_every_claim_and_the_settings(tmp_path, capsys):
    own = tmp_path / "own.py"
    own.write_text(FILE)
    with pytest.raises(SystemExit) as stop:
        _main.main(["run", str(own), "--quick", "--out", str(tmp_path)])
    assert stop.value.code == 0
    told = capsys.readouterr().out
    assert "✓ holds" in told
    assert "There are few networks." in " ".join(told.split())
    assert "Is a file an experiment?" in told
    assert "settings:" in told


def test_exit_code_counts_verdicts_that_differ(tmp_path):
    more = """
from festina.papers import Claim

few_1, few_2 = (
    Claim(f"few {k}", "There are few networks.", lambda c: c.count, 5, source="saxe2014", expected="fails")
    for k in range(2)
)
"""
    own = tmp_path / "own.py"
    own.write_text(FILE + more)
    with pytest.raises(SystemExit) as stop:
        _main.main(["run", str(own), "--quick", "--json", "--out", str(tmp_path)])
    assert stop.value.code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "semantik"], r"experiment 'semantik' is unknown. Did you mean 'semantic'\?$"),
        (["run", EXPERIMENT, "--seeds", "0"], r"setting seeds of structures is 0; >= 1 is needed"),
        (["run", EXPERIMENT, "--out", __file__], r"out is '.*', which cannot be made a folder .*give another"),
        (["run", EXPERIMENT, "--nope", "3"], r"setting of structures 'nope'.*Known: .*seed"),
    ],
)
def test_what_is_refused_gets_one_line_that_says_what_is_allowed(words, message):
    run = festina(*words)
    assert run.returncode == 64
    assert re.search(message, run.stderr)
    assert len(run.stderr.strip().splitlines()) == 1
    assert run.stdout == ""


def test_theories_says_what_applies_to_ones_own_data(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "data.npz"
    np.savez(path, x=rng.standard_normal((20, 4)), y=rng.standard_normal((20, 2)))
    told = festina("theories", str(path), "--hidden", "8", "--std", "0.001").stdout
    assert "independent modes by fs.Reduced()" in told
    assert "✓ without any assumption: fs.Flow()" in told
    assert festina("theories", str(path), "--hidden", "8", "--network", "relu").returncode == 0
    for words, message in (
        (["--hidden", "eight"], "hidden is 'eight'; whole numbers are needed"),
        (["--hidden", "8", "--network", "rely"], "Did you mean 'relu'?"),
        (["--hidden", "8", "--std", "-1"], "std is -1.0"),
    ):
        run = festina("theories", str(path), *words)
        assert run.returncode == 64
        assert message in run.stderr


def test_theories_take_classes_as_explain_does(tmp_path, monkeypatch, capsys):
    """A process per case would take seconds; what is printed is the same."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x, classes = rng.standard_normal((12, 4)), np.arange(12) % 3
    np.savez("inputs.npz", x=x)
    np.savez("numbers.npz", x=x, y=classes)
    np.savez("words.npz", x=x, y=np.array(["a", "b", "c"])[classes])
    (tmp_path / "numbers.csv").write_text("\n".join(map(str, classes)))
    (tmp_path / "words.csv").write_text("\n".join("abc"[k] for k in classes))

    def ask(*words):
        with pytest.raises(SystemExit) as stop:
            _main.main(["theories", *words, "--hidden", "5"])
        return stop.value.code, capsys.readouterr()

    told = [ask("numbers.npz"), ask("words.npz")]
    told += [ask("inputs.npz", "--labels", name) for name in ("numbers.csv", "words.csv")]
    assert [code for code, _ in told] == [0, 0, 0, 0]
    texts = {text.out.split("\n", 1)[1] for _, text in told}
    assert len(texts) == 1
    assert all("3 outputs" in text.out.splitlines()[0] for _, text in told)
    code, text = ask("numbers.npz", "--labels", "words.csv")
    assert code == 64
    assert "which holds y; both are targets: leave labels out" in text.err


@pytest.mark.parametrize("words", [["run", "reversal", "--help"], ["report", "--help"]])
def test_a_terminal_without_unicode_is_no_obstacle(words):
    """These texts hold signs that ASCII does not have."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "festina", *words]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "\\u" in run.stdout


def test_ctrl_c_ends_with_one_line(monkeypatch, capsys):
    from festina import __main__, cli

    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", interrupted)
    with pytest.raises(SystemExit) as stop:
        __main__.main()
    assert (stop.value.code, capsys.readouterr().err) == (130, "festina: stopped\n")

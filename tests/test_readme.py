"""The README says what is true: its example runs and prints what it shows, its links lead somewhere."""

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import festina as fs
from festina.papers.table import COUNTS_BEGIN, COUNTS_END, counts, counts_markdown, stored

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
WRITTEN = [page for page in (ROOT / "docs").rglob("*.md") if "generated" not in page.parts]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *WRITTEN])


def test_example_prints_what_the_readme_shows():
    ((code, shown),) = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", README, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == shown


def test_counts_of_claims_are_those_of_the_table():
    facts = json.loads((ROOT / "docs" / "claims.json").read_text(encoding="utf-8"))
    found = counts(each for name in facts for each in stored(name, facts[name]))
    assert f"{COUNTS_BEGIN}\n{counts_markdown(found)}{COUNTS_END}" in README


def test_commands_exist_in_the_makefile():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for command in re.findall(r"^make ([a-z]+)$", README, re.MULTILINE):
        assert command in targets


def test_commands_of_the_command_line_exist():
    told = subprocess.run(
        [sys.executable, "-m", "festina", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for page in PAGES:
        fenced = re.findall(r"^```\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        for command in re.findall(r"^festina ([a-z]+)", "\n".join(fenced), re.MULTILINE):
            assert f" {command} " in told, f"{page.name} calls festina {command}"


def test_links_lead_somewhere():
    lost = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            # pages that are generated while the documentation is built are followed by test_docs.py
            if not (target.startswith("http") or "generated/" in target or (page.parent / target).exists()):
                lost.append(f"{page.name} links to {target}")
    assert lost == []


@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "README.md"], ids=lambda page: page.name)
def test_code_blocks_of_the_docs_run(page, tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", page.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for block, shown in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, page.name, "exec"), scope)
        if shown:  # long lines are broken on the page
            assert printed.getvalue().split() == shown.split()


@pytest.fixture(name="examples", scope="module")
def run_examples(tmp_path_factory):
    """Run an example once, whoever asks: what it printed, and the folder it wrote to."""
    done = {}

    def run(name):
        if name not in done:
            folder = tmp_path_factory.mktemp("examples")
            script = str(ROOT / "examples" / name)
            command = [sys.executable, "-W", "error", script, str(folder)]
            found = subprocess.run(command, capture_output=True, text=True, check=False)
            assert found.returncode == 0, found.stderr
            done[name] = (found.stdout, folder)
        return done[name]

    return run


def test_first_example_writes_its_figures(examples):
    _, folder = examples("first.py")
    assert {path.name for path in folder.iterdir()} == {"first.png", "first.svg"}


def test_the_animation_is_small_and_says_what_it_shows(examples):
    printed, folder = examples("animation.py")
    for name in ("learning.svg", "learning_dark.svg"):
        drawn = (folder / name).read_text(encoding="utf-8")
        assert len(drawn) < 200_000
        # prediction, training, and the words that come with training and with its end
        assert drawn.count("<animate") == 4
        assert re.findall(r"[\d.]+ % of the area below", drawn) == re.findall(r"[\d.]+ % of the area below", printed)
        assert all(item in drawn for item in fs.tasks.living_things(8).items)


def test_the_figure_of_the_readme_is_what_the_readme_says(examples):
    printed, folder = examples("no_free_parameter.py")
    ends = (".png", ".svg", "_dark.png")
    assert {path.name for path in folder.iterdir()} == {f"no_free_parameter{end}" for end in ends}
    rows = re.findall(r"^(\w+).*? (\d+) networks, .*largest ([\d.]+)%", printed, re.MULTILINE)
    worst = {"linear": 0.0, "gated": 0.0, "ReLU": 0.0}
    for kind, _, largest in rows:
        worst[kind] = max(worst[kind], float(largest))
    said = re.search(r"of (\d+) networks of (\w+) kinds.*?within\s+([\d.]+) %.*?within\s+([\d.]+) %", README, re.DOTALL)
    assert said is not None
    assert said[2] == "five"
    assert len(rows) == 5
    assert int(said[1]) == sum(int(count) for _, count, _ in rows)
    assert (float(said[3]), float(said[4])) == (max(worst["linear"], worst["gated"]), worst["ReLU"])

"""The README says what is true: its example runs and prints what it shows, its links lead somewhere."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])


def test_example_prints_what_the_readme_shows():
    ((code, shown),) = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", README, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == shown


def test_commands_exist_in_the_makefile():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for command in re.findall(r"^make ([a-z]+)$", README, re.MULTILINE):
        assert command in targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
        assert target.startswith("http") or (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "README.md"], ids=lambda page: page.name)
def test_code_blocks_of_the_docs_run(page, tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for block in blocks:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block, page.name, "exec"), scope)
    assert all(isinstance(block, str) for block in blocks)


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda script: script.name)
def test_examples_run_and_write_their_figures(script, tmp_path):
    run = subprocess.run(
        [sys.executable, "-W", "error", str(script), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert {path.suffix for path in tmp_path.iterdir()} == {".png", ".svg"}

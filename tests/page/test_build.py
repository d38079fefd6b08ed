"""The built page in the package is what its source builds, and its source passes its own tests."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from festina.page import page_path, topic_settings, widget_path

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
BUILT = ("index.html", "widget.js", "topics.json")


@pytest.fixture(scope="module", name="source")
def install(tmp_path_factory):
    """The page's source with its tools, away from the working tree."""
    if shutil.which("npm") is None:
        pytest.skip("needs Node and npm")
    source = tmp_path_factory.mktemp("page") / "web"
    shutil.copytree(WEB, source, ignore=shutil.ignore_patterns("node_modules"))
    npm(source, "ci", "--no-audit", "--no-fund", "--prefer-offline")
    return source


def npm(source, *words):
    quiet = {**os.environ, "NO_COLOR": "1", "CI": "true"}
    run = subprocess.run(["npm", *words], cwd=source, env=quiet, capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"npm {' '.join(words)}\n{run.stdout}\n{run.stderr}"
    return run.stdout


def test_the_built_page_is_what_the_source_builds(source):
    npm(source, "run", "build")
    made = source.parent / "src" / "festina" / "page"
    assert sorted(path.name for path in made.iterdir()) == sorted(BUILT)
    for name in BUILT:
        assert (made / name).read_bytes() == page_path().with_name(name).read_bytes(), f"{name}: run make page"


def test_types_fit(source):
    npm(source, "run", "check")


def test_formulas_in_the_browser_are_those_of_the_library(source):
    assert re.search(r"Tests +\d+ passed", npm(source, "run", "test"))


def test_the_page_is_one_file_that_names_no_other():
    page = page_path().read_text(encoding="utf-8")
    assert not re.search(r"<(script|img|link|iframe)[^>]+(src|href)=\"(?!data:)", page)
    assert page.count("<script") == 1
    assert not re.search(r"@import|url\((?!#|\\?\"?data:)", page.split("<script")[0])


def test_the_lock_names_no_registry():
    assert '"resolved"' not in (WEB / "package-lock.json").read_text(encoding="utf-8")


def test_topics_have_names_titles_questions_and_controls():
    for name, topic in topic_settings().items():
        assert re.fullmatch(r"[a-z_]+", name)
        assert topic["question"].endswith("?")
        assert topic["title"]
        identities = [control["id"] for control in topic["controls"]]
        assert len(set(identities)) == len(identities) > 0


def test_the_wheel_carries_the_built_files():
    from hatchling.builders.wheel import WheelBuilder

    inside = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert {f"festina/page/{name}" for name in BUILT} <= inside
    assert not [path for path in inside if "node_modules" in path or path.startswith("web/")]
    assert json.loads(page_path().with_name("topics.json").read_text(encoding="utf-8"))
    assert widget_path().stat().st_size > 0

"""The documentation builds without a warning, shows everything there is, and no link in it leads nowhere."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from playwright.sync_api import sync_playwright

import festina as fs
from festina import sweeps
from festina.papers import names

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))
GALLERY = sorted((ROOT / "examples" / "gallery").glob("*.py"))


class Page(HTMLParser):
    """Anchors of a page, what it links to, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loaded, self.cells = set(), [], [], 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors.add(given.get("id"))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        loads = {"script": "src", "img": "src", "link": "href"}.get(tag)
        if loads and given.get(loads):
            self.loaded.append(given[loads])


def build(folder):
    """The pages in HTML: those of ``make docs``, or built from a copy, so that the repository stays as it is."""
    if "FESTINA_DOCS" in os.environ:
        return (ROOT / os.environ["FESTINA_DOCS"]).resolve()
    source = folder / "docs"
    shutil.copytree(ROOT / "docs", source, ignore=shutil.ignore_patterns("generated", "__pycache__", "__marimo__"))
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for page in ("README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / page, folder)
    command = ["sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html", str(source), str(folder / "html")]
    run = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "html"


def inventory(path):
    """Names of the Python objects that the API documents."""
    data = path.read_bytes()
    body = zlib.decompress(data.split(b"\n", 4)[4]).decode("utf-8")
    return {line.split()[0] for line in body.splitlines() if " py:" in line}


def follow(pages):
    """Every link and everything loaded, as (page, target, problem) where something is wrong."""
    for path, page in pages.items():
        for target in page.links + page.loaded:
            address, _, fragment = target.partition("#")
            if re.match(r"(https?|mailto):", address):
                if target in page.loaded:
                    yield path.name, target, "is loaded from outside"
                continue
            if address.startswith("data:"):
                continue
            file = (path.parent / unquote(address.partition("?")[0])).resolve() if address else path
            if not file.exists():
                yield path.name, target, "is not there"
            elif fragment and file in pages and unquote(fragment) not in pages[file].anchors:
                yield path.name, target, "has no such anchor"


PLOTS = (
    "decision",
    "distances",
    "error_surface",
    "fit",
    "loss",
    "representations",
    "schematic",
    "strengths",
    "two_points",
)
"""Plots whose pages show what their examples draw."""


def test_documentation_builds_and_is_whole(tmp_path):
    html = build(tmp_path.resolve())
    pages = {path: Page(path) for path in sorted(html.rglob("*.html"))}
    assert list(follow(pages)) == []

    measured = json.loads((ROOT / "docs" / "claims.json").read_text(encoding="utf-8"))
    for name in (name for name in names() if name in measured):
        text = (html / "generated" / "experiments" / f"{name}.html").read_text(encoding="utf-8")
        assert f"{name}.png" in text
        assert text.count('<li class="claim ') == len(measured[name]["claims"])
        assert text.count("<tr") == 1 + len(measured[name]["settings"])

    listed = inventory(html / "objects.inv")
    shown = json.loads(subprocess.run(
        [sys.executable, "-c", PUBLIC, str(ROOT / "docs" / "_make")], capture_output=True, text=True, check=True
    ).stdout)  # fmt: skip
    assert len(shown) > 100
    assert set(shown) - listed == set()
    drawn = [pages[html / "generated" / "api" / "names" / f"festina.plot.{name}.html"] for name in PLOTS]
    assert all(any(source.endswith(".png") for source in page.loaded) for page in drawn)

    gallery = (html / "gallery.html").read_text(encoding="utf-8")
    assert len(GALLERY) >= 8
    for script in GALLERY:
        assert f"{script.stem}.png" in gallery
    for notebook in NOTEBOOKS:
        page = pages[html / "generated" / "notebooks" / f"{notebook.stem}.html"]
        assert sum(source.endswith(".png") for source in page.loaded) >= 2, notebook.name
    if shutil.which("chromium"):
        assert list(overflowing(html, ("index", "claims", "theory/linear", "generated/experiments/semantic"))) == []


LARGEST, SCREENS = 8, 3
"""Pages of the API that are opened, and how long they may be."""


def overflowing(html, names):
    """Pages that are wider than the window of a phone, a tablet or a desk, and pages of the API that are too long."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page()
        for name in names:
            tab.goto((html / f"{name}.html").as_uri())
            for width in (390, 1024, 1280, 1366, 1440, 1600):
                tab.set_viewport_size({"width": width, "height": 800})
                if tab.evaluate("document.documentElement.scrollWidth") > width:
                    yield name, width
        tab.set_viewport_size({"width": 1440, "height": 900})
        reference = (html / "generated" / "api" / "names").glob("*.html")
        for path in sorted(reference, key=lambda path: -path.stat().st_size)[:LARGEST]:
            tab.goto(path.as_uri())
            screens = tab.evaluate("document.querySelector('article').scrollHeight / innerHeight")
            if screens > SCREENS:
                yield path.name, screens
        tab.goto(
            (html / "generated" / "api" / "names" / "festina.Trajectory.html").as_uri() + "#festina.Trajectory.plot"
        )
        if tab.locator("details.member[open]").count() != 1:
            yield "a link to a member does not unfold it"
        browser.close()


PUBLIC = """
import json, sys
sys.path.insert(0, sys.argv[1])
import api
print(json.dumps([f"{package}.{name}" for package, names in api.public().items() for name, _ in names]))
"""


GOALS = """
import json, sys
sys.path.insert(0, sys.argv[1])
import api
print(json.dumps([f"{package}.{name}" for rows in api.by_goal().values() for package, name, _ in rows]))
"""


def test_every_public_name_stands_under_one_goal_of_a_user():
    goal, all_ = (
        json.loads(subprocess.run(
            [sys.executable, "-c", code, str(ROOT / "docs" / "_make")], capture_output=True, text=True, check=True
        ).stdout)
        for code in (GOALS, PUBLIC)
    )  # fmt: skip
    assert sorted(goal) == sorted(set(all_) - {"festina.__version__"})


def test_notebooks_run_as_scripts(tmp_path):
    # as a script a notebook runs its app, as the test of its sliders does in this process: one stands for all
    for notebook in NOTEBOOKS:
        assert notebook.read_text(encoding="utf-8").endswith('\n\nif __name__ == "__main__":\n    app.run()\n'), (
            notebook
        )
    command = [sys.executable, "-W", "error", str(NOTEBOOKS[0])]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_with_all_sliders_at_either_end(notebook):
    import marimo

    found = importlib.util.spec_from_file_location(f"notebook_{notebook.stem}", notebook)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    _, defined = module.app.run()
    controls = {k: v for k, v in defined.items() if isinstance(v, marimo.ui.slider | marimo.ui.dropdown)}
    kept = {k: SimpleNamespace(value=v.value) for k, v in controls.items()}
    sliders = {k: v for k, v in controls.items() if isinstance(v, marimo.ui.slider)}
    assert len(sliders) >= 3
    for end in ("start", "stop"):
        moved = {k: SimpleNamespace(value=getattr(v, end)) for k, v in sliders.items()}
        # a cell that makes several controls is replaced as a whole
        module.app.run(defs={"shapes": [], **kept, **moved} if "shapes" in defined else {**kept, **moved})


WITHOUT_EXAMPLE = {
    "festina.sweeps.Dask", "festina.sweeps.Slurm",  # an example would need a cluster
    "festina.sweeps.code_version", "festina.sweeps.festina_version", "festina.sweeps.load_file",  # for experiments
    # parts of results, which examples of the results show
    "festina.gated.Node", "festina.gated.Runner", "festina.sweeps.Failure", "festina.linear.CategoryRecovery",
    "festina.representation.PairStart", "festina.representation.Rates", "festina.representation.Scored",
    "festina.tasks.DrawRegressions", "festina.tasks.DrawSequences",
}  # fmt: skip

EXEMPLARY = (fs, fs.tasks, fs.initial, fs.linear, fs.gated, fs.representation, fs.behaviour, fs.plot, sweeps)


def test_public_names_have_an_example():
    silent = []
    for package in EXEMPLARY:
        for name, value in vars(package).items():
            where = f"{package.__name__}.{name}"
            if name.startswith("_") or not callable(value) or where in WITHOUT_EXAMPLE:
                continue
            written = [value, *(vars(value).values() if isinstance(value, type) else ())]
            if not any(">>> " in (getattr(part, "__doc__", None) or "") for part in written):
                silent.append(where)
    assert silent == []


def test_gallery_scripts_are_short_and_tell_what_they_show():
    for script in GALLERY:
        text = script.read_text(encoding="utf-8")
        _, doc, code = text.split('"""', 2)
        assert re.match(r"\w.*[.?]\n\n\w", doc), f"{script.name} needs a title and an explanation"
        assert len([line for line in code.splitlines() if line.strip()]) <= 35
        assert f'savefig("{script.stem}.png")' in code

"""The marimo notebooks as they look at their first settings, for those who only read."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from gallery import digest

ANSWER = re.compile(r"/// details \| (.*?)\n(.*?)\n///", re.DOTALL)

EXPORT = """
import multiprocessing, runpy, sys
server = multiprocessing.get_context("forkserver")
server.set_forkserver_preload(["marimo._runtime.runtime", "jax", "matplotlib.pyplot", "scipy.integrate", "festina"])
multiprocessing.get_context = lambda method=None: server
for notebook, page in list(zip(sys.argv[1::2], sys.argv[2::2])):
    sys.argv = ["marimo", "export", "ipynb", notebook, "-o", page, "--include-outputs", "--force"]
    try:
        runpy.run_module("marimo", run_name="__main__")
    except SystemExit as end:
        if end.code:
            raise
"""
"""marimo runs each in a process of its own, which is forked from one that has loaded what they import."""


def still(cell: dict[str, Any]) -> dict[str, Any] | None:
    """A cell with its code and its answers folded; None for sliders, which only a running notebook has, and imports."""
    if cell["cell_type"] == "markdown":
        folded = r"<details><summary>\1</summary>\n\n\2\n\n</details>"
        return cell | {"source": ANSWER.sub(folded, "".join(cell["source"]))}
    kept = [out for out in cell["outputs"] if "marimo-" not in json.dumps(out)]
    return cell | {"outputs": kept, "metadata": {"tags": ["hide-input"]}} if kept else None


def write(folder: Path, notebooks: Path) -> None:
    """Every notebook that has changed is run once and exported with its outputs."""
    folder.mkdir(parents=True, exist_ok=True)
    stamps = {path: folder / f"{path.stem}.txt" for path in sorted(notebooks.glob("[!_]*.py"))}
    stale = [p for p, stamp in stamps.items() if not stamp.exists() or stamp.read_text() != digest(p)]
    pages = [folder / f"{path.stem}.ipynb" for path in stale]
    pairs = [str(part) for pair in zip(stale, pages, strict=True) for part in pair]
    command = [sys.executable, "-c", EXPORT, *pairs]
    run = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    if run.returncode or not all(page.exists() for page in pages):
        raise RuntimeError(f"a notebook does not run:\n{run.stdout}{run.stderr}")
    for notebook, page in zip(stale, pages, strict=True):
        found = json.loads(page.read_text(encoding="utf-8"))
        found["cells"] = [kept for cell in found["cells"] if (kept := still(cell)) is not None]
        page.write_text(json.dumps(found), encoding="utf-8")
        stamps[notebook].write_text(digest(notebook))

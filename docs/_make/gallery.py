"""The gallery: every script of ``examples/gallery`` is run, its figure shown above its code."""

import contextlib
import hashlib
import io
import runpy
import warnings
from html import escape
from importlib.resources import files
from pathlib import Path

DENSITY = 1.5
"""Pixels of a figure for one of the page."""

PACKAGE = Path(str(files("festina")))


def digest(script: Path) -> str:
    """Hash of the script and of the package it uses: a figure is made again when either changes."""
    found = hashlib.sha256(script.read_bytes())
    for path in sorted(PACKAGE.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def draw(script: Path, folder: Path) -> Path:
    """Run a script in ``folder``; the figure it saves there, named like the script."""
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("error")
        runpy.run_path(str(script), run_name="__main__")
    return folder / f"{script.stem}.png"


def told(script: Path) -> tuple[str, str, str]:
    """Title, explanation and code of a script: its docstring, and what comes after it."""
    text = script.read_text(encoding="utf-8")
    _, doc, code = text.split('"""', 2)
    title, _, body = doc.partition("\n\n")
    return title.strip().rstrip("."), body.strip(), code.strip()


def shown(figure: Path) -> int:
    """Width on a page such that letters are as large as in the text: a PNG says its pixels in its first bytes."""
    return round(int.from_bytes(figure.read_bytes()[16:20], "big") / DENSITY)


def write(folder: Path, scripts: Path) -> None:
    """One page with all of them, the figures beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    parts, thumbs = [], []
    for script in sorted(scripts.glob("*.py")):
        title, body, code = told(script)
        # figures of the documentation lie in one folder: experiments have some of these names, too
        stamp, figure = folder / f"{script.stem}.txt", folder / f"gallery_{script.stem}.png"
        if not (figure.exists() and stamp.exists() and stamp.read_text() == digest(script)):
            draw(script, folder).replace(figure)
            stamp.write_text(digest(script))
        image = f"```{{image}} generated/gallery/{figure.name}\n:alt: {title}\n:width: {shown(figure)}px\n```"
        anchor = f"gallery-{script.stem.replace('_', '-')}"  # as Sphinx writes it in the page
        picture = f'<img src="_images/{figure.name}" alt="" loading="lazy">'
        thumbs.append(f'<a href="#{anchor}">{picture}{escape(title)}</a>')
        parts.append(f"({anchor})=\n## {title}\n\n{body}\n\n{image}\n\n```python\n{code}\n```\n")
    glance = f'```{{raw}} html\n<div class="thumbs">{"".join(thumbs)}</div>\n```\n'
    (folder.parent / "gallery.txt").write_text("\n".join([glance, *parts]), encoding="utf-8")

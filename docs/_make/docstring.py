"""Docstrings as they stand in the code, made ready for Sphinx: equations kept as written, sources linked."""

import re
from typing import Any

from sphinx.application import Sphinx

SECTION = re.compile(r"(Args|Returns|Raises|Example|Attributes|Yields):$")
KEY = re.compile(r"\b[a-z]+(?:\d{4}|_lecture)\b")


def escape(text: str) -> str:
    """``|La − Lb|``, ``a*`` and ``lambda_`` are mathematics, not markup; what stands between double backticks stays."""
    parts = re.split(r"(``.*?``)", text)
    return "".join(part if part.startswith("``") else re.sub(r"([\\*|`_])", r"\\\1", part) for part in parts)


def linked(text: str) -> str:
    """A source line whose keys lead to the list of references."""
    return KEY.sub(lambda found: f":ref:`{found[0]} <ref-{found[0]}>`", text)


def tidy(lines: list[str]) -> list[str]:
    """Prose is escaped, indented equations become literal blocks, arguments and examples are left to napoleon."""
    found: list[str] = []
    section = ""
    literal = source = bullet = listed = False
    for line in lines:
        indented = line.startswith(" ")
        if line and not indented:
            section = line.rstrip(":") if SECTION.match(line) else ""
            source = line.startswith("Source:") or (source and not section)
            listed, bullet = bullet, bullet and line.startswith("- ")
        if section:
            literal = False
            found.append(line if section in ("Example", line.rstrip(":")) else _argument(line))
        elif line.startswith("- ") or (bullet and indented):
            if not bullet:
                found.append("")
            bullet = True
            found.append(escape(line))
        elif indented and not source:
            if not literal:
                found += ["", "::", ""]
            literal = True
            found.append("    " + line)
        elif not line:
            source = False
            found.append(line)
        else:
            if literal or (found and found[-1] and listed):
                found.append("")
            literal = False
            text = escape(line)
            found.append(linked(text.replace("\\_lecture", "_lecture")) if source else text)
    return found


def _argument(line: str) -> str:
    """Escape what follows the name of an argument."""
    name, colon, text = line.partition(": ")
    if line.startswith("    ") and not line.startswith("     ") and colon and "``" not in name:
        return f"{name}{colon}{escape(text)}"
    return escape(line)


def process(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Called for every docstring that is shown."""
    lines[:] = tidy(lines)


def skip(app: Sphinx, what: str, name: str, obj: Any, skipped: bool, options: Any) -> bool | None:
    """Leave out what a named tuple writes about its own fields, and what other libraries wrote."""
    doc = getattr(obj, "__doc__", None) or ""
    return True if doc.startswith("Alias for field number") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Before napoleon, which reads the sections."""
    app.connect("autodoc-process-docstring", process, priority=400)
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

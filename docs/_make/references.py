"""The list of references, from the bibliography of the package."""

import re
from importlib.resources import files
from pathlib import Path

BIB = Path(str(files("festina"))) / "references.bib"
ACCENTS = {"{\\'e}": "é", '{\\"o}': "ö", '{\\"u}': "ü", "--": "–"}


def entries(text: str) -> dict[str, dict[str, str]]:
    """Key to fields, braces and accents resolved."""
    for written, meant in ACCENTS.items():
        text = text.replace(written, meant)
    found = {}
    for key, body in re.findall(r"@\w+\{(\w+),\n(.*?)\n\}", text, re.DOTALL):
        fields = re.findall(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", body, re.MULTILINE)
        found[key] = {name: re.sub(r"[{}]", "", given) for name, given in fields}
    return found


def write(path: Path) -> None:
    """One paragraph per entry, with an anchor that docstrings and experiments link to."""
    parts = ["# References\n\nThe keys are those of `festina cite` and of the source lines in the code.\n"]
    for key, fields in entries(BIB.read_text(encoding="utf-8")).items():
        where = fields.get("journal") or fields.get("booktitle") or fields.get("note") or fields.get("publisher", "")
        facts = [fields.get("author", "").replace(" and ", "; "), f"*{fields['title']}*", where, fields.get("year", "")]
        parts.append(f"(ref-{key})=\n**{key}**: " + ". ".join(fact for fact in facts if fact) + ".\n")
    path.write_text("\n".join(parts), encoding="utf-8")

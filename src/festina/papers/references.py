"""The sources, from ``references.bib``."""

import re
from importlib.resources import files


def entries() -> dict[str, str]:
    """BibTeX entries by key."""
    text = files("festina").joinpath("references.bib").read_text(encoding="utf-8")
    parts = re.split(r"\n(?=@)", text.strip())
    return {part[part.index("{") + 1 : part.index(",")]: part.strip() for part in parts}

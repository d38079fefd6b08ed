"""The sources, from ``references.bib``."""

import re
from importlib.metadata import version
from importlib.resources import files

OWN = """@software{festina,
  author  = {{The festina developers}},
  title   = {festina: predict how a neural network will learn, explain why, and check it against the network},
  version = {VERSION},
  year    = {2026},
}"""
"""The entry of this library."""


def entries() -> dict[str, str]:
    """BibTeX entries by key."""
    text = files("festina").joinpath("references.bib").read_text(encoding="utf-8")
    parts = re.split(r"\n(?=@)", text.strip())
    return {part[part.index("{") + 1 : part.index(",")]: part.strip() for part in parts}


def own_entry() -> str:
    """The BibTeX entry of this library, in the version that is installed."""
    return OWN.replace("VERSION", version("festina"))

"""The sources in words, from their BibTeX entries."""

import re
import unicodedata
from functools import lru_cache

from festina.papers.references import entries

_ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "c": "\u0327", "v": "\u030c"}


def fields(entry: str) -> dict[str, str]:
    """Fields of a BibTeX entry, with accents resolved and the braces gone that only protect capitals."""
    found = re.findall(r"^\s*(\w+)\s*=\s*\{(.*)\},?\s*$", entry, re.MULTILINE)
    return {name.lower(): _resolved(value) for name, value in found}


@lru_cache(maxsize=1)
def short() -> dict[str, str]:
    """Every source as a text names it, by key: ``jarvis2025`` is Jarvis et al. 2025."""
    found = {}
    for key, entry in entries().items():
        known = fields(entry)
        names = [author.partition(",")[0].strip() for author in known["author"].split(" and ")]
        who = names[0] if len(names) == 1 else " & ".join(names) if len(names) == 2 else f"{names[0]} et al."
        who = f"{names[0]} et al." if "others" in names else who
        found[key] = f"{who} {known['year']}" if "year" in known else f"{who} (lecture)"
    return found


def readable(key: str) -> tuple[str, str, str]:
    """Authors, title, and where and when it appeared."""
    known = fields(entries()[key])
    authors = []
    for author in known["author"].split(" and "):
        last, _, first = (part.strip() for part in author.partition(","))
        initials = " ".join(f"{word[0]}." for word in first.split())
        authors.append("others" if last == "others" else f"{initials} {last}".strip())
    who = ", ".join(authors[:-1]) + (f" and {authors[-1]}" if len(authors) > 1 else authors[0])
    where = known.get("journal") or known.get("booktitle") or known.get("note") or known.get("publisher", "")
    volume = known.get("volume", "") + (f"({known['number']})" if "number" in known else "")
    facts = [where + (f" {volume}" if volume else ""), known.get("pages", ""), known.get("year", "")]
    return who, known["title"], ", ".join(fact for fact in facts if fact)


def _resolved(value: str) -> str:
    def accent(found: re.Match[str]) -> str:
        return unicodedata.normalize("NFC", found[2] + _ACCENTS[found[1]])

    value = re.sub(r"""\\(['`"^~]|[cv](?=\{|\s))\s*\{?\\?([A-Za-z])\}?""", accent, value)
    return re.sub(r"[{}]", "", value).replace("--", "–").replace("\\&", "&")

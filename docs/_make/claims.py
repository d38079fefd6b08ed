"""The table of claims as a page with filters, and a strip per claim: the measured number relative to its bound."""

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from references import BIB, entries

from festina.papers import find
from festina.papers.chapters import CHAPTERS
from festina.papers.claims import KINDS, SYMBOLS
from festina.papers.strip import strip
from festina.papers.table import caption_markdown, counts, counts_markdown, row, stored

KEY = re.compile(r"\b[a-z]+(?:\d{4}|_lecture)\b")

HEAD = """# Claims and verdicts

Every claim with its measured number. A claim ✓ *holds* or ✗ *fails* by its bound, and is ? *open* where the
bound is within two standard errors over seeds. In the strips the line in the middle is the bound, the shaded side is
where the claim holds, and the dot is what was measured, up to a factor of a hundred away. *Flips* is the chance that
the verdict would be another with other random seeds.

"""

FILTER = """<div class="claim-filter" role="group" aria-label="Show only some of the claims">
<label>verdict <select data-by="status"><option value="">all</option>{statuses}</select></label>
<label>kind <select data-by="kind"><option value="">all</option>{kinds}</select></label>
<label>search <input type="search" data-by="text" placeholder="words of a claim"></label>
<output></output></div>
"""


def sources(text: str, years: dict[str, str], root: str) -> str:
    """The source line with keys as author and year, linked to the references below ``root``."""
    return KEY.sub(
        lambda k: f'<a href="{root}references.html#ref-{k[0].replace("_", "-")}">{escape(years.get(k[0], k[0]))}</a>',
        escape(text),
    )


def authors() -> dict[str, str]:
    """Key to author and year."""
    found = {}
    for key, fields in entries(BIB.read_text(encoding="utf-8")).items():
        names = [name.split(",")[0].split()[-1] for name in fields.get("author", key).split(" and ")]
        who = names[0] if len(names) == 1 else f"{names[0]} & {names[1]}" if len(names) == 2 else f"{names[0]} et al."
        found[key] = f"{who} {fields.get('year', '')}".strip()
    return found


def listing(records: list[dict[str, Any]], years: dict[str, str], root: str) -> str:
    """Claims as a list, in HTML; ``root`` leads to the generated pages."""
    claims = "".join(item(each, years, root) for each in records)
    return f'```{{raw}} html\n<ul class="claims">{claims}</ul>\n```\n'


def item(found: dict[str, Any], years: dict[str, str], root: str) -> str:
    """A claim as an item of the list."""
    cells = row(found)
    beside = f'<span class="expected">{escape(cells.expected)}</span>' if cells.expected else ""
    bound, _, reason = cells.bound.partition(": ")
    cited = sources(cells.source, years, root)
    flips = "" if cells.flips == "–" else f" · flips: {escape(cells.flips)}"
    return (
        f'<li class="claim {found["status"]}" data-status="{found["status"]}" data-kind="{found["kind"]}">'
        f'<span class="sign" title="{found["status"]}">{SYMBOLS[found["status"]]}</span>'
        f'<div><p>{escape(cells.claim)}</p><p class="numbers">{strip(found)}<span><b>{escape(cells.measured)}</b> '
        f'<span class="bound">{escape(bound)}</span></span></p><p class="small">{escape(found["kind"])}'
        f"{': ' + escape(reason) if reason else ''}{flips} · {cited}{beside}</p></div></li>"
    )


def page(store: Path) -> str:
    """The page in Markdown with HTML in it."""
    facts = json.loads(store.read_text(encoding="utf-8"))
    found = {name: stored(name, facts[name]) for name in facts}
    years = authors()
    options = [
        "".join(f'<option value="{key}">{escape(words)}</option>' for key, words in pairs)
        for pairs in (
            [(s, f"{sign} {s}") for s, sign in SYMBOLS.items()],
            [(k, words.split(":")[0]) for k, words in KINDS.items()],
        )
    ]
    parts = [HEAD, counts_markdown(counts(each for records in found.values() for each in records)), ""]
    parts += ["```{raw} html", FILTER.format(statuses=options[0], kinds=options[1]) + "```", ""]
    for number, part in enumerate(CHAPTERS, 1):
        parts += [f"## {number}. {part.title}\n", f"{part.claimed} {part.found} {part.limits}\n"]
        for name in (name for name in part.names if name in found):
            experiment = find(name)
            parts += [
                f"### {experiment.question}\n",
                f"{caption_markdown(experiment).partition('** ')[0]}** "
                f"[The experiment](generated/experiments/{name}.md).\n",
                listing(found[name], years, "generated/"),
            ]
    return "\n".join(parts)

"""Sentences of the code as HTML; what goes into the page is escaped here."""

import re
from collections.abc import Mapping
from html import escape
from textwrap import dedent

from festina.papers.format import scientific


def prose(text: str, keys: Mapping[str, str] | None = None) -> str:
    """A sentence of the code as HTML: code words, exponents, indices, powers of ten; keys of sources become links."""
    parts = re.split(r"(``.*?``|`[^`]*`)", " ".join(text.split()))
    return "".join(
        f"<code>{escape(part.strip('`'))}</code>" if part.startswith("`") and part.strip("`") else _plain(part, keys)
        for part in parts
    )


def paragraphs(text: str, keys: Mapping[str, str] | None = None) -> str:
    """The body of a docstring as HTML: paragraphs, lists and, indented, displayed lines."""
    parts = []
    for block in filter(str.strip, text.split("\n\n")):
        text = block.strip("\n")
        lines = text.split("\n")
        if all(line.startswith(" ") for line in lines):
            parts.append(f"<pre>{escape(dedent(text))}</pre>")
        elif lines[0].startswith("- "):
            items = re.split(r"\n- ", block.strip()[2:])
            parts.append("<ul>" + "".join(f"<li>{prose(item, keys)}</li>" for item in items) + "</ul>")
        else:
            parts.append(f"<p>{prose(block, keys)}</p>")
    return "\n".join(parts)


def _plain(text: str, keys: Mapping[str, str] | None) -> str:
    text = escape(_signs(scientific(text)))
    text = re.sub(r"(?<!\S)(−\S+)", r'<span class="whole">\1</span>', text)
    # an index hangs on a letter or two; a longer word with an underscore is a name
    text = re.sub(
        r"(?<![A-Za-z0-9_&])([^\W\d_]{1,2})_(?:\{([^{}]*)\}|([A-Za-z0-9]+))",
        lambda m: f"{m[1]}<sub>{m[2] or m[3]}</sub>",
        text,
    )
    text = re.sub(r"(?<![A-Za-z0-9_&#])([A-Za-z])(\d)(?![A-Za-z0-9]|\.\d)", r"\1<sub>\2</sub>", text)
    text = re.sub(r"\^(?:\{([^{}]*)\}|([\w−+]+))", lambda m: f"<sup>{m[1] or m[2]}</sup>", text)
    text = text.replace("λ⊥", "λ<sub>⊥</sub>")
    for key, name in (keys or {}).items():
        text = re.sub(rf"\b{re.escape(key)}\b", f'<a href="#ref-{key}">{escape(name)}</a>', text)
    return text


def _signs(text: str) -> str:
    """Quotation marks, apostrophes, primes and minus signs as they are printed; short relations stay on one line."""
    text = re.sub(r'"([^"]*)"', "“\\1”", text)
    text = re.sub(r"(?<!\w)([a-z])'(?![a-z])", "\\1′", text)
    text = re.sub(r"(?<=\w)'", "’", text)
    text = re.sub(r"(?<![\w)])-(?=\d)", "−", text)
    return re.sub(r"(?<!\S)(\S{1,4}) ([=≤≥≈]) (?=\S{1,5}(?!\S))", "\\1\u00a0\\2\u00a0", text)

"""Numbers, times and sentences as a reader wants them; what goes into the page is escaped here."""

import math
import re
from collections.abc import Mapping
from html import escape
from typing import Any

DIGITS = 3
"""Significant digits of a measured number without a standard error."""

MOST = 12
"""Digits after which two numbers that still look alike are left so: those of the judges of exact forms."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SCIENTIFIC = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d+)(?![\w.])")


def number(value: float | None, digits: int = DIGITS) -> str:
    """A number with so many significant digits; very large and very small ones by a power of ten.

    Example:
        >>> from festina.papers.report._words import number
        >>> [number(v) for v in (0.00017551, 0.753119, 5613.2, 16, -0.5, None)]
        ['1.76×10⁻⁴', '0.753', '5613', '16', '−0.5', 'not finite']
    """
    if value is None or not math.isfinite(value):
        return "not finite"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}"))))
    if value == int(value) and size < 5:
        text = f"{int(value)}"
    elif -4 < size < 5:
        text = f"{value:.{max(digits - 1 - size, 0)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        return _power(f"{value:.{digits - 1}e}")
    return text.replace("-", "−")


def spread(value: float | None, error: float) -> str:
    """A number and its standard error, to the error's second digit: 0.911 ± 0.092."""
    if value is None or not math.isfinite(value) or not error or not math.isfinite(error):
        return number(value)
    size = math.floor(math.log10(max(abs(value), error)))
    shift = size if not -4 < size < 5 else 0
    value, error = value / 10**shift, error / 10**shift
    places = max(1 - math.floor(math.log10(error)), 0)
    text = f"{value:.{places}f} ± {error:.{places}f}".replace("-", "−")
    return f"({text})×10{str(shift).translate(_RAISED)}" if shift else text


def pair(measured: float | None, error: float, bound: float | None) -> tuple[str, str]:
    """Measured number and bound, with as many digits as tell them apart."""
    for digits in range(DIGITS, MOST):
        told = spread(measured, error) if error else number(measured, digits), number(bound, digits)
        if told[0] != told[1] or measured == bound or error:
            break
    return told


def duration(seconds: float) -> str:
    """Seconds in words: 0.4 s, 42 s, 3 min 20 s, 1 h 4 min."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def setting(value: Any) -> str:
    """A setting as one would write it: lists without brackets, small numbers by a power of ten."""
    if isinstance(value, list | tuple):
        return ", ".join(f"({setting(v)})" if isinstance(v, list | tuple) else setting(v) for v in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value).replace("-", "−")
    if isinstance(value, float):
        return _scientific(f"{value:g}").replace("-", "−")
    return "none" if value is None else str(value)


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
        lines = block.strip("\n").split("\n")
        if all(line.startswith(" ") for line in lines):
            parts.append(f"<pre>{escape(_dedented(lines))}</pre>")
        elif lines[0].startswith("- "):
            items = re.split(r"\n- ", block.strip()[2:])
            parts.append("<ul>" + "".join(f"<li>{prose(item, keys)}</li>" for item in items) + "</ul>")
        else:
            parts.append(f"<p>{prose(block, keys)}</p>")
    return "\n".join(parts)


def _plain(text: str, keys: Mapping[str, str] | None) -> str:
    text = escape(_signs(_scientific(text)))
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


def _scientific(text: str) -> str:
    return _SCIENTIFIC.sub(lambda m: _power(m[0]), text)


def _power(text: str) -> str:
    head, _, exponent = text.partition("e")
    head = head.rstrip("0").rstrip(".") if "." in head else head
    raised = f"10{str(int(exponent)).translate(_RAISED)}"
    head = head.replace("-", "−")
    return head[:-1] + raised if head in ("1", "−1") else f"{head}×{raised}"


def _dedented(lines: list[str]) -> str:
    least = min(len(line) - len(line.lstrip()) for line in lines)
    return "\n".join(line[least:] for line in lines)

"""Numbers, durations and settings as a reader wants them."""

import math
import re

DIGITS = 3  # significant digits of a measured number without a standard error
MAX_DIGITS = 12  # digits beyond which two numbers that still look alike are left so

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SCIENTIFIC = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d+)(?![\w.])")


def number(value: float | None, digits: int = DIGITS) -> str:
    """A number with a given number of significant digits; very large and very small ones by a power of ten.

    Example:
        >>> from festina.papers.format import number
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
        return power(f"{value:.{digits - 1}e}")
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
    """Measured number and bound, with enough digits to distinguish them."""
    texts = "", ""
    for digits in range(DIGITS, MAX_DIGITS):
        texts = spread(measured, error) if error else number(measured, digits), number(bound, digits)
        if texts[0] != texts[1] or measured == bound or error:
            break
    return texts


def chance(probability: float) -> str:
    """A probability in per cent; a dash if it is unknown.

    Example:
        >>> from festina.papers.format import chance
        >>> [chance(p) for p in (0.31, 0.0123, 1e-9, 0.0, float("nan"))]
        ['31 %', '1.2 %', '< 0.1 %', '< 0.1 %', '–']
    """
    if not math.isfinite(probability):
        return "–"
    if probability < 0.001:
        return "< 0.1 %"
    return f"{100 * probability:.{0 if probability >= 0.0995 else 1}f} %"


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


def value(given: object) -> str:
    """A setting as one would write it: lists without brackets, small numbers by a power of ten."""
    if isinstance(given, list | tuple):
        return ", ".join(f"({value(v)})" if isinstance(v, list | tuple) else value(v) for v in given)
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, int):
        return str(given).replace("-", "−")
    if isinstance(given, float):
        return scientific(f"{given:g}").replace("-", "−")
    return "none" if given in (None, "") else str(given)


def scientific(text: str) -> str:
    """A text in which numbers such as 1e-7 are written as powers of ten."""
    return _SCIENTIFIC.sub(lambda found: power(found[0]), text)


def power(text: str) -> str:
    """1.5e-07 as 1.5×10⁻⁷."""
    head, _, exponent = text.partition("e")
    head = head.rstrip("0").rstrip(".") if "." in head else head
    raised = f"10{str(int(exponent)).translate(_RAISED)}"
    head = head.replace("-", "−")
    return head[:-1] + raised if head in ("1", "−1") else f"{head}×{raised}"


WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def word(count: int) -> str:
    """A small whole number as a word; others in digits.

    Example:
        >>> from festina.papers.format import word
        >>> word(3), word(24)
        ('three', '24')
    """
    return WORDS[count] if 0 <= count < len(WORDS) else str(count)

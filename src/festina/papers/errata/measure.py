"""The errata of the printed documents, and the numbers that show each."""

import math
import time
from typing import Any

from festina.papers.errata.erratum import Erratum
from festina.runtime import track


def errata() -> tuple[Erratum, ...]:
    """All errors that were found in equations of the papers and the lecture notes, with computations that show them.

    Example:
        >>> from festina.papers.errata import errata
        >>> first = errata()[0]
        >>> print(first.where, "prints", first.printed, "for", first.correct)
        saxe_lecture, depth 1 prints e^{−t/τ} for e^{−d t/τ}
        >>> printed, corrected = first.measure()
        >>> corrected <= first.bound < printed
        True
    """
    from festina.papers.errata import jarvis, lecture, vanrossem

    parts = [part for module in (lecture, jarvis, vanrossem) for part in vars(module).values()]
    return tuple(part for part in parts if isinstance(part, Erratum))


def measured() -> dict[str, Any]:
    """All errata with their numbers, as plain data, and the seconds it took."""
    begun = time.perf_counter()
    found = [_one(erratum) for erratum in track(errata(), "errata")]
    return {"errata": found, "seconds": time.perf_counter() - begun}


def _one(erratum: Erratum) -> dict[str, Any]:
    said = {name: getattr(erratum, name) for name in ("where", "printed", "correct", "reference")}
    try:
        errors = erratum.measure()
        problem = None
    except Exception as error:  # one erratum that cannot be measured must not hide the others
        errors, problem = (math.nan, math.nan), f"{type(error).__name__}: {error}"
    of_printed, of_correct = (float(e) if math.isfinite(e) else None for e in errors)
    return said | {
        "printed_error": of_printed,
        "correct_error": of_correct,
        "bound": erratum.bound,
        "shown": bool(errors[1] <= erratum.bound < errors[0]),
        "problem": problem,
    }

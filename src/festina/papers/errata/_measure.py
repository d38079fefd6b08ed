"""The slips of the printed documents, and the numbers that show each."""

import math
import time
from typing import Any

from festina._progress import track
from festina.papers.errata._erratum import Slip


def errata() -> tuple[Slip, ...]:
    """All slips that were found in the papers and the lecture notes, each with the computation that shows it.

    Example:
        >>> from festina.papers.errata import errata
        >>> slip = errata()[0]
        >>> print(slip.where, "prints", slip.printed, "for", slip.correct)
        saxe_lecture, depth 1 prints e^{−t/τ} for e^{−d t/τ}
        >>> printed, corrected = slip.measure()
        >>> corrected <= slip.bound < printed
        True
    """
    from festina.papers.errata import _jarvis, _lecture, _vanrossem

    return (*_lecture.SLIPS, *_jarvis.SLIPS, *_vanrossem.SLIPS)


def measured() -> dict[str, Any]:
    """All slips with their numbers, as plain data, and the seconds it took."""
    begun = time.perf_counter()
    found = [_one(slip) for slip in track(errata(), "errata")]
    return {"slips": found, "seconds": time.perf_counter() - begun}


def _one(slip: Slip) -> dict[str, Any]:
    facts = {"where": slip.where, "printed": slip.printed, "correct": slip.correct, "judge": slip.judge}
    try:
        errors = slip.measure()
        problem = None
    except Exception as error:  # one slip that cannot be measured must not hide the others
        errors, problem = (math.nan, math.nan), f"{type(error).__name__}: {error}"
    of_printed, of_correct = (float(e) if math.isfinite(e) else None for e in errors)
    return facts | {
        "printed_error": of_printed,
        "correct_error": of_correct,
        "bound": slip.bound,
        "shown": bool(errors[1] <= slip.bound < errors[0]),
        "problem": problem,
    }

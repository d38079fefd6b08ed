"""An erratum of a printed document, with the numbers that show it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from festina.checks.shapes import ArrayLike


@dataclass(frozen=True)
class Erratum:
    """The printed and the corrected formula, and how far each is from a reference solution that uses neither.

    Args:
        where: key of the source and place in it.
        printed: the printed form.
        correct: the corrected form.
        reference: the solution that both are compared with.
        measure: computes the error of the printed and of the corrected form.
        bound: error up to which the corrected form passes; the printed form must be above it.
    """

    where: str
    printed: str
    correct: str
    reference: str
    measure: Callable[[], tuple[float, float]]
    bound: float


def erratum(
    where: str, printed: str, correct: str, reference: str, *, bound: float = 1e-8
) -> Callable[[Callable[[], tuple[float, float]]], Erratum]:
    """Make an erratum of the function below, which measures it; arguments as those of ``Erratum``."""
    return lambda measure: Erratum(where, printed, correct, reference, measure, bound)


def off(found: ArrayLike, reference: ArrayLike) -> float:
    """Largest difference, relative to the largest value of the reference."""
    found, reference = np.asarray(found, float), np.asarray(reference, float)
    return float(np.max(np.abs(found - reference)) / np.max(np.abs(reference)))


def flow(field: Callable[[float, np.ndarray], np.ndarray], start: ArrayLike, times: np.ndarray) -> np.ndarray:
    """The most frequent reference solution: an ODE solve to twelve digits, (variables, times)."""
    begin = np.atleast_1d(np.asarray(start, float))
    return scipy.integrate.solve_ivp(field, (0, times[-1]), begin, "DOP853", times, rtol=1e-12, atol=1e-14).y

"""A claim: a sentence, the measurement that decides it, and the verdict."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Status = Literal["holds", "fails", "open"]


@dataclass(frozen=True)
class Verdict:
    """What came of a claim."""

    name: str
    statement: str
    measured: float
    bound: float
    status: Status
    stands: Status
    relation: str
    error: float = 0.0

    @property
    def surprising(self) -> bool:
        """Whether the measured verdict differs from the one we stand by."""
        return self.status != self.stands

    def to_json(self) -> dict[str, Any]:
        """The five facts of a verdict."""
        return {k: plain(getattr(self, k)) for k in ("name", "statement", "measured", "bound", "status")}


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, and the measurement that decides it.

    Args:
        name: a short identifier.
        statement: the claim, in our words.
        measure: from the curves, a number, or a number and its standard error.
        bound: the claim holds when measured ``relation`` bound; a number, or computed from the curves.
        relation: ``"<="`` or ``">="``.
        stands: the verdict we stand by.
        source: key and place in the paper.

    With a standard error the verdict is open when the bound is within two of them.
    """

    name: str
    statement: str
    measure: Callable[[Any], float | tuple[float, float]]
    bound: float | Callable[[Any], float]
    relation: Literal["<=", ">="] = "<="
    stands: Status = "holds"
    source: str = ""

    def judge(self, curves: Any) -> Verdict:
        """Measure and decide; a measurement that is not finite leaves the claim open."""
        found = self.measure(curves)
        measured, error = found if isinstance(found, tuple) else (found, 0.0)
        bound = self.bound(curves) if callable(self.bound) else self.bound
        margin = bound - measured if self.relation == "<=" else measured - bound
        status: Status = "holds" if margin >= 0 else "fails"
        if not math.isfinite(measured) or abs(margin) < 2 * error:
            status = "open"
        facts = (float(measured), float(bound), status, self.stands, self.relation, float(error))
        return Verdict(self.name, self.statement, *facts)


def plain(value: Any) -> Any:
    """Arrays, tuples and numbers as JSON has them; what is not finite becomes null."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value

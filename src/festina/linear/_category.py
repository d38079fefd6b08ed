"""Whether a category in noise can be learned: its coherence, and how well a network recovers it."""

import math
from typing import NamedTuple

import numpy as np

from festina.checks import check


class CategoryRecovery(NamedTuple):
    """The coherence of a category, and the squared cosines between it and the strongest mode on both sides."""

    coherence: float
    objects: float
    properties: float


def category_recovery(
    objects: int, properties: int, members: int, shared: int, inside: float, outside: float
) -> CategoryRecovery:
    """Whether a network can learn a category in noise, and how well it recovers its members and its properties.

    C = SNR · K_o K_f / √(N_o N_f),  SNR = (p − q)²/(q(1 − q)). Above C = 1 the category has a mode of its own, stronger
    than all noise; below it none (for large tables). With r = N_o/N_f the squared cosines between the strongest mode
    and the category are 1 − (1 + √r C)/(C(C + √r)) for the objects and 1 − (√r + C)/(C(1 + √r C)) for the properties.

    Args:
        objects, properties: N_o × N_f, the size of the table.
        members, shared: K_o × K_f, the size of the category.
        inside, outside: p and q, the chances of a property inside and outside of it. ``fs.tasks.category`` draws such a
            table.

    Returns:
        ``coherence`` C, and the squared cosines ``objects`` and ``properties``, 0 for C ≤ 1.

    Raises:
        ValueError: sizes that are no whole numbers ≥ 1, chances outside of [0, 1], or no noise (``outside`` 0 or 1).

    Example:
        >>> import festina as fs
        >>> found = fs.linear.category_recovery(400, 400, 40, 40, inside=0.9, outside=0.5)
        >>> round(found.coherence, 2), round(found.objects, 2)
        (2.56, 0.61)

    Source: saxe2019 (category coherence); benaych2012 section 3.1.
    """
    coherence = measure_coherence(objects, properties, members, shared, inside, outside)
    if not math.isfinite(coherence):
        raise ValueError(
            f"outside is {outside!r}, so near 0 or 1 that the coherence is not finite; give another chance."
        )
    return CategoryRecovery(coherence, *recover(coherence, objects / properties))


def measure_coherence(objects: int, properties: int, members: int, shared: int, inside: float, outside: float) -> float:
    """Coherence of a category in noise; a network can learn it iff it is above 1 (for large tables).

    C = SNR · K_o K_f / √(N_o N_f),  SNR = (p − q)²/(q(1 − q)),

    where N_o × N_f is the table (``objects``, ``properties``), K_o × K_f the category (``members``, ``shared``), and
    p, q are the chances of a property ``inside`` and ``outside``. Above 1 the category has a mode of its own, stronger
    than all noise; below it none. ``festina.tasks.category`` draws such a table.

    Example:
        >>> round(measure_coherence(400, 400, 40, 40, inside=0.9, outside=0.5), 2)
        2.56

    Source: saxe2019 (category coherence).
    """
    for name, value in (("inside", inside), ("outside", outside)):
        check.share(name, value)
    if outside in (0, 1):
        raise ValueError(f"outside is {outside!r}: without noise every category is coherent; give 0 < outside < 1.")
    sizes = [check.whole(name, n) for name, n in (
        ("objects", objects), ("properties", properties), ("members", members), ("shared", shared),
    )]  # fmt: skip
    signal = (inside - outside) ** 2 / (outside * (1 - outside))
    return float(signal * sizes[2] * sizes[3] / math.sqrt(sizes[0] * sizes[1]))


def recover(coherence: float, ratio: float = 1.0) -> tuple[float, float]:
    """How well the strongest mode of a large table recovers a category of that coherence.

    Let r = N_o/N_f. The squared cosines between the mode and the category, for objects and for properties, are for C >
    1
        1 − (1 + √r C)/(C(C + √r))  and  1 − (√r + C)/(C(1 + √r C)),
    and 0 for C ≤ 1. On a square table both are 1 − 1/C.

    Args:
        coherence: C ≥ 0.
        ratio: r = objects / properties.

    Returns:
        Squared cosines (objects, properties).

    Example:
        >>> recover(2.0)
        (0.5, 0.5)

    Source: saxe2019 (category coherence); benaych2012 section 3.1.
    """
    c, root = check.positive("coherence", coherence, zero=True), np.sqrt(check.positive("ratio", ratio))
    if c <= 1:
        return 0.0, 0.0
    return float(1 - (1 + root * c) / (c * (c + root))), float(1 - (root + c) / (c * (1 + root * c)))

"""Whether a category in noise can be learned: its coherence, and how well a network recovers it."""

import math
from typing import NamedTuple

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
    for name, value in (("inside", inside), ("outside", outside)):
        check.share(name, value)
    if outside in (0, 1):
        raise ValueError(f"outside is {outside!r}: without noise every category is coherent; give 0 < outside < 1.")
    for name, size in (("objects", objects), ("properties", properties), ("members", members), ("shared", shared)):
        check.whole(name, size)
    snr = (inside - outside) ** 2 / (outside * (1 - outside))
    c = float(snr * members * shared / math.sqrt(objects * properties))
    if not math.isfinite(c):
        raise ValueError(
            f"outside is {outside!r}, so near 0 or 1 that the coherence is not finite; give another chance."
        )
    if c <= 1:
        return CategoryRecovery(c, 0.0, 0.0)
    root = math.sqrt(objects / properties)
    return CategoryRecovery(c, 1 - (1 + root * c) / (c * (c + root)), 1 - (root + c) / (c * (1 + root * c)))

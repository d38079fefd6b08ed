"""A category hidden in noise."""

import numpy as np

from festina.checks import check
from festina.core.task import Task, one_hot


def category(
    objects: int = 400,
    properties: int = 400,
    members: int = 40,
    shared: int = 40,
    inside: float = 0.9,
    outside: float = 0.5,
    seed: int = 0,
    *,
    centred: bool = True,
) -> Task:
    """One-hot objects, some of which form a category: they share properties, and everything else is noise.

    Property m of object i is 1 with probability ``inside`` for the first ``members`` objects and the first ``shared``
    properties, and with probability ``outside`` elsewhere. Whether a network can find the category is a matter of its
    coherence, see ``fs.linear.category_recovery``.

    Args:
        objects, properties: size N_o × N_f of the table.
        members, shared: size K_o × K_f of the category.
        inside, outside: probabilities p and q.
        seed: draws the table.
        centred: subtract ``outside``, so that the noise has mean zero and no mode of its own.

    Raises:
        ValueError: a category larger than the table, or a probability outside [0, 1].

    Example:
        >>> import festina as fs
        >>> fs.tasks.category(objects=60, properties=50, members=10, shared=10)
        Task('category': 60 items, 60 inputs, 50 outputs)

    Source: saxe2019 (category coherence).
    """
    objects, properties = check.whole("objects", objects), check.whole("properties", properties)
    for name, value, limit, whole in (
        ("members", members, objects, "objects"),
        ("shared", shared, properties, "properties"),
    ):
        if check.whole(name, value) > limit:
            raise ValueError(f"{name} is {value}, above the {limit} {whole} there are; give at most {limit}.")
    for name, value in (("inside", inside), ("outside", outside)):
        check.share(name, value)
    # a probability that small never happens, and its square cannot be represented
    outside = float(outside) if outside >= 1 / check.MAX_MAGNITUDE else 0.0
    check.size("objects and properties", objects, max(objects, properties))
    check.flag("centred", centred)
    chance = np.full((objects, properties), float(outside))
    chance[:members, :shared] = inside
    rng = np.random.default_rng(check.seed("seed", seed))
    y = (rng.random(chance.shape) < chance) - (outside if centred else 0.0)
    return one_hot(y, name="category")

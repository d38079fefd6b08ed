"""How a seed is drawn: a whole number gives the same first weights alone and among others, for theory and training.

``network.start(task, seed)`` draws the first weights with ``generator(seed)``, in NumPy and double precision, by any
method. Draws during training (order of mini-batches, dropout, fresh data) come from JAX's key of the same
seed. ``docs/decisions/seeds.md`` has the reasons.
"""

import numpy as np


def generator(seed: int, *stream: int) -> np.random.Generator:
    """The generator of a seed; with numbers of a ``stream``, one that is independent of that of the weights.

    Example:
        >>> from festina.core.seed import generator
        >>> [int(draw.integers(1000)) for draw in (generator(3), generator(3), generator(3, 1))]
        [811, 811, 978]
    """
    return np.random.default_rng([seed, *stream] if stream else seed)

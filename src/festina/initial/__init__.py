"""Initial weights: random ones, those that stand on the modes of a task, and your own."""

from festina.core.initial import Initial as Initial
from festina.initial._aligned import Aligned as Aligned
from festina.initial._balanced import Balanced as Balanced
from festina.initial._random import Gaussian as Gaussian
from festina.initial._random import Glorot as Glorot
from festina.initial._random import He as He
from festina.initial._random import LeCun as LeCun
from festina.initial._random import Orthogonal as Orthogonal
from festina.initial._random import Torch as Torch
from festina.initial._weights import Weights as Weights

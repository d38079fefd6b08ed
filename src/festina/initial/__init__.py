"""Initial weights: one file per initialisation."""

from festina.core.initial import Initial as Initial
from festina.initial._aligned import Aligned as Aligned
from festina.initial._balanced import Balanced as Balanced
from festina.initial._fan import Glorot as Glorot
from festina.initial._fan import He as He
from festina.initial._fan import LeCun as LeCun
from festina.initial._gaussian import Gaussian as Gaussian
from festina.initial._orthogonal import Orthogonal as Orthogonal
from festina.initial._torch import Torch as Torch
from festina.initial._weights import Weights as Weights

"""Gated deep linear networks: graph, gates, pathways, race."""

from festina.gated._exact import FiniteStep as FiniteStep
from festina.gated._initial import Decoupled as Decoupled
from festina.gated._initial import Units as Units
from festina.gated._network import Gated as Gated
from festina.gated._priming import Priming as Priming

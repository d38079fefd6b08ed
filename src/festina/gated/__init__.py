"""Gated deep linear networks: graph, gates, pathways, race."""

from festina.gated._exact import EqualPathways as EqualPathways
from festina.gated._exact import FiniteStep as FiniteStep
from festina.gated._exact import SharedEdge as SharedEdge
from festina.gated._gates import Gates as Gates
from festina.gated._graph import Graph as Graph
from festina.gated._initial import Decoupled as Decoupled
from festina.gated._initial import Units as Units
from festina.gated._initial import expected as expected
from festina.gated._network import Gated as Gated
from festina.gated._pathways import context_subsets as context_subsets
from festina.gated._pathways import contextual as contextual
from festina.gated._pathways import pathways as pathways
from festina.gated._pathways import subset_name as subset_name
from festina.gated._priming import Priming as Priming
from festina.gated._race import PathwayRace as PathwayRace
from festina.gated._ranking import Ranking as Ranking
from festina.gated._ranking import expected_start as expected_start
from festina.gated._ranking import first_passage as first_passage
from festina.gated._ranking import rank_gatings as rank_gatings
from festina.gated._routing import routing as routing
from festina.gated._statistics import PathStatistics as PathStatistics

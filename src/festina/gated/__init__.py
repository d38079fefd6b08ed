"""Gated deep linear networks: graph, gates, pathways, race."""

from festina.gated._exact import FiniteStepPathways as FiniteStepPathways
from festina.gated._gates import Gates as Gates
from festina.gated._graph import Graph as Graph
from festina.gated._graph import Node as Node
from festina.gated._initial import Decoupled as Decoupled
from festina.gated._initial import RandomPathways as RandomPathways
from festina.gated._network import Gated as Gated
from festina.gated._pathways import contextual as contextual
from festina.gated._pathways import pathways as pathways
from festina.gated._priming import Priming as Priming
from festina.gated._ranking import Ranking as Ranking
from festina.gated._ranking import Runner as Runner
from festina.gated._ranking import rank_gatings as rank_gatings
from festina.gated._routing import routing as routing
from festina.gated._statistics import PathStatistics as PathStatistics

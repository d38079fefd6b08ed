"""Gated deep linear networks: graph, gates, pathways, race."""

from festina.gated._candidates import Ranking as Ranking
from festina.gated._candidates import crossing as crossing
from festina.gated._candidates import race as race
from festina.gated._candidates import typical as typical
from festina.gated._gates import Gates as Gates
from festina.gated._graph import Graph as Graph
from festina.gated._initial import Decoupled as Decoupled
from festina.gated._initial import Units as Units
from festina.gated._initial import expected as expected
from festina.gated._network import Gated as Gated
from festina.gated._pathways import contextual as contextual
from festina.gated._pathways import on_in as on_in
from festina.gated._pathways import pathways as pathways
from festina.gated._pathways import subset_name as subset_name
from festina.gated._primed import Primed as Primed
from festina.gated._primed import primed as primed
from festina.gated._routing import routing as routing
from festina.gated._statistics import PathStatistics as PathStatistics

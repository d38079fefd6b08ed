"""Divide a trained network into modules: what each is for, and how well they imitate the network."""

from festina.explanation._explain import explain as explain
from festina.explanation._explanation import Explanation as Explanation
from festina.explanation._findings import Direction as Direction
from festina.explanation._findings import Event as Event
from festina.explanation._findings import ExplainedLayer as ExplainedLayer
from festina.explanation._findings import ExplainedModule as ExplainedModule
from festina.explanation._findings import Match as Match
from festina.explanation._selectivity import Population as Population
from festina.explanation._selectivity import Selectivity as Selectivity
from festina.explanation._selectivity import selectivity as selectivity

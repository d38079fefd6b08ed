"""What is to be learned: one file per task."""

from festina.tasks._category import category as category
from festina.tasks._context import context as context
from festina.tasks._cross_cutting import dimensions as dimensions
from festina.tasks._graph import graph as graph
from festina.tasks._grid import grid as grid
from festina.tasks._hierarchy import hierarchy as hierarchy
from festina.tasks._in_context import InContextRegression as InContextRegression
from festina.tasks._in_context import in_context_regression as in_context_regression
from festina.tasks._integration import Sequences as Sequences
from festina.tasks._integration import delayed_response as delayed_response
from festina.tasks._integration import integration as integration
from festina.tasks._integration import sensory_integration as sensory_integration
from festina.tasks._living_things import living_things as living_things
from festina.tasks._mode_strengths import mode_strengths as mode_strengths
from festina.tasks._ordering import ordering as ordering
from festina.tasks._partition import partition as partition
from festina.tasks._ring import ring as ring
from festina.tasks._routing import routing as routing
from festina.tasks._routing import routing_pairs as routing_pairs
from festina.tasks._teacher import teacher as teacher
from festina.tasks._tree import tree as tree
from festina.tasks._tree import tree_levels as tree_levels
from festina.tasks._tree import tree_wavelets as tree_wavelets
from festina.tasks._two_points import two_points as two_points
from festina.tasks._xor import extended_xor as extended_xor

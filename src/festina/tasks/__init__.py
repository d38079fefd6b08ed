"""What is to be learned: one file per task."""

from festina.tasks._category import category as category
from festina.tasks._context import context as context
from festina.tasks._cross_cutting import cross_cutting as cross_cutting
from festina.tasks._cross_cutting import dimensions as dimensions
from festina.tasks._cross_cutting import dimensions_strengths as dimensions_strengths
from festina.tasks._graph import graph as graph
from festina.tasks._graph import graph_strengths as graph_strengths
from festina.tasks._grid import grid as grid
from festina.tasks._grid import grid_strengths as grid_strengths
from festina.tasks._hierarchy import hierarchy as hierarchy
from festina.tasks._items import items as items
from festina.tasks._ordering import ordering as ordering
from festina.tasks._ordering import ordering_strengths as ordering_strengths
from festina.tasks._partition import partition as partition
from festina.tasks._partition import partition_strengths as partition_strengths
from festina.tasks._ring import ring as ring
from festina.tasks._ring import ring_strengths as ring_strengths
from festina.tasks._routing import routing as routing
from festina.tasks._routing import routing_pairs as routing_pairs
from festina.tasks._teacher import teacher as teacher
from festina.tasks._tree import tree as tree
from festina.tasks._tree import tree_levels as tree_levels
from festina.tasks._tree import tree_strengths as tree_strengths
from festina.tasks._tree import tree_wavelets as tree_wavelets
from festina.tasks._xor import extended_xor as extended_xor

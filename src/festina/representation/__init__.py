"""The effective theory of representations: two points, its fit, whole data sets, and networks to compare with."""

from festina.representation._architecture import Architecture as Architecture
from festina.representation._final_distance import FinalDistance as FinalDistance
from festina.representation._fit import Fit as Fit
from festina.representation._fit import fit as fit
from festina.representation._follow import Followed as Followed
from festina.representation._follow import follow as follow
from festina.representation._pair import Pair as Pair
from festina.representation._pair import measure as measure
from festina.representation._published import POINTS as POINTS
from festina.representation._published import PUBLISHED as PUBLISHED
from festina.representation._published import Published as Published
from festina.representation._published import published as published
from festina.representation._published import two_points as two_points
from festina.representation._structure import Structure as Structure
from festina.representation._structure import squared_distances as squared_distances
from festina.representation._structure import structure as structure
from festina.representation._structure import weighed as weighed
from festina.representation._two_point import FixedPoint as FixedPoint
from festina.representation._two_point import Rates as Rates
from festina.representation._two_point import Start as Start
from festina.representation._two_point import State as State
from festina.representation._two_point import TwoPoint as TwoPoint
from festina.representation._two_point import final_distance as final_distance

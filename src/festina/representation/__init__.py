"""Representations in feed-forward networks: the networks, the effective theory, its fit, and whole data sets."""

from festina.representation._architecture import Architecture as Architecture
from festina.representation._compare import Comparison as Comparison
from festina.representation._compare import Scored as Scored
from festina.representation._compare import compare as compare
from festina.representation._effective import Effective as Effective
from festina.representation._fit import PairFit as PairFit
from festina.representation._fit import fit as fit
from festina.representation._lazy import Lazy as Lazy
from festina.representation._network import FeedForward as FeedForward
from festina.representation._pair import Pair as Pair
from festina.representation._pair import read_pair as read_pair
from festina.representation._similarity import similarity as similarity
from festina.representation._structure import Structure as Structure
from festina.representation._structure import structure as structure
from festina.representation._two_point import FixedPoint as FixedPoint
from festina.representation._two_point import PairStart as PairStart
from festina.representation._two_point import PairState as PairState
from festina.representation._two_point import Rates as Rates
from festina.representation._two_point import TwoPoint as TwoPoint

"""Representations in feed-forward networks: the networks, the effective theory, its fit, and whole data sets."""

from festina.representation._effective import Effective as Effective
from festina.representation._fit import fit as fit
from festina.representation._lazy import Lazy as Lazy
from festina.representation._network import FeedForward as FeedForward
from festina.representation._pair import Pair as Pair
from festina.representation._structure import structure as structure
from festina.representation._two_point import TwoPoint as TwoPoint

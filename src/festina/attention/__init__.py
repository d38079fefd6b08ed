"""Attention that learns to regress in context."""

from festina.attention._aligned import AlignedHeads as AlignedHeads
from festina.attention._map import in_context_risk as in_context_risk
from festina.attention._network import LinearAttention as LinearAttention
from festina.attention._saddle import Passage as Passage
from festina.attention._saddle import Saddle as Saddle
from festina.attention._saddle import plateaus as plateaus
from festina.attention._saddle import saddle_passages as saddle_passages
from festina.attention._saddle import saddles as saddles
from festina.attention._saddle import targets as targets
from festina.attention._softmax import SoftmaxAttention as SoftmaxAttention
from festina.attention._theory import ChainsOfThree as ChainsOfThree
from festina.attention._theory import CoupledChains as CoupledChains
from festina.attention._theory import HeadRace as HeadRace
from festina.attention._theory import MergedBalanced as MergedBalanced
from festina.attention._theory import MergedGrowth as MergedGrowth
from festina.attention._theory import MergedModes as MergedModes

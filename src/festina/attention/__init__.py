"""Attention that learns to regress in context."""

from festina.attention._aligned import AlignedHeads as AlignedHeads
from festina.attention._map import in_context_risk as in_context_risk
from festina.attention._network import LinearAttention as LinearAttention
from festina.attention._saddle import Passage as Passage
from festina.attention._saddle import Saddle as Saddle
from festina.attention._saddle import plateaus as plateaus
from festina.attention._saddle import saddle_passages as saddle_passages
from festina.attention._saddle import saddles as saddles
from festina.attention._softmax import SoftmaxAttention as SoftmaxAttention

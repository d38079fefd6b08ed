"""Attention that learns to regress in context."""

from festina.attention._aligned import AlignedHeads as AlignedHeads
from festina.attention._map import AttentionMap as AttentionMap
from festina.attention._network import LinearAttention as LinearAttention
from festina.attention._saddle import Passage as Passage
from festina.attention._saddle import Saddle as Saddle
from festina.attention._softmax import SoftmaxAttention as SoftmaxAttention

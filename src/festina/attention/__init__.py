"""Attention that learns to regress in context."""

from festina.attention._aligned import AlignedHeads as AlignedHeads
from festina.attention._network import LinearAttention as LinearAttention
from festina.attention._softmax import SoftmaxAttention as SoftmaxAttention

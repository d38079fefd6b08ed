"""ReLU networks: training, gates, and the gated networks that imitate them."""

from festina.relu._network import ReLU as ReLU

"""ReLU networks: how they learn, unit by unit, which gates they use, and the gated networks that imitate them."""

from festina.relu._final import final_modules as final_modules
from festina.relu._find import find_gates as find_gates
from festina.relu._modules import cluster_gates as cluster_gates
from festina.relu._network import ReLU as ReLU
from festina.relu._reln import reln as reln
from festina.relu._units import Units as Units

"""Deep linear networks: modes, depth, critical points, semantic development."""

from festina.linear._mode import best_rate as best_rate
from festina.linear._mode import grow as grow
from festina.linear._mode import strength as strength
from festina.linear._mode import time_to_strength as time_to_strength
from festina.linear._network import DeepLinear as DeepLinear
from festina.linear._race import growing as growing

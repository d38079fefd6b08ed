"""Deep linear networks: the closed form of a mode, finite steps, and categories in noise."""

from festina._mode import strength as strength
from festina._mode import time_to_strength as time_to_strength
from festina.linear._category import category_recovery as category_recovery
from festina.linear._network import DeepLinear as DeepLinear
from festina.linear._race import FiniteStep as FiniteStep

"""Deep linear networks: the closed form of a mode, finite steps, and categories in noise."""

from festina.linear._balanced import LambdaBalanced as LambdaBalanced
from festina.linear._category import CategoryRecovery as CategoryRecovery
from festina.linear._category import category_recovery as category_recovery
from festina.linear._critical_point import StationaryPoint as StationaryPoint
from festina.linear._joint import JointModes as JointModes
from festina.linear._network import DeepLinear as DeepLinear
from festina.linear._race import FiniteStep as FiniteStep
from festina.linear._surface import Surface as Surface
from festina.linear._surface import surface as surface
from festina.modes.mode import best_rate as best_rate
from festina.modes.mode import strength as strength
from festina.modes.mode import time_to_strength as time_to_strength

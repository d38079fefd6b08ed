"""ReLU networks: how they learn, unit by unit, which gates they use, and the gated networks that imitate them."""

from festina.relu._alignment import Attractor as Attractor
from festina.relu._alignment import attractors as attractors
from festina.relu._dichotomies import RealisableGates as RealisableGates
from festina.relu._dichotomies import count_gates as count_gates
from festina.relu._dichotomies import realisable_gates as realisable_gates
from festina.relu._final import FinalModule as FinalModule
from festina.relu._final import FinalModules as FinalModules
from festina.relu._final import final_modules as final_modules
from festina.relu._minimal_reln import FoundGates as FoundGates
from festina.relu._minimal_reln import find_gates as find_gates
from festina.relu._modules import Module as Module
from festina.relu._modules import Modules as Modules
from festina.relu._modules import cluster_gates as cluster_gates
from festina.relu._network import ReLU as ReLU
from festina.relu._realisable import Realisable as Realisable
from festina.relu._realisable import is_realisable as is_realisable
from festina.relu._reln import ReLN as ReLN
from festina.relu._reln import reln as reln
from festina.relu._strength import initial_strengths as initial_strengths
from festina.relu._symmetric import SymmetricData as SymmetricData
from festina.relu._units import UnitGrowth as UnitGrowth

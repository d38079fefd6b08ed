"""ReLU networks: training, gates, and the gated networks that imitate them."""

from festina.relu._climb import Attractor as Attractor
from festina.relu._climb import attractors as attractors
from festina.relu._dichotomies import PossibleGates as PossibleGates
from festina.relu._dichotomies import count_gates as count_gates
from festina.relu._dichotomies import possible_gates as possible_gates
from festina.relu._find import FoundGates as FoundGates
from festina.relu._find import find_gates as find_gates
from festina.relu._modules import Module as Module
from festina.relu._modules import Modules as Modules
from festina.relu._modules import cluster_gates as cluster_gates
from festina.relu._network import ReLU as ReLU
from festina.relu._possible import Possible as Possible
from festina.relu._possible import possible as possible
from festina.relu._predict import PredictedModule as PredictedModule
from festina.relu._predict import Prediction as Prediction
from festina.relu._predict import predict_modules as predict_modules
from festina.relu._reln import ReLN as ReLN
from festina.relu._reln import reln as reln
from festina.relu._units import Units as Units

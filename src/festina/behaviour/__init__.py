"""Learning to decide: the tutor-executor network and its task, agents as tables, and models fitted to animals."""

from festina.behaviour._calibration import Calibration as Calibration
from festina.behaviour._calibration import calibrate as calibrate
from festina.behaviour._compare import compare_models as compare_models
from festina.behaviour._fit import Fit as Fit
from festina.behaviour._fit import Fits as Fits
from festina.behaviour._fit import Population as Population
from festina.behaviour._fit import Replicates as Replicates
from festina.behaviour._fit import fit as fit
from festina.behaviour._fit import fit_population as fit_population
from festina.behaviour._locate import Location as Location
from festina.behaviour._locate import Locations as Locations
from festina.behaviour._locate import locate_sessions as locate_sessions
from festina.behaviour._model import Model as Model
from festina.behaviour._model import Parameter as Parameter
from festina.behaviour._network import DecisionNetwork as DecisionNetwork
from festina.behaviour._network import Shallow as Shallow
from festina.behaviour._network import TutorExecutor as TutorExecutor
from festina.behaviour._psychometric import Psychometric as Psychometric
from festina.behaviour._psychometric import fit_psychometric as fit_psychometric
from festina.behaviour._read import read_table as read_table
from festina.behaviour._recovery import recover_models as recover_models
from festina.behaviour._recovery import recover_parameters as recover_parameters
from festina.behaviour._stationary import StationaryPoint as StationaryPoint
from festina.behaviour._table import Table as Table
from festina.behaviour._table import Trial as Trial
from festina.behaviour._task import DecisionTask as DecisionTask

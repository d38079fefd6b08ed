"""Learning to decide: the tutor-executor network and its task, agents as tables, and models fitted to animals."""

from festina.behaviour._calibration import calibrate as calibrate
from festina.behaviour._network import Shallow as Shallow
from festina.behaviour._network import TutorExecutor as TutorExecutor
from festina.behaviour._psychometric import fit_psychometric as fit_psychometric
from festina.behaviour._read import read_table as read_table
from festina.behaviour._recovery import recover_models as recover_models
from festina.behaviour._recovery import recover_parameters as recover_parameters
from festina.behaviour._task import DecisionTask as DecisionTask

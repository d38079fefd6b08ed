"""festina: predict how a neural network will learn, explain why, and check it against the network itself."""

from festina import initial as initial
from festina import linear as linear
from festina import tasks as tasks
from festina._assumption import Assumption as Assumption
from festina._assumption import AssumptionError as AssumptionError
from festina._compare import Agreement as Agreement
from festina._compare import compare as compare
from festina._evolve import evolve as evolve
from festina._statistics import Statistics as Statistics
from festina._task import Task as Task
from festina._trajectory import Trajectory as Trajectory
from festina._trajectory import load as load
from festina.linear import DeepLinear as DeepLinear
from festina.methods import Exact as Exact
from festina.methods import Flow as Flow
from festina.methods import Race as Race
from festina.methods import Train as Train

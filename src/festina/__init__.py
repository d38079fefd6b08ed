"""festina: predict how a neural network will learn, explain why, and check it against the network itself."""

from importlib.metadata import version as _version

from festina import behaviour as behaviour
from festina import gated as gated
from festina import initial as initial
from festina import linear as linear
from festina import plot as plot
from festina import probe as probe
from festina import relu as relu
from festina import representation as representation
from festina import tasks as tasks
from festina import widget as widget
from festina._assumption import Assumption as Assumption
from festina._assumption import AssumptionError as AssumptionError
from festina._compare import Agreement as Agreement
from festina._compare import compare as compare
from festina._curriculum import Curriculum as Curriculum
from festina._curriculum import sequence as sequence
from festina._description import Described as Described
from festina._evolve import evolve as evolve
from festina._network import Network as Network
from festina._rate import convert_rate as convert_rate
from festina._statistics import Statistics as Statistics
from festina._task import Task as Task
from festina._theories import theories as theories
from festina._theory import Solution as Solution
from festina._theory import Start as Start
from festina._theory import Theory as Theory
from festina._torch import from_torch as from_torch
from festina._trajectory import Trajectory as Trajectory
from festina._whiten import whiten as whiten
from festina.gated import Gated as Gated
from festina.linear import DeepLinear as DeepLinear
from festina.linear import regime as regime
from festina.methods import Exact as Exact
from festina.methods import Flow as Flow
from festina.methods import Race as Race
from festina.methods import Train as Train
from festina.methods import checkpoints as checkpoints
from festina.probe import explain as explain
from festina.relu import ReLU as ReLU
from festina.sweep import open_sweep as open_sweep
from festina.sweep import sweep as sweep

__version__ = _version("festina")

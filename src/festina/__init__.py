"""festina: predict how a neural network will learn, explain why, and check it against the network itself."""

from festina import initial as initial
from festina import linear as linear
from festina import tasks as tasks
from festina._assumption import Assumption as Assumption
from festina._assumption import AssumptionError as AssumptionError
from festina._compare import compare as compare
from festina._curriculum import sequence as sequence
from festina._evolve import evolve as evolve
from festina._later import __dir__ as __dir__
from festina._later import __getattr__ as __getattr__
from festina._network import Network as Network
from festina._task import Task as Task
from festina._theories import theories as theories
from festina._theory import Solution as Solution
from festina._theory import Theory as Theory
from festina._trajectory import Trajectory as Trajectory
from festina.linear import DeepLinear as DeepLinear
from festina.methods import Exact as Exact
from festina.methods import Flow as Flow
from festina.methods import Race as Race
from festina.methods import Train as Train
from festina.methods import checkpoints as checkpoints

# these load when they are first used, by the list in _later.py
TYPE_CHECKING = False
if TYPE_CHECKING:
    from festina import attention as attention
    from festina import behaviour as behaviour
    from festina import explanation as explanation
    from festina import gated as gated
    from festina import plot as plot
    from festina import probe as probe
    from festina import recurrent as recurrent
    from festina import relu as relu
    from festina import representation as representation
    from festina import sweeps as sweeps
    from festina import widget as widget
    from festina._torch import from_torch as from_torch
    from festina._trajectory_file import load as load
    from festina._version import __version__ as __version__
    from festina.attention import LinearAttention as LinearAttention
    from festina.explanation import explain as explain
    from festina.gated import Gated as Gated
    from festina.recurrent import LinearRNN as LinearRNN
    from festina.relu import ReLU as ReLU
    from festina.representation import FeedForward as FeedForward
    from festina.sweeps import open_sweep as open_sweep
    from festina.sweeps import sweep as sweep

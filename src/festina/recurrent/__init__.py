"""Recurrent networks that learn tasks over time."""

from festina.recurrent._decide import Bound as Bound
from festina.recurrent._decide import Deadline as Deadline
from festina.recurrent._decide import Decisions as Decisions
from festina.recurrent._decide import decide as decide
from festina.recurrent._initial import AlignedRecurrence as AlignedRecurrence
from festina.recurrent._network import LinearRNN as LinearRNN
from festina.recurrent._observe import RecurrentLoss as RecurrentLoss
from festina.recurrent._observe import Step as Step
from festina.recurrent._tanh import TanhRNN as TanhRNN
from festina.recurrent._theory import TemporalModes as TemporalModes

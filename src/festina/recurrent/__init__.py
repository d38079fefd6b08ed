"""Recurrent networks that learn tasks over time."""

from festina.recurrent._initial import AlignedRecurrence as AlignedRecurrence
from festina.recurrent._modes import TemporalModes as TemporalModes
from festina.recurrent._network import LinearRNN as LinearRNN
from festina.recurrent._observe import tangent_kernel as tangent_kernel
from festina.recurrent._tanh import TanhRNN as TanhRNN
from festina.recurrent._theory import FixedRecurrence as FixedRecurrence
from festina.recurrent._theory import RecurrentModes as RecurrentModes

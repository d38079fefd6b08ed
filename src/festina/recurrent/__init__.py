"""Recurrent networks that learn tasks over time."""

from festina.recurrent._initial import AlignedRecurrence as AlignedRecurrence
from festina.recurrent._modes import TemporalModes as TemporalModes
from festina.recurrent._network import LinearRNN as LinearRNN
from festina.recurrent._tanh import TanhRNN as TanhRNN

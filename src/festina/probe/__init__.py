"""Your own network, PyTorch or JAX: follow data points through it while you train it."""

from festina.probe._probe import Probe as Probe
from festina.probe._probe import watch as watch
from festina.probe._recording import Recording as Recording

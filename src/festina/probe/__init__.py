"""Your own network, PyTorch or JAX: watch data points in it while you train it, or explain what it became."""

from festina.probe._decompose import ExplainedLayer as ExplainedLayer
from festina.probe._decompose import ExplainedModule as ExplainedModule
from festina.probe._explain import Explanation as Explanation
from festina.probe._explain import explain as explain
from festina.probe._probe import Probe as Probe
from festina.probe._probe import watch as watch
from festina.probe._recording import Recording as Recording

"""How a network is brought from its start to a time: closed form, reduction, flow, training."""

from festina.methods._base import Method as Method
from festina.methods._base import Run as Run
from festina.methods._checkpoint import checkpoints as checkpoints
from festina.methods._exact import Exact as Exact
from festina.methods._flow import Flow as Flow
from festina.methods._race import Race as Race
from festina.methods._train import Train as Train

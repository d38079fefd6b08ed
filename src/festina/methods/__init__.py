"""The verb and its methods: closed form, reduction, flow, training."""

from festina.methods._alternating import AlternatingFlow as AlternatingFlow
from festina.methods._checkpoint import Checkpoints as Checkpoints
from festina.methods._checkpoint import checkpoints as checkpoints
from festina.methods._early import EarlyPhase as EarlyPhase
from festina.methods._estimate import estimated as estimated
from festina.methods._estimate import loss_error as loss_error
from festina.methods._evolve import evolve as evolve
from festina.methods._exact import Exact as Exact
from festina.methods._flow import Flow as Flow
from festina.methods._lazy import Lazy as Lazy
from festina.methods._rate import convert_rate as convert_rate
from festina.methods._reduced import Reduced as Reduced
from festina.methods._theories import TheoryRow as TheoryRow
from festina.methods._theories import TheoryTable as TheoryTable
from festina.methods._theories import theories as theories
from festina.methods._train import Train as Train

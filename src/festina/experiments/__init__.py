"""One file per figure or claim of the papers; the folder is scanned, nothing is registered."""

from festina.experiments._base import Claim as Claim
from festina.experiments._base import Experiment as Experiment
from festina.experiments._base import Outcome as Outcome
from festina.experiments._base import Verdict as Verdict
from festina.experiments._base import find as find
from festina.experiments._base import names as names

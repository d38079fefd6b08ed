"""The papers, checked: experiments and their claims; errata and the report are packages inside."""

from festina.papers._claim import Baseline as Baseline
from festina.papers._claim import Claim as Claim
from festina.papers._claim import Verdict as Verdict
from festina.papers._experiment import Experiment as Experiment
from festina.papers._experiment import Outcome as Outcome
from festina.papers._experiment import find as find
from festina.papers._experiment import names as names
from festina.papers._setting import setting as setting
from festina.papers._sweep import SweptExperiment as SweptExperiment

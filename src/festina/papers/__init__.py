"""The papers, checked: experiments and their claims; errata and the report are packages inside."""

from festina.papers._claim import Claim as Claim
from festina.papers._experiment import find as find
from festina.papers._experiment import names as names
from festina.papers._reference import entries as entries
from festina.papers._setting import setting as setting

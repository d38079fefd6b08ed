"""Every experiment, every claim and every slip of the papers in one page: the document a sceptic opens first."""

from festina.report._errata import errata as errata
from festina.report._run import Report as Report
from festina.report._run import report as report
from festina.report._slip import Slip as Slip

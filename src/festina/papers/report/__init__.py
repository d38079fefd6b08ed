"""Every experiment, every claim and every erratum of the papers in one page: the document a sceptic opens first."""

from festina.papers.report.run import Report as Report
from festina.papers.report.run import report as report

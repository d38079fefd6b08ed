"""Equations of the papers that are printed wrongly, each with the computation that shows it."""

from festina.papers.errata.erratum import Erratum as Erratum
from festina.papers.errata.measure import errata as errata

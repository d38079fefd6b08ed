"""Equations of the papers that are printed wrongly, each with the computation that shows it."""

from festina.papers.errata._measure import errata as errata

"""Plots: one file each. A plot takes computed things and an ``ax``, draws, and returns the ``ax``; it computes nothing."""

from festina.plot._house import COLOURS as COLOURS
from festina.plot._house import house as house
from festina.plot._house import panels as panels
from festina.plot._loss import loss as loss

"""Plots, one file each: a plot takes computed things and an ``ax``, draws, and returns the ``ax``."""

from festina.core.look import COLOURS as COLOURS
from festina.core.look import MODE_COLOURS as MODE_COLOURS
from festina.core.look import SIGNS as SIGNS
from festina.core.look import dots as dots
from festina.core.look import kind_of as kind_of
from festina.core.look import look as look
from festina.core.look import name_kinds as name_kinds
from festina.core.look import panels as panels
from festina.core.look import shade as shade
from festina.core.look import style as style
from festina.plot._decision import decision as decision
from festina.plot._distances import distances as distances
from festina.plot._error_surface import error_surface as error_surface
from festina.plot._explanation import explanation as explanation
from festina.plot._export import export as export
from festina.plot._export import files as files
from festina.plot._export import numbers as numbers
from festina.plot._fit import fit as fit
from festina.plot._fit import models as models
from festina.plot._loss import loss as loss
from festina.plot._psychometric import psychometric as psychometric
from festina.plot._representations import representations as representations
from festina.plot._schematic import schematic as schematic
from festina.plot._singular_vectors import singular_vectors as singular_vectors
from festina.plot._strengths import strengths as strengths
from festina.plot._two_points import two_points as two_points

"""The rooms of the page in a notebook, Jupyter or marimo; needs ``pip install 'festina[widget]'``."""

from festina.widget._room import contexts as contexts
from festina.widget._room import modes as modes
from festina.widget._room import race as race
from festina.widget._room import rich_and_lazy as rich_and_lazy
from festina.widget._room import two_points as two_points

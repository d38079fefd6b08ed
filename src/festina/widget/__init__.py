"""The topics of the page in a notebook, Jupyter or marimo; needs ``pip install 'festina[widget]'``."""

from festina.widget._topic import contexts as contexts
from festina.widget._topic import in_context as in_context
from festina.widget._topic import modes as modes
from festina.widget._topic import race as race
from festina.widget._topic import rich_and_lazy as rich_and_lazy
from festina.widget._topic import two_points as two_points
from festina.widget._topic import your_data as your_data

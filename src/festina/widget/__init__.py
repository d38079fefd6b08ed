"""The topics of the page in a notebook, Jupyter or marimo; needs ``pip install 'festina[widget]'``."""

from festina.widget._topic import show as show

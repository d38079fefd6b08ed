"""The demos of the page in a notebook, Jupyter or marimo; needs ``pip install 'festina[widget]'``."""

from festina.widget._room import show as show

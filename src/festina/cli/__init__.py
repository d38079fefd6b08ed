"""The command line: the library's functions, with nothing of its own but words and tables."""

from festina.cli._main import main as main

"""``python -m festina``: the command line."""

from festina.cli import main

main()

"""``festina`` and ``python -m festina``: the command line, or the extra that installs it."""

import io
import sys

from festina.checks.optional import need

STOPPED = 130
"""Exit code of what Ctrl-C stops, as shells have it."""


def main() -> None:
    """Run the command line; Ctrl-C ends it with a one-line message, and characters that the terminal lacks are
    escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        need("typer", "cli")
        from festina.cli import main as run

        run()
    except ImportError as error:
        raise SystemExit(f"festina: {error}") from None
    except KeyboardInterrupt:
        sys.stderr.write("festina: stopped\n")
        raise SystemExit(STOPPED) from None


if __name__ == "__main__":
    main()

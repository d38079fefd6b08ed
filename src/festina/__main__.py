"""``festina`` and ``python -m festina``: the command line, or the extra that installs it."""

from festina.checks.optional import need


def main() -> None:
    """Run the command line."""
    try:
        need("typer", "cli")
    except ImportError as error:
        raise SystemExit(f"festina: {error}") from None
    from festina.cli import main as run

    run()


if __name__ == "__main__":
    main()

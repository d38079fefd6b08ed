"""Libraries that only a part of festina needs, and the error that names the extra which installs them."""

from importlib.util import find_spec

LIBRARIES = {"sklearn": "scikit-learn"}
"""Names by which libraries are known, where they are imported by another."""


def need(module: str, extra: str) -> None:
    """Raise ``ImportError``, with the command that helps, where a library is not installed.

    Example:
        >>> need("numpy", "plot")
        >>> need("no_such_library", "plot")
        Traceback (most recent call last):
        ImportError: This needs no_such_library, which is not installed: pip install 'festina[plot]'
    """
    if find_spec(module) is None:
        name = LIBRARIES.get(module, module)
        raise ImportError(f"This needs {name}, which is not installed: pip install 'festina[{extra}]'", name=module)

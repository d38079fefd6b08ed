"""The version that is installed."""

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("festina")
    except PackageNotFoundError:
        return "0+uninstalled"  # run from its sources, as on a machine without a package index


__version__ = _installed()

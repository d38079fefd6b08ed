"""Frozen descriptions in words."""

from dataclasses import fields, is_dataclass


def brief(described: object) -> str:
    """A frozen description as one would write it: without what is left at its default."""
    if not is_dataclass(described):
        return f"{type(described).__name__}()"
    written = [
        f"{f.name}={getattr(described, f.name)!r}"
        for f in fields(described)
        if f.repr and not _default(getattr(described, f.name), f.default)
    ]
    return f"{type(described).__name__}({', '.join(written)})"


def _default(value: object, default: object) -> bool:
    same = value is default or value == default
    return bool(same) if isinstance(same, bool) else False

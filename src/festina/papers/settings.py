"""A setting of an experiment: its default, what it means, its unit and its range, declared in one place."""

import dataclasses
import math
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
else:  # a word of type checkers
    DataclassInstance = object

T = TypeVar("T")
KEY = "festina setting"


@dataclass(frozen=True)
class Setting:
    """Metadata of a setting besides its type; ``setting`` explains them."""

    help: str
    unit: str = ""
    least: float | None = None
    above: float | None = None
    most: float | None = None
    choices: tuple[Any, ...] = ()
    published: Any = None

    @property
    def range(self) -> str:
        """The range in words; empty if everything is allowed."""
        if self.choices:
            return "one of " + ", ".join(map(str, self.choices))
        low = f"> {self.above:g}" if self.above is not None else f">= {self.least:g}" if self.least is not None else ""
        return " and ".join(filter(None, (low, f"<= {self.most:g}" if self.most is not None else "")))

    def allows(self, value: bool | int | float | str) -> bool:
        """Whether one value is in the range."""
        if self.choices:
            return value in self.choices
        if isinstance(value, str | bool):
            return True
        inside = math.isfinite(value) and (self.least is None or value >= self.least)
        return inside and (self.above is None or value > self.above) and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        return self.help + (f", in {self.unit}" if self.unit else "")


def setting(
    default: T,
    help: str,
    unit: str = "",
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    choices: tuple[object, ...] = (),
    published: object = None,
) -> T:
    """A field of an experiment's ``Settings``: its default, and in its metadata what it means.

    Args:
        default: value at full settings.
        help: its meaning, in a phrase; the command line and the report show it.
        unit: unit of the value; empty for a pure number.
        least: smallest value that is allowed; of a tuple, of each of its numbers.
        above: allowed are only values above this one.
        most: largest value that is allowed.
        choices: the only values that are allowed.
        published: the paper's value, where it prints one; a table of claims says where the default is another.

    Example:
        >>> from dataclasses import dataclass, fields
        >>> from festina.papers import setting
        >>> @dataclass(frozen=True)
        ... class Settings:
        ...     seeds: int = setting(5, "trained networks", least=1)
        >>> Settings().seeds
        5
    """
    told = Setting(help, unit, least, above, most, choices, published)
    return dataclasses.field(default=default, metadata={KEY: told})


@typing.dataclass_transform(frozen_default=True, kw_only_default=True)
class _Frozen:
    def __init_subclass__(cls) -> None:
        made: Any = dataclasses.dataclass(frozen=True, kw_only=True)(cls)
        made.__dataclass_fields__["seed"] = made.__dataclass_fields__.pop("seed")  # listed last


class Settings(_Frozen):
    """Settings of an experiment: a class derived from it is a frozen dataclass, with ``seed`` as its last field.

    Example:
        >>> from festina.papers import Settings, setting
        >>> class Own(Settings):
        ...     seeds: int = setting(5, "trained networks", least=1)
        >>> Own(seeds=2).seed
        0
    """

    seed: int = setting(0, "first of the seeds", least=0)


def described(settings: DataclassInstance | type[DataclassInstance]) -> dict[str, Setting]:
    """Every setting of a ``Settings`` class or object, by name; one declared without ``setting`` has no help."""
    return {item.name: item.metadata.get(KEY, Setting("")) for item in dataclasses.fields(settings)}


def reduced(settings: DataclassInstance) -> dict[str, Any] | None:
    """Settings that are not the paper's, by name, with the paper's value; None if no value is known."""
    told, given = described(settings), _values(settings)
    known = {name: each.published for name, each in told.items() if each.published is not None}
    return {name: value for name, value in known.items() if given[name] != value} if known else None


def in_steps(settings: DataclassInstance) -> str:
    """A sentence: the steps in a unit of flow time, where training is gradient descent at one rate; else nothing."""
    rates = [getattr(settings, name) for name, each in described(settings).items() if each.unit == "flow time per step"]
    return f" One unit of flow time is {1 / rates[0]:g} steps of training." if rates else ""


def kinds(settings: DataclassInstance | type[DataclassInstance]) -> dict[str, Any]:
    """Type of each setting, by name."""
    return typing.get_type_hints(settings if isinstance(settings, type) else type(settings))


def check_settings(settings: DataclassInstance, experiment: str) -> None:
    """Refuse settings of a wrong type or outside their range.

    Raises:
        ValueError: names the setting, its value, what is allowed.
    """
    types, told = kinds(settings), described(settings)
    for name, value in _values(settings).items():
        if not _fits(value, types[name]):
            wanted = str(types[name]).replace("<class '", "").replace("'>", "")
            raise ValueError(f"setting {name} of {experiment} is {value!r}; {wanted} is needed ({told[name]}).")
        for part in _numbers(value):
            if not told[name].allows(part):
                raise ValueError(
                    f"setting {name} of {experiment} is {value!r}; {told[name].range or 'a finite number'} is needed "
                    f"({told[name]})."
                )


def _values(settings: DataclassInstance) -> Mapping[str, Any]:
    return {item.name: getattr(settings, item.name) for item in dataclasses.fields(settings)}


def _numbers(value: object) -> list[Any]:
    return [v for part in value for v in _numbers(part)] if isinstance(value, tuple) else [value]


def _fits(value: object, kind: object) -> bool:
    """Whether a value is of a type as settings have them: bool, int, float, str and tuples of these."""
    if typing.get_origin(kind) is tuple:
        inside = typing.get_args(kind)
        if not isinstance(value, tuple):
            return False
        if inside[-1] is Ellipsis:
            return len(value) > 0 and all(_fits(part, inside[0]) for part in value)
        return len(value) == len(inside) and all(map(_fits, value, inside))
    if kind in (int, float):
        return isinstance(value, int if kind is int else int | float) and not isinstance(value, bool)
    return isinstance(value, kind) if isinstance(kind, type) else True

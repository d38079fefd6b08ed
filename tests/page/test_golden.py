"""The numbers that the page's formulas are held to are those that the library gives today."""

import importlib.util
import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parents[2] / "web" / "golden"

SAME = {"attention": 1e-9, "gated": 1e-9, "linear": 1e-10}
"""Closed forms, linear algebra and training in double precision differ between machines by rounding only."""

ROUNDING = 1e-15
"""Small numbers of the page are differences of numbers near 1, whose last digit differs between machines."""

INTEGRATED = 1e-7
"""Adaptive integration may choose other steps on another machine; each keeps a relative 1e-9."""

FITTED = 1e-6
"""A least-squares search stops where the error is flat: its square root of rounding, and some."""

OTHERWISE = {
    ("attention", "races"): 1e-4,
    ("gated", "rate"): 0.0,
    ("gated", "units"): 0.0,
    ("gated", "criterion"): 0.0,
    ("gated", "races"): INTEGRATED,
    ("linear", "fits"): FITTED,
}
"""Parts that are settings, hence equal, or that are not exact to rounding."""


@cache
def maker(name: str) -> ModuleType:
    """The script that makes the file."""
    spec = importlib.util.spec_from_file_location(f"make_{name}", GOLDEN / f"make_{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def kept(name: str) -> dict[str, Any]:
    """What the page is tested against."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def assert_same(found: Any, kept: Any, tolerance: float) -> None:
    """Same structure, same words, same numbers."""
    if isinstance(found, dict):
        assert found.keys() == kept.keys()
        for key in found:
            assert_same(found[key], kept[key], tolerance)
    elif isinstance(found, list) and found and not isinstance(found[0], int | float):
        assert len(found) == len(kept)
        for one, other in zip(found, kept, strict=True):
            assert_same(one, other, tolerance)
    elif isinstance(found, str) and found != "inf":
        assert found == kept
    else:
        expected = np.array(kept, dtype=float)
        largest = np.abs(expected[np.isfinite(expected)]).max(initial=0.0)
        small = max(tolerance * min(largest, 1.0), ROUNDING if tolerance else 0.0)
        np.testing.assert_allclose(np.array(found, dtype=float), expected, rtol=tolerance, atol=small)


@pytest.mark.filterwarnings("ignore:.*modes cannot grow")  # one of the λ-balanced cases starts on a saddle
@pytest.mark.parametrize(("name", "part"), [(name, part) for name in SAME for part in kept(name)])
def test_kept_numbers_are_those_of_the_library(name: str, part: str) -> None:
    assert maker(name).PARTS.keys() == kept(name).keys()
    assert_same(maker(name).make(part), kept(name)[part], OTHERWISE.get((name, part), SAME[name]))

"""The numbers that the page's race and contexts rooms are tested against are what the library gives today."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

MAKER = Path(__file__).parents[2] / "web" / "golden" / "make_gated.py"

SAME = 1e-9
"""Closed forms and training in double precision differ between machines by rounding only."""

INTEGRATED = 1e-7
"""Adaptive integration may choose other steps on another machine; each keeps a relative 1e-9."""


@pytest.fixture(name="maker", scope="module")
def the_script_that_made_the_file():
    spec = importlib.util.spec_from_file_location("make_gated", MAKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(name="kept", scope="module")
def what_the_page_is_tested_against() -> dict[str, Any]:
    return json.loads(MAKER.with_name("gated.json").read_text(encoding="utf-8"))


def assert_same(found: Any, kept: Any, tolerance: float) -> None:
    """Same structure, same words, same numbers to the tolerance."""
    if isinstance(found, dict):
        assert found.keys() == kept.keys()
        for key in found:
            assert_same(found[key], kept[key], tolerance)
    elif isinstance(found, list) and found and not isinstance(found[0], int | float):
        assert len(found) == len(kept)
        for one, other in zip(found, kept, strict=True):
            assert_same(one, other, tolerance)
    elif isinstance(found, int | float | list):
        np.testing.assert_allclose(found, kept, rtol=tolerance, atol=tolerance)
    else:
        assert found == kept


TOLERANCES = {
    "rate": 0.0,
    "units": 0.0,
    "criterion": 0.0,
    "xor": SAME,
    "races": INTEGRATED,
    "trained": SAME,
    "tasks": SAME,
}


@pytest.mark.parametrize("part", TOLERANCES)
def test_kept_numbers_are_those_of_the_library(maker: Any, kept: dict[str, Any], part: str) -> None:
    assert maker.PARTS.keys() == kept.keys() == TOLERANCES.keys()
    assert_same(maker.PARTS[part](), kept[part], TOLERANCES[part])

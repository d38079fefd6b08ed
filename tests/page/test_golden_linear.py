"""The numbers that the page's closed forms are held to are those that the library gives today."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

MAKER = Path(__file__).parents[2] / "web" / "golden" / "make_linear.py"

SAME = 1e-10
"""Relative to the largest number of a row: linear algebra differs between machines by rounding only."""

FITTED = 1e-6
"""A least-squares search stops where the error is flat: its square root of rounding, and some."""

PARTS = {
    "modes": SAME,
    "grow": SAME,
    "balanced": SAME,
    "points": SAME,
    "fits": FITTED,
    "structures": SAME,
    "training": SAME,
}


@pytest.fixture(name="maker", scope="module")
def the_script_that_made_the_file() -> Any:
    spec = importlib.util.spec_from_file_location("make_linear", MAKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(name="kept", scope="module")
def what_the_page_is_tested_against() -> dict[str, Any]:
    return json.loads(MAKER.with_name("linear.json").read_text(encoding="utf-8"))


def assert_same(found: Any, kept: Any, tolerance: float) -> None:
    """Same structure, same words, same numbers."""
    if isinstance(found, dict):
        assert found.keys() == kept.keys()
        for key in found:
            assert_same(found[key], kept[key], tolerance)
    elif isinstance(found, list) and found and isinstance(found[0], list | dict):
        assert len(found) == len(kept)
        for one, other in zip(found, kept, strict=True):
            assert_same(one, other, tolerance)
    elif isinstance(found, str) and found != "inf":
        assert found == kept
    else:
        expected = np.array(kept, dtype=float)
        largest = np.abs(expected[np.isfinite(expected)]).max(initial=0.0)
        np.testing.assert_allclose(np.array(found, dtype=float), expected, rtol=tolerance, atol=tolerance * largest)


@pytest.mark.parametrize("part", PARTS)
def test_kept_numbers_are_those_of_the_library(maker: Any, kept: dict[str, Any], part: str) -> None:
    assert maker.PARTS.keys() == kept.keys() == PARTS.keys()
    assert_same(maker.make(part), kept[part], PARTS[part])

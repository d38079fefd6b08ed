"""An assumption is a number with a bound; where it does not hold the error says both and what to do."""

import math

import pytest

import festina as fs
from festina._assumption import require


def test_it_holds_up_to_its_bound():
    assert fs.Assumption("balance", "layers are equal", 1e-8, 1e-8).holds
    assert not fs.Assumption("balance", "layers are equal", 1.1e-8, 1e-8).holds
    assert not fs.Assumption("balance", "layers are equal", math.nan, 1e-8).holds


def test_it_says_what_was_measured():
    words = str(fs.Assumption("balance", "layers are equal", 0.5, 1e-8))
    assert words == "balance does not hold: layers are equal; measured 0.5, bound 1e-08"


def test_the_first_that_fails_is_raised_with_the_alternative():
    good, bad = (fs.Assumption(name, "it is so", value, 0.1) for name, value in (("one", 0.0), ("two", 0.2)))
    require([good, good], "Use another.")
    with pytest.raises(fs.AssumptionError, match=r"two does not hold: it is so; measured 0.2, bound 0.1. Use ano") as e:
        require([good, bad, good], "Use another.")
    assert e.value.assumption is bad
    assert e.value.instead == "Use another."
    assert isinstance(e.value, ValueError)

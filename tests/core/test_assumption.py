"""An assumption is a number with a bound; where it does not hold the error says both and what to do."""

import math
import pickle

import pytest

import festina as fs


def test_it_holds_up_to_its_bound():
    assert fs.Assumption("balance", "layers are equal", 1e-8, 1e-8).holds
    assert not fs.Assumption("balance", "layers are equal", 1.1e-8, 1e-8).holds
    assert not fs.Assumption("balance", "layers are equal", math.nan, 1e-8).holds


def test_it_says_what_was_measured():
    words = str(fs.Assumption("balance", "layers are equal", 0.5, 1e-8))
    assert words == "balance does not hold: layers are equal; measured 0.5, bound 1e-08"


def test_the_error_lists_every_theory_that_was_tried_and_what_to_do():
    tried = [(f"theory {name}", fs.Assumption(name, "it is so", 0.2, 0.1)) for name in ("one", "two")]
    error = fs.AssumptionError(tried, "Use another.")
    assert error.excluded == tuple(tried)
    assert error.assumption is tried[0][1]
    needed = "theory of theory one requires that it is so: measured 0.2, bound 0.1 (one)"
    for words in (needed, "(two)", "Use another."):
        assert words in str(error)
    assert str(error).index("Use another.") < str(error).index("measured")  # what to do comes first
    assert isinstance(error, ValueError)


def test_an_error_without_a_reason_is_refused():
    with pytest.raises(ValueError, match="excluded is empty"):
        fs.AssumptionError([], "Use another.")


def test_the_error_comes_back_from_another_process():
    error = fs.AssumptionError([("modes", fs.Assumption("balance", "layers are equal", 0.5, 1e-8))], "Use fs.Flow().")
    again = pickle.loads(pickle.dumps(error))
    assert (again.excluded, again.instead, str(again)) == (error.excluded, error.instead, str(error))

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
    words = str(fs.Assumption("balance", "layers are equal", 0.5, 1e-8, quantity="difference"))
    assert words == "not met: layers are equal (balance: difference 0.5, at most 1e-08)"
    met = str(fs.Assumption("balance", "layers are equal", 0.0, 1e-8))
    assert met.startswith("met: layers are equal (balance: measured 0,")


def test_where_words_say_more_than_a_number_they_say_what_is_true():
    without, found = "the network has no biases", "the network has biases"
    assert str(fs.Assumption("bias", without, 1.0, 0.0, otherwise=found)) == "not met: the network has biases"
    assert str(fs.Assumption("bias", without, 0.0, 0.0, otherwise=found)) == "met: the network has no biases"
    error = fs.AssumptionError([("fixed gates", fs.Assumption("bias", without, 1.0, 0.0, otherwise=found))], "Use it.")
    assert "The theory of fixed gates assumes that the network has no biases, but the network has biases." in str(error)


def test_the_error_lists_every_theory_that_was_tried_and_what_to_do():
    tried = [(f"theory {name}", fs.Assumption(name, "it is so", 0.2, 0.1)) for name in ("one", "two")]
    error = fs.AssumptionError(tried, "Use another.")
    assert error.excluded == tuple(tried)
    assert error.assumption is tried[0][1]
    needed = "The theory of theory one assumes that it is so (one: measured 0.2, at most 0.1)"
    for words in (needed, "theory two assumes", "Use another."):
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

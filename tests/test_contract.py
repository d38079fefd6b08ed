"""One contract for bad arguments: a public callable works, or says by name what is wrong."""

import numpy as np
import pytest

import contract
import festina as fs
from contract import BAD, TASK, checked, faults, methods

pytestmark = pytest.mark.slow

CASES = [pytest.param(value, id=name) for name, value in checked()]
METHODS = [pytest.param(value, id=name) for name, value in methods()]


@pytest.mark.usefixtures("untyped")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", CASES)
def test_bad_arguments_are_refused_by_name(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert faults(value) == {}


@pytest.mark.usefixtures("untyped")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", METHODS)
def test_methods_keep_the_contract(method, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert faults(method) == {}


def test_the_contract_is_wide():
    assert len(BAD) > 30
    assert len(CASES) > 150
    assert len(METHODS) > 45


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize("seed", [2**70, 2**63, -1, 1.0, "0"])
def test_seeds_are_refused_before_anything_is_drawn(seed):
    network = fs.DeepLinear((3,), initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match=r"seed is .*; a whole number"):
        fs.evolve(network, TASK, [0.0, 1.0], method=fs.Train(rate=0.1, batch=2), seed=seed)


def test_the_largest_seed_draws_batches():
    network = fs.DeepLinear((3,), initial=fs.initial.Gaussian(0.1))
    run = fs.evolve(network, TASK, [0.0, 1.0], method=fs.Train(rate=0.1, batch=2), seed=2**63 - 1)
    assert np.isfinite(run.loss).all()


def test_a_fault_is_found(monkeypatch):
    """The contract itself: what it must not let pass."""

    def careless(task, name="a"):
        return task.statistics, name.upper()

    found = faults(careless)
    assert ("task", "None") in found
    assert ("name", "zero") in found
    assert ("name", "text") not in found

    def slow(path):
        while path == "":
            pass

    monkeypatch.setattr(contract, "HANGS", 1.0)
    assert "does not end" in faults(slow)["path", "empty text"]

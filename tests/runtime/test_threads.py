"""How many threads small linear algebra uses, while it runs and after it."""

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import festina as fs
from festina.core.theory import Theory
from festina.runtime.threads import LARGE, few_threads, small_algebra


def blas():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2):
        yield


def test_small_algebra_has_one_thread_and_leaves_the_limits_as_they_were():
    with few_threads():
        with few_threads():
            assert blas() == {1}
        assert blas() == {1}
    assert blas() == {2}
    assert small_algebra(blas)() == {1}
    assert blas() == {2}
    with pytest.raises(ZeroDivisionError), few_threads():
        _ = 1 / 0
    assert blas() == {2}


def test_large_products_keep_all_threads():
    with few_threads(LARGE + 1):
        assert blas() == {2}


def test_threads_beside_the_main_one_change_no_limit():
    seen = []

    def other():
        with few_threads():
            seen.append(blas())

    thread = threading.Thread(target=other)
    thread.start()
    thread.join(10)
    assert seen == [{2}]
    assert blas() == {2}


def test_a_prediction_runs_with_one_thread(monkeypatch):
    seen = []
    solve = fs.DeepLinear((4,), initial=fs.initial.Aligned(0.1)).theories[0].__class__.solve

    def watched(self: Theory, *args, **kwargs):
        seen.append(blas())
        return solve(self, *args, **kwargs)

    network = fs.DeepLinear((4,), initial=fs.initial.Aligned(0.1))
    monkeypatch.setattr(type(network.theories[0]), "solve", watched)
    fs.evolve(network, fs.tasks.hierarchy(levels=2), np.array([0.0, 1.0]))
    assert seen == [{1}]
    assert blas() == {2}

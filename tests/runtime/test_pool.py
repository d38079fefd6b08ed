"""Pools: shares of the machine, processes of their own, and what is said when one of them ends."""

import os
import signal
import time

import pytest

from festina.runtime.pool import Pool, _shares, in_processes


def test_shares_of_the_machine():
    assert _shares([0, 1, 2, 3], 4) == [[0], [1], [2], [3]]
    assert _shares([0, 1, 2, 3], 2) == [[0, 1], [2, 3]]
    assert _shares([0, 1, 2, 3], 1) == [[0, 1, 2, 3]]
    assert _shares([4, 6, 7], 2) == [[4], [6]]
    assert _shares([4, 6], 5) == [[4], [6]]


def _seen(_):
    time.sleep(0.2)
    return os.environ.get("CUDA_VISIBLE_DEVICES"), tuple(os.sched_getaffinity(0))


def test_workers_share_gpus_and_cores(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,5")
    with Pool(2) as pool:
        found = {future.result() for future in [pool.submit(_seen, i) for i in range(4)]}
    assert {gpu for gpu, _ in found} == {"3", "5"}
    assert len({cores for _, cores in found}) == min(2, os.cpu_count() or 1)


def _process(number):
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 0:
        raise ValueError("zero")
    return os.getpid(), os.environ["OMP_NUM_THREADS"]


def test_each_argument_has_a_process_of_its_own(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    found = dict(in_processes(_process, [1, 2, 3], 2))
    assert set(found) == {1, 2, 3}
    assert len({number for number, _ in found.values()} | {os.getpid()}) == 4
    assert {threads for _, threads in found.values()} == {str(max(len(os.sched_getaffinity(0)) // 2, 1))}
    assert list(in_processes(_process, [], 2)) == []


def test_one_process_goes_on_with_the_next_argument_where_that_is_asked_for():
    assert len({number for _, (number, _) in in_processes(_process, [1, 2], 1, renew=False)}) == 1


@pytest.mark.parametrize(("number", "error", "said"), [(0, ValueError, "zero"), (-1, RuntimeError, "was killed, most")])
def test_an_error_and_a_killed_process_are_told(number, error, said):
    with pytest.raises(error, match=said):
        list(in_processes(_process, [1, number, 2], 2))

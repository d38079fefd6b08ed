"""The λ-balanced solution at 10,000 times beside training the same 100-100-100 network to convergence."""

import time

import numpy as np
import pytest

import festina as fs
from festina.linear import _balanced

SIZE, COUNT = 100, 10_000
RATES = (0.1, 0.01, 0.001)
"""Steps of gradient descent; the largest stable one is about 0.5 here, the smallest follows the flow closely."""

LEFT = 0.01
"""Training has converged when the loss left is that of the weakest mode missing this share of its strength."""

SEED = 1
"""A start whose determinant has the target's sign: at λ = 0 the other half never learns the weakest mode."""

STEPS = 2_000
"""Training steps that are timed; a step costs the same throughout, so the rest is counted and not run."""


def problem():
    """A Gaussian target on white inputs from a small balanced start: the rich regime, where training is slow."""
    rng = np.random.default_rng(0)
    task = fs.Task(np.sqrt(SIZE) * np.eye(SIZE), rng.standard_normal((SIZE, SIZE)))
    return task, fs.DeepLinear(hidden=(SIZE,), initial=fs.initial.Balanced(1e-2))


def _seconds(job):
    """Processor seconds, which other processes do not lengthen."""
    begun = time.process_time()
    job()
    return time.process_time() - begun


def converged(task, network):
    """Flow time at which the exact loss says that every mode is learned."""
    times = np.geomspace(1, 1e6, 400)
    loss = fs.evolve(network, task, times, seed=SEED).loss
    return float(times[np.argmax(loss <= 0.5 * (LEFT * task.statistics.strengths[-1]) ** 2)])


def test_ten_thousand_times_beside_training_to_convergence(benchmark):
    task, network = problem()
    span = converged(task, network)
    times = np.linspace(0, span, COUNT)
    found = benchmark.pedantic(lambda: fs.evolve(network, task, times, seed=SEED), rounds=1)
    seconds = benchmark.stats.stats.median
    early = np.array([0.0, STEPS * min(RATES)])
    part = fs.evolve(network, task, early, seed=SEED, method=fs.Train(rate=min(RATES)))
    per_step = part.notes["seconds_running"] / STEPS
    shares = {f"{rate:g}": seconds / (span / rate * per_step) for rate in RATES}
    benchmark.extra_info |= {
        "flow_time_to_convergence": span,
        "seconds_per_training_step": per_step,
        "training_steps_per_exact_time": seconds / COUNT / per_step,
        "share_of_training_by_rate": shares,
    }
    print(f"\n10,000 times exactly: {seconds:.1f} s, {seconds / COUNT / per_step:.1f} training steps per time")
    for rate in RATES:
        total = span / rate * per_step
        print(f"training at rate {rate:g} to convergence: {total:.0f} s, share {shares[f'{rate:g}']:.3f}")
    assert found.loss[-1] < 1e-6 * found.loss[0]
    assert np.isclose(part.loss[-1], np.interp(STEPS * min(RATES), times, found.loss), rtol=0.05)


@pytest.mark.parametrize("size", [10, 30, 100])
def test_one_further_time_beside_one_thin_svd(benchmark, size):
    rng = np.random.default_rng(0)
    task = fs.Task(np.eye(size), rng.standard_normal((size, size)))
    network = fs.DeepLinear(hidden=(size,), initial=fs.initial.Balanced(1e-2, lambda_=0.1))
    solution = _balanced.riccati(network.start(task, 0), task)
    times = np.geomspace(1, 1e3, 200)
    solution.factor(times[:1])
    job = benchmark.pedantic(lambda: _seconds(lambda: [solution.factor(times[p]) for p in solution.chunks(len(times))]))
    matrices = rng.standard_normal((len(times), 2 * size, size))
    ours, svd = job / len(times), _seconds(lambda: np.linalg.svd(matrices, full_matrices=False)) / len(times)
    benchmark.extra_info |= {"seconds_per_time": ours, "seconds_per_thin_svd": svd, "in_thin_svds": ours / svd}
    kv, ku = solution.factor(np.array([1e6]))
    # in the singular vectors, where the target is diagonal
    assert np.allclose(ku[0] @ kv[0].T, np.diag(solution.strengths / solution.curvature), atol=1e-6)
    print(f"\n{size}: one further time {1e3 * ours:.3f} ms, a thin SVD {1e3 * svd:.3f} ms, ratio {ours / svd:.2f}")

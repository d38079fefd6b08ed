"""Runs are placed where they are expected to end first, seeds are split over devices and into blocks that fit."""

import itertools
import os
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

import festina as fs
from festina.core.network import Data
from festina.methods import _device_choice
from festina.methods._device_choice import Work, gradient_work
from festina.methods._step import TrainSpec

pytestmark = pytest.mark.slow

START = (np.zeros((700, 11)), np.zeros((60, 700)))
CONTEXT = {"data": Data(np.zeros((24, 11)), np.zeros((24, 60)), 24.0)}


@dataclass(frozen=True)
class Device:
    """What the choice looks at."""

    platform: str
    device_kind: str = "NVIDIA H200"
    id: int = 0
    client: object = None
    limit: int = 0

    def memory_stats(self):
        return {"bytes_limit": self.limit, "bytes_in_use": 0} if self.limit else None


@pytest.fixture
def machine(monkeypatch):
    """``machine(kind, ...)``: one with these GPUs, four cores."""

    def build(*gpus):
        found = {"gpu": tuple(gpus)} if gpus else {}
        monkeypatch.setattr(_device_choice, "available", lambda: {**found, "cpu": (Device("cpu"),)})
        monkeypatch.setattr(_device_choice, "cores", lambda: 4)

    return build


def choose(seeds, steps, asked="auto", start=START, **settings):
    spec = TrainSpec(lambda w, d, k: ((d.x @ w[0].T @ w[1].T - d.y) ** 2).sum(), dict, ("loss",), **settings)
    return _device_choice.choose(asked, spec, CONTEXT, start, seeds, steps)


def test_small_runs_go_to_the_cpu_and_large_ones_to_the_gpu(machine):
    machine(Device("gpu"))
    small, large = choose(1, 100), choose(1000, 10_000)
    assert (small.platform, large.platform) == ("cpu", "gpu")
    for place in (small, large):
        assert "s on the CPU" in place.reason
        assert "s on the GPU" in place.reason


def test_more_work_never_moves_a_run_back_to_the_cpu(machine):
    machine(Device("gpu"))
    kinds = [choose(seeds, 5000).platform for seeds in (1, 4, 16, 64, 256, 1024)]
    assert kinds == sorted(kinds)
    assert set(kinds) == {"cpu", "gpu"}


def test_double_precision_on_a_gpu_that_is_not_made_for_it(machine):
    machine(Device("gpu"))
    assert choose(4, 17_000).platform == "gpu"
    machine(Device("gpu", "NVIDIA GeForce RTX 4090"))
    assert choose(4, 17_000).platform == "cpu"
    assert choose(40, 20_000, precision="single").platform == "gpu"


def test_without_a_gpu_there_is_no_choice(machine):
    machine()
    assert choose(10_000, 10_000).platform == "cpu"
    with pytest.raises(ValueError, match=r"device is 'gpu', and JAX finds cpu only; use device='auto'"):
        choose(1, 1, "gpu")


def test_what_is_asked_for_is_done_and_noted(machine):
    machine(Device("gpu"))
    assert choose(1, 1, "gpu").reason == "asked for"
    assert choose(10**5, 10**5, "cpu").platform == "cpu"
    with pytest.raises(ValueError, match=r"device 'tpu'"):
        fs.Train(0.1, device="tpu")


def test_the_notes_say_where_and_why():
    network, task = fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.1)), fs.tasks.living_things(4)
    notes = fs.evolve(network, task, [0.0, 1.0], method=fs.Train(0.1)).notes
    assert (notes["device"], notes["device_reason"]) == ("cpu", "the only kind of device")
    assert (
        fs.evolve(network, task, [0.0, 1.0], method=fs.Train(0.1, device="cpu")).notes["device_reason"] == "asked for"
    )


def seeds_at_once(seeds, *devices):
    spec = TrainSpec(lambda w, d, k: np.zeros(()), lambda _: {"loss": lambda w: w[0].sum()}, ("loss",))
    return _device_choice.seeds_at_once(spec, CONTEXT, START, seeds, _device_choice.Place(devices, ""))


def test_blocks_fit_in_memory_and_are_of_equal_size():
    per_seed = 8 * (4 * 49_700 + 32)
    limit = int(10.5 * per_seed / 0.7)
    assert seeds_at_once(8, Device("gpu", limit=limit)) == 8
    assert seeds_at_once(25, Device("gpu", limit=limit)) == 9
    assert seeds_at_once(25, *[Device("gpu", limit=limit)] * 2) == 13
    assert seeds_at_once(25, Device("gpu", limit=1)) == 1


def test_blocks_of_seeds_are_seeds_together(monkeypatch):
    network, task = fs.ReLU((4,), initial=fs.initial.Gaussian(0.5)), fs.tasks.living_things(4)
    given = {"method": fs.Train(0.1), "seeds": 5, "observe": ("loss", "weights")}
    whole = fs.evolve(network, task, [0.0, 1.0], **given)
    monkeypatch.setattr(_device_choice, "seeds_at_once", lambda *_: 2)
    parts = fs.evolve(network, task, [0.0, 1.0], **given)
    assert parts.notes["blocks_of_seeds"] == 3
    np.testing.assert_allclose(parts.loss, whole.loss, rtol=1e-14)
    for a, b in zip(parts.weights, whole.weights, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-14)


SHARDED = """
import numpy as np
import festina as fs
network, task = fs.ReLU((4,), initial=fs.initial.Gaussian(0.5)), fs.tasks.living_things(4)
for batching, batch in (("vmap", None), ("map", 2)):
    method = fs.Train(0.1, batching=batching, batch=batch)
    run = fs.evolve(network, task, [0.0, 0.5, 1.0], method=method, seeds=5, observe=("loss", "weights"))
    assert run.notes["devices"] == 4 and run.loss.shape == (5, 3), run.notes
    print(",".join(x.hex() for x in [*run.loss.ravel(), *run.weights[1].ravel()]))
"""


def test_seeds_are_split_over_all_devices():
    settings = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=4", "JAX_PLATFORMS": "cpu"}
    found = subprocess.run([sys.executable, "-c", SHARDED], capture_output=True, text=True, env=settings, check=False)
    assert found.returncode == 0, found.stderr
    network, task = fs.ReLU((4,), initial=fs.initial.Gaussian(0.5)), fs.tasks.living_things(4)
    for line, batch in zip(found.stdout.split(), (None, 2), strict=True):
        run = fs.evolve(network, task, [0.0, 0.5, 1.0], method=fs.Train(0.1, batch=batch), seeds=5,
                        observe=("loss", "weights"))  # fmt: skip
        theirs = np.array([float.fromhex(x) for x in line.split(",")])
        np.testing.assert_allclose([*run.loss.ravel(), *run.weights[1].ravel()], theirs, atol=1e-13)


def measured(layers, width, inputs, points, seeds, precision="single", *, outputs=10, fusible=False):
    """Expected microseconds of a step of these networks on an H200, all seeds together."""
    sizes = [inputs, *[width] * layers, outputs]
    weights = [np.zeros((b, a)) for a, b in itertools.pairwise(sizes)]
    numbers = sum(w.size for w in weights)
    work = Work(3 * len(weights), 3 * 2 * points * numbers)
    given = (work, numbers, seeds, 1_000_000, precision, [Device("gpu")])
    return _device_choice.gpu_seconds(*given, fusible=fusible) - _device_choice.GPU_START


@pytest.mark.parametrize(
    ("network", "microseconds"),
    [
        ((1, 100, 784, 64, 6), 58), ((2, 100, 784, 64, 6), 75), ((4, 100, 784, 64, 6), 142), ((4, 100, 20, 64, 6), 98),
        ((4, 100, 784, 64, 1), 133), ((4, 100, 784, 64, 60), 212), ((4, 100, 784, 64, 60, "double"), 227),
        ((20, 500, 20, 2, 25), 1275),
    ],
)  # fmt: skip
def test_a_step_on_a_gpu_is_expected_to_take_about_what_was_measured(network, microseconds):
    assert measured(*network) == pytest.approx(microseconds, rel=0.35)


@pytest.mark.parametrize(
    ("hidden", "width", "seeds", "microseconds"),
    [(2, 420, 10, 55), (2, 420, 100, 190), (2, 420, 1024, 1577), (3, 420, 100, 336), (2, 100, 100, 34)],
)
def test_a_step_in_kernels_of_layers_is_expected_to_take_about_what_was_measured(hidden, width, seeds, microseconds):
    expected = measured(hidden, width, 11, 24, seeds, outputs=60, fusible=True)
    assert expected == pytest.approx(microseconds, rel=0.35)


def test_shapes_are_counted_in_their_own_precision():
    """Outside double precision JAX truncates shapes of doubles and, from 0.11 on, warns of each of them."""
    seen = []

    def watch(context):
        return {"loss": lambda weights: seen.append(weights[0].dtype) or weights[0].sum()}

    def loss(weights, data, key):
        seen.append(weights[0].dtype)
        return weights[0].sum()

    _device_choice.seeds_at_once(
        TrainSpec(loss, watch, ("loss",)), CONTEXT, START, 2, _device_choice.Place((Device("gpu"),), "")
    )
    gradient_work(loss, START, CONTEXT["data"])
    assert seen == [np.float64] * 2

"""What is computed in small parts stays on the CPU where JAX's default is a GPU."""

import re
import subprocess
import sys
from pathlib import Path

import festina

# a second CPU stands in for the GPU: it is JAX's default, and nothing but training may be computed on it
SEEN = """
import jax, numpy as np
cpu, gpu = jax.devices()
jax.config.update("jax_default_device", gpu)
jax.default_backend = lambda: "gpu"
import festina as fs
from festina.runtime.device import in_double, on_cpu

with in_double():
    made = jax.numpy.zeros(3)
    assert made.devices() == {cpu} and made.dtype == np.float64
with on_cpu():
    assert jax.numpy.zeros(3).devices() == {cpu}
assert jax.numpy.zeros(3).devices() == {gpu}

compiled = []
jax.monitoring.register_event_duration_secs_listener(
    lambda name, seconds, **_: compiled.append(jax.config.jax_default_device) if "backend_compile" in name else None
)
pair = fs.Task([[-1.0], [-0.5]], [[0.6], [1.6]])
fs.evolve(fs.FeedForward((6, 6)), pair, [0.0, 1.0], method=fs.Reduced(), observe=("distances",))
fs.evolve(fs.FeedForward((6, 6)), pair, [0.0, 1.0], method=fs.Flow())
fs.evolve(fs.ReLU((6,), initial=fs.initial.Gaussian(0.1)), pair, [0.0, 1.0], method=fs.Reduced())
assert compiled and set(compiled) == {cpu}, compiled
"""


def test_theory_is_computed_on_the_cpu():
    import os

    settings = {
        **os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu",
        "FESTINA_CACHE": "off",
    }  # fmt: skip
    found = subprocess.run([sys.executable, "-c", SEEN], capture_output=True, text=True, env=settings, check=False)
    assert found.returncode == 0, found.stderr


def test_double_precision_is_asked_for_in_one_place():
    root = Path(festina.__file__).parent
    asked = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if re.search(r"enable_x64\(True\)", path.read_text(encoding="utf-8"))
    }
    assert asked == {"runtime/device.py"}


def test_a_platform_that_is_not_there_is_named():
    import os

    script = """
import festina as fs
for method in (fs.Train(rate=0.1), fs.Flow()):
    try:
        network = fs.ReLU((2,), initial=fs.initial.Gaussian(0.1))
        fs.evolve(network, fs.tasks.extended_xor(1.0), [0.0, 1.0], method=method)
    except ValueError as error:
        print(error)
"""
    settings = {**os.environ, "JAX_PLATFORMS": "cuda", "CUDA_VISIBLE_DEVICES": "", "FESTINA_CACHE": "off"}
    run = subprocess.run([sys.executable, "-c", script], env=settings, capture_output=True, text=True, check=True)
    lines = run.stdout.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert re.match(r"the environment variable JAX_PLATFORMS is 'cuda', and JAX finds no such device", line)

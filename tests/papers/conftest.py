"""Experiments compute for longer than they compile, so their programs are optimised, as they are for a user."""

import jax
import pytest

from festina import _program

FUSED = {"xla_cpu_use_fusion_emitters": True, "xla_cpu_parallel_codegen_split_count": 32}
"""What the compiler does by default, and what other tests keep it from."""


@pytest.fixture(scope="module", autouse=True)
def optimised():
    """Programs as a user has them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(_program.OPTIONS, "cpu", FUSED)
        before = jax.config.values["jax_disable_most_optimizations"]
        jax.config.update("jax_disable_most_optimizations", False)
        yield
        jax.config.update("jax_disable_most_optimizations", before)

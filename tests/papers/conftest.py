"""Experiments compute for longer than they compile, so their programs are optimised, as they are for a user."""

import jax
import pytest


@pytest.fixture(scope="module", autouse=True)
def optimised():
    """Programs as a user has them, but for the fusion of their products."""
    before = jax.config.values["jax_disable_most_optimizations"]
    jax.config.update("jax_disable_most_optimizations", False)
    yield
    jax.config.update("jax_disable_most_optimizations", before)

"""Experiments compute for longer than they compile, so their programs are optimised, as they are for a user."""

from pathlib import Path

import jax
import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder is marked ``experiment``."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("experiment")


@pytest.fixture(scope="module", autouse=True)
def optimised():
    """Programs as a user has them, but for the fusion of their products."""
    before = jax.config.values["jax_disable_most_optimizations"]
    jax.config.update("jax_disable_most_optimizations", False)
    yield
    jax.config.update("jax_disable_most_optimizations", before)

"""Settings of the whole suite: one BLAS thread, shapes checked at run time, fixed draws, no skipped tests in CI."""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import jaxtyping
import pytest
from hypothesis import HealthCheck, settings
from jaxtyping import install_import_hook

# where an annotation says float, an int is welcome, as PEP 484 has it
install_import_hook("festina", "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))")


@pytest.fixture(name="untyped")
def without_type_checks():
    """What a user meets who gives an argument of the wrong type: festina's own error, not the suite's type check."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


settings.register_profile(
    "festina", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "nightly", deadline=None, max_examples=1000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
# in CI every draw is the same; at night draws are new, and a failing one is printed so that it can become a test
settings.load_profile(os.environ.get("FESTINA_HYPOTHESIS", "festina"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Benchmarks live elsewhere; everything collected here runs."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """In CI nothing is skipped: a skip there means that ``.ci/run`` does not install what the test needs."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report

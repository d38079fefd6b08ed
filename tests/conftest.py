"""Settings of the whole suite: one thread per process, checked shapes, fixed draws, no skipped tests in CI."""

import collections
import dataclasses
import functools
import gc
import os
import shutil
import sys
import tempfile
import types
import typing
from importlib.metadata import version

# XLA takes its number of threads from NPROC: two processes with one each compute more than with two each
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NPROC"):
    os.environ.setdefault(variable, "1")

# programs that one process has compiled serve all others of this run, and no other run
if "FESTINA_CACHE" not in os.environ:
    os.environ["FESTINA_CACHE"] = os.environ["FESTINA_TEST_CACHE"] = tempfile.mkdtemp(prefix="festina-programs-")

# most tests compile for longer than they compute; published experiments do not (tests/papers/conftest.py)
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
FLAGS = ["--xla_cpu_parallel_codegen_split_count=1"]
if tuple(map(int, version("jaxlib").split(".")[:2])) < (0, 12):  # later ones end the process at this flag
    FLAGS.append("--xla_cpu_use_fusion_emitters=false")
os.environ.setdefault("XLA_FLAGS", " ".join(FLAGS))

# later runs, and processes that tests start, find bytecode instead of compiling sources and assertions anew
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

import jaxtyping
import pytest
from hypothesis import HealthCheck, settings
from jaxtyping import install_import_hook

with_shapes = jaxtyping.jaxtyped

CHECKED = 20
"""Calls of a function in a test whose types are checked: later ones are most often those of a loop."""
calls = collections.Counter()


def is_plain(hint):
    """Whether beartype alone can check an annotation: it has no shape and is not the text of a type."""
    if isinstance(hint, list | tuple):
        return all(map(is_plain, hint))
    if isinstance(hint, str | typing.ForwardRef):
        return False
    shaped = isinstance(hint, type) and issubclass(hint, jaxtyping.AbstractArray)
    return not shaped and is_plain(typing.get_args(hint))


def hints(function):
    """Annotations of a function, with those that are text read where all names in them are known."""
    try:
        return list(typing.get_type_hints(function).values())
    except NameError:  # of what only a type checker imports
        return list(function.__annotations__.values())


def jaxtyped(*, typechecker):
    """Check what modules and classes define; functions without shapes by beartype alone, which is many times faster.

    What functions define inside is not checked: that check would be made anew in every call of the outer function,
    which takes milliseconds, and such functions are called in inner loops.
    """

    def check(found):
        if "<locals>" in found.__qualname__:
            return found
        if isinstance(found, type):
            # of a class, what a dataclass writes is left to check: methods have been seen to
            made = vars(found).get("__init__") if dataclasses.is_dataclass(found) else None
            if isinstance(made, types.FunctionType) and not hasattr(made, "__wrapped__"):
                setattr(found, "__init__", check(made))  # noqa: B010
            return found
        if not isinstance(found, types.FunctionType):
            return with_shapes(typechecker=typechecker)(found)
        checked = None

        @functools.wraps(found)
        def run(*args, **kwargs):
            nonlocal checked
            if calls[found] >= CHECKED or jaxtyping.config.jaxtyping_disable:
                return found(*args, **kwargs)
            if checked is None:  # most functions are not called in most processes
                checked = typechecker(found) if is_plain(hints(found)) else with_shapes(typechecker=typechecker)(found)
            calls[found] += 1
            return checked(*args, **kwargs)

        return run

    return check


jaxtyping.jaxtyped = jaxtyped

# where an annotation says float, an int is welcome, as PEP 484 has it; verdicts and the documentation run as users have
# it: make test checks the types of the same code
if os.environ.get("FESTINA_TYPES") != "unchecked":
    install_import_hook("festina", "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))")


@pytest.fixture(name="untyped")
def without_type_checks():
    """What a user meets who gives an argument of the wrong type: festina's own error, not the suite's type check."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


def pytest_runtest_setup() -> None:
    """Every test has its own calls that are checked."""
    calls.clear()


settings.register_profile(
    "festina", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "nightly", deadline=None, max_examples=1000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
# in CI every draw is the same; at night draws are new, and a failing one is printed so that it can become a test
settings.load_profile(os.environ.get("FESTINA_HYPOTHESIS", "festina"))

FIRST = (
    "page", "test_docs.py", "papers", "sweeps", "test_readme.py", "explanation", "test_public.py", "test_verb.py",
    "cli", "test_contract.py",
)  # fmt: skip
"""What takes longest, so that all workers end together."""


LINUX = ("browser", "slurm")
"""Fixtures that need programs of Debian; what uses one has a marker of its name."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs Linux and leave it out elsewhere; what is listed as long comes first."""

    def rank(item: pytest.Item) -> int:
        file = item.path.relative_to(config.rootpath).as_posix()
        return next((i for i, name in enumerate(FIRST) if file.startswith(f"tests/{name}")), len(FIRST))

    for item in items:
        for name in set(LINUX).intersection(getattr(item, "fixturenames", ())):
            item.add_marker(name)
            item.add_marker("linux")
    if sys.platform != "linux":
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("linux")])
        items[:] = [item for item in items if not item.get_closest_marker("linux")]
    items.sort(key=rank)


def pytest_collection_finish() -> None:
    """What has been imported stays: garbage is sought among what tests make, and less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log):
    """One worker takes a whole file, so that what its tests share is made once; of experiments, one after another."""
    from xdist.scheduler import LoadScopeScheduling

    class Files(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file, _, test = nodeid.partition("::")
            return f"{file} {test.partition('[')[2]}" if file.endswith("papers/test_experiment.py") else file

    return Files(config, log)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Remove the compiled programs of this run."""
    if not hasattr(session.config, "workerinput") and "FESTINA_TEST_CACHE" in os.environ:
        shutil.rmtree(os.environ["FESTINA_TEST_CACHE"], ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """In CI nothing is skipped: a skip there means that ``.ci/run`` does not install what the test needs."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report

"""Compiled programs are kept between processes: shared safely, bounded in size, and never trusted when damaged."""

import os
import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

from festina.runtime import program as programs
from festina.runtime import secret
from festina.storage.store import Store

X = np.arange(6.0, dtype=np.float32).reshape(2, 3)


def lowered(factor=2.0):
    return jax.jit(lambda x: {"twice": factor * x @ x.T}).lower(X)


@pytest.fixture
def place(tmp_path, monkeypatch):
    folder = tmp_path / "programs"
    monkeypatch.setenv("FESTINA_CACHE", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return folder


def users_key():
    key = secret.key()
    assert key is not None
    return key


def forged(place, name, content, secret=b""):
    """A file that somebody else put into the folder, with a right checksum."""
    Store(place, "program", secret=secret).write(name, content)


@pytest.fixture
def compilations(monkeypatch):
    """How often something was compiled that is now kept."""
    calls, real = [], programs._compile

    def compile_or_load(*given):
        found, image = real(*given)
        calls.extend([1] * bool(image))
        return found, image

    monkeypatch.setattr(programs, "_compile", compile_or_load)
    return calls


def test_a_program_is_compiled_once_and_computes_the_same(place, compilations):
    found = [programs.compile_once(lowered())(X)["twice"] for _ in range(3)]
    assert len(compilations) == 1
    assert len(list(place.iterdir())) == 1
    for value in found:
        np.testing.assert_array_equal(value, 2 * X @ X.T)
    programs.compile_once(lowered(3.0))
    assert len(compilations) == 2


def test_programs_that_differ_in_an_unused_argument_are_kept_apart(place, compilations):
    program = jax.jit(lambda x, unused: x + 1)
    for rows in (2, 3, 2):
        unused = np.zeros((rows, 1), np.float32)
        np.testing.assert_array_equal(programs.compile_once(program.lower(X, unused))(X, unused), X + 1)
    assert len(compilations) == 2


def test_programs_that_were_not_optimised_are_kept_apart(place, compilations):
    before = jax.config.values["jax_disable_most_optimizations"]
    for off in (False, True, False):
        jax.config.update("jax_disable_most_optimizations", off)
        programs.compile_once(lowered())
    jax.config.update("jax_disable_most_optimizations", before)
    assert len(compilations) == 2


@pytest.mark.parametrize("keep", [True, False])
def test_programs_that_run_briefly_compute_the_same_and_are_kept_apart(place, compilations, keep):
    programs.compile_once(lowered(), keep=keep)
    with programs.running_briefly():
        found = programs.compile_once(lowered(), keep=keep)(X)["twice"]
    np.testing.assert_array_equal(found, 2 * X @ X.T)
    assert len(compilations) == keep * (2 if jax.__version_info__ < (0, 12) else 1)


def test_opting_out(place, monkeypatch):
    programs.compile_once(lowered(), keep=False)
    monkeypatch.setenv("FESTINA_CACHE", "off")
    programs.compile_once(lowered())
    assert not place.exists()


def test_settings_of_jax_are_as_they_were_and_other_programs_are_not_kept(place):
    before = dict(jax.config.values)
    for _ in range(2):
        programs.compile_once(lowered())
    assert jax.config.values == before
    jax.jit(lambda x: x + 7)(X)
    assert len(list(place.iterdir())) == 1


def test_nothing_is_unpickled(place, monkeypatch):
    import pickle

    programs.compile_once(lowered())
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, None)
    np.testing.assert_array_equal(programs.compile_once(lowered())(X)["twice"], 2 * X @ X.T)
    assert b"pickle" not in next(place.iterdir()).read_bytes()


@pytest.mark.parametrize("damage", [lambda p: p.write_bytes(p.read_bytes()[:-9]), lambda p: p.write_bytes(b"")])
def test_a_damaged_file_is_compiled_again(place, compilations, damage):
    programs.compile_once(lowered())
    (file,) = place.iterdir()
    whole = file.read_bytes()
    damage(file)
    np.testing.assert_array_equal(programs.compile_once(lowered())(X)["twice"], 2 * X @ X.T)
    assert len(compilations) == 2
    assert file.read_bytes()[-80:] == whole[-80:] or len(list(place.iterdir())) == 1


@pytest.mark.parametrize("content", [b"not a program", b"name-cache\nnot a program", b"../name\n", b"\0\n", b""])
def test_what_a_runtime_refuses_is_compiled_again(place, compilations, content):
    programs.compile_once(lowered())
    (file,) = place.iterdir()
    forged(place, file.name, content, users_key())
    programs.compile_once(lowered())
    assert len(compilations) == 2


@pytest.mark.parametrize("guess", [b"", b"another key"])
def test_a_program_that_somebody_else_put_there_is_not_run(place, guess):
    """The forged file is the image of a program that computes something else, under the name that is asked for."""
    programs.compile_once(lowered(2.0))
    (file,) = place.iterdir()
    image = Store(place, "program", secret=users_key()).load(file.name)
    programs.compile_once(lowered(3.0))
    (other,) = set(place.iterdir()) - {file}
    content = Store(place, "program", secret=users_key()).load(other.name)
    assert image is not None
    assert content is not None
    name = image.partition(b"\n")[0]
    swapped = name + b"\n" + content.partition(b"\n")[2]
    forged(place, file.name, swapped, guess)
    np.testing.assert_array_equal(programs.compile_once(lowered(2.0))(X)["twice"], 2 * X @ X.T)
    # with the user's own key it is run, which shows that the digest alone keeps it out
    forged(place, file.name, swapped, users_key())
    np.testing.assert_array_equal(programs.compile_once(lowered(2.0))(X)["twice"], 3 * X @ X.T)


def test_a_relative_folder_is_refused(place, monkeypatch):
    monkeypatch.setenv("FESTINA_CACHE", "programs")
    with pytest.raises(ValueError, match=r"FESTINA_CACHE is 'programs'.*absolute path of a folder is needed"):
        programs.compile_once(lowered())


def test_a_link_in_the_folder_is_not_followed(place, compilations):
    programs.compile_once(lowered())
    (file,) = place.iterdir()
    file.rename(place.parent / "elsewhere")
    file.symlink_to(place.parent / "elsewhere")
    before = (place.parent / "elsewhere").read_bytes()
    programs.compile_once(lowered())
    assert len(compilations) == 2
    assert not file.is_symlink()
    assert (place.parent / "elsewhere").read_bytes() == before


@pytest.mark.linux
def test_the_key_is_the_users_alone_and_lies_outside_of_the_folder(place, monkeypatch):
    programs.compile_once(lowered())
    file = secret.place()
    assert file is not None
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    key = users_key()
    assert len(key) == secret.BYTES
    assert key == secret.key()
    assert key not in next(place.iterdir()).read_bytes()
    file.chmod(0o644)
    assert secret.key() is None
    file.chmod(0o600)
    file.parent.chmod(0o777)
    assert secret.key() is None
    file.parent.chmod(0o700)
    file.write_bytes(b"")
    assert secret.key() is None
    monkeypatch.setenv("FESTINA_CACHE", str(file.parent))
    file.write_bytes(key)
    programs.compile_once(lowered())
    assert list(file.parent.iterdir()) == [file]
    (place.parent / "mine").mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", "/proc")  # nothing can be written there
    monkeypatch.setenv("FESTINA_CACHE", str(place.parent / "mine"))
    programs.compile_once(lowered())
    assert not list((place.parent / "mine").iterdir())


def test_calls_into_python_are_not_kept(place):
    program = jax.jit(lambda x: jax.pure_callback(np.sin, jax.ShapeDtypeStruct(X.shape, X.dtype), x)).lower(X)
    np.testing.assert_allclose(programs.compile_once(program)(X), np.sin(X), rtol=1e-6)
    assert not place.exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of POSIX")
@pytest.mark.linux
def test_a_folder_that_others_own_or_can_write_is_not_used(place, compilations, monkeypatch):
    place.mkdir()
    place.chmod(0o777)
    with pytest.warns(UserWarning, match="can be written by others, so that no compiled programs are kept"):
        programs.compile_once(lowered())
    assert not list(place.iterdir())
    place.chmod(0o700)
    with monkeypatch.context() as somebody:
        somebody.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
        with pytest.warns(UserWarning, match="belongs to somebody else"):
            programs.compile_once(lowered())
    assert not list(place.iterdir())
    programs.compile_once(lowered())
    assert len(list(place.iterdir())) == 1


def test_the_size_is_a_number(place, monkeypatch):
    monkeypatch.setenv("FESTINA_CACHE_SIZE", "many")
    with pytest.raises(ValueError, match=r"FESTINA_CACHE_SIZE is 'many'; a positive number of megabytes"):
        programs.compile_once(lowered())
    monkeypatch.setenv("FESTINA_CACHE_SIZE", "1e-9")
    programs.compile_once(lowered())
    assert not list(place.iterdir())


@pytest.mark.linux  # the paths of the cases are POSIX paths
@pytest.mark.parametrize(
    ("system", "variables", "expected"),
    [
        ("linux", {}, "~/.cache/festina"),
        ("linux", {"XDG_CACHE_HOME": "/somewhere"}, "/somewhere/festina"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "~/.cache/festina"),
        ("darwin", {}, "~/Library/Caches/festina"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/festina/Cache"),
        ("linux", {"FESTINA_CACHE": "~/mine"}, "~/mine"),
    ],
)
def test_the_folder_follows_the_platform(monkeypatch, system, variables, expected):
    for name in ("FESTINA_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", system)
    assert programs.folder() == Path(expected).expanduser()


def test_jit_compiles_once_for_a_shape_and_type(place, compilations):
    power = programs.jit(lambda n, x: {"power": x**n}, static=1)
    for n in (2, 2, 3):
        np.testing.assert_array_equal(power(n, X)["power"], X**n)
    assert len(compilations) == 2
    np.testing.assert_array_equal(power(2, X[:1])["power"], X[:1] ** 2)
    with jax.enable_x64(True):
        assert power(2, X.astype(float))["power"].dtype == np.float64
    assert len(compilations) == 4
    np.testing.assert_array_equal(jax.vmap(lambda x: power(2, x)["power"])(X), X**2)
    assert len(list(place.iterdir())) == 4


MANY = """
import numpy as np, jax
from festina.runtime import program as programs
x = np.ones((3, 3), np.float32)
for k in range(6):
    found = programs.compile_once(jax.jit(lambda x: x @ x + k).lower(x))(x)
    assert np.all(np.asarray(found) == 3 + k)
"""


def test_processes_share_the_folder(place):
    settings = {**os.environ, "FESTINA_CACHE": str(place), "FESTINA_CACHE_SIZE": "0.02"}
    jobs = [subprocess.Popen([sys.executable, "-W", "error", "-c", MANY], env=settings) for _ in range(2)]
    assert [job.wait(timeout=300) for job in jobs] == [0, 0]
    assert sum(p.stat().st_size for p in place.iterdir()) <= 2 * 0.02e6


def test_programs_are_compiled_where_jax_is_told_not_to(place):
    """JAX_DISABLE_JIT unrolls loops and refuses what was compiled; it is the same setting."""
    import festina as fs

    network, task = fs.ReLU((3,), initial=fs.initial.Gaussian(0.3)), fs.tasks.extended_xor(1.0)
    for method in (fs.Train(rate=0.1), fs.Flow()):
        plain = fs.evolve(network, task, [0.0, 1.0], method=method)
        with jax.disable_jit():
            np.testing.assert_array_equal(fs.evolve(network, task, [0.0, 1.0], method=method).loss, plain.loss)
    with jax.disable_jit():
        power = programs.jit(lambda x: jax.lax.fori_loop(0, 3, lambda _, y: y * 2, x))
        np.testing.assert_array_equal(power(X), 8 * X)

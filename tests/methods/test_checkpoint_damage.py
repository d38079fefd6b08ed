"""Checkpoints whose files were exchanged or replaced: the run says so and starts again, with the same numbers."""

import numpy as np
import pytest

import festina as fs

TASK = fs.tasks.living_things(4)
NETWORK = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(0.1))


def train(folder):
    with fs.checkpoints(folder):
        return fs.evolve(NETWORK, TASK, [0.0, 1.0, 2.0], method=fs.Train(rate=0.1))


def files(folder):
    (state,), (part,) = folder.glob("*/state"), folder.glob("*/part-*")
    return state, part


@pytest.fixture
def finished(tmp_path):
    return train(tmp_path), tmp_path


@pytest.mark.parametrize("way", ["state and part", "state is a part", "part is a state"])
def test_exchanged_files_are_named_and_the_run_starts_again(finished, way):
    first, folder = finished
    state, part = files(folder)
    states, parts = state.read_bytes(), part.read_bytes()
    if way != "part is a state":
        state.write_bytes(parts)
    if way != "state is a part":
        part.write_bytes(states)
    with pytest.warns(UserWarning, match=r"corrupt checkpoint: .*starts again"):
        again = train(folder)
    np.testing.assert_array_equal(first.loss, again.loss)
    assert again.notes["continued_from"] == 0


@pytest.mark.parametrize("which", [0, 1])
def test_a_folder_in_place_of_a_file_is_named(finished, which):
    first, folder = finished
    victim = files(folder)[which]
    victim.unlink()
    victim.mkdir()
    with pytest.warns(UserWarning, match="starts again|goes on without") as caught:
        again = train(folder)
    assert f"{victim.name} is a folder, not a checkpoint; the run starts again" in str(caught[0].message)
    np.testing.assert_array_equal(first.loss, again.loss)
    assert len(caught) == (2 if which == 0 else 1)  # where the state is a folder, it cannot be replaced either


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize("bad", [3, None, [], {"a": 1}])
def test_what_is_no_path_is_refused(bad):
    with pytest.raises(ValueError, match=r"folder is .*a path is needed"), fs.checkpoints(bad):
        pass

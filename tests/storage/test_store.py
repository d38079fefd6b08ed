"""Stores: files that are whole or not there, found by name and key, and kept to a size."""

import os

import pytest

from festina.storage.store import CorruptError, Store


def test_a_file_is_found_by_name_and_key_and_every_change_is_noticed(tmp_path):
    store = Store(tmp_path, "trial", ".x", split=2, temporary=tmp_path / "partial")
    store.write("abcd", b"numbers")
    store.write("efgh", b"", "settings")
    assert (tmp_path / "ab" / "abcd.x").is_file()
    assert (store.load("abcd"), store.load("abcd", "other"), store.load("none")) == (b"numbers", None, None)
    assert store.read("efgh") == ("settings", b"")
    for changed in (b"", store.path("abcd").read_bytes()[1:], store.path("efgh").read_bytes()[:-1]):
        store.path("abcd").write_bytes(changed)
        with pytest.raises(CorruptError, match=r"abcd.x (is cut off|was changed)"):
            store.load("abcd")
    with pytest.raises(CorruptError, match="not a result"):
        Store(tmp_path, "result", ".x", split=2).read("efgh")
    store.remove("efgh")
    store.remove("efgh")
    assert store.load("efgh") is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_folder_or_a_pipe_is_not_waited_for(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CorruptError, match="is a folder, not a trial"):
        Store(tmp_path, "trial").load("folder")
    with pytest.raises(CorruptError, match="pipe is not a file"):
        Store(tmp_path, "trial").load("pipe")


def test_the_folder_stays_below_its_size(tmp_path):
    for i in range(10):
        file = tmp_path / f"p{i}"
        file.write_bytes(bytes(100))
        os.utime(file, (i, i))
    Store(tmp_path, "trial").touch("p0")
    (tmp_path / "dead.part").write_bytes(bytes(5))
    os.utime(tmp_path / "dead.part", (1, 1))
    (tmp_path / "alive.part").write_bytes(bytes(5))
    Store(tmp_path, "trial", most=1000).shrink()
    assert len(list(tmp_path.glob("p*"))) == 10
    Store(tmp_path, "trial", most=500).shrink()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["alive.part", "p0", "p7", "p8", "p9"]

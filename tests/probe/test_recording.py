"""Recordings in files: every change is noticed, and what is crafted is refused before memory is taken."""

import io
import json
import tracemalloc

import numpy as np
import pytest

import festina as fs
from festina.probe import _recording
from festina.storage import array_file, store

T, P = 5, 2
LINE = np.linspace(0.1, 1, T)[:, None, None] * np.array([[0.0], [1.0]])
XY = [[0.0], [1.0]]
SEEN = fs.probe.Recording(np.arange(float(T)), XY, XY, LINE, {"first": LINE, "second": 2 * LINE})


def crafted(path, described=None, **arrays):
    """A recording with a right checksum and anything in it."""
    told = {"format": _recording.FORMAT, "unit": "epochs", "layers": ["first", "second"], **(described or {})}
    plain = {"times": SEEN.times, "x": SEEN.x, "y": SEEN.y, "outputs": LINE, "layer 0": LINE, "layer 1": LINE, **arrays}
    content = io.BytesIO()
    plain.setdefault("metadata", np.frombuffer(json.dumps(told).encode(), np.uint8))
    np.savez_compressed(content, **{name: value for name, value in plain.items() if value is not None})
    store.write(path, content.getvalue(), "recording")
    return path


def test_every_change_of_a_recording_is_noticed(tmp_path):
    whole = SEEN.save(tmp_path / "seen.npz").read_bytes()
    rng, path = np.random.default_rng(0), tmp_path / "changed.npz"
    for at in rng.integers(len(whole), size=200).tolist():
        for changed in (whole[:at], whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]):
            path.write_bytes(changed)
            with pytest.raises(ValueError, match=r"changed.npz', which is not a recording \(.*(cut off|was changed)"):
                fs.probe.Recording.load(path)


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"times": np.array(list("abcde"))}, "times is ndarray that is not an array of real numbers"),
        ({"times": np.array([0, 1, np.nan, 3, 4])}, r"times holds 1 value\(s\) that are not finite"),
        ({"times": np.arange(5.0)[::-1]}, "times do not increase"),
        ({"times": np.zeros((5, 1))}, "times do not increase"),
        ({"x": np.array([["a"], ["b"]])}, "x is ndarray that is not an array of real numbers"),
        ({"y": np.array([[np.inf], [1]])}, "y holds 1 value"),
        ({"y": np.zeros((3, 1))}, r"x has shape \(2, 1\) and y has \(3, 1\): not one row per point"),
        ({"x": np.zeros(())}, r"x has shape \(\)"),
        ({"outputs": LINE[:4]}, r"outputs is an array of float64 of shape \(4, 2, 1\); numbers at 5 times"),
        ({"outputs": LINE.astype(str)}, "outputs is an array of <U"),
        ({"layer 1": LINE[:, :1]}, r"layer 1 is an array of float64 of shape \(5, 1, 1\)"),
        ({"layer 1": LINE.astype(complex)}, "layer 1 is an array of complex128"),
        ({"layer 1": None}, "'layer 1'"),
        ({"metadata": np.frombuffer(b"[" * 100_000, np.uint8)}, "which is not a recording"),
        ({"metadata": np.frombuffer(b"\xff\xfe", np.uint8)}, "which is not a recording"),
        ({"metadata": np.array("{}")}, "which is not a recording"),
        ({"described": {"layers": ["first", "first"]}}, "two layers of one name"),
        ({"described": {"layers": [1, 2]}}, "layers is 1; text is needed"),
        ({"described": {"layers": "ab"}}, "layers is 'ab'; a list of names"),
        ({"described": {"unit": 3}}, "unit is 3; text is needed"),
        ({"described": {"format": "festina recording 1"}}, "its format is 'festina recording 1'"),
    ],
)  # fmt: skip
def test_crafted_recordings_are_refused(tmp_path, arrays, told):
    with pytest.raises(ValueError, match=rf"seen.npz', which is not a recording \(.*{told}|{told}"):
        fs.probe.Recording.load(crafted(tmp_path / "seen.npz", **arrays))
    assert fs.probe.Recording.load(crafted(tmp_path / "seen.npz")).layers == ("first", "second")


def test_a_recording_that_would_not_be_read_back_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="times do not increase"):
        fs.probe.Recording([1.0, 0.0], SEEN.x, SEEN.y, LINE[:2], {}).save(tmp_path / "seen")
    diverged = LINE.copy()
    diverged[-1] = np.nan
    again = fs.probe.Recording(SEEN.times, SEEN.x, SEEN.y, diverged, {}).save(tmp_path / "seen")
    np.testing.assert_array_equal(fs.probe.Recording.load(again).outputs, diverged)


def test_a_small_file_does_not_take_much_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(_recording, "FREE", 2**20)
    zeros = np.zeros((T, P, 10**5))
    bomb = crafted(tmp_path / "bomb.npz", **{"layer 1": zeros})
    assert bomb.stat().st_size * 64 < zeros.nbytes
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"holds arrays of 0.0 GiB; at most .* are read from a file of its size"):
            fs.probe.Recording.load(bomb)
        assert tracemalloc.get_traced_memory()[1] < 10 * bomb.stat().st_size + 2**20
    finally:
        tracemalloc.stop()
    silent = fs.probe.Recording(SEEN.times, SEEN.x, SEEN.y, LINE, {"dead": zeros}).save(tmp_path / "silent")
    assert not fs.probe.Recording.load(silent).layer("dead").any()


def test_so_of_all_npz_files(tmp_path, monkeypatch):
    monkeypatch.setattr(array_file, "MAX_RATIO", 2)
    np.savez_compressed(tmp_path / "x.npz", x=np.zeros((1000, 100)))
    assert array_file.read_npz(tmp_path / "x.npz")["x"].shape == (1000, 100)
    with pytest.raises(ValueError, match="Save fewer data points, or save them without compression"):
        array_file.read_npz(tmp_path / "x.npz", free=1000)

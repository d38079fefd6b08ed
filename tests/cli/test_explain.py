"""``festina explain``, as a person types it."""

import inspect
import json
import re

import numpy as np
import pytest

import festina as fs
from festina.cli import _commands, _main

pytestmark = pytest.mark.slow

TASK = fs.tasks.extended_xor(0.5)


@pytest.fixture(name="files", scope="module")
def files_of_a_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    network = fs.ReLU((16,), initial=fs.initial.Gaussian(0.01))
    run = fs.evolve(network, TASK, np.linspace(0, 40, 5), method=fs.Train(rate=0.4), observe=("weights",))
    for i in range(5):
        np.savez(folder / f"w{i}.npz", **{f"layer{n}.weight": w[i] for n, w in enumerate(run.weights)})
    np.savez(folder / "data.npz", x=TASK.x, y=TASK.y)
    np.savez(folder / "inputs.npz", x=TASK.x)
    np.savez(folder / "narrow.npz", x=TASK.x[:, :2], y=TASK.y)
    np.savez(folder / "holes.npz", x=np.full_like(TASK.x, np.nan), y=TASK.y)
    (folder / "text.npz").write_text("not a file of arrays")
    whole = bytearray((folder / "data.npz").read_bytes())
    whole[120] ^= 255
    (folder / "flipped.npz").write_bytes(bytes(whole))
    (folder / "labels.csv").write_text("kind\n0\n1\n1\n0\n")
    (folder / "features.txt").write_text("left\nright\nboth\n")
    return folder


def explain(capsys, *words, code=0):
    with pytest.raises(SystemExit) as stop:
        _main.main(["explain", *map(str, words)])
    assert stop.value.code == code
    return capsys.readouterr()


def test_page_and_json(files, tmp_path, capsys):
    told = explain(capsys, files / "w4.npz", "--data", files / "data.npz", "--out", tmp_path, "--no-rivals")
    assert told.out.startswith("This network (16 hidden units")
    assert told.err.strip().startswith("wrote ")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["explanation.html", "explanation.json"]
    weights = dict(np.load(files / "w4.npz"))
    assert json.loads((tmp_path / "explanation.json").read_text()) == fs.explain(weights, TASK.x, TASK.y).to_json()
    assert "<figcaption>" in (tmp_path / "explanation.html").read_text()


def test_checkpoints_groups_and_names(files, tmp_path, capsys):
    earlier = [files / f"w{i}.npz" for i in range(4)]
    words = ["--checkpoints", *earlier, "--data", files / "data.npz", "--steps", "0,25,50,75,100"]
    words += ["--groups", files / "labels.csv", "--feature-names", files / "features.txt", "--modules", "4"]
    told = json.loads(explain(capsys, files / "w4.npz", *words, "--out", tmp_path, "--json").out)
    assert told["times"] == [0, 25, 50, 75, 100]
    assert told["group_names"] == ["0", "1"]
    names = {n for m in told["layers"][0]["modules"] for d in m["directions"] for n, _ in d["features"]}
    assert names <= {"left", "right", "both"}


def test_every_option_of_the_function_is_one_of_the_command():
    function, command = (set(inspect.signature(f).parameters) for f in (fs.explain, _commands.explain))
    function -= {"factors"}  # of activity, which is not read from a file of weights
    renamed = {"model": "weights", "x": "data", "y": "data", "image_shape": "image"}
    assert {renamed.get(name, name) for name in function} <= command


def test_lists_are_spread():
    words = ["explain", "w", "--checkpoints", "a", "b", "--data", "d"]
    spread = ["explain", "w", "--checkpoints", "a", "--checkpoints", "b", "--data", "d"]
    assert _commands.spread(words) == spread
    assert _commands.spread(spread) == spread
    assert _commands.spread(["explain", "--checkpoints"]) == ["explain", "--checkpoints"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["w4.npz", "--data", "inputs.npz"], r"which holds x and no y; save it with numpy\.savez"),
        (["w4.npz", "--data", "gone.npz"], "there is no such file; give a .npz file with x and y"),
        (["w4.npz", "--data", "data.npz", "--modules", "17"], "modules is 17, and hidden layer 1 has .* from 1 to"),
        (["w4.npz", "--data", "text.npz"], "is not an npz file"),
        (["w4.npz", "--data", "flipped.npz"], "damaged"),
        (["flipped.npz", "--data", "data.npz"], "damaged"),
        (["w4.npz", "--data", "narrow.npz"], "has 3 inputs and x has 2 columns"),
        (["w4.npz", "--data", "holes.npz"], "x holds 12 value.* not finite"),
        (["gone.npz", "--data", "data.npz"], "there is no such file"),
        (["model.pt", "--data", "data.npz"], "can run code when it is read"),
        (["data.npz", "--data", "data.npz"], "model .* which do not follow one another|model has 3 inputs"),
        (["w4.npz", "--data", "data.npz", "--modules", "many"], "modules is 'many'; a whole number"),
        (["w4.npz", "--data", "data.npz", "--steps", "0,x"], "steps is 'x'; numbers"),
        (["w4.npz", "--data", "data.npz", "--image", "2x2"], r"image_shape is \(2, 2\) and a data point has 3"),
        (["w4.npz", "--data", "data.npz", "--groups", "gone.csv"], "groups is 'gone.csv': there is no such file"),
        (["w4.npz", "--data", "inputs.npz", "--labels", "gone.csv"], "labels is 'gone.csv': there is no such file"),
        (["w4.npz", "--data", "data.npz", "--labels", "labels.csv"], "which holds y; both are targets: leave labels"),
        (["w4.npz", "--data", "data.npz", "--output-names", "features.txt"], "output_names has 3 names for 1 outputs"),
    ],
)
def test_mistakes_are_told_in_one_line(files, words, message, monkeypatch, capsys):
    monkeypatch.chdir(files)
    told = explain(capsys, *words, code=64).err
    assert len(told.splitlines()) == 1
    assert told.startswith("festina: ")
    assert re.search(message, told), told

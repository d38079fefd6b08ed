"""``festina predict`` on tables that nobody here wrote."""

import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.torch import save_file
from sklearn import datasets
from typer.testing import CliRunner

from festina.cli import _predict
from festina.cli._main import app, main

pytestmark = pytest.mark.slow


def predict(*words):
    result = CliRunner().invoke(app, ["predict", *map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


def test_classes_of_flowers_with_a_check(tmp_path):
    flowers: Any = datasets.load_iris(as_frame=True)
    species = np.asarray(flowers.target_names)[np.asarray(flowers.target)]
    frame = flowers.data.assign(species=species)
    frame.to_csv(tmp_path / "iris.csv", index=False)
    told = predict(tmp_path / "iris.csv", "--out", tmp_path / "out", "--hidden", 16, "--check")
    assert "what is learned" in told
    assert told.index("  setosa ") < told.index("  virginica ") < told.index("  versicolor ")
    assert "Reduced() against Train(" in told
    assert "The column 'species' holds the class of each row." in told
    page = (tmp_path / "out" / "prediction.html").read_text(encoding="utf-8")
    assert "setosa" in page
    assert "<script" not in page
    assert page.count("<svg") == 1
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"loss.svg", "loss.pdf", "prediction.html"}


def test_things_and_their_properties_with_hostile_names(tmp_path):
    frame = pd.DataFrame(
        {"thing": ["<b>dog</b>", "cat $x$", "oak", "rose"], "moves": [1, 1, 0, 0], "grows": 1, "<i>barks": [1, 0, 0, 0]}
    )
    frame.to_csv(tmp_path / "things.csv", index=False)
    told = predict(tmp_path / "things.csv", "--out", tmp_path)
    assert "grows" in told
    assert "independent modes" in told
    page = (tmp_path / "prediction.html").read_text(encoding="utf-8")
    assert "<b>dog" not in page
    assert "<i>barks" not in page
    assert "False beliefs on the way" in page


def test_the_layers_of_a_saved_network(tmp_path):
    wine: Any = datasets.load_wine(as_frame=True)
    wine.frame.to_csv(tmp_path / "wine.csv", index=False)
    model = torch.nn.Sequential(torch.nn.Linear(13, 9, bias=False), torch.nn.ReLU(), torch.nn.Linear(9, 3, bias=False))
    save_file(model.state_dict(), tmp_path / "model.safetensors")
    told = predict(tmp_path / "wine.csv", "--network", tmp_path / "model.safetensors", "--out", tmp_path)
    assert "Network: ReLU(hidden=(9,), initial=Gaussian(std=0.001))." in told
    assert " ± " in told
    assert re.search(r"Estimated error of its loss: [0-9.]+ %\.", told)
    torch.save(model, tmp_path / "model.pt")
    result = CliRunner().invoke(app, ["predict", str(tmp_path / "wine.csv"), "--network", str(tmp_path / "model.pt")])
    assert "safetensors.torch.save_file" in str(result.exception)


def test_who_went_to_which_event(tmp_path):
    graph = nx.davis_southern_women_graph()
    women, events = graph.graph["top"], graph.graph["bottom"]
    went = nx.to_numpy_array(graph, nodelist=[*women, *events])[:18, 18:].astype(int)
    pd.DataFrame(went, index=pd.Index(women, name="woman"), columns=events).to_csv(tmp_path / "women.csv")
    told = predict(tmp_path / "women.csv", "--out", tmp_path)
    assert "False beliefs on the way: Nora Fayette: E8" in told
    page = (tmp_path / "prediction.html").read_text(encoding="utf-8")
    assert page.count("<figcaption>") == page.count("<svg") == 3
    for part in ("Categories and their prototypes", "coherence", "Theories of"):
        assert part in page


def test_files_as_they_lie_in_a_package(tmp_path, monkeypatch):
    folder = Path(datasets.__file__).parent / "data"
    words = ("--labels", "column 65", "--rows", 80, "--hidden", 16, "--out", tmp_path)
    told = predict(folder / "digits.csv.gz", *words)
    assert told.startswith("digits.csv.gz: ")
    assert "digits.csv.gz: when each class is learned to 50%" in told
    assert "80 of the 1797 rows are used, drawn at random (--rows)." in told
    assert "At the end the loss still falls" not in told
    assert re.search(
        r"when each row is learned.*row 1?\d\d\d", (tmp_path / "prediction.html").read_text(encoding="utf-8")
    )
    # where a longer prediction would take too long it says that it ends early
    monkeypatch.setattr(_predict, "EFFORT", 0.0)
    early = predict(folder / "digits.csv.gz", *words)
    assert "- At the end the loss still falls; a later end is given by --until." in early
    ends = [float(each.partition("by t = ")[2].split()[0]) for each in (early, told)]
    assert ends[0] < ends[1]


def test_a_bad_table_is_one_line(tmp_path, capsys):
    (tmp_path / "bad.csv").write_text("a,b,y\n1,,2\n3,4,5\n")
    with pytest.raises(SystemExit) as end:
        main(["predict", str(tmp_path / "bad.csv")])
    assert end.value.code == 64
    assert capsys.readouterr().err == (
        "festina: table misses a value in row 1, column 'b'; fill it in or drop the row.\n"
    )

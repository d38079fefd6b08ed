"""``festina fit-behaviour``: mistakes are told with the options of the command line, and names are only text."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import festina as fs
from festina.cli import _main

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("header", "row", "words", "message"),
    [
        ("subject,day,contrast,choice,reward", "a,1,0.5,1,1", (), "Say --column session=YOURS, with the name"),
        ("subject,day,contrast,choice,reward", "a,1,0.5,1,1", ("--column", "session=tag"),
         "--column maps session to 'tag', which the header does not have"),
        ("subject,session,contrast,choice,reward", "a,1,0.5,1,1", ("--column", "day=x"), "--column has 'day'; the"),
        ("subject,session,contrast,choice,reward", "a,1,0.5,1,1\na,1,50,1,1", (), "or say --percent, and give"),
    ],
)  # fmt: skip
def test_errors_name_options(tmp_path, capsys, header, row, words, message):
    path = tmp_path / "t.csv"
    path.write_text(f"{header}\n{row}\n")
    with pytest.raises(SystemExit) as stop:
        _main.main(["fit-behaviour", str(path), "--out", str(tmp_path / "report"), *words])
    told = capsys.readouterr().err
    assert stop.value.code == 64
    assert message in told
    assert "columns" not in told.replace("columns hold", "")


class Page(HTMLParser):
    """What a browser would make of a page: its elements, their attributes, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, words):
        self.words += words


FEW = ["--model", "q-learning", "--model", "logistic", "--confusion", "2", "--starts", "1"]
HOSTILE = ["<script>alert(1)</script>", '"><img src=http://x onerror=alert(2)>', "$\\frac{$ & </td></table>"]


def mice(count=3, seed=0, sessions=(1, 2), names=("a", "b", "c")):
    """Animals of one session pair each, as columns."""
    rng = np.random.default_rng(seed)
    contrast = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], 80 * count)
    right = rng.random(80 * count) < 0.5 + 0.4 * contrast
    rows = {"subject": np.repeat(names[:count], 80), "session": np.tile(np.repeat(sessions, 40), count)}
    return {**rows, "contrast": contrast, "choice": 1 * right, "reward": 1 * (right == (contrast > 0))}


def run(folder, path, *words):
    with pytest.raises(SystemExit) as stop:
        _main.main(["fit-behaviour", str(path), *FEW, *words, "--out", str(folder)])
    assert stop.value.code == 0


def watch(patch, failing=None):
    """Animals that are analysed together from now on; one of them fails until it has failed alone."""
    compare, asked = fs.behaviour.compare_models, []

    def one(table, *words, **settings):
        asked.append(table.subjects)
        if failing in table.subjects and asked.count((failing,)) < 2:
            raise np.linalg.LinAlgError("SVD did not converge")
        return compare(table, *words, **settings)

    patch.setattr(fs.behaviour, "compare_models", one)
    return asked


@pytest.fixture(scope="module", name="report")
def make_report(tmp_path_factory):
    """A report of three animals, of which one fails at first: its folder, its first page, and who was analysed when."""
    folder = tmp_path_factory.mktemp("report")
    path = fs.behaviour.read_table(mice(sessions=("<b>1</b>", "2"), names=HOSTILE)).write(folder / "t.parquet")
    with pytest.MonkeyPatch.context() as patch:
        asked = watch(patch, failing=HOSTILE[1])
        run(folder / "out", path)
        page, first = Page((folder / "out" / "report.html").read_text(encoding="utf-8")).words, list(asked)
        run(folder / "out", path)
    return folder / "out", page, first, asked


def test_names_of_animals_are_only_text(report):
    page = Page((report[0] / "report.html").read_text(encoding="utf-8"))
    assert not {"script", "b"} & set(page.tags)
    assert page.tags.count("html") == page.tags.count("body") == 1
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert all(value.startswith("data:image/png;base64,") for name, value in page.attributes if name == "src")
    assert all(name in page.words for name in HOSTILE)


def test_a_folder_holds_what_a_paper_needs(report):
    out, *_ = report
    assert {"comparison.csv", "tests.csv", "parameters.csv", "population.csv", "selection.csv", "methods.txt",
            "references.bib", "report.html", "verdicts.txt"} <= {file.name for file in out.iterdir()}  # fmt: skip
    assert {file.suffix for file in (out / "figures").iterdir()} == {".png", ".svg", ".pdf", ".csv"}
    # text stays text that can be edited: TrueType in PDF, words in SVG
    assert b"/Type /Font /Subtype /Type0" in (out / "figures" / "001.pdf").read_bytes()
    assert "P(choose right)" in (out / "figures" / "001.svg").read_text(encoding="utf-8")
    behind = pd.read_csv(out / "figures" / "001_a.csv")
    assert {"line", "band"} <= set(behind["kind"])
    methods = (out / "methods.txt").read_text(encoding="utf-8")
    assert "Choices of 3 animals (240 choices" in methods
    assert "from 1 starting point." in methods
    assert "q-learning (rate, beta, intercept), logistic (a curve per session)" in methods
    references = (out / "references.bib").read_text(encoding="utf-8")
    assert references.startswith("@software{festina,")
    assert all("{" + key + "," in references for key in ("festina", "wilson2019", "stephan2009", "rigoux2014"))
    page = Page((out / "report.html").read_text(encoding="utf-8")).words
    # every citation has its entry, and every entry is cited
    keys = set(re.findall(r"^@\w+{(.*),$", references, re.MULTILINE))
    assert keys == {"festina", *re.findall(r"[a-z]+[12]\d{3}", methods)}
    # whether any model describes an animal comes before which does best
    assert page.index("Does any model describe the animal") < page.index("Models side by side")


def test_the_population_is_that_of_the_model_that_most_animals_follow(tmp_path):
    """Steady curves with lapses, and a model of them that is named last."""
    rng, count = np.random.default_rng(2), 600
    contrast = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], 2 * count)
    right = rng.random(2 * count) < 0.1 + 0.8 / (1 + np.exp(-6 * contrast))
    rows = {"subject": np.repeat(["a", "b"], count), "session": np.tile(np.repeat([1, 2, 3], 200), 2)}
    rows |= {"contrast": contrast, "choice": 1 * right, "reward": 1 * (right == (contrast > 0))}
    path, out = fs.behaviour.read_table(rows).write(tmp_path / "t.csv"), tmp_path / "out"
    words = ["--model", "q-learning+lapse", "--model", "psychometric", "--confusion", "0"]
    with pytest.raises(SystemExit) as stop:
        _main.main(["fit-behaviour", str(path), *words, "--starts", "1", "--out", str(out)])
    assert stop.value.code == 0
    assert set(pd.read_csv(out / "population.csv")["parameter"]) >= {"left_slope", "lapse_left"}
    methods = (out / "methods.txt").read_text(encoding="utf-8")
    assert "The population was fitted with psychometric" in methods
    assert "q-learning + lapse (rate, beta, intercept, lapse)" in methods


def test_one_animal_never_ends_a_report_and_a_folder_is_continued(report, tmp_path, monkeypatch):
    out, page, first, both = report
    assert f"{HOSTILE[1]} could not be analysed: LinAlgError: SVD did not converge" in page
    assert first == [tuple(HOSTILE), *((name,) for name in HOSTILE)]
    assert both == [*first, (HOSTILE[1],)]
    page = Page((out / "report.html").read_text(encoding="utf-8")).words
    assert "could not be analysed" not in page
    # other data are other results
    asked = watch(monkeypatch)
    run(out, fs.behaviour.read_table(mice(1, seed=1)).write(tmp_path / "u.csv"))
    assert asked == [("a",)]
    methods = (out / "methods.txt").read_text(encoding="utf-8")
    assert "Choices of 1 animal (80 choices" in methods
    assert not [word for word in ("Frequencies of models", "population") if word in methods]


def test_a_wrong_model_or_file_is_told_at_once(tmp_path, capsys):
    path = fs.behaviour.read_table(mice(1)).write(tmp_path / "t.csv")
    for words, message in (
        (["--model", "hebb"], "--model: model 'hebb' is unknown"),
        (["--out", str(tmp_path / "page.html")], "name a folder, in which report.html"),
    ):
        with pytest.raises(SystemExit) as stop:
            _main.main(["fit-behaviour", str(path), *words])
        assert stop.value.code == 64
        assert message in capsys.readouterr().err


def test_the_library_can_be_cited(capsys):
    with pytest.raises(SystemExit):
        _main.main(["cite", "festina"])
    assert "@software{festina," in capsys.readouterr().out

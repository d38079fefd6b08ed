"""``festina fit-behaviour``: mistakes are told with the options of the command line, and names are only text."""

from html.parser import HTMLParser

import numpy as np
import pytest

from festina.cli import _behaviour, _main

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
        _main.main(["fit-behaviour", str(path), "--out", str(tmp_path / "page.html"), *words])
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


HOSTILE = ["<script>alert(1)</script>", '"><img src=http://x onerror=alert(2)>', "$\\frac{$ & </td></table>"]


def test_names_of_animals_are_only_text(tmp_path, monkeypatch):
    """Models are few and animals small, so that it is quick; the page is made as ever."""
    monkeypatch.setattr(_behaviour, "COMPARED", ("q-learning", "logistic"))
    rng, path = np.random.default_rng(0), tmp_path / "t.parquet"
    contrast = rng.choice([-1.0, -0.5, 0.5, 1.0], 90)
    right = rng.random(90) < 0.5 + 0.4 * contrast
    rows = {"subject": np.repeat(HOSTILE, 30), "session": np.tile(np.repeat(["<b>1</b>", "2"], 15), 3)}
    rows |= {"contrast": contrast, "choice": np.where(right, 1, -1), "reward": 1 * (right == (contrast > 0))}
    file = str(_behaviour.behaviour.read_table(rows).write(path))
    with pytest.raises(SystemExit) as stop:
        _main.main(["fit-behaviour", file, "--model", "q-learning", "--out", str(tmp_path / "p.html")])
    assert stop.value.code == 0
    page = Page((tmp_path / "p.html").read_text(encoding="utf-8"))
    assert not {"script", "b"} & set(page.tags)
    assert page.tags.count("html") == page.tags.count("body") == 1
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert all(value.startswith("data:image/png;base64,") for name, value in page.attributes if name == "src")
    assert all(name in page.words for name in HOSTILE)

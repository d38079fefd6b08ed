"""Results in a notebook: short, escaped, without scripts."""

from html.parser import HTMLParser

import festina as fs
from festina.core.display import MAX_ROWS, MAX_TEXT, render


class Reader(HTMLParser):
    """Collects tags and text, and sees that every tag is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def read(html):
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    return reader


def test_title_rows_and_notes_are_shown():
    found = read(render("Agreement", [("area", 0.123456), ("max", 1)], ["mean of 3 seeds"], header=("", "value")))
    assert found.text == ["Agreement", "value", "area", "0.1235", "max", "1", "mean of 3 seeds"]


def test_names_from_data_cannot_become_markup():
    evil = "<script>alert(1)</script><img src=x onerror=y>\"'&"
    html = render(evil, [(evil, evil)], [evil], header=(evil,))
    assert set(read(html).tags) <= {"div", "table", "thead", "tbody", "tr", "th", "td"}
    assert "<script" not in html
    assert "<img" not in html


def test_output_stays_short():
    html = render("long", [(i, "x" * 10_000) for i in range(1000)])
    assert len(html) < (MAX_ROWS + 2) * (MAX_TEXT + 600)
    assert f"{1000 - MAX_ROWS} more rows are not shown." in read(html).text
    assert read(render("only a title", [])).text == ["only a title"]


def test_no_colour_is_fixed_so_that_light_and_dark_pages_are_served():
    html = render("t", [("a", 1)], ["n"])
    assert "color:inherit" in html
    assert "#" not in html
    assert "http" not in html


def test_results_show_themselves():
    network, task = fs.DeepLinear((4,), initial=fs.initial.Balanced(0.1)), fs.tasks.living_things(4)
    run = fs.evolve(network, task, [0.0, 20.0, 40.0])
    for result, words in (
        (run, ("what is learned", "Trajectory: Exact()", "Task(&#x27;4 items&#x27;")),
        (fs.compare(run, run), ("Exact() against Exact()", "The area between the loss curves")),
        (task.statistics, ("4 modes", "curvature d")),
        (network.regime(task), ("Regime: rich", "kernel distance")),
    ):
        html = result._repr_html_()
        read(html)
        assert all(word in html for word in words)
        assert len(html) < 10_000

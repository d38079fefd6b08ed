"""The page in a browser: every topic, every control, and the numbers it draws against the library's."""

import csv
import io
import re
import struct
from functools import cache
from xml.etree import ElementTree

import jaxtyping
import numpy as np
import pytest

import festina as fs
from festina.page import topic_settings

TOPICS = tuple(topic_settings())
PLACES = ("file", "served")
SAME = 1e-6
"""Relative: both sides compute in double precision, but what is integrated or searched for is so by other methods."""
TINY = 1e-9
"""Of numbers of order one: the errors of the two integrators."""
FOLLOWED = {"in_context": 1e-3}
"""Small heads are followed to the time at which they diverge by two integrators, which stop at different places."""
QUICK = {"in_context": "?weights=aligned"}
"""Settings at which the library has a closed form; the race of random heads is compared by the choices."""
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
INSIDE = """
[...document.querySelectorAll("figure canvas, figure svg")]
  .every((drawn) => drawn.getBoundingClientRect().right <= innerWidth)
"""


def near(value, same):
    return pytest.approx(value, rel=same, abs=TINY)


def view(page):
    return page.evaluate("window.festina.view()")


@cache
def run(code):
    """As a user runs it: without the suite's checks of types, which cost more than the integration."""
    names = {}
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        exec(code, names)
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)
    return names


def in_python(page):
    """What the lines of Python that the page shows leave behind."""
    return run(page.locator("pre code").text_content())


def agree(page):
    """The numbers that are drawn are those of the library."""
    drawn, expected = view(page)["numbers"], in_python(page)["numbers"]
    assert expected
    same = FOLLOWED.get(view(page)["topic"], SAME)
    wrong = {name: (drawn[name], value) for name, value in expected.items() if drawn[name] != near(value, same)}
    assert not wrong
    return True


# what is served is the same file, to the byte (test_serve.py): one topic stands for all
@pytest.mark.parametrize(("topic", "place"), [*((topic, "file") for topic in TOPICS), (TOPICS[0], "served")])
def test_every_topic_opens_and_says_what_it_shows(visit, addresses, topic, place):
    with visit(f"{addresses[place]}#{topic}") as page:
        shown = view(page)
        assert shown["topic"] == topic
        assert page.locator("nav [aria-current]").text_content() == topic_settings()[topic]["title"]
        assert page.locator("h2").text_content() == topic_settings()[topic]["question"]
        assert page.locator(".sentence").text_content() == shown["sentence"]
        assert page.locator("[data-number]").count() == len(shown["numbers"]) > 0
        assert page.locator("figure.chart").count() == len(shown["charts"]) > 0
        assert page.locator(".chart canvas, .chart svg").count() >= len(shown["charts"])
        assert page.locator("details a[href^='https://']").count() == 1
        assert page.locator(".notice").is_hidden()


@pytest.mark.parametrize("topic", TOPICS)
def test_every_slider_moves_to_both_ends_by_key_and_the_numbers_are_the_librarys(visit, addresses, topic):
    with visit(f"{addresses['file']}#{topic}{QUICK.get(topic, '')}") as page:
        assert agree(page)
        sliders = [c for c in topic_settings()[topic]["controls"] if c["kind"] == "slider"]
        assert page.locator("input[type=range]").count() == len(sliders) > 0
        for slider in sliders:
            handle = page.locator(f"input[data-control={slider['id']}]")
            for key, end in (("Home", "min"), ("End", "max")):
                handle.press(key)
                assert view(page)["state"][slider["id"]] == slider[end]
                assert agree(page)
            assert handle.evaluate("element => document.activeElement === element")


@pytest.mark.parametrize("topic", TOPICS)
def test_every_choice_toggle_and_button_answers(visit, addresses, topic):
    with visit(f"{addresses['file']}#{topic}") as page:
        for control in topic_settings()[topic]["controls"]:
            parts = page.locator(f"[data-control={control['id']}]")
            if control["kind"] == "choice":
                for option in control["options"]:
                    page.locator(f"[data-control={control['id']}][value='{option['value']}']").click()
                    assert view(page)["state"][control["id"]] == option["value"]
                    assert agree(page)
            elif control["kind"] == "grid":
                before = view(page)["state"][control["id"]]
                parts.last.click()
                assert view(page)["state"][control["id"]][-1][-1] is not before[-1][-1]
                assert parts.last.get_attribute("aria-pressed") == str(not before[-1][-1]).lower()
                assert agree(page)
            elif control["kind"] == "button":
                before = view(page)["sentence"]
                parts.click()
                assert view(page)["sentence"] != before


def line(shown, chart, label):
    """x and y of a drawn line, by the beginning of its label."""
    found = next(c for c in shown["charts"] if c["id"] == chart)
    wanted = next(item for item in found["lines"] if item["label"].startswith(label))
    return np.array(wanted.get("x", found["x"]["values"])), np.array(wanted["y"])


def same_curve(drawn, expected):
    return np.allclose(drawn, expected, rtol=0, atol=SAME * np.max(np.abs(expected)))


def test_curves_of_modes_are_the_librarys(visit, addresses):
    with visit(f"{addresses['file']}#modes") as page:
        shown, names = view(page), in_python(page)
    times, loss = line(shown, "loss", "prediction")
    a = np.array([fs.linear.strength(times, s, names["d"], names["start"], names["depth"]) for s in names["s"]])
    assert same_curve(loss, 0.5 * names["d"] * ((a - names["s"][:, None] / names["d"]) ** 2).sum(axis=0))
    assert same_curve(line(shown, "strengths", "everything")[1], a[0])


def test_curves_of_rich_and_lazy_are_the_librarys(visit, addresses):
    with visit(f"{addresses['file']}#rich_and_lazy?lambda=2&scale=0.5&shape=square&moment=0.5") as page:
        if page.locator(".notice").is_visible():
            pytest.fail(page.locator(".notice").text_content())
        shown, names = view(page), in_python(page)
    times, loss = line(shown, "loss", "prediction")
    assert same_curve(loss, fs.evolve(names["network"], names["task"], times).loss)


def test_curves_of_contexts_are_the_librarys(visit, addresses):
    with visit(f"{addresses['file']}#contexts") as page:
        shown, names = view(page), in_python(page)
    times, loss = line(shown, "loss", "this gating")
    assert same_curve(loss, fs.evolve(names["network"], names["task"], times, method=fs.Reduced()).loss)


def test_curves_of_attention_are_the_librarys(visit, addresses):
    setting = "dimension=3&ratio=0.6&length=32&heads=3&start=0.05&weights=aligned&moment=1"
    with visit(f"{addresses['file']}#in_context?{setting}") as page:
        shown, names = view(page), in_python(page)
    times, loss = line(shown, "loss", "prediction")
    path = fs.evolve(names["network"], names["task"], times, observe=("loss", "strengths", "component_distance"))
    assert same_curve(loss, path.loss)
    assert same_curve(line(shown, "strengths", "component 2")[1], path.strengths[:, 1])
    assert same_curve(line(shown, "distance", "m = 2")[1], path["component_distance"][:, 2])


def test_curves_of_two_points_are_the_librarys(visit, addresses):
    with visit(f"{addresses['file']}#two_points") as page:
        shown, names = view(page), in_python(page)
    times, h = line(shown, shown["charts"][0]["id"], "h")
    assert same_curve(h, names["pair"].solve(times).h)


@pytest.mark.parametrize("place", PLACES)
def test_networks_train_beside_the_prediction(visit, addresses, place, until):
    with visit(f"{addresses[place]}#race", train=True) as page:
        before = 2
        until(lambda: len(view(page)["charts"][0]["lines"]) > before)
        assert len(page.workers) == 1
        page.locator(".train").click()
        assert view(page)["training"] == "off"
        assert len(view(page)["charts"][0]["lines"]) == before


def test_training_happens_where_no_worker_can_be_had(visit, addresses, until):
    with visit(f"{addresses['file']}#modes") as page:
        page.evaluate("() => { window.Worker = class { constructor() { throw new Error('forbidden') } } }")
        before = len(view(page)["charts"][0]["lines"])
        page.locator(".train").click()
        until(lambda: len(view(page)["charts"][0]["lines"]) > before)
        assert page.workers == []


def saved(page, chart, kind):
    figure = page.locator(f"figure[data-chart={chart}]")
    figure.locator("summary").click()
    with page.expect_download() as download:
        figure.get_by_text(kind, exact=True).click()
    assert download.value.suggested_filename.endswith(f"-{chart}.{kind.lower()}")
    return download.value.path().read_bytes()


@pytest.mark.parametrize("place", PLACES)
def test_figures_and_data_can_be_saved(visit, addresses, place):
    with visit(f"{addresses[place]}#modes") as page:
        charts = {chart["kind"]: chart for chart in view(page)["charts"]}
        assert set(charts) == {"lines", "heat", "scatter"}
        for chart in charts.values() if place == "file" else [charts["lines"]]:
            root = ElementTree.fromstring(saved(page, chart["id"], "SVG"))
            written = "".join(root.itertext())
            assert chart["title"] in written
            width, height = struct.unpack(">II", saved(page, chart["id"], "PNG")[16:24])
            assert (width, height) == (2 * int(root.attrib["width"]), 2 * int(root.attrib["height"]))
            rows = list(csv.reader(io.StringIO(saved(page, chart["id"], "CSV").decode())))
            if chart["kind"] == "lines":
                assert rows[0] == [chart["x"]["label"], *(item["label"] for item in chart["lines"])]
                assert [float(row[1]) for row in rows[1:]] == chart["lines"][0]["y"]
            elif chart["kind"] == "heat":
                assert [[float(cell) for cell in row[1:]] for row in rows[1:]] == chart["matrix"]
            else:
                assert {row[0] for row in rows[1:]} == {point["label"] for point in chart["points"]}


def fits(page, width):
    page.evaluate("new Promise(requestAnimationFrame)")
    return page.evaluate("document.documentElement.scrollWidth") <= width and page.evaluate(INSIDE)


@pytest.mark.parametrize("topic", TOPICS)
def test_it_fits_a_desk_and_a_phone_also_with_large_letters(visit, addresses, topic, tmp_path):
    for size in (DESK, PHONE):
        with visit(f"{addresses['file']}#{topic}", size=size) as page:
            assert fits(page, size["width"])
            assert len(page.screenshot(path=tmp_path / f"{topic}-{size['width']}.png", full_page=True)) > 10_000
            page.locator(".tools").get_by_text("Large").click()
            assert fits(page, size["width"])


@pytest.mark.parametrize(("scheme", "other"), [("light", "Dark"), ("dark", "Light")])
def test_it_is_light_or_dark_as_the_reader_has_it_and_can_be_turned(visit, addresses, scheme, other):
    ground = "getComputedStyle(document.querySelector('.festina')).backgroundColor"
    with visit(addresses["file"], scheme=scheme) as page:
        first = page.evaluate(ground)
        page.locator(".tools").get_by_text(other).click()
        second = page.evaluate(ground)
    brightness = [sum(map(int, re.findall(r"\d+", colour))) for colour in (first, second)]
    assert (brightness[0] > brightness[1]) == (scheme == "light")


def test_the_policy_lets_nothing_out(browser, addresses):
    page = browser.new_page()
    page.goto(addresses["served"])
    asked = "fetch('/').then(() => 'answered', () => 'refused')"
    assert page.evaluate(asked) == "refused"
    page.close()


def test_what_is_under_the_pointer_stands_in_the_legend(visit, addresses):
    with visit(f"{addresses['file']}#modes") as page:
        page.locator("figure[data-chart=loss] .u-over").hover()
        assert page.locator("figure[data-chart=loss] .legend output").first.text_content()

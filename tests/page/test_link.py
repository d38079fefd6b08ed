"""Links: a setting can be shared exactly, and a link can do nothing but choose among settings."""

import re

import pytest

from festina.page import topic_settings

HOSTILE = (
    "#nowhere",
    "#race?delta=NaN",
    "#race?delta=Infinity",
    "#race?delta=1e999",
    "#race?delta=-1",
    "#race?delta=0x1",
    "#race?delta=",
    "#race?delta",
    "#race?delta=1&delta=2",
    "#race?delta=1=2",
    "#race?delta=%",
    "#race?delta=%00",
    "#race?delta=1?units=2",
    "#race?secret=1",
    "#race?__proto__=1",
    "#race?constructor=1&toString=2",
    "#race?delta=<img src=x onerror=alert(1)>",
    "#race?delta=%3Cscript%3Ealert(1)%3C/script%3E",
    "#<svg onload=alert(1)>",
    "#javascript:alert(1)",
    "#contexts?gates=11",
    "#contexts?contexts=1e9",
    "#contexts?contexts=2.5",
    "#modes?structure=toString",
    "#modes?" + "a" * 5000,
    "#story?class=7KQ",
    "#story?class=7KQ2&you=1.2.999&at=1700000000",
    "#story?class=7KQ2&you=1.2.<b>&at=1",
)


def view(page):
    return page.evaluate("window.festina.view()")


@pytest.fixture(scope="module", name="defaults")
def first_states():
    return {
        name: {c["id"]: c["value"] for c in topic["controls"] if c["kind"] != "button"}
        for name, topic in topic_settings().items()
    }


def test_a_hostile_link_gives_the_defaults_with_a_word_and_runs_nothing(visit, addresses, defaults):
    with visit(addresses["file"]) as page:
        for hostile in HOSTILE:
            if hostile in HOSTILE[::5]:
                page.goto("about:blank")
            page.goto(addresses["file"] + hostile)
            shown = view(page)
            assert "could not be read" in page.locator(".notice").text_content(), hostile
            assert page.locator(".notice").is_visible()
            assert shown["state"] == defaults[shown["topic"]], hostile
            assert shown["training"] == "off", hostile
            assert page.locator("img, iframe, .notice *, main script").count() == 0


def test_a_hostile_link_typed_into_the_open_page_is_refused_too(visit, addresses, defaults):
    with visit(f"{addresses['file']}#race", train=True) as page:
        page.evaluate("location.hash = '#race?delta=<b>'")
        page.locator(".notice").wait_for()
        assert view(page)["state"] == defaults["race"]
        assert view(page)["training"] == "off"
        page.locator("input[type=range]").first.press("End")
        assert page.locator(".notice").is_hidden()


@pytest.mark.parametrize("topic", list(topic_settings()))
def test_a_link_holds_the_exact_setting(visit, addresses, topic, until):
    with visit(f"{addresses['file']}#{topic}") as page:
        for slider in page.locator("input[type=range]").all():
            slider.press("ArrowRight")
            slider.press("PageUp")
        for cell in page.locator(".grid button").all()[:3]:
            cell.click()
        for choice in page.locator(".choice").all():
            choice.locator("input").last.click()
        page.locator(".tools").get_by_text("Copy link").click()
        link, shown = page.url, view(page)
        assert re.search(rf"#{topic}\?", link)
        page.goto(f"{addresses['file']}#{topic}")
        until(lambda: view(page)["state"] != shown["state"])
        page.goto(link)
        until(lambda: view(page)["state"] == shown["state"])
        assert page.locator(".notice").is_hidden()
        assert view(page)["numbers"] == shown["numbers"]


def test_links_and_the_back_button_lead_through_the_topics(visit, addresses, until):
    first, second, *_ = topic_settings()
    with visit(addresses["file"]) as page:
        page.locator("nav a").nth(1).click()
        until(lambda: view(page)["topic"] == second)
        assert f"#{second}" in page.url
        page.go_back()
        until(lambda: view(page)["topic"] == first)
        assert f"#{second}" not in page.url

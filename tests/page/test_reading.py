"""What a reader meets: letters, contrast, keys, help, the question, Play, and a table of their own."""

import pytest

from festina.page import topic_settings

TOPICS = tuple(topic_settings())
DESK, TABLET, PHONE = {"width": 1440, "height": 900}, {"width": 1024, "height": 768}, {"width": 390, "height": 844}
LEAST_TICK = 11
"""Pixels of a letter on the screen, below which ticks cannot be read."""
CONTRAST = 4.5
"""Of text against its ground: WCAG 2.2, level AA."""

WATCH = """
(() => {
  const fill = CanvasRenderingContext2D.prototype.fillText;
  window.sizes = [];
  CanvasRenderingContext2D.prototype.fillText = function (...words) {
    if (words[0]) window.sizes.push(parseFloat(/([\\d.]+)px/.exec(this.font)[1]) / devicePixelRatio);
    return fill.apply(this, words);
  };
})()
"""
"""Notes the size of every text that is drawn on a canvas, in pixels of the page."""

SMALLEST_SVG = """
Math.min(...[...document.querySelectorAll("svg text")].map((text) => {
  const svg = text.closest("svg");
  return parseFloat(getComputedStyle(text).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
}))
"""

CLIPPED = """
[...document.querySelectorAll("main *, header *")].filter((element) => {
  const style = getComputedStyle(element);
  if (!element.textContent.trim()) return false;
  if (element.closest("details:not([open]), svg, math, textarea, [hidden]")) return false;
  if (style.overflowX === "auto" || style.overflowX === "scroll" || style.display === "inline") return false;
  const hides = style.overflowX === "hidden" || style.overflowY === "hidden";
  return hides && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
}).map((element) => element.className || element.tagName)
"""

OUTSIDE = """
[...document.querySelectorAll(".drawing svg text, .plot svg text")].filter((text) => {
  const [own, whole] = [text.getBoundingClientRect(), text.closest("svg").getBoundingClientRect()];
  return own.left < whole.left - 1 || own.right > whole.right + 1 || own.bottom > whole.bottom + 1;
}).map((text) => text.textContent)
"""

PALE = """
(least) => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const bright = (colour) => {
    const [r, g, b] = channels(colour).slice(0, 3)
      .map((value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let node = element; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      if ((channels(colour)[3] ?? 1) > 0.99) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  const walker = document.createTreeWalker(document.querySelector(".festina"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || element.closest("style, [hidden], .uplot")) continue;
    const inside = element.closest("svg");
    const style = getComputedStyle(element);
    if (element.tagName === "title") continue;
    const [a, b] = [bright(inside ? style.fill : style.color), bright(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < least) found.push(`${walker.currentNode.textContent.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return found;
}
"""


def view(page):
    return page.evaluate("window.festina.view()")


def settle(page):
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("ratio", [1, 2, 3])
def test_ticks_can_be_read_at_every_pixel_ratio(browser, addresses, ratio):
    context = browser.new_context(device_scale_factor=ratio, viewport=PHONE, reduced_motion="reduce")
    context.add_init_script(WATCH)
    page = context.new_page()
    # the one with most kinds of charts, and the one with marks on both axes
    for topic in ("modes", "in_context"):
        page.goto("about:blank")
        page.goto(f"{addresses['file']}#{topic}")
        if page.locator(".skip").count():
            page.locator(".skip").click()
        settle(page)
        drawn = page.evaluate("window.sizes")
        assert drawn, topic
        assert LEAST_TICK <= min(drawn) <= max(drawn) < 2 * LEAST_TICK, topic
        assert page.evaluate(SMALLEST_SVG) > LEAST_TICK - 0.5, topic
    context.close()


@pytest.mark.parametrize("topic", TOPICS)
def test_text_is_dark_enough_and_not_cut(visit, addresses, topic):
    with visit(f"{addresses['file']}#{topic}") as page:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for size in (DESK, TABLET, PHONE):
                page.set_viewport_size(size)
                settle(page)
                assert page.evaluate(PALE, CONTRAST) == []
                assert page.evaluate(CLIPPED) == []
                assert page.evaluate(OUTSIDE) == []


def test_the_panel_of_five_contexts_is_whole(visit, addresses):
    with visit(f"{addresses['file']}#contexts", size={"width": 1280, "height": 700}) as page:
        page.locator("input[data-control=contexts]").press("End")
        settle(page)
        page.mouse.wheel(0, 3000)
        settle(page)
        assert page.locator(".grid tbody tr").count() == 11
        assert page.evaluate("getComputedStyle(document.querySelector('.side')).overflowY") == "visible"
        assert page.evaluate("document.querySelector('.side').getBoundingClientRect().bottom <= innerHeight")


def test_the_page_opens_with_a_welcome_and_modes_and_leads_on(visit, addresses, until):
    with visit(addresses["file"]) as page:
        assert view(page)["topic"] == "modes" == TOPICS[0]
        assert "what your network will learn, and when" in page.locator(".welcome").text_content()
        page.locator(".welcome .close").click()
        assert page.locator(".welcome").count() == 0
        for topic in TOPICS[1:]:
            page.locator(".onward a").last.click()
            until(lambda wanted=topic: view(page)["topic"] == wanted)
            if page.locator(".skip").count():
                page.locator(".skip").click()


def test_a_link_to_a_setting_is_shown_without_a_question(visit, addresses):
    with visit(f"{addresses['file']}#race?delta=1", answer=False) as page:
        assert page.locator(".skip").count() == 0
        assert page.locator(".charts").is_visible()


def test_play_runs_the_moment_once_on_opening_and_again_when_asked(visit, addresses, until):
    with visit(f"{addresses['file']}#modes", motion=True) as page:
        assert view(page)["playing"]
        seen = view(page)["state"]["moment"]
        until(lambda: view(page)["state"]["moment"] > seen)
        page.locator(".play").click()
        assert not view(page)["playing"]
        page.locator(".play").click()
        assert view(page)["playing"]
        until(lambda: not view(page)["playing"])
        assert view(page)["state"]["moment"] == 1


@pytest.mark.parametrize("topic", TOPICS)
def test_the_way_through_a_topic(visit, addresses, topic):
    """The question before the curves, the drawing, the equations, and everything within reach of the keys."""
    with visit(f"{addresses['file']}#{topic}", answer=False, train=True) as page:
        if topic != "your_data":
            assert page.locator(".charts").is_hidden()
            assert page.locator(".sentence").is_hidden()
            assert view(page)["training"] == "off"
            page.locator(".option").last.click()
            assert page.locator(".answer").text_content().split(".")[0] in ("Yes", "Not this time")
        assert page.locator(".charts").is_visible()
        assert view(page)["training"] != "off"
        assert page.locator(".schematic svg circle, .schematic svg rect").count() > 5
        assert page.locator(".schematic figcaption").text_content().endswith(".")
        page.locator(".words summary").first.click()
        assert page.locator(".terms dt").count() == page.locator(".terms dd").count() > 3
        assert page.locator(".terms dd").first.text_content().endswith(".")
        page.locator(".words summary", has_text="The theory").click()
        assert page.locator("math mfrac, math msub").count() > 0
        assert page.locator("math").first.bounding_box()["height"] > 10
        assert "trained" in view(page)["sentence"]
        assert by_keys(page) >= {control["id"] for control in topic_settings()[topic]["controls"]}
        assert page.locator(".help:visible").count() == 1
        described = [one.get_attribute("aria-describedby") for one in page.locator("[aria-describedby]").all()]
        assert described
        assert all(page.locator(f"#{name}").count() == 1 for name in described)


def by_keys(page):
    """The controls that Tab reaches; on the way the first question mark is pressed."""
    page.locator("h2").click()
    reached, asked = set(), False
    for _ in range(120):
        page.keyboard.press("Tab")
        name, kind = page.evaluate("[document.activeElement.dataset.control ?? '', document.activeElement.className]")
        if kind == "ask-help" and not asked:
            page.keyboard.press("Enter")
            asked = True
        if name == "live":
            break
        reached.add(name)
    return reached


def test_infinite_depth_is_not_said_to_be_trained(visit, addresses):
    with visit(f"{addresses['file']}#modes", train=True) as page:
        page.locator("[data-control=depth][value=inf]").click()
        assert view(page)["training"] == "impossible"
        assert page.locator(".train").is_disabled()
        assert "No network of infinitely many layers can be trained" in view(page)["sentence"]
        page.locator("[data-control=depth][value='2']").click()
        assert page.locator(".train").is_enabled()


def test_a_table_of_the_readers_own_stays_on_the_page(visit, addresses, tmp_path, until):
    with visit(f"{addresses['file']}#your_data") as page:
        area = page.locator("textarea")
        area.fill("a;b\n1;2\n2;oops\n3;7\n4;8\n")
        assert "Data point 2, column “b”: “oops” is not a number." in page.locator(".wrong").text_content()
        assert view(page)["numbers"]["points"] == 12
        table = tmp_path / "own.csv"
        table.write_text("x1,x2,y\n" + "\n".join(f"{i},{i * i % 7},{2 * i - i * i % 7}" for i in range(20)) + "\n")
        page.locator("input[type=file]").set_input_files(table)
        until(lambda: view(page)["numbers"]["points"] == 20)
        assert view(page)["numbers"]["least"] == pytest.approx(0, abs=1e-9)
        page.locator(".tools").get_by_text("Copy link").click()
        assert "x1" not in page.url
        assert "table" not in page.url

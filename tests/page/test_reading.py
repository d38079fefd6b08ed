"""What a reader meets: letters, contrast, keys, help, the question, Play, and a table of their own."""

import pytest

from festina.page import page_path, topic_settings

TOPICS = tuple(topic_settings())
DESK, TABLET, PHONE = {"width": 1440, "height": 900}, {"width": 1024, "height": 768}, {"width": 390, "height": 844}
LEAST_TICK = 11
"""Pixels of a letter on the screen, below which ticks cannot be read."""
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
def test_text_is_dark_enough_and_not_cut(visit, addresses, faults, topic):
    with visit(f"{addresses['file']}#{topic}") as page:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for size in (DESK, TABLET, PHONE):
                page.set_viewport_size(size)
                settle(page)
                assert faults(page) == []


def test_the_panel_of_five_contexts_is_whole(visit, addresses):
    with visit(f"{addresses['file']}#contexts", size={"width": 1280, "height": 700}) as page:
        page.locator("input[data-control=contexts]").press("End")
        settle(page)
        page.mouse.wheel(0, 3000)
        settle(page)
        assert page.locator(".grid tbody tr").count() == 11
        assert page.evaluate("getComputedStyle(document.querySelector('.side')).overflowY") == "visible"
        assert page.evaluate("document.querySelector('.side').getBoundingClientRect().bottom <= innerHeight")


def test_the_page_opens_with_the_story_and_leads_on(visit, addresses, until):
    with visit(addresses["file"]) as page:
        assert view(page)["topic"] == "modes" == TOPICS[0]
        assert "what a network will learn, and when" in page.locator(".hook").text_content()
        for topic in TOPICS[1:]:
            page.locator(".onward a").last.click()
            until(lambda wanted=topic: view(page)["topic"] == wanted)
            if page.locator(".skip").count():
                page.locator(".skip").click()


def test_a_link_to_a_setting_is_shown_without_a_question(visit, addresses):
    with visit(f"{addresses['file']}#race?delta=1", answer=False) as page:
        assert page.locator(".skip").count() == 0
        assert page.locator(".charts").is_visible()


def test_play_runs_the_moment_once_on_opening_and_again_when_asked(hurried, addresses):
    with hurried(f"{addresses['file']}#modes", motion=True) as page:
        page.locator(".skip").click()
        page.locator(".train[aria-pressed=true]").click()
        assert view(page)["playing"]
        page.clock.run_for(500)
        seen = view(page)["state"]["moment"]
        page.clock.run_for(500)
        assert 1 > view(page)["state"]["moment"] > seen
        page.locator(".play").click()
        assert not view(page)["playing"]
        page.locator(".play").click()
        assert view(page)["playing"]
        page.clock.run_for(6000)
        assert not view(page)["playing"]
        assert view(page)["state"]["moment"] == 1


@pytest.mark.parametrize("topic", TOPICS)
def test_the_way_through_a_topic(visit, addresses, until, faults, topic):
    """The question, the seal, the training and why; then the drawing, the equations and all controls by keys."""
    with visit(f"{addresses['file']}#{topic}", answer=False, train=True) as page:
        if topic != "your_data":
            walk_to_play(page, until, faults)
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


CHART_FIRST = """
(([chart, words]) => chart.bottom <= words.top)(["figure.main", ".sentence"].map(
  (part) => document.querySelector(part).getBoundingClientRect()))
"""


def walk_to_play(page, until, faults):
    """By keyboard alone; the focus is never lost."""

    def press():
        until(lambda: page.locator(".go").count() == 1)
        while "go" not in page.evaluate("document.activeElement.className").split():
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement !== document.body")

    assert page.locator(".charts").is_hidden()
    assert page.locator(".panel").is_hidden()
    for key in ("Tab", "Enter", "Tab", "Enter"):  # to the link that skips, and to the first answer
        page.keyboard.press(key)
    assert page.locator(".answer").text_content().split(".")[0] in ("Yes", "Not this time")
    assert (view(page)["step"], view(page)["training"]) == ("sealed", "off")
    assert page.locator("figure.main").count() == page.locator("figure.chart:visible").count() == 1
    assert page.locator("figure.main .sealed").text_content().startswith("sealed ")
    wide = page.viewport_size
    for size in (PHONE, TABLET, DESK):
        page.set_viewport_size(size)
        settle(page)
        assert faults(page) == []
    page.set_viewport_size(wide)
    press()
    assert view(page)["training"] != "off"
    if view(page)["step"] == "training":
        press()
    # a network that was trained before the key was pressed has led on by itself
    if view(page)["step"] == "why":
        assert page.evaluate(CHART_FIRST), "words that change must not move the chart"
        press()
    assert view(page)["step"] == "play"


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
        if page.evaluate("document.activeElement.matches('.more:not([open]) > summary')"):
            page.keyboard.press("Enter")
        if name == "live":
            break
        reached.add(name)
    return reached


def said(page):
    view(page)  # what waits for the next frame is drawn
    return page.locator(".answer").text_content()


def half_times(view, name):
    """When each predicted curve of a chart is half up, in the order of the curves."""
    chart = next(chart for chart in view["charts"] if chart["id"] == name)
    times, curves = chart["x"]["values"], [line["y"] for line in chart["lines"] if line.get("role") != "trained"]
    return [times[next(i for i, value in enumerate(y) if value >= max(y) / 2)] for y in curves]


def of_stages(shown):
    """When the pair of birds and fish is told apart, from the drawn curves of the modes."""
    if shown["state"]["structure"] != "hierarchy" or shown["state"]["depth"] == "1":
        return None
    _, kingdom, kind, single = half_times(shown, "strengths")
    return 0 if kind < kingdom else 1 if kind < single else 2


def of_contexts(shown):
    """Under small weights more open contexts are ahead, but for two contexts, where both kinds are the same."""
    return 0 if shown["state"]["contexts"] == 2 else 1


def of_points(shown):
    """Whether the final distance is the one that inputs and targets set, from the page's numbers."""
    numbers = shown["numbers"]
    return 1 if abs(numbers["final"] - numbers["low"]) < 0.1 * numbers["low"] else 0


def of_attention(shown):
    """What the sentence says of the drops; a single one leaves the question open."""
    said = shown["sentence"]
    return None if "one principal component" in said else 0 if "overlap" in said else 2


ANSWERS = {
    "modes": of_stages,
    "rich_and_lazy": lambda shown: 0 if "learning is lazy" in shown["sentence"] else 1,
    "race": lambda shown: 0 if shown["numbers"]["steps_linear"] < shown["numbers"]["steps_xor"] else 1,
    "contexts": of_contexts,
    "two_points": of_points,
    "in_context": of_attention,
    "addition": lambda shown: 2 if shown["numbers"]["first"] < shown["numbers"]["last"] else None,
}
"""The option that the card should name, from the rest of the page; None where the question does not apply."""


@pytest.mark.parametrize("topic", ANSWERS)
def test_the_card_agrees_with_the_page_after_every_control_moved(visit, addresses, topic):
    with visit(f"{addresses['file']}#{topic}", answer=False, train=True) as page:
        options = [option.text_content() for option in page.locator(".option").all()]
        page.locator(".option").first.click()
        while page.locator(".topic .go").count():
            page.locator(".topic .go").click()
        page.locator(".train").click()
        for more in page.locator(".controls .more:not([open]) > summary").all():
            more.click()
        controls = [one for one in topic_settings()[topic]["controls"] if one["id"] != "moment"]
        seen = set()
        for control in controls:
            each = page.locator(f"[data-control={control['id']}]")
            if control["kind"] == "slider":
                moves = [lambda key=key, each=each: each.press(key) for key in ("Home", "End", "PageDown", "PageDown")]
            else:  # all options and the first again; of many toggles those of a first pathway
                some = each.all()[: 7 if control["kind"] == "choice" else 3]
                moves = [one.click for one in [*some, some[0]] if one.is_enabled()]
            for move in moves:
                move()
                shown = view(page)
                right = ANSWERS[topic](shown)
                expected = "does not apply" if right is None else f"says: “{options[right]}”"
                assert expected in said(page), (control["id"], shown["sentence"])
                seen.add(right)
        assert len(seen) > 1 or topic == "addition", "no control changes the answer"


def test_infinite_depth_is_not_said_to_be_trained(visit, addresses):
    with visit(f"{addresses['file']}#modes", train=True) as page:
        page.locator("[data-control=depth][value=inf]").click()
        assert view(page)["training"] == "impossible"
        assert page.locator(".train").is_disabled()
        assert "A network with infinitely many layers cannot be trained" in view(page)["sentence"]
        page.locator("[data-control=depth][value='2']").click()
        assert page.locator(".train").is_enabled()


def test_a_table_of_the_readers_own_stays_on_the_page(visit, addresses, tmp_path, until):
    with visit(f"{addresses['file']}#your_data") as page:
        area = page.locator("textarea")
        area.fill("a;b\n1;2\n2;oops\n3;7\n4;8\n")
        assert "Data point 2, column “b”: “oops” is not a number." in page.locator(".wrong").text_content()
        assert page.locator(".charts").is_hidden(), "results of the last table do not stand beside a bad one"
        assert page.locator(".numbers").is_hidden()
        table = tmp_path / "own.csv"
        table.write_text("x1,x2,y\n" + "\n".join(f"{i},{i * i % 7},{2 * i - i * i % 7}" for i in range(20)) + "\n")
        page.locator("input[type=file]").set_input_files(table)
        until(lambda: view(page)["numbers"]["points"] == 20)
        assert page.locator(".charts").is_visible()
        assert view(page)["numbers"]["least"] == pytest.approx(0, abs=1e-9)
        page.locator(".tools").get_by_text("Copy link").click()
        assert "x1" not in page.url
        assert "table" not in page.url


TICKS = """
(() => {
  const fill = CanvasRenderingContext2D.prototype.fillText;
  window.written = new Map();
  CanvasRenderingContext2D.prototype.fillText = function (...words) {
    const chart = this.canvas.closest("figure")?.dataset.chart;
    if (chart === "loss") window.written.set(words[0], words.slice(1, 3).map(Math.round).join());
    return fill.apply(this, words);
  };
})()
"""
"""Notes where every tick of the chart of the loss is written."""


def test_axes_stay_while_a_slider_moves_and_fit_when_it_rests(browser, addresses, until):
    context = browser.new_context(viewport=DESK, reduced_motion="reduce")
    context.add_init_script(TICKS)
    page = context.new_page()
    page.goto(f"{addresses['file']}#race?delta=0.5")
    settle(page)

    def written():
        return page.evaluate("Object.fromEntries(window.written)")

    before = written()
    assert len(before) > 5
    slider = page.locator("input[data-control=delta]")
    for _ in range(3):
        slider.press("ArrowRight")
        settle(page)
        moved = {word: place for word, place in written().items() if before.get(word, place) != place}
        assert not moved
    until(lambda: written() != before)
    context.close()


@pytest.mark.parametrize("topic", TOPICS)
def test_nothing_moves_under_the_pointer_and_targets_can_be_hit(visit, addresses, topic):
    places = "[...document.querySelectorAll('.plot')].map((one) => JSON.stringify(one.getBoundingClientRect()))"
    with visit(f"{addresses['file']}#{topic}") as page:
        page.evaluate("scrollTo(0, 0)")
        before = page.evaluate(places)
        for plot in page.locator(".u-over").all()[:2]:
            plot.hover(position={"x": 60, "y": 40})
            settle(page)
            page.evaluate("scrollTo(0, 0)")
            assert page.evaluate(places) == before
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            settle(page)
            assert page.evaluate(SMALL_TARGETS, LEAST_TARGET) == []


LEAST_TARGET = 24
"""Pixels of the page, both ways: WCAG 2.2, level AA, target size."""
SMALL_TARGETS = """
(least) => [...document.querySelectorAll(".festina :is(button, summary, input, a, textarea, [role=slider])")]
  .filter((one) => one.checkVisibility() && !one.closest("p, dd, .skip-link, .words"))
  .filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width < least || height < least;
  })
  .map((one) => `${one.className} ${one.textContent.slice(0, 20)}`)
"""


def test_a_copied_link_says_where_it_works(browser, addresses, until):
    """Served locally it works on this computer only; published beside the documentation it works everywhere."""
    published = "https://festina.example/explore.html"
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"], reduced_motion="reduce")
    page = context.new_page()
    page.route("https://festina.example/**", lambda asked: asked.fulfill(path=page_path(), content_type="text/html"))
    for address, said in ((addresses["served"], "Copied; it works on this computer only"), (published, "Copied")):
        page.goto(f"{address}#race?delta=1")
        local = address != published
        copy = page.locator(".tools").get_by_text("Copy link")
        copy.click()
        until(lambda wanted=said: page.locator(".tools button").first.text_content() == wanted)
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(f"{address}#race?delta=1")
        assert page.locator(".tools a[href='index.html']").count() == (0 if local else 1)
        page.goto(f"{address}#story?class=7KQ2")
        page.locator("details.class summary").click()
        assert page.locator(".qr svg").count() == (0 if local else 1)
        assert ("on this computer only" in page.locator(".classroom").text_content()) == local
    context.close()

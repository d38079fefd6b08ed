"""Topics in a notebook, on the side of the browser: the bundle with a model as anywidget gives it."""

import json

from festina.page import topic_settings, widget_path

OPEN = """
async ([code, traits]) => {
  const widget = (await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })))).default;
  const listeners = {};
  const model = {
    traits, saved: 0,
    get: (name) => model.traits[name],
    set: (name, value) => { model.traits[name] = value; },
    save_changes: () => { model.saved += 1; },
    on: (event, callback) => { (listeners[event] ??= []).push(callback); },
    off: (event, callback) => { listeners[event] = listeners[event].filter((other) => other !== callback); },
    say: (name, value) => {
      model.traits[name] = value;
      for (const callback of listeners[`change:${name}`] ?? []) callback();
    },
    listeners,
  };
  const el = document.body.appendChild(document.createElement("div"));
  window.model = model;
  window.close_widget = widget.render({ model, el });
}
"""


def traits(topic, **other):
    held = {c["id"]: c["value"] for c in topic_settings()[topic]["controls"] if c["kind"] != "button"}
    return {"topic": topic, "train": False, "numbers": {}, **held, **other}


def settle(page):
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_a_notebook_sets_and_reads_the_sliders(visit):
    code = widget_path().read_text(encoding="utf-8")
    with visit("about:blank") as page:
        page.evaluate(OPEN, [code, traits("race", delta=1.5)])
        settle(page)
        assert page.locator(".chart canvas").count() == 2
        assert page.evaluate("model.traits.numbers.crossover") > 0
        page.locator("input[data-control=delta]").press("End")
        assert page.evaluate("model.traits.delta") == page.evaluate("Math.max(model.traits.delta, 0)") == 3
        before = page.evaluate("model.traits.numbers")
        page.evaluate("model.say('delta', 0.5)")
        settle(page)
        assert page.evaluate("model.traits.numbers") != before
        assert page.locator(".slider output").first.text_content().startswith("0.5")
        page.evaluate("model.say('train', true)")
        assert page.locator(".train").get_attribute("aria-pressed") == "true"
        page.locator(".train").click()
        assert page.evaluate("model.traits.train") is False
        page.evaluate("close_widget()")
        assert page.evaluate("Object.values(model.listeners).flat().length") == 0


def test_every_topic_can_be_shown_in_a_notebook(visit):
    code = widget_path().read_text(encoding="utf-8")
    with visit("about:blank") as page:
        for topic in topic_settings():
            page.evaluate(OPEN, [code, traits(topic)])
            settle(page)
            assert page.locator("h2").last.text_content() == topic_settings()[topic]["question"]
            assert all(
                value is None or isinstance(value, int | float)
                for value in page.evaluate("model.traits.numbers").values()
            )
            assert json.dumps(page.evaluate("model.traits.numbers")) != "{}"

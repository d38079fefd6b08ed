"""A browser without a screen, and a page that listens to everything it should not do."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from festina.page import Server, page_path

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
DESK = {"width": 1280, "height": 800}
Scheme = Literal["light", "dark"]
INSIDE = ("file:", "data:", "blob:", "about:", "http://127.0.0.1:")


CONTRAST = 4.5
"""Of text against its ground: WCAG 2.2, level AA."""

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
[...document.querySelectorAll(".drawing svg text, .plot svg text, .tree svg text, .card svg text")].filter((text) => {
  const [own, whole] = [text.getBoundingClientRect(), text.closest("svg").getBoundingClientRect()];
  return own.left < whole.left - 1 || own.right > whole.right + 1 || own.bottom > whole.bottom + 1;
}).map((text) => text.textContent)
"""

TANGLED = """
(() => {
  const walker = document.createTreeWalker(document.querySelector(".festina"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.textContent.trim() || !node.parentElement.checkVisibility()) continue;
    if (node.parentElement.closest("svg, math, pre, textarea, .uplot")) continue;
    // what is scrolled out of a bar is not seen
    if (node.parentElement.closest("nav.topics, .skip-link")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 0) found.push([node, box]);
  }
  return found.flatMap(([one, a], i) => found.slice(i + 1)
    .filter(([other, b]) => other !== one
      && a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
    .map(([other]) => `${one.textContent.slice(0, 30)} on ${other.textContent.slice(0, 30)}`));
})()
"""
"""Words that lie on other words, anywhere on the page."""

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


@pytest.fixture(name="faults")
def make_inspection():
    """What a reader would trip over: pale text, text that is cut or lies on other text, a page that is too wide."""

    def faults(page: Page) -> list[str]:
        wide = "document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : []"
        scripts = (CLIPPED, OUTSIDE, TANGLED, wide)
        return page.evaluate(PALE, CONTRAST) + [fault for script in scripts for fault in page.evaluate(script)]

    return faults


@pytest.fixture(scope="module", name="browser")
def start_browser() -> Iterator[Browser]:
    """Not for the session: while it lives an event loop runs, which tests of other things could not bear."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session", name="addresses")
def serve_page() -> Iterator[dict[str, str]]:
    """Where the page is found: as a file, and as ``festina explore`` serves it."""
    with Server(port=0) as server:
        yield {"file": page_path().as_uri(), "served": server.url}


@pytest.fixture(name="until")
def make_waiting():
    """Waits for something, asking from outside: the page's policy lets nothing be evaluated inside it."""

    def until(true: Callable[[], bool]) -> None:
        for _ in range(500):
            if true():
                return
            time.sleep(0.02)
        pytest.fail("it did not come to that in time")

    return until


def hear(page: Any) -> list[str]:
    """What a page does from now on that it should not do."""
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda asked: asked.url.startswith(INSIDE) or wrong.append(f"request: {asked.url}"))
    return wrong


@pytest.fixture(scope="module", name="tab")
def open_tab(browser) -> tuple[Page, list[str]]:
    """One tab for all visits of a module, since a new one costs a process, and a list of what it should not do."""
    page = browser.new_page()
    return page, hear(page)


@pytest.fixture(name="hurried")
def make_hurried(browser):
    """Opens an address whose time stands still until ``page.clock`` lets it pass."""

    @contextmanager
    def hurried(address: str, motion: bool = False) -> Iterator[Page]:
        moves = "no-preference" if motion else "reduce"
        with browser.new_context(viewport=DESK, reduced_motion=moves) as context:
            page = context.new_page()
            wrong = hear(page)
            page.clock.install(time=0)
            page.clock.pause_at(1000)
            page.goto(address)
            yield page
            assert wrong == []

    return hurried


@pytest.fixture(name="visit")
def make_visits(tab):
    """Opens an address; at the end nothing may have been complained of, asked for outside, or popped up."""
    page, wrong = tab

    @contextmanager
    def visit(
        address: str,
        train: bool = False,
        size=DESK,
        scheme: Scheme = "light",
        answer: bool = True,
        motion: bool = False,
    ) -> Iterator[Page]:
        wrong.clear()
        page.set_viewport_size(size)
        # with less motion nothing plays by itself
        page.emulate_media(color_scheme=scheme, reduced_motion="no-preference" if motion else "reduce")
        # a change of what follows # alone would not load the page anew
        page.goto("about:blank")
        page.goto(address)
        if answer and page.locator(".skip").count():
            page.locator(".skip").click()
        for more in page.locator(".controls .more:not([open]) > summary").all():
            if more.is_visible():
                more.click()
        if not train and page.locator(".train[aria-pressed=true]").count():
            page.locator(".train").click()
        yield page
        page.goto("about:blank")
        assert wrong == []

    return visit

"""A browser without a screen, and a page that listens to everything it should not do."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

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


@pytest.fixture(scope="module", name="tab")
def open_tab(browser) -> tuple[Page, list[str]]:
    """One tab for all visits of a module, since a new one costs a process, and a list of what it should not do."""
    wrong: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: wrong.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda asked: asked.url.startswith(INSIDE) or wrong.append(f"request: {asked.url}"))
    return page, wrong


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
        if not train and page.locator(".train[aria-pressed=true]").count():
            page.locator(".train").click()
        yield page
        page.goto("about:blank")
        assert wrong == []

    return visit

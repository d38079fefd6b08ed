"""From the move of a slider to the repaint of the page, in headless Chromium: ``python benchmarks/page.py``.

Every slider of every topic is moved through forty steps; timed is from the input event to the first task after the
frame in which the page has drawn. Training in the browser is off, as it is while a hand moves a slider.
"""

import argparse
import shutil
import statistics

from playwright.sync_api import sync_playwright

from festina.page import Server, page_path, topic_settings

MOVES = 40
MOVE = """
async (slider, moves) => {
  const last = Number(slider.max);
  const after = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  }));
  const times = [];
  for (let move = 0; move < moves; move++) {
    await new Promise((done) => setTimeout(done, 20));
    slider.value = String(Math.round((last * ((7 * move) % moves)) / (moves - 1)));
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await after();
    times.push(performance.now() - start);
  }
  return times;
}
"""


def measure(page, address: str, topic: str) -> dict[str, list[float]]:
    """Milliseconds of every move, by slider."""
    page.goto("about:blank")
    page.goto(f"{address}#{topic}")
    if page.locator(".skip").count():
        page.locator(".skip").click()
    if page.locator(".train").count():
        page.locator(".train").click()
    return {
        slider.get_attribute("data-control"): slider.evaluate(MOVE, MOVES)
        for slider in page.locator("input[type=range]").all()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="From the move of a slider to the repaint, in milliseconds.")
    parser.add_argument("--topic", choices=list(topic_settings()), help="only this topic")
    chosen = parser.parse_args()
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright, Server(port=0) as server:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for name, address in {"file://": page_path().as_uri(), "served": server.url}.items():
            everything: list[float] = []
            for topic in [chosen.topic] if chosen.topic else topic_settings():
                found = measure(page, address, topic)
                times = [time for each in found.values() for time in each]
                everything += times
                medians = ", ".join(f"{slider} {statistics.median(each):.0f}" for slider, each in found.items())
                print(f"{name:8} {topic:14} median {statistics.median(times):5.1f} ms   ({medians})")
            largest = statistics.quantiles(everything, n=20)[-1]
            print(
                f"{name:8} all topics      median {statistics.median(everything):5.1f} ms, 95 % below {largest:.1f} ms"
            )
        browser.close()


if __name__ == "__main__":
    main()

"""The report: one page that holds everything, made once and not again, whatever stops it."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from festina.cli import main
from festina.papers import find
from festina.papers.errata import measure, vanrossem
from festina.papers.references import entries
from festina.papers.report import report

HOSTILE = '<script>alert(1)</script> & \\"<img src=x onerror=y>'
FAKE = '''"""Does {name} hold{hostile}?

It has ``code <b>``, 1e-7, x^{{2}} and a_{{ij}}.

    u = v < w

- one
- two

Source: saxe2014 eq. (1)
"""

import math
import os
import time
from dataclasses import dataclass
from festina.papers import Claim, Results, panel, setting
from festina.methods._checkpoint import current


@dataclass(frozen=True)
class Settings:
    """Some."""

    seed: int = setting(3, "first of the {hostile}")
    rates: tuple[float, ...] = setting((1e-5, 0.5), "steps")


quick = Settings()
caption = "It is so {hostile}. (a) A line of {name}."


def compute(settings):
    with open({trace!r}, "a") as file:
        file.write("{name}\\n")
    assert current().folder.name == "{name}.checkpoints"
    {body}
    return Results(settings)


@panel("", "time of {name}", "loss < 1")
def line(c, ax):
    ax.plot([0, 1])


claims = (
    Claim("good", "It is small {hostile}.", lambda _: (0.5, 0.01), 1.0, source="saxe2014 eq. (2)", reason="{hostile}"),
    Claim("bad", "It is smaller.", lambda _: 2.0, 1.0, kind="extension", source="saxe2014"),
    Claim("odd", "It is a number.", lambda _: math.nan, 1.0, kind="identity", source="x{hostile}"),
)
'''
STUCK = 60.0
"""Seconds after which a process that should have got on is taken to hang."""

OWN = 3
"""Claims of a fake experiment: one holds, one fails and one is open, where all were expected to hold."""


class Page(HTMLParser):
    """Elements of a page, and its text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def all(self, name):
        return [attributes[name] for _, attributes in self.elements if name in attributes]


@pytest.fixture(name="fake")
def make_fake(tmp_path):
    """Writes fake experiments; ``fake.ran()`` says which were run."""
    trace = tmp_path / "trace"

    def make(name, body="pass", hostile=""):
        path = tmp_path / f"{name}.py"
        path.write_text(FAKE.format(name=name, body=body, hostile=hostile, trace=str(trace)))
        return str(path)

    make.ran = lambda: trace.read_text().split() if trace.exists() else []
    return make


@pytest.fixture(name="few_errata", autouse=True)
def only_quick_errata(monkeypatch):
    monkeypatch.setattr(measure, "errata", lambda: (vanrossem.bracket, vanrossem.identical_targets))


def test_everything_is_on_one_page_that_asks_for_nothing(fake, tmp_path):
    hostile, broken = fake("hostile", hostile=HOSTILE), fake("broken", "raise ArithmeticError('no <i>way</i>')")
    names = ["reversal", hostile, broken, "transition", "errata"]
    found = report(tmp_path / "out", quick=True, names=names)
    text = found.html.read_text(encoding="utf-8")
    page = Page(text)
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "iframe", "object", "form", "i"}
    assert all(src.startswith("data:image/png;base64,") for src in page.all("src"))
    assert all(href.startswith("#") for href in page.all("href"))
    assert not re.search(r"url\(|@import|https?:", re.sub(r"base64,[^\"]*", "", text))
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    # quotation marks of the style, without which every font is lost
    assert '--sans: system-ui, -apple-system, "Segoe UI"' in text
    # a claim can be found by verdict, kind and paper, without a script
    chosen = {attributes["id"] for tag, attributes in page.elements if tag == "input" and "id" in attributes}
    assert {"show-verdict-holds", "show-kind-paper", "show-paper-jarvis2025"} <= chosen
    for name in chosen:
        _, by, option = name.split("-", 2)
        assert f'body:has(#{name}:checked) [data-{by}]:not([data-{by}~="{option}"])' in text
        assert any(
            option in attributes.get(f"data-{by}", "").split() for tag, attributes in page.elements if tag == "tr"
        )
    # a strip for every row of a claim, which says its numbers
    strips = [attributes["aria-label"] for tag, attributes in page.elements if tag == "svg"]
    assert len(strips) >= sum(len(e["claims"]) for e in found.metadata["experiments"])
    assert all(re.fullmatch(r"measured .+, bound .+", strip) for strip in strips)
    # figures, each with its caption
    pictures = [attributes for tag, attributes in page.elements if tag == "img"]
    assert len(pictures) == 3
    assert any("A line of hostile." in p["alt"] for p in pictures)
    assert "A line of hostile." in " ".join(page.text.split())
    # claims, settings, errata, versions, sources
    read = " ".join(page.text.split())
    for e in found.metadata["experiments"]:
        assert e["question"].split("{")[0][:30] in read
        assert e["command"] in read
        assert all(f"{e['name']}.{claim['name']}" in page.all("id") for claim in e["claims"])
        assert all(setting["name"] in read for setting in e["settings"])
    assert [len(e["claims"]) for e in found.metadata["experiments"]] == [5, OWN, 0, len(find("transition").claims)]
    assert "It is small <script>alert(1)</script>" in read
    assert all(words in read for words in ("claims of the papers", "questions of our own"))
    assert "0.500 ± 0.010" in read
    assert "not finite" in read
    assert not re.search(r"\bnan\b", read)
    assert all(erratum["reference"] in read for erratum in found.metadata["errata"])
    assert all(version in read for version in found.metadata["versions"].values())
    assert "ArithmeticError: no <i>way</i>" in read
    # links lead somewhere, and to one place
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    assert {href[1:] for href in page.all("href")} <= set(ids)
    # what is not as expected comes first, and what fails or is open before the experiments
    assert read.index("It is smaller") < read.index("Claims that fail or are open") < read.index("Run it")
    assert json.loads(found.json.read_text(encoding="utf-8")) == found.metadata
    assert list(found.failures) == ["broken"]
    ours = sum(claim.kind == "extension" for claim in find("transition").claims)
    assert found.counts["extension"] == {"holds": ours, "fails": 1, "open": 0}
    assert found.counts["identity"]["open"] == 1
    assert sum(found.counts["paper"].values()) == found.counts["paper"]["holds"]
    assert found.unexpected == 2, "what failed to run and what fails; an open verdict contradicts none"
    assert "1 verdicts contradict the expected ones; 1 more differ, one of the two being open." in str(found)
    assert "could not be run: ArithmeticError" in str(found)


def start(*words):
    # what is started in the background ignores Ctrl-C
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    runs = "from festina.cli import main; main()"
    command = [sys.executable, "-c", heeds + runs, "report", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.browser
def test_the_choice_of_claims_is_whole_on_a_phone(fake, tmp_path):
    found = report(tmp_path / "out", quick=True, names=[fake("one")])
    beyond = (
        "[...document.querySelectorAll('.filter label')].filter((e) => e.getBoundingClientRect().right > innerWidth)"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(found.html.as_uri())
        assert page.locator(".filter label").count() > 3
        assert page.evaluate(f"{beyond}.map((one) => one.textContent)") == []
        browser.close()


def test_after_kill_9_what_was_finished_is_not_run_again(fake, tmp_path):
    gate = tmp_path / "gate"
    waits = f"time.sleep(0 if os.path.exists({str(gate)!r}) else {STUCK})"
    names = [fake("first"), fake("second", waits), fake("third")]
    out = tmp_path / "out"
    process = start("--only", ",".join(names), "--out", str(out), "--jobs", "1")
    try:
        until = time.monotonic() + STUCK
        while "second" not in fake.ran() and time.monotonic() < until and process.poll() is None:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    kept = out / "parts" / "first.result"
    before = kept.stat().st_mtime_ns
    assert fake.ran() == ["first", "second"]
    assert not (out / "report.html").exists()
    gate.touch()
    found = report(out, names=names)
    assert fake.ran() == ["first", "second", "second", "third"]
    assert kept.stat().st_mtime_ns == before
    assert [e["name"] for e in found.metadata["experiments"]] == ["first", "second", "third"]
    assert sorted(path.name for path in (out / "parts").iterdir()) == [
        f"{name}.result" for name in ("first", "second", "third")
    ]
    report(out, names=names)
    assert len(fake.ran()) == 4
    report(out, names=names[:1], fresh=True)
    assert fake.ran()[4:] == ["first"]


def test_several_at_a_time_give_the_same_and_end_with_the_process_that_started_them(fake, tmp_path):
    gate, number = tmp_path / "gate", tmp_path / "number"
    waits = (
        f"open({str(number)!r}, 'w').write(str(os.getpid())); "
        f"time.sleep(0 if os.path.exists({str(gate)!r}) else {10 * STUCK})"
    )
    names = [fake("waits", waits), fake("fails", "raise RuntimeError('no luck')"), fake("works")]
    out = tmp_path / "out"
    process = start("--only", ",".join(names), "--out", str(out), "--jobs", "2")
    kept = out / "parts" / "works.result"
    try:
        until = time.monotonic() + STUCK
        while not (kept.exists() and number.exists()) and time.monotonic() < until and process.poll() is None:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.communicate()
    assert sorted(fake.ran()) == ["fails", "waits", "works"]
    left = Path("/proc") / number.read_text()
    while left.exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert not left.exists(), "an experiment goes on without its report"
    gate.touch()
    found = report(out, names=names, jobs=2)
    assert sorted(fake.ran()[3:]) == ["fails", "waits"]
    assert [e["name"] for e in found.metadata["experiments"]] == ["waits", "fails", "works"]
    assert found.failures == {"fails": "RuntimeError: no luck"}


@pytest.mark.parametrize(("signalled", "code", "said"), [
    ("starter", 130, "start again to go on"), ("experiment", 64, "was killed, most often for lack of memory"),
])  # fmt: skip
def test_a_report_that_is_stopped_or_loses_a_process_says_so(fake, tmp_path, signalled, code, said):
    number = tmp_path / "number"
    waits = f"open({str(number)!r}, 'w').write(str(os.getpid())); time.sleep({10 * STUCK})"
    names = [fake("waits", waits), fake("works")]
    process = start("--only", ",".join(names), "--out", str(tmp_path / "out"), "--jobs", "2")
    kept = tmp_path / "out" / "parts" / "works.result"
    until = time.monotonic() + STUCK
    while not (kept.exists() and number.exists() and number.read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    if signalled == "starter":
        os.kill(process.pid, signal.SIGINT)
    else:
        os.kill(int(number.read_text()), signal.SIGKILL)
    told = process.communicate(timeout=STUCK)[1]
    assert process.returncode == code, told
    assert said in told
    assert "Traceback" not in told
    assert kept.exists()
    assert not (Path("/proc") / number.read_text()).exists()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda parts: os.truncate(parts / "one.result", 100), r"one.result is cut off"),
        (lambda parts: _replace(parts / "one.result", b"It is small", b"It is large"), r"one.result was changed"),
        (lambda parts: (parts / "one.result").write_text("[" * 100_000), r"one.result is cut off"),
    ],
    ids=["cut", "changed", "nested"],
)
def test_a_result_that_is_not_whole_is_named_and_made_again(fake, tmp_path, damage, message):
    names = [fake("one")]
    first = report(tmp_path / "out", names=names)
    damage(tmp_path / "out" / "parts")
    again = report(tmp_path / "out", names=names)
    assert fake.ran() == ["one", "one"]
    assert re.search(message, again.notes[0])
    assert again.metadata["experiments"][0]["claims"] == first.metadata["experiments"][0]["claims"]
    assert report(tmp_path / "out", names=names).notes == ()
    assert len(fake.ran()) == 2


def _replace(path, before, after):
    path.write_bytes(path.read_bytes().replace(before, after))


def test_a_result_of_other_sources_is_made_again(fake, tmp_path):
    names = [fake("one")]
    report(tmp_path / "out", names=names)
    with open(names[0], "a") as file:
        file.write("# changed\n")
    found = report(tmp_path / "out", names=names)
    assert fake.ran() == ["one", "one"]
    assert found.notes == ()


def test_an_experiment_that_fails_is_tried_again_and_hides_no_other(fake, tmp_path, capsys):
    broken = tmp_path / "unreadable.py"
    broken.write_text("def")
    names = [str(broken), fake("fails", "raise OSError('disk')"), fake("works")]
    for runs in (1, 2):
        found = report(tmp_path / "out", names=names, progress=True)
        assert fake.ran().count("fails") == runs
        assert fake.ran().count("works") == 1
        assert found.failures["fails"] == "OSError: disk"
        assert found.failures["unreadable"].startswith("SyntaxError")
    told = capsys.readouterr().err
    assert "fails: could not be run: OSError: disk; about " in told
    assert "works: 3 claims, 1 contradiction," in told


def test_the_command_prints_json_alone_and_counts_contradictions(fake, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["report", "--only", f"{fake('a')}, {fake('b')},errata", "--json", "--jobs", "1",
                  "--out", str(tmp_path / "out")])  # fmt: skip
    told = capsys.readouterr()
    assert stop.value.code == 2
    facts = json.loads(told.out)
    assert [e["name"] for e in facts["experiments"]] == ["a", "b"]
    assert len(facts["errata"]) == 2
    assert facts == json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert "[3/3] errata: 2 errata" in told.err


def test_ctrl_c_says_that_one_can_go_on(fake, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["report", "--only", fake("a", "raise KeyboardInterrupt"), "--out", str(tmp_path / "out")])
    assert stop.value.code == 130
    assert "start again to go on" in capsys.readouterr().err


def test_errata_that_are_not_shown_or_cannot_be_measured_count(fake, tmp_path, monkeypatch):
    import dataclasses

    def divide():
        raise ZeroDivisionError("by <nothing>")

    few = vanrossem.bracket, vanrossem.identical_targets
    wrong = [dataclasses.replace(few[0], measure=divide), dataclasses.replace(few[1], measure=lambda: (0.0, 0.0))]
    monkeypatch.setattr(measure, "errata", lambda: tuple(wrong))
    found = report(tmp_path / "out", names=["errata"])
    assert found.unexpected == 2
    read = Page(found.html.read_text(encoding="utf-8")).text
    assert "could not be measured: ZeroDivisionError: by <nothing>" in read
    assert "not shown by these numbers" in read
    assert not (tmp_path / "out" / "parts" / "errata.result").exists()


def test_what_is_refused_is_refused_before_anything_runs(fake, tmp_path, monkeypatch):
    one, out = fake("one"), tmp_path / "out"
    with pytest.raises(ValueError, match=r"experiment 'nope' is unknown. Known: .*errata"):
        report(out, names=[one, "nope"])
    with pytest.raises(ValueError, match=r"names is empty; name an experiment"):
        report(out, names=[])
    with pytest.raises(ValueError, match=r"there is no such file"):
        report(out, names=[str(tmp_path / "none.py")])
    (tmp_path / "other").mkdir()
    twin = tmp_path / "other" / "one.py"
    twin.write_text("")
    with pytest.raises(ValueError, match=r"names has two experiments called one; rename a file"):
        report(out, names=[one, str(twin)])
    with pytest.raises(ValueError, match=r"out is '.*one.py', which cannot be written to \(.*\); give another"):
        report(one, names=[one])

    def refuse(**_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(ValueError, match=r"which cannot be written to \(Read-only file system\); give another"):
        report(out, names=[one])
    assert fake.ran() == []


def test_the_same_in_one_line_on_the_command_line(tmp_path, capsys):
    for words, message in ((["--only", "nope"], "Known:"), (["--out", __file__], "cannot be written to")):
        with pytest.raises(SystemExit) as stop:
            main(["report", *words])
        assert stop.value.code == 64
        told = capsys.readouterr()
        assert message in told.err
        assert told.out == ""
        assert len(told.err.splitlines()) == 1


def test_every_source_can_be_read_without_latex():
    from festina.papers.report.bibliography import readable, short

    for key in entries():
        told = " ".join((*readable(key), short()[key]))
        assert not re.search(r"[{}\\]|--|  ", told), told
    assert short()["jarvis2025"] == "Jarvis et al. 2025"
    assert "C. C. J. Dominé" in readable("domine2025")[0]

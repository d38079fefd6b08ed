"""The page: one file of HTML with its style and its figures inside, which asks nothing of the network."""

import base64
from collections.abc import Mapping
from datetime import datetime
from html import escape
from importlib.resources import files
from typing import Any

from festina.papers.report import _tables
from festina.papers.report._bibliography import readable, short
from festina.papers.report._tables import MARKS
from festina.papers.report._words import duration, paragraphs, prose, setting
from festina.plot._house import COLOURS

WORDS = {"holds": "hold", "fails": "fail", "open": "open"}

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""Said to the browser too: nothing is loaded from anywhere, and nothing is run."""

PURPOSE = """festina predicts how a neural network will learn, explains why, and checks the prediction against the
network itself. Here every claim of the papers that it rests on is turned into a number, measured, and judged."""

READING = """<dl class="reading">
<dt>{holds}</dt><dd>The measured number is on the right side of its bound.</dd>
<dt>{fails}</dt><dd>It is on the wrong side. A failure that we stand by is a finding: what the paper says, or what we
expected, is not what the networks do.</dd>
<dt>{open}</dt><dd>It cannot be told: the bound is within two standard errors, or no finite number came out.</dd>
</dl>
<p>The bound of a claim comes from the paper, from the theory or from a stated principle. Where a first form of a claim
was measured and replaced, the experiment's text says so. A number has ± one standard error over seeds where chance has
a part. <em>We stand by</em> is the verdict
written beside the claim in the code: where the measured one differs, the row says so, and the exit code of
<code>festina report</code> counts it.</p>"""

ERRATA = """<p>Equations that are printed wrongly. Each is held against a judge that knows neither form, such as an ODE
solver on the weights: the error of the printed form is above what rounding, step or sampling explain (the last column),
that of the corrected form is not. festina computes the corrected forms. Errors are relative to the judge unless the
judge says otherwise.</p>"""


def page(facts: Mapping[str, Any], figures: Mapping[str, bytes]) -> str:
    """The whole report as HTML, from its facts and the figures by experiment."""
    title = "festina report" + (" (quick)" if facts["quick"] else "")
    sections = {
        "attention": _attention(facts),
        "exceptions": _exceptions(facts),
        "experiments": _overview(facts),
        "each": "\n".join(_experiment(e, figures.get(e["name"], b"")) for e in facts["experiments"]),
        "errata": f"<h2>{_self('errata')}Errata</h2>{ERRATA}{_tables.slips(facts['errata'])}"
        if facts["errata"]
        else "",
        "made": _made(facts),
        "references": _references(facts),
    }
    body = "\n".join(f'<section id="{name}">\n{text}\n</section>' for name, text in sections.items() if text)
    style = _colours() + files("festina.papers.report").joinpath("style.css").read_text(encoding="utf-8")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY, quote=True)}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<a class="skip" href="#exceptions">Skip to the claims that fail or are open</a>
{_contents(facts)}
<main>
<header id="top">
<h1>Every claim, measured</h1>
<p class="lede">{PURPOSE}</p>
{_counts(facts)}
{_quick(facts)}
<h2 id="verdicts">{_self("verdicts")}How to read a verdict</h2>
{READING.format(**{status: _tables.verdict(status) for status in MARKS})}
</header>
{body}
<footer><p>Written by <code>festina report{" --quick" * facts["quick"]}</code>, {_date(facts["written"])}.</p></footer>
</main>
</body>
</html>
"""


def _colours() -> str:
    """The colours of the figures, for the style to use."""
    names = ("blue", "vermillion", "green", "purple", "amber", "sky")
    return ":root{" + "".join(f"--{name}:{colour};" for name, colour in zip(names, COLOURS, strict=False)) + "}\n"


def _self(name: str) -> str:
    """The sign beside a heading that is a link to it."""
    return f'<a class="self" href="#{escape(name, quote=True)}" aria-label="Link to this section">#</a>'


def _contents(facts: Mapping[str, Any]) -> str:
    items = []
    for e in facts["experiments"]:
        signs = [s for s in ("fails", "open") if any(c["status"] == s for c in e["claims"])]
        signs = "".join(f'<span class="sign {s}" title="has a claim that {_is(s)}">{MARKS[s]}</span>' for s in signs)
        signs = '<span class="sign fails" title="could not be run">!</span>' if e["problem"] else signs
        items.append(f'<li><a href="#{escape(e["name"], quote=True)}">{escape(e["name"])}</a> {signs}</li>')
    errata = '<li><a href="#errata">Errata</a></li>' if facts["errata"] else ""
    return f"""<nav aria-label="Contents">
<p><a href="#top">festina report</a></p>
<ul>
<li><a href="#verdicts">How to read a verdict</a></li>
<li><a href="#exceptions">What fails or is open</a></li>
<li><a href="#experiments">Experiments</a>
<ul>{"".join(items)}</ul></li>
{errata}
<li><a href="#made">How this was made</a></li>
<li><a href="#references">References</a></li>
</ul>
</nav>"""


def _is(status: str) -> str:
    return "is open" if status == "open" else status


def _counts(facts: Mapping[str, Any]) -> str:
    """The counts in large figures, and as a bar."""
    counts, total = facts["counts"], sum(facts["counts"].values())
    numbers = [
        f'<li><b>{counts[s]}</b> <span class="verdict {s}"><span class="sign" aria-hidden="true">{MARKS[s]}</span> '
        f"{word}</span></li>"
        for s, word in WORDS.items()
    ]
    numbers.append(f"<li><b>{facts['surprises']}</b> differ from what we stand by</li>")
    if facts["errata"]:
        numbers.append(f'<li><b>{len(facts["errata"])}</b> <a href="#errata">slips in print</a></li>')
    told = ", ".join(f"{counts[s]} {word}" for s, word in WORDS.items())
    parts = "".join(f'<span class="{s}" style="flex:{counts[s]}"></span>' for s in WORDS if counts[s])
    bar = f'<div class="bar" role="img" aria-label="Of {total} claims {told}">{parts}</div>' if total else ""
    return f'<ul class="counts">{"".join(numbers)}</ul>\n{bar}'


def _quick(facts: Mapping[str, Any]) -> str:
    if not facts["quick"]:
        return ""
    return (
        '<p class="note">These are <strong>quick settings</strong>: fewer seeds, smaller networks, shorter runs. '
        "The numbers worth quoting are those of <code>festina report</code> without <code>--quick</code>.</p>"
    )


def _attention(facts: Mapping[str, Any]) -> str:
    """What is not as it should be; nothing where all is."""
    lines = [
        f'<li><a href="#{escape(e["name"], quote=True)}">{escape(e["name"])}</a> could not be run: '
        f"<code>{escape(e['problem'])}</code></li>"
        for e in facts["experiments"]
        if e["problem"]
    ]
    lines += [
        f'<li><a href="#{_tables.anchor(e["name"], c["name"])}">{escape(e["name"])}</a>: '
        f"{prose(c['statement'].rstrip('.'))}: {_tables.verdict(c['status'])}, "
        f"and we stand by {_tables.verdict(c['stands'])}.</li>"
        for e in facts["experiments"]
        for c in e["claims"]
        if c["status"] != c["stands"]
    ]
    lines += [
        f'<li><a href="#errata">Errata</a>: {prose(slip["where"], short())} is not shown by the numbers.</li>'
        for slip in facts["errata"]
        if not slip["shown"]
    ]
    return f"<h2>{_self('attention')}Not as we said</h2>\n<ul>{''.join(lines)}</ul>" if lines else ""


def _exceptions(facts: Mapping[str, Any]) -> str:
    head = f"<h2>{_self('exceptions')}Claims that fail or are open</h2>"
    if all(c["status"] == "holds" for e in facts["experiments"] for c in e["claims"]):
        return f"{head}\n<p>None among the claims of this report.</p>"
    return f"{head}\n{_tables.standing_out(facts['experiments'])}"


def _overview(facts: Mapping[str, Any]) -> str:
    return f"<h2>{_self('experiments')}Experiments</h2>\n{_tables.glance(facts['experiments'], duration)}"


def _experiment(e: Mapping[str, Any], figure: bytes) -> str:
    name = escape(e["name"], quote=True)
    parts = [
        f"<h2>{_self(e['name'])}<span class='name'>{name}</span> {prose(e['question'])}</h2>",
        paragraphs(e["answer"], short()),
    ]
    if e["problem"]:
        parts.append(f'<p class="note problem">It could not be run: <code>{escape(e["problem"])}</code></p>')
    if figure:
        data = base64.b64encode(figure).decode()
        width, height = (int.from_bytes(figure[i : i + 4], "big") for i in (16, 20))
        parts.append(
            f'<figure><div class="plate" tabindex="0" role="region" aria-label="Figure of {name}">'
            f'<img width="{width}" height="{height}" style="--natural:{width}px" '
            f'alt="{escape(e["figure"], quote=True)}" '
            f'src="data:image/png;base64,{data}"></div></figure>'
        )
    if e["claims"]:
        parts.append(_tables.claims(e))
    seeds = "; ".join(f"{s['name']} {setting(s['value'])}" for s in e["settings"] if "seed" in s["name"])
    facts = [("Run it", f"<code>{escape(e['command'])}</code>"), ("Time", duration(e["seconds"]))]
    facts += [("Seeds", escape(seeds))] if seeds else []
    facts += [("Sources", prose(e["sources"], short()))] if e["sources"] else []
    parts.append('<dl class="facts">' + "".join(f"<dt>{k}</dt><dd>{v}</dd>" for k, v in facts) + "</dl>")
    if e["settings"]:
        parts.append(_tables.settings(e))
    return f'<article id="{name}">\n' + "\n".join(parts) + "\n</article>"


def _made(facts: Mapping[str, Any]) -> str:
    rows = [(name, escape(found)) for name, found in facts["versions"].items()]
    rows += [("device", escape("; ".join(facts["devices"])))] if facts["devices"] else []
    rows += [("time in all", duration(facts["seconds"])), ("written", _date(facts["written"]))]
    listed = "".join(f"<dt>{name}</dt><dd>{found}</dd>" for name, found in rows)
    return f"<h2>{_self('made')}How this was made</h2>\n<dl class='facts'>{listed}</dl>"


def _references(facts: Mapping[str, Any]) -> str:
    items = []
    for key in facts["references"]:
        who, title, where = (escape(part) for part in readable(key))
        items.append(f'<li id="ref-{key}">{who}. <cite>{title}</cite>. {where}. <code>{key}</code></li>')
    listed = f'<ul class="references">{"".join(items)}</ul>'
    return f"<h2>{_self('references')}References</h2>\n{listed}" if items else ""


def _date(written: str) -> str:
    at = datetime.fromisoformat(written)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"

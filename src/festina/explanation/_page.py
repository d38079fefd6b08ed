"""An explanation as one self-contained HTML page: sentences, figures with captions, tables."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from html import escape
from pathlib import Path

from festina.checks import check
from festina.core.display import document
from festina.core.look import colour_of_module, panels, style
from festina.explanation._drawing import draw
from festina.explanation._findings import ExplainedLayer, Findings
from festina.storage.store import save

STYLE = """
td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.dot{display:inline-block;width:.8em;height:.8em;border-radius:50%;margin-right:.4em}
@media (prefers-color-scheme:dark){.dot{filter:invert(.925) hue-rotate(180deg)}}
"""


def write_page(found: Findings, path: str | Path) -> Path:
    """Write an explanation as one HTML page and return its path."""
    path = check.new_file("path", path)
    parts = [f"<h1>{escape(found.headline)}</h1>", f"<p>{escape(found.quality)}</p>"]
    parts += [f"<p>{escape(note)}</p>" for note in found.notes]
    if len(found.layers) > 1:
        parts += ["<h2>Pathways</h2>", _pathways(found)]
    for layer in found.layers:
        parts += [f"<h2>Hidden layer {layer.number}</h2>", _overview(found, layer), _table(found, layer)]
        parts += [_modules(found, layer)]
    if len(found.times) > 1:
        parts += ["<h2>Through training</h2>", _training(found), _events(found)]
    parts.append(f"<details><summary>The whole text</summary><pre>{escape(str(found))}</pre></details>")
    return save("path", path, document(found.headline, parts, STYLE))


def _figure(
    found: Findings, views: Sequence[str], layers: Sequence[int], finding: str, rest: str, *, shape: tuple[int, int],
    size: tuple[float, float], module: int = 1,
) -> str:  # fmt: skip
    """Panels with their caption, which is the alternative text too: a view and a layer for each."""
    import matplotlib as mpl

    stream = io.BytesIO()
    with style(), mpl.rc_context({"svg.fonttype": "path"}):
        figure, axes = panels(*shape, width=size[0], height=size[1])
        for ax, view, layer in zip(axes, views, layers, strict=True):
            draw(found, ax, view, layer, module)
        figure.savefig(stream, format="svg")
    data = base64.b64encode(stream.getvalue()).decode()
    return (
        f'<figure><img alt="{escape(finding + " " + rest, quote=True)}" src="data:image/svg+xml;base64,{data}">'
        f"<figcaption><b>{escape(finding)}</b> {escape(rest)}</figcaption></figure>"
    )


def _pathways(found: Findings) -> str:
    return _figure(
        found, ["pathways"], [len(found.layers)], "Which module feeds which.",
        "Circles are modules, their area the share of their layer's contribution. The width of a line to a module is "
        "the share of its drive that comes from the module on the left; to an output, the share of what is added where "
        "most is added (the three strongest). Broken lines lower what they reach. Under a module are the groups of "
        "data points for which it is on, if they are at most three.",
        shape=(1, 1), size=(3.4 * (len(found.layers) + 0.6), 4.6),
    )  # fmt: skip


def _overview(found: Findings, layer: ExplainedLayer) -> str:
    names = {"shared": "share one gate each", "fitted": "have fitted maps", "none": "have fitted maps"}
    where = " (share of positions)" if layer.positions > 1 else ""
    return _figure(
        found, ["on", "silenced", "number", "baselines"], [layer.number] * 4,
        f"{len(layer.modules)} modules, whose {layer.kind} {names[layer.verdict]}, miss {100 * layer.error:.2g} % of "
        f"the variance of the outputs; the best linear map misses {100 * layer.linear:.2g} %.",
        f"a, how often each module is on, by group of data points{where}. b, the network with one module silenced. "
        "c, error by number of modules, with fitted maps on data points held out, and with the network's own weights "
        "switched by shared gates. d, the same error for other ways to divide the layer into as many parts.",
        shape=(2, 2), size=(4.6, 3.0),
    )  # fmt: skip


def _modules(found: Findings, layer: ExplainedLayer) -> str:
    """One figure per module; its caption is the module's sentence."""
    images = found.image_shape is not None
    views = ["adds", "map", "examples"] if images else ["adds", "map"]
    if layer.positions > 1:
        pictures = "b, the patch to which the channels of the module respond most alike."
    elif images:
        pictures = "b, the direction of the inputs along which the module changes the outputs most; red raises the "
        pictures += "output named, blue lowers it."
    else:
        pictures = "b, its linear map from inputs to outputs, mean over the points where it is on."
    if images:
        pictures += " c, the data points at which it changes the outputs most."
    rest = (
        "a, by how much the outputs are higher with the module than without it, mean over each group of data points; "
        f"one colour scale for all modules of the layer. {pictures}"
    )
    panels = {"shape": (1, len(views)), "size": (3.1 if images else 4.6, 2.4)}
    figures = []
    for module in layer.modules:
        # the panels are explained once; the pattern of a gate is in panel a of the layer
        words = module.sentence(layer.kind, found.group_names), rest if module.number == 1 else ""
        figures.append(_figure(found, views, [layer.number] * len(views), *words, module=module.number, **panels))
    return "".join(figures)


def _table(found: Findings, layer: ExplainedLayer) -> str:
    head = ["module", "units", "on", "on most for", "tells apart", "loss without", "accuracy without",
            "adds most confusion", "reads", "examples"]  # fmt: skip
    rows = []
    for m in layer.modules:
        top = m.on_rates.argsort()[::-1][:3] if len(found.group_names) == len(m.on_rates) else []
        features = m.directions[0].features[:3] if m.directions else ()
        reads = ", ".join(f"{name} {weight:+.2f}" for name, weight in features)
        cells = [
            f'<td><span class="dot" style="background:{colour_of_module(m.number)}"></span>{m.number}</td>',
            _number(str(len(m.units))),
            _number(f"{100 * m.on_rate:.0f} %"),
            _text(", ".join(f"{found.group_names[i]} ({100 * m.on_rates[i]:.0f} %)" for i in top)),
            _text("; ".join(f"{a} from {b} ({gain:+.2g})" for a, b, gain in m.separates[:2])),
            _number(f"{m.loss_without:.3g}"),
            _number("" if m.accuracy_without is None else f"{100 * m.accuracy_without:.1f} %"),
            _text("; ".join(f"{a} as {b} ({100 * p:.0f} → {100 * q:.0f} %)" for a, b, p, q in m.confuses[:2])),
            _text(reads),
            _text(", ".join(map(str, m.examples[:5]))),
        ]
        rows.append("<tr>" + "".join(cells) + "</tr>")
    return f"<table><tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>{''.join(rows)}</table>"


def _number(text: str) -> str:
    return f'<td class="n">{escape(text)}</td>'


def _text(text: str) -> str:
    return f"<td>{escape(text)}</td>"


def _training(found: Findings) -> str:
    layers = [layer.number for layer in found.layers]
    return _figure(
        found, ["training"] * len(layers), layers, "When each module becomes active.",
        "Contribution of each module's units to the outputs at the checkpoints; a ring marks half of the largest.",
        shape=(1, len(layers)), size=(4.2, 3.0),
    )  # fmt: skip


def _events(found: Findings) -> str:
    lines: Sequence[str] = [event.text for event in found.events]
    text = "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
    if not found.matches:
        return text
    head = ("module found", "module predicted", "data points on alike", "active at", "predicted at")
    rows = []
    for m in found.matches:
        alike = "" if m.found is None or m.predicted is None else f"{100 * m.agreement:.0f} %"
        cells = (m.found, m.predicted, alike, m.found_at, m.predicted_at)
        words = ("none" if c is None else c if isinstance(c, str) else f"{c:g}" for c in cells)
        rows.append(f"<tr>{''.join(map(_number, words))}</tr>")
    heads = "".join(f"<th>{escape(name)}</th>" for name in head)
    table = f"<table><tr>{heads}</tr>{''.join(rows)}</table>"
    note = "" if all(m.found_at or m.predicted_at for m in found.matches) else (
        "<p>A module that is active at the first checkpoint already has no time there, since none can be predicted.</p>"
    )  # fmt: skip
    return f"{text}<p>Modules that the theory predicts from the first checkpoint:</p>{table}{note}"

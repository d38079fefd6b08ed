"""Explanations in sentences that a person can quote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from festina.explanation._module import ExplainedLayer, ExplainedModule

if TYPE_CHECKING:
    from festina.explanation._explanation import Explanation

OFTEN, RARELY = 0.8, 0.2
"""On-rates from which a module counts as on, and up to which as off, for a group of data points."""

ALIKE = 0.05
"""Range of on-rates within which all groups count as treated alike."""

HALF = 0.5
"""Share of what the best linear map leaves that fitted modules have to explain."""

NEARLY_LINEAR = 0.02
"""Error of the best linear map below which a network counts as nearly linear on its data."""

MAX_LISTED = 5
"""Groups that a sentence lists."""

SHOWN = 64
"""Data points up to which a gate is printed point by point."""


def headline(found: Explanation) -> str:
    """The first line: what the network is, in one sentence."""
    widths = joined([str(n) for n in found.hidden])
    quality = f"accuracy {percent(found.accuracy)}" if found.accuracy is not None else f"loss {found.loss:.3g}"
    return f"This network ({widths} hidden units, {quality}) {_what(found.layers)}."


def _what(layers: Sequence[ExplainedLayer]) -> str:
    last = layers[-1]
    if all(layer.verdict == "shared" for layer in layers):
        counts = joined([str(len(layer.modules)) for layer in layers])
        where = "" if len(layers) == 1 else " in its hidden layers"
        kept = percent(1 - max(layer.error for layer in layers))
        return (
            f"consists of {counts} modules{where}, groups of units that are on together: they reproduce {kept} of the "
            f"variance of its outputs, the best linear map {percent(1 - last.linear)}"
        )
    if all(layer.linear <= NEARLY_LINEAR for layer in layers):
        left = max(layer.linear for layer in layers)
        return (
            f"is nearly linear on these data: replacing any of its hidden layers by the best linear map loses at most "
            f"{percent(left)} of the variance of its outputs"
        )
    counts = joined([str(len(layer.modules)) for layer in layers])
    shares = joined([percent(max(layer.explained, 0.0)) for layer in layers])
    where = "" if len(layers) == 1 else " in its hidden layers"
    fitted = (
        f"{counts} gated linear maps{where} explain {shares} of what the best linear map leaves unexplained, on data "
        "points held out"
    )
    if any(layer.verdict == "none" for layer in layers):
        return f"has no few modules; still, {fitted}"
    return f"acts approximately as few modules: {fitted}"


def layer_lines(layer: ExplainedLayer, groups: Sequence[str]) -> list[str]:
    """A layer: what kind of modules, how good beside the baselines, and each module."""
    kind = "channels" if layer.positions > 1 else "units"
    base = ", ".join(f"{name} {percent(value)}" for name, value in layer.baselines.items())
    count = len(layer.modules)
    stable = layer.stability.get(count)
    lines = [
        f"Hidden layer {layer.number} ({layer.width} {kind}, {layer.silent} of them silent): {count} "
        f"module{'s' if count > 1 else ''}; {_how(layer, kind)}.",
        f"  Share of the variance of the outputs that is missed: modules {percent(layer.error)}; {base}; the exact "
        f"network 0 %. Beyond the best linear map the modules explain {percent(layer.explained)}."
        + ("" if stable is None else f" Agreement between seeds: {stable:.2f} (1 is the same groups)."),
    ]
    if layer.verdict != "shared" and len(layer.curve) > 1 and count == max(layer.curve):
        lines.append(f"  The error still falls at {count} modules, the most that were tried; more may explain more.")
    return [*lines, *(f"  {line}" for module in layer.modules for line in [module_sentence(module, kind, groups)])]


def _how(layer: ExplainedLayer, kind: str) -> str:
    """What kind of modules a layer has."""
    if layer.verdict == "shared":
        return f"the {kind} of a module share its gate"
    if layer.verdict == "fitted":
        return f"the {kind} of a module share no gate, but with a fitted linear map each they are a fair summary"
    little = layer.explained < HALF
    why = "explain less than half of what the best linear map leaves" if little else "vary with the seed"
    return f"no few modules: the {kind} share no gates, and the best groups with fitted linear maps {why}"


def joined(words: Sequence[str]) -> str:
    """As a list in a sentence."""
    return " and ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} and {words[-1]}"


def module_sentence(module: ExplainedModule, kind: str = "units", groups: Sequence[str] = ()) -> str:
    """What a module is for, in one sentence: see ``ExplainedModule.sentence``."""
    pattern = ""
    if len(module.gate) <= SHOWN and np.isin(module.gate, (0.0, 1.0)).all():
        pattern = "".join("#" if on else "·" for on in module.gate) + " "
    unit = kind if len(module.units) > 1 else kind.removesuffix("s")
    rows = "positions" if kind == "channels" else "data points"
    parts = [f"Module {module.number} {pattern}({len(module.units)} {unit}) {on_words(module, groups, rows)}"]
    if module.separates:
        a, b, gain = module.separates[0]
        parts.append(f"it tells {a} from {b} (margin {gain:+.2g})")
    silenced = f"without it the loss is {module.loss_without:.3g}"
    if module.accuracy_without is not None:
        silenced += f" and the accuracy {percent(module.accuracy_without)}"
    if module.confuses:
        a, b, _, after = module.confuses[0]
        silenced += f", and {percent(after)} of {a} are taken for {b}"
    return "; ".join([*parts, silenced]) + "."


def on_words(module: ExplainedModule, groups: Sequence[str], rows: str = "data points") -> str:
    """When it is on."""
    if not len(groups) or len(module.on_rates) != len(groups) or np.ptp(module.on_rates) < ALIKE:
        return f"is on at {percent(module.on_rate)} of the {rows}"
    if module.on_rates.min() >= OFTEN:
        return f"is on at {percent(module.on_rate)} of the {rows}"
    often = [groups[int(i)] for i in np.argsort(-module.on_rates, kind="stable") if module.on_rates[i] >= OFTEN]
    rarely = [groups[int(i)] for i in np.argsort(module.on_rates, kind="stable") if module.on_rates[i] <= RARELY]
    if often and rarely:
        return f"is on for {_listed(often)} and off for {_listed(rarely)}"
    if often or rarely:
        return f"is {'on' if often else 'off'} for {_listed(often or rarely)} and at times for the others"
    top, low = int(np.argmax(module.on_rates)), int(np.argmin(module.on_rates))
    return (
        f"is on at {percent(module.on_rate)} of the {rows}, most for {groups[top]} "
        f"({percent(module.on_rates[top])}) and least for {groups[low]} ({percent(module.on_rates[low])})"
    )


def pathway_lines(layers: Sequence[ExplainedLayer]) -> list[str]:
    """Which module feeds which, the strongest for each."""
    lines = []
    for layer in layers[1:]:
        for module in layer.modules:
            column = layer.feeds[:, module.number - 1]
            order = np.argsort(-np.abs(column), kind="stable")[:2]
            parts = " and ".join(f"{percent(float(column[i]))} from module {i + 1}" for i in order)
            lines.append(f"Layer {layer.number} module {module.number} gets {parts} of layer {layer.number - 1}.")
    return lines


def percent(value: float) -> str:
    """As a percentage with two digits where they matter."""
    size = 100 * value
    if not np.isfinite(size):
        return "unbounded"
    if 99 < size < 100:
        return f"{np.floor(size * 100) / 100:.4g} %"
    return f"{size:.0f} %" if abs(size) >= 10 or size == 0 else f"{size:.2g} %"


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:MAX_LISTED])
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")

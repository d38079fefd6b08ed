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

NOTHING_MORE = 0.005
"""Share of what the best linear map leaves up to which modules count as explaining nothing of it."""

MAX_LISTED = 5
"""Groups that a sentence lists."""

PATHWAYS = "Pathways (shares of what drives each module; the bias is the rest and may be negative):"

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
        left = percent(max(layer.linear for layer in layers))
        replaced = "its hidden layer by the best linear map loses" if len(layers) == 1 else (
            "any of its hidden layers by the best linear map loses at most"
        )  # fmt: skip
        return f"is nearly linear on these data: replacing {replaced} {left} of the variance of its outputs"
    curved = [layer for layer in layers if layer.linear > NEARLY_LINEAR or layer.verdict == "shared"]
    counts = joined([str(len(layer.modules)) for layer in curved])
    shares = joined([percent(max(layer.explained, 0.0)) for layer in curved])
    where = "" if len(layers) == 1 else f" in hidden layer{'s' if len(curved) > 1 else ''} {_numbers(curved)}"
    maps = "map explains" if counts == "1" else "maps explain"
    fitted = (
        f"{counts} gated linear {maps.replace(' ', where + ' ')} {shares} of what the best linear map leaves "
        "unexplained, on data points held out"
    )
    if flat := [layer for layer in layers if layer not in curved]:
        fitted += f", and hidden layer{'s' if len(flat) > 1 else ''} {_numbers(flat)} "
        fitted += f"{'are' if len(flat) > 1 else 'is'} nearly linear on these data"
    if max(layer.explained for layer in curved) <= NOTHING_MORE:
        left = percent(max(layer.linear for layer in curved))
        return (
            "does not divide into a few modules, and a few gated linear maps imitate it no better than the best linear "
            f"map, which misses up to {left} of the variance of its outputs, on data points held out"
        )
    if any(layer.verdict == "none" for layer in curved):
        return f"does not divide into a few modules; still, {fitted}"
    return f"acts approximately as a few modules: {fitted}"


def _numbers(layers: Sequence[ExplainedLayer]) -> str:
    """Numbers of layers, as the subject of a sentence."""
    return joined([str(layer.number) for layer in layers])


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
        f"network 0 %. Beyond the best linear map the modules explain {percent(max(layer.explained, 0.0))}."
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
    if layer.linear <= NEARLY_LINEAR:
        return f"the layer is nearly linear on these data, so that modules matter for {percent(layer.linear)} at most"
    if layer.explained < HALF:
        why = "explain at most half of what the best linear map leaves"
    elif len(layer.modules) in layer.stability:
        why = "vary with the seed"
    else:
        why = "were sought from one start, which does not tell whether others find them too"
    return f"no small set of modules: the {kind} share no gates, and the best groups with fitted linear maps {why}"


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
    known = len(groups) > 0 and len(module.on_rates) == len(groups)
    if not known or np.ptp(module.on_rates) < ALIKE or module.on_rates.min() >= OFTEN:
        return f"is on at {percent(module.on_rate)} of the {rows}"
    if rows == "positions" or module.on_rates.max() <= RARELY:
        return _most_and_least(module, groups, rows)
    often = [groups[int(i)] for i in np.argsort(-module.on_rates, kind="stable") if module.on_rates[i] >= OFTEN]
    rarely = [groups[int(i)] for i in np.argsort(module.on_rates, kind="stable") if module.on_rates[i] <= RARELY]
    if often and rarely:
        return f"is on for {listed(often)} and off for {listed(rarely)}"
    if often or rarely:
        state, named = ("on", often) if often else ("off", rarely)
        others = [name for name in groups if name not in named]
        if len(others) < len(named):
            return f"is {state} for all but {listed(others)}, for which it is on at times"
        return f"is {state} for {listed(named)} and at times for the others"
    return _most_and_least(module, groups, rows)


def _most_and_least(module: ExplainedModule, groups: Sequence[str], rows: str) -> str:
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


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    shown = list(names[:MAX_LISTED])
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")

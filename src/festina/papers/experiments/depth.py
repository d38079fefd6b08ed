"""How long does a deep linear network take to learn as layers are added, and with which step?

It depends on the start. With the same small strength b0 < 1 in every layer the time grows exponentially with depth,
like b0^{−(D−2)}/(D−2). Layers that are pretrained one after another as autoencoders and then trained together need a
time linear in depth. From orthogonal layers the number of steps hardly depends on depth. Steps are counted at the best
step size, 1/(d D (s/d)^{2−2/D}), which a search confirms for the end of learning; over a whole run somewhat
larger steps are faster, by the same factor at every depth. One printed scaling is an upper bound that is far from
tight: the time with pretraining grows like ln(1/b0), where O(1/b0²) is printed.

Source: saxe_lecture "Training speed", "Effect of initialization"; saxe2014
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.papers import Claim, setting
from festina.papers._seeds import mean, resampled
from festina.papers.experiments import _depth, _depth_draw
from festina.runtime import track


@dataclass(frozen=True)
class Settings:
    """Task, starts, depths and sizes."""

    strength: float = setting(2.0, "singular value of every mode of the task; inputs are white", above=0)
    layer: float = setting(0.1, "initial strength b0 of every layer, small start", above=0)
    layers: tuple[float, ...] = setting(
        (0.001, 0.003, 0.01, 0.03, 0.1), "weaker and stronger b0, to see how the times depend on it", above=0
    )
    reach: float = setting(0.99, "share of its final strength at which a mode counts as learned", above=0, most=1)
    depths: tuple[int, ...] = setting((1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100), "depths of the chains", least=1)
    small_depths: tuple[int, ...] = setting((2, 3, 4, 5), "depths of the trained networks, small start", least=1)
    pretrained_depths: tuple[int, ...] = setting(
        (2, 3, 4, 6, 8, 12), "depths of the trained networks, pretrained start", least=1
    )
    orthogonal_depths: tuple[int, ...] = setting(
        (2, 4, 8, 16, 32, 64),
        "depths of the trained networks, orthogonal start; those from 8 on decide whether depth matters",
        least=1,
    )
    searched_depths: tuple[int, ...] = setting(
        (2, 4, 8, 16), "depths of the networks whose fastest step is searched for", least=1
    )
    width: int = setting(8, "inputs and hidden units of the networks", least=1)
    modes: int = setting(4, "modes, and outputs, of the networks' task", least=1)
    seeds: int = setting(40, "networks per depth", least=1)
    seed: int = setting(0, "first of the seeds", least=0)


quick = Settings(
    layers=(0.001, 0.01, 0.1),
    small_depths=(2, 3, 4),
    pretrained_depths=(2, 4, 6),
    orthogonal_depths=(2, 8, 16),
    searched_depths=(2, 8),
    seeds=8,
)
layout = (2, 3)
caption = (
    "How the learning time grows with depth is decided by the start: exponentially from small layers, linearly after "
    "greedy pretraining, and least from orthogonal layers. (a) Strength of one chain over time for several depths. (b)"
    " Steps to learn from small weights, predicted by a chain (line) and trained networks (dots: median, bars: middle "
    "90 %). (c) The same for pretrained and orthogonal layers. (d) Orthogonal layers up to depth 64. (e) Steps to "
    "pretrain one layer against 1/b0, with a logarithm and the printed 1/b0². (f) Best step size by depth: formula and"
    " searches."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Strengths of chains, learning times of chains and networks by start and depth, and step sizes.

    Times of ``chain`` and ``network`` are (depths,) and (seeds, depths), in steps at the best step size; ``flow`` is
    the small start's in flow time.
    """

    settings: Settings
    traces: dict[float, tuple[np.ndarray, np.ndarray]]
    agreement: dict[int, float]
    chain: dict[str, np.ndarray]
    flow: np.ndarray
    network: dict[str, np.ndarray]
    network_depths: dict[str, tuple[int, ...]]
    pretraining: np.ndarray
    pretraining_network: np.ndarray
    rates: dict[int, float]
    searched: dict[int, float]
    stable: dict[int, float]
    tried: dict[int, np.ndarray]

    @property
    def fastest(self) -> dict[int, float]:
        """The step size with which networks learn in the fewest steps, median over seeds, by depth."""
        return {d: _depth.best(self.settings, d) * _shortest(steps) for d, steps in self.tried.items()}


def compute(settings: Settings) -> Curves:
    """Closed forms for chains; training, flow and searches for networks."""
    s = settings
    tuning = np.array([_depth.chain_time(s, 1.0, depth) / _depth.best(s, depth) for depth in s.depths])
    small = np.array([_depth.chain_time(s, s.layer, depth) for depth in s.depths])
    chain = {
        "small": small / [_depth.best(s, depth) for depth in s.depths],
        "pretrained": (np.array(s.depths) - 1) * _depth.autoencoder(s, s.layer) + tuning,
        "orthogonal": tuning,
    }
    network, alone = _depth.networks(s)
    looked = [depth for depth in s.depths if depth <= max(s.pretrained_depths)]
    return Curves(
        s,
        _depth.traces(s),
        {depth: _depth.agreement(s, depth) for depth in (1, 2, 3, 10)},
        chain,
        small,
        network,
        {"small": s.small_depths, "pretrained": s.pretrained_depths, "orthogonal": s.orthogonal_depths},
        np.array([_depth.autoencoder(s, layer) for layer in s.layers]),
        alone,
        {depth: _depth.best(s, depth) for depth in s.depths},
        {depth: _depth.search(s, depth) for depth in s.depths},
        {depth: _depth.stable(s, depth) for depth in track(looked, "largest stable step")},
        {depth: _depth.fastest(s, depth) for depth in track(s.searched_depths, "fastest step")},
    )


def _growth(curves: Curves) -> float:
    """Slope of ln[t·(D − 2)] against depth, over ln(1/b0): chains of four layers and more, in flow time."""
    depths = np.array(curves.settings.depths)
    deep = depths >= 4
    slope = np.polyfit(depths[deep], np.log(curves.flow[deep] * (depths[deep] - 2)), 1)[0]
    return float(slope / np.log(1 / curves.settings.layer))


def _factor(curves: Curves) -> tuple[float, float]:
    """Factor by which one more layer lengthens the small start's flow time, at the deepest pair of networks."""
    s = curves.settings
    before, after = s.small_depths[-2:]
    step = _depth.best(s, after) / _depth.best(s, before)

    def factor(steps: np.ndarray) -> float:
        middle = np.median(steps, axis=0)
        return float(middle[1] / middle[0] * step) ** (1 / (after - before))

    return resampled(factor, curves.network["small"][:, -2:])


def _chain_factor(curves: Curves) -> float:
    """The same of a chain, from its closed form."""
    s = curves.settings
    before, after = s.small_depths[-2:]
    return (_depth.chain_time(s, s.layer, after) / _depth.chain_time(s, s.layer, before)) ** (1 / (after - before))


def _crooked(curves: Curves) -> tuple[float, float]:
    """Largest distance of the pretrained networks' median steps from a line in depth, over their span."""
    depths = curves.network_depths["pretrained"]

    def off(networks: np.ndarray) -> float:
        steps = np.median(networks, axis=0)
        return float(np.abs(steps - np.polyval(np.polyfit(depths, steps, 1), depths)).max() / np.ptp(steps))

    return resampled(off, curves.network["pretrained"])


def _exponent(curves: Curves) -> tuple[float, float]:
    """Exponent of pretraining steps against 1/b0, per seed: mean and standard error."""
    logs = np.log(1 / np.array(curves.settings.layers))
    return mean(np.polyfit(logs, np.log(curves.pretraining_network.T), 1)[0])


def _logarithmic(curves: Curves) -> tuple[float, float]:
    """Relative distance of the slope of pretraining steps against ln(1/b0) from the chain's."""
    logs = np.log(1 / np.array(curves.settings.layers))
    chain = np.polyfit(logs, curves.pretraining, 1)[0]
    return resampled(
        lambda steps: abs(np.polyfit(logs, np.median(steps, axis=0), 1)[0] / chain - 1), curves.pretraining_network
    )


def _flat(curves: Curves) -> tuple[float, float]:
    """Exponent of the orthogonal networks' steps against depth, eight layers and more: value and standard error."""
    depths = np.array(curves.network_depths["orthogonal"])
    deep = depths >= 8
    return mean(np.polyfit(np.log(depths[deep]), np.log(curves.network["orthogonal"][:, deep].T), 1)[0])


def _off(found: dict[int, float], rates: dict[int, float]) -> float:
    return max(abs(found[depth] / rates[depth] - 1) for depth in found)


def _shortest(steps: np.ndarray) -> float:
    """The step size, relative to the formula's, with which networks (seeds, sizes) learn in the fewest steps."""
    return float(_depth.TRIED[np.argmin(np.median(steps, axis=0))])


def _spread(curves: Curves) -> tuple[float, float]:
    """Searched over predicted step sizes of networks: the largest ratio over the smallest."""

    def spread(*each: np.ndarray) -> float:
        ratios = [_shortest(steps) for steps in each]
        return max(ratios) / min(ratios)

    return resampled(spread, *curves.tried.values())


def values(curves: Curves) -> dict[str, Any]:
    """Learning times and step sizes by depth."""
    s = curves.settings
    return {
        "time_by_depth": {
            "unit": "steps at the best step size",
            "chain": {start: dict(zip(s.depths, steps, strict=True)) for start, steps in curves.chain.items()},
            "network": {
                start: dict(zip(curves.network_depths[start], np.median(steps, axis=0), strict=True))
                for start, steps in curves.network.items()
            },
        },
        "flow_time_small_start": dict(zip(s.depths, curves.flow, strict=True)),
        # the slide's 1/(s b0^D) for the same times: too large by a factor that grows with depth
        "printed_over_measured": {
            d: 1 / (s.strength * s.layer**d) / t for d, t in zip(s.depths, curves.flow, strict=True)
        },
        "best_rate_by_depth": {
            d: {
                "formula": rate,
                "chain_fastest_at_the_end": curves.searched.get(d),
                "network_half_largest_stable": curves.stable.get(d),
                "network_fastest": curves.fastest.get(d),
            }
            for d, rate in {**curves.rates, **{d: _depth.best(s, d) for d in curves.fastest}}.items()
        },
        "pretraining_by_layer_strength": {
            "chain": dict(zip(s.layers, curves.pretraining, strict=True)),
            "network": dict(zip(s.layers, np.median(curves.pretraining_network, axis=0), strict=True)),
        },
        "closed_form_against_training": curves.agreement,
    }


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "closed form",
        "The closed form of a chain of layers is what a decoupled network of one, two, three or ten layers "
        "does in training (largest area between loss curves).",
        lambda curves: max(curves.agreement.values()),
        0.01,
        source='saxe2014; saxe_lecture "Analytic learning trajectory"',
        reason="1 %, twice the first-order error of the step",
    ),
    Claim(
        "small start",
        "From small equal layers of strength b0 the learning time of a chain grows by a factor 1/b0 with "
        "every layer (distance from 1 of the slope of ln[t·(D−2)] over ln(1/b0)).",
        lambda curves: abs(_growth(curves) - 1),
        0.05,
        source='saxe_lecture "Effect of initialization": O(1/b0^D)',
        reason="5 % of the slope; the algebraic factor D−2 is divided out",
    ),
    Claim(
        "small start, networks",
        "Networks with small random weights are delayed by a further layer at least as much as chains "
        "(factor in learning time of the last layer added).",
        _factor,
        _chain_factor,
        ">=",
        kind="extension",
        source='saxe_lecture "Effect of initialization"',
        reason="the factor of the chain",
    ),
    Claim(
        "pretraining",
        "With greedy layerwise pretraining the learning time of a network is linear in its depth (largest "
        "distance of the steps from a line, relative to their span).",
        _crooked,
        0.05,
        source='saxe_lecture "Effect of initialization"',
        reason="5 % of the span, a conventional tolerance",
    ),
    Claim(
        "pretraining, printed",
        "With greedy pretraining the learning time grows no faster than 1/b0² in the initial strength b0 of a "
        "layer (exponent of the steps against 1/b0, networks).",
        _exponent,
        2.0,
        source='saxe_lecture "Effect of initialization": O(D/b0²)',
        reason="the printed order O(D/b0²) is an upper bound with exponent 2",
    ),
    Claim(
        "pretraining, tight",
        "The printed order 1/b0² of the pretraining time is tight (exponent of the steps against 1/b0, networks).",
        _exponent,
        1.0,
        ">=",
        kind="extension",
        source='saxe_lecture "Effect of initialization": O(D/b0²)',
        reason="half of the printed exponent",
        expected="fails",
    ),
    Claim(
        "pretraining, corrected",
        "The time of greedy pretraining grows like ln(1/b0), as the equation of a chain gives (relative "
        "distance of the slope of the steps against ln(1/b0) from that of the chain, networks).",
        _logarithmic,
        0.1,
        kind="extension",
        source="gradient flow of the autoencoder's chain, after saxe_lecture",
        reason="10 %: networks have a spectrum of initial strengths where a chain has one",
    ),
    Claim(
        "orthogonal",
        "From layers of unit strength the number of steps of a chain does not depend on its depth (steps at "
        "depth 100 over steps at depth 10).",
        lambda curves: float(
            curves.chain["orthogonal"][-1] / curves.chain["orthogonal"][curves.settings.depths.index(10)]
        ),
        1.1,
        source='saxe_lecture "Effect of initialization": O(1)',
        reason="10 %; the printed order is O(1)",
    ),
    Claim(
        "orthogonal, networks",
        "From orthogonal layers the number of steps of a network does not depend on its depth (exponent of "
        "the steps against depth from eight layers on).",
        _flat,
        0.25,
        source='saxe_lecture "Effect of initialization": O(1)',
        reason="a quarter of the exponent 1 of linear growth",
    ),
    Claim(
        "best step",
        "At the end of learning the fastest step of a chain is 1/(d D (s/d)^{2−2/D}) (largest relative "
        "distance of a searched step from it, over depths).",
        lambda curves: _off(curves.searched, curves.rates),
        0.05,
        source="saxe2014 section 2",
        reason="5 %, where neighbouring steps of the search differ by 0.6 %",
    ),
    Claim(
        "best step, networks",
        "The step at which networks with orthogonal layers learn fastest falls with depth like the formula "
        "for chains (largest over smallest ratio of searched and predicted steps).",
        _spread,
        1.25,
        kind="extension",
        source="saxe2014 section 2",
        reason="one spacing of the searched steps, a factor 2^{1/4}, rounded up",
    ),
    Claim(
        "stable step",
        "The largest stable step of a network at its balanced minimum is twice the best step (largest "
        "relative distance over depths).",
        lambda curves: _off(curves.stable, curves.rates),
        0.05,
        source="saxe2014 section 2",
        reason="5 %, where the bisection is exact to 1 %",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Chains over time, times by start, pretraining against b0, and step sizes."""
    _depth_draw.draw_traces(curves, axes[0])
    _depth_draw.draw_times(curves, axes[1], ("small",), "log")
    _depth_draw.draw_times(curves, axes[2], ("pretrained", "orthogonal"), "linear")
    _depth_draw.draw_orthogonal(curves, axes[3])
    _depth_draw.draw_pretraining(curves, axes[4])
    _depth_draw.draw_rates(curves, axes[5])

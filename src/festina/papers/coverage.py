"""Which figure or numbered statement of the documents has a claim here, and why the others have none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from festina.papers.experiment import find, names
from festina.papers.table import flags


@dataclass(frozen=True)
class Item:
    """A figure, table, numbered statement or headed part of a document.

    Attributes:
        document: its key in the references.
        label: as the claims' sources name it.
        about: what it shows.
        reason: why there is no claim of it; empty if there must be one.
    """

    document: str
    label: str
    about: str
    reason: str = ""


NOTATION = "It defines notation and states no result."
SETTINGS = "It lists settings, which the experiments use."
PICTURE = "The slide shows its title and a photograph, and states no result."
IMAGES = "No labelled set of natural images is among the dependencies; early_layers uses MNIST."


def _items(document: str, rows: Sequence[tuple[str, ...]]) -> tuple[Item, ...]:
    return tuple(Item(document, *row) for row in rows)


ITEMS = (
    *_items(
        "jarvis2025",
        (
            ("Assumption 2.1", "What gated deep linear networks assume."),
            ("App. A.1", "Deep linear networks: alignment, small steps, narrow layers."),
            ("Definition 3.1", "A rectified linear network: the gated network that equals a ReLU network."),
            ("Lemma 4.1", "Which gates a ReLU network can have on the context task."),
            ("Proposition 4.2", "The gated network that imitates the ReLU network is unique and is the fastest."),
            ("Algorithm 1", "Clustering of gates over training."),
            ("Table 1", "Hyper-parameters, among them modules of 100 units."),
            ("abstract", "Reuse of units is amplified by contexts and by hidden layers."),
            ("Fig. 1", "Formalism of gated networks.", NOTATION),
            ("Fig. 2", "The transition to nonlinear separability."),
            ("Fig. 3", "The context task and the gated architecture.", "It draws the task; context uses it."),
            ("Fig. 4", "A gated network imitates a ReLU network on three contexts."),
            ("Fig. 5", "More contexts."),
            ("Fig. 6", "Two hidden layers."),
            ("Fig. 7", "A hierarchical data set and linear dynamics."),
            ("Fig. 8", "Clusters of gates."),
            ("Fig. 9", "The number of clusters."),
        ),
    ),
    *_items(
        "vanrossem2024",
        (
            ("Table 1", "Settings of the two-point experiments.", SETTINGS),
            ("Table 2", "Settings of the toy data sets.", SETTINGS),
            ("Fig. 1", "Overview of the effective theory.", NOTATION),
            ("Fig. 2", "Eleven architectures follow the same dynamics."),
            ("Fig. 3", "Initial weights from low to very high."),
            ("Fig. 4", "Two digits of MNIST tracked during learning."),
            ("Fig. 5", "Final distances over a grid."),
            ("Fig. 6", "Structure of XOR."),
            ("Fig. 7", "The data set of blobs.", "It draws the data set; blobs uses it."),
            ("Fig. 8", "Collapse of the irrelevant feature."),
            ("Fig. 9", "Structure of MNIST."),
            ("Fig. 10", "Every layer of a deep network."),
            ("Fig. 11", "Loss of eleven architectures."),
            ("Fig. 12", "Blobs from very low weights."),
            ("Fig. 13", "Two points with Adam."),
            ("Fig. 14", "XOR with Adam."),
            ("Fig. 15", "Blobs with Adam."),
            ("Fig. 16", "MNIST with Adam."),
            ("App. A.3", "Fixed points and their stability."),
            ("App. A.4", "Closed form for equal targets."),
            ("App. A.5", "Dynamics from large weights."),
            ("App. A.6", "Randomness of the representation vanishes at small weights."),
        ),
    ),
    *_items(
        "saxe_lecture",
        (
            ("Analytic learning trajectory", "Closed form of a chain."),
            ("Training speed", "Learning time against depth."),
            ("Effect of initialization", "Learning time against the first weights."),
            ("Learning diverse structures", "Trees, rings, grids, partitions and orders."),
            ("Progressive differentiation", "Broad distinctions are learned first."),
            ("Depth introduces a hierarchy of saddle points", "Saddle points of deep networks."),
            ("A Deep RL Neural Network", "The tutor–executor model."),
            ("Dynamics pass near a hierarchy of saddle points", "Individual trajectories."),
            ("Saddle points arise through depth", "Deep against shallow agents."),
            ("From exponential to sigmoidal dynamics", "Balance of layers and the shape of curves."),
            ("Rich and lazy learning", "Features that change or stay."),
            ("Architecture and learning regime", "Funnels of either direction."),
            ("Delayed rich regime", "Lazy first, rich later."),
            ("Exact continual learning dynamics", "Forgetting computed exactly."),
            ("Impact of relative scale initializations in practice", "Nonlinear networks."),
            ("Convolutional networks on natural images", "Filters of early layers.", IMAGES),
            ("Reduction and (occasionally) exact solutions", "Routing networks in closed form."),
            ("Assumptions & caveats", "When the reduction is exact for ReLU networks."),
            ("The neural race reduction", "Four things that make a pathway faster."),
            ("The neural race: stronger input-output correlations", "The faster pathway wins."),
            ("The neural race: edge sharing", "Shared edges learn faster."),
            ("Example: transition to nonlinearity", "Extended XOR."),
            ("Context-dependent Processing", "Contexts."),
            ("Systematic generalization", "Routes that were never trained."),
            ("Race dynamics favor shared structure", "Shared pathways win."),
            ("Initialization dependence", "Routing from large weights."),
            ("Factorization & principle of convergence", "A title over a photograph.", PICTURE),
        ),
    ),
)
"""Everything that is numbered in the papers, and every part of the lecture that states a result."""

SAME = {
    ("saxe_lecture", "Learning diverse structures"): ("structures",),
    ("saxe_lecture", "Progressive differentiation"): ("semantic",),
    ("saxe_lecture", "Rich and lazy learning"): ("regimes",),
    ("saxe_lecture", "Architecture and learning regime"): ("regimes",),
    ("saxe_lecture", "Exact continual learning dynamics"): ("reversal", "continual"),
    ("saxe_lecture", "Reduction and (occasionally) exact solutions"): ("routing",),
    ("saxe_lecture", "The neural race: stronger input-output correlations"): ("transition", "routing"),
    ("saxe_lecture", "The neural race: edge sharing"): ("routing",),
    ("saxe_lecture", "Example: transition to nonlinearity"): ("transition",),
    ("saxe_lecture", "Context-dependent Processing"): ("context", "contexts"),
    ("jarvis2025", "Algorithm 1"): ("gates",),
    ("vanrossem2024", "Fig. 10"): ("layers",),
}
"""Parts whose claims name the original paper or the section as their source: the experiments that hold them."""


TAKES: dict[str, tuple[dict[str, Any], str]] = {
    "deep": ({"seeds": 100}, "22 minutes of processor time. The table of claims has this run."),
    "two_points": ({"width": 500, "epochs": 6000}, "21 minutes of processor time. The table of claims has this run."),
    "unfitted": ({"width": 500}, "12 minutes of processor time."),
    "layers": ({"lasting": 1}, "2 minutes on a graphics card."),
    "initial_weights": ({"lasting": 1}, "6 minutes on a graphics card."),
    "final_distance": ({"lasting": 1}, "15 minutes on a graphics card."),
    "xor_structure": (
        {"width": 500},
        "7 minutes of processor time. Gain and steps are those of the released code, whose loss is twice ours; the "
        "longer training of small weights, and the fewer but larger steps of one layer, are ours.",
    ),
    "mnist": (
        {"data": "mnist.npz", "items": 60_000, "epochs": 10, "seeds": 50, "scaled": 50},
        "15 minutes of processor time, and the file (x: images, y: labels): no dependency has all 60,000 digits. Ten "
        "passes through them are as many steps as 120 through 5000. The table of claims has this run.",
    ),
    "adam": ({"width": 500, "grid": 30}, "An hour and a half of processor time."),
}
"""Experiments whose settings are not the paper's: what to give ``festina run`` for these, and what that takes."""


def covered(item: Item) -> dict[str, list[str]]:
    """Names of the claims of an item, by experiment."""
    found: dict[str, list[str]] = {}
    label = re.escape(item.label) + r"(?![0-9])"
    for name in names():
        for claim in find(name).claims:
            for part in claim.source.split(";"):
                if item.document in part and re.search(label, part):
                    found.setdefault(name, []).append(claim.name)
                    break
    for name in SAME.get((item.document, item.label), ()):
        found.setdefault(name, [claim.name for claim in find(name).claims])
    return found


def render_coverage() -> str:
    """The page that lists every item with its claims, or with the reason why there are none."""
    lines = [
        "# Figures and statements of the documents, and where they are checked\n",
        "Every figure, table and numbered statement of the two papers and every part of the lecture that states a "
        "result, with the experiments that check it and the number of their [claims](claims.md). `make claims` "
        "writes this page.",
    ]
    for document in dict.fromkeys(item.document for item in ITEMS):
        lines += [f"\n## {document}\n", "| part | what it shows | where it is checked |", "|---|---|---|"]
        for item in (each for each in ITEMS if each.document == document):
            where = ", ".join(f"`{name}` ({len(claims)})" for name, claims in covered(item).items())
            lines.append(f"| {item.label} | {item.about} | {where or item.reason} |")
    lines += [
        "\n## Reduced settings\n",
        "Each experiment with other settings than the paper's can be run at the paper's by one command. Times are "
        "estimates for a quiet machine.\n",
        "| command | what it takes |",
        "|---|---|",
    ]
    for name, (given, words) in TAKES.items():
        lines.append(f"| `festina run {name}{flags(given)}` | {words} |")
    return "\n".join(lines) + "\n"

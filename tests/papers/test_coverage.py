"""No figure or numbered statement of the documents is forgotten: each has a claim, or a reason why it has none."""

import re
from pathlib import Path

import pytest

from festina.papers.coverage import ITEMS, covered, render_coverage

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.document} {item.label}")
def test_every_item_has_a_claim_or_a_reason(item):
    assert bool(covered(item)) != bool(item.reason)


@pytest.mark.parametrize(("document", "figures"), [("jarvis2025", 9), ("vanrossem2024", 16)])
def test_all_figures_are_listed(document, figures):
    numbers = [int(found[1]) for i in ITEMS if i.document == document and (found := re.match(r"Fig\. (\d+)$", i.label))]
    assert numbers == list(range(1, figures + 1))


def test_figure_1_is_not_figure_12():
    (first,) = (i for i in ITEMS if (i.document, i.label) == ("vanrossem2024", "Fig. 1"))
    assert covered(first) == {}


def test_the_page_is_the_written_one():
    assert PAGE.read_text(encoding="utf-8") == render_coverage()

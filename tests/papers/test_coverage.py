"""No figure or numbered statement of the documents is forgotten: each has a claim, or a reason why it has none."""

import re
from pathlib import Path

import pytest

from festina.papers import find, names
from festina.papers.coverage import ITEMS, TAKES, covered, render_coverage
from festina.papers.settings import reduced

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


def test_every_reduced_experiment_can_be_run_at_the_papers_settings():
    assert set(TAKES) == {name for name in names() if reduced(find(name).settings())}
    for name, (given, words) in TAKES.items():
        settings = find(name).settings()
        left = reduced(find(name).settings(**given)) or {}
        assert len(left) < len(reduced(settings) or {}), name
        assert not left or "ours" in words, f"{name} keeps {left} without a reason"


def test_the_page_is_the_written_one():
    assert PAGE.read_text(encoding="utf-8") == render_coverage()

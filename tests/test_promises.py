"""SECURITY.md and docs/reliability.md name the tests that show what they promise; each of them is there."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGES = [TESTS.parent / "SECURITY.md", TESTS.parent / "docs" / "reliability.md"]
NAMED = re.compile(r"`(?:tests/)?((?:[\w/]+/)?test_\w+)(\.py)?(?:::(\w+))?`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_that_is_named_is_there(page):
    file, found = None, 0
    for name, is_file, inside in NAMED.findall(page.read_text(encoding="utf-8")):
        if is_file:
            file = TESTS / f"{name}.py"
            assert file.is_file(), name
        # a name alone is of the file that was named last
        test = inside if is_file else name
        assert file is not None, name
        assert not test or re.search(rf"^def {test}\(", file.read_text(encoding="utf-8"), re.MULTILINE), test
        found += 1
    assert found > 5


def test_every_promise_about_files_names_a_test():
    """Rows of tables with a column "shown by"."""
    text = PAGES[1].read_text(encoding="utf-8")
    tables = re.findall(r"^\|[^\n]*shown by \|\n\|[-|]+\n((?:\|[^\n]*\n)+)", text, re.MULTILINE)
    rows = [row for table in tables for row in table.splitlines()]
    assert all("test_" in row for row in rows)
    assert len(rows) > 10

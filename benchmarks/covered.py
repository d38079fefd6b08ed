"""Which share of the source the tests run, by package: the table of docs/develop.md.

``make coverage`` runs the tests under coverage.py; ``python benchmarks/covered.py`` then prints the table, and with
``--docs`` puts it into docs/develop.md. A line counts once it was run in any process that the tests start. Lines of
programs that JAX compiles count when they are traced.
"""

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import coverage

ROOT = Path(__file__).parent.parent
BEGIN, END = "<!-- coverage -->", "<!-- end of coverage -->"
SECTION = """{begin}
## What the tests run

`make coverage` runs the tests under coverage.py, the processes that they start included, and writes this table.

{table}
{end}
"""
"""Of docs/develop.md; it is put at the end of the page where the page has none."""


def counts(report):
    """Lines and lines that were run, by package; files at the top are the core, beside what the command line needs."""
    found = defaultdict(lambda: [0, 0])
    for name, file in report["files"].items():
        inside = Path(name).parts[Path(name).parts.index("festina") + 1 :]
        package = f"`{inside[0]}/`" if len(inside) > 1 else "files at the top: core and command line"
        for key in (package, "all"):
            found[key][0] += file["summary"]["num_statements"]
            found[key][1] += file["summary"]["covered_lines"]
    return found


def table(found):
    """In Markdown, all last."""
    rows = sorted(found, key=lambda key: (key == "all", key))
    lines = [f"| {key} | {found[key][0]} | {found[key][1] / max(found[key][0], 1):.0%} |" for key in rows]
    return "\n".join(["| package | statements | run by the tests |", "|---|---|---|", *lines])


def main():
    measured = coverage.Coverage(config_file=str(ROOT / "pyproject.toml"))
    measured.load()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(path))
        shown = table(counts(json.loads(path.read_text(encoding="utf-8"))))
    print(shown)
    if "--docs" in sys.argv:
        page = ROOT / "docs" / "develop.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        section = SECTION.format(begin=BEGIN, table=shown, end=END)
        page.write_text(f"{before.rstrip()}\n\n{section}{rest.partition(END)[2].lstrip()}", encoding="utf-8")


if __name__ == "__main__":
    main()

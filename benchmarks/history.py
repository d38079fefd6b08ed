"""Ratios of earlier versions: ``python benchmarks/history.py`` prints what became slower since the last one.

``make bench`` keeps what it measured in benchmarks/history.jsonl, one line per version: the ratio to each rival in the
same run, with its spread. Ratios, not seconds, are compared, since rivals slow down with the machine as we do. A ratio
counts as worse where its spread lies below that of the version before.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

ROWS: dict[str, dict[str, list[float]]] = defaultdict(dict)
"""Seconds of every turn of this run, by group and by who was measured."""

FILE = Path(__file__).parent / "history.jsonl"

Spread = tuple[float, float, float]
"""Smallest, middle and largest."""


def append(ratios: Mapping[str, Spread], file: Path = FILE) -> None:
    """Keep these ratios as those of the installed version; an older line of the same version is replaced."""
    line = {"version": version("festina"), "cores": len(os.sched_getaffinity(0)), "ratios": dict(ratios)}
    kept = [row for row in read(file) if (row["version"], row["cores"]) != (line["version"], line["cores"])]
    file.write_text("".join(json.dumps(row) + "\n" for row in [*kept, line]), encoding="utf-8")


def read(file: Path = FILE) -> list[dict]:
    """All lines, oldest first."""
    return [json.loads(row) for row in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def worse(before: Mapping[str, Spread], now: Mapping[str, Spread]) -> list[str]:
    """A sentence for each ratio whose spread lies below the earlier one."""
    return [
        f"{name}: {now[name][1]:.2f} ({now[name][0]:.2f} to {now[name][2]:.2f}) after {before[name][1]:.2f} "
        f"({before[name][0]:.2f} to {before[name][2]:.2f})"
        for name in now
        if name in before and now[name][2] < before[name][0]
    ]


def main() -> int:
    """Print all versions of each ratio, and what became worse."""
    rows = read()
    for row in rows:
        print(f"{row['version']} on {row['cores']} cores: {len(row['ratios'])} ratios")
    same = [row for row in rows if row["cores"] == rows[-1]["cores"]] if rows else []
    if len(same) < 2:
        print("one version on these cores: nothing to compare")
        return 0
    found = worse(same[-2]["ratios"], same[-1]["ratios"])
    print(f"{same[-1]['version']} after {same[-2]['version']}: " + ("\n".join(found) if found else "nothing is slower"))
    return len(found) > 0


if __name__ == "__main__":
    sys.exit(main())

"""``python -m festina.papers [NAME …]``: run experiments at full settings and write the table of claims.

``docs/claims.json`` holds what was measured; ``docs/claims.md``, ``docs/figures`` and the counts in ``README.md`` show
it. Experiments that are not named keep their records in the file. ``--none`` runs none and writes the pages again.
``--jobs 2`` runs two at a time, starting with those that took longest before.

``--published`` runs the named experiments at the settings of their papers. A record made so is kept until the
experiment is named again.
"""

import argparse
import json
from pathlib import Path

from festina.papers.coverage import TAKES, render_coverage
from festina.papers.experiment import find, names
from festina.papers.measure import at_published, measure_all
from festina.papers.table import counts, render, stored, write_counts
from festina.storage.store import save


def main() -> None:
    """Run, then write."""
    parser = argparse.ArgumentParser(prog="python -m festina.papers", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"experiments to run (default all): {', '.join(names())}"
    )
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="folder to write to (default docs)")
    parser.add_argument("--none", action="store_true", help="run nothing, write the page from what is stored")
    parser.add_argument(
        "--published", action="store_true", help="at the papers' settings, which docs/coverage.md lists; mnist needs "
        "all digits as mnist.npz in the current folder"
    )  # fmt: skip
    parser.add_argument("--jobs", type=int, default=1, help="experiments to run at a time (default 1)")
    chosen = parser.parse_args()
    if chosen.jobs < 1:
        parser.error(f"--jobs is {chosen.jobs}; at least 1 is needed.")
    store = chosen.docs / "claims.json"
    known = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
    took = {name: float(found["seconds"]) for name, found in known.items()}
    if chosen.published and not chosen.names:
        parser.error("--published needs the names of experiments.")
    every = [name for name in names() if name not in known or not at_published(name, known[name])]
    wanted = [] if chosen.none else [find(name).name for name in chosen.names or every]
    if chosen.published and (usual := [name for name in wanted if name not in TAKES]):
        parser.error(
            f"--published: {', '.join(usual)} can be run at the usual settings only. Experiments with the settings of "
            f"their papers are {', '.join(TAKES)}."
        )
    for name, found in measure_all(wanted, chosen.docs, chosen.jobs, took, chosen.published):
        # read again after each run: another process may have written its own meanwhile
        facts = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
        facts[name] = found
        facts = {name: facts[name] for name in names() if name in facts}
        save("docs", store, json.dumps(facts, indent=1, ensure_ascii=False) + "\n")
    facts = json.loads(store.read_text(encoding="utf-8"))
    save("docs", chosen.docs / "claims.md", render(facts))
    save("docs", chosen.docs / "coverage.md", render_coverage())
    readme = chosen.docs.parent / "README.md"
    if readme.exists():
        write_counts(readme, counts(each for name in facts for each in stored(name, facts[name])))


if __name__ == "__main__":
    main()

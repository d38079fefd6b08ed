"""``python -m festina.papers [NAME …]``: run experiments at full settings and write the table of claims.

``docs/claims.json`` holds what was measured; ``docs/claims.md``, ``docs/figures`` and the counts in ``README.md`` show
it. Experiments that are not named keep what the file has of them; ``--none`` runs none and writes the pages again.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from festina.papers._coverage import render_coverage
from festina.papers._experiment import find, names
from festina.papers._table import counts, render, stored, write_counts


def machine() -> str:
    """What an experiment ran on, in words: a graphics card where JAX has one, else the processor's cores."""
    import jax

    kind = jax.devices()[0]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    counted = "two cores" if cores == 2 else f"{cores} cores"
    return counted if kind.platform == "cpu" else f"one {kind.device_kind} beside {counted}"


def main() -> None:
    """Run, then write."""
    parser = argparse.ArgumentParser(prog="python -m festina.papers", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"experiments to run (default all): {', '.join(names())}"
    )
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="folder to write to (default docs)")
    parser.add_argument("--none", action="store_true", help="run nothing, write the page from what is stored")
    chosen = parser.parse_args()
    store = chosen.docs / "claims.json"
    for name in [] if chosen.none else chosen.names or names():
        sys.stderr.write(f"{name} …\n")
        outcome = find(name).run(progress=sys.stderr.isatty())
        for path in outcome.save(chosen.docs / "figures"):
            if path.suffix != ".png":  # figures alone are kept
                path.unlink()
        # read again after each run: another process may have written its own meanwhile
        facts = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
        facts[name] = outcome.to_json() | {"seconds": round(outcome.seconds, 1), "machine": machine()}
        del facts[name]["values"]
        facts = {name: facts[name] for name in names() if name in facts}
        store.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        sys.stderr.write(f"{name}: {outcome.seconds:.1f} s, {outcome.unexpected} unexpected verdicts\n")
    facts = json.loads(store.read_text(encoding="utf-8"))
    (chosen.docs / "claims.md").write_text(render(facts), encoding="utf-8")
    readme = chosen.docs.parent / "README.md"
    if readme.exists():
        write_counts(readme, counts(each for name in facts for each in stored(name, facts[name])))
    (chosen.docs / "coverage.md").write_text(render_coverage(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""An attack on festina: drawn cases over all scales, ranks and starts, against references without its formulas.

    python benchmarks/attack --minutes 5
    python benchmarks/attack --family linear --seed 123456789 --cases 1

Seeds differ from run to run and are printed. A failing case is made smaller as long as it fails alike, and printed so
that it can become a test. A refusal (``AssumptionError``, or a ``ValueError`` that says why) is not a failure; what is
promised is in docs/reliability.md.
"""

import argparse
import secrets
import time
import warnings
from collections.abc import Callable

import numpy as np
from draw import Case, shrink
from dynamics import HELD, REFUSED, check_gated, check_linear, draw_gated, draw_linear
from gradients import UnknownError
from outside import check_arguments, check_files, check_kills, draw_arguments, draw_files, draw_kills, tests
from reductions import (
    check_attention,
    check_points,
    check_recurrent,
    check_units,
    draw_attention,
    draw_points,
    draw_recurrent,
    draw_units,
)
from training import check_training, draw_training

Draw = Callable[[np.random.Generator], Case]
Check = Callable[[Case], str]

FAMILIES: dict[str, tuple[Draw, Check]] = {
    "files": (draw_files, check_files), "arguments": (draw_arguments, check_arguments),
    "two points": (draw_points, check_points), "attention": (draw_attention, check_attention),
    "recurrent": (draw_recurrent, check_recurrent), "training": (draw_training, check_training),
    "gated": (draw_gated, check_gated), "linear": (draw_linear, check_linear), "units": (draw_units, check_units),
    "kills": (draw_kills, check_kills),
}  # fmt: skip
"""From the cheapest to the dearest: time that one leaves is given to the next."""

FAILED, UNKNOWN = "failed", "without reference"

LONGEST = 2.0
"""Seconds of processor time for one case: some flows are so stiff that neither festina nor the reference gets far in
them; they count as cases without reference."""

SMALLER = 20.0
"""Seconds of processor time for making a failing case smaller."""


def attempt(check: Check, case: Case) -> tuple[str, str]:
    """How a case ends, and what is wrong."""
    contract = tests("contract")
    try:
        with (
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
            contract.limited(LONGEST if check is not check_kills else 600),
        ):
            warnings.simplefilter("ignore")
            return check(case), ""
    except (UnknownError, contract.SlowError):
        return UNKNOWN, ""
    except Exception as error:  # whatever surfaces is a finding
        return FAILED, f"{type(error).__name__}: {error}".splitlines()[0][:300]


def minimise(check: Check, case: Case, words: str) -> Case:
    """The smallest case found that still fails with an error of the same kind."""
    kind, end = words.partition(":")[0], time.process_time() + SMALLER
    smaller = True
    while smaller:
        smaller = False
        for candidate in shrink(case):
            if time.process_time() > end:
                return case
            ended, other = attempt(check, candidate)
            if ended == FAILED and other.partition(":")[0] == kind:
                case, smaller = candidate, True
                break
    return case


def main() -> None:
    """Attack family after family; the exit code is the number of failures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="of processor time, for all families together")
    parser.add_argument("--cases", type=int, default=10_000, help="at most, per family")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=None, help="of the first case; drawn anew by default")
    given = parser.parse_args()
    first = secrets.randbits(48) if given.seed is None else given.seed
    families = given.family or list(FAMILIES)
    end, failures = time.process_time() + 60 * given.minutes, 0
    print(f"first seed {first}\n\n| family | cases | held | refused | without reference | failed | seconds |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for place, name in enumerate(families):
        draw, check = FAMILIES[name]
        counts, begun, wall = {HELD: 0, REFUSED: 0, UNKNOWN: 0, FAILED: 0}, time.process_time(), time.monotonic()
        # kills wait for other processes: what counts for them is time by the clock
        limit = begun + (end - begun) / (len(families) - place)
        found = []
        for seed in range(first, first + given.cases):
            if max(time.process_time(), begun + (time.monotonic() - wall if name == "kills" else 0)) > limit:
                break
            case = draw(np.random.default_rng(seed))
            ended, words = attempt(check, case)
            counts[ended] += 1
            if ended == FAILED:
                small = minimise(check, case, words) if len(found) < 3 else case
                found.append(f"FAILED --family '{name}' --seed {seed} --cases 1: {words}\n  smallest: {small!r}")
        spent = time.process_time() - begun
        print(f"| {name} | {sum(counts.values())} | " + " | ".join(map(str, counts.values())) + f" | {spent:.0f} |")
        print("\n".join(found[:20]), end="\n" if found else "", flush=True)
        failures += counts[FAILED]
    raise SystemExit(min(failures, 100))


if __name__ == "__main__":
    main()

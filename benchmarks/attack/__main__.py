"""An attack on festina: drawn cases over all scales, ranks and starts, against references without its formulas.

    python benchmarks/attack --minutes 5
    python benchmarks/attack --family linear --seed 123456789 --cases 1

Seeds differ from run to run and are printed. A failing case is made smaller as long as it fails alike, and printed so
that it can become a test. A refusal (``AssumptionError``, or a ``ValueError`` that says why) is not a failure; what is
promised is in docs/reliability.md.
"""

import argparse
import secrets
import signal
import time
import warnings
from collections.abc import Callable

import numpy as np
from choices import check_choices, draw_choices
from draw import Case, shrink
from dynamics import HELD, REFUSED, check_gated, check_linear, draw_gated, draw_linear
from edges import check_biases, check_gates, check_tiny, draw_biases, draw_gates, draw_tiny
from edited import check_edited, draw_edited
from foreign import check_foreign, check_tied, draw_foreign, draw_tied
from gradients import UnknownError
from outside import (
    check_arguments,
    check_files,
    check_full,
    check_kills,
    check_links,
    draw_arguments,
    draw_files,
    draw_full,
    draw_kills,
    draw_links,
    draw_recordings,
    tests,
)
from passage import check_passage, draw_passage
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
    "files": (draw_files, check_files), "recordings": (draw_recordings, check_files),
    "links": (draw_links, check_links), "full disks": (draw_full, check_full),
    "arguments": (draw_arguments, check_arguments),
    "two points": (draw_points, check_points), "attention": (draw_attention, check_attention),
    "recurrent": (draw_recurrent, check_recurrent), "training": (draw_training, check_training),
    "gated": (draw_gated, check_gated), "linear": (draw_linear, check_linear), "units": (draw_units, check_units),
    "edited code": (draw_edited, check_edited), "fixed gates": (draw_gates, check_gates),
    "biases": (draw_biases, check_biases), "tiny features": (draw_tiny, check_tiny),
    "foreign theories": (draw_foreign, check_foreign), "modules": (draw_tied, check_tied),
    "time to loss": (draw_passage, check_passage), "choices": (draw_choices, check_choices),
    "kills": (draw_kills, check_kills),
}  # fmt: skip
FAILED, UNKNOWN = "failed", "without reference"

LONGEST = 2.0
"""Seconds of processor time for one case: some flows are so stiff that neither festina nor the reference gets far in
them; they count as cases without reference."""

MINIMISED = 3
"""Failing cases of a family that are made smaller; more are mostly the same fault."""

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
    """Attack family by family in turns; the exit code is the number of failures. Interrupted, it says what it has."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="of processor time, for all families together")
    parser.add_argument("--cases", type=int, default=10_000, help="at most, per family")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="may be repeated; default: all but kills")
    parser.add_argument("--seed", type=int, default=None, help="of the first case; drawn anew by default")
    given = parser.parse_args()
    first = secrets.randbits(48) if given.seed is None else given.seed
    families = given.family or [name for name in FAMILIES if name != "kills"]
    counts: dict[str, dict[str, int]] = {name: dict.fromkeys((HELD, REFUSED, UNKNOWN, FAILED), 0) for name in families}
    spent, end = dict.fromkeys(families, 0.0), time.process_time() + 60 * given.minutes
    print(f"first seed {first}", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for seed in range(first, first + given.cases):
            for name in families:
                begun = time.process_time()
                if begun > end:
                    raise KeyboardInterrupt
                run_case(name, seed, counts[name])
                spent[name] += time.process_time() - begun
    except KeyboardInterrupt:
        pass
    print("\n| family | cases | held | refused | without reference | failed | seconds |\n|---|---|---|---|---|---|---|")
    for name, found in counts.items():
        print(f"| {name} | {sum(found.values())} | {' | '.join(map(str, found.values()))} | {spent[name]:.0f} |")
    raise SystemExit(min(sum(found[FAILED] for found in counts.values()), 100))


def run_case(name: str, seed: int, counts: dict[str, int]) -> None:
    """Draw and check one case; a failing one is made smaller and printed."""
    draw, check = FAMILIES[name]
    case = draw(np.random.default_rng(seed))
    ended, words = attempt(check, case)
    counts[ended] += 1
    if ended == FAILED:
        small = minimise(check, case, words) if counts[FAILED] <= MINIMISED else case
        print(f"FAILED --family '{name}' --seed {seed} --cases 1: {words}\n  smallest: {small!r}", flush=True)


if __name__ == "__main__":
    main()

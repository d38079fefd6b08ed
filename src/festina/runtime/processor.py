"""Processors and memory that this process may use."""

import os


def usable_cores() -> list[int]:
    """Numbers of the processor cores that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def cores() -> int:
    """How many processor cores this process may use."""
    return len(usable_cores())

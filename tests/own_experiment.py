"""An experiment as a user would write it into a file."""

FILE = '''"""Is a file an experiment?

Source: saxe2014 eq. (9).
"""
from dataclasses import dataclass
from festina.papers import Claim, setting


@dataclass(frozen=True)
class Settings:
    seeds: int = setting(2, "networks", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    scales: tuple[float, ...] = setting((0.1,), "scales", above=0, most=1)
    kind: str = setting("a", "which", choices=("a", "b"))


quick = Settings(seeds=1)
layout = (1, 1)
caption = "It is. (a) A line."
compute = vars
values = dict


def draw(curves, axes):
    axes[0].plot([0, 1])


claims = (Claim("few", "There are few networks.", lambda c: c["seeds"], 5, source="saxe2014"),)
'''

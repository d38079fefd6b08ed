"""An experiment as a user would write it into a file."""

FILE = '''"""Is a file an experiment?

Source: saxe2014 eq. (9).
"""
from dataclasses import dataclass
from festina.papers import Results, claim, panel, setting


@dataclass(frozen=True)
class Settings:
    seeds: int = setting(2, "networks", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    scales: tuple[float, ...] = setting((0.1,), "scales", above=0, most=1)
    kind: str = setting("a", "which", choices=("a", "b"))


quick = Settings(seeds=1)
caption = "It is. (a) A line."


def compute(settings):
    return Results(settings, count=settings.seeds)


@panel("A line", "x", "y")
def line(c, ax):
    ax.plot([0, 1])


@claim("saxe2014", at_most=5, because="")
def few(c):
    """There are few networks."""
    return c.count
'''

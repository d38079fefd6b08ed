"""What depth does to a mode.

One mode from the same start, in networks of one to infinitely many layers, by closed forms. Depth makes the wait
longer and the rise steeper; without depth there is no wait. Time is counted in depth × flow time, so that all fit one
axis.
"""

import math

import numpy as np

import festina as fs
from festina import plot

times = np.linspace(0, 40, 401)
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=5, height=3.2)
    for depth, colour in zip((1, 2, 3, 5, math.inf), plot.COLOURS, strict=False):
        scale = 1 if depth == math.inf else depth
        strength = fs.linear.strength(times / scale, s=1.0, d=1.0, start=0.05, depth=depth)
        ax.plot(times, strength, color=colour, label=f"depth {depth}".replace("inf", "∞"))
    ax.set(xlabel="depth × flow time", ylabel="strength", title="one mode, $s = d = 1$")
    ax.legend()
    figure.savefig("depth.png")

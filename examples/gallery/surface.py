"""The error surface of two weights.

The smallest deep network, ŷ = b·a·x, has a saddle at zero and two valleys of minima. Paths that start near the saddle
wait there; a start on the other side of it ends in the other valley.
"""

import numpy as np

import festina as fs
from festina import plot

task = fs.Task([[1.0], [-1.0]], [[1.0], [-1.0]])
paths = [
    fs.evolve(
        fs.DeepLinear((1,), initial=fs.initial.Weights([[[a]], [[b]]])), task, np.linspace(0, 9, 200),
        method=fs.Flow(), observe=("weights",),
    )
    for a, b in ((0.02, 0.01), (-0.6, 0.5), (1.7, -0.4), (-1.5, -0.2))
]  # fmt: skip
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=4, height=4)
    plot.error_surface(fs.linear.surface(1.0), ax, paths=paths)
    ax.legend(loc="upper right", frameon=True)
    figure.savefig("surface.png")

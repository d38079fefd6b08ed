"""Coarse distinctions first.

Hidden representations of eight items, from small random weights, all times on one map. They separate together: first
into plants and animals, then at every branch of the tree of their properties.
"""

import numpy as np

import festina as fs
from festina import plot

task = fs.tasks.living_things(8)
network = fs.DeepLinear((32,), initial=fs.initial.Gaussian(1e-3))
path = fs.evolve(network, task, np.linspace(0, 60, 41), method=fs.Flow(rtol=1e-8), observe=("hidden", "strengths"))
with plot.style():
    figure, (left, right) = plot.panels(1, 2, width=4.2, height=3.4)
    plot.strengths(path, left, label="modes")
    plot.representations(path.embed(), right, names=task.items)
    figure.savefig("differentiation.png")

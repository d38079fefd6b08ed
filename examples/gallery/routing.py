"""A shared layer wins the race.

Three domains, two of them trained as outputs of each, through one shared layer. More paths run through it than through
any encoder or decoder, so it learns faster: the network abstracts from domains.
"""

import numpy as np

import festina as fs
from festina import plot

network = fs.gated.routing(3, 2, 8, initial=fs.gated.Decoupled(0.1))
task, times = fs.tasks.routing(3, 2), np.linspace(0, 12, 200)
path = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "weights"))
with plot.style():
    figure, (left, right) = plot.panels(1, 2, width=4.6, height=3)
    plot.schematic(network, ax=left)
    for (source, target), weights in zip(network.graph.edges, path.weights, strict=True):
        shared = (source, target) == ("encoded", "decoded")
        colour = plot.COLOURS[1] if shared else "0.6"
        right.plot(times, np.linalg.norm(weights, 2, axis=(1, 2)), color=colour, linewidth=2.5 if shared else 1)
    right.set(xlabel="flow time", ylabel="largest singular value of an edge", title="shared edge in colour")
    figure.savefig("routing.png")

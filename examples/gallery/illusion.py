"""A belief that comes and goes.

On the way to knowing each animal the network believes for a while that the canary can swim: what animals share is
learned before what distinguishes them. The shallow network never does.
"""

import numpy as np

import festina as fs
from festina import plot

task, times = fs.tasks.living_things(4), np.linspace(0, 40, 401)
item, name = task.items.index("canary"), task.outputs.index("swim")
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=5, height=3.2)
    for hidden, label, colour in (((16,), "two layers", plot.COLOURS[1]), ((), "one layer", plot.COLOURS[0])):
        network = fs.DeepLinear(hidden, initial=fs.initial.Aligned(1e-3))
        path = fs.evolve(network, task, times, observe=("outputs",))
        ax.plot(times, path.outputs[:, item, name], color=colour, label=label)
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.set(xlabel="flow time", ylabel="“a canary can swim”")
    ax.legend()
    figure.savefig("illusion.png")

"""One task after another.

Three tasks in a row, solved exactly. How much of the first is forgotten depends on the tasks alone, not on how rich
the start was: the dashed lines are computed without any dynamics.
"""

import numpy as np

import festina as fs
from festina import plot

tasks = [fs.tasks.teacher(5, 5, strengths=(2.0, 1.0), seed=seed) for seed in range(3)]
network = fs.DeepLinear((5,), initial=fs.initial.Balanced(1e-3, lambda_=0.1))
course = fs.evolve(network, fs.sequence(tasks), np.linspace(0, 15, 151))
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=5.5, height=3.2)
    for i, colour in enumerate(plot.COLOURS[:3]):
        ax.plot(course.times, course["losses"][:, i], color=colour, label=f"loss on task {i + 1}")
    for level in np.cumsum(fs.sequence(tasks).predict_forgetting()[:, 0]):
        ax.axhline(level, color=plot.COLOURS[0], linestyle="--", linewidth=0.8)
    ax.set(xlabel="flow time, one task after another", ylabel="loss", ylim=(-0.2, 8.6))
    ax.legend(loc="upper left", ncols=3)
    figure.savefig("forgetting.png")

"""Two gatings race, and ReLU networks follow the winner.

Four points: XOR in two inputs, and separable with margin Δ in a third. The larger the margin, the faster linear gating
learns.
"""

import numpy as np

import festina as fs
from festina import plot

start = fs.initial.Gaussian(1e-3)
COLOUR = {"linear": plot.COLOURS[0], "XOR": plot.COLOURS[1]}
with plot.style():
    figure, axes = plot.panels(1, 2, width=4, height=3)
    for ax, delta in zip(axes, (0.5, 1.5), strict=True):
        task, times = fs.tasks.extended_xor(delta), np.linspace(0, 40, 201)
        linear = fs.gated.pathways([task.y[:, 0] > 0, task.y[:, 0] < 0], 64, initial=start)
        xor = fs.gated.pathways(np.eye(4), 32, initial=start)
        relu = fs.ReLU((128,), initial=start)
        plot.loss(fs.evolve(relu, task, times, method=fs.Train(rate=0.1), seeds=8), ax, label="ReLU, trained")
        for runner in fs.gated.rank_gatings(task, {"linear": linear, "XOR": xor}).runners:
            ax.plot(runner.times, runner.loss, label=f"{runner.name}, predicted", color=COLOUR[runner.name], lw=1.3)
        ax.set(title=f"Δ = {delta:g}", xlim=(0, 40))
        ax.legend(loc="upper right")
    figure.savefig("race.png")

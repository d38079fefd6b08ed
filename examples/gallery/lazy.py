"""From rich to lazy, exactly.

The same end-to-end map at the start, the same task; only the imbalance λ of the two layers differs. At λ = 0 the loss
falls in steps and the kernel turns; at large λ it falls at once and the kernel stays where it was.
"""

import numpy as np

import festina as fs
from festina import plot

task, times = fs.tasks.teacher(6, 6, strengths=(4.0, 2.0, 1.0), seed=0), np.geomspace(1e-3, 30, 400)
times = np.concatenate([[0.0], times])
with plot.style():
    figure, (left, right) = plot.panels(1, 2, width=4, height=3)
    for lambda_, colour in zip((0.0, 0.3, 3.0, 30.0), plot.COLOURS, strict=False):
        network = fs.DeepLinear((6,), initial=fs.initial.Balanced(1e-2, lambda_=lambda_))
        path = fs.evolve(network, task, times, observe=("loss", "kernel_distance"))
        plot.loss(path, left, label=f"λ = {lambda_:g}", color=colour)
        right.plot(times, path["kernel_distance"], color=colour)
    left.set_xscale("log")
    left.legend()
    right.set(xscale="log", xlabel="time (flow time)", ylabel="kernel distance from the start")
    figure.savefig("lazy.png")

"""Agents among their saddles.

Agents that learn to say on which side a stimulus is, trial by trial, in the plane of their two slopes, with the points
at which the average network rests. Most learn one side first; which one is a matter of small differences at the start.
"""

import numpy as np

import festina as fs
from festina import plot

task, network, rate = fs.behaviour.DecisionTask(), fs.behaviour.TutorExecutor(spread=0.1), 0.0026
times = rate * 240 * np.arange(51)  # 50 sessions of 240 trials
names = ("left_slope", "right_slope", "curve")
agents = fs.evolve(network, task, times, method=fs.Train(rate), seed=1, seeds=40, observe=names)
points = network.stationary_points(task)
with plot.style():
    figure, (left, right) = plot.panels(1, 2, width=4, height=3.4)
    plot.decision(agents, left, points=points)
    for at, label, colour in ((0, "before", plot.COLOURS[0]), (-1, "after 50 sessions", plot.COLOURS[1])):
        plot.psychometric(agents, right, at=at, label=label, color=colour)
    right.legend()
    figure.savefig("saddles.png")

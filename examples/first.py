"""Predict how a network learns a hierarchy, train it, compare: the README's example, with a figure.

Run it with ``make demo`` or ``python examples/first.py [FOLDER]``; it writes ``first.png`` and ``first.svg``.
"""

import sys
from pathlib import Path

import numpy as np

import festina as fs
from festina import plot

times = np.linspace(0, 60, 301)
task = fs.tasks.hierarchy(levels=3)
network = fs.DeepLinear(hidden=(16,), initial=fs.initial.Aligned(1e-3))
observe = ("loss", "strengths")
theory = fs.evolve(network, task, times, observe=observe)  # method=fs.Exact()
training = fs.evolve(network, task, times, method=fs.Train(rate=0.01), seed=0, observe=observe)
print(fs.compare(theory, training))

small = fs.DeepLinear(hidden=(64,), initial=fs.initial.Gaussian(1e-3))
race = fs.evolve(small, task, times, method=fs.Reduced(), seeds=8)
runs = fs.evolve(small, task, times, method=fs.Train(rate=0.01), seeds=8)
print("\nfrom small random weights, each seed predicted from its own start")
print(fs.compare(race, runs))

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)
with plot.style():
    figure, (left, middle, right) = plot.panels(1, 3)
    plot.loss(training, left, label="trained")
    plot.loss(theory, left, label="predicted: closed form")
    left.set_title("Loss from aligned weights")
    left.legend()
    plot.strengths(training, middle, label="")
    plot.strengths(theory, middle)
    middle.set_title("What is learned, and when")
    middle.legend(loc="upper right", bbox_to_anchor=(1, 0.93), ncols=2, columnspacing=1)
    plot.loss(runs, right, label="trained, 8 seeds")
    plot.loss(race, right, label="predicted: race of modes")
    right.set_title("Loss from random weights")
    right.legend()
    for suffix in ("png", "svg"):
        figure.savefig(folder / f"first.{suffix}")
print(f"\nwrote {folder / 'first.png'} and {folder / 'first.svg'}")

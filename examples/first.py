"""Predict what a network will learn and when, then train it and check the prediction: a first look at festina.

Run it with ``make demo`` or ``python examples/first.py [FOLDER]``; it writes ``first.png`` and ``first.svg``.
"""

import sys
from datetime import datetime
from pathlib import Path

import numpy as np

import festina as fs
from festina import plot

times = np.linspace(0, 80, 401)
task = fs.tasks.living_things(8)
network = fs.DeepLinear(hidden=(64,), initial=fs.initial.Gaussian(1e-3))

prediction = fs.evolve(network, task, times, method=fs.Reduced())
print(f"Predicted at {datetime.now():%H:%M:%S}, from the first weights, before any training:\n")
print(prediction.stages(errors=True))
print("\nTraining the network ...")
training = fs.evolve(network, task, times, method=fs.Train(rate=0.01))
print(f"Trained at {datetime.now():%H:%M:%S}. How the prediction came out:\n")
agreement = fs.compare(prediction, training)
print(agreement)

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
folder.mkdir(parents=True, exist_ok=True)
with plot.style():
    figure, (left, right) = plot.panels(1, 2)
    plot.loss(training, left, label="trained")
    plot.loss(prediction, left, label="predicted before training")
    left.set_title("The loss falls in stages")
    left.legend()
    plot.strengths(training, right, label="")
    plot.strengths(prediction, right)
    right.set_title("What is learned, and when")
    for suffix in ("png", "svg"):
        figure.savefig(folder / f"first.{suffix}")
print(f"\nFigures: {folder / 'first.png'} and {folder / 'first.svg'}")

"""Is my network lazy or rich?

Wines from scikit-learn, a ReLU network whose initial weights are scaled. ``fs.theories`` measures how far the tangent
kernel would move; from large weights it hardly does, and the lazy limit predicts training; from small weights it fails.
"""

import warnings

import numpy as np
from sklearn.datasets import load_wine

import festina as fs
from festina import plot

x, wines = load_wine(return_X_y=True)
task = fs.Task((x - x.mean(axis=0)) / x.std(axis=0) / 4, labels=wines)
warnings.simplefilter("ignore")  # from small weights the lazy limit warns
with plot.style():
    figure, axes = plot.panels(1, 2, width=4, height=3)
    for ax, std, span in zip(axes, (0.2, 0.01), (8, 60), strict=True):
        network, times = fs.ReLU((300,), initial=fs.initial.Gaussian(std)), np.linspace(0, span, 121)
        moved = fs.theories(network, task).rows[-1].assumptions[-1].measured
        plot.loss(fs.evolve(network, task, times, method=fs.Train(rate=0.02)), ax, label="trained")
        plot.loss(fs.evolve(network, task, times, method=fs.Reduced("lazy limit")), ax, label="lazy limit")
        ax.set_title(f"std {std:g}: kernel moves by {float(f'{moved:.2g}'):g} × its size")
        ax.legend()
    figure.savefig("lazy_or_rich.png")

"""Which examples are learned last?

Digits of scikit-learn, cross-entropy and Adam, six networks. Gradient flow and the theory of growing units start from a
network's own weights, and rank its images from early to late as well as another trained network does, or better. Right:
the first images and the last ones by gradient flow; the last ones are written in unusual ways.
"""

import warnings

import numpy as np
from scipy.stats import spearmanr
from sklearn.datasets import load_digits

import festina as fs
from festina import plot

images, digits = load_digits(return_X_y=True)
task = fs.Task(images[:400] / 16, labels=digits[:400], loss="cross_entropy")
network = fs.ReLU((32,), initial=fs.initial.Torch(), bias=True)
methods = ((fs.Train(lr=0.003, optimiser="adam"), 0.9), (fs.Flow(), 30), (fs.Reduced(), 30))
warnings.simplefilter("ignore")  # the theory of units says until when it holds
runs = [fs.evolve(network, task, np.linspace(0, t, 151), method=m, seed=k) for m, t in methods for k in range(6)]
adam, flow, units = np.array([run.learned(by="item").medians for run in runs]).reshape(3, 6, -1)
with plot.style():
    figure, (left, right) = plot.panels(1, 2, width=4, height=3)
    others = {"gradient flow": flow, "growing units": units, "another trained network": np.roll(adam, 1, axis=0)}
    for (name, ranks), mark in zip(others.items(), "o_x", strict=True):
        left.plot([spearmanr(*pair)[0] for pair in zip(ranks, adam, strict=True)], mark, linestyle="", label=name)
    left.set(xlabel="network", ylabel="rank correlation with its training", ylim=(0, 1))
    left.legend()
    order = np.argsort(flow[0])
    right.imshow(np.vstack([np.hstack(images[k].reshape(-1, 8, 8)) for k in (order[:6], order[-6:])]), cmap="gray_r")
    right.set(title="first (above) and last (below)", xticks=[], yticks=[])
    figure.savefig("late_examples.png")

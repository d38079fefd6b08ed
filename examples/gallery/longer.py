"""How much longer with smaller weights, fewer units, or one more layer?

A ReLU network learns the wines of scikit-learn. Half the initial scale and half the width cost little, because time
grows with the logarithm of the initial weights. One more layer costs most: small weights in depth mean a long wait,
and with two hidden layers half the scale costs much, too. All this is for gradient descent; Adam hardly waits.
"""

import numpy as np
from sklearn.datasets import load_wine

import festina as fs
from festina import plot

x, kinds = load_wine(return_X_y=True)
task, times = fs.Task((x - x.mean(axis=0)) / x.std(axis=0), labels=kinds), np.linspace(0, 40, 401)
names = ("as it was", "half the scale", "half the width", "one more layer")
changes = (((32,), 0.02), ((32,), 0.01), ((16,), 0.02), ((32, 32), 0.02))
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=5, height=3.2)
    for k, (hidden, scale) in enumerate(changes):
        network = fs.ReLU(hidden, initial=fs.initial.Gaussian(scale))
        for method, mark in (
            (fs.Train(rate=0.02), {"color": "0.75", "markersize": 11, "marker": "o"}),
            (fs.Reduced(), {"color": "black", "markersize": 14, "marker": "|"}),
        ):
            run = fs.evolve(network, task, times, method=method)
            ax.plot(run.first_passage(run.loss[0] / 2), k, linestyle="", label=None if k else method.kind, **mark)
    ax.set(yticks=range(4), yticklabels=names, xlabel="half of the loss is gone at (flow time)", xlim=(0, None))
    ax.invert_yaxis()
    ax.legend(loc="upper right")
    figure.savefig("longer.png")

"""Is my learning rate in the flow regime?

Wines from scikit-learn. Theories describe gradient flow; descent follows it while rate × sharpness stays well below 2.
The estimate that comes with ``rate=`` says beforehand how far a run will be from the flow; above 2 there is none.
"""

import warnings

import numpy as np
from sklearn.datasets import load_wine

import festina as fs
from festina import plot

x, wines = load_wine(return_X_y=True)
task = fs.Task((x - x.mean(axis=0)) / x.std(axis=0), labels=wines)
network, found = fs.ReLU((32,), initial=fs.initial.Torch(), bias=True), []
warnings.simplefilter("ignore")  # the largest rate warns that it overshoots
for rate in (0.02, 0.05, 0.1, 0.2, 0.4, 0.8):
    steps = {"steps": round(8 / rate), "rate": rate, "observe": "loss"}
    flow = fs.evolve(network, task, method=fs.Flow(), **steps)
    run = fs.evolve(network, task, method=fs.Train(rate=rate), **steps)
    found.append((max(flow.notes["rate_times_sharpness"].values()), flow.relative_error, fs.compare(flow, run).area))
sharp, estimated, measured = np.array(found).T
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=5, height=3.2)
    ax.loglog(sharp, measured, "o", color="0.75", markersize=9, label="trained")
    ax.loglog(sharp, estimated, color="black", label="estimated beforehand")
    ax.axvline(2, color="0.6", linestyle=":")
    ax.set(xlabel="rate × sharpness", ylabel="difference from the flow (area)")
    ax.legend()
    figure.savefig("step_size.png")

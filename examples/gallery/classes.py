"""In which order are the classes learned?

Handwritten digits from scikit-learn, a ReLU network with small random weights. The prediction is made from the initial
weights alone; one line answers when each class is learned. Zeros and sixes come early, nines and eights last.
"""

import numpy as np
from sklearn.datasets import load_digits

import festina as fs
from festina import plot

images, digits = load_digits(n_class=10, return_X_y=True)
task = fs.Task(images[:200] / 16, labels=digits[:200])
network, times = fs.ReLU((48,), initial=fs.initial.Gaussian(1e-3)), np.linspace(0, 120, 401)
predicted = fs.evolve(network, task, times, method=fs.Reduced()).learned(by="class")
trained = fs.evolve(network, task, times, method=fs.Train(rate=0.02)).learned(by="class")
order = sorted(predicted, key=lambda name: predicted[name])
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=5, height=3.2)
    ax.plot([trained[name] for name in order], "o", color="0.75", markersize=11, label="trained")
    ax.plot([predicted[name] for name in order], "_", color="black", markersize=14, label="predicted")
    ax.set(xticks=range(10), xticklabels=order, xlabel="digit", ylabel="half learned at (flow time)", ylim=(0, None))
    ax.legend()
    figure.savefig("classes.png")

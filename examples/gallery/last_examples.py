"""Which examples are learned last?

The same digits, image by image. Above are the first five that a ReLU network will have learned, below the last five, as
predicted from its initial weights. The last ones are written in unusual ways.
"""

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

import festina as fs
from festina import plot

images, digits = load_digits(return_X_y=True)
task = fs.Task(images[:200] / 16, labels=digits[:200])
network, times = fs.ReLU((48,), initial=fs.initial.Gaussian(1e-3)), np.linspace(0, 400, 401)
learned = fs.evolve(network, task, times, method=fs.Reduced()).learned(by="item").medians
order = np.argsort(learned)
with plot.style():
    figure = Figure(figsize=(6, 3), layout="constrained")
    for ax, k in zip(figure.subplots(2, 5).flat, [*order[:5], *order[-5:]], strict=True):
        ax.imshow(images[k].reshape(8, 8), cmap="gray_r")
        ax.set_title(f"{digits[k]}: t = {learned[k]:.0f}")
        ax.set_axis_off()
    figure.savefig("last_examples.png")

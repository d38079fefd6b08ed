"""Will it use the shortcut first?

Threes and eights from scikit-learn, with one more input: a bright mark, which is right for nine in ten images. The
network follows the mark first: where it is wrong, the loss rises before it falls. One line prints when either group is
learned.
"""

import numpy as np
from sklearn.datasets import load_digits

import festina as fs
from festina import plot

images, digits = load_digits(return_X_y=True)
kept = np.flatnonzero((digits == 3) | (digits == 8))[:200]
kind = np.where(digits[kept] == 8, 1.0, -1.0)
right = np.random.default_rng(0).random(len(kept)) < 0.9
x = np.column_stack([images[kept] / 16, 3 * np.where(right, kind, -kind)])
groups = np.where(right, "the mark is right", "the mark is wrong").tolist()
task = fs.Task(x, kind[:, None], contexts=groups)
network, times = fs.ReLU((48,), initial=fs.initial.Gaussian(1e-3)), np.linspace(0, 40, 401)
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=5, height=3.2)
    for method, look in ((fs.Train(rate=0.01), {"linewidth": 6, "alpha": 0.3}), (fs.Reduced(), {"linewidth": 1.4})):
        run = fs.evolve(network, task, times, method=method, observe=("group_loss", "outputs"))
        print(run.learned(by="context"))
        for name, curve, colour in zip(task.groups, run["group_loss"].T, plot.COLOURS, strict=False):
            ax.plot(run.times, curve, color=colour, label=name if look["linewidth"] < 2 else None, **look)
    ax.set(xlabel="time (flow time)", ylabel="loss of the images")
    ax.legend(title="pale: trained, thin: predicted")
    figure.savefig("shortcut.png")

"""Why does it generalise so late?

Addition modulo 23 by a network of squared units: grokking. Left: gradient flow predicts gradient descent, which learns
the pairs that it is trained on and never the others. Right: AdamW with weight decay learns the trained pairs as early,
and the others more than a thousand steps later. Theories of gradient flow do not predict when, because they do not
include weight decay.
"""

import numpy as np

import festina as fs
from festina import plot


class Squares(fs.Network):
    """One hidden layer of 128 squared units."""

    predict = property(lambda self: lambda weights, x: (x @ weights["in"]) ** 2 @ weights["out"])

    def start(self, task, seed):
        """Small random weights."""
        draw = np.random.default_rng(seed).normal
        return {"in": draw(scale=0.2, size=(46, 128)), "out": draw(scale=0.1, size=(128, 23))}


a, b = np.divmod(np.random.default_rng(0).permutation(23 * 23), 23)
x, y = np.hstack([np.eye(23)[a], np.eye(23)[b]]), (a + b) % 23
task = fs.Task(x[:317], labels=y[:317], test=(x[317:], y[317:]))
decay, seen = fs.Train(rate=0.005, optimiser="adamw", weight_decay=0.3), ("accuracy", "test_accuracy")
with plot.style():
    figure, (left, right) = plot.panels(1, 2, width=4, height=3)
    for ax, method, rate in ((left, fs.Train(rate=0.3), 0.3), (left, fs.Flow(), 0.3), (right, decay, 0.005)):
        run = fs.evolve(Squares(), task, steps=3000, rate=rate, method=method, observe=seen)
        look = {"linewidth": 5, "alpha": 0.3} if method.kind == "trained" else {}
        for name, colour in zip(seen, plot.COLOURS, strict=False):
            ax.plot(run.steps, run[name], color=colour, **look)
        ax.set(xlabel="steps", ylabel="share of pairs that are right")
    left.legend(["trained pairs", "other pairs"], title="pale: trained, thin: predicted")
    figure.savefig("grokking.png")

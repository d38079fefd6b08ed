"""Stages of any network: a marimo notebook on networks of units."""

import marimo

app = marimo.App(width="medium", app_title="Stages of any network")


@app.cell
def _():
    import marimo as mo
    import numpy as np

    import festina as fs

    return fs, mo, np


@app.cell
def _(mo):
    mo.md(r"""
    # Stages of any network

    A network of two layers is a sum of units. While its units are small, each of them is alone with what the network
    has not yet explained, and grows the faster the more of it the unit explains. So the loss waits, falls, and waits
    again. Below is a network with units that square their input. It says what its units are in one line; all else
    follows from its forward pass.
    """)
    return


@app.cell
def _(fs, np):
    def quadratic(weights, x):
        return (x @ weights["in"]) ** 2 @ weights["out"]

    class Quadratic(fs.Network):
        def __init__(self, scale):
            self.scale = scale

        @property
        def predict(self):
            return quadratic

        def start(self, task, seed):
            draw = np.random.default_rng(seed).normal
            return {"in": draw(size=(3, 20), scale=self.scale), "out": draw(size=(20, 1), scale=self.scale)}

        def units(self, weights):
            return {"in": 1, "out": 0}

    x = np.random.default_rng(1).normal(size=(100, 3))
    task = fs.Task(x, x[:, :1] ** 2 - 0.5 * x[:, 1:2] ** 2)
    return Quadratic, task


@app.cell
def _(mo):
    scale = mo.ui.slider(-3.0, -1.0, 0.5, value=-2.0, label="logarithm of the initial weights, to base ten")
    seed = mo.ui.slider(0, 5, value=0, label="seed of the initial weights")
    horizon = mo.ui.slider(1.0, 2.0, 0.25, value=1.5, label="times up to, over the initial weights")
    mo.vstack([scale, seed, horizon])
    return horizon, scale, seed


@app.cell
def _(Quadratic, fs, horizon, np, scale, seed, task):
    small = 10.0**scale.value
    times = np.linspace(0, horizon.value / small, 301)
    predicted = fs.evolve(Quadratic(small), task, times, method=fs.Reduced(), seed=seed.value)
    predicted.stages()
    return predicted, small, times


@app.cell
def _(predicted):
    predicted.plot()
    return


@app.cell
def _(mo):
    mo.md(r"""
    Units of degree three wait for a time that grows as one over their size: at a tenth of the weights every stage
    comes ten times as late. Training shows the same curve.
    """)
    return


@app.cell
def _(Quadratic, fs, predicted, seed, small, task, times):
    trained = fs.evolve(Quadratic(small), task, times, method=fs.Train(rate=0.02), seed=seed.value)
    fs.compare(predicted, trained).plot()
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## Plateaus are solutions of smaller networks

    Where the loss rests, the network does what a network of fewer units would do at best.
    """)
    return


@app.cell
def _(mo, predicted):
    passed = predicted.saddle_passages(units=2)
    mo.md("\n".join(f"- {p.point.units} units: loss {p.point.loss:.4f}, passed at t = {p.time:.0f}" for p in passed))
    return


if __name__ == "__main__":
    app.run()

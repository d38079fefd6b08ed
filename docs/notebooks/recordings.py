"""Recordings and theory: a marimo notebook on representations over learning."""

import marimo

app = marimo.App(width="medium", app_title="Recordings and theory")


@app.cell
def _():
    import marimo as mo
    import numpy as np

    import festina as fs
    from festina import plot

    return fs, mo, np, plot


@app.cell
def _(mo):
    mo.md(r"""
    # Recordings and theory

    You have recorded neurons while an animal learned, session by session. Did learning change the
    representation (*rich*), or was a fixed one read out in a new way (*lazy*)? The neurons of the animal and
    the units of a theory have nothing to do with each other, but the *dissimilarities* between conditions can
    be compared: which conditions are represented similarly, and which differently?

    Here the animal is a network whose weights the theories do not know.
    """)
    return


@app.cell
def _(mo):
    scale = mo.ui.slider(-2, 0.25, value=-1.75, step=0.25, label="the animal's initial weights, log₁₀", show_value=True)
    neurons = mo.ui.slider(10, 100, value=40, step=10, label="recorded neurons", show_value=True)
    noise = mo.ui.slider(0.25, 2, value=0.75, step=0.25, label="noise over signal", show_value=True)
    mo.vstack([scale, neurons, noise])
    return neurons, noise, scale


@app.cell
def _(fs, np):
    rng = np.random.default_rng(0)
    tree = np.stack([np.where(np.arange(16) >> k & 1, 1.0, -1.0) * 2.0 ** (k / 2 - 2) for k in range(4)], axis=1)
    task = fs.Task(rng.normal(size=(16, 20)) / np.sqrt(20), tree, items=[f"odour {k + 1}" for k in range(16)])

    def learn(std, seed, times=None):
        """A network from weights of this size, at 41 times up to when one hundredth of the loss is left."""
        network = fs.ReLU((100,), initial=fs.initial.Gaussian(std))
        if times is None:
            watched = fs.evolve(network, task, np.linspace(0, 20, 81) ** 2, method=fs.Flow(rtol=1e-4), seed=seed)
            end = watched.times[np.argmax(watched.loss <= 0.005 * np.sum(tree**2) / 16)]
            times = np.linspace(0, end, 41)
        return fs.evolve(network, task, times, method=fs.Flow(rtol=1e-4), seed=seed, observe=("loss", "hidden"))

    rich, lazy = learn(0.02, 1000), learn(1.5, 1000)
    return lazy, learn, rich, task, tree


@app.cell
def _(learn, neurons, noise, np, scale):
    animal = learn(10.0**scale.value, 1)
    sessions = animal["hidden"][0][::5][1:]  # eight sessions
    draw = np.random.default_rng(2)
    signal = sessions[:, :, draw.choice(100, neurons.value, replace=False)]
    size = noise.value * np.sqrt(signal.var(axis=1).mean())
    recorded = signal + size * draw.normal(size=(4, *signal.shape))  # four repeats
    return animal, recorded


@app.cell
def _(fs, lazy, recorded, rich, task, tree):
    theories = {"rich": rich, "lazy": lazy, "targets": fs.analysis.RDMs.from_activity(tree, conditions=task.items)}
    found = fs.representation.compare(recorded, theories, conditions=task.items, permutations=199, bootstraps=199)
    return (found,)


@app.cell
def _(found, mo):
    mo.md(f"```\n{found}\n```")
    return


@app.cell
def _(found, plot):
    with plot.style():
        ceiling_figure, (_ax,) = plot.panels(1, 1, width=5.5, height=3.4)
        found.plot(_ax)
    ceiling_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    The band is the noise ceiling: what the best of all theories could reach with this noise, from how well repeats of a
    session agree. A theory inside the band cannot be improved on with these data.

    ## What is compared
    """)
    return


@app.cell
def _(fs, lazy, plot, recorded, rich, task):
    data = fs.analysis.RDMs.from_activity(recorded, conditions=task.items).mean
    with plot.style():
        matrix_figure, _axes = plot.panels(2, 3, width=2.2, height=2.2)
        for _row, (_when, _at, _session) in enumerate((("early", 5, 0), ("late", 40, 7))):
            for _column, (_name, _matrix) in enumerate(
                (
                    ("recorded", data.matrices[0, _session]),
                    ("rich", rich.rdm().matrices[0, _at]),
                    ("lazy", lazy.rdm().matrices[0, _at]),
                )
            ):
                _ax = _axes[3 * _row + _column]
                _ax.imshow(_matrix, cmap=plot.SIZES)
                _ax.set(title=f"{_name}, {_when}", xticks=[], yticks=[])
    matrix_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 1.** Move the animal's initial weights from 0.01 to 1.8. Where does the answer change? Is there a range
    in which neither theory fits?

    /// details | Answer
    Between 0.1 and 0.2. There both similarities are low: the two theories are limits, and an animal in between is like
    neither. Lazy animals stay below the ceiling too, since their representation is a random projection of the inputs,
    and that of the theory is another one.
    ///

    **Question 2.** With *free* times every session could be aligned with any time of the theory. Why is that a problem
    for telling rich from lazy?

    /// details | Answer
    Before learning both have the same representation, a random projection of the inputs. A lazy animal would fit the
    rich theory if all its sessions were taken to be before learning. Sessions are therefore kept within a band around
    even progress (`band=0.25`).
    ///

    **Question 3.** Why are conditions drawn with replacement to test a difference, and not neurons?

    /// details | Answer
    The question is whether the better theory is better for other conditions too. Neurons enter through the noise
    ceiling and the repeats.
    ///
    """)
    return


if __name__ == "__main__":
    app.run()

"""Mixed selectivity: a marimo notebook on what single neurons respond to in a context task."""

import marimo

app = marimo.App(width="medium", app_title="Mixed selectivity")


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
    # Mixed selectivity

    A monkey sees moving coloured dots. In one context it has to report the motion, in the other the colour. Neurons
    recorded meanwhile respond to motion, to colour, to the context, and many to *combinations* of these: they have
    mixed selectivity. Is that disorder, or needed? And could it have been predicted?

    No linear mixture of motion, colour and context gives the choice, so that some units have to respond to
    combinations. Which, and how many, is left to learning. Here a ReLU network learns the task and is recorded
    like a brain; next to it are the units that the theory predicts from the network's *initial* weights.
    """)
    return


@app.cell
def _(mo):
    units = mo.ui.slider(20, 100, value=60, step=20, label="units", show_value=True)
    small = mo.ui.slider(-3, 0, value=-2, step=0.5, label="initial weights, log₁₀", show_value=True)
    noise = mo.ui.slider(
        0.05, 0.5, value=0.15, step=0.05, label="noise, as a share of the largest response", show_value=True
    )
    repeats = mo.ui.slider(2, 12, value=6, step=2, label="repeats of each condition", show_value=True)
    mo.vstack([mo.hstack([units, small]), mo.hstack([noise, repeats])])
    return noise, repeats, small, units


@app.cell
def _(fs, np, small, units):
    motion, colour, context = np.array(np.meshgrid([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0])).reshape(3, 8)
    choice = np.where(context > 0, motion, colour)
    task = fs.Task(np.column_stack([motion, colour, context > 0, context < 0]), choice[:, None], outputs=["choice"])
    network = fs.ReLU((units.value,), initial=fs.initial.Gaussian(10.0**small.value))
    times = np.linspace(0, 60, 61)
    trained = fs.evolve(network, task, times, method=fs.Train(rate=0.01), observe=("loss", "hidden"))
    predicted = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "hidden"))
    return colour, context, motion, predicted, trained


@app.cell
def _(plot, predicted, trained):
    with plot.style():
        loss_figure, (_ax,) = plot.panels(1, 1, width=5, height=3)
        plot.loss(trained, _ax, label="trained")
        plot.loss(predicted, _ax, label="predicted from the initial weights")
        _ax.legend()
    loss_figure
    return


@app.cell
def _(colour, context, fs, motion, noise, np, predicted, repeats, trained):
    responses = trained["hidden"][0][-1].T  # units × conditions
    size = noise.value * responses.max()
    recorded = responses + size * np.random.default_rng(0).normal(size=(repeats.value, *responses.shape))
    factors = {"motion": motion, "colour": colour, "context": context}
    found = fs.explain({"recorded": recorded, "trained": trained, "predicted": predicted}, factors=factors)
    return found, recorded


@app.cell
def _(found, mo):
    mo.md(f"```\n{found}\n```")
    return


@app.cell
def _(found, np, plot):
    with plot.style():
        kinds_figure, (_left, _right) = plot.panels(1, 2, width=4.2, height=3.2)
        found.plot(_left)
        for _one in found.populations[1:]:
            _right.plot(np.sort(_one.interaction)[::-1], label=_one.name, **plot.look(_one.name))
        _right.set(xlabel="unit, most mixed first", ylabel="variance by combinations")
        _right.legend()
    kinds_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 1.** Raise the noise. Which of the numbers change, and which do not? Why does the test compare with
    shuffled data and not with zero?

    /// details | Answer
    Fewer recorded units pass the test; the shares of variance shrink, as noise is variance too. Even units that only
    add up motion and context would show some response to combinations by chance. Shuffling what the factors leave
    keeps the noise and removes the combinations.
    ///

    **Question 2.** Compare *decoding of divisions* with *without combinations*. What does mixed selectivity buy?

    /// details | Answer
    A linear readout can divide the eight conditions in more ways if units respond to combinations. With responses that
    only add up, divisions such as the choice itself cannot be read out.
    ///

    **Question 3.** Move the initial weights to 1 (0 on the slider). Is there more or less mixed selectivity, and is it
    still predicted?

    /// details | Answer
    From large weights every unit keeps the random mixture that it had: much mixed selectivity that was never
    learned. From small weights units align with what the task needs. The share alone does not distinguish the
    two; the loss shows where the prediction from units that grow, made for small weights, ends.
    ///
    """)
    return


@app.cell
def _(found, mo):
    mo.ui.table(found.to_pandas().round(3), page_size=8)
    return


if __name__ == "__main__":
    app.run()

"""Learning in stages: a marimo notebook on the modes of deep linear networks."""

import marimo

app = marimo.App(width="medium", app_title="Learning in stages")


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
    # Learning in stages

    Children first tell plants from animals, then birds from fish, then canaries from robins. Networks do the
    same, even *linear* networks, $\hat y = W_2 W_1 x$. This notebook asks why, and lets you predict the moment
    at which each distinction is learned before any network is trained.

    You need: the singular value decomposition, and what a gradient is.
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## The task

    Eight items have fifteen properties between them. All that a linear network ever sees of them is the
    correlation of properties with items, $\Sigma_{yx} = \frac1N \sum_i y_i x_i^\top$. Its singular value
    decomposition $\Sigma_{yx} = U S V^\top$ turns it into *modes*: a pattern of items (a column of $V$, left),
    with a strength $s$ (right).
    """)
    return


@app.cell
def _(mo):
    structure = mo.ui.dropdown(["items", "ring", "partition", "ordering"], value="items", label="structure")
    structure
    return (structure,)


@app.cell
def _(fs, structure):
    worlds = {
        "items": lambda: fs.tasks.living_things(8),
        "ring": lambda: fs.tasks.ring(8),
        "partition": fs.tasks.partition,
        "ordering": lambda: fs.tasks.ordering(8),
    }
    task = worlds[structure.value]()
    return (task,)


@app.cell
def _(plot, task):
    with plot.style():
        modes_figure, (_left, _right) = plot.panels(1, 2, width=4, height=3.2)
        plot.singular_vectors(task, _left, part="right")
        plot.singular_vectors(task, _right, part="strengths")
    modes_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 1.** With the structure *items*: what does mode 2 tell apart? And modes 3 and 4? Why do the last
    four have the same strength?

    /// details | Answer
    Mode 2 has one sign for animals and the other for plants; modes 3 and 4 separate birds from fish and trees
    from flowers. The last four separate siblings, by one property each: equal correlations, equal strengths.
    Where strengths are equal, any mixture of the modes would do as well. The picture shows the one with the
    fewest entries, so that each column separates few things.
    ///
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## When it will be learned

    Let a network start with weights aligned with the modes. Then every mode is learned on its own: its strength
    $u$ in a network of $D$ layers follows

    $$\frac{du}{dt} = D\, u^{2 - 2/D} (s - d\,u),$$

    where $d$ is the variance of the inputs along the mode. Time is flow time: a step of gradient descent with
    rate $\eta$ advances it by $\eta$. This has a closed form at every depth. No network is trained below.
    """)
    return


@app.cell
def _(mo):
    depth = mo.ui.slider(1, 5, value=2, label="layers", show_value=True)
    start = mo.ui.slider(-6, -0.5, value=-3, step=0.5, label="initial strength, log₁₀", show_value=True)
    mo.hstack([depth, start])
    return depth, start


@app.cell
def _(depth, fs, np, plot, start, task):
    strength = 10.0**start.value
    network = fs.DeepLinear((16,) * (depth.value - 1), initial=fs.initial.Aligned(strength))
    _slowest = fs.linear.time_to_strength(0.95, 1.0, 1.0, min(strength, 0.5), depth.value)
    horizon = float(min(1.3 * _slowest / task.statistics.strengths.min(), 2000))
    path = fs.evolve(network, task, np.linspace(0, horizon, 400), observe=("loss", "strengths"))
    with plot.style():
        stage_figure, (_left, _right) = plot.panels(1, 2, width=4, height=3)
        plot.loss(path, _left)
        plot.strengths(path, _right, label="")
    stage_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 2.** Make the initial strength ten times smaller. By how much later is each mode learned with two
    layers? Is it the same for all modes?

    /// details | Answer
    From $u = \frac{s}{d} / [1 - (1 - \frac{s}{d u_0}) e^{-2st}]$ half of $s/d$ is reached at $t =
    \ln(\frac{s}{d u_0} - 1)/(2s)$: later by $\ln(10)/(2s)$. Weak modes are delayed longer, so that the stages
    move apart.
    ///

    **Question 3.** Set the number of layers to one. The stages are gone. What decides now which mode is learned
    first?

    /// details | Answer
    With one layer $u = \frac{s}{d}(1 - e^{-dt})$: the rate is $d$, the variance of the inputs, and items are all
    equally frequent. Depth multiplies a mode's growth by its own strength, and so makes the strong ones faster.
    ///
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## Is it true?

    Now we train a network from small random weights, which are not aligned. The initial strength of a mode is
    then given by the weights: it is the length of $\frac12 (W_1 v + W_2^\top u)$, measured on the weights of
    this seed.
    """)
    return


@app.cell
def _(mo):
    seed = mo.ui.slider(0, 9, value=0, label="seed", show_value=True)
    width = mo.ui.slider(4, 128, value=32, step=4, label="hidden units", show_value=True)
    scale = mo.ui.slider(-4, -1.5, value=-3, step=0.5, label="standard deviation, log₁₀", show_value=True)
    mo.hstack([seed, width, scale])
    return scale, seed, width


@app.cell
def _(fs, np, plot, scale, seed, task, width):
    random = fs.DeepLinear((width.value,), initial=fs.initial.Gaussian(10.0**scale.value))
    _times = np.linspace(0, 1.2 * np.log(1e3 * 10 ** (-scale.value)) / task.statistics.strengths.min(), 200)
    _seen = {"seed": seed.value, "observe": ("loss", "strengths")}
    predicted = fs.evolve(random, task, _times, method=fs.Reduced(), **_seen)
    trained = fs.evolve(random, task, _times, method=fs.Train(rate=0.05), **_seen)
    with plot.style():
        check_figure, (_left, _right) = plot.panels(1, 2, width=4, height=3)
        plot.loss(trained, _left, label="trained")
        plot.loss(predicted, _left, label="predicted")
        _left.legend()
        plot.strengths(trained, _right, label="")
        plot.strengths(predicted, _right, label="")
    check_figure
    return predicted, trained


@app.cell
def _(fs, mo, predicted, trained):
    mo.md(f"""
    Area between the two loss curves, relative to that under the trained one: **{
        fs.compare(predicted, trained).area:.1%}**.
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 4.** Move the standard deviation up to $10^{-1}$. Why does the prediction get worse? And why does
    it help to make the layer wider?

    /// details | Answer
    The prediction lets each mode grow alone. In a random start the hidden directions of two modes overlap by
    chance, by about $1/\sqrt H$ with $H$ hidden units, and from large weights the modes grow at the same time,
    when overlap matters.
    ///

    **Question 5.** Before a network has learned the finest level, which property of robins does it attribute to
    a canary? (`trajectory.illusions` finds such beliefs.)
    """)
    return


if __name__ == "__main__":
    app.run()

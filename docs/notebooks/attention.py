"""Learning to learn in steps: a marimo notebook on in-context regression by linear attention."""

import marimo

app = marimo.App(width="medium", app_title="Learning to learn in steps")


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
    # Learning to learn in steps

    A language model that sees a few examples in its prompt can often continue the pattern, without any change
    of its weights. The simplest such skill is regression: a sequence shows pairs $(x_n, y_n)$ with $y = w \cdot
    x$ and asks for the value at a query. The weights $w$ differ from sequence to sequence, so that they have to
    be found *in context*. This notebook trains attention to do this, and predicts what it will be able to do,
    and when.

    You need: eigenvectors of a covariance matrix, and what a gradient is.
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## What attention computes

    Attention without softmax sums up the examples as $b = \frac1N \sum_n y_n x_n$ and answers
    $\hat y = b^\top M x_q$. With key $k_h$, query $q_h$ and value $v_h$ of each head, $M = \sum_h v_h k_h
    q_h^\top$. The expected loss depends on $M$ and on the covariance Λ of the inputs only.
    """)
    return


@app.cell
def _(mo):
    second = mo.ui.slider(0.4, 1.4, value=0.9, step=0.1, label="second eigenvalue (the first is 1.6)", show_value=True)
    examples = mo.ui.slider(5, 100, value=30, step=5, label="examples in a sequence", show_value=True)
    size = mo.ui.slider(-3, -1, value=-2, step=0.5, label="size of the first weights, log₁₀", show_value=True)
    mo.hstack([second, examples, size])
    return examples, second, size


@app.cell
def _(examples, fs, np, plot, second, size):
    task = fs.tasks.in_context_regression([1.6, second.value], length=examples.value)
    network = fs.LinearAttention(heads=4, initial=fs.initial.Gaussian(10.0**size.value))
    _end = 12 / 10.0**size.value / second.value**2
    times = np.concatenate([[0.0], np.geomspace(_end / 1000, _end, 150)])
    race = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "strengths"))
    flow = fs.evolve(
        network, task, times, method=fs.Flow(solver="LSODA", rtol=1e-8), observe=("loss", "strengths", "risk")
    )
    with plot.style():
        stairs_figure, (_left, _right) = plot.panels(1, 2, width=4, height=3)
        plot.loss(flow, _left, label="all weights", kind="trained")
        plot.loss(race, _left, label="race of heads")
        for _level in task.plateaus:
            _left.axhline(_level, color="0.6", linestyle=":", linewidth=1)
        _left.set_xscale("symlog", linthresh=_end / 100)
        _left.legend()
        for _d in range(2):
            _right.plot(times, flow.strengths[:, _d], color=plot.COLOURS[_d], label=f"λ = {task.eigenvalues[_d]:.2g}")
        _right.set(xlabel="time (flow time)", ylabel="strength")
        _right.set_xscale("symlog", linthresh=_end / 100)
        _right.legend()
    stairs_figure
    return flow, race, task


@app.cell
def _(mo, np, race):
    mo.md(f"""
    Before any integration the weights of the heads say which component is learned and when:
    components {race.notes["components"]}, at times {np.round(race.notes["times"], 1).tolist()}.
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 1.** Why does the loss fall in steps, and where do the dotted lines come from?

    /// details | Answer
    A head is a product of three small numbers, so that it grows slowly while it is small. It turns to the
    eigenvector of Λ with the largest eigenvalue λ, grows like a chain of three layers, and stops when it has
    learned that component. The loss is then ½[Tr Λ − Σ s²/c] over the learned components, with $s = \lambda^2$ and
    $c = \lambda^2[(1 + 1/N)\lambda + \mathrm{Tr}\,\Lambda/N]$.
    ///

    **Question 2.** Make the first weights ten times smaller. By what factor is every step later? Compare with the
    two-layer networks of the first notebook.

    /// details | Answer
    About tenfold: a chain of three that starts at $u_0$ needs the time $u_0^{-1/3}/s$, and $u_0^{1/3}$ is the size
    of a weight. Two layers need a time that grows with the logarithm of the size only.
    ///
    """)
    return


@app.cell
def _(flow, fs, np, plot, task):
    _passages = flow.saddle_passages()
    with plot.style():
        risk_figure, (_ax,) = plot.panels(1, 1, width=5, height=3)
        for _m, _passage in enumerate(_passages):
            _at = int(np.searchsorted(flow.times, _passage.time))
            _ax.plot(
                task.examples, flow["risk"][_at], color=plot.COLOURS[_m], label=f"{len(_passage.components)} learned"
            )
        _ax.set(
            xlabel="examples in the context", ylabel="expected loss", title="what the network can do on each plateau"
        )
        if _passages:
            _ax.legend()
    risk_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 3.** What does the network do on the middle plateau? What would a statistician call it?

    /// details | Answer
    It regresses on the first principal component of the inputs and ignores the other: principal-component
    regression, with the number of components growing during training.
    ///
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## One matrix for key and query

    Theorists often merge key and query into one matrix per head, $M = \sum_h v_h U_h$. Is it the same network?
    """)
    return


@app.cell
def _(fs, np, plot, task):
    merged = fs.LinearAttention(heads=4, merged=True, initial=fs.initial.Gaussian(1e-3))
    _times = np.linspace(0, 30, 151)
    with plot.style():
        merged_figure, (_ax,) = plot.panels(1, 1, width=5, height=3)
        plot.loss(fs.evolve(merged, task, _times, method=fs.Flow()), _ax, label="all weights", kind="trained")
        plot.loss(fs.evolve(merged, task, _times, method=fs.Reduced()), _ax, label="D + 1 numbers")
        _ax.legend()
    merged_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 4.** Why is there one drop only?

    /// details | Answer
    Merged heads are the hidden units of a two-layer linear network with one output on the features $b
    x_q^\top$. One output means one mode, and so one drop: all components are learned together.
    ///
    """)
    return


if __name__ == "__main__":
    app.run()

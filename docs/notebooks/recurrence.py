"""Learning over time: a marimo notebook on linear recurrent networks."""

import marimo

app = marimo.App(width="medium", app_title="Learning over time")


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
    # Learning over time

    A recurrent network reads a sequence, one input after another, and answers at its end:
    $h_t = W_h h_{t-1} + W_x x_t$, $\hat y = W_y h_T$. The same matrices act at every time step. What does this
    sharing do to the order in which things are learned, and to what the network does on longer sequences?

    You need: the singular value decomposition, and what a gradient is.
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## Three numbers per mode

    The target is $y = \sum_t S_t x_t$. If all $S_t$ share their singular vectors, a mode of the task has a strength
    $s_l$ at each lag $l = T - t$, and the network has three numbers for it: input $a$, recurrence $b$ and output
    $c$. They follow the gradient of $\frac12 \sum_l (s_l - c\, b^l a)^2$.
    """)
    return


@app.cell
def _(mo):
    factor = mo.ui.slider(0.5, 1.3, value=1.0, step=0.1, label="how much one step earlier counts", show_value=True)
    recurrent = mo.ui.slider(0.0, 0.6, value=0.1, step=0.1, label="recurrence b at the start", show_value=True)
    mo.hstack([factor, recurrent])
    return factor, recurrent


@app.cell
def _(factor, fs, np, plot, recurrent):
    length = 5
    task = fs.tasks.sensory_integration(factor.value ** np.arange(length)[::-1, None])
    network = fs.LinearRNN(8, length=length, initial=fs.recurrent.AlignedRecurrence(0.01, recurrent=recurrent.value))
    times = np.linspace(0, 20, 61)
    modes = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "strengths", "eigenvalues"))
    training = fs.evolve(network, task, times, method=fs.Train(rate=0.005))
    with plot.style():
        mode_figure, (_left, _right) = plot.panels(1, 2, width=4, height=3)
        plot.loss(training, _left, label="trained")
        plot.loss(modes, _left, label="three numbers")
        _left.legend()
        for _lag in range(length):
            _right.plot(times, np.abs(modes.strengths[:, _lag, 0]), color=plot.COLOURS[_lag], label=f"lag {_lag}")
        _right.set(xlabel="time (flow time)", ylabel="strength")
        _right.legend()
    mode_figure
    return length, modes


@app.cell
def _(mo, modes, np):
    mo.md(f"Recurrence at the end: b = {np.linalg.norm(modes['eigenvalues'][-1, 0]):.3f}.")
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 1.** In which order are the lags learned? Why?

    /// details | Answer
    The last input (lag 0) first. Lag $l$ is carried by $c\,b^l a$: while $b$ is small, hardly any gradient reaches
    the earlier inputs.
    ///

    **Question 2.** To which value does the recurrence go, and when is that dangerous?

    /// details | Answer
    To the factor by which an input counts more, or less, if it comes one step earlier. Above one the network
    explodes on sequences longer than those it was trained on.
    ///
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## Longer sequences

    A network that has learned to sum its inputs should be able to sum longer sequences too.
    """)
    return


@app.cell
def _(mo):
    trained = mo.ui.slider(1, 40, value=15, step=1, label="training time", show_value=True)
    trained
    return (trained,)


@app.cell
def _(fs, length, np, plot, trained):
    _task = fs.tasks.integration(length=length)
    _network = fs.LinearRNN(8, length=length, initial=fs.initial.Gaussian(0.05))
    _run = fs.evolve(
        _network, _task, [0.0, float(trained.value)], method=fs.Flow(rtol=1e-8), seeds=3, observe=("extrapolation",)
    )
    with plot.style():
        longer_figure, (_ax,) = plot.panels(1, 1, width=5, height=3)
        _lengths = np.arange(length, 3 * length + 1)
        for _seed, _row in enumerate(_run["extrapolation"][:, -1]):
            _label = None if _seed else "three networks from different weights"
            _ax.plot(_lengths, _row / (0.5 * _lengths), color=plot.COLOURS[0], label=_label)
        _ax.axvline(length, color="0.6", linestyle="--", linewidth=1, label="length that was trained")
        _ax.legend()
        _ax.set(xlabel="length of the sequence", ylabel="loss over that of no answer", yscale="log")
    longer_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 3.** Why does the loss rise to the right of the dashed line, and why less so after longer training?

    /// details | Answer
    A recurrence of $b = 1 - \epsilon$ forgets: after $l$ steps $b^l \approx 1 - l\epsilon$ is left. On the trained
    lengths that costs little, on longer ones more. Longer training makes $\epsilon$ smaller.
    ///
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## A memory that is never learned

    Remember the first input of a sequence and ignore the rest. Start without any recurrence, $W_h = 0$.
    """)
    return


@app.cell
def _(fs, np, plot):
    _task, _times = fs.tasks.delayed_response(length=4), np.linspace(0, 60, 61)
    with plot.style():
        memory_figure, (_ax,) = plot.panels(1, 1, width=5, height=3)
        for _i, _b in enumerate((0.0, 0.3, 0.6)):
            _start = fs.recurrent.AlignedRecurrence(0.1, recurrent=_b)
            _run = fs.evolve(fs.LinearRNN(4, length=4, initial=_start), _task, _times, method=fs.Reduced())
            _ax.plot(_times, _run.loss, color=plot.COLOURS[_i], label=f"b = {_b:g} at the start")
        _ax.set(xlabel="time (flow time)", ylabel="loss")
        _ax.legend()
    memory_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 4.** Why is nothing learned from $b = 0$?

    /// details | Answer
    The gradient of $b$ comes from lag 1 only while $b = 0$, and the input of lag 1 does not count in this task. The
    other inputs only teach the network to say nothing.
    ///
    """)
    return


if __name__ == "__main__":
    app.run()

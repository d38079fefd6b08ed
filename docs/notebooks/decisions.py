"""Learning to decide: a marimo notebook on agents, their average and their saddles."""

import marimo

app = marimo.App(width="medium", app_title="Learning to decide")


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
    # Learning to decide

    The problem: mice learn to turn a wheel towards a grating on their left or right. All of them are taught in
    the same way, and yet some master the left side first, some the right, and some are biased for weeks. Is
    that noise, or does it follow from how they learn?

    You need: what a psychometric curve is, and the idea of learning from reward.
    """)
    return


@app.cell
def _(mo):
    offset = mo.ui.slider(-0.2, 0.2, value=0.05, step=0.05, label="mean initial bias", show_value=True)
    spread = mo.ui.slider(0.0, 0.2, value=0.1, step=0.05, label="spread of initial biases", show_value=True)
    agents = mo.ui.slider(5, 40, value=20, step=5, label="agents", show_value=True)
    mo.hstack([offset, spread, agents])
    return agents, offset, spread


@app.cell
def _(agents, fs, np, offset, spread):
    task, rate = fs.behaviour.DecisionTask(), 0.0026
    network = fs.behaviour.TutorExecutor(offset=offset.value, spread=spread.value)
    typical = fs.behaviour.TutorExecutor(offset=offset.value)
    times = rate * 240 * np.arange(0, 51, 2)  # up to 50 sessions of 240 trials
    watch = ("left_slope", "right_slope", "bias", "accuracy", "curve")
    played = fs.evolve(network, task, times, method=fs.Train(rate), seeds=agents.value, observe=watch)
    average = fs.evolve(typical, task, times, method=fs.Flow(), observe=watch)
    return average, network, played, task


@app.cell
def _(network, plot, task):
    with plot.style():
        network_figure, (_ax,) = plot.panels(1, 1, width=6, height=2.4)
        plot.schematic(network, task, _ax)
    network_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## Predict

    The agent multiplies what it sees by a *tutor* weight and by an *executor* weight: two layers in series.
    What one trial teaches is random; its average is not, and `fs.Flow()` integrates it.

    **Question 1.** Below is the average agent (line) and what agents did (band: the middle 90 %). The average
    hesitates before it improves. Does each agent?
    """)
    return


@app.cell
def _(average, np, played, plot):
    with plot.style():
        learn_figure, (_left, _right) = plot.panels(1, 2, width=3.9, height=3)
        _low, _high = np.quantile(played["accuracy"], [0.05, 0.95], axis=0)
        _left.fill_between(played.times, _low, _high, color="#99c7e0", linewidth=0, label="agents")
        _left.plot(average.times, average["accuracy"], color="#00446b", linewidth=1.3, label="average, predicted")
        _left.set(xlabel=f"time ({played.unit})", ylabel="share of correct choices", ylim=(0.4, 1))
        _left.legend(loc="lower right")
        for _at, _label, _colour in ((0, "before", plot.COLOURS[0]), (-1, "after", plot.COLOURS[1])):
            plot.psychometric(played, _right, at=_at, label=_label, color=_colour)
        _right.legend()
    learn_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    /// details | Answer
    Yes. Hesitation is a saddle: with two layers in series, a pathway whose weights are both small learns
    slowly, because each layer is taught in proportion to the other.
    ///

    ## The surprise

    Each path below is one agent in the plane of its two slopes; diamonds are the points at which the average
    network could rest (L: it has learned left alone, R: right alone).
    """)
    return


@app.cell
def _(fs, network, played, plot, task):
    with plot.style():
        plane_figure, (_ax,) = plot.panels(1, 1, width=5, height=3.6)
        plot.decision(played, _ax, points=network.stationary_points(task))
    plane_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    Agents do not walk along the diagonal. Most learn one side first, and which one is decided by a small
    initial bias: individuals differ because they pass different saddles, not because they learn by different
    rules.

    **Question 2.** Set the spread to 0 and the mean bias to 0.2. On which side of the diagonal do the paths
    run? And at −0.2?

    /// details | Answer
    An agent that is biased to the right is rewarded when the stimulus is on the right, and learns that side
    first; with the other sign it learns the left side first.
    ///

    ## Where it fails

    **Question 3.** The average agent at bias 0 goes along the diagonal. Does the average describe *any* agent then?

    /// details | Answer
    No: with spread it is the mean of paths that go to either side. An average over individuals is not an
    individual, which is why learning curves that are averaged over animals look gradual. Sizes fail too: the
    rate and the spread of biases of an animal are not known, and both set how far paths are from the diagonal.
    ///
    """)
    return


if __name__ == "__main__":
    app.run()

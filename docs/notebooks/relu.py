"""Units that align: a marimo notebook on ReLU networks predicted from their own random weights."""

import marimo

app = marimo.App(width="medium", app_title="Units that align")


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
    # Units that align

    The problem: 64 random units look at four data points, and none of them knows what to do. Some time later a
    few kinds of units have divided the task among themselves. Can we predict, from the random weights alone,
    which unit will do what, and when?

    You need: what a ReLU unit is, and what a gradient is.
    """)
    return


@app.cell
def _(mo):
    delta = mo.ui.slider(0, 2, value=0.5, step=0.1, label="margin Δ", show_value=True)
    scale = mo.ui.slider(-4, -0.5, value=-3, step=0.5, label="standard deviation, log₁₀", show_value=True)
    seed = mo.ui.slider(0, 9, value=0, label="seed", show_value=True)
    mo.hstack([delta, scale, seed])
    return delta, scale, seed


@app.cell
def _(delta, fs, np, scale, seed):
    task = fs.tasks.extended_xor(delta.value)
    network = fs.ReLU((64,), initial=fs.initial.Gaussian(10.0**scale.value))
    times, watch = np.linspace(0, 12 - 12 * scale.value, 161), ("loss", "weights")
    predicted = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed.value)
    trained = fs.evolve(network, task, times, method=fs.Train(rate=0.05), seed=seed.value, observe=watch)
    return network, predicted, task, trained


@app.cell
def _(network, plot, task):
    with plot.style():
        network_figure, (_ax,) = plot.panels(1, 1, width=6, height=2.6)
        plot.schematic(network, task, _ax)
    network_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## Predict

    While all weights are small the network says nothing, so that every unit sees the whole target. It turns
    towards the direction in which it correlates best with the targets of the points for which it is open, and
    grows. `fs.Reduced()` follows each unit of *this* seed until it has turned, joins units that end with the
    same gates into modules, and lets the modules race.

    **Question 1.** What will a smaller standard deviation change: what is learned, or only when?
    """)
    return


@app.cell
def _(fs, plot, predicted, trained):
    with plot.style():
        loss_figure, (_ax,) = plot.panels(1, 1, width=5.5, height=3)
        plot.loss(trained, _ax, label="trained")
        plot.loss(predicted, _ax, label="predicted from the seed's weights")
        _ax.set_title(f"area between the curves: {100 * fs.compare(predicted, trained).area:.2g} % of the area below")
        _ax.legend()
    loss_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    /// details | Answer
    Only when: each factor of ten adds the same wait, because growth is exponential. From large weights
    ($10^{-0.5}$) it also changes what is learned, because units have no time to turn.
    ///

    ## The surprise

    Below: for which of the four points is a unit open, at the start and at the end? Every dot is a pattern of
    open (●) and shut (○) points, and bars are the share of the network's map that units with this pattern
    carry.
    """)
    return


@app.cell
def _(np, plot, task, trained):
    _shares = []
    for _at in (0, -1):
        _first, _second = (w[_at] for w in trained.weights)
        _open = _first @ task.x.T > 0
        _size = np.linalg.norm(_first, axis=1) * np.linalg.norm(_second, axis=0)
        _keys = ["".join("●" if o else "○" for o in row) for row in _open]
        _shares.append({key: sum(s for k, s in zip(_keys, _size, strict=True) if k == key) for key in set(_keys)})
    _names = sorted({*_shares[0], *_shares[1]}, key=lambda key: -_shares[1].get(key, 0))[:10]
    with plot.style():
        gate_figure, (_ax,) = plot.panels(1, 1, width=6.5, height=2.8)
        for _k, (_share, _label) in enumerate(zip(_shares, ("at the start", "at the end"), strict=True)):
            _total = sum(_share.values())
            _values = [_share.get(name, 0) / _total for name in _names]
            _places = np.arange(len(_names)) + 0.4 * _k - 0.2
            _ax.bar(_places, _values, 0.4, color=("0.75", plot.COLOURS[0])[_k], label=_label)
        _ax.set_xticks(range(len(_names)), _names)
        _ax.set(xlabel="open for points 1 to 4", ylabel="share of the map")
        _ax.legend()
    gate_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    At the start all patterns are there, in proportion to how often random weights make them. At the end a few
    carry everything, and units of the others have hardly moved. Nobody told the network to have few kinds of
    units: they are those that won.

    **Question 2.** Move Δ across $\sqrt{2/3} \approx 0.82$. Which patterns win on either side?

    /// details | Answer
    Below, patterns that are active at one point (XOR gating); above, patterns that are active at both points of
    one target (linear gating).
    ///

    ## Where it fails

    **Question 3.** Raise the standard deviation to $10^{-0.5}$. Where do prediction and training part, and why
    there?

    /// details | Answer
    In the middle of learning. Units turn and grow at the same time, so that they do not see the whole target
    any more while they turn. The theory assumes that turning comes first.
    ///
    """)
    return


if __name__ == "__main__":
    app.run()

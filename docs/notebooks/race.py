"""The race: a marimo notebook on gated networks and the ReLU networks that follow them."""

import marimo

app = marimo.App(width="medium", app_title="The race")


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
    # The race

    A ReLU unit is a linear unit with a gate: open for some data points, shut for the others. If you knew which
    gates a ReLU network will end up with, you could replace it by a *gated linear* network, and predict how
    fast it learns. Pathways with different gates compete: the one that explains the targets first leaves
    nothing for the others. It is a race.
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## Four points

    | | $x_1$ | $x_2$ | $x_3$ | target |
    |---|---:|---:|---:|---:|
    | 1 | −1 | −1 | −Δ | −1 |
    | 2 | 1 | −1 | Δ | 1 |
    | 3 | −1 | 1 | Δ | 1 |
    | 4 | 1 | 1 | −Δ | −1 |

    In the first two inputs it is XOR, which no linear network solves. The third solves it alone, with margin Δ.
    So there are two ways to gate: two pathways, one for each target (*linear*), or one pathway per data point (*XOR*).

    **Question 1.** Before you move the slider: for which Δ would you expect a ReLU network to prefer linear
    gating?
    """)
    return


@app.cell
def _(mo):
    delta = mo.ui.slider(0, 3, value=0.5, step=0.1, label="Δ", show_value=True)
    scale = mo.ui.slider(-5, -1, value=-3, step=0.5, label="standard deviation, log₁₀", show_value=True)
    seeds = mo.ui.slider(1, 10, value=4, label="networks", show_value=True)
    mo.hstack([delta, scale, seeds])
    return delta, scale, seeds


@app.cell
def _(delta, fs, np, scale, seeds):
    task = fs.tasks.extended_xor(delta.value)
    weights = fs.initial.Gaussian(10.0**scale.value)
    times = np.linspace(0, 8 - 11 * scale.value, 201)
    sign = task.y[:, 0]
    gatings = {
        "linear": fs.gated.pathways([sign > 0, sign < 0], 64, initial=weights),
        "XOR": fs.gated.pathways(np.eye(4), 32, initial=weights),
    }
    ranking = fs.gated.rank_gatings(task, gatings, times=times)
    relu = fs.ReLU((128,), initial=weights)
    runs = fs.evolve(relu, task, times, method=fs.Train(rate=0.1), seeds=seeds.value, observe=("loss", "weights"))
    return ranking, runs, task, weights


@app.cell
def _(plot, ranking, runs):
    with plot.style():
        race_figure, (_ax,) = plot.panels(1, 1, width=5.5, height=3.2)
        plot.loss(runs, _ax, label="ReLU networks, trained")
        for _runner in ranking.runners:
            _colour = plot.COLOURS[0] if _runner.name == "linear" else plot.COLOURS[1]
            _ax.plot(_runner.times, _runner.loss, color=_colour, lw=1.3, label=f"{_runner.name} gating, predicted")
        _ax.legend()
    race_figure
    return


@app.cell
def _(mo, np, ranking):
    mo.md(f"""
    Predicted winner: **{ranking.winner}**. The pathways' strengths are Δ/2 (linear) and √(2 + Δ²)/4 (XOR); they
    are equal at Δ = √(2/3) ≈ {np.sqrt(2 / 3):.2f}.
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 2.** Nothing was fitted. Where does the initial strength of a pathway come from?

    /// details | Answer
    From the random weights. A pathway of $n$ units whose entries have variance $\sigma^2$ begins at
    $n\sigma^2/2$ on average: half of the 128 units belong to each linear pathway, a quarter to each XOR pathway.
    ///

    **Question 3.** At Δ = 0.5 the points are separable, and yet the networks learn XOR. Why is that not a
    failure of optimisation?

    /// details | Answer
    Both gatings reach zero loss. XOR gating is learned faster, because $\sqrt{2 + \Delta^2}/4 > \Delta/2$ below
    $\Delta = \sqrt{2/3}$; once it has explained the targets nothing is left to learn.
    ///

    **Question 4.** Raise the standard deviation to $10^{-1}$. What happens to the agreement, and why?
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## Which gates did they really find?

    For each unit of the first network: for which of the four points is it open after training? Units are weighted by
    the size of their contribution, ‖incoming‖ × ‖outgoing‖.
    """)
    return


@app.cell
def _(np, plot, runs, task):
    first, second = (w[0, -1] for w in runs.weights)
    open_for = first @ task.x.T > 0
    size = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=0)
    patterns, _which = np.unique(open_for, axis=0, return_inverse=True)
    share = np.bincount(_which.ravel(), size) / size.sum()
    _order = np.argsort(-share)[:8]
    _names = ["".join("●" if o else "○" for o in patterns[i]) for i in _order]
    with plot.style():
        gate_figure, (_ax,) = plot.panels(1, 1, width=5.5, height=2.6)
        _ax.bar(_names, share[_order], color=plot.COLOURS[2])
        _ax.set(xlabel="open for points 1 to 4", ylabel="share of the map")
    gate_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 5.** Compare the patterns at Δ = 0.3 and at Δ = 2. Which of them are the pathways of the winner?

    /// details | Answer
    At Δ = 2 the units that contribute are open for points 2 and 3 or for 1 and 4: the linear gating. At Δ = 0.3
    each is open for one point, some for one and another that adds little: the XOR gating.
    ///
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## Try your own pathways

    Choose the points for which two pathways are open. Can you beat the networks?
    """)
    return


@app.cell
def _(mo):
    one = mo.ui.multiselect(["1", "2", "3", "4"], value=["2", "3"], label="first pathway")
    two = mo.ui.multiselect(["1", "2", "3", "4"], value=["1", "4"], label="second pathway")
    mo.hstack([one, two])
    return one, two


@app.cell
def _(fs, mo, np, one, ranking, task, two, weights):
    gates = [np.isin(["1", "2", "3", "4"], chosen.value) for chosen in (one, two)]
    if all(gate.any() for gate in gates):
        mine = {"yours": fs.gated.pathways(gates, 64, initial=weights)}
        yours = fs.gated.rank_gatings(task, mine, criterion=ranking.criterion)
        told = f"**{yours.runners[0].time:.3g}**" if np.isfinite(yours.runners[0].time) else "never"
    else:
        told = "never: a pathway that is never open learns nothing"
    mo.md(f"Time to loss {ranking.criterion:.2g}: {told}. The winner of the race needs {ranking.runners[0].time:.3g}.")
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 6.** Try {1, 2} and {3, 4}; then open both pathways for all points. At Δ = 0.5 both are faster than the
    winner. Why does no ReLU network take them?

    /// details | Answer
    In a ReLU unit the weights that gate are the weights that compute. A unit that is open for 1 and 2 is active, with
    the same sign, at both, but their targets have opposite signs. And no unit can be open for all four: the four inputs
    add up to zero. A gated network may have any gates, a ReLU network only those that its own growth keeps open.
    ///
    """)
    return


if __name__ == "__main__":
    app.run()

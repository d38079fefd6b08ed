"""Rich and lazy: a marimo notebook on λ-balanced networks."""

import marimo

app = marimo.App(width="medium", app_title="Rich and lazy")


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
    # Rich and lazy

    Two networks solve the same task. One has changed its representation of the inputs to do so (*rich*), the
    other has only read out a representation that it happened to have (*lazy*). It is often said that large
    initial weights make a network lazy. That is half of the story: it also matters which layer is larger.

    Everything below is exact for two linear layers, $\hat y = W_2 W_1 x$, on white inputs, and can be checked by
    training.
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## The imbalance λ

    Gradient flow conserves $W_2^\top W_2 - W_1 W_1^\top$. If it is $\lambda \mathbf 1$ at the start, it stays
    so for ever. λ > 0 means a strong output layer. A single mode of strength $s$ obeys

    $$\frac{da}{dt} = \sqrt{\lambda^2 + 4 a^2}\; (s - a).$$
    """)
    return


@app.cell
def _(mo):
    imbalance = mo.ui.slider(-2, 2, value=0.5, step=0.25, label="log₁₀ |λ|", show_value=True)
    small = mo.ui.slider(-4, 0, value=-2, step=0.5, label="initial strength a₀, log₁₀", show_value=True)
    mo.hstack([imbalance, small])
    return imbalance, small


@app.cell
def _(fs, imbalance, np, plot, small):
    _task = fs.Task([[1.0]], [[1.0]])
    _times = np.linspace(0, 8, 401)
    with plot.style():
        mode_figure, (_ax,) = plot.panels(1, 1, width=5, height=3)
        for _lambda, _colour in ((10.0**imbalance.value, plot.COLOURS[1]), (0.0, "0.6")):
            _start = fs.initial.Balanced(10.0**small.value, lambda_=_lambda, map=[[1.0]])
            _path = fs.evolve(fs.DeepLinear((1,), initial=_start), _task, _times, observe=("strengths",))
            _ax.plot(_times, _path.strengths[:, 0], color=_colour, label=f"λ = {_lambda:.3g}")
        _ax.set(xlabel="flow time", ylabel="strength a", title="one mode, s = 1")
        _ax.legend()
    mode_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 1.** Describe how the curve changes from small to large $|\lambda|$. What is the equation in both
    limits?

    /// details | Answer
    λ → 0: $\dot a = 2a(s - a)$, a sigmoid that waits for $\ln(s/a_0)/(2s)$. Large $|\lambda|$: $\dot a =
    |\lambda|(s - a)$, an exponential that starts at once. The strong layer is as good as constant, and the other
    one learns a linear regression.
    ///
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## A whole network

    Now several modes, and a shape. The *tangent kernel* says how a step on one data point changes the output on
    another. If it stays as it was, the network is lazy; if it turns, the representation has been learned.
    """)
    return


@app.cell
def _(mo):
    shapes = ["square 4-4-4", "funnel 8-4-4", "inverse funnel 4-4-8"]
    shape = mo.ui.dropdown(shapes, value=shapes[0], label="shape")
    lambda_ = mo.ui.slider(-10, 10, value=0, step=0.5, label="λ", show_value=True)
    scale = mo.ui.slider(-3, 1.5, value=-2, step=0.5, label="scale of the map, log₁₀", show_value=True)
    mo.hstack([shape, lambda_, scale])
    return lambda_, scale, shape


@app.cell
def _(fs, lambda_, np, plot, scale, shape):
    inputs, hidden, outputs = (int(n) for n in shape.value.split()[-1].split("-"))
    task = fs.tasks.teacher(inputs, outputs, strengths=(3.0, 2.0, 1.0), seed=0)
    network = fs.DeepLinear((hidden,), initial=fs.initial.Balanced(10.0**scale.value, lambda_=lambda_.value))
    times = np.concatenate([[0.0], np.geomspace(1e-3, 100, 200)])
    seen = ("loss", "kernel_distance")
    path = fs.evolve(network, task, times, observe=seen)
    training = fs.evolve(network, task, times[times < 10], method=fs.Train(rate=0.005))
    with plot.style():
        whole_figure, (_left, _right) = plot.panels(1, 2, width=4, height=3)
        plot.loss(training, _left, label="trained")
        plot.loss(path, _left, label="exact")
        _left.set_xscale("log")
        _left.legend()
        _right.plot(times, path["kernel_distance"])
        _right.set(xscale="log", xlabel="time (flow time)", ylabel="kernel distance", ylim=(0, 1))
    whole_figure
    return network, task


@app.cell
def _(fs, mo, network, task):
    mo.md(f"festina's verdict, from the weights before training:\n\n```\n{network.regime(task)}\n```")
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 2.** For each of the three shapes, try λ = 10 and λ = −10. Which are lazy? Which wait, and then
    turn after all?

    /// details | Answer
    Square: lazy for both. Funnel (more inputs than outputs): lazy at λ = 10; at −10 the first layer is strong,
    but in directions that the few outputs do not need, so that it has to turn: *delayed rich*, after about
    $|\lambda|/s^2$. Inverse funnel: the other way round.
    ///

    **Question 3.** At λ = 0 and with the square shape, raise the scale as far as it goes. Does the network
    become lazy? Compare with λ = 10 at scale $10^{-2}$.

    /// details | Answer
    No: its kernel still goes a quarter of the way. A balanced network whose weights are large has a large map, and
    both layers have to undo it. Lazy needs weights that are large while the map is small, and that is what λ gives: the
    *relative* scale of the layers decides, not the absolute scale alone.
    ///
    """)
    return


@app.cell
def _(mo):
    mo.md(r"""
    ## When the task is reversed

    A network has learned its task. Now every target changes its sign.
    """)
    return


@app.cell
def _(mo):
    turned = mo.ui.slider(0, 3, value=0, step=0.25, label="λ", show_value=True)
    turned
    return (turned,)


@app.cell
def _(fs, np, plot, turned):
    _task = fs.tasks.teacher(4, 4, strengths=(2.0, 1.0), seed=3)
    _network = fs.DeepLinear((4,), initial=fs.initial.Balanced(0.1, lambda_=turned.value))
    course = fs.evolve(_network, fs.sequence([_task, _task.reversed()]), np.linspace(0, 15, 301))
    with plot.style():
        turn_figure, (_ax,) = plot.panels(1, 1, width=5, height=3)
        _ax.plot(course.times, course.loss)
        _ax.axvline(15, color="0.6", linestyle="--", linewidth=1)
        _ax.set(xlabel="flow time", ylabel="loss of the task being learned", title="reversal after 15")
    turn_figure
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 4.** Why does the network at λ = 0 learn the reversed task so late, or never? What does λ ≠ 0 change?

    /// details | Answer
    After learning, both layers carry a mode equally. The gradient of the reversed task shrinks both, exactly
    towards zero: the way leads into the saddle, not past it. At λ ≠ 0 the layers are unequal, the weaker one
    reaches zero first, and the stronger one carries it through to the other sign.
    ///
    """)
    return


if __name__ == "__main__":
    app.run()

"""A child's words: a marimo notebook on semantic development, from a table of words and what is said of them."""

import marimo

app = marimo.App(width="medium", app_title="A child's words")


@app.cell
def _():
    import io

    import marimo as mo
    import numpy as np
    import pandas as pd

    import festina as fs
    from festina import plot

    return fs, io, mo, np, pd, plot


@app.cell
def _(mo):
    mo.md(r"""
    # A child's words

    Children call every animal a dog before they tell dogs from cats, and say for a while that worms have bones.
    Both follow if a child learns, from what is said of things, as a deep network does. This notebook takes a
    table of words and predicts which things are told apart, and when, and which false beliefs come in between.
    Put your own table in its place: one row per word, one column per thing that is said of it.
    """)
    return


@app.cell
def _(io, np, pd):
    csv = """word,grows,moves,breathes,has legs,barks,purrs,flies,sings,swims,scales,has roots,has leaves,smells,tall
    dog,1,1,1,1,1,0,0,0,0,0,0,0,0,0
    cat,1,1,1,1,0,1,0,0,0,0,0,0,0,0
    bird,1,1,1,1,0,0,1,1,0,0,0,0,0,0
    fish,1,1,1,0,0,0,0,0,1,1,0,0,0,0
    worm,1,1,1,0,0,0,0,0,0,0,0,0,0,0
    flower,1,0,0,0,0,0,0,0,0,0,1,1,1,0
    tree,1,0,0,0,0,0,0,0,0,0,1,1,0,1
    grass,1,0,0,0,0,0,0,0,0,0,1,1,0,0"""
    table = pd.read_csv(io.StringIO(csv), index_col="word", skipinitialspace=True)  # your own: pd.read_csv("words.csv")
    table.index = table.index.str.strip()
    words = list(table.index)
    said = table.to_numpy(float)
    heard = np.eye(len(words))  # each word is a thing of its own: likeness has to be learned from what is said
    table
    return heard, said, table, words


@app.cell
def _(mo):
    small = mo.ui.slider(-5, -1, value=-3, step=0.5, label="initial weights, log₁₀", show_value=True)
    units = mo.ui.slider(8, 64, value=32, step=8, label="hidden units", show_value=True)
    mo.hstack([small, units])
    return small, units


@app.cell
def _(fs, heard, np, said, small, table, units, words):
    task = fs.Task(heard, said, items=words, outputs=list(table.columns), name="words")
    network = fs.DeepLinear((units.value,), initial=fs.initial.Gaussian(10.0**small.value))
    times = np.linspace(0, 120, 241)
    seen = ("loss", "strengths", "outputs", "hidden")
    predicted = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "strengths"))
    child = fs.evolve(network, task, times, method=fs.Train(rate=0.1), observe=seen)
    return child, predicted, task, times


@app.cell
def _(child, fs, plot, predicted):
    with plot.style():
        stages_figure, (_left, _right) = plot.panels(1, 2, width=4.2, height=3.2)
        child.plot(_left, label="trained")
        predicted.plot(_left, label="predicted")
        _left.legend()
        plot.strengths(child, _right)
        plot.strengths(predicted, _right)
    stages_figure
    return


@app.cell
def _(mo, predicted):
    mo.md(f"The prediction, from the weights before training:\n\n```\n{predicted.stages()}\n```")
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 1.** Why does the child tell animals from plants before dogs from cats? Delete columns of the
    table, or whole words, and predict what will change.

    /// details | Answer
    A distinction is learned at a rate that grows with its strength, the singular value that it has in the table. Many
    words and many properties go with *animal or plant*, few with *dog or cat*. The wait of a distinction of strength s
    is about ln(1/initial weights)/s.
    ///

    ## What the child believes meanwhile

    Each line is what the network says of one word. Where a line rises and falls again, the belief was false.
    """)
    return


@app.cell
def _(mo, table):
    which = mo.ui.slider(0, table.shape[1] - 1, value=3, step=1, label="column of the table", show_value=True)
    which
    return (which,)


@app.cell
def _(child, plot, table, times, which, words):
    with plot.style():
        belief_figure, (_ax,) = plot.panels(1, 1, width=5.5, height=3.2)
        for _k, _word in enumerate(words):
            _ax.plot(times, child.outputs[:, _k, which.value], label=_word)
        _ax.set(xlabel="time (flow time)", ylabel=f"belief that it {table.columns[which.value]}")
        _ax.legend(ncols=2, fontsize=7)
    belief_figure
    return


@app.cell
def _(child, mo):
    mo.md(f"```\n{child.learned('item')}\n```")
    return


@app.cell
def _(mo):
    mo.md(r"""
    **Question 2.** For *has legs*: which words are believed to have legs before they are known not to? Which
    distinction ends the false belief?

    /// details | Answer
    Fish and worms. Most animals have legs, and as long as animals are one thing they all have. The belief ends when
    animals are told from each other.
    ///

    **Question 3.** You have ages at which children first say these things. How do you compare them with the prediction?

    /// details | Answer
    `child.learned("item").to_pandas()` has one row per word with its time. One number is free, the flow time of a
    month; the *order*, and the ratios of times, are not.
    ///
    """)
    return


if __name__ == "__main__":
    app.run()

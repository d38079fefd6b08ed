"""What does it believe falsely on the way?

Which of eighteen women went to which of fourteen events: the data of Davis, Gardner and Gardner (1941), from networkx.
On its way to knowing them all, the network is sure of visits that never happened, because friends were there.
"""

import networkx as nx
import numpy as np

import festina as fs
from festina import plot

graph = nx.davis_southern_women_graph()
women, events = graph.graph["top"], graph.graph["bottom"]
went = nx.to_numpy_array(graph, nodelist=[*women, *events])[: len(women), len(women) :]
task = fs.Task(np.eye(len(women)), went, items=women, outputs=events)
network, times = fs.DeepLinear((32,), initial=fs.initial.Gaussian(1e-3)), np.linspace(0, 120, 401)
predicted, trained = (fs.evolve(network, task, times, method=m) for m in (fs.Reduced(), fs.Train(rate=0.02)))
with plot.style():
    figure, (ax,) = plot.panels(1, 1, width=5, height=3.2)
    for (item, output, _, _), colour in zip(predicted.illusions().strongest()[:3], plot.COLOURS, strict=False):
        at = (slice(None), women.index(item), events.index(output))
        ax.plot(trained.times, trained.outputs[at], color=colour, linewidth=6, alpha=0.3)
        ax.plot(times, predicted.outputs[at], color=colour, label=f"{item} at {output}")
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.set(xlabel="time (flow time)", ylabel="“she was there”")
    ax.legend(title="pale: trained, thin: predicted")
    figure.savefig("beliefs.png")

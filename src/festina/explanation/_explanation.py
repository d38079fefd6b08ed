"""The result of ``fs.explain``."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.explanation._module import ExplainedLayer, ExplainedModule
from festina.explanation._sentence import PATHWAYS, headline, layer_lines, pathway_lines, percent
from festina.explanation._theory import Match
from festina.explanation._training import Event

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """A network as modules; made by ``fs.explain``. The first line of its text is a sentence to quote.

    Attributes:
        layers: for every hidden layer its modules and how well they imitate it, beside baselines.
        hidden: units (channels) of every hidden layer.
        loss_name: ``"squared"``, ``"cross-entropy"`` or ``"binary"``.
        loss: of the network on all data points; ``constant_loss`` is that of the best constant answer.
        accuracy, margin: of the network on all data points; None for regression.
        points: numbers of the data points that were looked at; ``total`` is how many there are.
        inputs: all data points, flat.
        groups: the group of every point looked at, or None; ``group_names`` names them.
        output_names: one per output; ``feature_names`` one per input, if they were given.
        image_shape: of an input, or None.
        times: of the checkpoints, the last of which is the network; ``losses`` at each, on the points looked at.
        events: what happened to modules between checkpoints.
        notes: what the reader should know, in sentences.
        matches: found modules beside those that the theory predicts for the first checkpoint.
    """

    layers: tuple[ExplainedLayer, ...]
    hidden: tuple[int, ...]
    loss_name: str
    loss: float
    constant_loss: float
    accuracy: float | None
    margin: float | None
    points: np.ndarray
    total: int
    inputs: np.ndarray
    groups: np.ndarray | None
    group_names: tuple[str, ...]
    output_names: tuple[str, ...]
    image_shape: tuple[int, ...] | None
    times: np.ndarray
    losses: np.ndarray
    events: tuple[Event, ...]
    notes: tuple[str, ...]
    matches: tuple[Match, ...] = ()
    feature_names: tuple[str, ...] = ()

    @property
    def modules(self) -> tuple[ExplainedModule, ...]:
        """Modules of the last hidden layer."""
        return self.layers[-1].modules

    @property
    def headline(self) -> str:
        """What the network is, in one sentence."""
        return headline(self)

    def to_json(self) -> dict[str, Any]:
        """Everything but the inputs, gates and maps, as plain data."""
        return {
            "headline": self.headline,
            "hidden": list(self.hidden),
            "loss_name": self.loss_name,
            "loss": self.loss,
            "constant_loss": self.constant_loss,
            "accuracy": self.accuracy,
            "margin": self.margin,
            "points": len(self.points),
            "total": self.total,
            "group_names": list(self.group_names),
            "output_names": list(self.output_names),
            "times": self.times.tolist(),
            "losses": self.losses.tolist(),
            "layers": [layer.to_json() for layer in self.layers],
            "events": [
                {"time": e.time, "layer": e.layer, "kind": e.kind, "modules": list(e.modules), "text": e.text}
                for e in self.events
            ],
            "matches": [asdict(one) for one in self.matches],
            "notes": list(self.notes),
        }

    def save_json(self, path: str | Path) -> Path:
        """Write ``to_json()`` to a file."""
        path = check.new_file("path", path)
        path.write_text(json.dumps(self.to_json(), indent=2) + "\n", encoding="utf-8")
        return path

    def save_html(self, path: str | Path) -> Path:
        """Write one HTML page that needs nothing else: sentences, figures with captions, tables.

        Args:
            path: the file; an older one is replaced.

        Returns:
            The path.

        Example:
            >>> import numpy as np, festina as fs, tempfile
            >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
            >>> page = found.save_html(tempfile.mkdtemp() + "/page.html")
            >>> page.read_text().startswith("<!doctype html>")
            True
        """
        from festina.explanation._page import write_page

        return write_page(self, path)

    def draw(self, ax: Axes, view: str = "on", layer: int | None = None, module: int = 1) -> None:
        """Draw one view into given axes; ``fs.plot.explanation`` says which there are."""
        from festina.explanation._drawing import draw

        check.axes(ax)
        draw(self, ax, view, layer, module)

    def __repr__(self) -> str:
        words = {"shared": "shared gates", "fitted": "fitted maps", "none": "no small set"}
        parts = (f"{len(each.modules)} of {each.width} units, {words[each.verdict]}" for each in self.layers)
        return f"Explanation(modules: {'; '.join(parts)})"

    def __str__(self) -> str:
        constant = f"the best constant answer has {self.constant_loss:.3g}"
        quality = f"Loss ({self.loss_name}) {self.loss:.3g}; {constant}."
        if self.accuracy is not None:
            quality += f" Accuracy {percent(self.accuracy)}, mean margin {self.margin:.3g}."
        lines = [self.headline, quality]
        for layer in self.layers:
            lines += ["", *layer_lines(layer, self.group_names)]
        if len(self.layers) > 1:
            lines += ["", PATHWAYS, *(f"  {line}" for line in pathway_lines(self.layers))]
        if self.events:
            lines += ["", "Through training:", *(f"  {event.text}" for event in self.events)]
        if self.matches:
            lines += [
                "",
                "Beside the theory (fs.Reduced() from the first checkpoint):",
                *(f"  {m}" for m in self.matches),
            ]
        return "\n".join([*lines, *(["", *self.notes] if self.notes else [])])

    def _repr_html_(self) -> str:
        from html import escape

        rest = "".join(f"<li>{escape(line.strip())}</li>" for line in str(self).splitlines()[1:] if line.strip())
        return f"<p><b>{escape(self.headline)}</b></p><ul>{rest}</ul>"

"""The result of ``fs.explain``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from festina.checks import check
from festina.explanation._drawing import draw
from festina.explanation._findings import Findings
from festina.explanation._page import write_page
from festina.storage.store import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Findings):
    """A network as modules; made by ``fs.explain``. The first line of its text is a sentence to quote.

    Attributes:
        layers: for every hidden layer its modules and how well they imitate it, compared with baselines.
        hidden: units (channels) of every hidden layer.
        loss_name: ``"squared"``, ``"cross_entropy"`` or ``"binary"``.
        loss: the loss of the network on all data points; ``constant_loss`` is that of the best constant answer.
        accuracy, margin: of the network on all data points; None for regression.
        points: numbers of the data points that were looked at; ``total`` is how many there are.
        inputs: all data points, flat.
        groups: the group of every point looked at, or None; ``group_names`` names them.
        output_names: one per output; ``feature_names`` one per input, if they were given.
        image_shape: the image shape of an input, or None.
        times: the times of the checkpoints, the last of which is the network; ``losses`` at each, on the points looked
            at.
        events: what happened to modules between checkpoints.
        notes: what the reader should know, in sentences.
        matches: found modules next to those that the theory predicts for the first checkpoint.

    Example:
        >>> import numpy as np, festina as fs
        >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
        >>> found
        Explanation(modules: 2 of 2 units, shared gates)
        >>> print(found.headline[:34])
        This network (2 hidden units, loss
    """

    def save_json(self, path: str | Path) -> Path:
        """Write ``to_json()`` to a file; an older one is replaced when the new one is complete."""
        return save("path", check.new_file("path", path), json.dumps(self.to_json(), indent=2) + "\n")

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
        return write_page(self, path)

    def draw(self, ax: Axes, view: str = "on", layer: int | None = None, module: int = 1) -> None:
        """Draw one view into given axes; ``fs.plot.explanation`` says which there are."""
        check.axes(ax)
        draw(self, ax, view, layer, module)

    def __repr__(self) -> str:
        words = {"shared": "shared gates", "fitted": "fitted maps", "none": "no small set"}
        parts = (f"{len(each.modules)} of {each.width} units, {words[each.verdict]}" for each in self.layers)
        return f"Explanation(modules: {'; '.join(parts)})"

    def _repr_html_(self) -> str:
        rest = "".join(f"<li>{escape(line.strip())}</li>" for line in str(self).splitlines()[1:] if line.strip())
        return f"<p><b>{escape(self.headline)}</b></p><ul>{rest}</ul>"

"""A trajectory: the values of a run over time, and everything that can be read off them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.analysis import embedding, kernel, passage, prediction, semantic
from festina.analysis import learned as learning
from festina.analysis import rdm as dissimilarity
from festina.analysis import regime as richness
from festina.analysis import stages as staging
from festina.core.display import ends_in_words, render, shape_in_words, sketch
from festina.core.look import axis, draw_loss, styled
from festina.core.observations import AREA, Observations
from festina.storage import trajectory_file

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(Observations):
    """Observed values over time: ``trajectory.loss`` or ``trajectory["loss"]``.

    Arrays have shape (times, …), with a leading seed axis where ``seeds`` was given. Layer-wise observables
    (``weights``, ``hidden``) are tuples, one array per layer.

    Its fields are listed at ``festina.core.Observations``; the methods below analyse what was observed.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> path = fs.evolve(network, task, np.linspace(0, 50, 6), observe=("loss", "strengths"))
        >>> path
        Trajectory(Exact(): loss, strengths at 6 times to 50 (flow time))
        >>> path.strengths.shape, path.unit
        ((6, 4), 'flow time')
    """

    def to_xarray(self) -> xarray.Dataset:
        """All values as one labelled dataset; layers of a tuple become ``name_0``, ``name_1``, …"""
        found = self.labelled()
        if self.estimated and self.error is not None:
            found.arrays["error"] = (found.lead, self.error)
        described = {
            "method": self.label,
            "network": repr(self.network),
            "task": repr(self.task),
            "assumptions": json.dumps([asdict(a) for a in self.assumptions]),
            "sources": json.dumps(self.sources),
        }
        return found.to_xarray(described)

    def to_pandas(self, names: Sequence[str] | None = None) -> pandas.DataFrame:
        """One row per time (and seed), one column per observed number, called by the names that the task has.

        Args:
            names: which observables; None takes all that change in time.

        Raises:
            ValueError: an observable that this trajectory does not have, or that has no time axis.

        Example:
            >>> import festina as fs
            >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
            >>> run = fs.evolve(network, fs.tasks.living_things(4), [0.0, 50.0], observe=("loss", "strengths"))
            >>> run.to_pandas().columns.tolist()
            ['loss', 'strengths mode 1', 'strengths mode 2', 'strengths mode 3', 'strengths mode 4']
        """
        return self.labelled().to_pandas(names)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to one NetCDF file, atomically and with a checksum; ``fs.load`` reads it back whole.

        Other programs read the values as NetCDF. The network, task and method are described in JSON; the folder of
        checkpoints of ``fs.Train`` is not kept.

        Args:
            path: the file, such as ``"run.nc"``; an older one is replaced.

        Returns:
            The path.

        Raises:
            ValueError: a folder, a file that cannot be written, or values that NetCDF does not keep exactly.
        """
        return trajectory_file.save(path, self.labelled(), vars(self), self._signed_error)

    @styled
    def plot(self, ax: Axes | None = None, **line: Any) -> Axes:
        """Draw the loss over time, with the name of what is learned at each fall.

        Training is a thick pale band, a prediction a thin dark line. With seeds the mean is drawn, with the middle
        90 %; around a prediction its error, if it was asked for.

        Args:
            ax: axes to draw into; None is pyplot's current axes.
            line: passed on to matplotlib's ``plot``.

        Example:
            >>> import festina as fs
            >>> fs.Trajectory.from_arrays([0.0, 1.0], [1.0, 0.5]).plot().get_xlabel()
            'time (flow time)'
        """
        ax = draw_loss(self, axis(ax), **{"label": self.label, **line})
        staging.label_stages(ax, self)
        return ax

    def _repr_html_(self) -> str:
        """Notebook view: the stages, a plot of the loss, then the settings of the run."""
        loss = np.atleast_2d(self.loss).mean(axis=0) if "loss" in self.values else np.zeros(0)
        picture = sketch(self.times[: len(loss)], loss, "loss", self.unit)
        return self.stages()._repr_html_() + picture + self._described()

    def _described(self) -> str:
        rows = [("network", self.network), ("task", self.task)] if self.network is not None else []
        shapes = [f"{name} {shape_in_words(value)}" for name, value in self.values.items()]
        rows += [("times", f"{len(self.times)}, {self.times[0]:g} to {self.times[-1]:g} ({self.unit})")]
        rows += [("values", ", ".join(shapes))]
        rows += [] if self.seeds is None else [("seeds", f"{len(self.seeds)}, {self.seeds[0]} to {self.seeds[-1]}")]
        rows += [] if "loss" not in self.values else [("loss", ends_in_words(self.loss))]
        rows += [] if not self.estimated else [("estimated error", f"{self._error_in_words} ({AREA})")]
        rows += [("sources", ", ".join(self.sources))] if self.sources else []
        return render(f"Trajectory: {self.label}", rows, self.assumptions)

    @property
    def _error_in_words(self) -> str:
        wrong = self.relative_error
        return "unknown: no estimate holds here" if np.isnan(wrong) else f"{wrong:.2%}"

    def __str__(self) -> str:
        """The stages of learning and their times; ``repr`` says what was run and observed."""
        return str(self.stages())

    def __repr__(self) -> str:
        seeds = "" if self.seeds is None else f", {len(self.seeds)} seeds"
        tasks = "" if len(np.unique(self.segment)) < 2 else f" of {self.segment[-1] + 1} tasks"
        span = f"{len(self.times)} times{tasks} to {self.times[-1]:g} ({self.unit})"
        error = "" if not self.estimated else f", estimated error {self._error_in_words}"
        return f"Trajectory({self.label}: {', '.join(self.values)} at {span}{seeds}{error})"

    # the observables of a trajectory; each is documented, with its example, where it is computed

    stages = staging.stages
    learned = learning.learned
    rise_times = semantic.rise_times
    differentiation = semantic.differentiation
    illusions = semantic.illusions
    typicality = semantic.typicality
    prototypes = semantic.prototypes
    projection = semantic.projection
    embed = embedding.embed
    rdm = dissimilarity.rdm
    kernel_distance = kernel.kernel_distance
    regime = richness.regime
    outputs_at = prediction.outputs_at

    first_passage = passage.first_passage_of
    saddle_passages = passage.saddle_passages
    saddle_distances = passage.saddle_distances


def load(path: str | os.PathLike[str]) -> Trajectory:
    """Read a trajectory that ``Trajectory.save`` wrote, with the network, task and method that were run.

    The file's SHA-256 is checked before anything in it is read. Nothing in it is executed, imported or unpickled:
    networks, tasks and methods of festina are created from their descriptions. Objects of other classes, such as your
    own network, come back as ``Described``, which says what they were.

    Args:
        path: the file.

    Raises:
        ValueError: the file does not exist, was changed or damaged, or is not a festina trajectory.

    Example:
        >>> import tempfile, numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> theory = fs.evolve(network, fs.tasks.hierarchy(levels=2), np.linspace(0, 50, 6))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     again = fs.load(theory.save(f"{folder}/theory.nc"))
        >>> again
        Trajectory(Exact(): loss, strengths, outputs at 6 times to 50 (flow time))
        >>> again.network
        DeepLinear(hidden=(8,), initial=Aligned(strength=0.001))
    """
    fields = trajectory_file.read(path)
    try:
        return Trajectory(**fields)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"path is {str(path)!r}, whose contents do not make a trajectory ({error}); save it again."
        ) from None

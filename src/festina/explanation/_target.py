"""The goal of a network: its loss, its classes, and the groups of data points by which it is described."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import entr

from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.core.loss import as_loss

LOSSES = ("auto", "squared", "cross_entropy", "binary")

MAX_GROUPS = 50
"""Groups of data points beyond which a description by group has nothing to say to a reader."""


@dataclass(frozen=True, eq=False)
class Target:
    """Targets of a network, as its loss sees them.

    Attributes:
        loss: ``"squared"``: 1/(2N) Σ ‖y − ŷ‖²; ``"cross_entropy"``: of softmax(ŷ), mean over points in nats;
            ``"binary"``: of the logistic function of one output.
        y: (points, outputs); one-hot rows for classes.
        classes: the class of every point, or None for regression.
        class_names: one per class.
        output_names: one per output.
        groups: a number per point, by which modules are described (the classes, unless groups were given), or None.
        group_names: one per group.
    """

    loss: str
    y: np.ndarray
    classes: np.ndarray | None
    class_names: tuple[str, ...]
    output_names: tuple[str, ...]
    groups: np.ndarray | None
    group_names: tuple[str, ...]

    def part(self, rows: np.ndarray) -> Target:
        """The same for some of the points, with the groups that these belong to."""
        classes = None if self.classes is None else self.classes[rows]
        groups, names = None, self.group_names
        if self.groups is not None:
            present, groups = np.unique(self.groups[rows], return_inverse=True)
            names = tuple(names[i] for i in present)
        return Target(self.loss, self.y[rows], classes, self.class_names, self.output_names, groups, names)

    def value(self, outputs: np.ndarray) -> float:
        # without the 0 a perfect answer would have the loss -0
        return 0.0 + float(as_loss(self.loss).mean(outputs, self.y))

    def constant(self) -> float:
        """The loss of the best constant answer."""
        rate = self.y.mean(axis=0)
        if self.loss == "squared":
            return self.value(np.broadcast_to(rate, self.y.shape))
        return float(entr(rate).sum() + (entr(1 - rate).sum() if self.loss == "binary" else 0.0))

    def accuracy(self, outputs: np.ndarray) -> float | None:
        """Share of points with the right class; None for regression."""
        if self.classes is None:
            return None
        return float((self.decided(outputs) == self.classes).mean())

    def decided(self, outputs: np.ndarray) -> np.ndarray:
        """The class that the outputs say."""
        if outputs.shape[1] > 1:
            return outputs.argmax(axis=1)
        return (outputs[:, 0] > self._middle).astype(int)

    @property
    def _middle(self) -> float:
        """The boundary between two classes of one output."""
        return 0.0 if self.loss == "binary" else float((self.y.max() + self.y.min()) / 2)

    def margin(self, outputs: np.ndarray) -> float | None:
        """Mean distance of the right output above the largest other one, or of a single output from the boundary."""
        if self.classes is None:
            return None
        if outputs.shape[1] == 1:
            return float(((outputs[:, 0] - self._middle) * (2 * self.classes - 1)).mean())
        right = np.take_along_axis(outputs, self.classes[:, None], axis=1)[:, 0]
        others = outputs.copy()
        np.put_along_axis(others, self.classes[:, None], -np.inf, axis=1)
        return float((right - others.max(axis=1)).mean())

    @property
    def frame(self) -> np.ndarray:
        """Matrix that takes outputs to what matters in them: softmax does not see their mean."""
        count = self.y.shape[1]
        return np.eye(count) - (1 / count if self.loss == "cross_entropy" else 0.0)


def target(
    y: np.ndarray, outputs: np.ndarray, *, loss: str, groups: object, output_names: Sequence[str] | None,
    outermost: str,
) -> Target:  # fmt: skip
    """Targets from what the user gave, for a network with these outputs.

    Raises:
        ValueError: targets, groups or names that do not fit the network.
    """
    check.known("loss", loss, LOSSES)
    count = outputs.shape[1]
    words = _words(y)
    if words is not None:
        # the words are the names by which the classes are then described
        y, groups = _numbered(words, count, output_names), words if groups is None else groups
    matrix, classes = _targets(y, len(outputs), count)
    loss = _loss(loss, matrix, classes, outputs, outermost)
    names = _names(output_names, count)
    class_names: tuple[str, ...] = ()
    if classes is not None:
        class_names = names if count > 1 else tuple(f"{v:g}" for v in np.unique(matrix))
    own, group_names = (classes, class_names) if groups is None else _groups(groups, len(outputs))
    if classes is not None and groups is not None and output_names is None:
        class_names = _named(classes, class_names, own, group_names)
        names = class_names if count > 1 else names
    return Target(loss, matrix, classes, class_names, names, own, group_names)


def _named(
    classes: np.ndarray, names: tuple[str, ...], groups: np.ndarray | None, group_names: tuple[str, ...]
) -> tuple[str, ...]:
    """Names of the classes: those of the groups, where every class is one group and no group is two classes."""
    pairs = set() if groups is None else set(zip(classes.tolist(), groups.tolist(), strict=True))
    known = dict(pairs)
    if len(known) < len(pairs) or len(set(known.values())) < len(known):
        return names
    return tuple(group_names[known[c]] if c in known else name for c, name in enumerate(names))


def one_column(y: ArrayLike | None) -> np.ndarray:
    """Targets as an array; a table of one column is one number or word per point."""
    given = check.plain("y", y)
    return given[:, 0] if given.ndim == 2 and given.shape[1] == 1 else given


def _words(y: np.ndarray) -> np.ndarray | None:
    """Class labels that are text, one per point; None for anything else."""
    if y.ndim != 1 or not y.size:
        return None
    is_text = y.dtype.kind == "U" or all(isinstance(entry, str) for entry in y.tolist())
    return y.astype(str) if is_text else None


def _numbered(words: np.ndarray, count: int, output_names: Sequence[str] | None) -> np.ndarray:
    """Class numbers of words: their places among the output names, or else in alphabetical order."""
    different = np.unique(words).tolist()
    if output_names is None or count == 1:
        classes = max(count, 2)
        if len(different) != classes:
            names = "output_names, or " if count > 1 else ""
            raise ValueError(
                f"y has {len(different)} different words, and the network with {count} output(s) has {classes} "
                f"classes; give {names}class labels 0 to {classes - 1}."
            )
        return np.searchsorted(different, words)
    places = {name: i for i, name in enumerate(_names(output_names, count))}
    unknown = [word for word in different if word not in places]
    if unknown:
        raise ValueError(
            f"y holds {unknown[0]!r}, and output_names are {', '.join(places)}; use these words, or class numbers."
        )
    return np.array([places[word] for word in words.tolist()])


def _targets(y: np.ndarray, points: int, count: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Targets as a matrix, and the class of every point if there are classes."""
    rows = len(y) if y.ndim else "none"
    if rows != points:
        raise ValueError(f"x has {points} points and y has {rows}; both need one row per data point.")
    values = check.numbers("y", y)
    if values.ndim == 1 and count > 1:
        classes = values.astype(int)
        if (classes != values).any() or classes.min() < 0 or classes.max() >= count:
            raise ValueError(
                f"y is one number per point, from {values.min():g} to {values.max():g}, and the network has {count} "
                f"outputs; give class labels 0 to {count - 1}, or targets (points, outputs)."
            )
        return np.eye(count)[classes], classes
    matrix = values.reshape(points, -1)
    if matrix.shape[1] != count:
        raise ValueError(f"model has {count} outputs and y has {matrix.shape[1]} columns; they must be equal.")
    if count == 1:
        different = np.unique(matrix)
        return matrix, (matrix[:, 0] > different.mean()).astype(int) if len(different) == 2 else None
    one_hot = np.isin(matrix, (0.0, 1.0)).all() and (matrix.sum(axis=1) == 1).all()
    return matrix, matrix.argmax(axis=1) if one_hot else None


def _loss(loss: str, y: np.ndarray, classes: np.ndarray | None, outputs: np.ndarray, outermost: str) -> str:
    """The loss that was asked for, or the one that the outputs show: estimates of the targets, or logits."""
    zero_one = bool(np.isin(y, (0.0, 1.0)).all())
    fitting = {"cross_entropy": classes is not None and outputs.shape[1] > 1, "binary": zero_one and y.shape[1] == 1}
    if loss in fitting and not fitting[loss]:
        several = loss == "cross_entropy"
        needs = "one class per point and at least two outputs" if several else "one output and y of 0 and 1"
        raise ValueError(f"loss is {loss!r}, which needs {needs}; y has shape {y.shape}. Use loss='squared' or 'auto'.")
    if loss != "auto":
        return loss
    logits = next((kind for kind, fits in fitting.items() if fits), "squared")
    if outermost:
        return logits
    estimates = ((y - outputs) ** 2).sum() < ((y - y.mean(axis=0)) ** 2).sum()
    return "squared" if estimates else logits


def _names(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if names is None:
        return tuple(str(i) for i in range(count))
    found = tuple(str(name) for name in check.listing("output_names", names, "names"))
    if len(found) != count:
        raise ValueError(f"output_names has {len(found)} names for {count} outputs; give one for each.")
    return found


def _groups(given: object, points: int) -> tuple[np.ndarray, tuple[str, ...]]:
    values = check.plain("groups", given)
    if values.shape != (points,):
        raise ValueError(f"groups has shape {values.shape} for {points} data points; give one label per point.")
    known = [not (entry is None or (isinstance(entry, float) and np.isnan(entry))) for entry in values.tolist()]
    if not all(known):
        first = known.index(False)
        raise ValueError(
            f"groups misses {known.count(False)} value(s), the first at {first}: {check.shown(values[first])}; give "
            "one label per point, a separate word where none is known."
        )
    names, groups = np.unique(values.astype(str) if values.dtype.kind == "O" else values, return_inverse=True)
    if len(names) > MAX_GROUPS:
        raise ValueError(
            f"groups has {len(names)} different values; at most {MAX_GROUPS} can be told apart in a description. Give "
            "coarser groups."
        )
    return groups, tuple(str(name) for name in names)

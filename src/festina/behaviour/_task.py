"""The decision task: on which side is the stimulus?"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Float, Int
from festina.core import Loss, SquaredError, Task

CONTRASTS = (-0.5, -0.25, 0.0, 0.25, 0.5)
PROBABILITIES = (0.30, 0.15, 0.10, 0.15, 0.30)
PATHWAYS = ("left", "right", "constant")
"""Inputs of the network, each the start of a pathway: contrast on the left, contrast on the right, and 1."""
ACTIONS = ("left", "right")

SUM_TOLERANCE = 1e-9
"""Probabilities typed as decimals add up to one within rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class DecisionTask(Task):
    """The task of saying on which side a stimulus is, in full from the first trial.

    A trial shows contrast c (negative: on the left); choosing its side gives reward 1, the other 0. At c = 0 either
    side is the rewarded one with probability ½. Its data points are the kinds of trial: ``x`` holds the inputs (left,
    right, 1) and ``y`` the reward of each action. Kinds are not equally frequent; ``weight`` says how frequent each is.

    Args:
        contrasts: signed, between −1 and 1, increasing, with at least one on each side.
        probabilities: the probabilities of each contrast; they add up to 1. Default: those of the mice.
        opposite: whether the side without the stimulus is the rewarded one, as after ``reversed()``.
        name: what to call the task in tables and figures.

    Raises:
        ValueError: contrasts out of order or out of range or on one side only, or numbers that are no probabilities.

    Example:
        >>> import festina as fs
        >>> fs.behaviour.DecisionTask().contrasts
        (-0.5, -0.25, 0.0, 0.25, 0.5)
        >>> task = fs.behaviour.DecisionTask(contrasts=(-1, 0, 1), probabilities=(0.25, 0.5, 0.25))
        >>> task.weight
        array([0.25, 0.25, 0.25, 0.25])

    Source: liebana2025; saxe_lecture "Learning to make perceptual decisions".
    """

    x: np.ndarray = field(init=False)
    y: np.ndarray = field(init=False)
    contrasts: Sequence[float] = CONTRASTS
    probabilities: Sequence[float] = PROBABILITIES
    inputs: Sequence[str] = field(init=False, default=PATHWAYS)
    outputs: Sequence[str] = field(init=False, default=ACTIONS)
    items: Sequence[str] = field(init=False, default=())
    contexts: Sequence[str] = field(init=False, default=())
    whitening: None = field(init=False, default=None)
    loss: Loss = field(init=False, default=SquaredError())
    test: None = field(init=False, default=None)
    opposite: bool = field(default=False, kw_only=True)
    labels: ClassVar[None] = None
    name: str = field(default="decision", kw_only=True)

    def __post_init__(self) -> None:  # pyright: ignore[reportGeneralTypeIssues]
        check.flag("opposite", self.opposite)
        values = check.numbers("contrasts", self.contrasts)
        shares = check.numbers("probabilities", self.probabilities)
        _refuse(values, shares, self.contrasts, self.probabilities)
        object.__setattr__(self, "contrasts", tuple(values.tolist()))
        object.__setattr__(self, "probabilities", tuple(shares.tolist()))
        object.__setattr__(self, "x", inputs(values[self.kinds]))
        object.__setattr__(self, "y", (self.correct[:, None] == np.arange(2)).astype(float))
        shown = [
            f"{values[k]:g}" if values[k] else f"0, {ACTIONS[c]}" for k, c in zip(self.kinds, self.correct, strict=True)
        ]
        object.__setattr__(self, "items", tuple(shown))
        super().__post_init__(None)

    @cached_property
    def kinds(self) -> Int[np.ndarray, " kinds"]:
        """Index of the contrast of each kind of trial; contrast 0 comes twice, once for each rewarded side."""
        return np.repeat(np.arange(len(self.contrasts)), [2 if c == 0 else 1 for c in self.contrasts])

    @cached_property
    def correct(self) -> Int[np.ndarray, " kinds"]:
        """Rewarded action of each kind of trial: 0 left, 1 right."""
        sides = np.sign(np.array(self.contrasts)[self.kinds]) * (-1 if self.opposite else 1)
        sides[np.flatnonzero(sides == 0)[1:]] = 1
        return (sides > 0).astype(int)

    @cached_property
    def weight(self) -> Float[np.ndarray, " kinds"]:
        """Probability of each kind of trial; it is exact also at contrast 0, where the sides share it equally."""
        share = np.where(np.array(self.contrasts)[self.kinds] == 0, 0.5, 1.0)
        return np.array(self.probabilities)[self.kinds] * share

    def reversed(self) -> "DecisionTask":
        """The task in which the other side is rewarded: what was learned about stimuli turns out to be wrong.

        Example:
            >>> import festina as fs
            >>> fs.behaviour.DecisionTask().reversed().correct
            array([1, 1, 0, 1, 0, 0])
        """
        return replace(self, opposite=not self.opposite, name=f"{self.name}, reversed")

    @property
    def span(self) -> tuple[float, float]:
        """The largest contrast on the left and on the right, both positive."""
        return -self.contrasts[0], self.contrasts[-1]


def check_task(task: Task) -> DecisionTask:
    """The task as one of decisions."""
    if not isinstance(task, DecisionTask):
        raise ValueError(
            f"task is {type(task).__name__}; networks of fs.behaviour learn fs.behaviour.DecisionTask(...)."
        )
    return task


def inputs(contrasts: np.ndarray) -> np.ndarray:
    """Inputs (left, right, 1) of signed contrasts, shape ``(..., 3)``."""
    return np.stack([np.maximum(-contrasts, 0), np.maximum(contrasts, 0), np.ones_like(contrasts)], axis=-1)


def _refuse(values: np.ndarray, shares: np.ndarray, contrasts: object, probabilities: object) -> None:
    if values.ndim != 1 or np.any(np.diff(values) <= 0):
        raise ValueError(f"contrasts are {contrasts!r}; give them in increasing order, each once.")
    if np.any(np.abs(values) > 1):
        raise ValueError(f"contrasts are {contrasts!r}; a contrast lies between -1 and 1: divide percentages by 100.")
    if not (np.any(values < 0) and np.any(values > 0)):
        raise ValueError(f"contrasts are {contrasts!r}; at least one on the left (< 0) and one on the right is needed.")
    if shares.shape != values.shape or np.any(shares <= 0) or abs(shares.sum() - 1) > SUM_TOLERANCE:
        raise ValueError(
            f"probabilities are {probabilities!r}; one > 0 for each of the {len(values)} contrasts is needed, "
            f"and they must add up to 1 (these: {shares.sum():g})."
        )

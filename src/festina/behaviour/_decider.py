"""Parts of a network that decides: its values and choices, its learning rule, its initial weights."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from festina.behaviour._task import check_task
from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core import Context, Network, Task
from festina.core.seed import generator

RULES = ("gradient", "partial")

Pair = tuple[np.ndarray, np.ndarray]
"""Weights: tutor (…, 3) and executor (…, 2, 3)."""


def value_actions(weights: Weights, x: Array) -> Any:
    """Q = W diag(w) x of inputs (N, 3): values (N, 2) of left and right."""
    tutor, executor = weights
    return x @ (executor * tutor[..., None, :]).swapaxes(-1, -2)


@dataclass(frozen=True, kw_only=True, repr=False)
class Decider(Network):
    """Common parts of networks that decide, apart from how they are run.

    All have a tutor w (one weight per pathway left, right, constant) and an executor W (2 actions × 3 pathways). The
    value of the actions is Q = W diag(w) x; the shallow network keeps w at 1. They learn from the reward of the
    action they choose: ``fs.Train(rate=η)`` plays trial by trial, one agent per seed, ``fs.Flow()`` follows the
    expected update.
    """

    beta: float = 9.0
    rule: str = "partial"
    noise: float = 1e-5
    offset: float = 0.0
    spread: float = 0.0

    learns_tutor: ClassVar[bool]
    learns_otherwise: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check.positive("beta", self.beta)
        check.known("rule", self.rule, RULES)
        check.positive("noise", self.noise, zero=True)
        check.positive("spread", self.spread, zero=True)
        check.number("offset", self.offset)

    @abstractmethod
    def _begin(self) -> tuple[np.ndarray, np.ndarray]:
        """Tutor and executor before noise and initial bias."""

    def start(self, task: Task, seed: int) -> Pair:
        """Initial tutor (3,) and executor (2, 3) of the agent with this seed.

        The initial bias Q_R − Q_L at contrast 0 is ``offset`` plus ``spread`` times a normal number. Weights are not
        negative, so that the side preferred gets all of it.
        """
        tutor, executor = self._begin()
        normal = generator(seed).standard_normal(10)
        bias = self.offset + self.spread * normal[9]
        executor += self.noise * normal[3:9].reshape(2, 3)
        if self.learns_tutor:
            tutor += self.noise * normal[:3]
        if bias != 0:
            executor[1 if bias > 0 else 0, 2] += abs(bias) / tutor[2]
        return np.maximum(tutor, 0), np.maximum(executor, 0)

    @property
    def predict(self) -> Callable[[Any, Any], Any]:
        """Values of the two actions."""
        return value_actions

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes after (seed, time)."""
        single = dict.fromkeys(("loss", "accuracy", "bias", "left_slope", "right_slope", "rewarded"), ())
        each = dict.fromkeys(("contrasts", "choices", "rewards"), ("trial",))
        return {
            **single, **each, "curve": ("contrast",), "chosen_right": ("contrast",), "map": ("action", "pathway"),
        }  # fmt: skip

    def context(self, task: Task) -> Context:
        """The data points and the task itself."""
        return {"data": self.points(task), "task": check_task(task)}

"""Gradient flow of layers that learn on very different time scales: an explicit method with stabilised steps."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from festina.relu._joint import SAFETY, SHORTEST, between

DAMPING = 2 / 13
"""Damping of the Chebyshev polynomials: it costs a few per cent of the stability interval and leaves no gap in it."""

MOST_STAGES = 100
"""Stages of a step at most."""

CURVATURE_EVERY = 10
"""Steps after which the largest curvature is measured again."""

MARGIN = 1.2
"""The largest curvature counts as this many times what was measured: power iterations approach it from below."""

CLOSE, POWER_STEPS = 0.03, 30
"""The curvature is measured to this relative accuracy, with at most so many power iterations."""

SHRINK, GROW = 0.2, 3.0
"""Limits of the change of a step."""


@dataclass(frozen=True, eq=False)
class Layers:
    """A ReLU network of any depth on a task; its state is all weights in one row.

    Attributes:
        x: (points, inputs), with a column of ones where layers have biases.
        y: (points, outputs).
        shapes: (out, in) of every layer, the bias counted as an input.
        biased: whether layers have biases.
    """

    x: np.ndarray
    y: np.ndarray
    shapes: tuple[tuple[int, int], ...]
    biased: bool = False

    def split(self, z: np.ndarray) -> list[np.ndarray]:
        """The layers' matrices, as views."""
        cuts = np.cumsum([0, *(rows * columns for rows, columns in self.shapes)])
        return [z[a:b].reshape(shape) for a, b, shape in zip(cuts[:-1], cuts[1:], self.shapes, strict=True)]

    def inputs(self, layers: list[np.ndarray]) -> list[np.ndarray]:
        """What each layer sees, (points, in)."""
        found = [self.x]
        for matrix in layers[:-1]:
            h = np.maximum(found[-1] @ matrix.T, 0.0)
            found.append(np.column_stack([h, np.ones(len(h))]) if self.biased else h)
        return found

    def outputs(self, z: np.ndarray) -> np.ndarray:
        """(points, outputs)."""
        layers = self.split(z)
        return self.inputs(layers)[-1] @ layers[-1].T

    def back(self, error: np.ndarray, layers: list[np.ndarray], inputs: list[np.ndarray]) -> np.ndarray:
        """The weights' gradient of ⟨error·ŷ⟩."""
        found = np.empty(sum(rows * columns for rows, columns in self.shapes))
        error = error / len(self.x)
        for k, into in reversed(list(enumerate(self.split(found)))):
            np.matmul(error.T, inputs[k], out=into)
            if k:
                width = self.shapes[k - 1][0]
                error = (error @ layers[k][:, :width]) * (inputs[k][:, :width] > 0)
        return found

    def velocity(self, z: np.ndarray) -> np.ndarray:
        """−∂L/∂weights."""
        layers = self.split(z)
        inputs = self.inputs(layers)
        return self.back(self.y - inputs[-1] @ layers[-1].T, layers, inputs)

    def curvature(self, z: np.ndarray, along: np.ndarray) -> tuple[float, np.ndarray]:
        """The largest curvature of the loss where outputs are linear in the weights: ‖JᵀJ‖ with J = ∂ŷ/∂weights.

        By power iterations from the direction ``along``; gates are those of ``z``. Gives the direction, too.
        """
        layers = self.split(z)
        inputs, found = self.inputs(layers), 0.0
        for _ in range(POWER_STEPS):
            turns = self.split(along / np.linalg.norm(along))
            change = self.x @ turns[0].T
            for k, (matrix, turn) in enumerate(zip(layers[1:], turns[1:], strict=True)):
                width = self.shapes[k][0]
                change = (change * (inputs[k + 1][:, :width] > 0)) @ matrix[:, :width].T + inputs[k + 1] @ turn.T
            onto = self.back(change, layers, inputs)
            before, found = found, float(np.linalg.norm(onto))
            if not found:
                return 0.0, along
            along = onto
            if abs(found - before) <= CLOSE * found:
                break
        return found, along


@lru_cache(MOST_STAGES)
def coefficients(stages: int) -> tuple[float, list[tuple[float, float, float, float]]]:
    """First coefficient and (μ, ν, μ̃, γ̃) of the following stages of the second-order Chebyshev method."""
    w = 1 + DAMPING / stages**2
    value, slope, bend = np.zeros((3, stages + 1))
    value[:2], slope[1] = (1.0, w), 1.0
    for j in range(2, stages + 1):
        value[j] = 2 * w * value[j - 1] - value[j - 2]
        slope[j] = 2 * w * slope[j - 1] - slope[j - 2] + 2 * value[j - 1]
        bend[j] = 2 * w * bend[j - 1] - bend[j - 2] + 4 * slope[j - 1]
    reach = slope[-1] / bend[-1]
    b = np.append([0.0, 1 / w], bend[2:] / slope[2:] ** 2)
    b[0] = b[2]
    part = 1 - b * value
    rows = []
    for j, (two, one) in enumerate(pairwise(b[:-1]), start=2):
        step = 2 * b[j] * reach / one
        rows.append((2 * b[j] * w / one, -b[j] / two, step, -part[j - 1] * step))
    return float(b[1] * reach), rows


@dataclass
class Stabilised:
    """The second-order Runge–Kutta–Chebyshev method: s stages allow steps of 0.65 s² over the largest curvature.

    What has been learned relaxes fast and limits the steps of any explicit method; on a plateau nothing but that
    happens. With stages enough for stability the steps are as long as the accuracy allows.

    Attributes:
        layers: what is integrated.
        accuracy: largest error of a step, relative to the length of all weights.
        steps: steps taken so far.
        evaluations: passes forward and back through the network so far.

    Source: sommeijer1998.
    """

    layers: Layers
    accuracy: float
    steps: int = 0
    evaluations: int = 0

    def run(self, z: np.ndarray, times: np.ndarray) -> Iterator[np.ndarray]:
        """The state at each of the rising ``times``, from 0 on."""
        slope, now, asked = self._velocity(z), 0.0, 0
        size, speed = np.linalg.norm(z), np.linalg.norm(slope)
        step = float(min(times[-1], 0.01 * size / speed)) if speed else float(times[-1])
        shortest, along, largest, age = SHORTEST * step, slope, 0.0, CURVATURE_EVERY
        while asked < len(times):
            if times[asked] <= now:
                yield z
                asked += 1
                continue
            if age >= CURVATURE_EVERY and speed:
                largest, along = self.layers.curvature(z, along)
                largest, age = MARGIN * largest, 0
            longest = 0.65 * (MOST_STAGES**2 - 1) / largest if largest else np.inf
            step = min(step, longest, (times[-1] - now) * (1 + 1e-12))
            after = self._step(z, slope, step, int(np.clip(np.ceil(np.sqrt(1 + step * largest / 0.65)), 2, None)))
            last = self._velocity(after)
            wrong = 0.8 * (z - after) + 0.4 * step * (slope + last)
            size = np.linalg.norm(after)
            error = float(np.linalg.norm(wrong) / size / self.accuracy) if size else 0.0
            if not np.isfinite(error) and step <= shortest:
                raise RuntimeError(
                    f"the flow of the layers cannot be followed beyond t = {now:g}: a step of rounding length is not "
                    "finite. Scale the initial weights or the data down."
                )
            factor = min(GROW, max(SHRINK, SAFETY * max(error, 1e-12) ** (-1 / 3))) if np.isfinite(error) else SHRINK
            if error <= 1 or step <= shortest:
                end = now + step
                while asked < len(times) and times[asked] <= end:
                    yield between(z, after, step * slope, step * last, (times[asked] - now) / step)
                    asked += 1
                z, slope, now = after, last, end
                self.steps += 1
                age += 1
            else:
                # a step that fails may be one whose curvature has grown
                age, factor = CURVATURE_EVERY, min(factor, SAFETY)
            step *= factor

    def _velocity(self, z: np.ndarray) -> np.ndarray:
        self.evaluations += 1
        return self.layers.velocity(z)

    def _step(self, z: np.ndarray, slope: np.ndarray, step: float, stages: int) -> np.ndarray:
        first, rows = coefficients(stages)
        two, one = z, z + first * step * slope
        for mu, nu, part, start in rows:
            pushed = self._velocity(one)
            pushed *= part * step
            pushed += (1 - mu - nu) * z + mu * one + nu * two + start * step * slope
            two, one = one, pushed
        return one

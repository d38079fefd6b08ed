"""Gradient flow of ReLU layers: velocities, curvature, and what counts as an error of a step."""

from dataclasses import dataclass

import numpy as np

from festina.solvers.chebyshev import Chebyshev
from festina.solvers.stepper import BOGACKI_SHAMPINE, Stepper

ROUNDING = 16
"""Rounding error of the mean residual in units of the least relative difference of two numbers, for targets of size
one: no output bias is known better than this."""

CLOSE, POWER_STEPS = 0.03, 30
"""Relative accuracy to which the curvature is measured, and the largest number of power iterations."""


@dataclass(frozen=True, eq=False)
class Layer:
    """A layer of ReLU units on a task; rows of the state are [w; a].

    With ``constant`` above 0 the last row is no unit but the output bias b = constant·a: an activity that is the same
    at every point. With ``rate`` above 0 the flow is that on which gradient descent with this step lies.
    """

    x: np.ndarray
    y: np.ndarray
    constant: float = 0.0
    rate: float = 0.0

    def activity(self, z: np.ndarray) -> np.ndarray:
        """(rows, points)."""
        found = z[:, : self.x.shape[1]] @ self.x.T
        if self.constant:
            found[-1] = self.constant
        return np.maximum(found, 0.0)

    def outputs(self, z: np.ndarray) -> np.ndarray:
        """(points, outputs)."""
        return self.activity(z).T @ z[:, self.x.shape[1] :]

    def velocity(self, z: np.ndarray) -> np.ndarray:
        """The flow v, or with a finite step η the flow v − (η/2) v'v, which passes through z + ηv after the time η.

        That is true up to η², with v'v = (v(z + ηv) − v(z))/η for the gates that are open at z.
        """
        activity = self.activity(z)
        slope = self._slope(z, activity, activity > 0)
        if not self.rate:
            return slope
        ahead = z + self.rate * slope
        linear = ahead[:, : self.x.shape[1]] @ self.x.T
        linear[activity <= 0] = 0.0
        if self.constant:
            linear[-1] = self.constant
        return 1.5 * slope - 0.5 * self._slope(ahead, linear, activity > 0)

    def _slope(self, z: np.ndarray, activity: np.ndarray, gates: np.ndarray) -> np.ndarray:
        """dw/dt = ⟨g (a·r) x⟩ and da/dt = ⟨g (w·x) r⟩, with the residual r = y − ŷ of all rows."""
        inputs, count = self.x.shape[1], len(self.x)
        out = z[:, inputs:]
        residual = self.y - activity.T @ out
        residual /= count
        found = np.empty_like(z)
        pull = out @ residual.T
        pull *= gates
        np.matmul(pull, self.x, out=found[:, :inputs])
        np.matmul(activity, residual, out=found[:, inputs:])
        if self.constant:
            found[-1, :inputs] = 0.0
        return found

    def stepper(self, accuracy: float) -> Stepper:
        """Integrates all rows by the pair of Bogacki and Shampine, with errors of a step up to ``accuracy``.

        The error is ½ Σ‖e_j‖²/Σ‖u_j‖² + ½ mean(‖e_j‖²/‖u_j‖²), half by weight and half by unit. Small units, which
        matter later, are thus followed as accurately as large ones.
        """

        def size(wrong: np.ndarray, _: np.ndarray, z: np.ndarray) -> float:
            each, size = np.einsum("ij,ij->i", wrong, wrong), np.einsum("ij,ij->i", z, z)
            if self.constant:
                # centred targets move the output bias by rounding only, which no shorter step makes more accurate
                least = ROUNDING * np.finfo(z.dtype).eps / self.constant / accuracy
                size[-1] = max(size[-1], least**2)
            total = size.sum()
            if not total:
                return 0.0
            mean = np.mean(each / np.maximum(size, np.finfo(z.dtype).tiny))
            return float(np.sqrt(each.sum() / total / 2 + mean / 2)) / accuracy

        advice = "Times are the task's own. Are weights of another order of magnitude than √(targets/inputs)?"
        return Stepper(BOGACKI_SHAMPINE, self.velocity, size, "the units' flow", advice)


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
        """Inputs of each layer, (points, in)."""
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

        Power iterations from the direction ``along`` find it, with the gates of ``z``. Gives the direction, too.
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

    def stepper(self, accuracy: float) -> Stepper:
        """Integrates all weights by stabilised steps, with errors up to ``accuracy`` times the length of all weights.

        The network learns on very different time scales.
        """

        def size(wrong: np.ndarray, _: np.ndarray, z: np.ndarray) -> float:
            length = np.linalg.norm(z)
            return float(np.linalg.norm(wrong) / length) / accuracy if length else 0.0

        advice = "Scale the initial weights or the data down."
        return Stepper(Chebyshev(self.curvature), self.velocity, size, "the flow of the layers", advice)

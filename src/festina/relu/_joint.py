"""Units that matter, integrated jointly: gradient flow of a layer of ReLU units with adaptive steps."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

SAFETY = 0.9
SHRINK, GROW = 0.2, 3.0
"""Limits of the change of a step."""

SHORTEST = 1e-12
"""Shortest step, relative to the time that has passed or the first step: below it rounding decides."""

ROUNDING = 16 * np.finfo(float).eps
"""Rounding error of the mean residual, relative to targets of size one: no output bias is known better than this."""


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
        residual = (self.y - activity.T @ out) / count
        found = np.empty_like(z)
        pull = out @ residual.T
        pull[~gates] = 0.0
        np.matmul(pull, self.x, out=found[:, :inputs])
        np.matmul(activity, residual, out=found[:, inputs:])
        if self.constant:
            found[-1, :inputs] = 0.0
        return found


@dataclass
class Integrator:
    """The explicit Runge–Kutta pair of Bogacki and Shampine; observations between steps by Hermite's cubic.

    The error of a step is the mean over what weighs and over who is there: ½ Σ‖e_j‖²/Σ‖u_j‖² + ½ mean(‖e_j‖²/‖u_j‖²),
    so that small units, which matter later, are followed as accurately as large ones.

    Attributes:
        layer: what is integrated.
        accuracy: largest error of a step.
        steps: steps taken so far.
        evaluations: velocities computed so far.
    """

    layer: Layer
    accuracy: float
    steps: int = 0
    evaluations: int = 0

    def run(self, z: np.ndarray, start: float, times: np.ndarray) -> Iterator[np.ndarray]:
        """The state at each of the rising ``times``, none of which is before ``start``."""
        velocity = self.layer.velocity
        now, slope = start, velocity(z)
        self.evaluations += 1
        step = self._first(z, slope, times[-1] - start) if len(times) else 0.0
        shortest = SHORTEST * step
        asked, before, most = 0, 1.0, GROW
        while asked < len(times):
            if times[asked] <= now:
                yield z
                asked += 1
                continue
            step = min(step, (times[-1] - now) * (1 + 1e-12))
            second = velocity(z + step / 2 * slope)
            third = velocity(z + 0.75 * step * second)
            after = z + step * (2 / 9 * slope + 1 / 3 * second + 4 / 9 * third)
            last = velocity(after)
            self.evaluations += 3
            wrong = self._error(step * (-5 / 72 * slope + second / 12 + third / 9 - last / 8), after) / self.accuracy
            if not np.isfinite(wrong) and step <= shortest:
                raise RuntimeError(
                    f"the units' flow cannot be followed beyond t = {now:g} (in units of the task's own time): a step "
                    "of rounding length is not finite. Weights of another order of magnitude than √(targets/inputs)?"
                )
            accepted = wrong <= 1 or step <= shortest
            # the error before damps the swing between long and refused steps where stability limits them
            factor = SAFETY * max(wrong, 1e-12) ** -0.35 * before**0.2 if np.isfinite(wrong) else SHRINK
            if accepted:
                self.steps += 1
                before, most = max(wrong, 1e-4), GROW
            else:
                factor, most = min(factor, SAFETY), 1.0
            taken, step = step, step * min(most, max(SHRINK, factor))
            if accepted:
                end = now + taken
                while asked < len(times) and times[asked] <= end:
                    yield between(z, after, taken * slope, taken * last, (times[asked] - now) / taken)
                    asked += 1
                z, slope, now = after, last, end

    def _error(self, wrong: np.ndarray, z: np.ndarray) -> float:
        each, size = (wrong**2).sum(axis=1), (z**2).sum(axis=1)
        if self.layer.constant:
            # centred targets move the output bias by rounding only, which no shorter step makes more accurate
            size[-1] = max(size[-1], (ROUNDING / self.layer.constant / self.accuracy) ** 2)
        total = size.sum()
        if not total:
            return 0.0
        return float(np.sqrt(each.sum() / total / 2 + np.mean(each / np.maximum(size, np.finfo(float).tiny)) / 2))

    def _first(self, z: np.ndarray, slope: np.ndarray, span: float) -> float:
        """A hundredth of the time in which the state changes by its own size, or from zero the velocity by its own."""
        size, speed = np.linalg.norm(z), np.linalg.norm(slope)
        if not size and speed:
            trial = min(span, 1.0)
            size, speed = trial * speed, np.linalg.norm(self.layer.velocity(z + trial * slope) - slope)
            self.evaluations += 1
        return float(min(span, 0.01 * size / speed)) if speed else span


def between(a: np.ndarray, b: np.ndarray, da: np.ndarray, db: np.ndarray, s: float) -> np.ndarray:
    """Hermite's cubic from a to b with slopes (times step) da and db, at the part s of the step."""
    s = min(s, 1.0)
    return a + s * (da + s * (3 * (b - a) - 2 * da - db + s * (2 * (a - b) + da + db)))

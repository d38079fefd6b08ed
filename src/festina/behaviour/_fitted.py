"""What a fit gives: estimates, intervals, criteria, and the network that it describes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import scipy

from festina.behaviour._model import Deep, DeepGradient, Flat, Parameter, bounds
from festina.behaviour._network import Decider, Shallow, TutorExecutor
from festina.behaviour._table import Table, check_table
from festina.checks import check

if TYPE_CHECKING:
    import pandas as pd

    from festina.behaviour._replicate import Replicates


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """A model fitted to one animal.

    Attributes:
        subject, model, lapse: what was fitted to what.
        parameters: of the model.
        coordinates: estimates in the coordinates of the parameters (``Parameter.scale``).
        covariance: of the coordinates: the inverse of the observed information (minus the Hessian), or of Fisher's
            where that is not positive.
        centre: where the quadratic approximation of the log-likelihood has its maximum: the estimate, except for
            parameters at a bound.
        log_likelihood: of all choices, in nats.
        trials: number of choices.
        messages: what to know before using the numbers, in words; empty for an ordinary animal.
        bootstrapped: coordinates of refitted simulated animals (draws, parameters), or None.
        probabilities: P(right) of every trial given the trials before it; not a number where no choice was made.

    Example:
        >>> import festina as fs
        >>> rows = {"subject": ["a"] * 4, "session": [1] * 4, "contrast": [-0.5, 0.5, -0.5, 0.5]}
        >>> table = fs.behaviour.read_table({**rows, "choice": [-1, 1, 1, 1], "reward": [1, 1, 0, 1]})
        >>> (found,) = table.fit(model="shallow")
        >>> found.trials, sorted(found.estimates)
        (4, ['beta', 'bias', 'executor', 'rate'])
    """

    subject: str
    model: str
    lapse: str | None
    parameters: tuple[Parameter, ...]
    coordinates: np.ndarray
    covariance: np.ndarray
    centre: np.ndarray
    log_likelihood: float
    trials: int
    messages: tuple[str, ...] = ()
    bootstrapped: np.ndarray | None = None
    probabilities: np.ndarray = field(default_factory=lambda: np.array([]))

    @property
    def estimates(self) -> dict[str, float]:
        """Value of every parameter."""
        return {p.name: float(p.value(c)) for p, c in zip(self.parameters, self.coordinates, strict=True)}

    @property
    def standard_errors(self) -> dict[str, float]:
        """Of the coordinates: of the logarithm for parameters on a log scale (there, close to a relative error)."""
        return {p.name: float(e) for p, e in zip(self.parameters, np.sqrt(np.diag(self.covariance)), strict=True)}

    @property
    def aic(self) -> float:
        """Akaike's information criterion, 2k − 2 log L: smaller is better."""
        return 2 * len(self.parameters) - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """The Bayesian information criterion, k log n − 2 log L: smaller is better."""
        return float(len(self.parameters) * np.log(max(self.trials, 1)) - 2 * self.log_likelihood)

    def intervals(self, level: float = 0.9) -> dict[str, tuple[float, float]]:
        """Confidence intervals of the values: from the bootstrap where there is one, otherwise from the Hessian.

        They never leave the bounds of a parameter: one that the data do not determine has all its range.
        """
        level = check.positive("level", level)
        if level >= 1:
            raise ValueError(f"level is {level!r}; a number between 0 and 1 is needed, such as 0.9.")
        low, high = bounds(self.parameters)
        if self.bootstrapped is not None:
            # quantiles of the refitted animals: errors turned around the estimate would leave the bounds
            ends = np.quantile(self.bootstrapped, [(1 - level) / 2, (1 + level) / 2], axis=0)
        else:
            reach = scipy.special.ndtri((1 + level) / 2) * np.sqrt(np.diag(self.covariance))
            # where the quadratic approximation beyond a bound points back inside it holds no longer: keep the estimate
            ends = np.minimum(self.centre - reach, self.coordinates), np.maximum(self.centre + reach, self.coordinates)
        ends = [np.clip(end, low, high) for end in ends]
        return {p.name: (float(p.value(a)), float(p.value(b))) for p, a, b in zip(self.parameters, *ends, strict=True)}

    @property
    def rate(self) -> float:
        """The fitted learning rate, for ``fs.Train(rate=...)``."""
        if "rate" not in self.estimates:
            raise ValueError(f"the model {self.model!r} has no learning rate.")
        return self.estimates["rate"]

    @property
    def network(self) -> Decider:
        """The fitted network, for ``fs.evolve`` and ``stationary_points``; lapses are not part of it."""
        return make_network(self.model, self.estimates)

    def replicate(self, table: Table, draws: int = 100, seed: int = 0) -> Replicates:
        """Simulated animals with parameters drawn from the uncertainty of the fit, on the animal's own stimuli.

        Their choices and rewards (draws, trials), for posterior-predictive checks: what the model says would happen if
        the animal learned again.
        """
        from festina.behaviour._replicate import replicate

        return replicate(self, check_table(table), check.whole("draws", draws), check.whole("seed", seed, least=0))

    def to_pandas(self, level: float = 0.9) -> pd.DataFrame:
        """One row per parameter: estimate, standard error of its coordinate, and interval."""
        import pandas as pd

        intervals, errors = self.intervals(level), self.standard_errors
        rows = [
            {
                "subject": self.subject, "model": self.model, "parameter": p.name, "estimate": self.estimates[p.name],
                "low": intervals[p.name][0], "high": intervals[p.name][1], "standard_error": errors[p.name],
                "scale": p.scale, "meaning": p.meaning,
            }
            for p in self.parameters
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value:.4g}" for name, value in self.estimates.items())
        return f"Fit({self.subject}, {self.model}: {told}; log L {self.log_likelihood:.1f} of {self.trials} choices)"


def make_network(model: str, estimates: dict[str, float]) -> Decider:
    """The network of a learning model with these parameters."""
    if model not in (Deep.name, DeepGradient.name, Flat.name):
        raise ValueError(f"the model {model!r} is no network; {Deep.name}, {DeepGradient.name} and {Flat.name} are.")
    beta, bias, strength = (estimates[name] for name in ("beta", "bias", "executor"))
    executor = (strength, strength, 0.0)
    if model == Flat.name:
        return Shallow(beta=beta, offset=bias, executor=executor, noise=0.0)
    rule, w = ("partial" if model == Deep.name else "gradient"), estimates["tutor"]
    return TutorExecutor(beta=beta, offset=bias, rule=rule, tutor=(w, w, 1.0), executor=executor, noise=0.0)


class Fits(tuple[Fit, ...]):
    """Fits of several animals; by subject or by number.

    Example:
        >>> import festina as fs
        >>> rows = {"subject": ["a"] * 4, "session": [1] * 4, "contrast": [-0.5, 0.5, -0.5, 0.5]}
        >>> table = fs.behaviour.read_table({**rows, "choice": [-1, 1, 1, 1], "reward": [1, 1, 0, 1]})
        >>> fits = table.fit(model="q-learning")
        >>> len(fits), fits["a"].trials
        (1, 4)
    """

    def __getitem__(self, which):
        if not isinstance(which, str):
            return super().__getitem__(which)
        found = {fit.subject: fit for fit in self}
        return found[check.known("subject", which, found)]

    def to_pandas(self, level: float = 0.9) -> pd.DataFrame:
        """One row per animal and parameter."""
        import pandas as pd

        return pd.concat([fit.to_pandas(level) for fit in self], ignore_index=True)

    def __iter__(self) -> Iterator[Fit]:
        return super().__iter__()

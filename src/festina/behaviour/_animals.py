"""Animals of a table as arrays, the search for the best parameters of each, and the information about them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from festina.behaviour._likelihood import Evaluation, Likelihood, repeat, stack
from festina.behaviour._model import Deep, DeepGradient, Flat, Model, Trial, bounds, check_lapse, draw_starts
from festina.behaviour._network import Decider
from festina.behaviour._rivals import Drifting, QLearning
from festina.behaviour._scoring import Prior, Search, maximise
from festina.behaviour._table import Table
from festina.checks import check

MODELS: dict[str, Model] = {m.name: m for m in (Deep(), DeepGradient(), Flat(), Drifting(), QLearning())}
"""Models with a recursion over trials, by name; ``"logistic"`` is the curve fitted to every session on its own."""

DIFFERENCE = 0.05
"""Step of the differences of the score that give the observed information, in standard errors: curvature over the
scale on which the likelihood is known, and not at kinks where a weight reaches zero."""

SINGULAR = 1e-10
"""Relative eigenvalue of the information below which a direction is not determined by the data at all."""


def check_model(model: object) -> Model:
    """The model that the argument ``model`` names: a name, or a network whose rule is meant."""
    if isinstance(model, Model):
        return model
    if isinstance(model, Decider):
        partial = model.rule == "partial"
        if model.learns_tutor:
            return Deep() if partial else DeepGradient()
        return Flat(partial=partial)
    if not isinstance(model, str):
        raise ValueError(
            f"model is {model!r}; a name is needed ({', '.join((*MODELS, 'logistic'))}), or a network such as "
            "fs.behaviour.TutorExecutor()."
        )
    return MODELS[check.known("model", model, MODELS)]


@dataclass(frozen=True, eq=False)
class Animals:
    """Animals of one table as arrays, and the likelihood of one model on them."""

    subjects: tuple[str, ...]
    trials: Trial
    likelihood: Likelihood

    def search(
        self, starts: np.ndarray, lanes: np.ndarray, *, prior: Prior | None = None, counted: np.ndarray | None = None,
        grouped: bool = False,
    ) -> Search:  # fmt: skip
        """Maximise from starts (lanes, parameters), each for the animal of its lane; ``counted`` replaces the trials
        that count, per lane.
        """
        low, high = bounds(self.likelihood.parameters)

        def evaluate(at: np.ndarray, which: np.ndarray) -> Evaluation:
            trials = repeat(self.trials, lanes[which])
            if counted is not None:
                trials = trials._replace(counted=counted[which])
            return self.likelihood.evaluate(at, trials)

        return maximise(evaluate, starts, low, high, prior=prior, groups=lanes if grouped else None)

    def best(self, starts: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Per animal the highest of several maxima: coordinates, log-likelihood, and whether the search converged."""
        drawn = draw_starts(self.likelihood.parameters, starts)
        lanes = np.repeat(np.arange(len(self.subjects)), starts)
        found = self.search(np.tile(drawn, (len(self.subjects), 1)), lanes, grouped=True)
        values = found.found.value.reshape(-1, starts)
        pick = values.argmax(axis=1) + starts * np.arange(len(values))
        return found.coordinates[pick], found.found.value[pick], found.converged[pick]


def gather(table: Table, model: Model, lapse: str | None) -> Animals:
    """The animals of a table, ready to be fitted."""
    contrasts = table.contrasts
    trials = stack([table.trials(subject, contrasts) for subject in table.subjects])
    check_lapse(lapse)
    return Animals(table.subjects, trials, Likelihood(model, lapse, len(contrasts)))


def measure_information(animals: Animals, coordinates: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per animal: score, Fisher's information, and the observed one from central differences of the score."""
    count, k = coordinates.shape
    low, high = bounds(animals.likelihood.parameters)
    here = animals.likelihood.evaluate(coordinates, animals.trials)
    width = np.stack([1 / np.sqrt(np.maximum(np.diag(i), 1e-8)) for i in here.information])
    step = DIFFERENCE * np.minimum(width, 1.0)
    lanes = np.repeat(np.arange(count), 2 * k)
    at = np.repeat(coordinates, 2 * k, axis=0).reshape(count, 2, k, k)
    at[:, 0] = np.maximum(at[:, 0] - step[:, None] * np.eye(k), low)
    at[:, 1] = np.minimum(at[:, 1] + step[:, None] * np.eye(k), high)
    found = animals.likelihood.evaluate(at.reshape(-1, k), repeat(animals.trials, lanes))
    score = found.score.reshape(count, 2, k, k)
    span = np.einsum("nii->ni", at[:, 1] - at[:, 0])
    hessian = (score[:, 1] - score[:, 0]) / span[:, :, None]
    return here.score, here.information, -(hessian + np.swapaxes(hessian, 1, 2)) / 2


def invert(information: np.ndarray) -> tuple[np.ndarray, bool]:
    """The inverse of an information matrix, and whether it was positive; directions without information get a very
    large variance instead of an error.
    """
    scale = np.sqrt(np.maximum(np.diag(information), 1e-12))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    kept = np.maximum(values, SINGULAR)
    return (vectors / kept) @ vectors.T / np.outer(scale, scale), bool(values[0] > SINGULAR)

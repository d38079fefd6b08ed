"""Agents, trial by trial: thousands side by side, each with its own stream of random numbers."""

import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import scipy

from festina.behaviour._decider import Decider
from festina.behaviour._task import DecisionTask
from festina.checks.shapes import Times
from festina.core import Run, Start
from festina.core.seed import generator
from festina.methods import Train
from festina.runtime.processor import cores

BLOCK = 512
"""Agents per array: large against NumPy's call overhead, small against the processor's cache."""

UNIT = "trials × rate"
SOURCES = ("liebana2025", "saxe_lecture")
EACH_TRIAL = ("contrasts", "choices", "rewards")
OF_TRIALS = ("chosen_right", "rewarded", *EACH_TRIAL)
"""Observations of the trials between two times: NaN before the first time, and where there is no trial."""


def play(
    network: Decider, task: DecisionTask, times: Times, starts: Sequence[Start], observe: Sequence[str], method: Train
) -> Run:
    """Agents that learn the task trial by trial, one per start.

    Each trial draws a stimulus, a choice from the softmax of the current values and a reward, and updates the chosen
    action (``TutorExecutor`` gives the equations). The agent of a seed is always the same: it depends neither on how
    many there are nor on the times asked for.
    """
    _refuse_settings(method)
    known = network.observables(network.context(task))
    check_names(observe, (*known, *OF_TRIALS), network, "Train()")
    steps, rate = method.steps(times), method.rate
    assert rate is not None  # evolve has made it of lr
    blocks = [starts[begin : begin + BLOCK] for begin in range(0, len(starts), BLOCK)]

    def one(block: Sequence[Start]) -> tuple[np.ndarray, ...]:
        return _play_block(network, task, steps, block, rate, observe)

    with ThreadPoolExecutor(cores()) as pool:
        w, W, kind, right, reward = (np.concatenate(p) for p in zip(*pool.map(one, blocks), strict=True))
    of_trials = _observe_trials(task, kind, right, reward)
    values = {name: known[name]((w, W)) if name in known else of_trials[name]() for name in observe}
    paths = [[(w[n, t], W[n, t]) for t in range(len(steps))] for n in range(len(starts))]
    return Run(
        values, steps * method.rate, unit=UNIT, sources=SOURCES,
        notes={"steps": [int(s) for s in steps]}, paths=lambda: paths, ends=lambda: [path[-1] for path in paths],
    )  # fmt: skip


def _refuse_settings(method: Train) -> None:
    changed = [f.name for f in fields(method) if f.name != "rate" and getattr(method, f.name) != f.default]
    if changed:
        raise ValueError(
            f"method sets {', '.join(changed)}, which agents do not have: they learn from one trial after another, "
            "in double precision. Use fs.Train(rate=...)."
        )


def check_names(observe: Sequence[str], known: Sequence[str], network: Decider, method: str) -> None:
    """Raise where a name is observed that the network does not give with this method."""
    for name in observe:
        if name not in known:
            raise ValueError(
                f"observe holds {name!r}; with {method} {type(network).__name__} gives: {', '.join(sorted(known))}."
            )


def _stream(start: Start) -> np.random.Generator:
    """Random numbers of an agent's trials, different for each agent and for each task of a sequence."""
    if start.drawn:
        return generator(start.seed, 1)
    return generator(start.seed, 2, zlib.crc32(b"".join(np.asarray(w).tobytes() for w in start.weights)))


def _play_block(
    network: Decider, task: DecisionTask, steps: np.ndarray, starts: Sequence[Start], rate: float,
    observe: Sequence[str],
) -> tuple[np.ndarray, ...]:  # fmt: skip
    """Weights at each step, and the trials between them (agents, steps, trials), padded with kind −1."""
    streams = [_stream(start) for start in starts]
    w = np.stack([np.asarray(start.weights[0], dtype=float) for start in starts], axis=-1)
    W = np.stack([np.asarray(start.weights[1], dtype=float) for start in starts], axis=-1)
    gaps = np.diff(steps, prepend=0)
    keep = any(name in OF_TRIALS for name in observe)
    shape = (len(starts), len(steps), int(gaps.max(initial=0)) if keep else 0)
    kinds = np.full(shape, -1, dtype=np.int16)
    rights, rewards = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    at_w, at_W = np.empty((len(starts), len(steps), 3)), np.empty((len(starts), len(steps), 2, 3))
    edges = np.cumsum(task.weight)[:-1]
    for s, count in enumerate(gaps.tolist()):
        if count:
            uniform = np.stack([rng.random((count, 2)) for rng in streams], axis=-1)
            kind = np.searchsorted(edges, uniform[:, 0], side="right")
            # u < σ(β d) is d > logit(u)/β: no exponential is needed in the loop over trials
            threshold = scipy.special.logit(uniform[:, 1]) / network.beta
            right, reward = _session(network, task, w, W, kind, threshold, rate)
            if keep:
                kinds[:, s, :count], rights[:, s, :count], rewards[:, s, :count] = kind.T, right.T, reward.T
        at_w[:, s], at_W[:, s] = w.T, np.moveaxis(W, -1, 0)
    return at_w, at_W, kinds, rights, rewards


def _observe_trials(
    task: DecisionTask, kind: np.ndarray, right: np.ndarray, reward: np.ndarray
) -> dict[str, Callable[[], np.ndarray]]:
    """Observations of the trials between two times, by name (``OF_TRIALS``)."""
    shown, level = kind >= 0, task.kinds[np.maximum(kind, 0)]

    def of_contrasts() -> np.ndarray:
        each = [shown & (level == k) for k in range(len(task.contrasts))]
        return np.stack([_share(right & at, at) for at in each], axis=-1)

    return {
        "contrasts": lambda: np.where(shown, np.array(task.contrasts)[level], np.nan),
        "choices": lambda: np.where(shown, right, np.nan),
        "rewards": lambda: np.where(shown, reward, np.nan),
        "rewarded": lambda: _share(reward & shown, shown),
        "chosen_right": of_contrasts,
    }


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Share of trials; not a number where there are no trials."""
    count = whole.sum(axis=-1)
    return np.divide(part.sum(axis=-1), count, out=np.full(count.shape, np.nan), where=count > 0)


def _session(
    network: Decider, task: DecisionTask, w: np.ndarray, W: np.ndarray, kind: np.ndarray, threshold: np.ndarray,
    rate: float,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Play trials; ``w`` (3, agents) and ``W`` (2, 3, agents) are changed in place. Choices of right, and rewards."""
    inputs = np.ascontiguousarray(np.moveaxis(task.x[kind], -1, 1))
    correct = task.correct[kind] == 1
    right, reward = np.empty(kind.shape, dtype=bool), np.empty(kind.shape)
    partial = network.rule == "partial"
    hidden, parts, row = np.empty_like(w), np.empty_like(W), np.empty_like(w)
    for t, x in enumerate(inputs):
        np.multiply(w, x, out=hidden)
        np.multiply(W, hidden, out=parts)
        np.subtract(parts[1], parts[0], out=row)
        np.greater(row[0] + row[1] + row[2], threshold[t], out=right[t])
        np.equal(right[t], correct[t], out=reward[t])
        chosen = np.where(right[t], W[1], W[0])
        part = np.where(right[t], parts[1], parts[0])
        stimulus_error = reward[t] - part[0] - part[1]
        total_error = stimulus_error - part[2]
        errors = [stimulus_error, stimulus_error, reward[t] - part[2]] if partial else [total_error] * 3
        if network.learns_tutor:
            np.multiply(chosen, x, out=row)
            row *= rate * total_error
            w += row
            np.maximum(w, 0, out=w)
        for i, error in enumerate(errors):
            hidden[i] *= error
        hidden *= rate
        chosen += hidden
        np.maximum(chosen, 0, out=chosen)
        np.copyto(W[1], chosen, where=right[t])
        np.copyto(W[0], chosen, where=~right[t])
    return right, reward > 0

"""Ends of profile-likelihood intervals: how far a parameter can go before no other parameters make up for it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

import numpy as np

from festina.behaviour._likelihood import Evaluation, Result

LOOKS = 40
"""Evaluations per end at most; four to ten are usual."""

SHORTEST = 1e-3
"""Share of a step below which an end is stuck, at a kink."""

CLOSE = 0.02
"""Distance of the log-likelihood from its bound at an end, in units of the fall: 1 % of the reach."""

FAR = 0.25
"""Longest step of a coordinate, in units of what its bounds allow."""

POSITIVE = 0.05
"""Share of Fisher's smallest eigenvalue that the observed curvature has to keep."""


Asking = Generator[np.ndarray, Evaluation, Result]
"""A search that asks for the likelihood at points (lanes, parameters) and ends with a result."""


def find_ends(
    at: np.ndarray, top: float, fall: float, observed: np.ndarray, low: np.ndarray, high: np.ndarray
) -> Asking[np.ndarray]:
    """The smallest and largest value of every coordinate where log L ≥ top − fall, around a maximum: (2, parameters).

    With score g and information J, log L + gδ − ½δJδ stays above its bound for steps δ = J⁻¹(g + λe_k) with λ² (J⁻¹)_kk
    = 2(log L − bound) + gJ⁻¹g. These steps move coordinate k farthest. They are repeated until it stays.

    Args:
        at: the maximum.
        top: log-likelihood of the highest maximum.
        fall: by how much the log-likelihood may fall from it.
        observed: information at the maximum; what Fisher's lacks there is added to it elsewhere.
        low, high: bounds of the coordinates.

    Source: venzon1988.
    """
    first = _only((yield at[None]))
    box = Box(at, top - fall, fall, observed - first.information, low, high)
    ends = yield from together([_search(box, first, k, sign) for sign in (-1.0, 1.0) for k in range(len(at))])
    return np.reshape(ends, (2, -1))


def together(searches: Sequence[Asking[Result]]) -> Asking[list[Result]]:
    """Several searches as one, which asks for all their points at once."""
    results: dict[int, Result] = {}
    answers: dict[int, Any] = dict.fromkeys(range(len(searches)))
    while answers:
        asked = {}
        for n, given in answers.items():
            try:
                asked[n] = searches[n].send(given)
            except StopIteration as end:
                results[n] = end.value
        if not asked:
            break
        every = yield np.concatenate(list(asked.values()))
        ends = np.cumsum([len(points) for points in asked.values()])
        parts = zip(*(np.split(part, ends[:-1]) for part in every), strict=True)
        answers = {n: Evaluation(*part) for n, part in zip(asked, parts, strict=True)}
    return [results[n] for n in range(len(searches))]


def renamed(search: Generator[Any, Evaluation, Result], name: Callable[[Any], np.ndarray]) -> Asking[Result]:
    """A search that says where it asks in other terms."""
    given: Any = None
    while True:
        try:
            asked = search.send(given)
        except StopIteration as end:
            return end.value
        given = yield name(asked)


def _only(found: Evaluation) -> Evaluation:
    return Evaluation(*(part[0] for part in found))


class Box(NamedTuple):
    """Where ends are searched: the estimate, the bound of the log-likelihood and the fall to it, what Fisher's
    information lacks, and the bounds of the coordinates.
    """

    estimate: np.ndarray
    bound: float
    fall: float
    missing: np.ndarray
    low: np.ndarray
    high: np.ndarray


def _search(box: Box, now: Evaluation, k: int, sign: float) -> Asking[float]:
    """The end of coordinate k: asks for evaluations, one point after another, and returns where it arrives.

    Points that are accepted lie within. One that is a little outside is corrected once, by the step from there;
    otherwise a shorter step is tried.
    """
    slack = CLOSE * box.fall
    at, shorter, far = box.estimate, 1.0, (box.high if sign > 0 else box.low)[k]
    for _ in range(LOOKS):
        step = _step(box, at, now, k, sign)
        still = abs(step[k]) <= CLOSE * abs(at[k] - box.estimate[k]) and now.value <= box.bound + slack
        if still or at[k] == far or shorter < SHORTEST:
            break
        trial = np.clip(at + shorter * step, box.low, box.high)
        found = _only((yield trial[None]))
        if box.bound - box.fall < found.value < box.bound - slack and found.finite:
            trial = np.clip(trial + _step(box, trial, found, k, sign), box.low, box.high)
            found = _only((yield trial[None]))
        if found.finite and found.value >= box.bound - slack and sign * (trial[k] - at[k]) > 0:
            at, now, shorter = trial, found, min(1.0, 3 * shorter)
        else:
            shorter /= 3
    return float(at[k])


def _step(box: Box, at: np.ndarray, now: Evaluation, k: int, sign: float) -> np.ndarray:
    """The step to the farthest coordinate k at which the quadratic log-likelihood is at its bound."""
    step, low, high, score = np.zeros_like(at), box.low, box.high, now.score
    free = ~((at <= low) & (score <= 0)) & ~((at >= high) & (score >= 0))
    free[k] = at[k] != (high if sign > 0 else low)[k]
    if not free.any():
        return step
    known, own = now.information[np.ix_(free, free)], np.flatnonzero(np.flatnonzero(free) == k)
    scale = np.sqrt(np.maximum(np.diag(known), 1e-12))
    size, matrix = np.outer(scale, scale), known + box.missing[np.ix_(free, free)]
    if np.linalg.eigvalsh(matrix / size)[0] < POSITIVE * np.linalg.eigvalsh(known / size)[0]:
        matrix = known
    covariance = np.linalg.inv(matrix / size + 1e-10 * np.eye(len(scale))) / size
    newton = covariance @ score[free]
    move = newton
    if len(own):
        i = own[0]
        square = 2 * (now.value - box.bound) + score[free] @ newton
        reach = newton[i] + sign * np.sqrt(max(square, 0.0) * covariance[i, i])
        # as far as the bound of k only
        reach = np.clip(at[k] + reach, low[k], high[k]) - at[k]
        move = newton + covariance[:, i] * (reach - newton[i]) / covariance[i, i]
    widest = FAR * (high - low)[free]
    move = move * min(1.0, float(np.min(widest / np.maximum(np.abs(move), 1e-300))))
    step[free] = np.clip(at[free] + move, low[free], high[free]) - at[free]
    return step

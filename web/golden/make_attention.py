"""Writes attention.json: what festina says of in-context regression by linear attention.

The page's TypeScript is held to these numbers; tests/page/test_golden.py holds them to the library.

    python web/golden/make_attention.py
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

import festina as fs

OUT = Path(__file__).with_name("attention.json")
SPECTRA = (([1.6, 1.0, 0.5], 31), ([2.0, 0.3], math.inf), ([1.0], 1), ([2.5, 1.2, 0.9, 0.3, 0.1], 4))
"""Eigenvalues of the inputs' covariance and the number of examples."""


def levels() -> list[dict[str, Any]]:
    """Plateaus of the loss and final strengths."""
    cases = []
    for eigenvalues, length in SPECTRA:
        task = fs.tasks.in_context_regression(eigenvalues, length)
        found = {"plateaus": task.plateaus, "ends": task.final_strengths}
        cases.append({"eigenvalues": eigenvalues, "length": length, **found})
    return cases


def maps() -> list[dict[str, Any]]:
    """Loss, risk and distance from principal-component regression of random weights."""
    cases = []
    for seed, (eigenvalues, length) in enumerate(SPECTRA):
        task = fs.tasks.in_context_regression(eigenvalues, length)
        network = fs.LinearAttention(heads=3, initial=fs.initial.Gaussian(0.8))
        names = ("loss", "map", "component_distance")
        found = fs.evolve(network, task, [0.0], method=fs.Flow(), seed=seed, observe=names)
        examples = [1, 7, 200]
        others = [fs.tasks.in_context_regression(eigenvalues, n) for n in examples]
        risk = [fs.evolve(network, other, [0.0], method=fs.Flow(), seed=seed).loss[0] for other in others]
        own = {name: found[name][0] for name in names}
        cases.append({"eigenvalues": eigenvalues, "length": length, **own, "examples": examples, "risk": risk})
    return cases


def chains() -> list[dict[str, Any]]:
    """Strengths and loss from heads on the components."""
    cases = []
    for eigenvalues, length in SPECTRA:
        task = fs.tasks.in_context_regression(eigenvalues, length)
        initial = fs.attention.AlignedHeads(0.05**3)
        network = fs.LinearAttention(heads=len(eigenvalues), initial=initial)
        times = np.geomspace(0.5, 5e3, 12)
        found = fs.evolve(network, task, times, observe=("loss", "strengths"))
        case = {"eigenvalues": eigenvalues, "length": length, "layer": 0.05, "times": times}
        cases.append({**case, "loss": found.loss, "strengths": found.strengths.T})
    return cases


def _weights(seed: int, heads: int, size: int, std: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(0, std, (heads, size)), rng.normal(0, std, (heads, size)), rng.normal(0, std, (1, heads))


def races() -> list[dict[str, Any]]:
    """Which component is learned when, from random heads."""
    cases = []
    for seed, (heads, std) in enumerate(((4, 0.01), (6, 0.05), (2, 0.002))):
        eigenvalues, length = SPECTRA[0] if seed < 2 else SPECTRA[3]
        task = fs.tasks.in_context_regression(eigenvalues, length)
        query, key, value = _weights(seed, heads, len(eigenvalues), std)
        network = fs.LinearAttention(heads=heads, initial=fs.initial.Weights([query, key, value]))
        notes = fs.evolve(network, task, [0.0, 1.0], method=fs.Reduced()).notes
        case = {"eigenvalues": eigenvalues, "length": length, "query": query, "key": key, "value": value[0]}
        cases.append({**case, **{name: notes[name] for name in ("components", "heads", "times")}})
    return cases


def training() -> list[dict[str, Any]]:
    """Gradient descent from given weights: the library's own training of the same attention."""
    eigenvalues, length = SPECTRA[0]
    task = fs.tasks.in_context_regression(eigenvalues, length)
    query, key, value = _weights(7, 4, len(eigenvalues), 0.3)
    network = fs.LinearAttention(heads=4, initial=fs.initial.Weights([query, key, value]))
    run = fs.evolve(network, task, [0.0, 1.0, 20.0], method=fs.Train(rate=0.05), observe=("loss", "map"))
    case = {"eigenvalues": eigenvalues, "length": length, "query": query, "key": key, "value": value[0], "rate": 0.05}
    return [{**case, "steps": run.notes["steps"], "loss": run.loss, "map": run["map"]}]


PARTS = {"levels": levels, "maps": maps, "chains": chains, "races": races, "training": training}


def make(part: str) -> Any:
    """One part, as plain lists; ∞ becomes the word "inf", which JSON lacks."""
    return _plain(PARTS[part]())


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(entry) for entry in value]
    if isinstance(value, float):
        return "inf" if value == math.inf else float(value)
    return int(value) if isinstance(value, np.integer) else value


if __name__ == "__main__":
    OUT.write_text(json.dumps({part: make(part) for part in PARTS}, separators=(",", ":"), allow_nan=False) + "\n")

"""Drawn tasks: scales from 1e-8 to 1e8, all ranks, equal and zero singular values, columns that hardly differ."""

from typing import Any

import numpy as np

Case = dict[str, Any]
"""All that a case is made of, as arrays, numbers and words, so that it can be printed, made smaller and run again."""


def white(rng: np.random.Generator, inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    """One data point per input, any targets."""
    return np.eye(inputs), rng.standard_normal((inputs, outputs))


def rank_one(rng: np.random.Generator, inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    """The same targets at every data point."""
    return np.eye(inputs), np.tile(rng.standard_normal(outputs), (inputs, 1))


def degenerate(rng: np.random.Generator, inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    """Equal, small and zero singular values; inputs without correlations, over six decades."""
    turn = np.linalg.qr(rng.standard_normal((outputs, outputs)))[0]
    s = rng.choice([1.0, 1.0, 0.5, 0.0, 1e-3], min(inputs, outputs))
    x = np.diag(np.sqrt(10 ** rng.uniform(-3, 3, inputs) * inputs))
    return x, x @ np.pad(np.diag(s), ((0, inputs - len(s)), (0, outputs - len(s)))) @ turn


def correlated(rng: np.random.Generator, inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    """Drawn points whose features have scales of their own."""
    points = int(rng.integers(1, 12))
    x = rng.standard_normal((points, inputs)) * 10 ** rng.uniform(-4, 4, inputs)
    return x, rng.standard_normal((points, outputs))


def collinear(rng: np.random.Generator, inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    """Two columns that hardly differ."""
    x, y = correlated(rng, max(inputs, 2), outputs)
    x[:, 1] = x[:, 0] * (1 + 10.0 ** rng.uniform(-10, -1) * rng.standard_normal(len(x)))
    return x, y


def small_correlation(rng: np.random.Generator, inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    """One large feature, and small ones that are correlated among themselves only."""
    size = max(inputs, 3)
    mix = np.eye(size)
    mix[1:, 1:] = np.linalg.qr(rng.standard_normal((size - 1, size - 1)))[1] * 10 ** rng.uniform(-6, -1)
    signs = np.vstack([np.eye(size), -np.eye(size)])
    y = signs[:, :outputs] if outputs <= size else np.pad(signs, ((0, 0), (0, outputs - size)))
    return signs @ mix, y


def repeated(rng: np.random.Generator, inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    """The same data points again and again, some with other targets; a feature that is always zero."""
    x = rng.standard_normal((2, inputs))[rng.integers(0, 2, 6)]
    x[:, -1] *= rng.integers(0, 2)
    return x, rng.integers(-1, 2, (6, outputs)).astype(float)


KINDS = (white, rank_one, degenerate, correlated, collinear, small_correlation, repeated)


def draw_data(rng: np.random.Generator, *, scales: float = 8.0) -> Case:
    """x and y of any kind, in any units."""
    kind = KINDS[int(rng.integers(len(KINDS)))]
    x, y = kind(rng, int(rng.integers(1, 5)), int(rng.integers(1, 4)))
    return {"x": x * 10 ** rng.uniform(-scales, scales), "y": y * 10 ** rng.uniform(-scales, scales)}


def shrink(case: Case) -> list[Case]:
    """Simpler cases: without a data point, an input or an output, with rounder numbers, in other units."""
    found: list[Case] = []
    if "x" in case and "y" in case:
        x, y = case["x"], case["y"]
        for i in range(len(x) if len(x) > 1 else 0):
            gates = {"gates": np.delete(case["gates"], i, axis=1)} if "gates" in case else {}
            found.append({**case, "x": np.delete(x, i, 0), "y": np.delete(y, i, 0), **gates})
        if "shape" not in case:
            for name in ("x", "y"):
                for i in range(case[name].shape[1] if case[name].shape[1] > 1 else 0):
                    found.append({**case, name: np.delete(case[name], i, 1)})
    for name, value in case.items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            top = float(np.abs(value).max(initial=0.0))
            if top and not 0.5 <= top < 5:
                found.append({**case, name: value / top})
            for digits in (1, 3):
                rounded = np.array([float(f"{v:.{digits}g}") for v in value.ravel()]).reshape(value.shape)
                if not np.array_equal(rounded, value):
                    found.append({**case, name: rounded})
        elif isinstance(value, float):
            found += [{**case, name: float(f"{value:.{d}g}")} for d in (1, 3) if float(f"{value:.{d}g}") != value]
        elif isinstance(value, int) and not isinstance(value, bool) and value > 1:
            found.append({**case, name: value - 1})
    return found

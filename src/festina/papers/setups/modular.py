"""Modular addition as kunin2025 poses it: two shifted templates go in, the template shifted by the sum comes out."""

import numpy as np

import festina as fs
from festina.papers.setups.architectures import Architecture

RATIO = 0.8  # amplitude of a frequency over that of the one learned before it


def template(p: int, seed: int) -> np.ndarray:
    """A template with zero mean and length 1 whose frequencies have amplitudes in the ratio 0.8, in a random order."""
    rng = np.random.default_rng(seed)
    frequencies = (p - 1) // 2
    coefficients = np.zeros(p // 2 + 1, complex)
    amplitudes = RATIO ** rng.permutation(frequencies)
    coefficients[1 : frequencies + 1] = amplitudes * np.exp(2j * np.pi * rng.random(frequencies))
    x = np.fft.irfft(coefficients, p)
    return x / np.linalg.norm(x)


def task(x: np.ndarray) -> fs.Task:
    """All pairs (a, b): the template shifted by a and by b, and the target shifted by a + b modulo p."""
    p = len(x)
    shifted = np.array([np.roll(x, k) for k in range(p)])
    a, b = (part.ravel() for part in np.meshgrid(np.arange(p), np.arange(p), indexing="ij"))
    return fs.Task(np.hstack([shifted[a], shifted[b]]), shifted[(a + b) % p], name=f"addition modulo {p}")


def network(p: int, count: int, scale: float) -> Architecture:
    """Quadratic units v (u·x_a + w·x_b)²."""
    return Architecture("quadratic", count, scale)


def powers(x: np.ndarray) -> np.ndarray:
    """Share of each frequency 1 … (p−1)/2 in ‖x‖²; their order is that in which they are learned."""
    found = np.abs(np.fft.rfft(x)[1 : (len(x) - 1) // 2 + 1]) ** 2
    return found / found.sum()


def spectra(outputs: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far each frequency of the outputs has come, (times, frequencies): 1 where it is that of the targets."""
    wanted, got = (np.fft.rfft(part, axis=-1)[..., 1 : (y.shape[1] - 1) // 2 + 1] for part in (y, outputs))
    return np.real((got * wanted.conj()).sum(axis=-2)) / np.maximum((np.abs(wanted) ** 2).sum(axis=-2), 1e-300)

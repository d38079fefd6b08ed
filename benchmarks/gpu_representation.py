"""Two points through 20 layers of 500 units, one trial and fifty at once: ``python benchmarks/gpu_representation.py``.

The same call runs on a CPU and, where JAX finds one, on a GPU. An argument sets the number of epochs (default 6000).
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
from festina.representation import Architecture, fit, follow, two_points

TRIALS, RATE, SAMPLES = 50, 0.01, 601


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
    task = two_points(1.0, np.sqrt(0.5))
    for seeds in (1, TRIALS):
        begun = time.perf_counter()
        run = follow(Architecture(), task, epochs=epochs, rate=RATE, samples=min(SAMPLES, epochs + 1), seeds=seeds)
        whole, notes = time.perf_counter() - begun, run.notes
        begun = time.perf_counter()
        fit(run.pair())
        parts = f"{notes['seconds_running']:.1f} s running, {notes['seconds_compiling']:.1f} s compiling"
        print(f"{seeds} trials, {epochs} epochs on a {notes['device']}: {whole:.1f} s ({parts}); ", end="")
        print(f"a fit {time.perf_counter() - begun:.3f} s")


if __name__ == "__main__":
    main()

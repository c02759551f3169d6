"""What is no ratio of two frameworks: bytes an entry, the import, recording for the pictures, and the pages."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import minitape as tf

HERE = Path(__file__).resolve().parents[1]


def chain(length: int) -> Any:
    """A tape over a chain of numbers that nobody has asked yet, and its last value."""
    x = tf.constant(1.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(length // 2):
            y = y * 1.0001
            y = y + x
    return tape, y, x


def bytes_an_entry(length: int = 20_000) -> float:
    """What Python and NumPy allocate for an entry and its values, less the arrays themselves."""
    chain(5_000)  # fills the log of recent applications, which does not grow after that
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = chain(length)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    arrays = len(kept[0].entries) // 2 * (sys.getsizeof(np.array(1.0)))  # each second op keeps a constant
    return (grown - arrays) / length


def import_beyond_numpy(repeats: int = 7) -> float:
    """Milliseconds that `import minitape` adds to `import numpy`, in processes of their own."""

    def once(code: str) -> float:
        timed = f"import time; start = time.process_time(); {code}; print(time.process_time() - start)"
        run = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True, cwd=HERE)
        return float(run.stdout)

    once("import numpy, minitape")  # compiled, and in the cache of the disk
    both, alone = [], []
    for _ in range(repeats):
        both.append(once("import numpy, minitape"))
        alone.append(once("import numpy"))
    return 1e3 * (statistics.median(both) - statistics.median(alone))


def least(action: Callable[[], Any], repeats: int = 5) -> float:
    """The least CPU time of a few runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def recording() -> float:
    """A small net's gradient step inside `viz.record`, over the same outside."""
    import viz

    from .workloads.mlp import SIZES, taped

    step = taped("minitape")(**SIZES, dtype="float64")

    def recorded() -> None:
        with viz.record():
            step()

    step()
    return least(recorded, 15) / least(step, 15)


def page(length: int) -> tuple[float, float]:
    """Seconds from a finished run of so many entries to its page on disk, and the page's size in MB."""
    import viz

    with viz.record() as run:
        tape, y, x = chain(length)
        tape.gradient(y, x)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        taken = least(lambda: viz.export(run, path), 3 if length <= 1_000 else 1)
        return taken, os.path.getsize(path) / 1e6


def figures(quick: bool = False) -> dict[str, float]:
    """All of them, by the names of `goals`."""
    found = {"bytes of bookkeeping an entry": bytes_an_entry(2_000 if quick else 20_000)}
    found["import beyond NumPy, ms"] = import_beyond_numpy(2 if quick else 7)
    found["viz.record on over off"] = recording()
    for name, length in (("stepper of 300 entries", 300), ("10,000 entries folded", 600 if quick else 10_000)):
        found[f"{name}, s"], found[f"{name}, MB"] = page(length)
    return found

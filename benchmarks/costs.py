"""What is no ratio of two frameworks: bytes an entry, the import, and recording for the pictures."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

import minitape as tf
import viz

from .workloads import chain as chains
from .workloads import mlp


def chain(length: int) -> tuple[tf.GradientTape, tf.Tensor]:
    """A tape over a chain of numbers that nobody has asked yet, and the chain's last value."""
    x = tf.constant(1.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        return tape, chains.program(x, length)


def bytes_an_entry(small: bool) -> float:
    """What Python and NumPy allocate for an entry and its values, less the arrays themselves."""
    length = 2_000 if small else 20_000
    chain(5_000)  # fills the log of recent applications, which does not grow after that
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = chain(length)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    arrays = len(kept[0].entries) // 2 * (sys.getsizeof(np.array(1.0)))  # each second op keeps a constant
    return (grown - arrays) / length


def import_beyond_numpy(small: bool) -> float:
    """Milliseconds that `import minitape` adds to `import numpy`, in processes of their own."""

    def once(code: str) -> float:
        timed = f"import time; start = time.process_time(); {code}; print(time.process_time() - start)"
        run = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True, env=os.environ)
        return float(run.stdout)

    once("import numpy, minitape")  # compiled, and in the cache of the disk
    both, alone = [], []
    for _ in range(2 if small else 7):
        both.append(once("import numpy, minitape"))
        alone.append(once("import numpy"))
    return 1e3 * (statistics.median(both) - statistics.median(alone))


def on_over_off(step: Callable[[], Any], repeats: int) -> float:
    """A program inside `viz.record`, over the same outside, in turn: medians of CPU time."""

    def recorded() -> None:
        with viz.record():
            step()

    times: dict[Callable[[], Any], list[float]] = {step: [], recorded: []}
    step(), recorded()
    for _ in range(repeats):
        for action, taken in times.items():
            start = time.process_time()
            action()
            taken.append(time.process_time() - start)
    return statistics.median(times[recorded]) / statistics.median(times[step])


def recording_a_net(small: bool) -> float:
    """A gradient step of the small net."""
    return on_over_off(mlp.taped("minitape", **mlp.SIZES, dtype="float64"), 3 if small else 40)


def recording_a_chain(length: int, repeats: int) -> Callable[[bool], float]:
    """A chain of single numbers and its gradient: nothing but bookkeeping."""

    def measured(small: bool) -> float:
        return on_over_off(chains.taped("minitape", 30 if small else length), 3 if small else repeats)

    return measured


def _alone(cost: Callable[[bool], float]) -> Callable[[bool], dict[str, float]]:
    return lambda small: {"value": cost(small)}


FIGURES = {
    "bytes of bookkeeping an entry": _alone(bytes_an_entry),
    "import beyond NumPy, ms": _alone(import_beyond_numpy),
    "viz.record on over off, small net": _alone(recording_a_net),
    "viz.record on over off, chain of 30": _alone(recording_a_chain(30, 200)),
    "viz.record on over off, chain of 10,000": _alone(recording_a_chain(10_000, 5)),
}

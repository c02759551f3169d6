"""One workload in one framework, in a process of its own: `python -m benchmarks.measure "MLP, float64" minitape`.

Prints one line of JSON: the median seconds of CPU a step, and a digest of what came out.  One thread; Python's collector as
users have it.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Any

import numpy as np

from .workloads import Step, Workload, all_of_them

ENOUGH = 0.6  # seconds that a measurement goes on for, and at least LEAST steps
LEAST = 5
SHORT = 2e-4  # seconds


def flat(results: list[Any]) -> list[np.ndarray]:
    """What a step returned, as arrays."""
    return [np.asarray(one) for one in results]


def digest(results: list[Any]) -> list[float]:
    """Two numbers per array: its sum, and the sum of its squares weighed by place."""
    numbers = []
    for one in flat(results):
        wide = one.astype("float64").ravel()
        numbers += [float(wide.sum()), float((wide * wide * np.cos(np.arange(wide.size))).sum())]
    return numbers


def disagreement(some: list[float], others: list[float]) -> float:
    """The largest relative difference of two digests."""
    return max(abs(a - b) / max(abs(a), abs(b), 1e-3) for a, b in zip(some, others, strict=True))


def seconds(step: Step) -> float:
    """The median CPU time of a step, the first one left out; very short ones are timed by the hundred."""
    step()
    start = time.process_time()
    step()
    count = 100 if time.process_time() - start < SHORT else 1
    times: list[float] = []
    spent = 0.0
    while spent < ENOUGH or len(times) < LEAST:
        start = time.process_time()
        for _ in range(count):
            step()
        taken = time.process_time() - start
        spent += taken
        times.append(taken / count)
    return statistics.median(times)


def measured(workload: Workload, framework: str, small: bool) -> dict[str, Any]:
    """The time of one step, and what it gave."""
    step = workload.makers[framework](**(workload.small if small else workload.settings))
    result = digest(step())
    return {"seconds": seconds(step), "digest": result}


if __name__ == "__main__":
    name, framework, *rest = sys.argv[1:]
    print(json.dumps(measured(all_of_them()[name], framework, "small" in rest)))

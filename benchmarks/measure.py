"""One measurement in a process of its own, which `processes` starts: a question comes in as JSON, an answer goes out.

Time is the process's CPU time of a step, on one thread, with Python's collector as users have it.  Memory is the peak of one step
above the level before it, in bytes: of the resident set as the system counts it, or of what Python and NumPy allocated.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import statistics
import sys
import threading
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np

from .workloads import Step, Workload, all_of_them

ENOUGH = 0.6  # seconds of CPU that a measurement goes on for, and at least LEAST steps
LEAST = 5
PATIENCE = 6.0  # seconds after which fewer steps have to do; a step that is longer is timed the first time it runs
SHORT = 2e-4  # seconds: steps that are shorter are timed by the hundred


def digest(results: list[Any]) -> list[list[float]]:
    """Three numbers per array: its sum, its sum weighed by place, and the sum of its absolute values."""
    numbers = []
    for result in results:
        wide = np.asarray(result, "float64").ravel()
        weights = np.cos(np.arange(wide.size))
        numbers.append([float(wide.sum()), float((wide * weights).sum()), float(np.abs(wide).sum())])
    return numbers


def disagreement(some: list[list[float]], others: list[list[float]]) -> float:
    """The largest difference of two digests, relative to what the arrays hold; infinite where their number differs."""
    if len(some) != len(others):
        return float("inf")
    apart = 0.0
    for (total, weighed, size), (total2, weighed2, size2) in zip(some, others, strict=True):
        scale = max(size, size2, 1e-12)
        apart = max(
            apart, *[abs(difference) / scale for difference in (total - total2, weighed - weighed2, size - size2)]
        )
    return apart


def seconds(step: Step) -> float:
    """The median CPU time of a step that has run before."""
    count = 1
    times: list[float] = []
    spent = 0.0
    while spent < ENOUGH or (len(times) < LEAST and spent < PATIENCE):
        start = time.process_time()
        for _ in range(count):
            step()
        taken = time.process_time() - start
        if not times and count == 1 and taken < SHORT:
            count = 100
            continue
        spent += taken
        times.append(taken / count)
    return statistics.median(times)


def timed(workload: Workload, framework: str, small: bool, truth: list[list[float]] | None) -> dict[str, Any]:
    """The time of a step and the digest of what it gives, which must agree with the truth before it is timed."""
    step = workload.makers[framework](**(workload.small if small else workload.settings))
    start = time.process_time()
    results = step()
    first = time.process_time() - start
    found = digest(results)
    if truth is not None and (apart := disagreement(truth, found)) > workload.tolerance:
        raise SystemExit(f"its result is {apart:.1e} away from that by hand")
    return {"seconds": first if first > PATIENCE else seconds(step), "digest": found}


def resident_peak(restart: bool = False) -> int:
    """The most memory that this process ever had, in bytes; `restart` counts anew from what it has now."""
    if restart:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)  # pages that the building left free would hide what the step takes
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


def peak(workload: Workload, framework: str, small: bool, how: str) -> dict[str, Any]:
    """The peak of the first step of its size; one of the smallest size has loaded what libraries load late."""
    make = workload.makers[framework]
    if how == "allocated":
        tracemalloc.start()  # before anything is made: what is freed later counts only if it was counted
    make(**workload.small)()
    step = make(**(workload.small if small else workload.settings))
    if how == "allocated":
        gc.collect()
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        step()
        return {"bytes": tracemalloc.get_traced_memory()[1] - before}
    before = resident_peak(restart=True)
    step()
    return {"bytes": resident_peak() - before}


def figure(name: str, small: bool) -> dict[str, Any]:
    """One of `costs` or `pages`."""
    from . import costs, pages

    return ({**costs.FIGURES, **pages.FIGURES})[name](small)


def answer(what: str, name: str, framework: str = "", small: bool = False, truth: Any = None) -> dict[str, Any]:
    """What was asked for: "time", "resident" or "allocated" of a workload, or a "figure"."""
    if what == "figure":
        return figure(name, small)
    workload = all_of_them()[name]
    if what == "time":
        return timed(workload, framework, small, truth)
    return peak(workload, framework, small, what)


def end_after(limit: float) -> None:
    """End the process when it has taken so many seconds of CPU; the system's own limit would coarsen the clock to 4 ms."""
    while time.process_time() < limit:
        time.sleep(1)
    print(f"more than {limit} s", file=sys.stderr, flush=True)
    os._exit(1)


def main() -> None:
    """Answer the question on standard input, within the seconds of CPU that it allows; says how many it took."""
    question = json.load(sys.stdin)
    threading.Thread(target=end_after, args=[question.pop("limit")], daemon=True).start()
    found = answer(**question)
    print(json.dumps({**found, "spent": time.process_time()}))


if __name__ == "__main__":
    main()

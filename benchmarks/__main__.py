"""Measure, and print the table: `python -m benchmarks [--quick] [--only TEXT] [--repeats N] [--json FILE]`."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from . import costs
from .goals import GOALS, verdict
from .measure import disagreement
from .workloads import Workload, all_of_them


def present(framework: str) -> bool:
    """Whether a framework can be imported here; the floor always can."""
    return framework in ("floor", "primal") or importlib.util.find_spec(framework) is not None


def once(name: str, framework: str, quick: bool) -> dict[str, Any]:
    """One measurement in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.measure", name, framework, *(["small"] if quick else [])]
    here = Path(__file__).resolve().parents[1]
    found = {
        **os.environ,
        "PYTHONPATH": str(here),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
    }
    run = subprocess.run(command, capture_output=True, text=True, cwd=here, env=found)
    if run.returncode:
        raise RuntimeError(f"{name} in {framework}:\n{run.stderr[-2000:]}")
    return json.loads(run.stdout.splitlines()[-1])


def compared(name: str, workload: Workload, repeats: int, quick: bool) -> dict[str, Any]:
    """All frameworks in turn, several times over; refuses to time results that disagree."""
    frameworks = [one for one in workload.makers if present(one)]
    times: dict[str, list[float]] = {one: [] for one in frameworks}
    for _ in range(repeats):
        truth = None
        for one in frameworks:
            found = once(name, one, quick)
            times[one].append(found["seconds"])
            if one == "primal":
                continue  # the value alone
            truth = truth or found["digest"]
            if disagreement(truth, found["digest"]) > workload.tolerance:
                raise RuntimeError(f"{name}: {one} and {frameworks[0]} do not agree")
    medians = {one: statistics.median(some) for one, some in times.items()}
    spread = {one: (max(some) - min(some)) / medians[one] for one, some in times.items()}
    ratios = {one: medians[one] / medians[workload.against] for one in frameworks}
    micro = medians["minitape"] / workload.per * 1e6
    return {"ratios": ratios, "spread": spread, "seconds": medians, "microseconds each": micro}


def row(name: str, value: float, more: str = "") -> str:
    """One line of the table."""
    goal = GOALS.get(name)
    wanted = f"{goal.must:>7g} {goal.aim:>7g} {verdict(name, value):>7}" if goal else " " * 23
    return f"{name:<44} {value:>9.2f} {wanted}   {more}"


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Measure what was asked for; returns what was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the smallest sizes, once: does it run at all?")
    parser.add_argument("--only", default="", help="workloads whose name holds this text")
    parser.add_argument("--repeats", type=int, default=3, help="processes for each workload and framework")
    parser.add_argument("--json", default="", help="a file for all that was found")
    asked = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    print(f"{'':<44} {'minitape':>9} {'must':>7} {'aim':>7} {'':>7}   the others, and the spread of the times")
    for name, workload in all_of_them().items():
        if asked.only and asked.only not in name:
            continue
        one = found[name] = compared(name, workload, 1 if asked.quick else asked.repeats, asked.quick)
        rest = ", ".join(f"{who} {ratio:.2f}" for who, ratio in one["ratios"].items() if who != "minitape")
        spread = max(one["spread"]["minitape"], one["spread"][workload.against])
        print(row(name, one["ratios"]["minitape"], f"{rest}; ±{spread:.0%}"), flush=True)
    for name, some, others in (
        ("chain, 100,000 over 1,000", "chain of 100,000", "chain of 1,000"),
        ("nested, 6 over 1", "derivative 6 of x**10", "derivative 1 of x**10"),
    ):
        if some in found and others in found:
            found[name] = found[some]["microseconds each"] / found[others]["microseconds each"]
            print(row(name, found[name]))
    if not asked.only or asked.only == "costs":
        for name, value in costs.figures(asked.quick).items():
            found[name] = value
            print(row(name, value), flush=True)
    if asked.json:
        Path(asked.json).write_text(json.dumps(found, indent=1), encoding="utf-8")
    return found


if __name__ == "__main__":
    main()

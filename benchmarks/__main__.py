"""Measure, and print the tables: `python -m benchmarks [PART ...] [--only TEXT] [--repeats N] [--among NAMES] [--json FILE]`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from . import table
from .rounds import PARTS, Plan, bundles

DISTRIBUTIONS = ("numpy", "torch", "tensorflow-cpu", "tensorflow", "jax", "autograd", "mygrad", "micrograd")


def conditions(repeats: int, quick: bool, among: frozenset[str]) -> dict[str, Any]:
    """When, on what kind of machine, and with which versions of what was asked."""
    found = {}
    for name in DISTRIBUTIONS:
        if among and name != "numpy" and name.partition("-")[0] not in among:
            continue
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "date": time.strftime("%Y-%m-%d"), "python": platform.python_version(), "system": platform.system(),
        "machine": platform.machine(), "processors": os.cpu_count(), "versions": found, "rounds": repeats, "quick": quick,
    }  # fmt: skip


def asked_for(arguments: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}; all, if none is named")
    parser.add_argument("--only", default="", metavar="TEXT", help="what holds this text in its name")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="rounds: processes for each figure (5)")
    parser.add_argument(
        "--among", default="", metavar="NAMES", help="frameworks, with commas between: floor,minitape,torch"
    )
    parser.add_argument("--quick", action="store_true", help="the smallest sizes, once: does it run at all?")
    parser.add_argument(
        "--json", default="", metavar="FILE", help="for all that was found, written after every measurement"
    )
    asked = parser.parse_args(arguments)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    return asked


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Measure what was asked for; returns what was found."""
    asked = asked_for(arguments)
    repeats = 1 if asked.quick else asked.repeats
    among = frozenset(filter(None, asked.among.split(",")))
    found: dict[str, Any] = {"conditions": conditions(repeats, asked.quick, among)}

    def keep() -> None:
        if asked.json:
            Path(asked.json).write_text(json.dumps(found, indent=1), encoding="utf-8")

    if asked.quick:
        print("The smallest sizes, once each: whether it runs, not how fast.")
    plan = Plan(repeats, asked.quick, among, keep)
    for part, measure in PARTS.items():
        chosen = [[name for name in names if asked.only in name] for names in bundles(part)]
        if (asked.parts and part not in asked.parts) or not any(chosen):
            continue
        print("\n" + "\n".join(table.head(part)), flush=True)
        found[part] = {}
        shown = 0
        for names in filter(None, chosen):
            measure(found[part], names, plan)
            rows = list(table.PARTS[part](found))
            print("\n".join(map(table.line, rows[shown:])), flush=True)
            shown = len(rows)
    keep()
    return found


if __name__ == "__main__":
    main()
